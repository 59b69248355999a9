"""A stopped search returns a valid front that is never worse than CART."""

from __future__ import annotations

import threading
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.laws.pruning_path import pruned_trees, reject_if_rounding_decides
from tests.laws.walk import true_point
from tests.oracle.engine import points, search
from tests.oracle.examples import examples
from tests.oracle.hull import lower_left_hull, price_where_worse
from tests.oracle.tables import Table, noisy_tables


def endless(seed: int = 0, n: int = 3000, p: int = 12) -> Table:
    """Too much for an exact search of depth 5."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)).astype(np.float32).astype(float)
    y = (np.sin(3 * X[:, 0]) + X[:, 1] * X[:, 2] + rng.logistic(size=n) > 0).astype(int)
    return Table(X, y, None)


def check_front(result, table: Table) -> None:
    front = points(result)
    assert front == lower_left_hull(front)
    for i, claim in enumerate(front):
        assert true_point(result.tree(i), table, "tests") == claim


@pytest.mark.parametrize("n_threads", [1, 2])
@pytest.mark.parametrize("exact_tail", [0, 1, 2])
@pytest.mark.parametrize("limit", [1e-9, 0.05, 0.3])
def test_time_limit_is_kept(limit, exact_tail, n_threads):
    table = endless()
    start = time.perf_counter()
    result = search(
        table.X, table.y, depth=5, exact_tail=exact_tail, time_limit=limit, n_threads=n_threads
    )
    seconds = time.perf_counter() - start
    assert result.status == "time_limit"
    assert seconds < limit + 1.0  # sorting the columns and growing CART are not interrupted
    check_front(result, table)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("exact_tail", [0, 1, 2])
@given(table=noisy_tables(), depth=st.integers(1, 4), limit=st.sampled_from([1e-9, 1e-4, 1e-3]))
@examples(8)
def test_stopped_at_any_time_no_pruned_cart_is_better(
    criterion, exact_tail, table: Table, depth, limit
):
    reject_if_rounding_decides(table, criterion, depth, 2)
    result = search(
        table.X,
        table.y,
        table.weight,
        depth=depth,
        splits=[("cart", 4, 0, criterion)],
        exact_tail=exact_tail,
        min_samples_leaf=2,
        baselines=[criterion],
        time_limit=limit,
    )
    check_front(result, table)
    path = pruned_trees(table, criterion=criterion, max_depth=depth, min_samples_leaf=2)
    assert price_where_worse(points(result), path) is None


def test_a_stopped_search_over_all_tests_is_never_worse_than_cart():
    table = endless(n=400)
    result = search(table.X, table.y, depth=4, baselines=["entropy", "gini"], time_limit=1e-9)
    assert result.status == "time_limit"
    for criterion in ("entropy", "gini"):
        path = pruned_trees(table, criterion=criterion, max_depth=4)
        assert price_where_worse(points(result), path) is None, criterion


def test_more_time_is_never_worse_and_enough_time_is_complete():
    table = endless(n=300, p=3)
    options = {"depth": 3, "splits": [("cart", 4, 0, "gini")], "exact_tail": 1}
    complete = search(table.X, table.y, **options)
    stopped = search(table.X, table.y, time_limit=1e-9, **options)
    assert (complete.status, stopped.status) == ("complete", "time_limit")
    assert price_where_worse(points(complete), points(stopped)) is None


@pytest.mark.parametrize("n_threads", [1, 2])
def test_progress_is_told_in_the_calling_thread_and_only_grows(n_threads):
    table = endless()
    told = []

    def note(fraction, n_states, value, bound):
        assert np.isnan([value, bound]).all()  # nothing is being proved
        told.append((fraction, n_states, threading.get_ident()))

    result = search(
        table.X, table.y, depth=5, time_limit=1.0, n_threads=n_threads, on_progress=note
    )
    fractions, states, threads = zip(*told, strict=True)
    assert len(told) >= 4  # about every 0.1 s
    assert list(fractions) == sorted(fractions)
    assert list(states) == sorted(states)
    assert 0 <= fractions[0] <= fractions[-1] <= 1
    assert 0 < states[-1] <= result.n_states
    assert set(threads) == {threading.get_ident()}
