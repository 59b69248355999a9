"""What the cross-validated estimators share: the front of all rows, and scores for its prices."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from joblib import effective_n_jobs
from joblib.parallel import get_active_backend
from numpy.typing import ArrayLike, NDArray
from sklearn import get_config
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch
from sklearn.utils.metadata_routing import (
    UNUSED,
    MetadataRouter,
    MethodMapping,
    process_routing,
)
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from treefront import selection, threads
from treefront.columns import rows_of
from treefront.data import TrainingData, check_weight
from treefront.estimators.base import FrontEstimator
from treefront.estimators.progress import Stop
from treefront.estimators.scores import Scorer, check_scorer, of_trees, takes_weights
from treefront.front import Front
from treefront.targets import Classes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]

# What a fold takes over from the fit of all rows, besides the parameters.
LAYOUT = ("classes_", "n_features_in_", "feature_names_in_")

Self = TypeVar("Self", bound="CrossValidated")


@dataclass(frozen=True)
class Fold:
    """What one fold is trained and scored on."""

    name: str
    train: Rows  # among the rows of the training data
    X: Any  # held-out rows, as they were given
    y: NDArray[Any]
    params: Mapping[str, Any]  # of the scorer


@dataclass(frozen=True)
class FoldResult:
    """What one fold gave."""

    scores: Floats  # (n_alphas,)
    score_seconds: Floats  # (n_alphas,)
    fit_seconds: float
    status: str


class CrossValidated(FrontEstimator):
    """Chooses the tree of the front by cross-validation over the intervals of alpha."""

    # `groups` belong to the splitter: whether it takes them is for it to say.
    __metadata_request__fit: ClassVar = {"groups": UNUSED}

    _plain: ClassVar[type[FrontEstimator]]

    cv: Any
    scoring: Any
    rule: str
    cv_results_: dict[str, Any]
    best_index_: int
    best_score_: float
    best_alpha_: float
    n_splits_: int
    scorer_: Scorer
    fold_status_: list[str]

    def fit(
        self: Self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        **params: Any,
    ) -> Self:
        """Find all trees of the front, and choose one by cross-validation.

        One search on all rows gives the front, one search in every fold what its prices are worth.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Numbers, used as float64, and categories; either may be missing.
        y : array-like of shape (n_rows,), for numbers to predict also (n_rows, n_outputs)
            Labels or numbers.
        sample_weight : array-like of shape (n_rows,), optional
            Weights, none negative, for the searches and, where `scoring` takes weights, for the
            scores. A row of weight 0 takes part in the division into folds and in nothing else.
        groups : array-like of shape (n_rows,), optional
            For a splitter that keeps groups of rows together.
        **params : dict
            With scikit-learn's metadata routing enabled: what the splitter and the scorer ask for.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            A parameter out of range, or bad data; a division into folds that is not possible; a
            score that is no finite number.
        KeyboardInterrupt
            Ctrl-C, within a fraction of a second.
        """
        with self._unchanged_on_failure():
            self._validate_params()
            data = self._check(X, y, sample_weight)
            target = self._as_target(y)
            weight = check_weight(sample_weight, len(target))
            self.scorer_ = self._get_scorer()
            folds = self._folds(X, target, weight, data, self._route(weight, groups, params))
            start = perf_counter()
            self._search(data)
            # Folds of an interrupted search get its time: they would go on for long otherwise.
            interrupted = self.status_ == "interrupted"
            time_limit = perf_counter() - start if interrupted else self.time_limit
            alphas = selection.fold_alphas(self.front_.alpha_low, self.front_.alpha_high)
            results = self._search_folds(data, folds, alphas, time_limit)
            scores = np.column_stack([result.scores for result in results])
            self.n_splits_ = len(folds)
            self.fold_status_ = [result.status for result in results]
            self.cv_results_ = _table(self.front_, alphas, scores, results)
            self._choose_best(selection.RULES[self.rule](scores))
        return self

    def _choose_best(self, index: int) -> None:
        self.best_index_ = index
        self.best_score_ = float(self.cv_results_["mean_test_score"][index])
        self.best_alpha_ = self.front_.alpha_of(index)
        self._choose(index, self.best_alpha_)
        front = self.front_
        value = float(front.loss[index] + self.best_alpha_ * front.complexity[index])
        if front.proved.all():
            self.lower_bound_ = value  # the front of all trees: none is better at any price
        # Else the bound is that of a price of 0, which holds at any.
        self.gap_ = value - self.lower_bound_

    # ---- folds ----

    def _folds(
        self,
        X: Any,
        target: NDArray[Any],
        weight: Floats | None,
        data: TrainingData,
        routed: Bunch,
    ) -> list[Fold]:
        """Division of the rows; the splitter and the scorer see X as it was given."""
        kept = np.ones(len(target), dtype=bool) if weight is None else weight > 0
        place = np.cumsum(kept) - 1  # of the rows in the training data
        splitter = check_cv(self.cv, target, classifier=isinstance(data.target, Classes))
        folds = []
        for number, (train, test) in enumerate(
            splitter.split(X, target, **routed.splitter.split), 1
        ):
            train, test = (_numbers_of(rows, len(target)) for rows in (train, test))
            train, test = train[kept[train]], test[kept[test]]
            if len(train) == 0 or len(test) == 0:
                side = "train on" if len(train) == 0 else "score"
                raise ValueError(f"fold {number} of cv has no row of positive weight to {side}")
            scorer_params = {
                name: rows_of(value, test) if _is_per_row(value, len(target)) else value
                for name, value in routed.scorer.score.items()
            }
            fold = Fold(
                f"fold {number}", place[train], rows_of(X, test), target[test], scorer_params
            )
            folds.append(fold)
        if not folds:
            raise ValueError("cv has no fold")
        return folds

    def _search_folds(
        self,
        data: TrainingData,
        folds: Sequence[Fold],
        alphas: Floats,
        time_limit: float | None,
    ) -> list[FoldResult]:
        """Search and score the folds side by side, as joblib's backend and `n_jobs` say."""
        backend, _ = get_active_backend(prefer="threads")
        # Folds are searched in this process, in threads, or where the backend in force takes them.
        in_here = getattr(backend, "supports_sharedmem", False)
        n_jobs = threads.of_search(self.n_jobs) if in_here else effective_n_jobs(self.n_jobs)
        in_here = in_here or n_jobs == 1
        plain = self._as_plain()
        plain.time_limit = time_limit
        plain.on_interrupt = "raise"  # half a fold says nothing of its prices
        # A fold has to say what a price is worth, not to find the tree that is used: together the
        # folds may take the work of one search, of the same kind.
        plain._share_of_budget = 1 / len(folds)
        plain.exact_tail = self.exact_tail_
        # Jobs beyond the number of folds become threads of the searches, if they are in here.
        plain._n_threads = max(n_jobs // len(folds), 1) if in_here else 1
        plain.verbose = self.verbose if n_jobs == 1 else 0
        stop = Stop()
        # Searches leave the interpreter alone, so threads do; they need no copy of the data.
        parallel = Parallel(
            n_jobs=n_jobs if in_here else self.n_jobs,
            prefer="threads",
            verbose=0 if n_jobs == 1 else self.verbose,
        )
        try:
            results: list[FoldResult] = parallel(
                delayed(_search_and_score)(plain, data, fold, alphas, self.scorer_, stop)
                for fold in folds
            )
        except BaseException:
            stop.request()
            raise
        return results

    def _as_plain(self) -> Any:
        """The estimator without cross-validation, with the parameters and layout of this one."""
        own = self.get_params(deep=False)
        names = inspect.signature(self._plain.__init__).parameters
        plain = self._plain(**{name: own[name] for name in names if name in own})
        for name in LAYOUT:
            if hasattr(self, name):
                setattr(plain, name, getattr(self, name))
        return plain

    # ---- scores ----

    def _get_scorer(self) -> Scorer:
        # Of a plain estimator, since without `scoring` a scorer holds the one it was made for.
        return check_scorer(self._plain(), self.scoring)

    def score(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None) -> float:
        """Score of `tree_` by `scoring`; without, by its own `score`.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
        y : array-like of shape (n_rows,) or (n_rows, n_outputs)
        sample_weight : array-like of shape (n_rows,), optional

        Returns
        -------
        float
        """
        check_is_fitted(self)
        if self.scoring is None:
            return float(super().score(X, y, sample_weight))
        given = {} if sample_weight is None else {"sample_weight": sample_weight}
        return float(self._get_scorer()(self, X, y, **given))

    def plot_scores(self, ax: Axes | None = None) -> Axes:
        """Draw the mean score of the trees against the average number of tests.

        The bars are one standard error of the mean to both sides.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new pyplot figure without.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ImportError
            matplotlib is not installed.
        """
        from treefront.plots.scores import compute, draw

        check_is_fitted(self)
        return draw(compute(self.cv_results_, self.best_index_, self.score_name), ax)

    @property
    def score_name(self) -> str:
        """What the scores of the folds are called in plots and reports."""
        if isinstance(self.scoring, str):
            return self.scoring.replace("_", " ")
        if self.scoring is not None:
            return str(getattr(self.scoring, "name", "score"))
        return self.front_.score_name

    # ---- metadata ----

    def get_metadata_routing(self) -> MetadataRouter:
        """Which parameters of `fit` go where, for scikit-learn's metadata routing.

        Returns
        -------
        MetadataRouter
        """
        fit_to_split = MethodMapping().add(caller="fit", callee="split")
        to_score = MethodMapping().add(caller="fit", callee="score")
        return (
            MetadataRouter(owner=type(self).__name__)
            .add_self_request(self)
            .add(splitter=self.cv, method_mapping=fit_to_split)
            .add(scorer=self._get_scorer(), method_mapping=to_score)
        )

    def _route(self, weight: Floats | None, groups: Any, params: Mapping[str, Any]) -> Bunch:
        """What the splitter's `split` and the scorer's `score` are given."""
        of_rows = {"sample_weight": weight, "groups": groups}
        given = {name: value for name, value in of_rows.items() if value is not None}
        if get_config()["enable_metadata_routing"]:
            # Without anything to route there is no entry either.
            routed = process_routing(self, "fit", **given, **params)
            return Bunch(splitter=routed.splitter, scorer=routed.scorer)
        if params:
            raise ValueError(
                f"fit takes {', '.join(params)} only with scikit-learn's metadata routing: "
                "sklearn.set_config(enable_metadata_routing=True)"
            )
        weighs = weight is not None and takes_weights(self.scorer_)
        return Bunch(
            splitter=Bunch(split={} if groups is None else {"groups": groups}),
            scorer=Bunch(score={"sample_weight": weight} if weighs else {}),
        )

    # ---- files ----

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fitted model, all trees of the front, as versioned JSON.

        The file holds the estimator without cross-validation, at the price that is chosen:
        `treefront.load` returns it with the same front and the same tree. How they scored is kept
        by pickle alone.

        Parameters
        ----------
        path : str or path-like

        Raises
        ------
        ValueError
            `splits` is a Python function, or the labels have a type that JSON does not know.
        OSError
            The file cannot be written.
        """
        check_is_fitted(self)
        plain = self._as_plain()
        for name, value in vars(self).items():
            if name.endswith("_") and name not in OWN:
                setattr(plain, name, value)
        plain.alpha = self.alpha_
        plain.save(path)


OWN = (
    *("cv_results_", "best_index_", "best_score_", "best_alpha_"),
    *("n_splits_", "scorer_", "fold_status_"),
)


def _search_and_score(
    plain: Any, data: TrainingData, fold: Fold, alphas: Floats, scorer: Scorer, stop: Stop
) -> FoldResult:
    """Search one fold, and score the trees that are best there at the prices."""
    stop.check()
    model = copy.copy(plain)
    start = perf_counter()
    model._search(data.of_rows(fold.train), fold.name, stop)
    fit_seconds = perf_counter() - start
    front: Front = model.front_
    trees = [front[front.select(alpha=alpha)] for alpha in alphas.tolist()]
    scores, seconds = of_trees(model, trees, scorer, fold.X, fold.y, fold.params)
    return FoldResult(scores, seconds, fit_seconds, model.status_)


def _table(
    front: Front, alphas: Floats, scores: Floats, results: Sequence[FoldResult]
) -> dict[str, Any]:
    """`cv_results_`: one entry per tree of the front, named as in scikit-learn's searches."""
    n_trees = len(front)
    fit_seconds = np.tile([result.fit_seconds for result in results], (n_trees, 1))
    score_seconds = np.column_stack([result.score_seconds for result in results])
    mean = scores.mean(axis=1)
    return {
        "mean_fit_time": fit_seconds.mean(axis=1),
        "std_fit_time": fit_seconds.std(axis=1),
        "mean_score_time": score_seconds.mean(axis=1),
        "std_score_time": score_seconds.std(axis=1),
        "param_alpha": alphas,
        "params": [{"alpha": alpha} for alpha in alphas.tolist()],
        "n_leaves": front.n_leaves,
        "mean_tests": front.mean_tests,
        **{f"split{fold}_test_score": scores[:, fold] for fold in range(scores.shape[1])},
        "mean_test_score": mean,
        "std_test_score": scores.std(axis=1),
        "standard_error": selection.standard_error(scores),
        "rank_test_score": selection.ranks(mean),
    }


def _numbers_of(rows: Any, n_rows: int) -> Rows:
    """Row numbers of a fold, which may also be given as flags."""
    rows = np.asarray(rows)
    if rows.dtype == bool and rows.shape == (n_rows,):
        return np.flatnonzero(rows)
    if rows.ndim != 1 or (rows.size and rows.dtype.kind not in "iu"):
        raise ValueError("cv must give the rows of a fold as their numbers")
    if rows.size and not -n_rows <= rows.min() <= rows.max() < n_rows:
        raise ValueError(f"cv names rows that X does not have: it has {n_rows}")
    places: Rows = rows.astype(np.intp) % n_rows
    return places


def _is_per_row(value: Any, n_rows: int) -> bool:
    return np.ndim(value) > 0 and len(value) == n_rows
