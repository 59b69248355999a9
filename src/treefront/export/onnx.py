"""ONNX: the tests as a TreeEnsemble of doubles that finds the leaf; tables give its outputs."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treefront import labels, times
from treefront.export import names
from treefront.export.chain import Number, OneOf, condition

if TYPE_CHECKING:
    from treefront.tree import Tree

OPSET, ML_OPSET, IR_VERSION = 17, 5, 9  # ml 5: the first whose ensembles hold doubles
LESS_OR_EQUAL, SUM, NO_TRANSFORM = 0, 1, 0
EXACT = 2**53
ROWS = "rows"
OUTPUTS = ("prediction", "probabilities")


def to_onnx(tree: Tree, *, columns: Sequence[str] | None = None) -> bytes:
    """The tree as an ONNX model, checked by ONNX itself.

    Inputs: without categories one matrix ``X`` of doubles, (rows, columns). With categories one
    input per column that the tree tests, (rows, 1), by the column's name (``x3`` where it is
    empty): doubles, or strings where the categories are text. NaN is a missing value; ONNX has no
    missing string, and any text that is no category of training goes the same way. ONNX has no
    dates either: they are microseconds since 1970-01-01, as ``times`` in the metadata says.

    Outputs: ``prediction`` (rows,), or (rows, targets), and of classes ``probabilities``
    (rows, classes), in double.

    Parameters
    ----------
    tree : Tree
    columns : sequence of str, optional
        Names of the columns, in the order of training; without, those of training.

    Returns
    -------
    bytes
        The serialised model; the names of columns and classes are in its metadata.

    Raises
    ------
    ValueError
        Categories that are integers beyond 2**53, which a double does not tell apart; two inputs
        that would have one name.
    ImportError
        onnx is not installed.
    """
    try:
        import onnx
    except ImportError as error:
        raise ImportError("ONNX needs onnx: pip install 'treefront[export]'") from error
    model = _Graph(tree, names.of_columns(tree, columns)).model()
    onnx.checker.check_model(model, full_check=True)
    return bytes(model.SerializeToString())


class _Graph:
    """Nodes and tables of one model."""

    def __init__(self, tree: Tree, columns: list[str]) -> None:
        self.tree = tree
        self.columns = columns
        self.input_of: dict[int, str] = {}  # by column; empty where one matrix is the input
        self.nodes: list[Any] = []
        self.tables: list[Any] = []
        self.tested = sorted({int(column) for column in tree.feature if column >= 0})
        self.by_column = any(known is not None for known in tree.categories)

    def model(self) -> Any:
        from onnx import helper

        tree = self.tree
        inputs = self._inputs()
        self._find_leaf()
        outputs = self._outputs()
        graph = helper.make_graph(self.nodes, "tree", inputs, outputs, self.tables)
        model = helper.make_model(
            graph,
            producer_name="treefront",
            ir_version=IR_VERSION,
            opset_imports=[
                helper.make_opsetid("", OPSET),
                helper.make_opsetid("ai.onnx.ml", ML_OPSET),
            ],
        )
        facts = {"columns": json.dumps(self.columns)}
        if tree.classes is not None:
            facts["classes"] = json.dumps(labels.names(tree.classes))
        of_time = {
            str(column): times.UNIT[kind]
            for column, kind in zip(self.columns, tree.times)
            if kind is not None
        }
        if of_time:
            facts["times"] = json.dumps(of_time)
            model.doc_string = "Dates and times are numbers: " + "; ".join(
                f"{column}: {unit}" for column, unit in of_time.items()
            )
        helper.set_model_props(model, facts)
        return model

    # ---- inputs ----

    def _inputs(self) -> list[Any]:
        from onnx import TensorProto, helper

        if not self.by_column:
            shape: list[str | int | None] = [ROWS, self.tree.n_features]
            return [helper.make_tensor_value_info("X", TensorProto.DOUBLE, shape)]
        self.input_of = {
            column: self.columns[column] or f"x{column}" for column in self.tested or [0]
        }
        taken = [*self.input_of.values(), *OUTPUTS]
        twice = next((name for name in taken if taken.count(name) > 1), None)
        if twice is not None:
            raise ValueError(
                f"{twice!r} would name two inputs or outputs; name the columns with columns=[...]"
            )
        return [
            helper.make_tensor_value_info(
                name,
                TensorProto.STRING if self._is_text(column) else TensorProto.DOUBLE,
                [ROWS, 1],
            )
            for column, name in self.input_of.items()
        ]

    def _is_text(self, column: int) -> bool:
        return any(isinstance(value, str) for value in self.tree.categories[column] or ())

    # ---- from a row to the number of its leaf ----

    def _find_leaf(self) -> None:
        """`leaf`: (rows,), the place of the leaf among the leaves in preorder."""
        if not (self.tree.feature >= 0).any():
            self._leaf_of_all()
            return
        matrix, column_of = self._matrix()
        self._add(
            "TreeEnsemble",
            [matrix],
            [self._inner("found")],
            domain="ai.onnx.ml",
            **self._ensemble(column_of),
        )
        self._add("Cast", [self._inner("found")], [self._inner("whole")], to=_type("INT64"))
        self._add(
            "Squeeze",
            [self._inner("whole"), self._table("axis", [1], "INT64")],
            [self._inner("leaf")],
        )

    def _leaf_of_all(self) -> None:
        """Zeros, as many as there are rows."""
        from onnx import helper

        source = next(iter(self.input_of.values())) if self.by_column else "X"
        self._add("Shape", [source], [self._inner("n_rows")], start=0, end=1)
        zero = helper.make_tensor("zero", _type("INT64"), [1], [0])
        self._add("ConstantOfShape", [self._inner("n_rows")], [self._inner("leaf")], value=zero)

    def _matrix(self) -> tuple[str, dict[int, int]]:
        """Input of the ensemble, and the column of it that every test looks at.

        A test of categories has a column of its own: 0 for those that go left, 1 for the others.
        """
        tests = np.flatnonzero(self.tree.feature >= 0).tolist()
        if not self.by_column:
            return "X", {node: int(self.tree.feature[node]) for node in tests}
        place: dict[Any, int] = {}
        parts: list[str] = []
        column_of = {}
        for node in tests:
            test = condition(self.tree, node, to_left=True)
            key: Any = test if isinstance(test, OneOf) else test.column
            if key not in place:
                place[key] = len(parts)
                source = self.input_of[test.column]
                if isinstance(test, OneOf):
                    part = self._inner(f"test_{node}")
                    self._encode(test, source, part)
                    parts.append(part)
                else:
                    parts.append(source)
            column_of[node] = place[key]
        matrix = self._inner("matrix")
        self._add("Concat", parts, [matrix], axis=1)
        return matrix, column_of

    def _encode(self, test: OneOf, source: str, target: str) -> None:
        """0 where a test of categories sends a row left, 1 where it sends it right."""
        from onnx import helper

        known = self.tree.categories[test.column] or ()
        named = float(test.negated)  # of the categories that the test names
        other = float(not test.negated)
        keys = [known[level] for level in test.levels]
        if any(not isinstance(key, str) and abs(key) > EXACT for key in keys):
            raise ValueError(
                f"column {test.column} has categories beyond 2**53, which ONNX's doubles do not "
                "tell apart: make them text"
            )
        is_text = self._is_text(test.column)
        if not keys:  # a table needs an entry: what is looked for then decides nothing
            keys, named = (["" if is_text else 0.0], other)
        kind = "STRING" if is_text else "DOUBLE"
        values = [key.encode() for key in keys] if is_text else [float(key) for key in keys]
        self._add(
            "LabelEncoder",
            [source],
            [target],
            domain="ai.onnx.ml",
            keys_tensor=helper.make_tensor("keys", _type(kind), [len(keys)], values),
            values_tensor=helper.make_tensor(
                "values", _type("DOUBLE"), [len(keys)], [named] * len(keys)
            ),
            default_tensor=helper.make_tensor("default", _type("DOUBLE"), [1], [other]),
        )

    def _ensemble(self, column_of: dict[int, int]) -> dict[str, Any]:
        """Attributes of the ensemble: one tree whose leaves weigh their own number."""
        from onnx import helper

        tree = self.tree
        leaf_place = np.cumsum(tree.feature < 0) - 1
        test_place = np.cumsum(tree.feature >= 0) - 1
        features, splits, missing = [], [], []
        children: dict[str, list[int]] = {"true": [], "false": []}
        are_leaves: dict[str, list[int]] = {"true": [], "false": []}
        for node, column in column_of.items():
            test = condition(tree, node, to_left=True)
            left, right = int(tree.left[node]), int(tree.right[node])
            if isinstance(test, Number):
                threshold, missing_true = test.threshold, test.missing
            elif isinstance(test, OneOf):
                threshold, missing_true = 0.5, False
            else:  # what is present is at most infinity
                threshold, missing_true = math.inf, False
                if not test.present:
                    left, right = right, left
            features.append(column)
            splits.append(threshold)
            missing.append(int(missing_true))
            for side, child in (("true", left), ("false", right)):
                is_leaf = tree.feature[child] < 0
                are_leaves[side].append(int(is_leaf))
                children[side].append(int((leaf_place if is_leaf else test_place)[child]))
        n = len(features)
        leaves = np.arange(tree.n_leaves)
        return {
            "n_targets": 1,
            "aggregate_function": SUM,
            "post_transform": NO_TRANSFORM,
            "tree_roots": [0],
            "nodes_featureids": features,
            "nodes_modes": helper.make_tensor("modes", _type("UINT8"), [n], [LESS_OR_EQUAL] * n),
            "nodes_splits": helper.make_tensor("splits", _type("DOUBLE"), [n], splits),
            "nodes_missing_value_tracks_true": missing,
            "nodes_truenodeids": children["true"],
            "nodes_trueleafs": are_leaves["true"],
            "nodes_falsenodeids": children["false"],
            "nodes_falseleafs": are_leaves["false"],
            "leaf_targetids": [0] * len(leaves),
            "leaf_weights": helper.make_tensor(
                "weights", _type("DOUBLE"), [len(leaves)], leaves.astype(np.float64).tolist()
            ),
        }

    # ---- from the leaf to the outputs ----

    def _outputs(self) -> list[Any]:

        tree = self.tree
        leaves = np.flatnonzero(tree.feature < 0)
        if tree.classes is None:
            means = tree.value[leaves]
            shape: list[Any] = [ROWS] if means.shape[1] == 1 else [ROWS, means.shape[1]]
            table = means[:, 0] if means.shape[1] == 1 else means
            return [self._look_up("prediction", table, shape)]
        return [
            self._look_up("prediction", tree.classes[tree.decision[leaves]], [ROWS]),
            self._look_up("probabilities", tree.shares[leaves], [ROWS, len(tree.classes)]),
        ]

    def _look_up(self, name: str, table: NDArray[Any], shape: list[Any]) -> Any:
        from onnx import helper

        kind = {"U": "STRING", "O": "STRING", "b": "BOOL", "i": "INT64", "u": "INT64"}.get(
            table.dtype.kind, "DOUBLE"
        )
        cells = table.ravel().tolist()
        values = [cell.encode() for cell in cells] if kind == "STRING" else cells
        table_name = self._inner(f"{name}_of_leaf")
        self.tables.append(helper.make_tensor(table_name, _type(kind), table.shape, values))
        self._add("Gather", [table_name, self._inner("leaf")], [name], axis=0)
        return helper.make_tensor_value_info(name, _type(kind), shape)

    # ---- nodes, tables, names ----

    def _add(self, operator: str, inputs: list[str], outputs: list[str], **attributes: Any) -> None:
        from onnx import helper

        self.nodes.append(helper.make_node(operator, inputs, outputs, **attributes))

    def _table(self, name: str, values: list[Any], kind: str) -> str:
        from onnx import helper

        name = self._inner(name)
        self.tables.append(helper.make_tensor(name, _type(kind), [len(values)], values))
        return name

    def _inner(self, name: str) -> str:
        """Name of a value within the graph that no column has."""
        name = f"tree/{name}"
        while name in self.input_of.values():
            name += "_"
        return name


def _type(name: str) -> int:
    from onnx import TensorProto

    return int(getattr(TensorProto, name))
