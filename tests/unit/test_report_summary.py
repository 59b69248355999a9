"""Every figure of the report is the model's own, or scikit-learn's of the model's predictions."""

from __future__ import annotations

import inspect
import json

import numpy as np
import pytest
from sklearn import metrics

from tests.report import models
from treefront import DPDTClassifier, Tree, labels
from treefront import summary as tree_summary
from treefront.report import MOST_ROWS, report
from treefront.report import summary as report_summary


@pytest.mark.parametrize("name", models.ALL)
class TestFigures:
    @pytest.fixture
    def fitted(self, name):
        return models.ALL[name]()

    @pytest.fixture
    def summary(self, fitted):
        return fitted.model.report(fitted.X, fitted.y).summary

    def test_the_front_is_the_models(self, fitted, summary):
        front = fitted.model.front_
        for figure in ("loss", "complexity", "mean_tests", "n_leaves", "depth", "proved"):
            assert summary["front"][figure] == getattr(front, figure).tolist()
        assert summary["front"]["alpha_low"] == front.alpha_low.tolist()
        assert summary["front"]["alpha_high"] == [None, *front.alpha_high[1:].tolist()]
        assert front[summary["chosen"]] == fitted.model.tree_

    def test_the_trees_are_the_models(self, fitted, summary):
        for tree, shown in zip(fitted.model.front_, summary["trees"]):
            again = Tree.from_dict(tree.to_dict() | json.loads(json.dumps(shown["arrays"])))
            assert again == tree

    def test_texts_are_those_that_print_rules(self, fitted, summary):
        for tree, shown in zip(fitted.model.front_, summary["trees"]):
            for node, said in zip(tree_summary.nodes(tree, say_missing=False), shown["nodes"]):
                assert said == {key: getattr(node, key) for key in said}
            conditions = [list(rule.conditions) for rule in tree_summary.leaf_rules(tree)]
            assert [rule["conditions"] for rule in shown["rules"]] == conditions

    def test_scores_are_those_of_score(self, fitted, summary):
        scores = fitted.model.front_.score(fitted.X, fitted.y)
        assert summary["tested"]["score"] == scores.tolist()
        own = fitted.model.score(fitted.X, fitted.y)
        assert summary["tested"]["score"][summary["chosen"]] == pytest.approx(own)

    def test_rows_pass_the_nodes_of_their_decision_path(self, fitted, summary):
        for tree, shown in zip(fitted.model.front_, summary["trees"]):
            passed = np.asarray(tree.decision_path(fitted.X).sum(axis=0)).ravel()
            assert shown["tested"]["n_rows"] == passed.tolist()

    def test_neighbours_differ_where_predictions_do(self, fitted, summary):
        predictions = fitted.model.front_.predict(fitted.X)
        assert len(summary["neighbours"]) == len(predictions) - 1
        n = len(fitted.X)
        for i, said in enumerate(summary["neighbours"]):
            differ = (predictions[i] != predictions[i + 1]).reshape(n, -1).any(axis=1)
            assert said["n_rows"] == differ.sum()
            distances = [
                np.abs(p - fitted.y).reshape(n, -1).sum(axis=1)
                if name_is_of_numbers(summary)
                else p != fitted.y
                for p in predictions[i : i + 2]
            ]
            assert said["smaller_is_better"] == (distances[0] < distances[1])[differ].sum()
            assert said["larger_is_better"] == (distances[1] < distances[0])[differ].sum()
            listed = [summary["rows"][place]["name"] for place in said["rows"]]
            assert listed == [names_of(fitted.X)[row] for row in np.flatnonzero(differ)]

    def test_rows_are_those_given(self, fitted, summary):
        model, rows = fitted.model, summary["rows"]
        assert [row["name"] for row in rows] == names_of(fitted.X)  # fewer than the limit
        columns = [column["column"] for column in summary["columns"]]
        checked = model.front_._rows(fitted.X)
        for row, values in zip(rows, checked[:, columns].tolist()):
            assert row["values"] == [None if value != value else value for value in values]
        if not name_is_of_numbers(summary):
            codes = labels.codes_of(fitted.y, model.classes_)
            assert [row["code"] for row in rows] == codes.tolist()

    def test_columns_are_those_that_are_tested(self, fitted, summary):
        tested = {int(f) for tree in fitted.model.front_ for f in tree.feature if f >= 0}
        assert [column["column"] for column in summary["columns"]] == sorted(tested)
        known = fitted.model.categories_
        for column in summary["columns"]:
            assert (column["categories"] is None) == (known[column["column"]] is None)

    def test_it_is_json(self, fitted, summary):
        assert json.loads(json.dumps(summary, allow_nan=False)) == summary

    def test_without_rows_it_has_what_the_model_has(self, fitted, summary):
        alone = fitted.model.report().summary
        assert alone["tested"] is None
        assert (alone["rows"], alone["neighbours"]) == ([], [])
        assert all(tree["tested"] is None for tree in alone["trees"])
        for part in ("model", "front", "columns", "classes", "chosen"):
            assert alone[part] == summary[part]


def name_is_of_numbers(summary: dict) -> bool:
    return summary["classes"] is None


def names_of(X) -> list[str]:
    return [str(name) for name in (X.index if hasattr(X, "index") else range(len(X)))]


@pytest.mark.parametrize("name", models.CLASSIFIERS)
def test_confusion_matrices_are_those_of_scikit_learn(name):
    fitted = models.CLASSIFIERS[name]()
    summary = fitted.model.report(fitted.X, fitted.y).summary
    classes = fitted.model.classes_
    for tree, shown in zip(fitted.model.front_, summary["trees"]):
        expected = metrics.confusion_matrix(fitted.y, tree.predict(fitted.X), labels=classes)
        assert (dense(shown["tested"]["confusion"], len(classes)) == expected).all()
        right = sum(np.array(shown["tested"]["right"])[tree.feature < 0])
        assert right == np.trace(expected)


@pytest.mark.parametrize("name", models.CLASSIFIERS)
def test_training_confusion_is_that_of_the_training_rows(name):
    fitted = models.CLASSIFIERS[name]()
    model = fitted.model
    summary = model.report(fitted.X, fitted.y).summary
    weight = None
    if model.class_weight is not None:
        counts = np.unique(fitted.y_train, return_counts=True)[1]
        weight = (len(fitted.y_train) / (len(counts) * counts))[
            labels.codes_of(fitted.y_train, model.classes_)
        ]
    for tree, shown in zip(model.front_, summary["trees"]):
        if model.monotonic_cst is not None:
            assert shown["training"] is None
            continue
        expected = metrics.confusion_matrix(
            fitted.y_train,
            tree.predict(fitted.X_train),
            labels=model.classes_,
            sample_weight=weight,
        )
        assert dense(shown["training"], len(model.classes_)) == pytest.approx(expected)


def dense(cells: list[list[float]], n_classes: int) -> np.ndarray:
    matrix = np.zeros((n_classes, n_classes))
    for true, predicted, weight in cells:
        matrix[int(true), int(predicted)] = weight
    return matrix


@pytest.mark.parametrize("name", [n for n in models.ALL if n != "sizes"])  # class weights
def test_losses_of_the_training_rows_are_the_fronts(name):
    fitted = models.ALL[name]()
    summary = fitted.model.report(fitted.X_train, fitted.y_train, name="training").summary
    assert summary["tested"]["loss"] == pytest.approx(summary["front"]["loss"], rel=1e-9, abs=1e-12)
    assert summary["tested"]["name"] == "training"


@pytest.mark.parametrize("name", models.REGRESSORS)
def test_losses_and_means_of_numbers(name):
    fitted = models.REGRESSORS[name]()
    summary = fitted.model.report(fitted.X, fitted.y).summary
    squared = summary["model"]["loss_name"] == "squared_error"
    of_rows = metrics.mean_squared_error if squared else metrics.mean_absolute_error
    for i, tree in enumerate(fitted.model.front_):
        errors = of_rows(fitted.y, tree.predict(fitted.X), multioutput="raw_values")
        assert summary["tested"]["loss"][i] == pytest.approx(errors.sum())
        leaves = tree.apply(fitted.X)
        for node, means in enumerate(summary["trees"][i]["tested"]["means"]):
            here = fitted.y[leaves == node].reshape(-1, tree.value.shape[1])
            if len(here):
                assert means == pytest.approx(here.mean(axis=0))
            else:
                assert set(means) == {None}


def test_weights_count():
    fitted = models.costs()
    weight = np.random.default_rng(0).random(len(fitted.y))
    summary = fitted.model.report(fitted.X, fitted.y, sample_weight=weight).summary
    model = fitted.model
    assert summary["tested"]["weighted"]
    for i, tree in enumerate(model.front_):
        predicted = tree.predict(fitted.X)
        expected = metrics.confusion_matrix(
            fitted.y, predicted, labels=model.classes_, sample_weight=weight
        )
        assert dense(summary["trees"][i]["tested"]["confusion"], 3) == pytest.approx(expected)
        cost = (expected * np.array(model.cost_matrix)).sum() / weight.sum()
        assert summary["tested"]["loss"][i] == pytest.approx(cost)
        right = metrics.accuracy_score(fitted.y, predicted, sample_weight=weight)
        assert summary["tested"]["score"][i] == pytest.approx(right)


def test_labels_that_fit_has_not_seen():
    fitted = models.costs()
    y = fitted.y.copy()
    y[:5] = 77.0
    summary = fitted.model.report(fitted.X, y).summary
    assert summary["tested"]["loss"] == [None] * len(fitted.model.front_)  # they have no price
    for shown in summary["trees"]:
        unseen = [cell for cell in shown["tested"]["confusion"] if cell[0] == -1]
        assert sum(weight for _, _, weight in unseen) == 5
    assert [row["truth"] for row in summary["rows"][:5]] == ["77.0"] * 5


def test_points_in_time_are_dates():
    fitted = models.dates()
    summary = fitted.model.report(fitted.X, fitted.y).summary
    said = [
        condition
        for tree in summary["trees"]
        for rule in tree["rules"]
        for condition in rule["conditions"]
    ]
    assert any("day <= 2021-" in c or "day > 2021-" in c for c in said)
    assert any("2024-01-05 " in c and c.count("UTC") for c in said)
    day = [column["name"] for column in summary["columns"]].index("day")
    for row, value in zip(summary["rows"], fitted.X["day"]):
        assert row["texts"][day] == ("missing" if value != value else str(value.date()))


def test_rows_kept_are_those_asked_for_hard_ones_first():
    fitted = models.binary()
    n = len(fitted.X)
    whole = fitted.model.report(fitted.X, fitted.y, rows=n).summary
    hard = {place for pair in whole["neighbours"] for place in pair["rows"]}
    some = fitted.model.report(fitted.X, fitted.y, rows=30).summary
    assert len(some["rows"]) == 30
    numbers = [int(row["name"]) for row in some["rows"]]
    assert numbers == sorted(numbers)
    assert len(hard & set(numbers)) >= min(len(hard), 20)
    for pair, complete in zip(some["neighbours"], whole["neighbours"]):
        assert pair["n_rows"] == complete["n_rows"]
        assert [numbers[place] for place in pair["rows"]] == [
            row for row in complete["rows"] if row in numbers
        ]
    none = fitted.model.report(fitted.X, fitted.y, rows=0).summary
    assert none["rows"] == []
    assert none["tested"] == whole["tested"]


def test_more_rows_than_are_hard_or_easy():
    fitted = models.many_classes()
    n = len(fitted.X)
    for rows in (1, 2, 3, n - 1, n, n + 1):
        summary = fitted.model.report(fitted.X, fitted.y, rows=rows).summary
        assert len(summary["rows"]) == min(rows, n)


def test_a_front_that_is_too_large_keeps_the_chosen_tree(monkeypatch):
    fitted = models.many_classes()
    model = fitted.model
    largest = len(model.front_) - 1
    model.select(alpha=0)
    try:
        whole = model.report(fitted.X, fitted.y).summary
        assert None not in whole["trees"]
        for budget in (0, *np.linspace(1e4, len(json.dumps(whole)), 20)):
            monkeypatch.setattr(report_summary, "BUDGET", budget)
            summary = model.report(fitted.X, fitted.y).summary
            shown = [tree is not None for tree in summary["trees"]]
            assert shown[largest]
            assert shown[:largest] == sorted(shown[:largest], reverse=True)
            assert budget > 0 or sum(shown) == 1
            for tree, complete in zip(summary["trees"], whole["trees"]):
                assert tree in (None, complete)
            assert summary["front"] == whole["front"]
    finally:
        model.select(fitted.X, fitted.y)


def test_a_loaded_model_has_the_same_report(tmp_path):
    from treefront import load

    fitted = models.prices()
    fitted.model.save(tmp_path / "model.json")
    again = load(tmp_path / "model.json").report(fitted.X, fitted.y)
    assert again.summary == fitted.model.report(fitted.X, fitted.y).summary


def test_scores_of_folds():
    fitted = models.cross_validated()
    results = fitted.model.cv_results_
    assert fitted.model.report().summary["cross_validation"] == {
        "n_folds": 4,
        "score_name": "accuracy",
        "score": results["mean_test_score"].tolist(),
        "standard_error": results["standard_error"].tolist(),
    }
    assert models.binary().model.report().summary["cross_validation"] is None


def test_prices_by_column():
    summary = models.prices().model.report().summary
    price = {column["column"]: column["price"] for column in summary["columns"]}
    assert price.items() <= {0: 5.0, 1: 5.0, 2: 1.0, 3: 0.5}.items()
    group = {column["column"]: column["bought_with"] for column in summary["columns"]}
    assert group[0] == group[1] != group[2]
    assert summary["model"]["priced"]


def test_what_is_asked_wrongly():
    fitted = models.binary()
    model = fitted.model
    with pytest.raises(ValueError, match="needs both X and y"):
        model.report(fitted.X)
    with pytest.raises(ValueError, match="rows must be a number of rows"):
        model.report(fitted.X, fitted.y, rows=-1)
    with pytest.raises(ValueError, match="sample_weight belongs to X and y"):
        model.report(sample_weight=[1.0])
    with pytest.raises(ValueError, match="4 features"):
        model.report(fitted.X[:, :2], fitted.y)
    with pytest.raises(ValueError, match="row_names has 1"):
        report(model, fitted.X, fitted.y, row_names=["a"])
    with pytest.raises(ValueError, match="not fitted"):
        DPDTClassifier().report()


def test_the_default_number_of_rows_is_said_once():
    parameters = inspect.signature(DPDTClassifier.report).parameters
    assert parameters["rows"].default == MOST_ROWS
