"""Python: a module of functions that need nothing but the language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from treefront import summary, times
from treefront.export import names
from treefront.export.chain import Chain, Condition, Missing, Number, category, chain
from treefront.times import NAIVE

if TYPE_CHECKING:
    from treefront.tree import Tree

INDENT = "    "
# Texts of a cell that are a missing value, as where the command line reads a file.
MISSING = ("", "na", "n/a", "nan", "null", "none", "?")
READ_NUMBER = f'''
MISSING = {MISSING!r}


def _number(x):
    """A number; NaN for a missing one."""
    return float("nan") if _is_missing(x) else float(x)


def _is_missing(x):
    return x is None or (isinstance(x, str) and x.strip().lower() in MISSING)'''
READ_TIME = '''
def _time(x, zone=None):
    """Microseconds since 1970-01-01 of a point in time; NaN for a missing one."""
    if _is_missing(x) or x != x:  # NaN and NaT differ from themselves
        return float("nan")
    if isinstance(x, str):
        x = datetime.fromisoformat(x[:-1] + "+00:00" if x.endswith("Z") else x)
    elif hasattr(x, "astype"):  # of numpy, which knows no zones
        return float(x.astype("datetime64[us]").astype("int64"))
    elif isinstance(x, date) and not isinstance(x, datetime):
        x = datetime(x.year, x.month, x.day)
    if (x.tzinfo is None) != (zone is None):
        has, had = ("no", "one") if x.tzinfo is None else ("a", "none")
        raise ValueError(f"{x} has {has} time zone, but those of training had {had}")
    return float((x - datetime(1970, 1, 1, tzinfo=zone)) // timedelta(microseconds=1))'''


def to_python(tree: Tree, *, columns: Sequence[str] | None = None, name: str = "predict") -> str:
    """The tree as a Python module.

    It defines ``predict(row)`` and, for classes, ``predict_proba(row)``. A row is a dict by column
    name, or a sequence where training had no names. None and NaN are missing values, and
    so are texts such as ``""`` and ``"NA"`` in a column of numbers or times. Dates and times are
    those of ``datetime``, of pandas or of numpy, or text in ISO 8601; with a time zone where
    training had one, else without (a ValueError).

    Parameters
    ----------
    tree : Tree
    columns : sequence of str, optional
        Keys of the row, in the order of training; without, those of training.
    name : str, default="predict"
        Name of the function; the other one's gets ``_proba`` at its end.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        `name` cannot name a function, `columns` does not fit the tree, or a class label has no
        literal.
    """
    names.check_identifier(name)
    by_name = columns is not None or tree.feature_names is not None
    keys: list[Any] = names.of_columns(tree, columns) if by_name else list(range(tree.n_features))
    return "\n".join([*_module(tree, keys, name, by_name=by_name), ""])


def _module(tree: Tree, keys: list[Any], name: str, *, by_name: bool) -> Iterator[str]:
    nodes = summary.nodes(tree)
    leaves = [node for node in nodes if node.is_leaf]
    index = {leaf.number: i for i, leaf in enumerate(leaves)}
    kind = "dict by column name" if by_name else "sequence of values in the order of training"
    yield '"""A decision tree, exported by treefront; it needs nothing but Python.'
    yield ""
    yield f"A row is a {kind}; None and NaN are missing values."
    tested = sorted({int(column) for column in tree.feature if column >= 0})
    has_times = any(tree.times[column] is not None for column in tested)
    if has_times:
        yield "Dates and times are those of datetime, numpy or pandas, or text in ISO 8601."
    yield '"""'
    yield ""
    if has_times:
        yield "from datetime import date, datetime, timedelta, timezone"
        yield ""
    if tree.classes is not None:
        yield "# The classes, and of every leaf its prediction and its class shares."
        yield f"CLASSES = {_tuple(tree.classes.tolist())}"
        predictions = tree.classes[tree.decision].tolist()
        shares = tree.shares.tolist()
        yield "LEAVES = ("
        for leaf in leaves:
            yield f"{INDENT}({predictions[leaf.number]!r}, {_tuple(shares[leaf.number])}),"
        yield ")"
    else:
        values = tree.value.tolist()
        one = tree.value.shape[1] == 1
        yield "# The prediction of every leaf."
        yield "LEAVES = ("
        for leaf in leaves:
            value = values[leaf.number]
            yield f"{INDENT}{value[0]!r}," if one else f"{INDENT}{_tuple(value)},"
        yield ")"
    take = "LEAVES[_leaf(row)]"
    yield from ["", "", f"def {name}(row):"]
    if tree.classes is None:
        yield f'{INDENT}"""What the tree predicts for a row."""'
        yield f"{INDENT}return {take}"
    else:
        yield f'{INDENT}"""Class of a row."""'
        yield f"{INDENT}return {take}[0]"
        yield from ["", "", f"def {name}_proba(row):"]
        yield f'{INDENT}"""Share of every class, in the order of CLASSES, in the leaf of a row."""'
        yield f"{INDENT}return {take}[1]"
    yield from ["", "", "def _leaf(row):"]
    if (tree.feature >= 0).any():
        yield f"{INDENT}# `not x > t` is `x <= t` or missing: NaN is neither more nor less."
    yield from _steps(tree, chain(tree), keys, nodes, index, INDENT)
    yield from ["", READ_NUMBER]
    if has_times:
        yield from ["", READ_TIME]


def _steps(
    tree: Tree,
    tests: Chain,
    keys: list[Any],
    nodes: list[summary.Node],
    index: dict[int, int],
    indent: str,
) -> Iterator[str]:
    for test, inside in tests.steps:
        yield f"{indent}if {_condition(tree, test, keys)}:"
        yield from _steps(tree, inside, keys, nodes, index, indent + INDENT)
    leaf = nodes[tests.leaf]
    yield f"{indent}return {index[leaf.number]}  # {leaf.prediction} ({leaf.rows}; {leaf.spread})"


def _condition(tree: Tree, test: Condition, keys: list[Any]) -> str:
    cell = f"row[{keys[test.column]!r}]"
    time = tree.times[test.column]
    if isinstance(test, Missing):
        x = _read(cell, time)
        return f"{x} == {x}" if test.present else f"{x} != {x}"
    if isinstance(test, Number):
        x = _read(cell, time)
        threshold = _float(test.threshold)
        if time is not None:
            threshold = _read(repr(times.iso(test.threshold, time)), time)
        if test.above:
            return f"not {x} <= {threshold}" if test.missing else f"{x} > {threshold}"
        return f"not {x} > {threshold}" if test.missing else f"{x} <= {threshold}"
    values = [category(tree, test.column, level) for level in test.levels]
    return f"{cell} {'not in' if test.negated else 'in'} {_tuple(values)}"


def _read(cell: str, time: str | None) -> str:
    if time is None:
        return f"_number({cell})"
    return f"_time({cell})" if time == NAIVE else f"_time({cell}, timezone.utc)"


def _tuple(values: Sequence[Any]) -> str:
    inside = ", ".join(map(repr, values))
    return f"({inside},)" if len(values) == 1 else f"({inside})"


def _float(value: float) -> str:
    text = repr(value)
    return f'float("{text}")' if "inf" in text else text
