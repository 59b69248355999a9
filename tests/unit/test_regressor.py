"""`DPDTRegressor`: means, several targets, weights and hard numbers."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.exceptions import NotFittedError
from sklearn.metrics import mean_squared_error, r2_score
from sklearn.tree import DecisionTreeRegressor

from treefront import DPDTRegressor, DPDTRegressorCV, load

X, Y = load_diabetes(return_X_y=True)


def cart_error(max_depth: int) -> float:
    cart = DecisionTreeRegressor(max_depth=max_depth, random_state=0).fit(X, Y)
    return mean_squared_error(Y, cart.predict(X))


@pytest.mark.parametrize("max_depth", [1, 2, 3, 4])
def test_not_worse_than_cart_and_its_loss_is_the_error_of_its_predictions(max_depth):
    model = DPDTRegressor(max_depth=max_depth).fit(X, Y)
    assert model.front_.loss[-1] <= cart_error(max_depth) * (1 + 1e-12)
    for loss, predicted in zip(model.front_.loss, model.front_.predict(X)):
        assert loss == pytest.approx(mean_squared_error(Y, predicted))
    assert model.front_.score(X, Y).tolist() == [
        r2_score(Y, predicted) for predicted in model.front_.predict(X)
    ]


def test_the_optimum_of_the_diabetes_data_is_proved():
    model = DPDTRegressor(max_depth=3, splits="all").fit(X, Y)
    assert (model.status_, model.gap_) == ("optimal", 0.0)
    assert model.front_.loss[-1] < 2857.0  # the best of seven other libraries is 2865.41


def test_several_targets():
    both = np.c_[Y, -3 * X[:, 2]]
    model = DPDTRegressor(max_depth=2, splits="all").fit(X, both)
    assert model.predict(X).shape == (len(X), 2)
    error = np.square(model.predict(X) - both).sum(axis=1).mean()
    assert model.front_.loss[-1] == pytest.approx(error)
    assert DPDTRegressor(max_depth=2).fit(X, both[:, :1]).predict(X).shape == (len(X),)


def shape_of(model: DPDTRegressor) -> list:
    """Which rows each tree of the front keeps together."""
    return [tree.apply(X).tolist() for tree in model.front_]


@pytest.mark.parametrize(
    "change", [lambda y: y + 1e9, lambda y: y * 1e-200, lambda y: y * 1e150, lambda y: -y]
)
def test_moved_and_scaled_targets_have_the_same_trees(change):
    plain, other = (DPDTRegressor(max_depth=3).fit(X, y) for y in (Y, change(Y)))
    assert shape_of(plain) == shape_of(other)


@pytest.mark.parametrize("factor", [1e-12, 1e12])
def test_scaled_weights_have_the_same_trees(factor):
    weight = np.random.default_rng(0).integers(1, 9, size=len(Y)) / 8
    plain, other = (DPDTRegressor(max_depth=3).fit(X, Y, w) for w in (weight, weight * factor))
    assert shape_of(plain) == shape_of(other)


def test_whole_weights_are_repeated_rows():
    weight = np.random.default_rng(0).integers(0, 3, size=len(Y))
    repeated = np.repeat(np.arange(len(Y)), weight)
    weighted = DPDTRegressor(max_depth=2, splits="all").fit(X, Y, weight)
    rows = DPDTRegressor(max_depth=2, splits="all").fit(X[repeated], Y[repeated])
    assert weighted.front_.loss == pytest.approx(rows.front_.loss)
    assert shape_of(weighted) == shape_of(rows)


def test_a_constant_target_is_a_leaf():
    model = DPDTRegressor().fit(X, np.full(len(X), 7.5))
    assert len(model.front_) == 1
    assert model.predict(X[:2]).tolist() == [7.5, 7.5]
    assert model.feature_importances_.tolist() == [0.0] * 10


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_targets_that_are_no_numbers_are_named(bad):
    y = Y.copy()
    y[3] = bad
    with pytest.raises(ValueError, match="NaN or infinity: the target of row 3"):
        DPDTRegressor().fit(X, y)


def test_targets_whose_squares_overflow_are_refused():
    with pytest.raises(ValueError, match="squared errors of such numbers overflow"):
        DPDTRegressor().fit(X, Y * 1e160)


def test_rules_and_files(tmp_path):
    model = DPDTRegressor(max_depth=1).fit(X, Y)
    assert "mean 152.133, deviation 77" in str(model.tree_)
    model.save(tmp_path / "m.json")
    loaded = load(tmp_path / "m.json")
    assert isinstance(loaded, DPDTRegressor)
    assert loaded.tree_ == model.tree_
    assert (loaded.predict(X) == model.predict(X)).all()
    with pytest.raises(ValueError, match="no class shares"):
        loaded.tree_.predict_proba(X)


# ---- absolute error ----


@pytest.mark.parametrize("max_depth", [1, 2, 3, 4])
def test_medians_are_not_worse_than_cart_and_their_loss_is_the_error(max_depth):
    model = DPDTRegressor(max_depth=max_depth, loss="absolute_error").fit(X, Y)
    cart = DecisionTreeRegressor(max_depth=max_depth, criterion="absolute_error", random_state=0)
    cart_error_ = np.abs(cart.fit(X, Y).predict(X) - Y).mean()
    assert model.front_.loss[-1] <= cart_error_ * (1 + 1e-12)
    for loss, predicted in zip(model.front_.loss, model.front_.predict(X)):
        assert loss == pytest.approx(np.abs(Y - predicted).mean())
    medians = [np.median(Y[model.apply(X) == leaf]) for leaf in model.apply(X)]
    assert model.predict(X) == pytest.approx(np.array(medians))


def test_medians_are_scored_and_chosen_by_the_absolute_error():
    model = DPDTRegressor(max_depth=4, loss="absolute_error").fit(X[::2], Y[::2])
    rows, truth = X[1::2], Y[1::2]
    scores = model.front_.score(rows, truth)
    constant = np.abs(truth - np.median(truth)).mean()
    for score, predicted in zip(scores, model.front_.predict(rows)):
        assert score == pytest.approx(1 - np.abs(truth - predicted).mean() / constant)
    model.select(rows, truth)
    assert model.tree_ is model.front_[int(np.argmax(scores))]
    assert model.score(rows, truth) == scores.max()
    chooser = DPDTRegressorCV(max_depth=2, loss="absolute_error", cv=3).fit(X, Y)
    assert chooser.score_name == chooser.front_.score_name == "D²"
    by_name = DPDTRegressorCV(
        max_depth=2, loss="absolute_error", cv=3, scoring="d2_absolute_error_score"
    )
    assert (by_name.fit(X, Y).cv_results_["mean_test_score"]).tolist() == (
        chooser.cv_results_["mean_test_score"].tolist()
    )


def test_the_least_absolute_error_of_two_levels_is_proved():
    model = DPDTRegressor(max_depth=2, loss="absolute_error", splits="all").fit(X, Y)
    assert (model.status_, model.gap_) == ("optimal", 0.0)
    assert model.front_.loss[-1] == pytest.approx(45.597285067)


@pytest.mark.parametrize(
    "change", [lambda y: y + 1e9, lambda y: y * 1e-200, lambda y: y * 1e150, lambda y: -y]
)
def test_moved_and_scaled_targets_have_the_same_medians(change):
    plain, other = (
        DPDTRegressor(max_depth=3, loss="absolute_error").fit(X, y) for y in (Y, change(Y))
    )
    assert shape_of(plain) == shape_of(other)


def test_absolute_error_of_rows_counted_twice():
    weight = np.random.default_rng(0).integers(1, 4, len(Y))
    model = DPDTRegressor(max_depth=3, loss="absolute_error").fit(X, Y, weight)
    rows = np.repeat(np.arange(len(Y)), weight)
    again = DPDTRegressor(max_depth=3, loss="absolute_error").fit(X[rows], Y[rows])
    assert again.front_.loss[-1] == pytest.approx(model.front_.loss[-1], rel=0.02)
    small = DPDTRegressor(max_depth=3, loss="absolute_error").fit(X, Y, weight * 1e-12)
    assert shape_of(small) == shape_of(model)


def test_an_unknown_loss_is_refused():
    with pytest.raises(ValueError, match="loss must be 'squared_error' or 'absolute_error'"):
        DPDTRegressor(loss="poisson").fit(X, Y)


def test_score_checks_as_the_front_does():
    with pytest.raises(NotFittedError):
        DPDTRegressor().score(X, Y)
    model = DPDTRegressor(max_depth=2).fit(X, Y)
    weight = np.arange(len(Y), dtype=float)
    chosen = model.front_.index(model.tree_)
    assert model.score(X, Y, weight) == model.front_.score(X, Y, weight)[chosen]
    holes = Y.copy()
    holes[3] = np.nan
    for y, weights, message in [
        (Y, -weight, "sample_weight must be finite and not negative; row 1"),
        (holes, None, "the target of row 3"),
        (Y[1:], None, "X has 442 rows, y has 441"),
    ]:
        for scored in (model, model.front_):
            with pytest.raises(ValueError, match=message):
                scored.score(X, y, weights)
