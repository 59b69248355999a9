"""Predictions that must rise or fall with a feature, through the estimators."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.tree import DecisionTreeRegressor

from treefront import DPDTClassifier, DPDTRegressor, load

CANCER = load_breast_cancer()
WORSE = [-1] * 10 + [0] * 10 + [-1] * 10  # larger cells are not benign
DIABETES = load_diabetes()
UP = {2: 1, 3: 1, 8: 1}


def moved_up(X: np.ndarray, column: int, random: np.random.Generator) -> np.ndarray:
    """The rows with larger values of one column, among those that occur."""
    rows = X.copy()
    higher = np.fmax(X[:, column], random.permutation(X[:, column]))
    rows[:, column] = np.where(np.isnan(X[:, column]), np.nan, higher)
    return rows


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"exact_tail": 0},
        {"splits": "all", "prove": "front", "max_depth": 2},
        {"cost_matrix": [[0, 1], [5, 0]]},
        {"class_weight": "balanced"},
        {"min_samples_leaf": 20},
    ],
)
def test_classes_and_their_shares_keep_the_order_in_every_tree(how, missing):
    random = np.random.default_rng(0)
    X = CANCER.data.copy()
    if missing:
        X[random.random(X.shape) < 0.2] = np.nan
    model = DPDTClassifier(**{"max_depth": 3, "monotonic_cst": WORSE, **how}).fit(X, CANCER.target)
    assert len(model.front_) > 2
    for column in np.flatnonzero(WORSE):
        more = moved_up(X, column, random)
        for tree in model.front_:
            assert (tree.predict(more) <= tree.predict(X)).all()
            assert (tree.predict_proba(more)[:, 1] <= tree.predict_proba(X)[:, 1] + 1e-12).all()
    if "cost_matrix" not in how:
        for tree in model.front_:
            assert (tree.predict(X) == tree.predict_proba(X).argmax(axis=1)).all()


@pytest.mark.parametrize("loss", ["squared_error", "absolute_error"])
@pytest.mark.parametrize("max_depth", [2, 4])
def test_numbers_keep_the_order_and_cost_no_more_than_with_scikit_learn(loss, max_depth):
    X, y = DIABETES.data, DIABETES.target
    model = DPDTRegressor(max_depth=max_depth, loss=loss, monotonic_cst=UP).fit(X, y)
    random = np.random.default_rng(0)
    for column in UP:
        more = moved_up(X, column, random)
        for tree in model.front_:
            assert (tree.predict(more) >= tree.predict(X) - 1e-9).all()
    signs = [UP.get(column, 0) for column in range(X.shape[1])]
    cart = DecisionTreeRegressor(
        max_depth=max_depth, criterion=loss, monotonic_cst=signs, random_state=0
    ).fit(X, y)
    power = 2 if loss == "squared_error" else 1
    error = np.mean(np.abs(model.predict(X) - y) ** power)
    assert model.front_.loss[-1] == pytest.approx(error)
    assert error <= np.mean(np.abs(cart.predict(X) - y) ** power) * (1 + 1e-9)


def test_all_trees_of_numbers_are_enumerated_and_a_limit_keeps_the_best():
    X, y = DIABETES.data[:60], DIABETES.target[:60]
    options = {"max_depth": 2, "monotonic_cst": UP}
    model = DPDTRegressor(splits="all", **options).fit(X, y)
    assert (model.status_, model.gap_) == ("optimal", 0.0)
    assert model.front_.loss[-1] <= DPDTRegressor(**options).fit(X, y).front_.loss[-1]
    stopped = DPDTRegressor(splits="all", time_limit=1e-6, **options | {"max_depth": 4}).fit(X, y)
    assert stopped.status_ == "time_limit"
    assert stopped.gap_ >= 0


def test_a_test_for_missing_values_has_no_order():
    X = np.array([[np.nan, np.nan, 1.0, 2.0, 3.0, 4.0]]).T
    for y in ([1, 1, 0, 0, 0, 0], [0, 0, 1, 1, 1, 1]):
        for sign in (1, -1):
            model = DPDTClassifier(max_depth=1, monotonic_cst=[sign]).fit(X, y)
            assert model.score(X, y) == 1.0


def test_names_and_files(tmp_path):
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(DIABETES.data, columns=DIABETES.feature_names)
    by_name = DPDTRegressor(max_depth=2, monotonic_cst={"bmi": 1}).fit(frame, DIABETES.target)
    by_place = DPDTRegressor(max_depth=2, monotonic_cst={2: 1}).fit(frame, DIABETES.target)
    assert by_name.front_ == by_place.front_
    by_name.save(tmp_path / "model.json")
    assert load(tmp_path / "model.json").front_ == by_name.front_


def test_no_sign_is_no_constraint():
    X, y = DIABETES.data, DIABETES.target
    free = DPDTRegressor(max_depth=3).fit(X, y)
    assert DPDTRegressor(max_depth=3, monotonic_cst=[0] * 10).fit(X, y).front_ == free.front_


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([1, 0], "monotonic_cst has 2 entries, but X has 10 features"),
        ([2] + [0] * 9, "monotonic_cst must be 1, 0 or -1; that of 0 is 2"),
        ([True] + [0] * 9, "monotonic_cst must be 1, 0 or -1; that of 0 is True"),
        ({0: "up"}, "monotonic_cst must be 1, 0 or -1; that of 0 is 'up'"),
        ({12: 1}, "monotonic_cst"),
        ({"bmi": 1}, "monotonic_cst"),
    ],
)
def test_what_is_no_sign_is_refused(given, message):
    with pytest.raises(ValueError, match=message):
        DPDTRegressor(monotonic_cst=given).fit(DIABETES.data, DIABETES.target)


def test_where_there_is_no_order_it_is_refused():
    iris = load_iris()
    with pytest.raises(ValueError, match="two classes, or one target"):
        DPDTClassifier(monotonic_cst={0: 1}).fit(iris.data, iris.target)
    both = np.c_[DIABETES.target, DIABETES.target]
    with pytest.raises(ValueError, match="two classes, or one target"):
        DPDTRegressor(monotonic_cst={0: 1}).fit(DIABETES.data, both)
    with pytest.raises(ValueError, match="column 0 has categories"):
        DPDTRegressor(monotonic_cst={0: 1}, categorical_features=[0]).fit([[1], [2]], [1, 2])
