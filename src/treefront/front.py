"""The accuracy/complexity front: every tree that is optimal for some price of a test."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.metrics import d2_absolute_error_score, r2_score

from treefront import notebook
from treefront.data import as_rows, check_weight
from treefront.targets import check_numbers, check_scored
from treefront.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from pandas import DataFrame

Floats = NDArray[np.float64]
COLUMNS = (
    "alpha_low",
    "alpha_high",
    "loss",
    "complexity",
    "mean_tests",
    "n_leaves",
    "depth",
    "proved",
)
ARRAYS = ("loss", "complexity", "alpha_low", "alpha_high", "proved")  # what a front is made of
# Numbers are scored by the loss they were fitted by: the share of a constant's loss that is gone.
SCORES = {
    "squared_error": ("R²", r2_score),
    "absolute_error": ("D²", d2_absolute_error_score),
}


@dataclass(frozen=True, eq=False, repr=False)
class Front(Sequence[Tree]):
    """All trees of a front, smallest first; immutable.

    Tree ``i`` minimises ``loss + alpha * complexity`` over all trees searched, for every `alpha`
    in ``[alpha_low[i], alpha_high[i]]``. From one tree to the next the loss falls and the
    complexity grows.

    Attributes
    ----------
    alpha_low, alpha_high : ndarray of float64, shape (n_trees,)
        Prices of a test for which the tree is optimal. The largest tree has ``alpha_low`` 0, the
        smallest ``alpha_high`` infinity.
    loss : ndarray of float64, shape (n_trees,)
        Training error rate, rows counted by weight; with `cost_matrix` the mean cost of a row; of
        regression trees the mean squared error.
    complexity : ndarray of float64, shape (n_trees,)
        Average number of tests per row, or number of tests in the tree, as the estimator's
        parameter `complexity` says.
    mean_tests : ndarray of float64, shape (n_trees,)
        Average number of tests per training row, rows counted by weight.
    n_leaves, depth : ndarray of int64, shape (n_trees,)
        Size of the trees.
    proved : ndarray of bool, shape (n_trees,)
        Whether no tree of this depth at all has a smaller ``loss + alpha * complexity``, at
        one or more of the tree's prices. Where all are proved, they are the front of all trees.
    sizes : tuple of Tree
        With ``complexity="splits"`` and ``max_depth`` up to 6, the best tree for every number of
        tests, smallest first, where a larger tree has fewer errors: those of the front, and those
        between them that no price chooses. Else empty. See `by_size`.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treefront import DPDTClassifier
    >>> X, y = load_breast_cancer(return_X_y=True)
    >>> front = DPDTClassifier(max_depth=2).fit(X, y).front_
    >>> print(front)
    Front of 4 trees, smallest first
       alpha low  alpha high     loss  complexity  mean tests  n leaves  depth  proved
    0     0.2953         inf   0.3726           0           0         1      0      no
    1    0.04427      0.2953  0.07733           1           1         2      1      no
    2    0.02703     0.04427  0.04745       1.675       1.675         3      2      no
    3          0     0.02703  0.03866           2           2         4      2      no
    >>> front[front.select(alpha=0.03)]
    <Tree: 3 leaves, depth 2, 1.67 tests on average>
    >>> front.score(X, y).round(3)
    array([0.627, 0.923, 0.953, 0.961])
    """

    trees: tuple[Tree, ...]
    loss: Floats
    complexity: Floats
    alpha_low: Floats
    alpha_high: Floats
    proved: NDArray[np.bool_]
    sizes: tuple[Tree, ...] = ()

    def __post_init__(self) -> None:
        arrays = [getattr(self, name) for name in ARRAYS]
        if not self.trees or any(len(array) != len(self.trees) for array in arrays):
            raise ValueError("a front needs at least one tree, and one value per tree")
        for name, array in zip(ARRAYS, arrays):
            object.__setattr__(self, name, _frozen(array))

    @classmethod
    def from_vertices(
        cls,
        trees: Sequence[Tree],
        errors: Floats,
        complexity: Floats,
        unit: str,
        proved: Sequence[bool] | None = None,
        every_size: bool = False,
    ) -> Front:
        """Front of the search's raw vertices.

        Parameters
        ----------
        trees : sequence of Tree
        errors, complexity : ndarray of float64, shape (n_trees,)
            Raw loss E and complexity C, summed over rows.
        unit : {"tests", "splits"}
            What C counts: tests made by rows, or tests in the tree.
        proved : sequence of bool, optional
            Which trees are proved; none without.
        every_size : bool, default=False
            The trees are the best of every size, and those on the hull make the front.
        """
        total = float(trees[0].weight[0])
        sizes = tuple(trees) if every_size else ()
        flags = np.zeros(len(trees), dtype=bool) if proved is None else np.array(proved)
        if every_size:
            hull = _hull(errors, complexity)
            trees = [trees[i] for i in hull]
            errors, complexity, flags = errors[hull], complexity[hull], flags[hull]
        # Between neighbours both trees cost the same. C of "tests" is a sum over rows like E, so
        # the total weight cancels; C of "splits" is not.
        boundary = -np.diff(errors) / np.diff(complexity)
        if unit == "splits":
            boundary = boundary / total
        return cls(
            trees=tuple(trees),
            loss=errors / total,
            complexity=complexity / total if unit == "tests" else complexity,
            alpha_low=np.append(boundary, 0.0),
            alpha_high=np.append(np.inf, boundary),
            proved=flags,
            sizes=sizes,
        )

    # ---- a sequence of trees ----

    def __len__(self) -> int:
        return len(self.trees)

    def __iter__(self) -> Iterator[Tree]:
        return iter(self.trees)

    @overload
    def __getitem__(self, index: int) -> Tree: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[Tree, ...]: ...
    def __getitem__(self, index: int | slice) -> Tree | tuple[Tree, ...]:
        return self.trees[index]

    @property
    def mean_tests(self) -> Floats:
        """Average number of tests per training row."""
        return _frozen(np.array([tree.mean_tests for tree in self.trees]))

    @property
    def n_leaves(self) -> NDArray[np.int64]:
        """Number of leaves of every tree."""
        return _frozen(np.array([tree.n_leaves for tree in self.trees], dtype=np.int64))

    @property
    def depth(self) -> NDArray[np.int64]:
        """Most tests that a row can meet, per tree."""
        return _frozen(np.array([tree.depth for tree in self.trees], dtype=np.int64))

    @property
    def by_size(self) -> dict[int, Tree]:
        """Best tree for every number of tests in the tree, of those in `sizes`."""
        return {tree.n_leaves - 1: tree for tree in self.sizes}

    # ---- prediction, all trees at once ----

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Class, or mean of the targets, of every row by every tree.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_trees, n_rows), or (n_trees, n_rows, n_outputs)

        Raises
        ------
        ValueError
            Infinity, or another number of columns than in fit.
        """
        rows = self._rows(X)
        return np.stack([tree.predictions(rows) for tree in self.trees])

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> Floats:
        """Accuracy of every tree; of regression trees R^2, or D^2 by absolute error.

        R^2 is what part of the squared error around the mean a tree takes away, D^2 what part of
        the absolute error around the median (scikit-learn's `r2_score` and
        `d2_absolute_error_score`).

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
        y : array-like of shape (n_rows,)
        sample_weight : array-like of shape (n_rows,), optional

        Returns
        -------
        ndarray of float64, shape (n_trees,)

        Raises
        ------
        ValueError
            Infinity, labels of another type than in fit, lengths that differ.
        """
        return self.score_rows(self._rows(X), y, sample_weight)

    def score_rows(self, rows: Floats, y: ArrayLike, sample_weight: ArrayLike | None) -> Floats:
        """`score` on rows that were checked before."""
        return scores_of(self.trees, rows, y, sample_weight)

    @property
    def score_name(self) -> str:
        """What `score` is called: accuracy, R² or D²."""
        name, _ = SCORES.get(self.trees[0].loss_name, ("accuracy", None))
        return name

    def _rows(self, X: ArrayLike) -> Floats:
        tree = self.trees[0]
        return as_rows(X, tree.feature_names, tree.categories, tree.times)

    # ---- choice ----

    def select(
        self,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
        mean_tests: float | None = None,
        sample_weight: ArrayLike | None = None,
    ) -> int:
        """Index of the tree chosen by one of four criteria.

        Parameters
        ----------
        X, y : array-like, optional
            Validation rows: the tree with the best score, the smallest one at a tie.
        alpha : float, optional
            Price of a test: the tree that is optimal for it, the larger one of two at a tie.
        n_leaves : int, optional
            The most accurate tree (in training) with at most so many leaves.
        mean_tests : float, optional
            The most accurate tree (in training) with at most so many tests on average.
        sample_weight : array-like, optional
            Weights of the validation rows.

        Returns
        -------
        int

        Raises
        ------
        ValueError
            Not exactly one criterion, or no tree satisfies it.
        """
        rows = None if X is None else self._rows(X)
        return self.select_rows(
            rows,
            y,
            alpha=alpha,
            n_leaves=n_leaves,
            mean_tests=mean_tests,
            sample_weight=sample_weight,
        )

    def select_rows(
        self,
        rows: Floats | None,
        y: ArrayLike | None,
        *,
        alpha: float | None,
        n_leaves: int | None,
        mean_tests: float | None,
        sample_weight: ArrayLike | None,
    ) -> int:
        """`select` by rows that were checked before."""
        criteria = {"X and y": rows, "alpha": alpha, "n_leaves": n_leaves, "mean_tests": mean_tests}
        given = [name for name, value in criteria.items() if value is not None]
        if len(given) != 1 or (rows is None) != (y is None):
            raise ValueError(
                "choose a tree by X and y, alpha, n_leaves or mean_tests: exactly one of them, "
                f"got {', '.join(given) or ('y alone' if y is not None else 'none')}"
            )
        if sample_weight is not None and rows is None:
            raise ValueError("sample_weight belongs to X and y")
        if rows is not None and y is not None:
            # the first, smallest at a tie
            return int(np.argmax(self.score_rows(rows, y, sample_weight)))
        if alpha is not None:
            return self._by_alpha(alpha)
        if n_leaves is not None:
            return self._largest("n_leaves", n_leaves, self.n_leaves)
        assert mean_tests is not None
        return self._largest("mean_tests", mean_tests, self.mean_tests)

    def _by_alpha(self, alpha: float) -> int:
        if not alpha >= 0:
            raise ValueError(f"alpha must be at least 0, got {alpha!r}")
        return int(np.flatnonzero(self.alpha_high >= alpha)[-1])

    def _largest(self, name: str, limit: float, values: NDArray[Any]) -> int:
        fitting = np.flatnonzero(values <= limit)
        if len(fitting) == 0:
            raise ValueError(
                f"no tree of the front has {name} <= {limit!r}; the smallest has {values[0]}"
            )
        return int(fitting[-1])

    def alpha_of(self, index: int) -> float:
        """A price for which a tree is the choice: the middle of its interval.

        Parameters
        ----------
        index : int
            Place of the tree in the front.

        Returns
        -------
        float
            0.0 for the largest tree; for the smallest, whose interval is open, twice its
            ``alpha_low``.
        """
        if index in (len(self) - 1, -1):
            return 0.0
        if index in (0, -len(self)):
            return float(2 * self.alpha_low[index])
        return float((self.alpha_low[index] + self.alpha_high[index]) / 2)

    # ---- representations ----

    def to_frame(self) -> DataFrame:
        """Table of the front as a pandas data frame.

        Returns
        -------
        pandas.DataFrame
            One row per tree, with the arrays of the front as columns.

        Raises
        ------
        ImportError
            pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "Front.to_frame needs pandas: pip install 'treefront[pandas]'"
            ) from error
        return pd.DataFrame({name: getattr(self, name) for name in COLUMNS})

    def plot(
        self,
        ax: Axes | None = None,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        against: str = "tests",
        chosen: int | Tree | None = None,
        scores: ArrayLike | None = None,
        scores_std: ArrayLike | None = None,
        cart: tuple[ArrayLike, ArrayLike] | None = None,
    ) -> Axes:
        """Draw the error of the trees against the average number of tests, or against leaves.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new pyplot figure without.
        X, y : array-like, optional
            Validation rows, whose error is drawn beside the training error.
        against : {"tests", "leaves"}, default="tests"
            The average number of tests per row, or the number of leaves.
        chosen : int or Tree, optional
            The tree to be marked.
        scores, scores_std : array-like of shape (n_trees,), optional
            Mean and standard deviation of the scores in cross-validation (those of
            `score`), in place of X and y; the deviation becomes an error bar.
        cart : tuple of X and y, optional
            Training rows on which scikit-learn's CART is grown, as deep as the front; every tree of
            its cost-complexity pruning path is drawn beside.

        Returns
        -------
        matplotlib Axes
            The error is the error rate by weight; of regression trees 1 - R^2 (by absolute error
            1 - D^2), the part of the loss of a single leaf that is left.

        Raises
        ------
        ValueError
            Only one of X and y; arrays that do not fit the front; `cart` with categories.
        ImportError
            matplotlib is not installed.
        """
        from treefront.plots.front import plot_front

        return plot_front(
            self,
            ax,
            X,
            y,
            against=against,
            chosen=chosen,
            scores=scores,
            scores_std=scores_std,
            cart=cart,
        )

    def _table(self) -> list[tuple[str, ...]]:
        """Cells of the readable table, header first."""
        columns = zip(*(getattr(self, name).tolist() for name in COLUMNS))
        return [
            ("", *(name.replace("_", " ") for name in COLUMNS)),
            *(
                (str(index), *(_cell(name, value) for name, value in zip(COLUMNS, row)))
                for index, row in enumerate(columns)
            ),
        ]

    def __repr__(self) -> str:
        table = self._table()
        widths = [max(len(row[column]) for row in table) for column in range(len(table[0]))]
        lines = ["  ".join(f"{cell:>{width}}" for cell, width in zip(row, widths)) for row in table]
        count = f"{len(self)} trees" if len(self) > 1 else "1 tree"
        return "\n".join([f"Front of {count}, smallest first", *lines])

    def _repr_html_(self) -> str:
        header, *body = self._table()
        return notebook.of_front(header, body, self.mean_tests.tolist(), self.loss.tolist())

    # ---- identity ----

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Front):
            return NotImplemented
        return (self.trees, self.sizes) == (other.trees, other.sizes) and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ARRAYS
        )

    def __hash__(self) -> int:
        return hash(self.trees)

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor, so that arrays are read-only again; by name, so that a later
        # release may have more fields.
        return _unpickled, ({field.name: getattr(self, field.name) for field in fields(self)},)


def scores_of(
    trees: Sequence[Tree], rows: Floats, y: ArrayLike, sample_weight: ArrayLike | None
) -> Floats:
    """Accuracy of trees of one fit on checked rows, or R^2 or D^2: what `Front.score` returns."""
    weight = check_weight(sample_weight, len(rows))
    classes = trees[0].classes
    if classes is None:
        numbers = check_numbers(y, len(rows))
        _, metric = SCORES[trees[0].loss_name]
        return np.array(
            [metric(numbers, tree.predictions(rows), sample_weight=weight) for tree in trees]
        )
    codes = check_scored(y, classes, len(rows))
    return np.array([np.average(tree.codes(rows) == codes, weights=weight) for tree in trees])


def _unpickled(state: dict[str, Any]) -> Front:
    try:
        return Front(**state)
    except TypeError as error:
        raise ValueError(
            f"this Front was pickled by another release of treefront ({error}); load it there and "
            "write the model with save(), whose files other releases read"
        ) from error


def _hull(errors: Floats, complexity: Floats) -> list[int]:
    """Indices of the lower-left convex hull of points in ascending order of complexity."""
    points = [(Fraction(c), Fraction(e)) for c, e in zip(complexity.tolist(), errors.tolist())]
    hull: list[int] = []
    for i, (c, e) in enumerate(points):
        while len(hull) > 1:
            (c0, e0), (c1, e1) = points[hull[-2]], points[hull[-1]]
            if (e1 - e0) * (c - c0) < (e - e0) * (c1 - c0):
                break
            hull.pop()
        hull.append(i)
    return hull


def _frozen(array: NDArray[Any]) -> NDArray[Any]:
    if array.flags.writeable:
        array = array.copy()
        array.flags.writeable = False
    return array


def _cell(name: str, value: float) -> str:
    if name == "proved":
        return "yes" if value else "no"
    return str(value) if name in ("n_leaves", "depth") else f"{value:.4g}"
