"""Prices, signs, weights and kinds of columns by flags and files reach the estimator by name."""

from __future__ import annotations

import numpy as np
import pytest

from treefront import DPDTClassifier, load

pl = pytest.importorskip("polars")


@pytest.fixture
def patients(write):
    random = np.random.default_rng(0)
    lines = ["age,blood=a,blood b,zip,weight,state"]
    for i in range(120):
        age, a, b = random.integers(20, 90), random.normal(), random.normal()
        state = "ill" if a + b + random.normal() / 3 > 0.5 else "well"
        lines.append(f"{age},{a:.3f},{b:.3f},{1000 + i % 4},{i % 3},{state}")
    return write("\n".join(lines) + "\n")


def fitted(treefront, *flags):
    answer = treefront(
        *("fit", "data.csv", "--target", "state", "--max-depth", 2, "--out", "m.json"), *flags
    )
    assert (answer.code, answer.err) == (0, "")
    return answer.out, load("m.json")


def test_prices_of_columns(treefront, patients, write):
    costs = {"blood=a": 5.0, "blood b": 5.0, "age": 0.5}
    flags = [word for name, cost in costs.items() for word in ("--feature-costs", f"{name}={cost}")]
    once = ["--feature-costs-once", "--feature-groups", "blood=a,blood b"]
    out, model = fitted(treefront, *flags, *once)
    params = model.get_params(deep=False)
    assert params["feature_costs"] == costs
    assert params["feature_costs_once"] is True
    assert params["feature_groups"] == [["blood=a", "blood b"]]
    head = next(i for i, line in enumerate(out.splitlines()) if set(line) == {"─"})
    assert "price" in out.splitlines()[head - 1]
    write("examination,euros\nage,0.5\nblood=a,5\nblood b,5\n", "prices.csv")
    _, of_file = fitted(treefront, "--feature-costs", "prices.csv", *once)
    assert of_file.front_ == model.front_
    frame = pl.read_csv("data.csv").drop("state")
    twin = DPDTClassifier(max_depth=2, **{name: params[name] for name in params if "feat" in name})
    X = frame.cast(pl.Float64)
    twin.set_params(categorical_features="from_dtype").fit(X, pl.read_csv("data.csv")["state"])
    assert twin.front_ == model.front_


def test_signs_and_leaves(treefront, patients):
    _, model = fitted(
        *(treefront, "--monotonic", "age=-1", "--monotonic", "blood=a=+1"),
        *("--min-weight-fraction-leaf", 0.1),
    )
    params = model.get_params(deep=False)
    assert params["monotonic_cst"] == {"age": -1, "blood=a": 1}
    assert params["min_weight_fraction_leaf"] == 0.1
    assert (model.front_[-1].weight >= 12).all()


def test_weights_of_classes(treefront, patients, write):
    _, balanced = fitted(treefront, "--class-weight", "balanced")
    assert balanced.class_weight == "balanced"
    _, model = fitted(treefront, "--class-weight", "ill=10")
    assert model.class_weight == {"ill": 10.0}
    write("a,y\n" + "".join(f"{i},{i % 2}\n" for i in range(30)), "data.csv")
    answer = treefront("fit", "data.csv", "--target", "y", "--class-weight", "1=3", "--out", "m")
    assert answer.code == 0
    assert load("m").class_weight == {1: 3.0}


def test_costs_of_errors(treefront, patients, write):
    write("truth,well,ill\nill,20,0\nwell,0,1\n", "costs.csv")
    out, model = fitted(treefront, "--cost-matrix", "costs.csv", "--holdout", 0.3)
    assert model.cost_matrix == [[0.0, 20.0], [1.0, 0.0]]  # ill, well
    assert "chosen by validation cost (" in out
    rows = out.splitlines()
    start = next(i for i, line in enumerate(rows) if set(line) == {"─"}) + 1
    table = [line.split() for line in rows[start : rows.index("", start)]]
    costs = [float(line[-3]) for line in table]
    marked = next(i for i, line in enumerate(table) if line[0] == "*")
    assert marked == int(np.argmin(costs))


def test_weights_of_classes_count_where_trees_are_chosen(treefront, patients):
    _, plain = fitted(treefront, "--class-weight", "ill=10")
    out, model = fitted(treefront, "--class-weight", "ill=10", "--holdout", 0.3)
    assert "* chosen by validation weighted accuracy (" in out
    assert model.class_weight == plain.class_weight == {"ill": 10.0}
    out, _ = fitted(treefront, "--class-weight", "balanced", "--cv", 3)
    assert "* chosen by weighted accuracy in 3 folds (" in out
    assert "% ± " in out


def test_costs_of_errors_by_folds(treefront, patients, write):
    write("truth,well,ill\nill,20,0\nwell,0,1\n", "costs.csv")
    out, _ = fitted(treefront, "--cost-matrix", "costs.csv", "--cv", 3)
    assert "* chosen by cost in 3 folds (" in out
    assert "-" not in out[out.index("3 folds") : out.index("* chosen")]  # costs as such
    write("truth,well,ill\nill,20,1\nwell,0,1\n", "costs.csv")
    complaint = treefront(
        *("fit", "data.csv", "--target", "state", "--cost-matrix", "costs.csv", "--cv", 3)
    ).complaint
    assert complaint.startswith("--cost-matrix must be 0 on its diagonal")


def test_weights_of_rows(treefront, patients):
    out, model = fitted(treefront, "--weight", "weight", "--holdout", 0.25)
    assert "4 features" in out
    assert "weight" not in model.feature_names_in_
    assert model.front_[0].weight[0] < model.front_[0].n_rows[0] * 2


def test_numbers_that_are_names(treefront, patients, write):
    _, model = fitted(treefront, "--categorical", "zip")
    assert model.categories_[3] == ("1000", "1001", "1002", "1003")
    assert treefront("predict", "m.json", "data.csv").code == 0


def test_folds_choose(treefront, patients):
    out, model = fitted(treefront, "--cv", 4, "--scoring", "balanced_accuracy", "--rule", "best")
    assert isinstance(model, DPDTClassifier)  # the file holds what predicts
    assert "* chosen by balanced accuracy in 4 folds (" in out
    assert " ± " in out
    assert "R²" not in out


def test_sizes_choose_also_beside_rows_held_out(treefront, patients):
    out, model = fitted(treefront, "--n-leaves", 2, "--holdout", 0.2)
    assert "* chosen by --n-leaves 2: 2 leaves" in out
    assert "validation" in out
    assert model.tree_.n_leaves == 2
    out, model = fitted(treefront, "--mean-tests", 1)
    assert model.tree_.mean_tests <= 1


def test_another_tree_of_the_front_is_predicted_with_and_exported(treefront, patients):
    _, model = fitted(treefront)
    last = len(model.front_) - 1
    text = treefront("export", "m.json", "--to", "text", "--tree", 1).out
    assert text.rstrip("\n") == str(model.front_[1])
    small = treefront("predict", "m.json", "data.csv", "--tree", 0).out.split()
    assert set(small[1:]) == set(model.front_[0].predict(np.zeros((1, 5))).tolist())
    complaint = treefront("export", "m.json", "--to", "text", "--tree", last + 1).complaint
    assert complaint == f"--tree must be from 0 to {last}, got {last + 1}"


def test_columns_that_look_like_ids(treefront, write):
    lines = ["PassengerId,name,size,y"]
    lines += [f"{700 - 3 * i},person {i},{i % 7},{'ab'[i % 7 > 3]}" for i in range(30)]
    write("\n".join(lines) + "\n")
    answer = treefront("fit", "data.csv", "--target", "y")
    assert answer.err == (
        "treefront: warning: column 'PassengerId' looks like a name or number of the rows; if it "
        "is, leave it out: --drop PassengerId\n"
        "treefront: warning: column 'name' looks like a name or number of the rows; if it is, "
        "leave it out: --drop name\n"
    )
    calm = treefront("fit", "data.csv", "--target", "y", "--drop", "PassengerId", "--drop", "name")
    assert calm.err == ""


def test_a_target_with_too_many_classes_is_a_warning(treefront, write):
    write("a,y\n" + "".join(f"{i % 4},p{i}\n" for i in range(30)))
    err = treefront("fit", "data.csv", "--target", "y", "--max-depth", 1).err
    assert "column 'y' holds 30 different classes in 30 rows: is it the right one?" in err


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (["--feature-costs", "size=3"], "--feature-costs names 'size', which is no column; there"),
        (["--feature-costs", "age=x"], "--feature-costs age=x: a price is a number of at least 0"),
        (["--feature-costs", "age=-1"], "--feature-costs age=-1: a price is a number of at least"),
        (["--feature-costs", "no.csv"], "--feature-costs: 'no.csv' is neither NAME=VALUE nor a "),
        (["--feature-costs", "data.csv"], "--feature-costs: data.csv has 6 columns; it needs two"),
        (["--feature-costs", "age=1", "--feature-costs", "age=2"], "--feature-costs names 'age' t"),
        (["--feature-groups", "age,x"], "--feature-groups names 'x', which is no column"),
        (["--feature-groups", "age,zip"], "--feature-groups needs --feature-costs-once"),
        (["--monotonic", "age=2"], "--monotonic age=2: it is +1 (predictions rise"),
        (["--monotonic", "zip=1", "--categorical", "zip"], "--monotonic: column 'zip' has categor"),
        (["--class-weight", "sick=2"], "--class-weight names 'sick', which is no class; there are"),
        (["--cost-matrix", "data.csv"], "data.csv: its rows are "),
        (["--cost-matrix", "none.csv"], "there is no file none.csv"),
        (["--weight", "state"], "--target and --weight are both 'state'"),
        (["--categorical", "nothing"], "data.csv has no column 'nothing'"),
        (["--categorical", "state"], "--categorical state: that column is not used"),
        (["--cv", "1"], "--cv must be at least 2 folds, got 1"),
        (["--cv", "5", "--holdout", "0.2"], "--cv and --holdout choose the tree each in another"),
        (["--cv", "5", "--alpha", "0.1"], "--alpha and --cv choose the tree each in another way"),
        (["--n-leaves", "5", "--alpha", "0.1"], "--alpha and --n-leaves choose"),
        (["--n-leaves", "0"], "no tree of the front has --n-leaves <= 0; the smallest has 1"),
        (["--rule", "best"], "--rule is for --cv"),
        (["--rule", "worst", "--cv", "3"], "--rule must be 'best' or 'one_standard_error'"),
        (["--scoring", "f1"], "--scoring is for --holdout and --cv"),
        (
            ["--scoring", "nice", "--holdout", "0.2"],
            "--scoring 'nice' is no scorer of scikit",
        ),
    ],
)
def test_bad_flags(treefront, patients, flags, message):
    complaint = treefront("fit", "data.csv", "--target", "state", *flags).complaint
    assert complaint.startswith(message)


@pytest.mark.parametrize("lost_by", ["holdout", "weight"])
def test_a_class_without_training_rows(treefront, write, lost_by):
    write(",x,y,rare\nx,0,1,9\ny,2,0,9\nrare,3,4,0\n", "costs.csv")
    lines = [f"{i},{'xy'[i > 10]},1" for i in range(1, 21)]
    write("\n".join(["a,y,w", *lines, "21,rare,0"]) + "\n")
    flags = ["--weight", "w"] if lost_by == "weight" else ["--drop", "w", "--holdout", "0.5"]
    said = set()
    for seed in range(8) if lost_by == "holdout" else (0,):  # the one row is in either part
        answer = treefront(
            "fit", "data.csv", "--target", "y", "--cost-matrix", "costs.csv", *flags,
            "--seed", seed, "--out", "model.json",
        )  # fmt: skip
        assert answer.code == 0, answer
        classes = load("model.json").classes_.tolist()
        warned = "class 'rare' of 'y' without a training row: never predicted" in answer.err
        assert classes == (["x", "y"] if warned else ["rare", "x", "y"])
        said.add(warned)
    assert True in said


def test_a_file_without_names_keeps_its_first_pair(treefront, patients, write):
    write("age,0.5\nblood b,5\n", "prices.csv")
    _, model = fitted(treefront, "--feature-costs", "prices.csv")
    assert model.feature_costs == {"age": 0.5, "blood b": 5.0}


def test_costs_that_are_all_0_are_refused(treefront, patients, write):
    write("true,ill,well\nill,0,0\nwell,0,0\n", "costs.csv")
    answer = treefront("fit", "data.csv", "--target", "state", "--cost-matrix", "costs.csv")
    assert answer.complaint == "costs.csv: every cost is 0, so all trees are as good"


@pytest.mark.parametrize(
    ("scoring", "message"),
    [
        ("f1", "--scoring f1 does not fit 'state' (2 classes: ill, well): pos_label"),
        ("r2", "--scoring r2 does not fit 'state' (2 classes: ill, well): "),
        ("f1", "such as f1_macro"),
        ("neg_mean_squared_error", "such as balanced_accuracy"),
    ],
)
def test_a_scorer_that_does_not_fit_the_target(treefront, patients, scoring, message):
    for how in (("--cv", 3), ("--holdout", 0.2)):
        fit = ("fit", "data.csv", "--target", "state", "--scoring", scoring, *how)
        assert message in treefront(*fit).complaint


def test_scores_of_three_classes_and_of_numbers(treefront, write):
    rows = [f"{i},{'abc'[i % 3]},{i / 7}" for i in range(30)]
    write("\n".join(["x,letter,number", *rows]))
    fit = ("fit", "data.csv", "--holdout", 0.3)
    complaint = treefront(*fit, "--target", "letter", "--scoring", "roc_auc").complaint
    assert "(3 classes: a, b, c): " in complaint
    assert complaint.endswith("take another, such as roc_auc_ovr")
    complaint = treefront(*fit, "--target", "number", "--scoring", "accuracy").complaint
    assert complaint.startswith("--scoring accuracy does not fit 'number' (numbers): ")
    complaint = treefront(*fit, "--target", "number", "--scoring", "roc_auc").complaint
    assert "a model of numbers has none of" in complaint
    # One row has no spread, so no R².
    complaint = treefront(
        "fit", "data.csv", "--target", "number", "--holdout", 0.01, "--drop", "letter"
    ).complaint
    assert complaint.startswith("--holdout 0.01: R² is no finite number for the one row held out")


def test_class_weights_that_are_0_in_all_rows_held_out(treefront, write):
    write("\n".join(["x,y", *(f"{i},{'rare' if i < 2 else 'often'}" for i in range(30))]))
    said = {
        treefront(
            *("fit", "data.csv", "--target", "y", "--class-weight", "often=0"),
            *("--holdout", 0.1, "--seed", seed, "--quiet"),
        ).err
        for seed in range(3)
    }
    assert "treefront: --class-weight is 0 for the class of every row that is scored\n" in said, (
        said
    )
