"""The cross-validated estimators, against their slow twin: a fit and a choice for every score."""

from __future__ import annotations

import pickle
import warnings

import joblib
import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes, load_iris
from sklearn.dummy import DummyClassifier
from sklearn.metrics import check_scoring, fbeta_score, log_loss, make_scorer
from sklearn.model_selection import (
    GroupKFold,
    KFold,
    LeaveOneGroupOut,
    ShuffleSplit,
    StratifiedKFold,
    cross_val_score,
)

from treefront import (
    CartSplits,
    DPDTClassifier,
    DPDTClassifierCV,
    DPDTRegressor,
    DPDTRegressorCV,
    load,
    selection,
)

IRIS = load_iris()
X3, Y3 = IRIS.data, IRIS.target_names[IRIS.target]
X2, Y2 = (part[:300] for part in load_breast_cancer(return_X_y=True))
XR, YR = load_diabetes(return_X_y=True)
SMALL = {"max_depth": 2, "splits": CartSplits(3), "exact_tail": 1}
PLAIN = {DPDTClassifierCV: DPDTClassifier, DPDTRegressorCV: DPDTRegressor}


def twin(model, X, y, splits, weight=None, scoring=None, weigh_scores=True):
    """Scores of shape (n_trees, n_folds): every fold fitted anew, every price selected."""
    kind = PLAIN[type(model)]
    params = {k: v for k, v in model.get_params().items() if k in kind().get_params()}
    columns = []
    for train, test in splits:
        plain = kind(**params).set_params(exact_tail=model.exact_tail_)
        plain.fit(X[train], y[train], None if weight is None else weight[train])
        scorer = check_scoring(plain, scoring)
        given = {} if weight is None or not weigh_scores else {"sample_weight": weight[test]}
        columns.append(
            [
                scorer(plain.select(alpha=alpha), X[test], y[test], **given)
                for alpha in model.cv_results_["param_alpha"]
            ]
        )
    return np.array(columns).T


def found(model):
    names = [f"split{fold}_test_score" for fold in range(model.n_splits_)]
    return np.column_stack([model.cv_results_[name] for name in names])


@pytest.mark.parametrize("scoring", [None, "roc_auc", "neg_log_loss", "f1", "balanced_accuracy"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_scores_are_those_of_the_slow_twin(scoring, weighted):
    weight = np.random.default_rng(0).integers(0, 4, len(Y2)) / 2 if weighted else None
    model = DPDTClassifierCV(**SMALL, min_samples_leaf=5, scoring=scoring, cv=4, rule="best")
    model.fit(X2, Y2, sample_weight=weight)
    expected = twin(model, X2, Y2, StratifiedKFold(4).split(X2, Y2), weight, scoring)
    assert found(model) == pytest.approx(expected, abs=1e-12)
    assert model.best_index_ == selection.best(expected)


@pytest.mark.parametrize("scoring", [None, "neg_mean_absolute_error"])
@pytest.mark.parametrize("weighted", [False, True])
def test_the_scores_of_regression_trees(scoring, weighted):
    weight = np.random.default_rng(0).random(len(YR)) if weighted else None
    model = DPDTRegressorCV(**SMALL, scoring=scoring, cv=3)
    model.fit(XR, YR, sample_weight=weight)
    expected = twin(model, XR, YR, KFold(3).split(XR), weight, scoring)
    assert found(model) == pytest.approx(expected, rel=1e-9)
    assert model.best_index_ == selection.one_standard_error(expected)


@pytest.mark.parametrize(
    "options",
    [{"loss": "absolute_error"}, {"monotonic_cst": {2: 1, 8: 1}}, {"complexity": "splits"}],
)
def test_the_scores_with_other_losses_and_constraints(options):
    model = DPDTRegressorCV(**SMALL, **options, thresholds="midpoint", cv=3).fit(XR, YR)
    expected = twin(model, XR, YR, KFold(3).split(XR))
    assert found(model) == pytest.approx(expected, rel=1e-9)


def test_several_targets_and_an_outlier_in_one_fold():
    y = np.column_stack([YR, -2 * YR])
    y[0] = 1e9  # its fold alone is scaled by it
    model = DPDTRegressorCV(**SMALL, cv=3).fit(XR, y)
    assert found(model) == pytest.approx(twin(model, XR, y, KFold(3).split(XR)), rel=1e-6)


def test_the_ends_are_the_dummy_and_the_cross_validation_of_alpha_0():
    model = DPDTClassifierCV(**SMALL).fit(X3, Y3)
    folds = StratifiedKFold(5)
    dummy = cross_val_score(DummyClassifier(), X3, Y3, cv=folds)
    largest = cross_val_score(DPDTClassifier(**SMALL), X3, Y3, cv=folds)
    assert found(model)[0] == pytest.approx(dummy)
    assert found(model)[-1] == pytest.approx(largest)


def test_what_is_fitted():
    model = DPDTClassifierCV(max_depth=3, rule="best").fit(X3, Y3)
    plain = DPDTClassifier(max_depth=3).fit(X3, Y3)
    assert model.front_ == plain.front_
    assert model.tree_ is model.front_[model.best_index_]
    assert model.front_.select(alpha=model.alpha_) == model.best_index_
    assert model.alpha_ == model.best_alpha_
    assert (model.n_splits_, model.fold_status_) == (5, ["complete"] * 5)
    results = model.cv_results_
    assert len({len(values) for values in results.values()}) == 1
    assert results["n_leaves"].tolist() == model.front_.n_leaves.tolist()
    assert results["mean_tests"].tolist() == model.front_.mean_tests.tolist()
    assert results["mean_test_score"] == pytest.approx(found(model).mean(axis=1))
    assert results["std_test_score"] == pytest.approx(found(model).std(axis=1))
    assert results["rank_test_score"][model.best_index_] == 1
    assert model.best_score_ == results["mean_test_score"][model.best_index_]
    assert [p["alpha"] for p in results["params"]] == results["param_alpha"].tolist()
    for index, alpha in enumerate(results["param_alpha"]):
        assert model.front_.select(alpha=alpha) == index
    assert (model.predict(X3) == model.tree_.predict(X3)).all()
    assert model.predict_proba(X3).shape == (150, 3)
    assert (model.apply(X3) == model.tree_.apply(X3)).all()
    assert model.score(X3, Y3) == model.front_.score(X3, Y3)[model.best_index_]


def test_parameters_are_those_of_the_plain_estimator_with_cv_in_place_of_alpha():
    for choosing, plain in PLAIN.items():
        own = list(plain().get_params(deep=False))
        new = set(choosing().get_params(deep=False))
        assert new == {*own, "cv", "scoring", "rule"} - {"alpha"}
        assert set(choosing._parameter_constraints) == new
        defaults = {**plain().get_params(), **choosing().get_params()}
        assert {k for k in new & set(own) if defaults[k] != plain().get_params()[k]} == {"prove"}


def test_the_one_standard_error_rule_chooses_a_tree_that_is_not_larger():
    best = DPDTRegressorCV(max_depth=3, rule="best").fit(XR, YR)
    small = DPDTRegressorCV(max_depth=3).fit(XR, YR)
    assert (found(best) == found(small)).all()
    assert small.best_index_ < best.best_index_
    error = best.cv_results_["standard_error"][best.best_index_]
    assert small.best_score_ >= best.best_score_ - error


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_jobs_and_backends_change_nothing(backend):
    alone = DPDTClassifierCV(max_depth=3, cv=3).fit(X2, Y2)
    with joblib.parallel_backend(backend, n_jobs=2):
        for n_jobs in (None, 2):
            model = DPDTClassifierCV(max_depth=3, cv=3, n_jobs=n_jobs).fit(X2, Y2)
            assert (found(model) == found(alone)).all()
            assert model.front_ == alone.front_
            assert model.best_index_ == alone.best_index_
    assert pickle.loads(pickle.dumps(model)).front_ == alone.front_


def test_jobs_beyond_the_folds_become_threads_of_the_searches(monkeypatch):
    from treefront import _native

    threads = []
    search = _native.search

    def recorded(*args, n_threads, **options):
        threads.append(n_threads)
        return search(*args, n_threads=n_threads, **options)

    monkeypatch.setattr(_native, "search", recorded)
    DPDTClassifierCV(max_depth=2, cv=2, n_jobs=5).fit(X3, Y3)
    assert threads == [5, 2, 2]


def test_splitters_iterables_flags_and_groups():
    groups = np.arange(len(Y3)) % 6
    expected = DPDTClassifierCV(**SMALL, cv=GroupKFold(3)).fit(X3, Y3, groups=groups)
    splits = list(GroupKFold(3).split(X3, Y3, groups))
    flags = [(np.isin(np.arange(150), train), test) for train, test in splits]
    for cv in (splits, iter(splits), flags):
        model = DPDTClassifierCV(**SMALL, cv=cv).fit(X3, Y3)
        assert (found(model) == found(expected)).all()
    assert found(expected) == pytest.approx(twin(expected, X3, Y3, splits))
    by_group = DPDTClassifierCV(**SMALL, cv=LeaveOneGroupOut()).fit(X3, Y3, groups=groups.tolist())
    assert by_group.n_splits_ == 6
    once = DPDTClassifierCV(**SMALL, cv=ShuffleSplit(1, random_state=0), rule="best")
    once.fit(X3, Y3)
    assert np.isnan(once.cv_results_["standard_error"]).all()


def test_a_row_of_weight_0_takes_part_in_the_folds_alone():
    rng = np.random.default_rng(1)
    weight = rng.integers(0, 2, len(Y3)).astype(float)
    splits = list(KFold(3, shuffle=True, random_state=0).split(X3))
    model = DPDTClassifierCV(**SMALL, cv=splits).fit(X3, Y3, sample_weight=weight)
    kept = np.flatnonzero(weight)
    place = np.cumsum(weight > 0) - 1
    fewer = [tuple(place[np.intersect1d(rows, kept)] for rows in split) for split in splits]
    other = DPDTClassifierCV(**SMALL, cv=fewer).fit(X3[kept], Y3[kept])
    assert found(model) == pytest.approx(found(other))
    assert model.front_ == other.front_


def test_twice_a_row_is_weight_2_also_in_the_scores():
    splits = list(StratifiedKFold(3).split(X3, Y3))
    weight = np.where(np.arange(150) % 2, 2.0, 1.0)
    twice = np.repeat(np.arange(150), weight.astype(int))
    positions = [np.flatnonzero(twice == row) for row in range(150)]
    doubled = [tuple(np.concatenate([positions[r] for r in rows]) for rows in s) for s in splits]
    a = DPDTClassifierCV(**SMALL, cv=splits).fit(X3, Y3, sample_weight=weight)
    b = DPDTClassifierCV(**SMALL, cv=doubled).fit(X3[twice], Y3[twice])
    assert found(a) == pytest.approx(found(b))


def test_scorers_that_take_no_weights_are_given_none():
    def own(estimator, X, y):
        return float(np.mean(estimator.predict(X) == y))

    weight = np.where(Y3 == "setosa", 5.0, 1.0)
    weighted = DPDTClassifierCV(**SMALL).fit(X3, Y3, sample_weight=weight)
    plain = DPDTClassifierCV(**SMALL, scoring=own).fit(X3, Y3, sample_weight=weight)
    splits = StratifiedKFold(5).split(X3, Y3)
    expected = twin(plain, X3, Y3, splits, weight, own, weigh_scores=False)
    assert found(plain) == pytest.approx(expected)
    assert found(plain)[0] != pytest.approx(found(weighted)[0])


def test_a_scorer_sees_the_columns_as_they_were_given():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X3, columns=list("abcd")).assign(kind=np.where(X3[:, 0] > 5.5, "u", "v"))
    seen = []

    def own(estimator, X, y):
        seen.append((list(X.columns), type(estimator).__name__, estimator.classes_.tolist()))
        return estimator.score(X, y)

    DPDTClassifierCV(**SMALL, scoring=own).fit(frame, list(Y3))
    assert set(map(str, seen)) == {str((list(frame.columns), "DPDTClassifier", sorted(set(Y3))))}


def rare(seed=0):
    """A class whose rows are all in the first third, which one fold holds out."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(90, 3))
    y = np.where(X[:, 0] > 0, "b", "c")
    y[:12] = "a"
    X[:12, 1] += 4
    return X, y


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"class_weight": {"a": 5.0, "b": 1.0}},
        {"class_weight": "balanced"},
        {"cost_matrix": [[0, 1, 4], [2, 0, 1], [1, 1, 0]]},
        {"cost_matrix": [[0, 3, 3], [1, 0, 1], [2, 2, 0]]},
        {"splits": "all"},
    ],
)
def test_a_fold_may_lack_a_class(options):
    X, y = rare()

    def worst(estimator, X, y):
        assert estimator.classes_.tolist() == ["a", "b", "c"]
        shares = estimator.predict_proba(X)
        assert shares.shape == (len(X), 3)
        return -log_loss(y, np.clip(shares, 1e-6, 1), labels=estimator.classes_)

    params = SMALL | options
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # clipped shares do not sum to 1
        model = DPDTClassifierCV(**params, cv=KFold(3), scoring=worst).fit(X, y)
    accuracy = DPDTClassifierCV(**params, cv=KFold(3)).fit(X, y)
    assert np.isfinite(found(model)).all()
    # Held out are 12 rows of a class that these trees have never seen.
    assert found(accuracy)[:, 0].max() <= 18 / 30
    assert found(accuracy)[-1, 1:].min() > 0.8


def test_prices_of_classes_are_those_of_all_rows_in_every_fold():
    X, y = rare(1)
    y[-40:] = "a"
    order = np.random.default_rng(0).permutation(90)
    X, y = X[order], y[order]
    classes, counts = np.unique(y, return_counts=True)
    weight_of = dict(zip(classes.tolist(), len(y) / (3 * counts)))
    balanced = DPDTClassifierCV(**SMALL, class_weight="balanced", cv=3).fit(X, y)
    by_dict = DPDTClassifierCV(**SMALL, class_weight=weight_of, cv=3).fit(X, y)
    assert found(balanced) == pytest.approx(found(by_dict))
    costs = np.array([[0, 1, 4], [2, 0, 1], [1, 1, 0]])
    for options in ({"class_weight": weight_of}, {"cost_matrix": costs}):
        model = DPDTClassifierCV(**SMALL, **options, cv=3).fit(X, y)
        assert found(model) == pytest.approx(twin(model, X, y, StratifiedKFold(3).split(X, y)))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_categories_and_missing_values_in_folds(library):
    module = pytest.importorskip(library)
    rng = np.random.default_rng(3)
    kinds = rng.choice(list("abcdefg"), 120)
    kinds[:4] = "rare"  # held out by the first fold: never seen by its trees
    number = np.where(rng.random(120) < 0.2, np.nan, rng.normal(size=120))
    y = np.isin(kinds, ["a", "c", "rare"]) ^ (np.nan_to_num(number) > 1)
    text = [None if rng.random() < 0.1 else str(kind) for kind in kinds]
    frame = module.DataFrame({"kind": text, "number": number})
    model = DPDTClassifierCV(**SMALL, cv=KFold(4)).fit(frame, y)
    columns = []
    for train, test in KFold(4).split(y):
        rows = (frame.iloc[r] if library == "pandas" else frame[r] for r in (train, test))
        seen, held = rows
        plain = DPDTClassifier(**SMALL).set_params(exact_tail=model.exact_tail_).fit(seen, y[train])
        alphas = model.cv_results_["param_alpha"]
        columns.append([plain.select(alpha=a).score(held, y[test]) for a in alphas])
    assert found(model) == pytest.approx(np.array(columns).T)


@pytest.mark.parametrize(
    "scoring", ["roc_auc", "neg_log_loss", make_scorer(fbeta_score, beta=2, pos_label=0)]
)
@pytest.mark.parametrize("kind", [DPDTClassifierCV, DPDTClassifier])
def test_select_by_any_score(kind, scoring):
    model = kind(**SMALL).fit(X2, Y2)
    weight = np.linspace(1, 2, len(Y2))
    scorer = check_scoring(model, scoring)
    every = []
    for index in range(len(model.front_)):
        model.select(alpha=model.front_.alpha_of(index))
        every.append(scorer(model, X2, Y2, sample_weight=weight))
    assert model.select(X2, Y2, scoring=scoring, sample_weight=weight) is model
    assert model.tree_ is model.front_[int(np.argmax(every))]
    assert model.front_[model.front_.select(alpha=model.alpha_)] is model.tree_


def test_select_still_chooses_by_one_criterion():
    model = DPDTClassifierCV(**SMALL).fit(X2, Y2)
    chosen = model.best_index_
    assert model.select(n_leaves=2).get_n_leaves() == 2
    assert model.select(alpha=0.0).tree_ is model.front_[-1]
    assert model.select(mean_tests=1.0).tree_.mean_tests == 1.0
    assert model.best_index_ == chosen
    with pytest.raises(ValueError, match="scoring belongs to X and y"):
        model.select(alpha=0.1, scoring="accuracy")
    with pytest.raises(ValueError, match="exactly one"):
        model.select(X2, Y2, alpha=0.1, scoring="accuracy")


def test_select_and_score_of_a_choosing_estimator_use_its_scoring():
    model = DPDTClassifierCV(**SMALL, scoring="roc_auc").fit(X2, Y2)
    scorer = check_scoring(model, "roc_auc")
    assert model.score(X2, Y2) == scorer(model, X2, Y2)
    by_default = model.select(X2, Y2).tree_
    assert by_default is model.select(X2, Y2, scoring="roc_auc").tree_


def test_the_file_holds_the_chosen_tree(tmp_path):
    for model, X, y in (
        (DPDTClassifierCV(**SMALL, cv=KFold(3)).fit(X3, Y3), X3, Y3),
        (DPDTRegressorCV(**SMALL, rule="best").fit(XR, YR), XR, YR),
    ):
        model.save(tmp_path / "model.json")
        loaded = load(tmp_path / "model.json")
        assert type(loaded) is PLAIN[type(model)]
        assert loaded.front_ == model.front_
        assert loaded.tree_ == model.tree_
        assert loaded.alpha == loaded.alpha_ == model.alpha_
        assert loaded.fit(X, y).tree_ == model.tree_


def test_proofs():
    model = DPDTClassifierCV(max_depth=2, splits="all", cv=3).fit(X3, Y3)
    assert model.status_ == "optimal"
    assert model.gap_ == 0
    index = model.best_index_
    value = model.front_.loss[index] + model.best_alpha_ * model.front_.complexity[index]
    assert model.lower_bound_ == value


def test_a_time_limit_is_of_every_search():
    X = np.random.default_rng(0).normal(size=(600, 20))
    y = X[:, 0] * X[:, 1] > X[:, 2]
    model = DPDTClassifierCV(max_depth=5, splits="all", time_limit=0.05, cv=2).fit(X, y)
    assert model.status_ == "time_limit"
    assert model.fold_status_ == ["time_limit"] * 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "median"}, "rule must be 'best' or 'one_standard_error'"),
        ({"scoring": ["accuracy", "f1"]}, "scoring must be"),
        ({"scoring": "nothing"}, "nothing"),
        ({"scoring": lambda estimator, X, y: "good"}, "must return a number"),
        ({"scoring": lambda estimator, X, y: np.nan}, "fold 1 of 5"),
        ({"cv": 1}, "n_splits"),
        ({"cv": []}, "no fold"),
        ({"cv": [([0, 1, 60, 61], [])]}, "fold 1 of cv has no row"),
        ({"cv": [([0, 1, 60, 61], [700])]}, "it has 150"),
        ({"cv": [([0.5], [1])]}, "as their numbers"),
        ({"cv": ShuffleSplit(1)}, "two or more folds"),
        ({"max_depth": -1}, "max_depth"),
    ],
)
def test_what_is_refused(options, message):
    model = DPDTClassifierCV(max_depth=1).fit(X3, Y3)
    before = dict(vars(model))
    with pytest.raises(ValueError, match=message):
        model.set_params(**options).fit(X3, Y3)
    assert {k: v for k, v in vars(model).items() if k.endswith("_")} == {
        k: v for k, v in before.items() if k.endswith("_")
    }


def test_other_lengths_are_refused():
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        DPDTClassifierCV(cv=GroupKFold(2)).fit(X3, Y3, groups=[1, 2])
    with pytest.raises(ValueError, match="metadata routing"):
        DPDTClassifierCV().fit(X3, Y3, prices=[1])


def test_one_class_has_one_tree():
    model = DPDTClassifierCV(cv=2).fit(X3[:20], ["a"] * 20)
    assert (len(model.front_), model.best_score_) == (1, 1.0)
