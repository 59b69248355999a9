"""Split generators: which tests may be made in a state.

One knob goes from greedy to optimal. A generator is declared here, checked here, and run by the
core; only a Python callable runs in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

CRITERIA = ("entropy", "gini")
BOTH = "both"  # a CART tree for each criterion

Test = tuple[int, float]
SplitRule = Callable[..., Iterable[Test]]


class SplitGenerator(BaseEstimator):
    """Base of the built-in generators: parameters as in scikit-learn, so they can be searched."""

    def spec(self) -> tuple[Any, ...]:
        """Check the parameters and describe the generator to the core.

        Raises
        ------
        ValueError
            A parameter is out of range.
        """
        raise NotImplementedError


class CartSplits(SplitGenerator):
    """The test nodes of a CART tree grown on the rows of the state (the paper's generator).

    Parameters
    ----------
    depth : int, optional
        Depth of the CART tree, at least 1: up to ``2**depth - 1`` tests.
    max_leaves : int, optional
        Largest number of leaves, at least 2, grown best first: up to ``max_leaves - 1`` tests.
        At least one of `depth` and `max_leaves` must be given; with both, both hold.
    criterion : {"entropy", "gini", "both"}, default="entropy"
        The impurity CART decreases; ``"both"`` takes the tests of one tree for each.
    ties : bool, default=False
        Take all splits that tie for the best of a node, not the first alone. CART breaks such ties
        by chance or by column order; with all of them no CART tree of that impurity is missed.

    Examples
    --------
    >>> from treefront import CartSplits, DPDTClassifier
    >>> model = DPDTClassifier(splits=[CartSplits(depth=4), CartSplits(depth=2)])
    >>> model.get_params()["splits"]
    [CartSplits(depth=4), CartSplits(depth=2)]
    """

    def __init__(
        self,
        depth: int | None = None,
        max_leaves: int | None = None,
        criterion: str = "entropy",
        ties: bool = False,
    ) -> None:
        self.depth = depth
        self.max_leaves = max_leaves
        self.criterion = criterion
        self.ties = ties

    def spec(self) -> tuple[Any, ...]:
        """See `SplitGenerator.spec`; 0 stands for no bound."""
        if self.depth is None and self.max_leaves is None:
            raise ValueError("CartSplits needs depth, max_leaves or both, got neither")
        depth = 0 if self.depth is None else _at_least(1, self.depth, "CartSplits: depth")
        max_leaves = (
            0
            if self.max_leaves is None
            else _at_least(2, self.max_leaves, "CartSplits: max_leaves")
        )
        return (
            "cart",
            depth,
            max_leaves,
            _criterion(self.criterion, "CartSplits", (*CRITERIA, BOTH)),
            bool(self.ties),
        )


class TopSplits(SplitGenerator):
    """The best tests of the state by decrease of impurity.

    Parameters
    ----------
    n_tests : int, default=16
        How many, at least 1.
    criterion : {"entropy", "gini"}, default="entropy"
        The impurity.

    Examples
    --------
    >>> from treefront import DPDTClassifier, TopSplits
    >>> DPDTClassifier(splits=TopSplits(8)).get_params()["splits__n_tests"]
    8
    """

    def __init__(self, n_tests: int = 16, criterion: str = "entropy") -> None:
        self.n_tests = n_tests
        self.criterion = criterion

    def spec(self) -> tuple[Any, ...]:
        """See `SplitGenerator.spec`."""
        n_tests = _at_least(1, self.n_tests, "TopSplits: n_tests")
        return ("top", n_tests, _criterion(self.criterion, "TopSplits"))


class QuantileSplits(SplitGenerator):
    """Quantiles of every feature over the rows of the state.

    Parameters
    ----------
    n_quantiles : int, default=8
        Number of inner quantiles per feature, at least 1.

    Examples
    --------
    >>> from treefront import QuantileSplits
    >>> QuantileSplits(n_quantiles=16)
    QuantileSplits(n_quantiles=16)
    """

    def __init__(self, n_quantiles: int = 8) -> None:
        self.n_quantiles = n_quantiles

    def spec(self) -> tuple[Any, ...]:
        """See `SplitGenerator.spec`."""
        return ("quantile", _at_least(1, self.n_quantiles, "QuantileSplits: n_quantiles"))


class AllSplits(SplitGenerator):
    """Every test that separates two rows of the state: the optimal trees, by full enumeration.

    ``splits="all"`` finds and proves them much faster, by branch and bound.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treefront import AllSplits, DPDTClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> slow = DPDTClassifier(max_depth=2, splits=AllSplits()).fit(X, y)
    >>> quick = DPDTClassifier(max_depth=2, splits="all", prove="front").fit(X, y)
    >>> bool((slow.front_.loss == quick.front_.loss).all()), quick.status_
    (True, 'optimal')
    """

    def spec(self) -> tuple[Any, ...]:
        """See `SplitGenerator.spec`."""
        return ("all",)


Generator = SplitGenerator | SplitRule


def sequence(splits: object) -> list[Generator]:
    """Generators per depth of anything the parameter `splits` accepts but ``"auto"``.

    Parameters
    ----------
    splits : generator, callable, "all", or sequence of these
        A sequence holds one generator per depth; the last one serves all deeper levels.

    Raises
    ------
    ValueError
        Something that is no generator, an empty sequence, or a parameter out of range.
    """
    members = splits if isinstance(splits, (list, tuple)) else [splits]
    if not members:
        raise ValueError("splits is an empty sequence; it needs one generator per depth")
    return [_generator(member) for member in members]


def _generator(member: object) -> Generator:
    if isinstance(member, str) and member == "all":
        return AllSplits()
    if isinstance(member, SplitGenerator):
        member.spec()  # a bad parameter is reported before any work is done
        return member
    if isinstance(member, type) and issubclass(member, SplitGenerator):
        raise ValueError(f"splits holds the class {member.__name__}; write {member.__name__}(...)")
    if callable(member):
        return member
    raise ValueError(
        "splits must be 'auto', 'all', CartSplits, TopSplits, QuantileSplits, AllSplits, "
        f"a callable, or a sequence of generators, got {member!r}"
    )


def criteria(generator: Generator) -> tuple[str, ...]:
    """Impurities that the generator looks at; entropy for one that looks at none."""
    criterion = getattr(generator, "criterion", CRITERIA[0])
    return CRITERIA if criterion == BOTH else (criterion,)


def specs(
    generators: Iterable[Generator],
    X: NDArray[np.float64],
    y: NDArray[Any],
    sample_weight: NDArray[np.float64] | None,
) -> list[tuple[Any, ...]]:
    """What the core is given: one tuple per depth; callables are bound to the training rows."""
    return [
        generator.spec()
        if isinstance(generator, SplitGenerator)
        else ("callable", _bound(generator, X, y, sample_weight))
        for generator in generators
    ]


def _bound(
    rule: SplitRule,
    X: NDArray[np.float64],
    y: NDArray[Any],
    sample_weight: NDArray[np.float64] | None,
) -> Callable[[NDArray[np.int64]], list[Test]]:
    def tests(rows: NDArray[np.int64]) -> list[Test]:
        weight = None if sample_weight is None else sample_weight[rows]
        returned = rule(X[rows], y[rows], weight)
        if not isinstance(returned, Iterable):
            raise ValueError(
                f"the splits callable must return (feature, threshold) pairs, got {returned!r}"
            )
        return [_test(test, X.shape[1]) for test in returned]

    return tests


def _test(test: Any, n_features: int) -> Test:
    """One (feature, threshold) pair that a user's function returned."""
    try:
        feature, threshold = test
    except (TypeError, ValueError):
        raise ValueError(
            f"the splits callable must return (feature, threshold) pairs, got {test!r}"
        ) from None
    if not isinstance(feature, (int, np.integer)) or not 0 <= feature < n_features:
        raise ValueError(
            f"the splits callable returned feature {feature!r}; "
            f"features are integers from 0 to {n_features - 1}"
        )
    if not isinstance(threshold, (int, float, np.number)) or not np.isfinite(float(threshold)):
        raise ValueError(
            f"the splits callable returned threshold {threshold!r}; it must be a finite number"
        )
    return int(feature), float(threshold)


def _at_least(low: int, value: object, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < low:
        raise ValueError(f"{name} must be an integer of at least {low}, got {value!r}")
    return int(value)


def _criterion(value: object, owner: str, known: tuple[str, ...] = CRITERIA) -> str:
    if not isinstance(value, str) or value not in known:
        allowed = ", ".join(repr(name) for name in known)
        raise ValueError(f"{owner}: criterion must be one of {allowed}, got {value!r}")
    return value
