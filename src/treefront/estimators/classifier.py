"""The classifier: every tree of the accuracy/complexity front from one fit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from treefront import costs, files, labels
from treefront.data import TrainingData, check_rows, check_training
from treefront.estimators import parameters
from treefront.estimators.base import FrontEstimator
from treefront.estimators.options import Anything, Option
from treefront.labels import Labels
from treefront.targets import Classes, encode_classes
from treefront.tree import Tree


class DPDTClassifier(ClassifierMixin, FrontEstimator):
    """Decision trees by dynamic programming: the whole front in one fit.

    A state of the search is a set of training rows and a number of tests that may still be made.
    In every state the split generator proposes tests, and dynamic programming finds all trees
    that are optimal for some price of a test: the lower-left convex hull of error against
    complexity. `fit` keeps them all in `front_`; `alpha` or `select` says which one predicts.

    Parameters
    ----------
    max_depth : int, default=4
        Most tests that a row may meet, at least 0. It is the horizon of the search and must be
        finite.
    splits : "auto", "all", split generator, callable, or sequence of these, default="auto"
        Tests that may be made in a state. ``"auto"`` takes `CartSplits` as wide as the work
        predicted from shape and depth allows (`treefront.effort`), and adds the greedy trees by
        entropy and by Gini impurity with all their prunings. ``"all"`` searches the trees of all
        tests by branch and bound: it starts as ``"auto"`` does, then proves or replaces what
        it found, see `prove`. (`AllSplits` gives the same by plain enumeration.) A callable
        ``(X, y, sample_weight) -> [(feature, threshold), ...]`` is given the rows of the state,
        with ``sample_weight`` None where `fit` had none. A sequence holds one generator per
        depth; the last one serves all deeper levels.
    exact_tail : "auto", 0, 1 or 2, default="auto"
        Number of last levels that are solved over all tests, whatever `splits` says. ``"auto"``
        is 2 where the predicted work stays small, else 1. 0 is the paper to the letter. Without
        effect with ``splits="all"``.
    prove : {"tree", "front"}, default="tree"
        What ``splits="all"`` proves optimal among all trees of the depth: the tree at `alpha`,
        while the rest of the front stays as found, or every tree of the front, which then is
        the front of all trees. At ``alpha=0`` ``"tree"`` proves the error; ``"front"`` also
        that no tree with that error has a smaller complexity.
    alpha : float, default=0.0
        Which tree of the front predicts: the price of a test per row, in units of the error rate
        or of `cost_matrix` (with ``complexity="splits"``, the price of a test in the tree). 0 is
        the tree with the smallest training loss.
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
        Columns that hold categories rather than numbers. ``"from_dtype"``: those of a data frame
        that hold text, bools or categories. None: there are none. Tests of such a column ask
        whether the category is one of some; see Notes.
    class_weight : dict or "balanced", optional
        Weights of classes, multiplied with `sample_weight` as in scikit-learn: they count in
        errors, class shares and average tests alike.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        What a prediction (column) costs by the true class (row), in the order of `classes_`; 0 on
        the diagonal. The loss is then the mean cost of a row, and a leaf predicts the class that
        costs least, which need not be the one with the largest share. It must fit the classes
        that `fit` sees: in cross-validation every fold needs all of them.
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
        1 where the probability of the second class must not fall as the feature rises, -1 where
        it must not rise, 0 elsewhere; a dict names columns. It holds in every tree of the front,
        for predictions and for `predict_proba`, of values that are not missing. Two classes only.
    time_limit : float, optional
        Seconds after which the search stops with the best front so far; `status_` says so, and
        `gap_` how far from optimal the tree at `alpha` can be.
    memory_limit : int or str, optional
        Budget of the search's memory of solved states: bytes, or text such as ``"2GB"``. A full
        memory forgets states and solves them again; it changes no result. By default 64 MB or
        four times the size of X, whichever is more.
    n_jobs : int, optional
        Number of threads, as joblib counts them: None is 1, -1 is all. The trees do not depend
        on it, but for ``splits="all"``: with several threads trees that are equally good may
        take each other's place from run to run. What is proved, values and bounds, stays.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does: raise KeyboardInterrupt and leave the estimator as it was, or end the
        search as a time limit does, with the best front so far.
    verbose : int, default=0
        1 shows a progress bar (needs tqdm); during a proof the loss in hand, its lower bound
        and their gap.

    Attributes
    ----------
    front_ : Front
        All trees, smallest first.
    tree_ : Tree
        The tree that predicts.
    alpha_ : float
        A price of a test for which `tree_` is optimal.
    status_ : str
        ``"complete"``: all that was to be searched is; ``"optimal"``: all that was to be
        proved is; ``"time_limit"``: the best front found in time; ``"interrupted"``: the best
        front found before Ctrl-C, with ``on_interrupt="return"``. A memory limit never ends a
        search.
    lower_bound_ : float
        No tree of the depth has a smaller ``loss + alpha * complexity`` at the `alpha` of the
        fit. 0 where nothing was proved.
    gap_ : float
        How much more than `lower_bound_` the tree at the `alpha` of the fit has; exactly 0 where
        `status_` is ``"optimal"``.
    n_states_ : int
        Number of states solved.
    splits_ : list
        Split generators used, one per depth; the last one served all deeper levels. Those of
        the start with ``splits="all"``.
    exact_tail_ : int
        Number of last levels solved over all tests.
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted. Labels that only rows of weight 0 have are not among them.
    categories_ : tuple, one entry per column
        Its categories, sorted; None for a column of numbers.
    times_ : tuple, one entry per column
        "naive" or "UTC" (with a time zone) for points in time, else None.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if X had names that are all text.
    feature_importances_ : ndarray of shape (n_features,)
        Share of every feature in the decrease of Gini impurity by `tree_`.

    See Also
    --------
    treefront.Front : The trees, their prices, scores and plots.
    treefront.load : Read a model that `save` wrote.

    Notes
    -----
    Missing values (NaN, None, ``pd.NA``) need no preparation: every test sends them to the side
    where they do less harm, or tells them from the rest. In a column that had none in training, or
    none in the node, they go to the larger side.

    The sets of categories that may be tested are the cuts of some orders of the column's
    categories: with two classes the order by the share of the second class, with more one for
    each of the three largest classes; with up to four categories every set. The last test of a
    path is over all sets with two classes (and ``min_samples_leaf=1``). A missing value counts
    as a category of its own; one that was not seen in training goes where missing values go.
    "Optimal" is over these tests.

    With `monotonic_cst` a test of such a feature keeps the classes of its two sides in order: no
    leaf on its lower side predicts the second class while one on its upper side predicts the first.
    So one of the sides needs no further test, and "optimal" is over the trees of that kind, more
    than scikit-learn's. Class shares are then moved as far as the order asks.

    Dates and times (numpy, pandas, polars, Arrow, or Python's in columns of objects) are tested as
    microseconds since 1970-01-01 and shown as dates; with a time zone as UTC, and only what has
    one like the training column is compared with it. Durations are refused: turn them into numbers.

    A fit that fails or raises KeyboardInterrupt leaves the estimator as it was before. The
    estimator keeps no training rows.

    References
    ----------
    H. Kohler, R. Akrour, P. Preux. Interpretable Decision Tree Search as a Markov Decision
    Process. 2023.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treefront import DPDTClassifier
    >>> iris = load_iris(as_frame=True)
    >>> model = DPDTClassifier(max_depth=2).fit(iris.data, iris.target)
    >>> model.front_.n_leaves.tolist()
    [1, 3, 3]
    >>> print(model.tree_)
    all rows                            150 rows  0: 33.3%, 1: 33.3%, 2: 33.3%
    if petal length (cm) <= 2.5: 0       50 rows  0: 100%
    else:                               100 rows  1: 50.0%, 2: 50.0%
        if petal width (cm) <= 1.65: 1   52 rows  1: 92.3%, 2: 7.7%
        else: 2                          48 rows  2: 95.8%, 1: 4.2%
    """

    _parameter_constraints: ClassVar[Mapping[str, Option]] = parameters.with_more(
        "categorical_features",
        class_weight=Option((Anything(),), "weights of classes: a dict or 'balanced'"),
        cost_matrix=Option((Anything(),), "costs by true class (row) and prediction (column)"),
    )

    classes_: Labels

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
        class_weight: Any = None,
        cost_matrix: ArrayLike | None = None,
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
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> DPDTClassifier:
        """Find all trees of the front.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Numbers, used as float64, and categories; either may be missing.
        y : array-like of shape (n_rows,)
            Labels of any one type: text, bool or number.
        sample_weight : array-like of shape (n_rows,), optional
            Weights, none negative. A row of weight 0 counts as no row, one of weight 2 as two
            (but as one row for `min_samples_leaf`).

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

    _as_target = staticmethod(labels.as_labels)

    def _check(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> TrainingData:
        """What `fit` was given, checked; sets `classes_` and what is known of the columns."""
        data = check_training(self, X, y, sample_weight, self._as_target, self._encode)
        assert isinstance(data.target, Classes)
        self.classes_ = data.target.classes
        return data

    def _encode(
        self, target: Labels, weight: NDArray[np.float64] | None
    ) -> tuple[Classes, NDArray[np.float64] | None]:
        """Labels as codes, with what their errors cost, and the weights of the rows."""
        encoded, weight = encode_classes(target, weight)
        codes = encoded.codes
        if self.class_weight is not None:
            of_class = costs.class_weights(self.class_weight, encoded.classes, target)
            weight = of_class[codes] if weight is None else weight * of_class[codes]
            if not weight.any():
                raise ValueError("class_weight is 0 for every class of the data")
            # A weight of 0 would be no row; the least positive float counts for nothing too.
            weight = np.maximum(weight, np.finfo(np.float64).tiny)
        if self.cost_matrix is None:
            return encoded, weight
        matrix = costs.cost_matrix(self.cost_matrix, encoded.classes)
        price = costs.of_rows(matrix)
        if price is None:
            return replace(encoded, costs=matrix[codes]), weight
        own = np.ones(len(codes)) if weight is None else weight
        border = price[0] / price[:2].sum() if price[:2].any() else 0.5
        return replace(encoded, loss_weight=own * price[codes], border=border), weight

    def predict(self, X: ArrayLike) -> Labels:
        """Class of every row by `tree_`.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,)

        Raises
        ------
        ValueError
            Infinity, or other columns than in fit.
        """
        check_is_fitted(self)
        return self.classes_[self.tree_.codes(check_rows(self, X))]

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Class shares, by training weight, of the leaf of every row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
            Columns in the order of `classes_`; every row sums to 1.

        Raises
        ------
        ValueError
            As in `predict`.
        """
        check_is_fitted(self)
        return self.tree_.shares[self.tree_.leaves(check_rows(self, X))]

    def predict_log_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Logarithm of `predict_proba`; minus infinity for a share of 0.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)
        """
        with np.errstate(divide="ignore"):
            return np.log(self.predict_proba(X))

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Share of every feature in the decrease of Gini impurity by `tree_`, as scikit-learn's.

        All zero for a tree without a test or without a decrease; else the sum is 1.
        """
        check_is_fitted(self)
        decrease = _gini_decrease(self.tree_)
        return decrease / decrease.sum() if decrease.sum() > 0 else decrease

    def _restore(self, model: files.Model) -> None:
        super()._restore(model)
        assert self.tree_.classes is not None
        self.classes_ = self.tree_.classes


def _gini_decrease(tree: Tree) -> NDArray[np.float64]:
    """Weighted decrease of Gini impurity by the tests of every feature: (n_features,)."""
    return tree.decrease_of(tree.weight * (1 - np.square(tree.shares).sum(axis=1)))
