"""`treefront fit`: what is read, held out, printed and written."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from treefront import CartSplits, DPDTClassifier, QuantileSplits, TopSplits, load
from treefront.cli.columns import features
from treefront.cli.flags import parse_splits
from treefront.cli.table import read


def fit(treefront, *arguments):
    answer = treefront("fit", "data.csv", "--target", "y", *arguments)
    assert answer.code == 0, answer
    return answer


def rows_of_table(out):
    lines = out.splitlines()
    start = next(i for i, line in enumerate(lines) if set(line) == {"─"})
    return [line.split() for line in lines[start + 1 : lines.index("", start)]]


def test_what_is_printed(treefront, data):
    answer = fit(treefront, "--max-depth", 3, "--splits", "top:99", "--exact-tail", 0)
    assert answer.err == ""
    assert answer.out.startswith("40 training rows, 2 features, 2 classes\n")
    assert "s with splits TopSplits(n_tests=99) and an exact tail of 0; " in answer.out
    assert "; status: complete\n" in answer.out
    first, second, *_, last = rows_of_table(answer.out)
    assert first[:5] == ["0", "47.50%", "0.00", "1", "0"]
    assert second[:5] == ["1", "2.50%", "1.00", "2", "1"]
    assert first[6] == "inf"
    assert second[6] == first[5]
    assert last[0] == "*"
    assert last[2] == "0.00%"
    assert "* chosen by alpha = 0: " in answer.out
    assert "if size <= 20:" in answer.out
    assert not re.search("\x1b", answer.out)  # no colours where output is not a terminal


def test_alpha_chooses(treefront, data):
    out = fit(treefront, "--alpha", 0.1).out
    assert "* chosen by alpha = 0.1: 2 leaves" in out
    assert out.rstrip().splitlines()[-2:] == [
        "if size <= 20: small  20 rows  small: 95.0%, big: 5.0%",
        "else: big             20 rows  big: 100%",
    ]


def test_the_tree_is_chosen_on_rows_held_out(treefront, data):
    answer = fit(treefront, "--holdout", 0.25, "--out", "model.json")
    assert answer.out.startswith("30 training rows, 2 features, 2 classes; 10 rows held out\n")
    assert "* chosen by validation accuracy" in answer.out
    table = rows_of_table(answer.out)
    scores = [float(row[-3].rstrip("%")) for row in table]
    chosen = next(i for i, row in enumerate(table) if row[0] == "*")
    assert chosen == int(np.argmax(scores))
    model = load("model.json")
    assert model.tree_ is model.front_[chosen]


def test_the_seed_decides_what_is_held_out(treefront, data):
    outputs = [fit(treefront, "--holdout", 0.5, "--seed", seed).out for seed in (0, 0, 1)]
    same = [re.sub(r"in \S+ s", "", out) for out in outputs]
    assert same[0] == same[1]
    assert same[0] != same[2]


def test_a_class_with_one_row_can_be_held_out(treefront, write):
    write("a,y\n" + "".join(f"{i},{i // 10}\n" for i in range(31)))
    fit(treefront, "--holdout", 0.25)


def test_flags_reach_the_estimator(treefront, data):
    fit(
        *(
            treefront,
            "--out",
            "model.json",
            "--quiet",
            "--max-depth",
            2,
            "--splits",
            "cart:2,top:3",
        ),
        *(
            "--exact-tail",
            0,
            "--alpha",
            0.01,
            "--complexity",
            "splits",
            "--min-samples-leaf",
            0.1,
        ),
        *("--thresholds", "midpoint", "--time-limit", 30, "--memory-limit", "1GB", "--n-jobs", 2),
    )
    params = load("model.json").get_params(deep=False)
    assert params.pop("categorical_features") == "from_dtype"  # no flag: the cells tell
    for name in ("class_weight", "cost_matrix", "feature_costs", "feature_groups", "monotonic_cst"):
        assert params.pop(name) is None  # no flags: they need more than a word
    assert params.pop("feature_costs_once") is False
    assert params.pop("min_weight_fraction_leaf") == 0.0  # no flag: files have no weights
    assert str(params.pop("splits")) == str([CartSplits(2), TopSplits(3)])
    assert params == dict(
        max_depth=2,
        exact_tail=0,
        thresholds="midpoint",
        prove="tree",  # no flag: it is for --splits all
        alpha=0.01,
        complexity="splits",
        min_samples_leaf=0.1,
        time_limit=30.0,
        memory_limit="1GB",
        n_jobs=2,
        on_interrupt="raise",  # no flag: the program itself answers Ctrl-C
        verbose=0,
    )


def test_defaults_are_those_of_the_estimator(treefront, data):
    fit(treefront, "--out", "model.json", "--quiet")
    assert load("model.json").get_params() == DPDTClassifier().get_params()


def test_quiet_prints_nothing(treefront, data):
    assert (fit(treefront, "--quiet").out, fit(treefront, "-q").err) == ("", "")


def test_dropped_columns_are_not_used(treefront, write):
    write("name,a,y\nann,1,0\nbob,2,1\ncid,3,1\n")
    fit(treefront, "--drop", "name", "--out", "model.json")
    assert load("model.json").feature_names_in_.tolist() == ["a"]


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        (["2", "10", "2"], [2, 10]),
        (["-1", "1", "1"], [-1, 1]),
        (["007", "7", "007"], ["007", "7"]),
        (["no", "yes", "no"], ["no", "yes"]),
        (["1", "x", "1"], ["1", "x"]),
        ([" a ", "b", "a"], ["a", "b"]),
        (["0.0", "1.0", "0.0"], ["0.0", "1.0"]),
        (["99999999999999999999", "1", "1"], ["1", "99999999999999999999"]),
    ],
)
def test_labels(treefront, write, labels, classes):
    write("a,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels)))
    fit(treefront, "--out", "model.json")
    found = load("model.json").classes_
    assert found.tolist() == classes
    assert found.dtype.kind == ("i" if isinstance(classes[0], int) else "U")


@pytest.mark.parametrize(
    "content",
    [
        "a;b;y\n1;2;x\n3;4;z\n",
        "a\tb\ty\n1\t2\tx\n3\t4\tz\n",
        "\ufeffa,b,y\r\n1,2,x\r\n3,4,z\r\n\r\n",
        '"a", b ,y\n" 1","2",x\n3,4.0e0,z\n,,\n,,\n',
    ],
)
def test_dialects_of_csv(treefront, write, content):
    path = write(content)
    assert read(path).frame.columns == ["a", "b", "y"]
    assert "2 training rows, 2 features" in fit(treefront).out


def test_columns_without_a_name_get_one(write):
    assert read(write(",a,,y\n0,1,2,x\n")).frame.columns == ["unnamed_1", "a", "unnamed_3", "y"]


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        (["True", "false", "TRUE"], "if a is true: 0"),
        (["True", "False", "True"], "if a is True: 0"),
        (["TRUE", "", "TRUE"], "if a is TRUE: 0"),
        (["yes", "no", "yes"], "if a is yes: 0"),
    ],
)
def test_truth_values_are_words(treefront, write, cells, said):
    write("a,y\n" + "".join(f"{cell},{y}\n" for cell, y in zip(cells, (0, 1, 0))))
    assert said in fit(treefront, "--out", "model.json").out
    assert treefront("predict", "model.json", "data.csv").out.split()[1:] == ["0", "1", "0"]
    write("a\ntrue\nFALSE\n", "other.csv")  # as another program writes them
    if "yes" not in cells and "" not in cells:
        assert treefront("predict", "model.json", "other.csv").out.split()[1:] == ["0", "1"]


@pytest.mark.parametrize(
    ("categories", "cells"),
    [
        ([True, False, True, False], ["true", "FALSE", "true", "False"]),
        ([3, 5, 3, 5], ["3", "5", " 3", "5.0"]),
        (["none", "some", "none", "some"], ["none", "some", "none", "some"]),
    ],
)
def test_categories_of_a_model_fitted_in_python_are_known_again(
    treefront, write, categories, cells
):
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Series(categories, dtype="category")})
    DPDTClassifier(max_depth=1).fit(X, [0, 1, 0, 1]).save(write("", "model.json"))
    write("a\n" + "".join(f"{cell}\n" for cell in cells))
    assert treefront("predict", "model.json", "data.csv").out.split()[1:] == ["0", "1", "0", "1"]


def test_numbers_are_read_exactly(treefront, write):
    values = np.random.default_rng(0).normal(size=200)
    write("a,y\n" + "".join(f"{v!r},{int(v > 0)}\n" for v in values.tolist()))
    found = features(read(Path("data.csv")), ["a"])["a"].to_list()
    assert found == values.tolist()


def test_parquet_types(treefront, write, tmp_path, monkeypatch):
    pl = pytest.importorskip("polars")
    monkeypatch.chdir(tmp_path)
    frame = pl.DataFrame({"a": [1, 2, 3], "b": [True, False, True], "y": [True, False, True]})
    frame.write_parquet("data.parquet")
    answer = treefront("fit", "data.parquet", "--target", "y", "--out", "model.json")
    assert answer.code == 0
    assert load("model.json").classes_.tolist() == [False, True]


def test_time_limit_is_a_warning(treefront, write):
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(2000, 8))
    lines = [",".join(map(repr, row)) + f",{rng.integers(2)}" for row in rows.tolist()]
    write("a,b,c,d,e,f,g,h,y\n" + "\n".join(lines))
    answer = fit(treefront, "--splits", "all", "--time-limit", 0.1, "--max-depth", 5)
    assert "warning: the time limit was reached" in answer.err
    assert "status: time_limit" in answer.out


def test_a_proof(treefront, data):
    answer = fit(treefront, "--splits", "all", "--prove", "front", "--out", "model.json")
    assert answer.err == ""
    assert "s with all splits, from a start with CartSplits(" in answer.out
    assert "; status: optimal\n" in answer.out
    assert load("model.json").front_.proved.all()


def test_the_model_file_is_json(treefront, data):
    fit(treefront, "--out", "model.json")
    assert json.loads(Path("model.json").read_text())["format"] == "treefront-model"


def test_the_language_of_splits():
    assert parse_splits("auto") == "auto"
    assert parse_splits("all") == "all"
    expected = [CartSplits(3), CartSplits(max_leaves=8), TopSplits(5), QuantileSplits(4)]
    assert str(parse_splits("cart:3, leaves:8,top:5,quantile:4")) == str(expected)


def test_words_and_empty_cells_need_no_preparation(treefront, write):
    lines = ["purpose,income,member,y"]
    for i in range(40):
        purpose, income = ("car", "home", "trip")[i % 3], "" if i % 5 == 0 else str(i)
        lines.append(f"{purpose},{income},{'true' if i % 2 else 'false'},{'car' if i % 3 else 'x'}")
    write("\n".join(lines) + "\n")
    answer = treefront(
        *("fit", "data.csv", "--target", "y", "--holdout", 0.4, "--out", "model.json")
    )
    assert answer.code == 0, answer.err
    assert "chosen by validation accuracy (100" in answer.out
    known = (("car", "home", "trip"), None, ("false", "true"))
    assert load("model.json").categories_ == known
    write("purpose,income,member\nboat,,true\ncar,3,\nhome,x,false\n", "new.csv")
    complaint = treefront("predict", "model.json", "new.csv").complaint
    assert complaint.startswith("new.csv: column 'income', row 3 (line 4 of the file): 'x'")
    write("purpose,income,member\nboat,,true\ncar,3,\n", "new.csv")
    assert treefront("predict", "model.json", "new.csv").out.count("\n") == 3


@pytest.mark.parametrize("kind", ["Null", "Float64", "Boolean", "Date", "Categorical", "Binary"])
def test_a_column_without_any_cell(treefront, data, kind):
    """Parquet has a type for it, a CSV has not; both are columns of missing numbers."""
    pl = pytest.importorskip("polars")
    frame = pl.read_csv(data).with_columns(pl.lit(None).alias("nothing"))
    frame.write_csv("data.csv")
    frame.with_columns(pl.col("nothing").cast(getattr(pl, kind))).write_parquet("data.parquet")
    answers = []
    for name in ("data.csv", "data.parquet"):
        answer = treefront("fit", name, "--target", "y", "--out", f"{name}.json")
        assert (answer.code, answer.err) == (0, "")
        answers.append(treefront("predict", f"{name}.json", name).out)
    assert answers[0] == answers[1]
    both = [load(f"{name}.json").tree_ for name in ("data.csv", "data.parquet")]
    assert both[0].categories == both[1].categories == (None, None, None)
    assert both[0].times == both[1].times
    nothing = treefront("fit", "data.parquet", "--target", "nothing").complaint
    assert "column 'nothing' is empty in all 40 rows" in nothing
