"""Bad input as one line."""

from __future__ import annotations


class InputError(Exception):
    """What the person who typed the command can mend; becomes one line and exit code 2."""

    def __str__(self) -> str:
        return " ".join(super().__str__().split())
