"""The regressor: every tree of the squared error/complexity front from one fit."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from treefront.data import TrainingData, check_rows, check_training
from treefront.estimators import parameters
from treefront.estimators.base import FrontEstimator
from treefront.estimators.options import Option, Values
from treefront.front import scores_of
from treefront.targets import as_numbers, encode_numbers

Floats = NDArray[np.float64]


class DPDTRegressor(RegressorMixin, FrontEstimator):
    """Regression trees by dynamic programming: the whole front in one fit.

    As `DPDTClassifier`, with one or several numbers to predict: the loss is the squared (or the
    absolute) error, summed over the numbers, and a leaf predicts the means (or medians) of its
    training rows. `fit` finds all trees that are optimal for some price of a test and keeps them in
    `front_`.

    Parameters
    ----------
    max_depth : int, default=4
        Most tests that a row may meet, at least 0.
    splits : "auto", "all", split generator, callable, or sequence of these, default="auto"
        Tests that may be made in a state, as for `DPDTClassifier`. Generators grow their greedy
        trees by the loss, whatever their `criterion`.
    exact_tail : "auto", 0, 1 or 2, default="auto"
        Number of last levels that are solved over all tests.
    prove : {"tree", "front"}, default="tree"
        What ``splits="all"`` proves optimal: the tree at `alpha`, or every tree of the front.
    alpha : float, default=0.0
        Which tree of the front predicts: the price of a test per row, in units of the mean loss of
        a row (with ``complexity="splits"``, the price of a test in the tree).
    complexity : {"tests", "splits"}, default="tests"
        What is weighed against the error: the average number of tests that a row meets, or the
        number of tests in the tree.
    min_samples_leaf : int or float, default=1
        Least number of training rows in a leaf; a float is a fraction of all rows, rounded up.
    min_weight_fraction_leaf : float, default=0.0
        Least share of the total weight in a leaf, up to 0.5. With weights that differ searches are
        then slower.
    thresholds : {"short", "midpoint"}, default="short"
        Where in the gap between two neighbouring training values a threshold lies. ``"short"``: the
        midpoint rounded to the fewest digits that keep it in the middle half of the gap; a whole
        number where all values of the column are whole, a date or time where they are.
        ``"midpoint"``: the midpoint itself. Training rows go the same ways with both.
    categorical_features : str or array-like of bool, int or str, default="from_dtype"
        Columns that hold categories rather than numbers; see `DPDTClassifier`.
    loss : {"squared_error", "absolute_error"}, default="squared_error"
        What a tree is measured by. With the absolute error a leaf predicts the median: the middle
        of what has at most half of the weight on either side. Medians are no sums, so searches
        are slower (by default with a narrower search and an exact tail of one level).
    feature_costs : array-like of shape (n_features,) or dict, optional
        Price of a test of every feature, in place of 1; a dict names columns, others cost 1. The
        complexity is then what a row pays on average (with ``complexity="splits"``, the sum of the
        prices of the tests in the tree).
    feature_costs_once : bool, default=False
        Whether a feature is bought: after its first test on a path its further tests are free.
    feature_groups : list of lists of columns, optional
        Features that are bought together (one blood sample, many values), by name or number;
        they share one price. Needs ``feature_costs_once=True``.
    monotonic_cst : array-like of int of shape (n_features,) or dict, optional
        1 where predictions must not fall as the feature rises, -1 where they must not rise, 0
        elsewhere; a dict names columns. It holds in every tree of the front, of values that are not
        missing. One target only; see Notes.
    time_limit : float, optional
        Seconds after which the search stops with the best front so far.
    memory_limit : int or str, optional
        Budget of the search's memory of solved states; it changes no result.
    n_jobs : int, optional
        Number of threads, as joblib counts them: None is 1, -1 is all.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does: raise KeyboardInterrupt, or end the search with the best front so far.
    verbose : int, default=0
        1 shows a progress bar (needs tqdm).

    Attributes
    ----------
    front_ : Front
        All trees, smallest first; `loss` is the mean squared or absolute error.
    tree_ : Tree
        The tree that predicts.
    alpha_ : float
        A price of a test for which `tree_` is optimal.
    status_ : str
        ``"complete"``, ``"optimal"``, ``"time_limit"`` or ``"interrupted"``, as for
        `DPDTClassifier`.
    lower_bound_ : float
        No tree of the depth has a smaller ``loss + alpha * complexity`` at the `alpha` of the
        fit. 0 where nothing was proved.
    gap_ : float
        How much more than `lower_bound_` the tree at the `alpha` of the fit has.
    n_states_ : int
        Number of states solved.
    splits_ : list
        Split generators used, one per depth; the last one served all deeper levels.
    exact_tail_ : int
        Number of last levels solved over all tests.
    categories_ : tuple, one entry per column
        Its categories, sorted; None for a column of numbers.
    times_ : tuple, one entry per column
        "naive" or "UTC" (with a time zone) for points in time, else None.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if X had names that are all text.
    feature_importances_ : ndarray of shape (n_features,)
        Share of every feature in the decrease of the loss by `tree_`.

    See Also
    --------
    DPDTClassifier : The same for classes, with more on every parameter.

    Notes
    -----
    Losses are summed on a grid of 2^-42 of the sum of squares (or of absolute values): trees whose
    errors differ by less relative to it count as equal, and "optimal" is up to that.

    The bounds of a proof: fewer rows never cost more, with the same tree and the means or medians
    of the rows that are left; and a row of weight w that moves to another side changes the best
    loss by at most ``w * range(y)**2``, or ``w * range(y)`` (those of several targets add up),
    since what any leaf predicts lies within the range.

    With `monotonic_cst` trees are those of scikit-learn's rule: the values of the two sides of a
    test of such a feature must be in order as leaves, and no leaf below it passes the middle
    between them; a leaf's mean or median beyond is moved to it. What a child may predict then
    depends on the test above it, so none of these bounds holds: ``splits="all"`` enumerates all
    trees, which takes long (`time_limit` returns the best ones so far), and proves them all.

    The sets of categories that may be tested are the cuts of the order by mean target over all
    training rows (one order for each of the first three targets); up to four categories every set.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treefront import DPDTRegressor
    >>> X, y = load_diabetes(return_X_y=True, as_frame=True)
    >>> model = DPDTRegressor(max_depth=2).fit(X, y)
    >>> model.front_.n_leaves.tolist()
    [1, 2, 3, 3, 4]
    """

    _parameter_constraints: ClassVar[Mapping[str, Option]] = parameters.with_more(
        "categorical_features",
        loss=Option(
            (Values(("squared_error", "absolute_error")),),
            "what a leaf is measured by: the squared or the absolute error",
        ),
    )

    def __init__(
        self,
        max_depth: int = 4,
        splits: Any = "auto",
        exact_tail: str | int = "auto",
        prove: str = "tree",
        alpha: float = 0.0,
        complexity: str = "tests",
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        thresholds: str = "short",
        categorical_features: Any = "from_dtype",
        loss: str = "squared_error",
        feature_costs: Any = None,
        feature_costs_once: bool = False,
        feature_groups: Any = None,
        monotonic_cst: Any = None,
        time_limit: float | None = None,
        memory_limit: int | str | None = None,
        n_jobs: int | None = None,
        on_interrupt: str = "raise",
        verbose: int = 0,
    ) -> None:
        super().__init__(
            max_depth=max_depth,
            splits=splits,
            exact_tail=exact_tail,
            prove=prove,
            alpha=alpha,
            complexity=complexity,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            thresholds=thresholds,
            categorical_features=categorical_features,
            feature_costs=feature_costs,
            feature_costs_once=feature_costs_once,
            feature_groups=feature_groups,
            monotonic_cst=monotonic_cst,
            time_limit=time_limit,
            memory_limit=memory_limit,
            n_jobs=n_jobs,
            on_interrupt=on_interrupt,
            verbose=verbose,
        )
        self.loss = loss

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> DPDTRegressor:
        """Find all trees of the front.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Numbers, used as float64, and categories; either may be missing.
        y : array-like of shape (n_rows,) or (n_rows, n_outputs)
            Numbers to predict.
        sample_weight : array-like of shape (n_rows,), optional
            Weights, none negative. A row of weight 0 counts as no row.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            A parameter out of range, or bad data; the message names column and row.
        KeyboardInterrupt
            Ctrl-C, within a fraction of a second.
        """
        with self._unchanged_on_failure():
            self._validate_params()
            self._search(self._check(X, y, sample_weight))
        return self

    _as_target = staticmethod(as_numbers)

    def _check(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> TrainingData:
        """What `fit` was given, checked; sets what is known of the columns."""
        encode = partial(encode_numbers, absolute=self.loss == "absolute_error")
        return check_training(self, X, y, sample_weight, self._as_target, encode)

    def predict(self, X: ArrayLike) -> Floats:
        """Mean (or median) of the targets in the leaf of every row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,), or (n_rows, n_outputs) with several targets

        Raises
        ------
        ValueError
            Infinity, or other columns than in fit.
        """
        check_is_fitted(self)
        means: Floats = self.tree_.predictions(check_rows(self, X))
        return means

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """R^2 of the predictions; with ``loss="absolute_error"`` D^2.

        The score that `front_.score` has for `tree_`: what part of the loss of the best constant
        is gone (scikit-learn's `r2_score` or `d2_absolute_error_score`).

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
        y : array-like of shape (n_rows,) or (n_rows, n_outputs)
        sample_weight : array-like of shape (n_rows,), optional

        Returns
        -------
        float

        Raises
        ------
        ValueError
            As in `predict`; targets that are missing or no numbers; weights that are negative or
            all 0; lengths that differ.
        """
        check_is_fitted(self)
        return float(scores_of([self.tree_], check_rows(self, X), y, sample_weight)[0])

    @property
    def feature_importances_(self) -> Floats:
        """Share of every feature in the decrease of the loss by `tree_`.

        All zero for a tree without a test; else the sum is 1.
        """
        check_is_fitted(self)
        decrease = self.tree_.decrease_of(self.tree_.loss)
        return decrease / decrease.sum() if decrease.sum() > 0 else decrease

    def __sklearn_tags__(self) -> Tags:
        tags: Any = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.target_tags.single_output = True
        return tags
