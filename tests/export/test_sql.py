"""SQL, run in SQLite and DuckDB, gives what `predict` gives."""

from __future__ import annotations

import sqlite3
from datetime import date, datetime

import numpy as np
import pytest

from tests.export import cases
from tests.export.cases import Case, expected, expected_shares

pytest.importorskip("sqlglot")
import sqlglot
from sqlglot import exp

from treefront import DPDTClassifier, times
from treefront.export.sql import DIALECTS, _Writer


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def kind_of(case: Case, column: int) -> str:
    known, time = case.tree.categories[column], case.tree.times[column]
    if time is not None:
        return "TIMESTAMPTZ" if time == "UTC" else "TIMESTAMP"
    if known is None or (isinstance(known[0], (int, float)) and not isinstance(known[0], bool)):
        return "DOUBLE"
    return "VARCHAR" if isinstance(known[0], str) else "BOOLEAN"


def table(case: Case, columns: list[str]) -> tuple[str, str]:
    """Statements that create the table and fill a row of it; rows keep their order by `nr`."""
    kinds = ", ".join(
        f"{quoted(name)} {kind_of(case, column)}" for column, name in enumerate(columns)
    )
    marks = ", ".join("?" * (len(columns) + 1))
    return f'CREATE TABLE "da""ta" (nr INTEGER, {kinds})', f'INSERT INTO "da""ta" VALUES ({marks})'


def rows_of(case: Case, *, unknown_bool=None) -> list[list]:
    """Bools have no third value: one that was never seen is missing."""
    bools = [kind_of(case, column) == "BOOLEAN" for column in range(case.tree.n_features)]
    return [
        [nr, *(unknown_bool if b and not isinstance(x, bool) else x for x, b in zip(row, bools))]
        for nr, row in enumerate(case.rows)
    ]


def _as_text(cell):
    """SQLite has no type for times: text in ISO 8601."""
    return cell.isoformat() if isinstance(cell, datetime) else cell


def outputs_of(sql: str, n_columns: int) -> str:
    """A query of the row numbers and outputs alone: a time with a zone is not easily fetched."""
    parsed = sqlglot.parse_one(sql.rstrip(";"), dialect="duckdb")
    nothing = ", ".join(["NULL"] * n_columns)
    outputs = ", ".join(quoted(select.alias) for select in parsed.selects[1:])
    return f"SELECT nr, {nothing}, {outputs} FROM ({sql.rstrip(';')}) ORDER BY nr"


def run_sqlite(case: Case, columns, **options):
    base = sqlite3.connect(":memory:")
    create, insert = table(case, columns)
    base.execute(create)
    base.executemany(insert, [[_as_text(cell) for cell in row] for row in rows_of(case)])
    sql = case.tree.export("sql", table='da"ta', columns=columns, **options)
    cursor = base.execute(sql.rstrip(";") + " ORDER BY nr")
    return [column[0] for column in cursor.description], cursor.fetchall()


def run_duckdb(case: Case, columns, *, nan: bool = False, **options):
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    create, insert = table(case, columns)
    base.execute(create)
    rows = rows_of(case)
    if nan:
        numbers = [kind_of(case, column) == "DOUBLE" for column in range(case.tree.n_features)]
        rows = [
            [nr, *(np.nan if x is None and number else x for x, number in zip(cells, numbers))]
            for nr, *cells in rows
        ]
    base.executemany(insert, rows)
    sql = case.tree.export("sql", table='da"ta', columns=columns, **options)
    cursor = base.execute(outputs_of(sql, len(columns)))
    return [column[0] for column in cursor.description], cursor.fetchall()


def check(case: Case, names, answer) -> None:
    """Outputs stand behind the row number and the columns."""
    outputs = np.array(answer, dtype=object)[:, 1 + case.tree.n_features :]
    wanted = expected(case)
    if case.tree.classes is None:
        assert np.array_equal(outputs.astype(float), wanted.reshape(len(wanted), -1))
        return
    assert outputs[:, 0].tolist() == wanted.tolist()
    assert names[-outputs.shape[1] :][0] == "prediction"
    if outputs.shape[1] > 1:
        assert np.array_equal(outputs[:, 1:].astype(float), expected_shares(case))


def columns_of(case: Case, *, empty: bool) -> list[str]:
    return [name if name or empty else "no name" for name in case.names]


@pytest.mark.parametrize(
    ("name", "dialect"),
    # SQLite has no TIMESTAMP '...', which the standard asks for.
    [
        (n, d)
        for n in cases.ALL
        for d in ("standard", "sqlite")
        if d == "sqlite" or "dates" not in n
    ],
)
def test_sqlite(name, dialect):
    case = cases.case(cases.ALL[name]())
    proba = case.tree.classes is not None
    columns = columns_of(case, empty=dialect == "sqlite")
    check(case, *run_sqlite(case, columns, dialect=dialect, proba=proba))


@pytest.mark.parametrize("name", cases.ALL)
@pytest.mark.parametrize("dialect", ["standard", "duckdb"])
def test_duckdb(name, dialect):
    case = cases.case(cases.ALL[name]())
    proba = case.tree.classes is not None
    columns = columns_of(case, empty=False)
    check(case, *run_duckdb(case, columns, dialect=dialect, proba=proba))


@pytest.mark.parametrize("name", ["missing", "kinds", "regression"])
def test_nan_in_duckdb_is_missing(name):
    case = cases.case(cases.ALL[name]())
    check(case, *run_duckdb(case, columns_of(case, empty=False), dialect="duckdb", nan=True))


@pytest.mark.parametrize(
    ("cells", "forms"),
    [
        (["2024-03-01", "2024-03-02"], ["%Y-%m-%d", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]),
        (["2024-03-01 12:30", "2024-03-01 12:31"], ["%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S.%f"]),
        (
            ["2024-03-01 12:30:15.250", "2024-03-01 12:30:15.250001"],
            ["%Y-%m-%dT%H:%M:%S.%f", "%Y-%m-%d %H:%M:%S.%f000"],
        ),
    ],
)
def test_times_are_compared_however_sqlite_has_them_written(cells, forms):
    points = [datetime.fromisoformat(cell) for cell in cells]
    tree = DPDTClassifier().fit(np.array(points, dtype="datetime64[us]")[:, None], [0, 1]).tree_
    sql = tree.export("sql", dialect="sqlite")
    base = sqlite3.connect(":memory:")
    for point, label in zip(points, (0, 1)):
        for form in forms:
            answer = base.execute(f"SELECT {sql} FROM (SELECT ? AS x0)", [point.strftime(form)])
            assert answer.fetchone() == (label,), point.strftime(form)


@pytest.mark.parametrize("kind", ["DATE", "TIMESTAMP", "TIMESTAMP_NS", "TIMESTAMP_S", "VARCHAR"])
def test_times_are_compared_whatever_the_type_of_the_column(kind):
    duckdb = pytest.importorskip("duckdb")
    days = np.array(["2024-02-28", "2024-02-29", "2024-03-01", "2024-03-02"], dtype="datetime64[D]")
    tree = DPDTClassifier().fit(days[:, None], [0, 0, 1, 1]).tree_
    base = duckdb.connect()
    base.execute(f"CREATE TABLE t (nr INTEGER, x0 {kind})")
    for nr, day in enumerate([*days.tolist(), None]):
        base.execute("INSERT INTO t VALUES (?, ?)", [nr, day])
    assert isinstance(days.tolist()[0], date)
    sql = tree.export("sql", table="t", dialect="duckdb").rstrip(";")
    answer = [row[-1] for row in base.execute(sql + " ORDER BY nr").fetchall()]
    assert answer == tree.predict(np.array([*days, "NaT"], dtype="datetime64[D]")[:, None]).tolist()


def test_times_are_literals_that_every_dialect_reads():
    tree = cases.dates()
    for dialect in DIALECTS:
        sql = tree.export("sql", dialect=dialect)
        for feature, threshold in zip(tree.feature.tolist(), tree.threshold.tolist()):
            if feature >= 0 and np.isfinite(threshold):
                assert times.iso(threshold, "naive") in sql
                assert f"{threshold:.0f}" not in sql
        sqlglot.parse_one(f"SELECT {sql}", dialect=None if dialect == "standard" else dialect)


def test_texts_that_stand_for_missing_values():
    tree = cases.missing()
    case = cases.case(tree)
    base = sqlite3.connect(":memory:")
    base.execute("CREATE TABLE t (nr INTEGER, x0 TEXT, x1 TEXT, x2 TEXT)")
    words = ["", "NA"]
    rows = [
        [nr, *(words[(nr + i) % 2] if cell is None else repr(cell) for i, cell in enumerate(row))]
        for nr, row in enumerate(case.rows)
    ]
    finite = [(row, code) for row, code in zip(rows, case.codes) if not np.isinf(code).any()]
    base.executemany("INSERT INTO t VALUES (?, ?, ?, ?)", [row for row, _ in finite])
    sql = tree.export("sql", table="t", dialect="sqlite", missing=words).rstrip(";")
    answer = [bool(row[-1]) for row in base.execute(sql + " ORDER BY nr")]
    assert answer == tree.predict(np.array([code for _, code in finite])).tolist()
    with pytest.raises(ValueError, match="missing must be a list of texts, got 'NA'"):
        tree.export("sql", missing="NA")


@pytest.mark.parametrize("to_left", [False, True])
def test_a_tree_of_3000_levels(to_left):
    case = cases.case(cases.deep(3000, to_left=to_left), 600)
    check(case, *run_sqlite(case, ["x"]))
    check(case, *run_duckdb(case, ["x"]))


@pytest.mark.parametrize("kind", ["FLOAT", "DECIMAL(18, 6)", "INTEGER", "VARCHAR"])
def test_columns_of_other_types_are_compared_as_doubles(kind):
    """A threshold of 0.1 as DECIMAL, or a column of 4 bytes compared as such, would go wrong."""
    duckdb = pytest.importorskip("duckdb")
    tree = cases.regression()
    values = [-1, 0, 1, None] if kind == "INTEGER" else [0.1, -0.25, 0.5, -1.5, 1e-4, None]
    base = duckdb.connect()
    base.execute(f"CREATE TABLE t (nr INTEGER, x0 {kind}, x1 {kind})")
    base.executemany(
        "INSERT INTO t VALUES (?, ?, ?)",
        [(i * 10 + j, a, b) for i, a in enumerate(values) for j, b in enumerate(values)],
    )
    sql = tree.export("sql", table="t", dialect="duckdb").rstrip(";")
    answer = base.execute(sql + " ORDER BY nr").fetchall()
    stored = base.execute("SELECT x0::DOUBLE, x1::DOUBLE FROM t ORDER BY nr").fetchall()
    X = np.array(stored, dtype=float)
    assert [row[-1] for row in answer] == tree.predict(X).tolist()


def test_literals_are_exact_in_both_engines():
    duckdb = pytest.importorskip("duckdb")
    random = np.random.default_rng(0)
    bits = random.integers(0, 2**64, size=800, dtype=np.uint64).view(np.float64)
    tiny = random.integers(1, 2**52, size=100, dtype=np.uint64).view(np.float64)
    values = [*bits[np.isfinite(bits)], *tiny, *random.normal(size=800), 0.1 + 0.2, 2.0**53 + 2]
    for dialect, base in (("sqlite", sqlite3.connect(":memory:")), ("duckdb", duckdb.connect())):
        writer = _Writer(cases.leaf(), [], dialect)
        for start in range(0, len(values), 500):
            chunk = [float(value) for value in values[start : start + 500]]
            texts = ", ".join(writer._literal(value).sql(dialect=dialect) for value in chunk)
            assert list(base.execute(f"SELECT {texts}").fetchone()) == chunk


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", ["kinds", "strange"])
def test_every_dialect_is_read_back_with_the_same_names_and_texts(dialect, name):
    case = cases.case(cases.ALL[name]())
    sql = case.tree.export(
        "sql", table="data", dialect=dialect, columns=columns_of(case, empty=dialect == "sqlite")
    )
    parsed = sqlglot.parse_one(sql.rstrip(";"), dialect=None if dialect == "standard" else dialect)
    used = {node.name for node in parsed.find_all(exp.Column)}
    tested = {columns_of(case, empty=dialect == "sqlite")[f] for f in case.tree.feature if f >= 0}
    assert used == tested
    texts = {node.this for node in parsed.find_all(exp.Literal) if node.is_string} - {"NaN"}
    assert set(case.tree.classes[case.tree.decision[case.tree.feature < 0]]) <= texts
    assert all(text in cases.STRANGE for text in texts)


def test_without_a_table_the_expression_alone():
    sql = cases.costs().export("sql")
    assert sql.startswith("CASE")
    assert sql.endswith('AS "prediction"')
    base = sqlite3.connect(":memory:")
    assert base.execute(f"SELECT {sql} FROM (SELECT 9 AS x0, 9 AS x1)").fetchone() == (2.0,)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"dialect": "dbase"}, "dialect must be one of bigquery, .*, got 'dbase'"),
        ({"columns": ["a"]}, "columns has 1 names, but the tree has 2"),
        ({"columns": ["a", "a"]}, "names one column twice"),
        ({"columns": ["", "a"]}, "column 0 has an empty name"),
        ({"columns": ["\0", "a"]}, "character of code 0"),
        ({"proba": True}, "no class shares"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        cases.targets().export("sql", **options)


def test_without_sqlglot_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sqlglot", None)
    with pytest.raises(ImportError, match=r"pip install 'treefront\[export\]'"):
        cases.costs().export("sql")


def test_an_output_does_not_take_the_name_of_a_column():
    X = np.array([[1.0, 0], [2, 0], [3, 1], [4, 1]])
    tree = DPDTClassifier(max_depth=1).fit(X, ["a", "a", "b", "b"]).tree_
    sql = tree.export("sql", table="t", columns=["Prediction", "prediction_"], dialect="sqlite")
    base = sqlite3.connect(":memory:")
    base.execute('CREATE TABLE t ("Prediction" REAL, "prediction_" REAL)')
    base.execute("INSERT INTO t VALUES (4, 1)")
    answer = base.execute(sql)
    assert [column[0] for column in answer.description] == [
        *("Prediction", "prediction_", "prediction__")
    ]
    assert answer.fetchone()[-1] == "b"
