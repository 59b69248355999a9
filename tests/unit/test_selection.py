"""Rules of choosing, on scores made by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treefront import selection

INF = np.inf

#           three folds     mean    standard error
SCORES = np.array(
    [
        [0.50, 0.50, 0.50],  # 0.50
        [0.70, 0.80, 0.90],  # 0.80
        [0.75, 0.85, 0.95],  # 0.85  0.0577
        [0.70, 0.85, 1.00],  # 0.85  0.0866
        [0.60, 0.80, 0.85],  # 0.75
    ]
)


def test_prices_are_geometric_means_and_the_ends_stay_ends():
    low, high = np.array([0.4, 0.1, 0.0]), np.array([INF, 0.4, 0.1])
    assert selection.fold_alphas(low, high) == pytest.approx([INF, 0.2, 0.0])
    assert selection.fold_alphas(np.array([0.0]), np.array([INF])).tolist() == [INF]


def test_prices_neither_vanish_nor_overflow():
    low, high = np.array([1e300, 1e-300, 0.0]), np.array([INF, 1e300, 1e-300])
    assert selection.fold_alphas(low, high)[1] == pytest.approx(1.0)


def test_best_takes_the_smallest_at_a_tie():
    assert selection.best(SCORES) == 2
    assert selection.best(SCORES[3:]) == 0


def test_a_tie_may_hide_behind_rounding():
    a, b = np.array([0.1, 0.2, 0.3]), np.array([0.3, 0.2, 0.1])
    assert a.mean() != b.mean()
    larger_first = sorted([a, b], key=np.mean)
    assert selection.best(np.array(larger_first)) == 0
    assert selection.ranks(np.array([0.5, a.mean(), b.mean()])).tolist() == [1, 2, 2]


def test_one_standard_error_is_that_of_the_best_tree():
    error = selection.standard_error(SCORES)
    assert error[2] == pytest.approx(0.1 / np.sqrt(3))
    assert selection.one_standard_error(SCORES) == 1  # 0.80 > 0.85 - 0.0577
    closer = np.vstack([SCORES[:1], SCORES[1:2] - 0.02, SCORES[2:]])
    assert selection.one_standard_error(closer) == 2  # 0.78 is too little


def test_exactly_one_standard_error_is_within():
    scores = np.array([[2.0, 2.0], [2.0, 4.0]])  # the best has 3 and a standard error of 1
    assert selection.one_standard_error(scores) == 0


def test_what_cannot_be_chosen_is_refused():
    with pytest.raises(ValueError, match="two or more folds"):
        selection.one_standard_error(SCORES[:, :1])
    assert np.isnan(selection.standard_error(SCORES[:, :1])).all()
    broken = SCORES.copy()
    broken[:, 1] = np.nan
    for rule in selection.RULES.values():
        with pytest.raises(ValueError, match="fold 2 of 3"):
            rule(broken)


def test_ranks_are_those_of_scikit_learn():
    assert selection.ranks(SCORES.mean(axis=1)).tolist() == [5, 3, 1, 1, 4]


@given(
    st.integers(1, 6).flatmap(
        lambda folds: st.lists(
            st.lists(st.integers(0, 5), min_size=folds, max_size=folds), min_size=1, max_size=6
        )
    )
)
def test_laws_of_the_rules(rows):
    scores = np.array(rows, dtype=np.float64) / 7
    sums = [sum(row) for row in rows]
    best = selection.best(scores)
    assert best == sums.index(max(sums))
    assert selection.ranks(scores.mean(axis=1)).tolist() == [
        1 + sum(other > own for other in sums) for own in sums
    ]
    if scores.shape[1] > 1:
        chosen = selection.one_standard_error(scores)
        assert chosen <= best
        limit = scores[best].mean() - scores[best].std(ddof=1) / np.sqrt(scores.shape[1])
        assert scores[chosen].mean() >= limit - 1e-9
        assert (scores[:chosen].mean(axis=1) < limit + 1e-9).all()
