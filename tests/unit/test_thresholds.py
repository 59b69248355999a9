"""Readable thresholds: few digits, in the middle of the gap, and no training row moves."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.oracle.examples import examples
from treefront import CartSplits, DPDTClassifier, DPDTRegressor
from treefront.thresholds import number, shortened, time
from treefront.times import DAY

FLOATS = st.floats(allow_nan=False, allow_infinity=True)
TINY = 5e-324


@pytest.mark.parametrize(
    ("low", "high", "threshold"),
    [
        (2.449, 2.451, 2.45),
        (0.1, 0.9, 0.5),
        (1234.0, 5678.0, 3000.0),
        (-3.0, -1.0, -2.0),
        (-0.9, -0.1, -0.5),
        (-1.0, 1.5, 0.0),
        (-0.1, 0.9, 0.4),  # 0 is shorter, but close to -0.1
        (0.99, 1.9, 1.4),  # so is 1
        (9.0, 10.6, 10.0),
        (1.6e308, 1.7e308, 1.65e308),
        (-1.7e308, 1.7e308, 0.0),
        (TINY, 4 * TINY, 2 * TINY),
        (-TINY, 0.0, -TINY),
        (0.0, TINY, 0.0),
        (1.0, math.nextafter(1.0, 2.0), 1.0),
        (0.1 + 0.2, math.nextafter(0.1 + 0.2, 1.0), 0.1 + 0.2),
        (-math.inf, math.inf, 0.0),
        (-math.inf, -1.7e308, -1.75e308),
    ],
)
def test_what_a_person_would_write(low, high, threshold):
    assert number(low, high) == threshold


@pytest.mark.parametrize(
    ("low", "high", "threshold"),
    [(3, 4, 3), (0, 1, 0), (-1, 0, -1), (3, 5, 4), (12, 13, 12), (10, 1000, 500), (-7, 9, 0)],
)
def test_integers_stay_integers(low, high, threshold):
    assert number(float(low), float(high), whole=True) == threshold


@pytest.mark.parametrize(
    ("low", "high", "threshold"),
    [
        ("2021-03-01T10:00", "2021-03-04T12:30", "2021-03-03"),
        ("2021-03-04T10:00", "2021-03-04T12:31", "2021-03-04T11:16"),
        ("2021-03-04T10:00:01", "2021-03-04T10:00:04", "2021-03-04T10:00:02"),
        ("2021-03-04T10:00:01.001", "2021-03-04T10:00:01.005", "2021-03-04T10:00:01.003"),
        ("1950-01-01T23:59", "1950-01-02T00:01", "1950-01-02"),
    ],
)
def test_times_a_person_would_write(low, high, threshold):
    assert time(*map(microseconds, (low, high))) == microseconds(threshold)


def test_whole_days_stay_days():
    assert time(4.0 * DAY, 5.0 * DAY, whole=True) == 4 * DAY
    assert time(4.0 * DAY, 10.0 * DAY, whole=True) == 7 * DAY
    assert time(-2.0 * DAY, -1.0 * DAY, whole=True) == -2 * DAY


def microseconds(text: str) -> float:
    return float(np.datetime64(text, "us").astype(np.int64))


@given(FLOATS, FLOATS, st.booleans())
@examples(300)
def test_within_the_gap_and_its_middle(a, b, whole):
    low, high = sorted((a, b))
    if whole:
        low, high = (math.floor(x) if math.isfinite(x) else x for x in (low, high))
    if low == high:
        return
    threshold = number(float(low), float(high), whole=whole)
    assert low <= threshold < high
    if whole and math.isfinite(low):
        assert threshold == math.floor(threshold)
    elif math.isfinite(low) and math.isfinite(high) and high - low > 1e-300:
        # Up to the rounding of the midpoint itself.
        gap, middle = Fraction(high) - Fraction(low), (Fraction(low) + Fraction(high)) / 2
        slack = Fraction(math.ulp(max(abs(low), abs(high))))
        assert abs(Fraction(threshold) - middle) <= gap / 4 + slack


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6))
@examples(100)
def test_no_shorter_decimal_in_the_middle_half(low, width):
    high = low + width
    digits = len(Decimal(repr(number(low, high))).normalize().as_tuple().digits)
    middle = (Decimal(low) + Decimal(high)) / 2
    quarter = (Decimal(high) - Decimal(low)) / 4
    for fewer in range(1, digits):
        nearest = Context(prec=fewer).create_decimal(middle)
        assert abs(nearest - middle) > quarter * Decimal("0.999999")


@given(st.data())
@examples(30)
def test_no_training_row_moves(data):
    n = data.draw(st.integers(2, 25))
    cells = st.one_of(FLOATS.filter(math.isfinite), st.integers(-5, 5).map(float), st.just(np.nan))
    column = st.lists(cells, min_size=n, max_size=n)
    X = np.array([data.draw(column), data.draw(column)]).T
    y = np.array(data.draw(st.lists(st.integers(0, 2), min_size=n, max_size=n)))
    params = {"max_depth": 3, "splits": CartSplits(depth=2)}
    short = DPDTClassifier(**params).fit(X, y).front_
    middle = DPDTClassifier(**params, thresholds="midpoint").fit(X, y).front_
    for a, b in zip(short, middle, strict=True):
        assert (a.apply(X) == b.apply(X)).all()
        assert (a.feature == b.feature).all()


def test_trees_of_a_front_share_their_thresholds():
    X = np.array([0.111, 0.237, 0.301, 0.777])[:, None]
    trees = [
        {"feature": np.array([0, -1, -1]), "threshold": np.array([at, np.nan, np.nan])}
        for at in (0.27, 0.269, 0.5)
    ]
    first, second, third = (tree["threshold"][0] for tree in shortened(trees, X, (None,)))
    assert first == second == 0.27
    assert third == 0.5


@pytest.mark.parametrize("estimator", [DPDTClassifier, DPDTRegressor])
def test_tests_of_missing_values_stay(estimator):
    X = np.array([np.nan, 1.0, 2.0, np.nan])[:, None]
    tree = estimator(max_depth=1).fit(X, [0, 1, 1, 0]).tree_
    assert np.isinf(tree.threshold[0])


def test_one_of_two_words():
    with pytest.raises(ValueError, match="thresholds must be 'short' or 'midpoint', got 'round'"):
        DPDTClassifier(thresholds="round").fit([[0.0], [1.0]], [0, 1])
