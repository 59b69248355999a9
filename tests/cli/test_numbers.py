"""`treefront fit` for numbers to predict: what is taken for what, and what is made of it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest

from treefront import DPDTRegressor, load
from treefront.cli.table import read
from treefront.cli.targets import target

pl = pytest.importorskip("polars")

# By hand: a step at 20 of 30 euros, and noise of at most one.
ROWS = [(i, 10 + 30 * (i > 20) + (i * 7 % 5) / 4) for i in range(1, 41)]


@pytest.fixture
def rents(write):
    return write("size,rent\n" + "".join(f"{size},{rent}\n" for size, rent in ROWS))


def fit(treefront, *arguments):
    answer = treefront("fit", "data.csv", *arguments)
    assert answer.code == 0, answer
    return answer


@pytest.mark.parametrize(
    ("cells", "are_numbers", "says"),
    [
        (["a", "b"], False, None),
        (["1", "b"], False, None),
        (["1", "1.0", "1e0", "2"], False, "2 different whole numbers, taken as classes"),
        (["true", "false"], False, None),
        (["0", "1"], False, "2 different whole numbers, taken as classes (--task numbers"),
        (["1.0", "2.0"], False, "2 different whole numbers, taken as classes (--task numbers"),
        ([str(i) for i in range(20)], False, "20 different whole numbers"),
        ([str(i) for i in range(21)], True, "21 different numbers: a number is predicted (--task"),
        (["0.5", "1.5", "0.5"], True, "numbers that are not all whole: a number is predicted"),
        (["1e3", "-0.25"], True, "numbers that are not all whole"),
    ],
)
def test_what_a_column_is_taken_for(write, cells, are_numbers, says):
    table = read(write("a,y\n" + "".join(f"0,{cell}\n" for cell in cells)))
    found = target(table, "y")
    assert found.is_numbers == are_numbers
    if says is None:
        assert found.guess is None
    else:
        assert f"'y' holds {says}" in found.guess
    for task in ("classes", "numbers") if says else ("classes",):
        told = target(table, "y", task)
        assert (told.is_numbers, told.guess) == (task == "numbers", None)


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["1", "2", "1.0", "1e0"], [1, 2, 1, 1]),
        (["007", "8", "7"], ["007", "8", "7"]),
        (["1.0", "2.0"], ["1.0", "2.0"]),
        (["9007199254740993", "9007199254740992"], [9007199254740993, 9007199254740992]),
        (["1", "1.0", "b"], ["1", "1.0", "b"]),
        (["true", "True", "FALSE", "false"], ["true", "true", "false", "false"]),
        (["True", "False", "True"], ["True", "False", "True"]),
        (["Yes", "yes"], ["Yes", "yes"]),
    ],
)
def test_one_label_is_spelled_once(write, cells, labels):
    table = read(write("a,y\n" + "".join(f"0,{cell}\n" for cell in cells)))
    assert target(table, "y", "classes").y.tolist() == labels


def test_what_is_counted_is_what_is_a_class(treefront, write):
    cells = ["9007199254740993", "9007199254740992", "1", "1.0"]
    write("a,y\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(cells * 3)))
    out = fit(treefront, "--target", "y").out
    assert "12 training rows, 1 feature, 3 classes\n'y' holds 3 different whole numbers" in out


@pytest.mark.parametrize("word", ["NA", "none", "?"])
def test_missing_words_are_no_class(treefront, write, word):
    write(f"a,y\n1,x\n2,{word}\n3,z\n")
    assert treefront("fit", "data.csv", "--target", "y").complaint == (
        "data.csv: column 'y': what is to be predicted is missing in row 2 (line 3 of the file); "
        f"leave such rows out; if {word!r} is a class, call it otherwise"
    )


def test_what_is_printed(treefront, rents):
    out = fit(treefront, "--target", "rent", "--holdout", 0.25).out.splitlines()
    assert out[0] == "30 training rows, 1 feature, rent from 10 to 41; 10 rows held out"
    assert out[1] == (
        "'rent' holds numbers that are not all whole: a number is predicted "
        "(--task classes predicts a class)"
    )
    assert "squared error" in "\n".join(out[3:6])
    assert any("chosen by validation R² (0." in line for line in out)
    assert any(line.startswith(("if size <= 20: ", "if size <= 21: ")) for line in out)


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
def test_the_model_is_that_of_the_estimator(treefront, rents, loss):
    fit(treefront, "--target", "rent", "--loss", loss, "--out", "model.json", "-q")
    model = load("model.json")
    X = pl.DataFrame({"size": [float(size) for size, _ in ROWS]})
    twin = DPDTRegressor(loss=loss).fit(X, [rent for _, rent in ROWS])
    assert model.get_params() == twin.get_params()
    assert model.front_ == twin.front_


def test_predict_and_export(treefront, rents):
    fit(treefront, "--target", "rent", "--out", "model.json", "--report", "r.html", "-q")
    model = load("model.json")
    printed = pl.read_csv(io.StringIO(treefront("predict", "model.json", "data.csv").out))
    X = np.array([[size] for size, _ in ROWS], dtype=float)
    assert printed["prediction"].to_numpy() == pytest.approx(model.predict(X), rel=1e-15)
    complaint = treefront("predict", "model.json", "data.csv", "--proba").complaint
    assert complaint == "model.json predicts numbers, which have no class shares: no --proba"
    assert treefront("export", "model.json", "--to", "sql").out.startswith("CASE")
    assert "mean squared error" in Path("r.html").read_text(encoding="utf-8")


def test_classes_of_numbers_and_numbers_of_classes(treefront, write):
    write("a,y\n" + "".join(f"{i},{i % 3}\n" for i in range(30)))
    classes = fit(treefront, "--target", "y", "--out", "c.json").out
    assert "30 training rows, 1 feature, 3 classes\n'y' holds 3 different whole numbers" in classes
    numbers = fit(treefront, "--target", "y", "--task", "numbers", "--out", "n.json").out
    assert "y from 0 to 2\n" in numbers
    assert load("n.json").front_[0].value[0, 0] == 1.0
    assert load("c.json").classes_.tolist() == [0, 1, 2]


def test_text_is_no_number_to_predict(treefront, write):
    write("a,y\n1,2\n2,x\n3,4\n")
    complaint = treefront("fit", "data.csv", "--target", "y", "--task", "numbers").complaint
    assert complaint == (
        "data.csv: column 'y', row 2 (line 3 of the file): 'x' is not a number, "
        "but numbers are to be predicted"
    )


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--class-weight", "balanced"], "--class-weight is for classes, but 'rent' holds numbers"),
        (["--class-weight", "a=2"], "--class-weight is for classes"),
        (["--cost-matrix", "m.csv"], "--cost-matrix is for classes"),
        (["--task", "classes", "--loss", "absolute_error"], "--loss is for numbers, but 'rent' ho"),
        (["--loss", "cubed"], "--loss must be 'squared_error' or 'absolute_error', got 'cubed'"),
        (["--task", "both"], "--task must be one of auto, classes, numbers, got 'both'"),
    ],
)
def test_flags_of_the_other_task(treefront, rents, flags, message):
    assert treefront("fit", rents, "--target", "rent", *flags).complaint.startswith(message)
