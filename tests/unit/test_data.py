"""The door for data: what fit is given, and errors that name column and row."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from treefront import labels
from treefront.data import check_training, check_weight
from treefront.targets import encode_classes

X = np.arange(8.0).reshape(4, 2)
Y = np.array([0, 1, 0, 1])


class Estimator(BaseEstimator):
    categorical_features = "from_dtype"


def check(X=X, y=Y, sample_weight=None):
    return check_training(Estimator(), X, y, sample_weight, labels.as_labels, encode_classes)


def test_what_the_core_is_given():
    data = check(X.tolist(), ["a", "b", "a", "b"])
    assert data.X.dtype == np.float64
    assert data.X.tolist() == X.tolist()
    assert data.target.codes.tolist() == [0, 1, 0, 1]
    assert data.target.classes.tolist() == ["a", "b"]
    assert data.sample_weight is None


@pytest.mark.parametrize("layout", [np.asfortranarray, lambda Z: np.repeat(Z, 2, axis=0)[::2]])
def test_float64_is_not_copied_whatever_its_layout(layout):
    Z = layout(X)
    assert np.shares_memory(check(Z).X, Z)


def test_float32_keeps_its_values():
    Z = X.astype(np.float32) / 3
    assert np.array_equal(check(Z).X, Z.astype(np.float64))


@pytest.mark.parametrize("value", [np.inf, -np.inf])
def test_infinite_values_are_named(value):
    Z = X.copy()
    Z[2, 1] = value
    with pytest.raises(ValueError, match=r"inf.*column 1, row 2 \(counted from 0\)"):
        check(Z)


def test_columns_are_named_by_their_names():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"age": [1.0, 2, 3, 4], "size": [1.0, np.inf, np.nan, 4]})
    with pytest.raises(ValueError, match="column 'size', row 1"):
        check(frame)


def test_large_finite_values_are_no_infinity():
    assert check(np.full((4, 2), 1.7e308)).X.max() == 1.7e308


def test_text_is_named():
    with pytest.raises(ValueError, match=r"column 0, row 1 .* holds 'x'; name the column in categ"):
        check([["1", "2"], ["x", "3"], ["1", "2"], ["1", "2"]])


def test_rows_of_weight_0_are_no_rows():
    data = check(y=["a", "b", "c", "b"], sample_weight=[2.0, 1.0, 0.0, 0.5])
    assert data.X.tolist() == X[[0, 1, 3]].tolist()
    assert data.target.classes.tolist() == ["a", "b"]
    assert data.row_weight.tolist() == [2.0, 1.0, 0.5]
    assert data.total_weight * data.weight_unit == 3.5


@pytest.mark.parametrize("unit", [1.0, 0.1, 1e-12, 3e100])
def test_weights_that_are_multiples_of_one_are_counts(unit):
    counts = np.array([3.0, 1.0, 7.0, 2.0])
    data = check(sample_weight=counts * unit)
    assert data.sample_weight.tolist() == counts.tolist()
    assert data.row_weight == pytest.approx(counts * unit, rel=1e-15)
    assert check(sample_weight=np.full(4, unit)).sample_weight is None


@pytest.mark.parametrize("weight", [np.ones(4), [1, 1, 0, 1], 1])
def test_weights_that_are_all_1_are_counts(weight):
    assert check(sample_weight=weight).sample_weight is None


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ([1, -1, 1, 1], "row 1 has -1.0"),
        ([1, 1, np.nan, 1], "row 2 has nan"),
        ([np.inf, 1, 1, 1], "row 0 has inf"),
        ([0, 0, 0, 0], "zero for every row"),
        ([1, 1], r"shape \(2,\), expected \(4,\)"),
        ([[1], [1], [1], [1]], r"shape \(4, 1\)"),
    ],
)
def test_bad_weights(weight, message):
    with pytest.raises(ValueError, match=message):
        check_weight(weight, 4)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        check(y=[0, 1])
    with pytest.raises(ValueError, match="requires y"):
        check(y=None)
