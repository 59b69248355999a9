"""C: functions of C99 that need nothing but <math.h> and <string.h>."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from treefront import labels, summary, times
from treefront.export import names
from treefront.export.chain import Chain, Condition, Missing, Number, chain

if TYPE_CHECKING:
    from treefront.tree import Tree

INDENT = "    "


def to_c(tree: Tree, *, name: str = "tree") -> str:
    """The tree as a C99 source file.

    A row is an array of doubles in the order of training; NaN is a missing value. In a column of
    categories the cell is the number of the category; ``NAME_code_J(category)`` gives it for column
    J, -1 for one that training did not have. A date or time is the number of microseconds since
    1970-01-01, as the head of the file says. Do not compile with ``-ffast-math``, which
    forgets NaN.

    Functions: ``int NAME_leaf(const double *x)``; of classes ``int NAME_predict(const double *x)``,
    a place in ``NAME_classes``, and ``void NAME_predict_proba(const double *x, double *shares)``;
    of numbers ``double NAME_predict(const double *x)``, or with several targets
    ``void NAME_predict(const double *x, double *targets)``.

    Parameters
    ----------
    tree : Tree
    name : str, default="tree"
        What all names in the file begin with.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        `name` cannot name a function; a category or class that holds a character of code 0.
    """
    names.check_identifier(name)
    return "\n".join([*_file(tree, name), ""])


def _file(tree: Tree, name: str) -> Iterator[str]:
    nodes = summary.nodes(tree)
    leaves = [node for node in nodes if node.is_leaf]
    index = {leaf.number: i for i, leaf in enumerate(leaves)}
    features = summary.feature_names(tree)
    yield "/* A decision tree, exported by treefront. NaN is a missing value; the columns of x:"
    for column, feature in enumerate(features):
        kind = f" (categories: {name}_code_{column})" if tree.categories[column] is not None else ""
        if tree.times[column] is not None:
            kind = f" (time: {times.UNIT[tree.times[column] or '']})"
        yield f" *   x[{column}]  {_comment(feature)}{kind}"
    yield " */"
    yield "#include <math.h>"
    yield "#include <string.h>"
    for column, known in enumerate(tree.categories):
        if known is not None:
            yield from ["", *_codes(name, column, known, _comment(features[column]))]
    yield from ["", "/* Number of the leaf of a row. */", f"int {name}_leaf(const double *x)", "{"]
    yield f"{INDENT}(void)x;"
    if (tree.feature >= 0).any():
        yield f"{INDENT}/* !(x > t) is x <= t or missing: NaN is neither more nor less. */"
    yield from _steps(chain(tree), nodes, index, INDENT)
    yield "}"
    if tree.classes is not None:
        yield from ["", *_of_classes(tree, name, leaves)]
    else:
        yield from ["", *_of_numbers(tree, name, leaves)]


def _of_classes(tree: Tree, name: str, leaves: Sequence[summary.Node]) -> Iterator[str]:
    assert tree.classes is not None
    shares = tree.shares.tolist()
    n_classes = len(tree.classes)
    yield f"const char *const {name}_classes[{n_classes}] = {{"
    yield from (f"{INDENT}{_text(label)}," for label in labels.names(tree.classes))
    yield from ["};", "", f"/* Place of the prediction in {name}_classes. */"]
    yield f"int {name}_predict(const double *x)"
    yield "{"
    yield f"{INDENT}static const int decision[{len(leaves)}] = {{"
    yield from (f"{INDENT * 2}{leaf.decision}," for leaf in leaves)
    yield from [f"{INDENT}}};", f"{INDENT}return decision[{name}_leaf(x)];", "}", ""]
    yield f"/* Share of every class, in the order of {name}_classes. */"
    yield f"void {name}_predict_proba(const double *x, double *shares)"
    yield "{"
    yield from _table("share", [shares[leaf.number] for leaf in leaves])
    yield f"{INDENT}memcpy(shares, share[{name}_leaf(x)], sizeof share[0]);"
    yield "}"


def _of_numbers(tree: Tree, name: str, leaves: Sequence[summary.Node]) -> Iterator[str]:
    values = tree.value.tolist()
    table = [values[leaf.number] for leaf in leaves]
    if len(table[0]) == 1:
        yield f"double {name}_predict(const double *x)"
        yield "{"
        yield f"{INDENT}static const double mean[{len(table)}] = {{"
        yield from (f"{INDENT * 2}{value!r}," for (value,) in table)
        yield from [f"{INDENT}}};", f"{INDENT}return mean[{name}_leaf(x)];", "}"]
        return
    yield f"void {name}_predict(const double *x, double *targets)"
    yield "{"
    yield from _table("mean", table)
    yield f"{INDENT}memcpy(targets, mean[{name}_leaf(x)], sizeof mean[0]);"
    yield "}"


def _table(name: str, rows: list[list[float]]) -> Iterator[str]:
    yield f"{INDENT}static const double {name}[{len(rows)}][{len(rows[0])}] = {{"
    for row in rows:
        yield f"{INDENT * 2}{{{', '.join(map(repr, row))}}},"
    yield f"{INDENT}}};"


def _codes(name: str, column: int, known: tuple[Any, ...], feature: str) -> Iterator[str]:
    """A function from categories to their numbers."""
    is_text = any(isinstance(value, str) for value in known)
    kind = "const char *" if is_text else "double "
    yield f"/* Cell of x for a category of {feature}; -1 for one that training did not have. */"
    yield f"double {name}_code_{column}({kind}category)"
    yield "{"
    missing = "!category" if is_text else "category != category"
    yield f"{INDENT}if ({missing}) return NAN;"
    for code, value in enumerate(known):
        test = (
            f"!strcmp(category, {_text(value)})"
            if isinstance(value, str)
            else f"category == {_number(float(value))}"
        )
        yield f"{INDENT}if ({test}) return {code};"
    yield f"{INDENT}return -1;"
    yield "}"


def _steps(
    tests: Chain, nodes: list[summary.Node], index: dict[int, int], indent: str
) -> Iterator[str]:
    for test, inside in tests.steps:
        yield f"{indent}if ({_condition(test)}) {{"
        yield from _steps(inside, nodes, index, indent + INDENT)
        yield f"{indent}}}"
    leaf = nodes[tests.leaf]
    comment = _comment(f"{leaf.prediction} ({leaf.rows}; {leaf.spread})")
    yield f"{indent}return {index[leaf.number]}; /* {comment} */"


def _condition(test: Condition) -> str:
    x = f"x[{test.column}]"
    if isinstance(test, Missing):
        return f"!isnan({x})" if test.present else f"isnan({x})"
    if isinstance(test, Number):
        threshold = _number(test.threshold)
        if test.above:
            return f"!({x} <= {threshold})" if test.missing else f"{x} > {threshold}"
        return f"!({x} > {threshold})" if test.missing else f"{x} <= {threshold}"
    one_of = " || ".join(f"{x} == {level}" for level in test.levels) or "0"
    return f"!({one_of})" if test.negated else one_of


def _number(value: float) -> str:
    """The shortest decimal that reads back as the same double."""
    text = repr(value)
    return text.replace("inf", "INFINITY")


def _text(value: str) -> str:
    """A string literal in UTF-8, by octal escapes where not plain: they end after three digits."""
    if "\0" in value:
        raise ValueError(f"{value!r} holds a character of code 0, which ends a text in C")
    plain = "".join(
        chr(byte)
        if (chr(byte).isalnum() and byte < 128) or chr(byte) in " _-.,:;<>=+*/()"
        else f"\\{byte:03o}"
        for byte in value.encode("utf-8", "surrogatepass")
    )
    return f'"{plain}"'


def _comment(text: str) -> str:
    """Text that does not end a comment, nor begin one or a trigraph."""
    return text.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?").replace("\\", "\\ ")
