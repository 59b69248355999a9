"""`treefront predict`: columns by name, one prediction per row."""

from __future__ import annotations

import io

import numpy as np
import pytest

from treefront import DPDTClassifier

pl = pytest.importorskip("polars")


@pytest.fixture
def model(treefront, data):
    assert treefront("fit", data, "--target", "y", "--out", "model.json", "-q").code == 0
    return "model.json"


def predictions(out):
    return pl.read_csv(io.StringIO(out))


def test_one_line_per_row(treefront, model, data):
    answer = treefront("predict", model, data)
    assert (answer.code, answer.err) == (0, "")
    truth = pl.read_csv(data)["y"].to_list()
    assert predictions(answer.out)["prediction"].to_list() == truth


def test_columns_in_any_order_and_others_ignored(treefront, model, write):
    write("note,noise,size\nhello,3,30\n,4,2\n", "new.csv")
    answer = treefront("predict", model, "new.csv")
    assert answer.out == "prediction\nbig\nsmall\n"


def test_one_row_is_enough(treefront, model, write):
    write("size,noise\n30,3\n", "new.csv")
    assert treefront("predict", model, "new.csv").out == "prediction\nbig\n"


def test_class_shares(treefront, model, data):
    frame = predictions(treefront("predict", model, data, "--proba").out)
    assert frame.columns == ["prediction", "proba_big", "proba_small"]
    assert (frame["proba_big"] + frame["proba_small"]).to_list() == [1.0] * 40


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_to_a_file(treefront, model, data, name):
    answer = treefront("predict", model, data, "--out", name)
    assert (answer.code, answer.out, answer.err) == (0, "", "")
    frame = pl.read_csv(name) if name.endswith("csv") else pl.read_parquet(name)
    assert frame.height == 40


def test_a_model_of_plain_arrays_goes_by_position(treefront, write):
    DPDTClassifier(max_depth=1).fit([[0.0, 5], [1, 5]], [True, False]).save("model.json")
    write("p,q\n0,1\n1,1\n")
    assert treefront("predict", "model.json", "data.csv").out == "prediction\ntrue\nfalse\n"
    write("p,q,r\n0,1,2\n")
    message = treefront("predict", "model.json", "data.csv").complaint
    assert message.startswith(
        "the model was fitted without column names on 2 columns, but data.csv"
    )


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(write):
    pass


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("noise\n3\n", "new.csv lacks the column size of the model"),
        ("a\n3\n", "new.csv lacks the columns size, noise of the model"),
        ("size,noise\n3,1\n4,x\n2,2\n", "new.csv: column 'noise', row 2 (line 3 of the file): 'x'"),
        ("", "new.csv is empty"),
    ],
)
def test_bad_data(treefront, model, write, content, message):
    write(content, "new.csv")
    assert treefront("predict", model, "new.csv").complaint.startswith(message)


def test_bad_models(treefront, data, write):
    assert treefront("predict", "none.json", data).complaint == "there is no file none.json"
    message = treefront("predict", data, data).complaint
    assert message == "data.csv is not a treefront-model file: it is not JSON"
    write('{"format": "treefront-model", "version": 7}', "model.json")
    assert "has version 7" in treefront("predict", "model.json", data).complaint


def test_no_place_to_write(treefront, model, data):
    message = treefront("predict", model, data, "--out", "nowhere/out.csv").complaint
    assert message.startswith("nowhere/out.csv cannot be written")


def test_labels_that_are_numbers(treefront, write):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(50, 1))
    write("a,y\n" + "".join(f"{x!r},{3 if x > 0 else -1}\n" for (x,) in X.tolist()))
    treefront("fit", "data.csv", "--target", "y", "--out", "model.json", "-q")
    frame = predictions(treefront("predict", "model.json", "data.csv").out)
    assert frame["prediction"].to_list() == [3 if x > 0 else -1 for (x,) in X.tolist()]


@pytest.mark.parametrize("form", ["%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"])
def test_dates(treefront, write, form):
    days = pl.date_range(pl.date(2021, 3, 1), pl.date(2021, 3, 20), eager=True)
    cells = days.cast(pl.Datetime).dt.strftime(form).to_list()
    lines = [f"{cell},{'new' if i > 9 else 'old'}" for i, cell in enumerate(cells)]
    write("\n".join(["when,y", *lines, ",old"]) + "\n")
    answer = treefront("fit", "data.csv", "--target", "y", "--out", "model.json")
    assert "when <= 2021-03-10" in answer.out
    write("when\n2021-03-10\n2021-03-11 00:00\n\n", "new.csv")
    assert treefront("predict", "model.json", "new.csv").out == "prediction\nold\nnew\n"
    days.alias("when").to_frame().write_parquet("new.parquet")
    out = treefront("predict", "model.json", "new.parquet").out
    assert predictions(out)["prediction"].to_list() == ["old"] * 10 + ["new"] * 10
    write("when\n2021-03-10\nyesterday\n", "bad.csv")
    complaint = treefront("predict", "model.json", "bad.csv").complaint
    assert "column 'when', row 2 (line 3 of the file): 'yesterday' is not a date" in complaint


def test_times_with_a_zone(treefront, write):
    zones = ["Z", "+00:00", "+02:00", "-0530", " +01"]
    hours = {"Z": 12, "+00:00": 12, "+02:00": 14, "-0530": 6, " +01": 13}
    lines = [
        f"2021-03-{day:02}T{hours[zone]:02}:{'00' if zone != '-0530' else '30'}{zone},"
        f"{'new' if day > 10 else 'old'}"
        for day, zone in enumerate(zones * 4, start=1)
    ]
    write("when,y\n" + "\n".join(lines) + "\n")
    answer = treefront("fit", "data.csv", "--target", "y", "--out", "model.json")
    assert "when <= 2021-03-11 UTC" in answer.out  # the midpoint of two noons of UTC
    write("when\n2021-03-11T00:30+01:00\n2021-03-10 23:00:00.5-02:00\n", "new.csv")
    assert treefront("predict", "model.json", "new.csv").out == "prediction\nold\nnew\n"
    write("when\n2021-03-10\n", "bad.csv")
    complaint = treefront("predict", "model.json", "bad.csv").complaint
    assert complaint.startswith("bad.csv: column 'when' holds times without a zone, but held")


def test_zones_for_a_model_without(treefront, write):
    lines = [f"2021-03-{day:02},{'new' if day > 10 else 'old'}" for day in range(1, 21)]
    write("when,y\n" + "\n".join(lines) + "\n")
    treefront("fit", "data.csv", "--target", "y", "--out", "model.json", "-q")
    write("when\n2021-03-10 12:30Z\n", "bad.csv")
    complaint = treefront("predict", "model.json", "bad.csv").complaint
    assert complaint.startswith("bad.csv: column 'when' holds times with a zone, but held")
    write("when\n2021-03-10\n2021-03-10 12:30Z\n", "bad.csv")
    complaint = treefront("predict", "model.json", "bad.csv").complaint
    assert complaint.startswith(
        "bad.csv: column 'when', row 2 (line 3 of the file): '2021-03-10 12:30Z' has a time zone"
    )
