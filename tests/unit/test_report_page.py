"""The page: valid HTML that loads nothing, holds every figure, and is of use without scripts."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re

import numpy as np
import pytest

from tests.report import models
from treefront import DPDTClassifier
from treefront.report import page

html5lib = pytest.importorskip("html5lib")

XHTML = "{http://www.w3.org/1999/xhtml}"
LARGEST = 3_000_000  # bytes


def parsed(text: str):
    """The element tree; any error of the parser is one of the test."""
    return html5lib.HTMLParser(strict=True).parse(text)


def words(element) -> str:
    return "".join(element.itertext())


def restored(value, texts):
    """What the page's script makes of shortened texts."""
    if isinstance(value, str):
        return texts[int(value[1:])] if value.startswith("@") else value
    if isinstance(value, list):
        return [restored(member, texts) for member in value]
    if isinstance(value, dict):
        return {key: restored(member, texts) for key, member in value.items()}
    return value


@pytest.mark.parametrize("name", models.ALL)
class TestEveryKind:
    @pytest.fixture
    def report(self, name):
        fitted = models.ALL[name]()
        return fitted.model.report(fitted.X, fitted.y, title=f"</title><script>{name}\n\"'&")

    @pytest.fixture
    def document(self, report):
        return parsed(report.html)

    def test_the_data_are_the_summary(self, report, document):
        data = document.find(f".//{XHTML}script[@id='data']")
        assert data.get("type") == "application/json"
        held = json.loads(words(data))
        assert restored(held["summary"], held["texts"]) == report.summary
        assert not set("<>&\u2028\u2029") & set(words(data))

    def test_nothing_is_loaded_and_nothing_else_runs(self, report, document):
        for element in document.iter():
            for attribute, value in element.attrib.items():
                assert not attribute.startswith("on"), attribute
                assert attribute != "style"
                if attribute in ("href", "src", "srcset", "action", "data"):
                    assert value.startswith("#") or value == "data:,", value
        assert [e.tag for e in document.iter(f"{XHTML}link")] == [f"{XHTML}link"]  # an empty icon
        style = words(document.find(f".//{XHTML}style"))
        assert not re.search(r"url\(|@import", style)

    def test_the_policy_names_what_is_there(self, report, document):
        metas = document.findall(f".//{XHTML}meta[@http-equiv='Content-Security-Policy']")
        (policy,) = (meta.get("content") for meta in metas)
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        scripts = [s for s in document.iter(f"{XHTML}script") if s.get("type") is None]
        assert rules["default-src"] == "'none'"
        assert rules["script-src"] == " ".join(hashed(words(script)) for script in scripts)
        assert rules["style-src"] == hashed(words(document.find(f".//{XHTML}style")))
        assert "unsafe" not in policy
        assert policy == page.content_security_policy()  # the same for every report

    def test_without_scripts_it_has_table_and_rules(self, name, report, document):
        model = models.ALL[name]().model
        rows = document.findall(f".//{XHTML}tbody/{XHTML}tr")
        assert len(rows) == len(model.front_)
        said = words(document.find(f".//{XHTML}section[@id='plain']"))
        for rule in report.summary["trees"][report.summary["chosen"]]["rules"]:
            assert all(condition in said for condition in rule["conditions"])

    def test_names_are_words(self, report, document):
        title = document.find(f".//{XHTML}h1")
        assert words(title) == report.summary["title"]
        ids = [element.get("id") for element in document.iter() if element.get("id")]
        assert len(ids) == len(set(ids))


def hashed(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_table_has_the_figures_of_the_front():
    fitted = models.binary()
    front = fitted.model.front_
    document = parsed(fitted.model.report(fitted.X, fitted.y).html)
    scores = front.score(fitted.X, fitted.y)
    for i, row in enumerate(document.findall(f".//{XHTML}tbody/{XHTML}tr")):
        leaves, tests, loss, tested, depth, low, high = (
            words(cell) for cell in row.findall(f"{XHTML}td")
        )
        assert (leaves, depth) == (str(front.n_leaves[i]), str(front.depth[i]))
        assert tests == f"{front.mean_tests[i]:.2f}"
        assert (loss, tested) == (f"{front.loss[i]:.2%}", f"{1 - scores[i]:.2%}")
        assert low == f"{front.alpha_low[i]:.4g}"
        assert high == (f"{front.alpha_high[i]:.4g}" if i else "any")


def test_it_is_saved_as_it_is(tmp_path):
    fitted = models.strange_names()
    report = fitted.model.report(fitted.X, fitted.y)
    report.save(tmp_path / "r.html")
    assert (tmp_path / "r.html").read_bytes() == report.html.encode()
    assert f"{len(report.html.encode()):,} bytes" in repr(report)


def test_in_a_notebook_it_is_a_frame_of_its_own():
    fitted = models.strange_names()
    report = fitted.model.report(fitted.X, fitted.y)
    frame = html5lib.HTMLParser(strict=True).parseFragment(report._repr_html_())[0]
    assert frame.get("srcdoc") == report.html
    assert frame.get("sandbox") == "allow-scripts"  # it reaches nothing of the notebook
    assert html.escape(report.summary["title"]) in report.html


def test_the_default_fit_of_ten_thousand_rows_is_small():
    random = np.random.default_rng(0)
    X = random.normal(size=(10_000, 20))
    y = (X[:, :4].sum(axis=1) + random.normal(size=10_000) > 0) + (X[:, 5] > 1).astype(int)
    model = DPDTClassifier().fit(X[:7_500], y[:7_500])
    assert len(model.report(X[7_500:], y[7_500:]).html.encode()) < LARGEST


@pytest.mark.parametrize("name", ["x", "a <long> & strange name " * 9])
def test_large_fronts_stay_small(name):
    pd = pytest.importorskip("pandas")
    random = np.random.default_rng(0)
    X = pd.DataFrame(random.normal(size=(10_000, 10))).rename(columns=lambda i: f"{name}{i}")
    y = (X.iloc[:, :3].sum(axis=1) * 5).round().astype(int).to_numpy() % 10
    model = DPDTClassifier(max_depth=10, exact_tail=0).fit(X, y).select(n_leaves=10)
    report = model.report(X[:1000], y[:1000])
    assert None in report.summary["trees"]  # a page with all would be larger
    assert LARGEST / 2 < len(report.html.encode()) < LARGEST
