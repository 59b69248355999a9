"""A fitted model as versioned JSON: no pickle, nothing is executed on loading.

The file is strict JSON, described by ``model.schema.json`` beside this module and in
docs/reference/model-file.md. Floats read back as the same float64; what JSON lacks is null (NaN, an
interval without end) or text (an infinite threshold). Keys may be added within a version, and
readers pass over those they do not know; a change that an older release would misread needs a new
version.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.metadata import version
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from treefront import splits, tree_document
from treefront.front import Front
from treefront.tree import Tree

FORMAT = "treefront-model"
VERSION = 1

GENERATORS = {
    cls.__name__: cls
    for cls in (splits.CartSplits, splits.TopSplits, splits.QuantileSplits, splits.AllSplits)
}


@dataclass(frozen=True)
class Model:
    """What a file holds: a fitted estimator without its class."""

    estimator: str  # name of the estimator's class
    params: dict[str, Any]
    chosen: int  # index of tree_ in the front
    alpha: float
    status: str
    lower_bound: float
    gap: float | None  # None: a file from before there were proofs
    n_states: int
    splits: list[Any]
    exact_tail: int
    front: Front


def save(model: Model, path: str | PathLike[str]) -> None:
    """Write a model.

    Raises
    ------
    ValueError
        A parameter or label that has no JSON form, such as a Python function.
    OSError
        The file cannot be written.
    """
    document = {
        "format": FORMAT,
        "version": VERSION,
        "written_by": f"treefront {version('treefront')}",
        "estimator": model.estimator,
        "params": {name: _to_json(value, name) for name, value in model.params.items()},
        **tree_document.shared(model.front[0]),
        "search": {
            "status": model.status,
            "lower_bound": model.lower_bound,
            "gap": model.gap,
            "n_states": model.n_states,
            "splits": _to_json(model.splits, "splits"),
            "exact_tail": model.exact_tail,
        },
        "chosen": model.chosen,
        "alpha": model.alpha,
        "front": _front_to_json(model.front),
    }
    text = json.dumps(document, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    Path(path).write_text(text + "\n", encoding="utf-8")


def load(path: str | PathLike[str]) -> Model:
    """Read a model that `save` wrote.

    Raises
    ------
    ValueError
        Not a model file, a version this release does not know, or a damaged file.
    OSError
        The file cannot be read.
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path} is not a {FORMAT} file: it is not JSON") from error
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ValueError(f"{path} is not a {FORMAT} file")
    if document.get("version") != VERSION:
        raise ValueError(
            f"{path} has version {document.get('version')!r} of the {FORMAT} format, written by "
            f"{document.get('written_by', 'an unknown release')}; this release, treefront "
            f"{version('treefront')}, reads version {VERSION}"
        )
    try:
        return _model(document)
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"{path} is damaged: {type(error).__name__} {error}") from error
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}") from error


def _model(document: Mapping[str, Any]) -> Model:
    front = _front_from_json(document)
    chosen = int(document["chosen"])
    if not 0 <= chosen < len(front):
        raise ValueError(f"the chosen tree {chosen} is not one of {len(front)}")
    search = document["search"]
    return Model(
        estimator=str(document["estimator"]),
        params={name: _from_json(value) for name, value in document["params"].items()},
        chosen=chosen,
        alpha=float(document["alpha"]),
        status=str(search["status"]),
        lower_bound=float(search.get("lower_bound", 0.0)),
        gap=None if search.get("gap") is None else float(search["gap"]),
        n_states=int(search["n_states"]),
        splits=_from_json(search["splits"]),
        exact_tail=int(search["exact_tail"]),
        front=front,
    )


def _front_to_json(front: Front) -> dict[str, Any]:
    return {
        "loss": front.loss.tolist(),
        "complexity": front.complexity.tolist(),
        "alpha_low": front.alpha_low.tolist(),
        "alpha_high": [None if math.isinf(a) else a for a in front.alpha_high.tolist()],
        "proved": front.proved.tolist(),
        "trees": [tree_document.nodes(tree) for tree in front],
        "sizes": [tree_document.nodes(tree) for tree in front.sizes],
    }


def _front_from_json(document: Mapping[str, Any]) -> Front:
    part = document["front"]
    shared = tree_document.read_shared(document)

    def trees(name: str) -> tuple[Tree, ...]:
        return tuple(Tree.from_document(nodes, shared) for nodes in part.get(name, ()))

    return Front(
        trees=trees("trees"),
        loss=np.array(part["loss"], dtype=np.float64),
        complexity=np.array(part["complexity"], dtype=np.float64),
        alpha_low=np.array(part["alpha_low"], dtype=np.float64),
        alpha_high=np.array(
            [np.inf if a is None else a for a in part["alpha_high"]], dtype=np.float64
        ),
        proved=np.array(part.get("proved", [False] * len(part["trees"])), dtype=bool),
        sizes=trees("sizes"),
    )


def _to_json(value: Any, name: str) -> Any:
    """A parameter as JSON; generators become objects with their class and parameters."""
    if value is None or isinstance(value, (bool, int, float, str)):
        if isinstance(value, float) and not math.isfinite(value):
            raise ValueError(f"the parameter {name} is {value!r}, which JSON cannot hold")
        return value
    if isinstance(value, np.generic):
        return _to_json(value.item(), name)
    if isinstance(value, np.ndarray) or hasattr(value, "to_numpy"):
        value = np.asarray(value).tolist()
    if isinstance(value, (list, tuple)):
        return [_to_json(member, name) for member in value]
    if isinstance(value, Mapping):  # keys may be numbers, which JSON would turn into text
        return {"pairs": [[_to_json(k, name), _to_json(v, name)] for k, v in value.items()]}
    kind = type(value).__name__
    if GENERATORS.get(kind) is type(value):
        params = value.get_params(deep=False)
        return {"generator": kind, **{key: _to_json(v, key) for key, v in params.items()}}
    raise ValueError(
        f"the parameter {name} is {value!r}, which cannot be written to a file; "
        "use one of the built-in split generators"
    )


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_json(member) for member in value]
    if isinstance(value, dict):
        if "pairs" in value:
            return {key: _from_json(member) for key, member in value["pairs"]}
        params = dict(value)
        return GENERATORS[params.pop("generator")](**params)
    return value
