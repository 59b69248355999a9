"""One fitted tree: parallel arrays, nodes in preorder, root first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.sparse import csr_matrix

from treefront import _native, labels, notebook, rules, shapley, summary, tree_document
from treefront.columns import Categories, Times, no_times, numbers_only
from treefront.data import as_rows

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

LEAF = -1


@dataclass(frozen=True, eq=False, repr=False)
class Tree:
    """A decision tree, immutable.

    A row goes left at node ``i`` where ``x[feature[i]] <= threshold[i]``, in float64: the one
    comparison that search, prediction and every export share; in a column of categories, where
    its category is one of those of `left_categories`. Where the value is missing, or a category
    that was not seen in training, `missing_left` decides. A threshold of infinity or minus
    infinity tells what is missing from what is not.

    Attributes
    ----------
    feature : ndarray of int32, shape (n_nodes,)
        Column tested, -1 at leaves.
    threshold : ndarray of float64, shape (n_nodes,)
        Threshold of the test; NaN at leaves and at tests of categories.
    left, right : ndarray of int32, shape (n_nodes,)
        Children, always behind their parent; -1 at leaves.
    missing_left : ndarray of bool, shape (n_nodes,)
        Whether a row without a value goes left.
    level_start : ndarray of int64, shape (n_nodes + 1,)
    left_levels : ndarray of int32
        Categories that go left at node ``i``, as places in ``categories[feature[i]]``: entries
        ``level_start[i]`` to ``level_start[i + 1]`` of `left_levels`.
    value : ndarray of float64, shape (n_nodes, n_classes) or (n_nodes, n_outputs)
        Training weight of every class in the node, moved as far as `monotonic_cst` asks; of a
        regression tree, what the node predicts: the mean of the targets, or the median.
    decision : ndarray of int32, shape (n_nodes,)
        Place in `classes` of what the node predicts: the class that costs least, which is the
        heaviest one but for `cost_matrix`, the smallest one at a tie.
    loss : ndarray of float64, shape (n_nodes,)
        Training loss of the node's rows with one prediction for all, summed by weight.
    n_rows : ndarray of int64, shape (n_nodes,)
        Training rows in the node.
    weight : ndarray of float64, shape (n_nodes,)
        Training weight in the node.
    classes : ndarray, shape (n_classes,)
        Labels, sorted; None for a regression tree.
    categories : tuple, one entry per column
        Its categories, sorted; None for a column of numbers.
    with_missing : tuple of bool, one per column
        Whether it had missing values in training.
    times : tuple of str or None, one entry per column
        "naive" or "UTC" for points in time, which are tested as microseconds since 1970-01-01;
        None for everything else.
    feature_names : tuple of str, or None
        Their names, where the training data had any.
    loss_name : {"error_rate", "cost", "squared_error", "absolute_error"}
        What `loss` counts. Regression trees by absolute error hold medians in `value`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treefront import DPDTClassifier
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> tree = DPDTClassifier(max_depth=2).fit(X, y).front_[1]
    >>> tree
    <Tree: 3 leaves, depth 2, 1.63 tests on average>
    >>> tree.predict(X.iloc[[0, 60, 120]])
    array([0, 1, 2])
    >>> print(tree.export("rules"))  # doctest: +ELLIPSIS
    if petal length (cm) <= 2.5
    then 0  (50 rows; 0: 100%)
    ...
    """

    feature: NDArray[np.int32]
    threshold: NDArray[np.float64]
    left: NDArray[np.int32]
    right: NDArray[np.int32]
    missing_left: NDArray[np.bool_]
    level_start: NDArray[np.int64]
    left_levels: NDArray[np.int32]
    value: NDArray[np.float64]
    decision: NDArray[np.int32]
    loss: NDArray[np.float64]
    n_rows: NDArray[np.int64]
    weight: NDArray[np.float64]
    classes: labels.Labels | None
    categories: Categories
    with_missing: tuple[bool, ...]
    times: Times
    feature_names: tuple[str, ...] | None = None
    loss_name: str = "error_rate"

    def __post_init__(self) -> None:
        for field in fields(self):
            array = getattr(self, field.name)
            if isinstance(array, np.ndarray) and array.flags.writeable:
                array = array.copy()
                array.flags.writeable = False
                object.__setattr__(self, field.name, array)

    @classmethod
    def from_nodes(
        cls,
        nodes: Mapping[str, ArrayLike],
        classes: labels.Labels | None,
        n_features: int,
        feature_names: tuple[str, ...] | None = None,
        categories: Categories | None = None,
        with_missing: Sequence[bool] | None = None,
        times: Times | None = None,
        loss_name: str | None = None,
    ) -> Tree:
        """Tree of node arrays ``feature, threshold, left, right, value, n_rows``.

        Without ``missing_left`` missing values go to the heavier child; without ``level_start``
        and ``left_levels`` there are no tests of categories. Without ``weight``, ``decision`` and
        ``loss`` they are those of classes whose errors all cost the same.
        """
        value = np.asarray(nodes["value"], dtype=np.float64)
        weight = np.asarray(nodes.get("weight", value.sum(axis=1)), dtype=np.float64)
        decision = nodes.get("decision", value.argmax(axis=1) if len(value) else ())
        loss = nodes.get("loss", weight - value.max(axis=1) if len(value) else ())
        missing_left = nodes.get("missing_left")
        if missing_left is None:
            left, right = (np.asarray(nodes[side], dtype=np.int64) for side in ("left", "right"))
            missing_left = (left >= 0) & (weight[left] >= weight[right])
        return cls(
            feature=np.asarray(nodes["feature"], dtype=np.int32),
            threshold=np.asarray(nodes["threshold"], dtype=np.float64),
            left=np.asarray(nodes["left"], dtype=np.int32),
            right=np.asarray(nodes["right"], dtype=np.int32),
            missing_left=np.asarray(missing_left, dtype=bool),
            level_start=np.asarray(
                nodes.get("level_start", np.zeros(len(value) + 1)), dtype=np.int64
            ),
            left_levels=np.asarray(nodes.get("left_levels", ()), dtype=np.int32),
            value=value,
            decision=np.asarray(decision, dtype=np.int32),
            loss=np.asarray(loss, dtype=np.float64),
            n_rows=np.asarray(nodes["n_rows"], dtype=np.int64),
            weight=weight,
            classes=classes,
            categories=numbers_only(n_features) if categories is None else categories,
            with_missing=(
                (False,) * n_features if with_missing is None else tuple(map(bool, with_missing))
            ),
            times=no_times(n_features) if times is None else times,
            loss_name=loss_name or ("squared_error" if classes is None else "error_rate"),
            feature_names=feature_names,
        )

    # ---- tests ----

    def left_categories(self, node: int) -> tuple[Any, ...]:
        """Categories that go left at a node.

        Parameters
        ----------
        node : int

        Returns
        -------
        tuple
            Empty where the node tests a number.
        """
        known = self.categories[self.feature[node]] or ()
        return tuple(known[level] for level in self.left_places(node))

    def left_places(self, node: int) -> NDArray[np.int32]:
        """The same as places in ``categories[feature[node]]``."""
        return self.left_levels[self.level_start[node] : self.level_start[node + 1]]

    def goes_left(self, node: int, rows: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Which checked rows go left at a node: (n_rows,)."""
        feature = self.feature[node]
        cells = rows[:, feature]
        unknown = np.isnan(cells)
        if self.categories[feature] is None:
            left = cells <= self.threshold[node]
        else:
            unknown |= cells < 0
            left = np.isin(cells, self.left_places(node))
        return np.asarray(np.where(unknown, self.missing_left[node], left), dtype=bool)

    # ---- size ----

    @property
    def n_features(self) -> int:
        """Number of columns the tree was fitted on."""
        return len(self.categories)

    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.feature)

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.feature == LEAF))

    @cached_property
    def depth(self) -> int:
        """Most tests that a row can meet."""
        depth = np.zeros(self.n_nodes, dtype=np.int64)
        for node in self.tests:  # parents come first
            depth[[self.left[node], self.right[node]]] = depth[node] + 1
        return int(depth.max())

    @cached_property
    def mean_tests(self) -> float:
        """Average number of tests that a training row meets, rows counted by weight."""
        return float(self.weight[self.tests].sum() / self.weight[0])

    @property
    def tests(self) -> NDArray[np.intp]:
        """Numbers of the nodes that are no leaves, in preorder."""
        return np.flatnonzero(self.feature != LEAF)

    # ---- prediction ----

    def predict(self, X: ArrayLike) -> NDArray[Any]:
        """Class, or mean of the targets, of every row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of shape (n_rows,), or (n_rows, n_outputs) with several outputs

        Raises
        ------
        ValueError
            Infinity, or another number of columns.
        """
        return self.predictions(self._rows(X))

    def predict_proba(self, X: ArrayLike) -> NDArray[np.float64]:
        """Class shares, by training weight, of the leaf of every row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_classes)

        Raises
        ------
        ValueError
            As in `predict`; a regression tree has none.
        """
        if self.classes is None:
            raise ValueError("a regression tree has no class shares")
        return self.shares[self.leaves(self._rows(X))]

    def apply(self, X: ArrayLike) -> NDArray[np.int64]:
        """Node number of the leaf of every row.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of int64, shape (n_rows,)
        """
        return self.leaves(self._rows(X)).astype(np.int64)

    def decision_path(self, X: ArrayLike) -> csr_matrix:
        """Nodes that every row passes, as a sparse indicator matrix.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        csr_matrix of shape (n_rows, n_nodes)
            The nodes of a row stand in the order in which it meets them.
        """
        return self.paths(self._rows(X))

    # ---- the same on rows that were checked before ----

    def leaves(self, rows: NDArray[np.float64]) -> NDArray[np.int32]:
        """`apply` on checked rows."""
        return _native.apply(self, rows)

    def predictions(self, rows: NDArray[np.float64]) -> NDArray[Any]:
        """`predict` on checked rows."""
        if self.classes is not None:
            return self.classes[self.codes(rows)]
        means = self.value[self.leaves(rows)]
        return means[:, 0] if means.shape[1] == 1 else means

    def codes(self, rows: NDArray[np.float64]) -> NDArray[np.int32]:
        """Index in `classes` of the prediction for checked rows."""
        return self.decision[self.leaves(rows)]

    def paths(self, rows: NDArray[np.float64]) -> csr_matrix:
        """`decision_path` on checked rows."""
        ancestors: list[list[int]] = [[0] for _ in range(self.n_nodes)]
        for node in self.tests:
            for child in (int(self.left[node]), int(self.right[node])):
                ancestors[child] = [*ancestors[node], child]
        length = np.array([len(path) for path in ancestors])
        of_node = csr_matrix(
            (np.ones(length.sum(), dtype=np.int64), np.concatenate(ancestors), _starts(length)),
            shape=(self.n_nodes, self.n_nodes),
        )
        return of_node[self.leaves(rows)]

    @property
    def shares(self) -> NDArray[np.float64]:
        """Class shares of every node: (n_nodes, n_classes)."""
        return self.value / self.weight[:, None]

    def decrease_of(self, impurity: NDArray[np.float64]) -> NDArray[np.float64]:
        """By how much the tests of every feature lower an impurity of the nodes: (n_features,)."""
        test = self.tests
        decrease = impurity[test] - impurity[self.left[test]] - impurity[self.right[test]]
        per_feature = np.bincount(self.feature[test], weights=decrease, minlength=self.n_features)
        return np.maximum(per_feature, 0.0)  # rounding alone could bring a pure tie below 0

    # ---- explanation ----

    @property
    def expected_value(self) -> Any:
        """What the tree predicts for the training rows on average: class shares, or numbers.

        A number for a regression tree with one output, else an array (n_classes,) or (n_outputs,).
        """
        leaves = self.feature == LEAF
        values = self.value if self.classes is None else self.shares
        mean = np.average(values[leaves], axis=0, weights=self.weight[leaves])
        return float(mean[0]) if self.classes is None and len(mean) == 1 else mean

    def shap_values(self, X: ArrayLike) -> NDArray[np.float64]:
        """Exact SHAP values: what every feature adds to the prediction of every row.

        Those of the path-dependent TreeSHAP: what is not known goes both ways, in the shares of the
        training weight. Categories and missing values are features' values like any other.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        ndarray of float64, shape (n_rows, n_features, n_classes)
            They sum to the class shares of the row's leaf less `expected_value`. Of a regression
            tree (n_rows, n_features), with several outputs (n_rows, n_features, n_outputs).

        Raises
        ------
        ValueError
            As in `predict`.

        References
        ----------
        S. Lundberg et al. From local explanations to global understanding with explainable AI for
        trees. Nature Machine Intelligence, 2020.
        """
        values = shapley.values(self, self._rows(X))
        return values[:, :, 0] if self.classes is None and values.shape[2] == 1 else values

    def explain(self, X: ArrayLike) -> Any:
        """`shap_values` as a `shap.Explanation`, for the plots of the package shap.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)

        Returns
        -------
        shap.Explanation
            With the cells of X as they were given, and one base value per row.

        Raises
        ------
        ImportError
            shap is not installed.
        ValueError
            As in `predict`.
        """
        try:
            import shap
        except ImportError as error:
            raise ImportError("Tree.explain needs shap: pip install 'treefront[shap]'") from error
        values = self.shap_values(X)
        base = np.broadcast_to(self.expected_value, (len(values), *values.shape[2:]))
        return shap.Explanation(
            values,
            base_values=base.copy(),
            data=np.asarray(X),
            feature_names=self._column_names(),
            output_names=None if self.classes is None else labels.names(self.classes),
        )

    def _rows(self, X: ArrayLike) -> NDArray[np.float64]:
        return as_rows(X, self.feature_names, self.categories, self.times)

    def _column_names(self) -> list[str]:
        return list(self.feature_names or (f"x[{i}]" for i in range(self.n_features)))

    # ---- representations ----

    def to_sklearn(
        self, X: ArrayLike | None = None
    ) -> DecisionTreeClassifier | DecisionTreeRegressor:
        """The same tree as a fitted tree of scikit-learn, with the same node numbers.

        For what reads scikit-learn's trees: ``plot_tree``, ``export_text``, SHAP, treelite,
        skl2onnx, dtreeviz. It predicts the same, up to its rounding of X to float32: a value goes
        another way only where float32 does not tell it from the threshold. Numbers that float32
        holds exactly, such as integers up to 2**24, always go the same way.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features), optional
            Rows, such as those of training, on which the result must be exact: thresholds are
            adjusted to float32 where that is needed.

        Returns
        -------
        DecisionTreeClassifier or DecisionTreeRegressor
            Its parameters are the defaults but for `max_depth`. Tests of numeric or bool
            categories become comparisons where they can be; categories that were not seen in
            training may then go another way.

        Raises
        ------
        ValueError
            What a tree of scikit-learn cannot say, with the column: other sets of categories,
            points in time, leaves that by `cost_matrix` do not predict their heaviest class; or
            values of X on both sides of a threshold that are one in float32.
        """
        from treefront import sklearn_tree

        return sklearn_tree.convert(self, None if X is None else self._rows(X))

    def to_text(self) -> str:
        """Indented rules with row counts and class shares.

        Thresholds are the shortest decimals that read back as the same float64; dates and times
        are in ISO 8601.

        Returns
        -------
        str
        """
        return rules.text(self, summary.feature_names(self), summary.class_names(self))

    def export(self, to: str, **options: Any) -> str | bytes:
        """The tree in another language.

        Parameters
        ----------
        to : {"sql", "python", "c", "json", "onnx", "text", "rules", "dot", "mermaid", "latex"}
        **options
            Those of the function in `treefront.export`, such as ``dialect`` of `to_sql`.

        Returns
        -------
        str, or bytes for ONNX

        Raises
        ------
        ValueError
            No such target, or the tree cannot be written in it; the message says why.
        ImportError
            A library is missing: ``pip install 'treefront[export]'``.
        """
        from treefront.export import export

        return export(self, to, **options)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the tree from left to right, one line per leaf.

        The upper branch of a test is "yes". Bars are class shares, and lines are as thick as the
        share of rows that pass.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; without, a new pyplot figure that is large enough.

        Returns
        -------
        matplotlib Axes

        Raises
        ------
        ImportError
            matplotlib is not installed.
        """
        from treefront.plots.tree import plot_tree

        return plot_tree(self, ax)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        leaves = rules.leaves(self.n_leaves)
        return f"<Tree: {leaves}, depth {self.depth}, {self.mean_tests:.3g} tests on average>"

    def _repr_html_(self) -> str:
        return notebook.of_tree(self)

    def to_dict(self) -> dict[str, Any]:
        """The tree in plain values (lists, numbers, text, None), ready for JSON; floats are exact.

        Returns
        -------
        dict
        """
        return tree_document.shared(self) | tree_document.nodes(self)

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Tree:
        """The tree that `to_dict` wrote.

        Parameters
        ----------
        document : dict

        Returns
        -------
        Tree

        Raises
        ------
        ValueError
            The arrays do not make a tree.
        """
        return cls.from_document(document, tree_document.read_shared(document))

    @classmethod
    def from_document(cls, nodes: Mapping[str, Any], shared: Mapping[str, Any]) -> Tree:
        """Tree of `tree_document.nodes` and what `tree_document.read_shared` made of the rest.

        Raises
        ------
        ValueError
            The arrays do not make a tree.
        """
        tree = cls.from_nodes(tree_document.read_nodes(nodes), **shared)
        tree_document.check(tree)
        return tree

    # ---- identity ----

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Tree):
            return NotImplemented
        return (
            self.n_features == other.n_features
            and self.feature_names == other.feature_names
            and all(
                np.array_equal(getattr(self, name), getattr(other, name))
                for name in (
                    *("feature", "left", "right", "missing_left", "level_start", "left_levels"),
                    *("value", "decision", "loss", "n_rows", "weight"),
                )
            )
            and _same(self.classes, other.classes)
            and self.categories == other.categories
            and self.with_missing == other.with_missing
            and self.times == other.times
            and self.loss_name == other.loss_name
            and np.array_equal(self.threshold, other.threshold, equal_nan=True)
        )

    def __hash__(self) -> int:
        return hash((self.feature.tobytes(), self.n_rows.tobytes()))

    def __reduce__(self) -> tuple[Any, ...]:
        # Through the constructor, so that arrays are read-only again; by name, so that a later
        # release may have more fields.
        return _unpickled, ({field.name: getattr(self, field.name) for field in fields(self)},)


def _unpickled(state: dict[str, Any]) -> Tree:
    try:
        return Tree(**state)
    except TypeError as error:
        raise ValueError(
            f"this Tree was pickled by another release of treefront ({error}); load it there and "
            "write the model with save(), whose files other releases read"
        ) from error


def _same(a: labels.Labels | None, b: labels.Labels | None) -> bool:
    return (a is None and b is None) or (a is not None and b is not None and np.array_equal(a, b))


def _starts(length: NDArray[np.int64]) -> NDArray[np.int64]:
    """Row pointers of a CSR matrix whose rows have these lengths."""
    return np.concatenate([[0], np.cumsum(length)])
