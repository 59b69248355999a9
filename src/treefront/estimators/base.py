"""What all estimators share: one fit, one choice, one way into the trees."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from os import PathLike
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from treefront import (
    _native,
    files,
    monotone,
    notebook,
    selection,
    splits,
    threads,
    thresholds,
)
from treefront.columns import Categories, Times
from treefront.data import TrainingData, check_rows
from treefront.estimators import options, progress, scores
from treefront.estimators.history import History, Recorder
from treefront.estimators.options import Option
from treefront.estimators.plan import Plan, plan_of
from treefront.front import Front
from treefront.targets import Classes
from treefront.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treefront.report import Report

SMALLEST_MEMO = 64_000_000  # bytes
MEMO_PER_BYTE_OF_X = 4
LARGEST_ALPHA = 1e300
PICKLE_FORMAT = 1  # another one where a pickled estimator, front or tree lacks what is now needed
UNKNOWN = (math.nan, math.nan)

Self = TypeVar("Self", bound="FrontEstimator")


class FrontEstimator(BaseEstimator):
    """Base of the estimators: search the front, choose a tree of it."""

    _parameter_constraints: ClassVar[Mapping[str, Option]]

    front_: Front
    tree_: Tree
    alpha_: float
    status_: str
    lower_bound_: float
    gap_: float
    n_states_: int
    search_history_: History
    splits_: list[splits.Generator]
    exact_tail_: int
    n_features_in_: int
    categories_: Categories
    times_: Times

    _share_of_budget = 1.0  # how much of the work that "auto" allows a search may take
    _n_threads: int | None = None  # settled by whoever runs searches side by side; else by n_jobs

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
        self.max_depth = max_depth
        self.splits = splits
        self.exact_tail = exact_tail
        self.prove = prove
        self.alpha = alpha
        self.complexity = complexity
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.thresholds = thresholds
        self.categorical_features = categorical_features
        self.feature_costs = feature_costs
        self.feature_costs_once = feature_costs_once
        self.feature_groups = feature_groups
        self.monotonic_cst = monotonic_cst
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.n_jobs = n_jobs
        self.on_interrupt = on_interrupt
        self.verbose = verbose

    # ---- fit ----

    def _validate_params(self) -> None:
        """Check the parameters against their table."""
        options.check(self._parameter_constraints, self.get_params(deep=False))

    # What makes y an array with one entry per row, or says why it cannot.
    _as_target: Callable[[ArrayLike], NDArray[Any]]

    def _check(self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None) -> TrainingData:
        """What `fit` was given, checked; sets what is known of classes and columns."""
        raise NotImplementedError

    def _search(
        self, data: TrainingData, name: str = "search", stop: progress.Stop | None = None
    ) -> None:
        """Search the front of checked data, and choose the tree for `alpha`."""
        plan = plan_of(self, data, self._share_of_budget)
        # What the core's losses are divided by to be mean losses of a row.
        unit = data.total_weight / (data.target.loss_unit or 1.0)
        is_rate = isinstance(data.target, Classes)
        recorder = Recorder(unit)
        with progress.bar(self.verbose, unit, is_rate=is_rate, name=name, stop=stop) as shown:
            on_progress = recorder.and_then(shown) if plan.is_proof else shown
            self._take(self._run(data, plan, on_progress), data, plan)
            if on_progress is not None:
                value = _cost(self.front_, self.alpha)
                bounds = (value * unit, self.lower_bound_ * unit) if plan.is_proof else UNKNOWN
                on_progress(1.0, self.n_states_, *bounds)
            self.search_history_ = recorder.history

    def _run(
        self, data: TrainingData, plan: Plan, on_progress: _native.OnProgress | None
    ) -> _native.SearchResult:
        """The core's search."""
        total = data.total_weight
        return _native.search(
            data.X,
            data.target,
            data.sample_weight,
            max_depth=min(int(self.max_depth), data.n_rows),  # no tree is deeper
            splits=splits.specs(plan.splits, data.X, data.target.y, data.row_weight),
            exact_tail=plan.exact_tail,
            complexity=self.complexity,
            min_samples_leaf=_rows_of(self.min_samples_leaf, data.n_rows),
            min_weight_leaf=float(self.min_weight_fraction_leaf) * total,
            n_threads=self._n_threads or threads.of_search(self.n_jobs),
            memo_bytes=_memo_bytes(self.memory_limit, data.X.nbytes),
            time_limit=math.inf if self.time_limit is None else float(self.time_limit),
            baselines=plan.baselines,
            prove=plan.prove,
            prove_alpha=_raw_alpha(self.alpha, data.target.loss_unit)
            * (1.0 if self.complexity == "tests" else total),
            every_size=plan.every_size,
            n_levels=data.n_levels,
            feature_costs=plan.prices.costs,
            feature_groups=plan.prices.groups,
            signs=plan.signs,
            keep_on_interrupt=self.on_interrupt == "return",
            on_progress=on_progress,
        )

    def _take(self, result: _native.SearchResult, data: TrainingData, plan: Plan) -> None:
        """What the search found as fitted attributes, in the units of the data."""
        self.categories_, self.times_ = data.categories, data.times
        self.splits_, self.exact_tail_ = plan.splits, plan.exact_tail
        self.n_states_ = int(result.n_states)
        self.status_, proved = str(result.status), list(result.proved)
        if plan.is_proof and self.status_ == "complete":
            self.status_, proved = "optimal", [True] * len(proved)
        self.front_ = Front.from_vertices(
            self._trees(result, data, plan.signs),
            result.errors * data.target.loss_unit * data.weight_unit,
            result.complexity * (data.weight_unit if self.complexity == "tests" else 1.0),
            self.complexity,
            proved,
            plan.every_size,
        )
        self._choose(self.front_.select(alpha=self.alpha), float(self.alpha))
        value = _cost(self.front_, self.alpha)
        # What is proved is the value itself, not what another order of rounding makes of it.
        proved_bound = (
            value
            if self.status_ == "optimal"
            else result.lower_bound * data.target.loss_unit / data.total_weight
        )
        self.lower_bound_ = min(proved_bound, value)
        self.gap_ = value - self.lower_bound_

    def _trees(
        self, result: _native.SearchResult, data: TrainingData, signs: list[int]
    ) -> list[Tree]:
        """Trees of what the core found, with readable thresholds if they are wanted."""
        names = getattr(self, "feature_names_in_", None)
        feature_names = None if names is None else tuple(str(name) for name in names)
        nodes = [result.tree(i) for i in range(len(result.complexity))]
        if self.thresholds == "short":
            nodes = thresholds.shortened(nodes, data.X, data.times)
        return [
            Tree.from_nodes(
                *self._nodes(of_tree, data, signs),
                data.n_features,
                feature_names,
                data.categories,
                data.with_missing.tolist(),
                data.times,
                data.target.loss_name,
            )
            for of_tree in nodes
        ]

    @staticmethod
    def _nodes(
        nodes: dict[str, NDArray[Any]], data: TrainingData, signs: list[int]
    ) -> tuple[dict[str, NDArray[Any]], NDArray[Any] | None]:
        """Arrays of a tree in the units of y and of the weights, and its classes."""
        target, unit = data.target, data.weight_unit
        in_units = {
            "weight": nodes["weight"] * unit,
            "loss": nodes["loss"] * target.loss_unit * unit,
        }
        if isinstance(target, Classes):
            weights = nodes["value"]
            if signs:
                weights = monotone.shares_in_order(nodes, signs, target.border)
            return nodes | in_units | {"value": weights * unit}, target.classes
        return nodes | in_units | {"value": target.in_units(nodes["value"])}, None

    def _choose(self, index: int, alpha: float) -> None:
        self.tree_ = self.front_[index]
        self.alpha_ = alpha

    @contextmanager
    def _unchanged_on_failure(self) -> Iterator[None]:
        """Leave the last successful fit as it was when this one fails or is interrupted."""
        before = dict(self.__dict__)
        try:
            yield
        except BaseException:
            self.__dict__.clear()
            self.__dict__.update(before)
            raise

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        return tags

    # ---- choice ----

    def select(
        self: Self,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        alpha: float | None = None,
        n_leaves: int | None = None,
        mean_tests: float | None = None,
        sample_weight: ArrayLike | None = None,
        scoring: Any = None,
    ) -> Self:
        """Choose another tree of the front; nothing is fitted again.

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
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the validation rows.
        scoring : str or callable, optional
            How the validation rows are scored: a name or a scorer of scikit-learn, or a function
            ``(estimator, X, y) -> score`` where higher is better. Without, as `score` does.

        Returns
        -------
        self
            With `tree_` and `alpha_` set. Where the choice was not by `alpha`, `alpha_` is a
            price in the middle of the tree's interval.

        Raises
        ------
        ValueError
            Not exactly one criterion, or no tree satisfies it.
        """
        check_is_fitted(self)
        if scoring is not None and (X is None or y is None):
            raise ValueError("scoring belongs to X and y")
        others = (alpha, n_leaves, mean_tests)
        if scoring is not None and all(value is None for value in others):
            index = self._best_by(scoring, X, y, sample_weight)
            self._choose(index, self.front_.alpha_of(index))
            return self
        rows = None if X is None else check_rows(self, X)
        index = self.front_.select_rows(
            rows,
            y,
            alpha=alpha,
            n_leaves=n_leaves,
            mean_tests=mean_tests,
            sample_weight=sample_weight,
        )
        self._choose(index, self.front_.alpha_of(index) if alpha is None else float(alpha))
        return self

    def _best_by(self, scoring: Any, X: Any, y: Any, sample_weight: Any) -> int:
        """Tree with the best score on validation rows, the smallest one at a tie."""
        scorer = scores.check_scorer(self, scoring)
        given = {} if sample_weight is None else {"sample_weight": sample_weight}
        found, _ = scores.of_trees(self, self.front_.trees, scorer, X, y, given)
        return selection.best(found[:, None])

    # ---- the chosen tree ----

    def apply(self, X: ArrayLike) -> NDArray[np.int64]:
        """Node number in `tree_` of the leaf of every row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of int64, shape (n_rows,)
        """
        check_is_fitted(self)
        return self.tree_.leaves(check_rows(self, X)).astype(np.int64)

    def decision_path(self, X: ArrayLike) -> csr_matrix:
        """Nodes of `tree_` that every row passes.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        csr_matrix of shape (n_rows, n_nodes)
            1 where the row passes the node.
        """
        check_is_fitted(self)
        return self.tree_.paths(check_rows(self, X))

    def get_depth(self) -> int:
        """Most tests that a row can meet in `tree_`.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return self.tree_.depth

    def get_n_leaves(self) -> int:
        """Number of leaves of `tree_`.

        Returns
        -------
        int
        """
        check_is_fitted(self)
        return self.tree_.n_leaves

    # ---- representations ----

    def plot_search(self, ax: Axes | None = None) -> Axes:
        """Draw how a proof went: the loss of the best tree, the lower bound, and their gap.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; a new pyplot figure without.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ValueError
            The last fit proved nothing (``splits="all"`` does), or the model is from a file, which
            holds no history.
        ImportError
            matplotlib is not installed.
        """
        from treefront.plots.search import plot_search

        return plot_search(self, ax)

    def report(
        self,
        X: ArrayLike | None = None,
        y: ArrayLike | None = None,
        *,
        sample_weight: ArrayLike | None = None,
        rows: int = 200,
        name: str = "validation",
        title: str | None = None,
    ) -> Report:
        """One page that shows every tree of the front and follows rows through them.

        ``model.report(X_val, y_val).save("report.html")`` writes it; a notebook shows it. The page
        needs no network and no server. Without X and y it shows what the model itself knows, which
        is its training figures.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features), optional
            Rows on which all trees are measured, best ones that were held out.
        y : array-like of shape (n_rows,), optional
            Their labels, or numbers.
        sample_weight : array-like of shape (n_rows,), optional
            Weights of the rows in losses, scores and confusion matrices.
        rows : int, default=200
            How many rows of X the page holds, to be followed through the trees: first those on
            which neighbouring trees differ. Only columns that some tree tests are written. Whoever
            has the page can read them: 0 writes none.
        name : str, default="validation"
            What the rows are called on the page; "training" if they are those of `fit`.
        title : str, optional

        Returns
        -------
        Report
            With the page as `html`, and its figures as `summary`, a plain dict.

        Raises
        ------
        ValueError
            Only one of X and y; rows that do not fit the model; a number of rows below 0.
        """
        from treefront.report import report

        check_is_fitted(self)
        return report(self, X, y, sample_weight=sample_weight, rows=rows, name=name, title=title)

    def _repr_html_inner(self) -> str:
        html: str = super()._repr_html_inner()
        return html if not hasattr(self, "front_") else html + self._fitted_html()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        if "text/html" in bundle and hasattr(self, "front_"):
            bundle["text/html"] += self._fitted_html()
        return bundle

    def _fitted_html(self) -> str:
        """What the fit found, under scikit-learn's diagram."""
        chosen = self.front_.index(self.tree_)
        return notebook.of_estimator(
            self.tree_, f"tree {chosen} of {len(self.front_)}", self.status_, self.gap_
        )

    # ---- files ----

    def save(self, path: str | PathLike[str]) -> None:
        """Write the fitted model, all trees of the front, as versioned JSON.

        `treefront.load` reads it back. The file holds no code and no training rows.

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
        files.save(
            files.Model(
                estimator=type(self).__name__,
                params=self.get_params(deep=False),
                chosen=self.front_.index(self.tree_),
                alpha=self.alpha_,
                status=self.status_,
                lower_bound=self.lower_bound_,
                gap=self.gap_,
                n_states=self.n_states_,
                splits=self.splits_,
                exact_tail=self.exact_tail_,
                front=self.front_,
            ),
            path,
        )

    def __getstate__(self) -> dict[str, Any]:
        written = {"_pickle_format": PICKLE_FORMAT, "_treefront_version": version("treefront")}
        return {**super().__getstate__(), **written}

    def __setstate__(self, state: dict[str, Any]) -> None:
        state = dict(state)
        found, release = state.pop("_pickle_format", None), state.pop("_treefront_version", None)
        if found != PICKLE_FORMAT:
            raise ValueError(
                f"this {type(self).__name__} was pickled by treefront {release or '(unknown)'}, in "
                f"a format that treefront {version('treefront')} does not read; load it with that "
                "release and write it with save(), whose files other releases read"
            )
        # Parameters that did not exist when it was pickled have their defaults.
        super().__setstate__({**type(self)().get_params(deep=False), **state})

    def _restore(self, model: files.Model) -> None:
        """Take the fitted state of a file."""
        tree = model.front[model.chosen]
        self.n_features_in_ = tree.n_features
        if tree.feature_names is not None:
            self.feature_names_in_ = np.array(tree.feature_names, dtype=object)
        self.categories_, self.times_ = tree.categories, tree.times
        self.splits_, self.exact_tail_ = model.splits, model.exact_tail
        self.status_, self.n_states_ = model.status, model.n_states
        self.front_ = model.front
        self.lower_bound_ = model.lower_bound
        self.gap_ = _cost(model.front, model.alpha) if model.gap is None else model.gap
        self._choose(model.chosen, model.alpha)


def _cost(front: Front, alpha: float) -> float:
    """Loss plus `alpha` times complexity of the tree of the front that is best at `alpha`."""
    best = front.select(alpha=alpha)
    return float(front.loss[best] + alpha * front.complexity[best])


def _raw_alpha(alpha: float, loss_unit: float) -> float:
    """Price in the core's unit of loss; squares of tiny targets may vanish in float64."""
    return min(alpha / loss_unit, LARGEST_ALPHA) if alpha > 0 and loss_unit > 0 else 0.0


def _rows_of(min_samples_leaf: int | float, n_rows: int) -> int:
    """Least number of rows of a leaf; a fraction is of all rows, rounded up as in scikit-learn."""
    if isinstance(min_samples_leaf, (float, np.floating)):
        return math.ceil(min_samples_leaf * n_rows)
    return min(int(min_samples_leaf), n_rows + 1)


def _memo_bytes(memory_limit: int | str | None, bytes_of_X: int) -> int:
    if memory_limit is None:
        return max(SMALLEST_MEMO, MEMO_PER_BYTE_OF_X * bytes_of_X)
    return min(options.n_bytes(memory_limit), 2**62)
