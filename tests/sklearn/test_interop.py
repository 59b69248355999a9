"""A tree as scikit-learn's own: exact or refused, and read by what reads those."""

from __future__ import annotations

import pickle

import matplotlib as mpl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_diabetes, load_iris
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.tree import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    export_graphviz,
    export_text,
    plot_tree,
)

from tests.oracle.examples import examples
from treefront import CartSplits, DPDTClassifier, DPDTRegressor

mpl.use("Agg")
pd = pytest.importorskip("pandas")

IRIS = load_iris(as_frame=True)
X, Y = IRIS.data, IRIS.target_names[IRIS.target]
X32 = X.to_numpy(np.float32)
DIABETES, PROGRESS = load_diabetes(return_X_y=True, as_frame=True)


def same(tree, theirs, rows):
    assert (theirs.apply(rows) == tree.apply(rows)).all()
    assert (theirs.predict(rows) == tree.predict(rows)).all()
    if tree.classes is not None:
        assert (theirs.predict_proba(rows) == tree.predict_proba(rows)).all()
    return True


def test_a_classifier():
    model = DPDTClassifier(max_depth=4).fit(X, Y)
    for tree in model.front_:
        theirs = tree.to_sklearn(X)
        assert type(theirs) is DecisionTreeClassifier
        assert same(tree, theirs, X)
        assert theirs.get_depth() == tree.depth
        assert theirs.get_n_leaves() == tree.n_leaves
        assert theirs.feature_names_in_.tolist() == list(X.columns)
    np.testing.assert_allclose(theirs.feature_importances_, model.feature_importances_)
    assert same(tree, pickle.loads(pickle.dumps(theirs)), X)
    assert clone(theirs).fit(X, Y).score(X, Y) > 0.9


@pytest.mark.parametrize("targets", [1, 2])
def test_a_regressor(targets):
    y = np.stack([PROGRESS, DIABETES["bmi"]], axis=1)[:, :targets].squeeze()
    model = DPDTRegressor(max_depth=3).fit(DIABETES, y)
    theirs = model.tree_.to_sklearn(DIABETES)
    assert type(theirs) is DecisionTreeRegressor
    assert same(model.tree_, theirs, DIABETES)
    np.testing.assert_allclose(theirs.feature_importances_, model.feature_importances_)


def test_nodes_are_described_as_scikit_learn_describes_its_own():
    """Its own tree of one test, and ours."""
    x, y = np.arange(8.0)[:, None], np.array([0, 0, 0, 1, 1, 0, 1, 1])
    weight = np.array([1, 2, 1, 1, 3, 1, 1, 2.0])
    for ours, theirs in (
        (DPDTClassifier(max_depth=1), DecisionTreeClassifier(max_depth=1)),
        (DPDTRegressor(max_depth=1), DecisionTreeRegressor(max_depth=1)),
    ):
        a = ours.fit(x, y, weight).tree_.to_sklearn().tree_
        b = theirs.fit(x, y, weight).tree_
        assert (a.feature == b.feature).all()
        for name in ("n_node_samples", "weighted_n_node_samples", "value", "impurity"):
            np.testing.assert_allclose(getattr(a, name), getattr(b, name), atol=1e-12)


CELLS = st.one_of(
    st.floats(0.5, 2.0),
    st.integers(-4, 4).map(float),
    st.integers(0, 3).map(lambda k: 1.0 + k * 2.0**-24),
    st.just(np.nan),
)


@given(st.data())
@examples(60)
def test_exact_on_the_rows_given_or_refused(data):
    n = data.draw(st.integers(2, 20))
    rows = np.array(data.draw(st.lists(st.tuples(CELLS, CELLS), min_size=n, max_size=n)))
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    tree = DPDTClassifier(max_depth=3, splits=CartSplits(depth=3)).fit(rows, y).tree_
    rounded = rows.astype(np.float32)
    try:
        theirs = tree.to_sklearn(rows)
    except ValueError:
        with pytest.raises(ValueError, match="rounds X to float32"):
            tree.to_sklearn(rows)
        assert any(  # a column where two values become one
            len(np.unique(rounded[:, i])) < len(np.unique(rows[:, i])) for i in range(2)
        )
    else:
        assert same(tree, theirs, rows)


@given(st.data())
@examples(30)
def test_float32_rows_need_no_check(data):
    n = data.draw(st.integers(2, 20))
    cells = st.floats(width=32, allow_infinity=False)
    rows = np.array(data.draw(st.lists(st.tuples(cells, cells), min_size=n, max_size=n)))
    y = np.array(data.draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    tree = DPDTClassifier(max_depth=3, splits=CartSplits(depth=3)).fit(rows, y).tree_
    assert same(tree, tree.to_sklearn(), rows.astype(np.float32))


def test_values_that_are_one_in_float32():
    rows = np.array([1.0, 1.0 + 1e-12])[:, None]
    tree = DPDTClassifier(max_depth=1).fit(rows, [0, 1]).tree_
    assert tree.to_sklearn().get_n_leaves() == 2
    with pytest.raises(ValueError, match=r"column 0 has values on both sides of 1\.0.*float32"):
        tree.to_sklearn(rows)


def test_missing_values():
    rows = DIABETES.mask(np.random.default_rng(0).random(DIABETES.shape) < 0.3)
    model = DPDTRegressor(max_depth=4).fit(rows, PROGRESS)
    assert same(model.tree_, model.tree_.to_sklearn(rows), rows)
    alone = pd.DataFrame({"a": [np.nan, 1.0, 2.0, np.nan]})
    tree = DPDTClassifier(max_depth=1).fit(alone, [0, 1, 1, 0]).tree_
    assert np.isinf(tree.threshold[0])
    assert same(tree, tree.to_sklearn(alone), alone)


@pytest.mark.parametrize("cells", [[True, False, False, True], [3, 1, 1, 3], [7, 5, None, 7]])
def test_categories_that_compare(cells):
    frame = pd.DataFrame({"a": pd.Series(cells).astype("category")})
    for y in ([0, 1, 1, 0], [1, 0, 0, 1]):
        tree = DPDTClassifier(max_depth=1).fit(frame, y).tree_
        numbers = pd.DataFrame({"a": frame["a"].astype(float)})
        theirs = tree.to_sklearn(frame)
        assert (theirs.apply(numbers) == tree.apply(frame)).all()


def test_what_a_tree_of_scikit_learn_cannot_say():
    words = pd.DataFrame({"colour": ["red", "green", "red", "blue"]})
    with pytest.raises(ValueError, match="column 'colour' holds categories"):
        DPDTClassifier(max_depth=1).fit(words, [0, 1, 0, 1]).tree_.to_sklearn()
    middle = np.array([1, 2, 3, 1, 2, 3])[:, None]
    model = DPDTClassifier(max_depth=1, categorical_features=[0])
    with pytest.raises(ValueError, match="column 0 holds categories"):
        model.fit(middle, [0, 1, 0, 0, 1, 0]).tree_.to_sklearn()
    when = pd.DataFrame({"when": pd.date_range("2020-01-01", periods=4)})
    with pytest.raises(ValueError, match="column 'when' holds points in time"):
        DPDTClassifier(max_depth=1).fit(when, [0, 0, 1, 1]).tree_.to_sklearn()
    costs = DPDTClassifier(max_depth=0, cost_matrix=[[0, 1], [9, 0]])
    with pytest.raises(ValueError, match="not its heaviest"):
        costs.fit([[0.0]] * 4, [0, 0, 0, 1]).tree_.to_sklearn()
    large = np.array([1e300, 3e300])[:, None]
    with pytest.raises(ValueError, match=r"threshold 2e\+300 of column 0 is beyond float32"):
        DPDTClassifier(max_depth=1).fit(large, [0, 1]).tree_.to_sklearn()


# ---- what reads scikit-learn's trees ----


@pytest.fixture(scope="module")
def tree():
    return DPDTClassifier(max_depth=3).fit(X32, IRIS.target).tree_


@pytest.fixture(scope="module")
def numbers():
    return DPDTRegressor(max_depth=3).fit(DIABETES.to_numpy(np.float32), PROGRESS).tree_


def test_its_own_text_and_pictures(tree):
    theirs = tree.to_sklearn(X32)
    text = export_text(theirs, decimals=4)
    assert text.count("class:") == tree.n_leaves
    assert f"<= {tree.threshold[0]:.4f}" in text
    assert len(plot_tree(theirs)) >= tree.n_nodes
    assert export_graphviz(theirs).count("gini") == tree.n_nodes


def test_shap(tree):
    shap = pytest.importorskip("shap")
    values = shap.TreeExplainer(tree.to_sklearn(X32)).shap_values(X32)
    np.testing.assert_allclose(
        values.sum(axis=1) + tree.shares[0], tree.predict_proba(X32), atol=1e-9
    )


def forest_of_one(tree):
    """treelite reads scikit-learn's forests only."""
    kinds = {
        DecisionTreeClassifier: RandomForestClassifier,
        DecisionTreeRegressor: RandomForestRegressor,
    }
    forest = kinds[type(tree)](n_estimators=1)
    forest.estimators_ = [tree]
    for name in ("n_features_in_", "n_outputs_", "classes_", "n_classes_"):
        if hasattr(tree, name):
            setattr(forest, name, getattr(tree, name))
    return forest


def test_treelite(tree, numbers):
    treelite = pytest.importorskip("treelite")
    model = treelite.sklearn.import_model(forest_of_one(tree.to_sklearn(X32)))
    shares = np.squeeze(treelite.gtil.predict(model, X32))
    np.testing.assert_allclose(shares, tree.predict_proba(X32), atol=1e-7)
    rows = DIABETES.to_numpy(np.float32)
    model = treelite.sklearn.import_model(forest_of_one(numbers.to_sklearn(rows)))
    means = np.squeeze(treelite.gtil.predict(model, rows))
    np.testing.assert_allclose(means, numbers.predict(rows), rtol=1e-6)


def test_skl2onnx(tree, numbers):
    skl2onnx = pytest.importorskip("skl2onnx")
    runtime = pytest.importorskip("onnxruntime")
    for ours, rows in ((tree, X32), (numbers, DIABETES.to_numpy(np.float32))):
        theirs = ours.to_sklearn(rows)
        model = skl2onnx.to_onnx(theirs, rows[:1])
        session = runtime.InferenceSession(
            model.SerializeToString(), providers=["CPUExecutionProvider"]
        )
        predicted = session.run(None, {session.get_inputs()[0].name: rows})[0]
        np.testing.assert_allclose(np.squeeze(predicted), ours.predict(rows), rtol=1e-6)


def test_dtreeviz(tree):
    dtreeviz = pytest.importorskip("dtreeviz")
    model = dtreeviz.model(
        tree.to_sklearn(X32),
        X_train=X32,
        y_train=IRIS.target.to_numpy(),
        feature_names=list(X.columns),
        target_name="species",
        class_names=list(IRIS.target_names),
    )
    shadow = model.shadow_tree
    assert shadow.nnodes() == tree.n_nodes
    assert len(shadow.leaves) == tree.n_leaves
    assert shadow.get_node_split(0) == tree.threshold[0]
    assert "<" in model.explain_prediction_path(X32[-1])
