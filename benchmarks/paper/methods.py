"""The searches by the paper's names: parameters of the estimator."""

from __future__ import annotations

from typing import Any

Options = dict[str, Any]


def dpdt(*cart_depths: int) -> Options:
    """DPDT-K to the letter: CART by entropy at every depth; the last K serves all deeper ones."""
    from treefront import CartSplits

    splits = [CartSplits(depth=depth) for depth in cart_depths]
    return {"splits": splits, "exact_tail": 0, "thresholds": "midpoint"}


def dpdt_ties(*cart_depths: int) -> Options:
    """The same with every split that ties, which CART chooses from by lot, and by both
    impurities."""
    from treefront import CartSplits

    splits = [CartSplits(depth=depth, criterion="both", ties=True) for depth in cart_depths]
    return {"splits": splits, "exact_tail": 0, "thresholds": "midpoint"}


def exact() -> Options:
    """Optimal trees over all tests, proved: what Quant-BnB is run for."""
    return {"splits": "all"}
