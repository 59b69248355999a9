"""The classifier that chooses its tree by cross-validation."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from numpy.typing import ArrayLike

from treefront.estimators import parameters
from treefront.estimators.classifier import DPDTClassifier
from treefront.estimators.cross_validated import CrossValidated
from treefront.estimators.options import Option


class DPDTClassifierCV(CrossValidated, DPDTClassifier):
    """The whole front in one fit, and the tree of it that cross-validation chooses.

    As `DPDTClassifier`, but in place of `alpha` there are folds of the rows: every tree of the
    front is given the score that its price earns on rows that were held out, and the best one,
    or the smallest one that is about as good, predicts. `select` still chooses another.

    Parameters
    ----------
    max_depth : int, default=4
        Most tests that a row may meet, at least 0.
    splits : "auto", "all", split generator, callable, or sequence of these, default="auto"
        Tests that may be made in a state, as for `DPDTClassifier`. With ``"auto"`` all folds
        together may take as much work as the search of all rows.
    exact_tail : "auto", 0, 1 or 2, default="auto"
        Number of last levels that are solved over all tests.
    prove : {"tree", "front"}, default="front"
        What ``splits="all"`` proves optimal, of all rows and in every fold: every tree of the
        front, so also the one that is chosen, or only the largest.
    cv : int, splitter or iterable, optional
        The folds: their number (5 without; stratified by class), a splitter of
        scikit-learn, or pairs of the row numbers to train on and to score.
    scoring : str or callable, optional
        What is compared: a name or a scorer of scikit-learn, or a function
        ``(estimator, X, y) -> score`` where higher is better. Without, the accuracy. The estimator
        that it is given is a `DPDTClassifier`, with the classes of all rows and the trees of
        the fold.
    rule : {"one_standard_error", "best"}, default="one_standard_error"
        Which tree is chosen: the smallest one whose mean score is within one standard error of the
        highest, since the folds cannot tell them apart, or the one with the highest mean score
        (the smallest at a tie).
    complexity : {"tests", "splits"}, default="tests"
        What is weighed against the error: the average number of tests that a row meets, or the
        number of tests in the tree.
    min_samples_leaf : int or float, default=1
        Least number of training rows in a leaf; a float is a fraction of the rows of a search.
    min_weight_fraction_leaf : float, default=0.0
        Least weight of a leaf, as a share of the weight of the rows of a search.
    thresholds : {"short", "midpoint"}, default="short"
        Where a threshold lies in the gap between two neighbouring values: at a number of few
        digits, or in the middle.
    categorical_features : str or array-like of bool, int or str, default="from_dtype"
        Columns that hold categories rather than numbers; see `DPDTClassifier`.
    class_weight : dict or "balanced", optional
        Weights of classes, multiplied with `sample_weight`; ``"balanced"`` is by the classes of all
        rows, in every fold.
    cost_matrix : array-like of shape (n_classes, n_classes), optional
        What a prediction (column) costs by the true class (row), in the order of `classes_`; a fold
        may lack classes.
    feature_costs : array-like of shape (n_features,) or dict, optional
        Price of a test of every feature, in place of 1; a dict names columns, others cost 1.
    feature_costs_once : bool, default=False
        Whether a feature is bought: after its first test on a path its further tests are free.
    feature_groups : list of lists of columns, optional
        Features that are bought together. Needs ``feature_costs_once=True``.
    monotonic_cst : array-like of int of shape (n_features,) or dict, optional
        By feature 1, -1 or 0: whether predictions must rise or fall with it; see the plain
        estimator.
    time_limit : float, optional
        Seconds for each search, of all rows and of every fold; it then ends with the best front so
        far. `status_` and `fold_status_` say so.
    memory_limit : int or str, optional
        Budget of each search's memory of solved states; it changes no result.
    n_jobs : int, optional
        Number of jobs, as joblib counts them: None is 1, -1 is all. The search of all rows has so
        many threads, then so many folds are searched side by side: in threads, or wherever the
        joblib backend in force (``joblib.parallel_config``) takes them. It changes no result.
    on_interrupt : {"raise", "return"}, default="raise"
        What Ctrl-C does: raise KeyboardInterrupt and leave the estimator as it was, or end the
        search of all rows with the best front so far; every fold then has as many seconds as that
        search had. During the search of a fold it raises in any case.
    verbose : int, default=0
        1 shows a progress bar for every search (needs tqdm); of folds that are searched side by
        side, joblib's messages.

    Attributes
    ----------
    front_ : Front
        All trees, smallest first, searched on all rows.
    tree_ : Tree
        The tree that predicts.
    alpha_ : float
        A price of a test for which `tree_` is optimal.
    cv_results_ : dict of arrays
        One entry per tree of the front, named as those of scikit-learn's `GridSearchCV`:
        ``param_alpha`` and ``params``, the price that stands for the tree;
        ``split0_test_score`` and so on, ``mean_test_score``, ``std_test_score``,
        ``rank_test_score``; ``standard_error`` of the mean; ``n_leaves`` and ``mean_tests`` of
        the tree; times in seconds, where every tree has the time of the fold's whole search.
    best_index_ : int
        Place in `front_` of the tree that cross-validation chose, also after `select`.
    best_score_ : float
        Its mean score.
    best_alpha_ : float
        A price of a test for which it is optimal.
    n_splits_ : int
        Number of folds.
    scorer_ : callable
        What scored the folds.
    status_ : str
        How the search of all rows ended, as for `DPDTClassifier`.
    fold_status_ : list of str
        How the searches of the folds ended.
    lower_bound_ : float
        No tree of the depth has a smaller ``loss + alpha * complexity`` at `best_alpha_`. 0 where
        nothing was proved.
    gap_ : float
        How much more than `lower_bound_` the tree has.
    n_states_ : int
        Number of states solved in the search of all rows.
    splits_, exact_tail_ : list, int
        What that search used.
    classes_ : ndarray of shape (n_classes,)
        Labels, sorted.
    categories_ : tuple, one entry per column
        Its categories, sorted; None for a column of numbers.
    n_features_in_ : int
        Number of columns seen in `fit`.
    feature_names_in_ : ndarray of shape (n_features,)
        Names of the columns, if X had names that are all text.
    feature_importances_ : ndarray of shape (n_features,)
        Share of every feature in the decrease of the Gini impurity by `tree_`.

    See Also
    --------
    DPDTClassifier : Without cross-validation; more on every parameter.

    Notes
    -----
    There is one score for every tree of the front and every fold, from one search on all rows and
    one in every fold. A tree stands for the geometric mean of its interval of prices, and in each
    fold the tree that is optimal at this price is scored. So the largest tree has the score of
    cross-validating ``alpha=0``, and the smallest that of the smallest trees.

    A fold may lack classes in the rows it is trained on: its trees still have a share, 0, for each.
    Scores that need every class among the held-out rows, such as ``"roc_auc"``, need folds that
    have them.

    References
    ----------
    L. Breiman, J. H. Friedman, R. A. Olshen, C. J. Stone. Classification and Regression Trees.
    1984. Chapters 3.4 and 11.5.

    Examples
    --------
    >>> from sklearn.datasets import load_breast_cancer
    >>> from treefront import DPDTClassifierCV
    >>> X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    >>> model = DPDTClassifierCV(max_depth=3, rule="best").fit(X, y)
    >>> model.cv_results_["n_leaves"].tolist() == model.front_.n_leaves.tolist()
    True
    >>> model.tree_ is model.front_[model.best_index_]
    True
    """

    _plain = DPDTClassifier
    _parameter_constraints: ClassVar[Mapping[str, Option]] = parameters.with_choice(
        DPDTClassifier._parameter_constraints
    )

    def __init__(
        self,
        max_depth: int = 4,
        splits: Any = "auto",
        exact_tail: str | int = "auto",
        prove: str = "front",
        cv: Any = None,
        scoring: Any = None,
        rule: str = "one_standard_error",
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
            complexity=complexity,
            min_samples_leaf=min_samples_leaf,
            min_weight_fraction_leaf=min_weight_fraction_leaf,
            thresholds=thresholds,
            categorical_features=categorical_features,
            class_weight=class_weight,
            cost_matrix=cost_matrix,
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
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
