"""Options of the estimators: what is allowed and what it means, declared once.

Defaults stand in the signature of the estimator, where scikit-learn looks for them. The checks of
`fit` and the flags of the command line both read the tables that are built of these pieces.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from treefront.splits import sequence

BYTES = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b\s*", re.IGNORECASE)


class Allowed(Protocol):
    """A set of values."""

    def __contains__(self, value: object) -> bool: ...
    def __str__(self) -> str: ...


@dataclass(frozen=True)
class Option:
    """One parameter: the union of the sets it may come from, and its meaning in one line."""

    allowed: tuple[Allowed, ...]
    meaning: str

    def check(self, name: str, value: object) -> None:
        """Raise ValueError, naming what is allowed, for any other value."""
        if not any(value in some for some in self.allowed):
            allowed = " or ".join(str(some) for some in self.allowed)
            raise ValueError(f"{name} must be {allowed}, got {value!r}")


@dataclass(frozen=True)
class Integers:
    """Integers of at least `low`; bools are none."""

    low: int

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)):
            return False
        return int(value) >= self.low

    def __str__(self) -> str:
        return f"an integer of at least {self.low}"


class NonzeroIntegers:
    """Integers but 0; bools are none."""

    def __contains__(self, value: object) -> bool:
        return value not in Values((0,)) and value in Integers(-(2**31))

    def __str__(self) -> str:
        return "an integer other than 0"


@dataclass(frozen=True)
class Reals:
    """Finite numbers from `low` to `high`, the ends included or not."""

    low: float
    high: float = math.inf
    open: bool = False

    def __contains__(self, value: object) -> bool:
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
            return False
        number = float(value)
        if self.open:
            return self.low < number < self.high
        return self.low <= number <= self.high and number < math.inf

    def __str__(self) -> str:
        if self.high < math.inf:
            return (
                f"a number {'strictly ' if self.open else ''}between {self.low:g} and {self.high:g}"
            )
        return f"a number {'above' if self.open else 'of at least'} {self.low:g}"


@dataclass(frozen=True)
class Values:
    """A few values."""

    values: tuple[object, ...]

    def __contains__(self, value: object) -> bool:
        # Neither arrays, which compare element by element, nor True for 1.
        plain = value is None or isinstance(value, (str, int, np.integer))
        return plain and not isinstance(value, bool) and any(value == v for v in self.values)

    def __str__(self) -> str:
        *first, last = (repr(value) for value in self.values)
        return f"{', '.join(first)} or {last}" if first else last


class Anything:
    """Values that are checked where they meet the data."""

    def __contains__(self, value: object) -> bool:
        return True

    def __str__(self) -> str:
        return "anything"


class Flags:
    """True and False."""

    def __contains__(self, value: object) -> bool:
        return isinstance(value, (bool, np.bool_))

    def __str__(self) -> str:
        return "True or False"


class Generators:
    """Whatever `treefront.splits.sequence` accepts."""

    def __contains__(self, value: object) -> bool:
        sequence(value)  # raises a ValueError that says more than "no"
        return True

    def __str__(self) -> str:
        return "a split generator, a callable or a sequence of these"


class Bytes:
    """Amounts of memory: a number of bytes, or text such as ``"2GB"``."""

    def __contains__(self, value: object) -> bool:
        return value in Integers(1) or (isinstance(value, str) and _parsed(value) is not None)

    def __str__(self) -> str:
        return "a number of bytes or text such as '2GB' or '500 MiB'"


class Scorers:
    """One way to score: a name or a callable; `sklearn.metrics.check_scoring` knows which."""

    def __contains__(self, value: object) -> bool:
        return isinstance(value, str) or callable(value)

    def __str__(self) -> str:
        return "the name of a scorer or a callable (one alone)"


NOTHING = Values((None,))


def n_bytes(value: int | str) -> int:
    """Bytes of a checked amount of memory: kB, MB, GB, TB are powers of 1000, KiB .. of 1024."""
    amount = _parsed(value) if isinstance(value, str) else int(value)
    assert amount is not None, "checked by Bytes"
    return amount


def check(options: Mapping[str, Option], params: Mapping[str, Any]) -> None:
    """Check every parameter against its option."""
    for name, option in options.items():
        option.check(name, params[name])


def _parsed(text: str) -> int | None:
    match = BYTES.fullmatch(text)
    if match is None:
        return None
    amount, prefix, binary = match.groups()
    base = 1024 if binary else 1000
    size = int(float(amount) * base ** " kmgt".index(prefix.lower() or " "))
    return size if size > 0 else None
