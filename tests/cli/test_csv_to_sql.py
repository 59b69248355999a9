"""The way of a new user: from a CSV with everything in it to a chosen tree in SQL, run."""

from __future__ import annotations

import csv
import io
import random
import sqlite3
from datetime import date, timedelta
from pathlib import Path

import pytest

pytest.importorskip("sqlglot")

MISSING = ("", "NA")


def visits(rows: int = 400) -> str:
    """An id, dates, numbers and words with missing cells, true and false; two or three classes."""
    draw = random.Random(7)
    lines = ['visit_id,visit date,age,"blood, mmHg",ward,smoker,outcome']
    for i in range(rows):
        day = date(2023, 1, 1) + timedelta(days=draw.randrange(730))
        age, blood = draw.randint(18, 92), round(draw.gauss(130, 14), 1)
        ward, smoker = draw.choice(["surgery", "cardiology", "it's one"]), draw.random() < 0.4
        risk = (blood > 135) + (ward == "cardiology") + smoker + (day > date(2024, 3, 1))
        outcome = "readmitted" if risk > 2 else "at home" if risk > 1 else "well"
        lines.append(
            f"{9000 + i},{day},{'NA' if i % 17 == 0 else age},{'' if i % 9 == 0 else blood},"
            f"{'' if i % 23 == 0 else ward},{'TRUE' if smoker else 'FALSE'},{outcome}"
        )
    return "\n".join(lines) + "\n"


def flats(rows: int = 400) -> str:
    """A number to predict, semicolons, times of the day, and missing cells."""
    draw = random.Random(3)
    lines = ["id;let on;size;rooms;district;rent"]
    for i in range(rows):
        minutes = draw.randrange(60 * 24 * 900)
        let_on = f"{date(2021, 1, 1) + timedelta(minutes // 1440)} {minutes // 60 % 24:02}:30"
        size, district = draw.randint(20, 150), draw.choice(["Nord", "Süd", "Altstadt"])
        rent = 8.5 * size + 300 * (district == "Altstadt") + minutes / 5000 + draw.gauss(0, 30)
        lines.append(
            f"{i};{'' if i % 19 == 0 else let_on};{'' if i % 11 == 0 else size};{size // 28};"
            f"{district};{rent:.2f}"
        )
    return "\n".join(lines) + "\n"


def in_sqlite(sql: str, path: Path, separator: str) -> list:
    """As `.import --csv` leaves it: everything is text."""
    with path.open(newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file, delimiter=separator)
    quoted = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE rows ({quoted})")
    base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(names))})", rows)
    return [row[-1] for row in base.execute(sql)]


def in_duckdb(sql: str, path: Path) -> list:
    """As its own reader finds the columns: numbers, dates, booleans."""
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    base.execute(f"CREATE TABLE rows AS SELECT * FROM read_csv('{path}', nullstr={list(MISSING)})")
    return [row[-1] for row in base.execute(sql).fetchall()]


@pytest.mark.parametrize(
    ("content", "target", "drop", "separator"),
    [(visits(), "outcome", "visit_id", ","), (flats(), "rent", "id", ";")],
    ids=["classes", "numbers"],
)
@pytest.mark.parametrize("tree", [None, 2])
def test_from_a_csv_to_sql(treefront, write, content, target, drop, separator, tree):
    path = write(content)
    fit = treefront(
        *("fit", path, "--target", target, "--holdout", 0.25, "--drop", drop),
        *("--out", "model.json", "--report", "report.html"),
    )
    assert (fit.code, fit.err) == (0, "")
    which = [] if tree is None else ["--tree", tree]
    said = treefront("predict", "model.json", path, *which).out
    predicted = [row["prediction"] for row in csv.DictReader(io.StringIO(said))]
    if tree is None:
        rules = treefront("export", "model.json", "--to", "text").out
        assert any(f"<= 202{year}-" in rules for year in range(1, 5))  # dates are read as dates
    if target == "rent":
        predicted = [float(number) for number in predicted]
    assert len(set(predicted)) > 1

    def sql(*flags):
        answer = treefront("export", "model.json", "--to", "sql", "--table", "rows", *which, *flags)
        assert (answer.code, answer.err) == (0, "")
        return answer.out

    words = [word for text in MISSING for word in ("--missing", text)]
    assert in_sqlite(sql("--dialect", "sqlite", *words), path, separator) == predicted
    assert in_duckdb(sql("--dialect", "duckdb"), path) == predicted
