"""A Python generator of tests: what it is given, and what becomes of its mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from tests.oracle.engine import points, search

rng = np.random.default_rng(8)
X = rng.normal(size=(200, 3))
y = (X[:, 0] * X[:, 1] > 0).astype(int)


def median_tests(rows):
    return [(f, float(np.median(X[rows, f]))) for f in range(3)]


def fit(function, **options):
    return search(X, y, depth=3, splits=[("callable", function)], **options)


@pytest.mark.parametrize("n_threads", [1, 2, 4])
@pytest.mark.parametrize("call", [1, 2, 5])
def test_its_exception_propagates_and_the_next_fit_works(n_threads, call):
    calls = []

    def breaks(rows):
        calls.append(None)
        if len(calls) >= call:
            raise ZeroDivisionError("generator broke")
        return median_tests(rows)

    with pytest.raises(ZeroDivisionError, match="generator broke"):
        fit(breaks, n_threads=n_threads)
    assert points(fit(median_tests, n_threads=n_threads)) == points(fit(median_tests))


@pytest.mark.parametrize(
    "tests",
    [
        [(3, 0.0)],
        [(-1, 0.0)],
        [(0, float("nan"))],
        [(0,)],
        [("x", 0.0)],
        [(0, 0.0, 1)],
        7,
    ],
)
def test_what_is_no_list_of_tests_is_an_error(tests):
    with pytest.raises((ValueError, TypeError)):
        fit(lambda rows: tests)
    assert len(fit(median_tests).errors) > 1


@pytest.mark.parametrize("n_threads", [1, 2])
def test_it_sees_each_state_as_row_numbers(n_threads):
    seen = []

    def notes(rows):
        assert rows.dtype == np.int64
        seen.append(tuple(sorted(rows.tolist())))
        return median_tests(rows)

    fit(notes, n_threads=n_threads)
    assert tuple(range(200)) in seen
    assert all(len(set(rows)) == len(rows) for rows in seen)
    for rows in seen:
        halves = np.array(rows)[X[list(rows), 0] <= np.median(X[list(rows), 0])]
        if len(rows) == 200:
            assert tuple(halves.tolist()) in seen


def test_no_test_at_all_gives_a_leaf():
    result = fit(lambda rows: [])
    assert points(result) == [(0, min(np.bincount(y)))]


def test_repeated_tests_change_nothing():
    assert points(fit(lambda rows: median_tests(rows) * 3)) == points(fit(median_tests))
