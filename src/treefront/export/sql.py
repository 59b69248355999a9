"""SQL: one CASE expression per output, written by sqlglot in the dialect of the database."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treefront import times
from treefront.export import names
from treefront.export.chain import Chain, Condition, Missing, Number, category, chain
from treefront.rules import decimal
from treefront.times import NAIVE, UTC

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
# Types and literals of points in time, where the database lacks TIMESTAMP with microseconds.
TIME_TYPES = {
    "clickhouse": "Nullable(DateTime64(6))",
    "mysql": "DATETIME(6)",
    "oracle": "TIMESTAMP",
    "trino": "TIMESTAMP(6)",
}
UTC_TYPES = {
    "clickhouse": "Nullable(DateTime64(6, 'UTC'))",
    "mysql": "DATETIME(6)",  # has no zones: times in UTC
    "trino": "TIMESTAMP(6) WITH TIME ZONE",
}
NO_TIME_LITERALS = ("clickhouse", "tsql")
LENGTH_OF_A_TIME = len("2024-03-01 12:30:15.250000")
LARGEST_POWER = 62  # 2**62 is an integer literal everywhere
DIALECTS = (STANDARD, "mysql", "oracle", "sqlite", "tsql", *NAN_BY)


def to_sql(
    tree: Tree,
    *,
    table: str | None = None,
    dialect: str = STANDARD,
    proba: bool = False,
    columns: Sequence[str] | None = None,
    missing: Sequence[str] = (),
) -> str:
    """The tree as SQL.

    Numbers are compared as 8-byte floats, as `predict` does, whatever the type of the column, and
    dates and times as timestamps. NULL is a missing value, and so is NaN where the dialect has it;
    a category that training did not have goes the same way. The output is ``prediction`` (of
    several targets ``prediction_0``, ``prediction_1``, ...); where a column of the tree has that
    name already, underscores are put at its end.

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
        of more than 15 digits wrong by one unit, such numbers are written as exact fractions;
        dates and times are text in ISO 8601 there (in UTC where training had a time zone), which
        ``"standard"`` cannot compare.
    proba : bool, default=False
        Class shares as well, as columns ``proba_`` and the class.
    columns : sequence of str, optional
        Names of the columns in the database, in the order of training; without, those of training.
    missing : sequence of str, optional
        Texts that stand for a missing value in the table, such as ``("", "NA")`` where a CSV file
        was read into columns of text. Columns of other types do not take them in most databases.

    Returns
    -------
    str

    Raises
    ------
    ValueError
        Another dialect; a column that is tested and has no name; a name or text with a character
        of code 0, which SQL cannot hold; `proba` of a regression tree; a date before the year 1.
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
    if isinstance(missing, str) or not all(isinstance(text, str) for text in missing):
        raise ValueError(f"missing must be a list of texts, got {missing!r}")
    writer = _Writer(tree, names.of_columns(tree, columns), dialect, missing)
    return writer.write(table, proba=proba)


class _Writer:
    """Expressions of one tree in one dialect."""

    def __init__(
        self, tree: Tree, columns: list[str], dialect: str, missing: Sequence[str] = ()
    ) -> None:
        self.tree = tree
        self.columns = columns
        self.dialect = dialect
        self.missing = missing

    def write(self, table: str | None, *, proba: bool) -> str:
        from sqlglot import exp

        tests = chain(self.tree)
        outputs = [
            exp.alias_(self._case(tests, cells), self._name(self._free(name)))
            for name, cells in self._outputs(proba=proba)
        ]
        as_dialect = None if self.dialect == STANDARD else self.dialect
        if table is None:
            return ",\n".join(output.sql(dialect=as_dialect, pretty=True) for output in outputs)
        query = exp.Select(expressions=[exp.Star(), *outputs]).from_(
            exp.Table(this=self._name(table))
        )
        return str(query.sql(dialect=as_dialect, pretty=True)) + ";"

    def _free(self, name: str) -> str:
        """A name of an output that no column has; most databases ignore capitals."""
        taken = {column.lower() for column in self.columns}
        while name.lower() in taken:
            name += "_"
        return name

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

        column = self._column(test.column)
        time = self.tree.times[test.column]
        may_be_nan = time is None
        if isinstance(test, Missing):
            of = self._present if test.present else self._missing
            return of(column, may_be_nan=may_be_nan)
        if isinstance(test, Number):
            kind = exp.GT if test.above else exp.LTE
            if time is None:
                cell, threshold = _as_double(column), self._literal(test.threshold)
            else:
                cell, threshold = self._as_time(column, time), self._time(test.threshold, time)
            holds = kind(this=cell, expression=threshold)
            if test.missing:
                return exp.or_(self._missing(column, may_be_nan=may_be_nan), holds)
            # NaN, where it can be stored, is more than any number.
            if test.above and may_be_nan:
                return exp.and_(holds, self._is_nan(column, present=True))
            return holds
        if not test.levels:
            return exp.EQ(
                this=exp.Literal.number(1), expression=exp.Literal.number(int(test.negated))
            )
        values = [self._literal(category(self.tree, test.column, level)) for level in test.levels]
        one_of = exp.In(this=column.copy(), expressions=values)
        # NULL fulfils neither "in" nor "not in".
        is_null = exp.Is(this=column.copy(), expression=exp.null())
        return exp.or_(is_null, exp.not_(one_of)) if test.negated else one_of

    def _column(self, column: int) -> exp.Expr:
        """A column, NULL where it holds a text that stands for a missing value."""
        from sqlglot import exp

        cell: exp.Expr = exp.column(self._name(self._column_name(column)))
        for text in self.missing:
            cell = exp.Nullif(this=cell, expression=self._literal(text))
        return cell

    def _missing(self, column: exp.Expr, *, may_be_nan: bool) -> exp.Expr:
        from sqlglot import exp

        is_nan = self._is_nan(column, present=False) if may_be_nan else None
        return exp.or_(exp.Is(this=column.copy(), expression=exp.null()), is_nan)

    def _present(self, column: exp.Expr, *, may_be_nan: bool) -> exp.Expr:
        from sqlglot import exp

        is_number = self._is_nan(column, present=True) if may_be_nan else None
        is_null = exp.Is(this=column.copy(), expression=exp.null())
        return exp.and_(exp.not_(is_null), is_number)

    def _as_time(self, column: exp.Expr, kind: str) -> exp.Expr:
        """A point in time that compares with the literals of `_time`.

        SQLite has text for it. With a blank in the place of T and no more than six digits of a
        second, text in ISO 8601 is in the order of time: what a shorter text leaves out is zero,
        and less as text than anything it could be followed by.
        """
        from sqlglot import exp

        if self.dialect == "sqlite":
            plain = exp.func("REPLACE", column.copy(), self._literal("T"), self._literal(" "))
            if kind == UTC:
                plain = exp.func("RTRIM", plain, self._literal("Z"))
            one, length = exp.Literal.number(1), exp.Literal.number(LENGTH_OF_A_TIME)
            return exp.Anonymous(this="SUBSTR", expressions=[plain, one, length])
        return exp.cast(column.copy(), self._time_type(kind))

    def _time_type(self, kind: str) -> exp.DataType:
        from sqlglot import exp

        name = (
            TIME_TYPES.get(self.dialect, "TIMESTAMP")
            if kind == NAIVE
            else UTC_TYPES.get(self.dialect, "TIMESTAMPTZ")
        )
        own = self.dialect in TIME_TYPES
        return exp.DataType.build(name, dialect=self.dialect if own else None)

    def _time(self, number: float, kind: str) -> exp.Expr:
        """A literal: TIMESTAMP '2024-03-01 00:00:00', or what the database has for it."""
        from sqlglot import exp

        text = times.iso(number, kind)
        if self.dialect in ("sqlite", "mysql"):
            text = text.removesuffix("+00:00")
        if self.dialect == "sqlite":
            return self._literal(text if "." in text else f"{text}.000000")
        if self.dialect in NO_TIME_LITERALS or (kind == UTC and self.dialect != "mysql"):
            return exp.cast(self._literal(text), self._time_type(kind))
        word = "DATETIME" if self.dialect == "bigquery" else "TIMESTAMP"
        return exp.Literal.number(f"{word} '{text}'")  # a "number" is written as it is

    def _is_nan(self, column: exp.Expr, *, present: bool) -> exp.Expr | None:
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
        digits = decimal(abs(value))
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


def _as_double(column: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.cast(column.copy(), "DOUBLE")


def _checked(text: str, what: str) -> str:
    if "\0" in text:
        raise ValueError(f"{what} {text!r} holds a character of code 0, which SQL cannot hold")
    return text
