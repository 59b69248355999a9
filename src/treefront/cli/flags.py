"""Flags of the command line, derived from the estimator's table of options."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

import typer

from treefront.cli.errors import InputError
from treefront.estimators import (
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
)
from treefront.splits import AllSplits, CartSplits, QuantileSplits, TopSplits

SPLITS_HELP = (
    "auto, all, cart:DEPTH, leaves:N, top:N or quantile:N; several with commas: one per depth, "
    "the last one for all deeper levels (cart:4,cart:2)"
)

ESTIMATORS = (DPDTClassifier, DPDTRegressor, DPDTClassifierCV, DPDTRegressorCV)
OPTIONS = {
    name: option
    for estimator in reversed(ESTIMATORS)
    for name, option in estimator._parameter_constraints.items()
}
DEFAULT: dict[str, Any] = {
    name: parameter.default
    for estimator in reversed(ESTIMATORS)
    for name, parameter in inspect.signature(estimator).parameters.items()
}
SIZES = ("n_leaves", "mean_tests")  # by which `select` chooses
# What help says of flags that stand for a parameter by another word.
NAMES = {"monotonic_cst": "--monotonic", "categorical_features": "--categorical"}
TEXT_DEFAULT = {name: str(value) for name, value in DEFAULT.items()}  # for flags read as text

# In the messages of an estimator: what is quoted, a parameter (those of one word mean other things
# as well), and a parameter with its value.
QUOTED = re.compile(r"""((?<!\w)(?:'[^']*'|"[^"]*")(?!\w))""")
PARAMETER = re.compile(rf"\b(?<!-)(?:{'|'.join(n for n in (*OPTIONS, *SIZES) if '_' in n)})\b")
GIVEN = re.compile(rf"\b(?<!-)(?P<name>{'|'.join(OPTIONS)})=(?P<q>[\"']?)(?P<value>\w+)(?P=q)")

_GENERATORS: dict[str, Callable[[int], CartSplits | TopSplits | QuantileSplits]] = {
    "cart": lambda n: CartSplits(depth=n),
    "leaves": lambda n: CartSplits(max_leaves=n),
    "top": lambda n: TopSplits(n_tests=n),
    "quantile": lambda n: QuantileSplits(n_quantiles=n),
}


def flag(name: str, how: str = "", *, panel: str, text: str | None = None) -> Any:
    """Flag of one estimator parameter; its help is the option's meaning, and `how` it is said.

    `text` stands in the place of a meaning that speaks of Python.
    """
    meaning = OPTIONS[name].meaning if text is None else text
    help_text = f"{meaning}: {how}" if how else meaning
    return typer.Option(flag_name(name), help=help_text, rich_help_panel=panel)


def flag_name(parameter: str) -> str:
    """How the command line spells a parameter."""
    return NAMES.get(parameter, "--" + parameter.replace("_", "-"))


def with_flags(message: str) -> str:
    """A message of the estimator with its parameters spelt as flags.

    What stands in quotes is a name or a value of the person's own and stays as it is.
    """
    message = GIVEN.sub(_given, message.replace(" or None, got", ", got"))
    parts = QUOTED.split(message)  # every second one is quoted
    parts[::2] = [PARAMETER.sub(lambda found: flag_name(found[0]), part) for part in parts[::2]]
    return "".join(parts)


def _given(found: re.Match[str]) -> str:
    """A parameter and its value, as a flag that has one or none."""
    name, value = flag_name(found["name"]), found["value"]
    return name if value == "True" else f"{name} {value}"


def parse_splits(text: str) -> Any:
    """Split generators of a flag's text.

    Raises
    ------
    InputError
        Not in the little language of `SPLITS_HELP`.
    """
    if text in ("auto", "all"):
        return text
    return [_generator(word.strip()) for word in text.split(",")]


def parse_number(text: str) -> Any:
    """Int or float where the text is one, else the text: the estimator checks the value."""
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        return text


def _generator(word: str) -> Any:
    if word == "all":
        return AllSplits()
    name, colon, number = word.partition(":")
    if name not in _GENERATORS or not colon or not number.isdecimal():
        raise InputError(f"--splits: {word!r} is not known; it takes {SPLITS_HELP}")
    generator = _GENERATORS[name](int(number))
    try:
        generator.spec()
    except ValueError as error:
        _, _, what = str(error).partition(" must be ")
        raise InputError(f"--splits {word}: the number must be {what}") from None
    return generator
