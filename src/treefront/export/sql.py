"""SQL: one CASE expression per output, written by sqlglot in the dialect of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treefront.export import names
from treefront.export.chain import Chain, Condition, Missing, Number, category, chain

if TYPE_CHECKING:
    from sqlglot import exp

    from treefront.tree import Tree

STANDARD = "standard"
# How a value that is NaN is told; databases without an entry store no NaN, or as NULL.
# "function": IS_NAN(x) by whatever name; "equal": NaN equals itself.
NAN_BY = {
    "bigquery": "function",
    "clickhouse": "function",
    "databricks": "function",
    "duckdb": "function",
    "postgres": "equal",
    "presto": "function",
    "redshift": "equal",
    "snowflake": "equal",
    "spark": "function",
    "trino": "function",
}
# SQLite reads decimals with more digits wrong by one unit now and then: release 3.40 one in 20,000.
SAFE_DIGITS, SAFE_SIZE = 15, 1e200
LARGEST_POWER = 62  # 2**62 is an integer literal everywhere
DIALECTS = (STANDARD, "mysql", "oracle", "sqlite", "tsql", *NAN_BY)


def to_sql(
    tree: Tree,
    *,
    table: str | None = None,
    dialect: str = STANDARD,
    proba: bool = False,
    columns: Sequence[str] | None = None,
) -> str:
    """The tree as SQL.

    Numbers are compared as 8-byte floats, as `predict` does, whatever the type of the column. NULL
    is a missing value, and so is NaN where the dialect has it; a category that training did not
    have goes the same way.

    Parameters
    ----------
    tree : Tree
    table : str, optional
        A query of this table: all its columns, and the outputs. Without, the expressions alone,
        to be pasted into a query.
    dialect : str, default="standard"
        ``"standard"`` (no NaN; runs in SQLite, DuckDB and most others), or a database:
        ``"bigquery"``, ``"clickhouse"``, ``"databricks"``, ``"duckdb"``, ``"mysql"``,
        ``"oracle"``, ``"postgres"``, ``"presto"``, ``"redshift"``, ``"snowflake"``, ``"spark"``,
        ``"sqlite"``, ``"trino"``, ``"tsql"``. In the dialect of SQLite, which may read a decimal
        of more than 15 digits wrong by one unit, such numbers are written as exact fractions.
    proba : bool, default=False
        Class shares as well, as columns ``proba_`` and the class.
    columns : sequence of str, optional
        Names of the columns in the database, in the order of training; without, those of training.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Another dialect; a column that is tested and has no name; a name or text with a character
        of code 0, which SQL cannot hold; `proba` of a regression tree.
    ImportError
        sqlglot is not installed.
    """
    try:
        import sqlglot  # noqa: F401
    except ImportError as error:
        raise ImportError("SQL needs sqlglot: pip install 'treefront[export]'") from error
    if dialect not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(sorted(DIALECTS))}, got {dialect!r}")
    if proba and tree.classes is None:
        raise ValueError("a regression tree has no class shares: leave out proba")
    return _Writer(tree, names.of_columns(tree, columns), dialect).write(table, proba=proba)


class _Writer:
    """Expressions of one tree in one dialect."""

    def __init__(self, tree: Tree, columns: list[str], dialect: str) -> None:
        self.tree = tree
        self.columns = columns
        self.dialect = dialect

    def write(self, table: str | None, *, proba: bool) -> str:
        from sqlglot import exp

        tests = chain(self.tree)
        outputs = [
            exp.alias_(self._case(tests, cells), self._name(name))
            for name, cells in self._outputs(proba=proba)
        ]
        as_dialect = None if self.dialect == STANDARD else self.dialect
        if table is None:
            return ",\n".join(output.sql(dialect=as_dialect, pretty=True) for output in outputs)
        query = exp.Select(expressions=[exp.Star(), *outputs]).from_(
            exp.Table(this=self._name(table))
        )
        return str(query.sql(dialect=as_dialect, pretty=True)) + ";"

    def _outputs(self, *, proba: bool) -> list[tuple[str, list[Any]]]:
        """Name, and value by node, of every output."""
        tree = self.tree
        if tree.classes is None:
            return list(zip(names.of_outputs(tree), tree.value.T.tolist()))
        outputs = [("prediction", tree.classes[tree.decision].tolist())]
        return outputs + (list(zip(names.of_shares(tree), tree.shares.T.tolist())) if proba else [])

    def _case(self, tests: Chain, cells: list[Any]) -> exp.Expr:
        from sqlglot import exp

        default = self._literal(cells[tests.leaf])
        if not tests.steps:
            return default
        return exp.Case(
            ifs=[
                exp.If(this=self._condition(test), true=self._case(inside, cells))
                for test, inside in tests.steps
            ],
            default=default,
        )

    def _condition(self, test: Condition) -> exp.Expr:
        from sqlglot import exp

        column = exp.column(self._name(self._column_name(test.column)))
        if isinstance(test, Missing):
            return self._present(column) if test.present else self._missing(column)
        if isinstance(test, Number):
            kind = exp.GT if test.above else exp.LTE
            holds = kind(this=_as_double(column), expression=self._literal(test.threshold))
            if test.missing:
                return exp.or_(self._missing(column), holds)
            # NaN, where it can be stored, is more than any number.
            return exp.and_(holds, self._is_nan(column, present=True)) if test.above else holds
        if not test.levels:
            return exp.EQ(
                this=exp.Literal.number(1), expression=exp.Literal.number(int(test.negated))
            )
        values = [self._literal(category(self.tree, test.column, level)) for level in test.levels]
        one_of = exp.In(this=column.copy(), expressions=values)
        # NULL fulfils neither "in" nor "not in".
        return exp.or_(column.is_(exp.null()), exp.not_(one_of)) if test.negated else one_of

    def _missing(self, column: exp.Column) -> exp.Expr:
        from sqlglot import exp

        return exp.or_(column.is_(exp.null()), self._is_nan(column, present=False))

    def _present(self, column: exp.Column) -> exp.Expr:
        from sqlglot import exp

        return exp.and_(exp.not_(column.is_(exp.null())), self._is_nan(column, present=True))

    def _is_nan(self, column: exp.Column, *, present: bool) -> exp.Expr | None:
        """Whether a value is NaN, or with `present` not; None where there is no NaN."""
        from sqlglot import exp

        by = NAN_BY.get(self.dialect)
        if by is None:
            return None
        if by == "function":
            is_nan: exp.Expr = exp.IsNan(this=_as_double(column))
        else:
            nan = exp.cast(exp.Literal.string("NaN"), "DOUBLE")
            is_nan = exp.EQ(this=_as_double(column), expression=nan)
        return exp.not_(is_nan) if present else is_nan

    def _literal(self, value: Any) -> exp.Expr:
        from sqlglot import exp

        if isinstance(value, bool):
            return exp.Boolean(this=value)
        if isinstance(value, str):
            return exp.Literal.string(_checked(value, "the text"))
        digits = repr(abs(value))
        if self.dialect == "sqlite" and isinstance(value, float) and not _is_safe(value):
            return _product(value)
        if isinstance(value, float) and "e" not in digits:
            digits += "e0"  # without an exponent it would be a DECIMAL in many databases
        number = exp.Literal.number(digits)
        return exp.Neg(this=number) if value < 0 else number

    def _column_name(self, column: int) -> str:
        name = self.columns[column]
        if not name and self.dialect != "sqlite":
            raise ValueError(
                f"column {column} has an empty name, which SQL does not allow: name the columns of "
                "the table with columns=[...]"
            )
        return name

    def _name(self, name: str) -> exp.Identifier:
        from sqlglot import exp

        return exp.to_identifier(_checked(name, "the name"), quoted=True)


def _is_safe(value: float) -> bool:
    """Whether SQLite surely reads the decimal as the same double."""
    digits = repr(abs(value)).partition("e")[0].replace(".", "").strip("0")
    return len(digits) <= SAFE_DIGITS and (value == 0 or 1 / SAFE_SIZE < abs(value) < SAFE_SIZE)


def _product(value: float) -> exp.Expr:
    """A double as an integer below 2**53 times or over powers of two, all of them exact."""
    from sqlglot import exp

    numerator, denominator = value.as_integer_ratio()
    power = -(denominator.bit_length() - 1)
    while numerator % 2 == 0 and abs(numerator) >= 2**53:
        numerator, power = numerator // 2, power + 1
    whole = exp.Literal.number(abs(numerator))
    result: exp.Expr = exp.cast(exp.Neg(this=whole) if value < 0 else whole, "DOUBLE")
    kind = exp.Mul if power > 0 else exp.Div
    for step in range(0, abs(power), LARGEST_POWER):
        factor = exp.Literal.number(2 ** min(LARGEST_POWER, abs(power) - step))
        result = kind(this=result, expression=factor)
    return exp.paren(result)


def _as_double(column: exp.Column) -> exp.Expr:
    from sqlglot import exp

    return exp.cast(column.copy(), "DOUBLE")


def _checked(text: str, what: str) -> str:
    if "\0" in text:
        raise ValueError(f"{what} {text!r} holds a character of code 0, which SQL cannot hold")
    return text
