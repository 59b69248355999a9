"""Weights of classes and prices of errors, through the estimator."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

from treefront import DPDTClassifier, load

CANCER = load_breast_cancer(return_X_y=True)
IRIS = load_iris(return_X_y=True)
MATRIX = np.array([[0, 1, 2], [5, 0, 1], [2, 3, 0]])


def mean_cost(model: DPDTClassifier, X, y, matrix) -> float:
    return float(np.mean(np.array(matrix)[y, model.predict(X)]))


@pytest.mark.parametrize("splits", ["auto", "all"])
@pytest.mark.parametrize("matrix", [[[0, 5], [1, 0]], [[0, 0.1], [7, 0]]])
def test_the_loss_is_the_mean_cost_of_a_row(splits, matrix):
    X, y = CANCER
    model = DPDTClassifier(max_depth=2, splits=splits, cost_matrix=matrix).fit(X, y)
    assert model.front_.loss[-1] == pytest.approx(mean_cost(model, X, y, matrix))
    plain = DPDTClassifier(max_depth=2, splits=splits).fit(X, y)
    assert mean_cost(model, X, y, matrix) <= mean_cost(plain, X, y, matrix)


def test_costs_that_depend_on_the_prediction(tmp_path):
    X, y = IRIS
    model = DPDTClassifier(max_depth=2, splits="all", prove="front", cost_matrix=MATRIX).fit(X, y)
    for loss, predicted in zip(model.front_.loss, model.front_.predict(X)):
        assert loss == pytest.approx(MATRIX[y, predicted].mean())
    assert model.front_.proved.all()
    assert model.predict_proba(X).sum(axis=1) == pytest.approx(1)
    model.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert loaded.front_ == model.front_
    assert (loaded.predict(X) == model.predict(X)).all()
    assert loaded.cost_matrix == MATRIX.tolist()


@pytest.mark.parametrize("price", [1000, 2**15, 100_000, 2**31, 2**40, 1e17])
def test_prices_of_any_size(price):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 4))
    y = (X[:, 0] * X[:, 1] + rng.normal(size=200) * 0.5 > 0).astype(int)
    matrix = np.array([[0, 1], [price, 0]])
    for splits in ("auto", "all"):
        model = DPDTClassifier(max_depth=3, splits=splits, cost_matrix=matrix).fit(X, y)
        for loss, predicted in zip(model.front_.loss, model.front_.predict(X)):
            # Losses are exact to 2^-52 of what all rows could cost.
            assert abs(loss - matrix[y, predicted].mean()) <= len(y) * price * 2.0**-51 + 1e-12
        assert (model.front_.loss >= 0).all()


@pytest.mark.parametrize("unit", [1e-100, 1.0, 1e100])
def test_prices_and_weights_of_any_unit(unit):
    X, y = CANCER
    for matrix in ([[0, 1], [2, 0]], [[0, 1.5], [1.5, 0]]):
        plain = DPDTClassifier(max_depth=2, cost_matrix=matrix).fit(X, y)
        scaled = DPDTClassifier(max_depth=2, cost_matrix=matrix).fit(X, y, np.full(len(y), unit))
        assert scaled.front_.loss == pytest.approx(plain.front_.loss)


def test_rows_that_weigh_next_to_nothing_and_cost_much():
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(300, 3)), rng.integers(0, 2, 300)
    weight, matrix = np.where(y == 1, 1e-16, 1.0), [[0, 1], [1e16, 0]]
    params = {"max_depth": 2, "cost_matrix": matrix}
    losses = [
        DPDTClassifier(splits="all", prove=prove, **params).fit(X, y, weight).front_.loss[-1]
        for prove in ("tree", "front")
    ]
    assert losses[0] == pytest.approx(losses[1])


def test_costs_that_are_all_1_are_errors():
    X, y = IRIS
    plain = DPDTClassifier(max_depth=3).fit(X, y)
    priced = DPDTClassifier(max_depth=3, cost_matrix=1 - np.eye(3)).fit(X, y)
    assert priced.front_.loss == pytest.approx(plain.front_.loss)


def test_class_weights_are_weights_of_rows():
    X, y = IRIS
    by_class = DPDTClassifier(max_depth=2, class_weight={0: 1, 1: 3, 9: 100}).fit(X, y)
    by_row = DPDTClassifier(max_depth=2).fit(X, y, np.array([1, 3, 1])[y])
    assert by_class.front_ == by_row.front_
    balanced = DPDTClassifier(max_depth=1, class_weight="balanced").fit(X[:120], y[:120])
    assert balanced.tree_.shares[0] == pytest.approx(np.full(3, 1 / 3))


def test_class_weights_survive_a_file(tmp_path):
    X, y = IRIS
    model = DPDTClassifier(max_depth=1, class_weight={0: 2.0, 1: 0.5}).fit(X, y)
    model.save(tmp_path / "m.json")
    assert load(tmp_path / "m.json").class_weight == {0: 2.0, 1: 0.5}


def test_not_worse_than_cart_with_the_same_class_weights():
    X, y = CANCER
    weights = {0: 5.0, 1: 1.0}
    for depth in (1, 2, 3):
        cart = DecisionTreeClassifier(max_depth=depth, class_weight=weights, random_state=0)
        wrong = cart.fit(X, y).predict(X) != y
        loss = np.average(wrong, weights=np.array([5.0, 1.0])[y])
        model = DPDTClassifier(max_depth=depth, class_weight=weights).fit(X, y)
        assert model.front_.loss[-1] <= loss + 1e-12


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"class_weight": "heavy"}, "must be a dict, 'balanced' or None, got 'heavy'"),
        ({"class_weight": {1: -1}}, "class 1 has -1.0"),
        ({"class_weight": {0: np.nan}}, "class 0 has nan"),
        ({"class_weight": {0: 0, 1: 0, 2: 0}}, "is 0 for every class"),
        ({"cost_matrix": [[0, 1], [1, 0]]}, r"has shape \(2, 2\); 3 classes need \(3, 3\)"),
        ({"class_weight": {0: "a"}}, "class 0 has nan"),
        ({"class_weight": {0: 1e308}}, "from 0 to 1e\\+100"),
        ({"cost_matrix": [[0, 1], [1]]}, "a square of numbers"),
        ({"cost_matrix": np.ones((3, 3))}, "0 on its diagonal"),
        ({"cost_matrix": [[0, 1, 1], [1, 0, -2], [1, 1, 0]]}, r"\[1, 2\] is -2.0"),
    ],
)
def test_bad_prices(params, message):
    with pytest.raises(ValueError, match=message):
        DPDTClassifier(**params).fit(*IRIS)
