"""The report in a real browser: what it shows and where it leads is what the model says."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from tests.report import models
from treefront import DPDTClassifier
from treefront.report import page as report_page
from treefront.report import summary as report_summary

pytestmark = pytest.mark.browser

N_FOLLOWED = 6  # rows per model and mode


def report_of(name: str):
    fitted = models.ALL[name]()
    return fitted, fitted.model.report(fitted.X, fitted.y, title=f"<{name}>")


def press(page, selector: str) -> None:
    """A click without a mouse: much faster, where how it is clicked is not the question."""
    page.evaluate("selector => document.querySelector(selector).click()", selector)


def choose(page, index: int) -> None:
    press(page, f'#table tr[data-tree="{index}"] button')


def follow(page, row: int) -> None:
    page.evaluate(
        "row => { const field = document.getElementById('row'); field.value = row;"
        " field.dispatchEvent(new Event('change')); }",
        str(row),
    )


def enter(page, column: int, text: str | None) -> bool:
    """Fill a field, or (None) say that its value is missing; whether there is such a field."""
    return page.evaluate(
        """([column, text]) => {
            const field = document.getElementById(`value-${column}`);
            if (field === null) return false;
            const missing = document.getElementById(`missing-${column}`);
            if (missing.checked !== (text === null)) missing.click();
            if (text === null) return true;
            field.value = text;
            field.dispatchEvent(new Event(field.tagName === "SELECT" ? "change" : "input"));
            return true;
        }""",
        [column, text],
    )


def nodes_shown(page) -> list[int]:
    return page.eval_on_selector_all(
        "#tree [role=treeitem]", "all => all.map(e => Number(e.dataset.node))"
    )


def leaf_shown(page) -> int | None:
    found = page.query_selector("#walk .result")
    return None if found is None else int(found.get_attribute("data-leaf"))


def path_shown(page) -> list[int]:
    return page.eval_on_selector_all(
        "#walk .steps li", "all => all.map(e => Number(e.dataset.node))"
    )


def squeezed(text: str) -> str:
    """As a browser reads it out."""
    return re.sub(r"\s+", " ", text).strip()


def test_every_tree_is_shown_as_it_is(case):
    summary, page = case.summary, case.page
    assert page.inner_text("h1") == f"<{case.name}>"
    for i, tree in enumerate(summary["trees"]):
        choose(page, i)
        press(page, "#unfold")
        assert sorted(nodes_shown(page)) == list(range(len(tree["nodes"])))
        said = page.eval_on_selector_all(
            "#tree [role=treeitem]",
            "all => all.map(e => [Number(e.dataset.node), e.querySelector('.says').textContent,"
            " e.querySelector('.spread').textContent])",
        )
        for number, says, spread in said:
            node = tree["nodes"][number]
            assert says == (node["prediction"] if node["test"] is None else f"{node['test']}?")
            assert spread == f"{node['rows']}, {node['spread']}"
        rules = page.eval_on_selector_all("#rules li", "all => all.map(e => e.textContent)")
        for rule, shown in zip(tree["rules"], rules):
            assert all(condition in shown for condition in rule["conditions"])
            assert tree["nodes"][rule["leaf"]]["prediction"] in shown
        figures = page.eval_on_selector_all("#facts dd", "all => all.map(e => e.dataset.value)")
        numbers = {float(f) for f in figures if f not in (None, "proved")}
        for figure in ("loss", "mean_tests", "n_leaves", "depth"):
            assert summary["front"][figure][i] in numbers
        assert {summary["tested"]["loss"][i], summary["tested"]["score"][i]} <= numbers


def test_the_confusion_matrices_are_those_of_the_summary(case):
    summary, page = case.summary, case.page
    if case.name in models.REGRESSORS:
        assert page.query_selector("#errors .confusion") is None
        return
    tree = summary["trees"][summary["chosen"]]
    choose(page, summary["chosen"])
    shown = page.eval_on_selector_all(
        "#errors [data-value]", "all => all.map(e => Number(e.dataset.value))"
    )
    matrices = [cells for cells in (tree["training"], tree["tested"]["confusion"]) if cells]
    if len(summary["classes"]) > 12:  # the most common errors of each
        matrices = [[cell for cell in cells if cell[0] != cell[1]] for cells in matrices]
        assert len(shown) <= sum(map(len, matrices))
        assert max(shown) == max(cell[2] for cells in matrices for cell in cells)
    else:
        assert sum(shown) == pytest.approx(sum(cell[2] for cells in matrices for cell in cells))
        assert {w for cells in matrices for _, _, w in cells} | {0} == set(shown) | {0}


def test_rows_go_where_the_model_sends_them(case):
    fitted, page = case.fitted, case.page
    tree = fitted.model.tree_
    choose(page, case.summary["chosen"])
    press(page, "#mode-row")
    leaves, paths = tree.apply(fitted.X), tree.decision_path(fitted.X)
    for row in np.linspace(0, len(fitted.X) - 1, N_FOLLOWED).astype(int).tolist():
        follow(page, row)
        assert leaf_shown(page) == leaves[row]
        assert [*path_shown(page), leaf_shown(page)] == paths[row].indices.tolist()
        truth = page.inner_text("#walk .truth")
        if case.name in models.CLASSIFIERS:
            right = tree.predict(fitted.X[row : row + 1])[0] == fitted.y[row]
            assert truth.endswith("right" if right else "wrong")


def test_values_that_are_typed_lead_to_the_leaf_of_apply(case):
    fitted, page = case.fitted, case.page
    tree = fitted.model.tree_
    leaves = tree.apply(fitted.X)
    choose(page, case.summary["chosen"])
    press(page, "#mode-values")
    for row in np.linspace(0, len(fitted.X) - 1, N_FOLLOWED).astype(int).tolist():
        for column, value, text in zip(
            case.summary["columns"],
            case.summary["rows"][row]["values"],
            case.summary["rows"][row]["texts"],
        ):
            if value is None:
                typed = None
            elif column["kind"] == "category":
                typed = str(int(value))
            else:
                typed = text.removesuffix(" UTC")
            is_asked = enter(page, column["column"], typed)
            assert is_asked == (tree.feature == column["column"]).any()
        assert leaf_shown(page) == leaves[row]


def test_the_threshold_itself_goes_left_and_what_is_above_goes_right(open_page):
    fitted, report = report_of("binary")
    tree = fitted.model.tree_
    page = open_page(report)
    page.click("#mode-values")
    feature, threshold = int(tree.feature[0]), float(tree.threshold[0])
    for value, child in (
        (threshold, tree.left[0]),
        (math.nextafter(threshold, -math.inf), tree.left[0]),
        (math.nextafter(threshold, math.inf), tree.right[0]),
    ):
        page.fill(f"#value-{feature}", repr(value))
        on_path = page.eval_on_selector_all(
            "#tree .on-path", "all => all.map(e => Number(e.dataset.node))"
        )
        assert int(child) in on_path


def test_a_field_that_is_empty_or_wrong_stops_the_walk(open_page):
    fitted, report = report_of("dates")
    tree = fitted.model.tree_
    page = open_page(report)
    page.click("#mode-values")
    field = f"#value-{int(tree.feature[0])}"
    assert leaf_shown(page) is None
    assert "Next it asks for" in page.inner_text("#walk")
    for text in ("soon", "2021-02-30", "2021-01-01 24:00", "1"):
        page.fill(field, text)
        assert page.get_attribute(field, "aria-invalid") == "true"
        assert path_shown(page) == []
    page.fill(field, "2021-02-28T23:59")
    assert page.get_attribute(field, "aria-invalid") == "false"
    assert path_shown(page)[0] == 0


def test_the_questions_lead_to_the_prediction(case):
    fitted, page = case.fitted, case.page
    tree = fitted.model.tree_
    nodes = case.summary["trees"][case.summary["chosen"]]["nodes"]
    checked = fitted.model.front_._rows(fitted.X)
    choose(page, case.summary["chosen"])
    press(page, "#mode-questions")
    for row in np.linspace(0, len(fitted.X) - 1, N_FOLLOWED).astype(int).tolist():
        *tests, leaf = tree.decision_path(fitted.X)[row].indices.tolist()
        for node in tests:
            said = nodes[node]["test"]
            assert squeezed(page.text_content("#mode .question")) == squeezed(f"{said}?")
            is_category = tree.categories[tree.feature[node]] is not None
            value = checked[row, tree.feature[node]]
            is_unknown = math.isnan(value) or (is_category and value < 0)
            if is_unknown and page.query_selector("#mode .unknown") is not None:
                press(page, "#mode .unknown")
            else:
                goes_left = bool(tree.goes_left(node, checked[row : row + 1])[0])
                press(page, "#mode .yes" if goes_left else "#mode .no")
        assert leaf_shown(page) == leaf
        prediction = page.text_content("#walk .result strong")
        said = nodes[leaf]["prediction"]
        assert squeezed(prediction) == squeezed(said)
        if tests:
            press(page, "#again")


def test_questions_can_be_taken_back(open_page):
    _, report = report_of("binary")
    page = open_page(report)
    page.click("#mode-questions")
    first = page.inner_text("#mode .question")
    page.click("#mode .no")
    page.click("#mode button:text('Back')")
    assert page.inner_text("#mode .question") == first
    assert path_shown(page) == []


def test_prices_of_a_path(open_page):
    fitted, report = report_of("prices")
    tree = fitted.model.tree_
    page = open_page(report)
    for row in range(0, len(fitted.X), 10):
        follow(page, row)
        *tests, _ = tree.decision_path(fitted.X)[row].indices.tolist()
        features = {int(tree.feature[node]) for node in tests}
        price = 5.0 * bool(features & {0, 1}) + 1.0 * (2 in features) + 0.5 * (3 in features)
        assert f"price {price:g};" in page.inner_text("#walk .result")


# ---- choosing ----


def test_points_are_chosen_by_mouse_and_keyboard(open_page):
    fitted, report = report_of("binary")
    n_trees = len(fitted.model.front_)
    page = open_page(report)

    def current() -> int:
        (tree,) = page.eval_on_selector_all(
            "#chart [role=radio][aria-checked=true]", "all => all.map(e => Number(e.dataset.tree))"
        )
        line = page.get_attribute("#table tr.current", "data-tree")
        assert int(line) == tree
        leaves = fitted.model.front_.n_leaves[tree]
        assert page.inner_text("#tree-heading").startswith(f"Tree {tree}: {leaves} lea")
        return tree

    assert current() == fitted.model.front_.index(fitted.model.tree_)
    for i in range(n_trees):
        page.locator(f'#chart [data-tree="{i}"] circle.training').click(force=True)
        assert current() == i
    page.keyboard.press("Home")
    assert current() == 0
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert current() == 2
    page.keyboard.press("ArrowLeft")
    assert current() == 1
    page.keyboard.press("End")
    assert current() == n_trees - 1
    assert page.evaluate("document.activeElement.dataset.tree") == str(n_trees - 1)
    page.click("#axis-leaves")
    assert page.text_content("#chart .label") == "number of leaves"
    assert current() == n_trees - 1


def test_the_page_is_walked_by_keyboard_alone(open_page):
    _, report = report_of("binary")
    page = open_page(report)
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.closest('[id]')?.id ?? ''"))
    assert {"theme", "chart", "axis-tests", "table", "tree", "fold", "mode-row", "row"} <= reached


def test_a_tree_is_walked_and_folded_by_keyboard(open_page):
    fitted, report = report_of("binary")
    tree = fitted.model.tree_
    page = open_page(report)
    press(page, "#unfold")
    page.focus('#tree [tabindex="0"]')

    def focused() -> int:
        return int(page.evaluate("document.activeElement.dataset.node"))

    assert focused() == 0
    page.keyboard.press("ArrowRight")
    assert focused() == tree.left[0]
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert focused() == tree.left[0]
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    assert nodes_shown(page) == [0]
    assert page.get_attribute('[data-node="0"][role=treeitem]', "aria-expanded") == "false"
    assert f"{tree.n_nodes - 1} nodes folded" in page.inner_text("#tree")
    page.keyboard.press("ArrowRight")
    assert len(nodes_shown(page)) == tree.n_nodes
    page.keyboard.press("End")
    assert focused() == tree.n_nodes - 1
    page.keyboard.press("ArrowLeft")
    parent = report.summary["trees"][report.summary["chosen"]]["nodes"][-1]["parent"]
    assert focused() == parent


def test_rows_on_which_neighbours_differ_are_followed(open_page):
    fitted, report = report_of("binary")
    page = open_page(report)
    chosen = report.summary["chosen"]
    pair = report.summary["neighbours"][chosen - 1]
    assert pair["rows"]
    assert int(page.get_attribute("#neighbours [data-rows]", "data-rows")) == pair["n_rows"]
    page.click("#mode-questions")
    page.locator("#neighbours table").first.locator("button").first.click()
    assert page.get_attribute("#mode-row", "aria-selected") == "true"
    row = pair["rows"][0]
    assert leaf_shown(page) == fitted.model.apply(fitted.X)[row]


# ---- large ----


@pytest.fixture(scope="module")
def large():
    random = np.random.default_rng(0)
    X = random.normal(size=(6000, 6))
    y = (X[:, :3].sum(axis=1) * 5).round().astype(int) % 3
    model = DPDTClassifier(max_depth=9, exact_tail=0).fit(X, y)
    assert model.tree_.n_nodes > 200
    return model, X, y


def test_large_trees_fold(open_page, large):
    model, X, y = large
    page = open_page(model.report(X[:500], y[:500]))
    few = nodes_shown(page)
    assert 0 < len(few) < 100
    assert "nodes folded" in page.inner_text("#tree")
    assert {*path_shown(page), leaf_shown(page)} < set(few)  # the way of the row is unfolded
    page.click("#unfold")
    assert len(nodes_shown(page)) == model.tree_.n_nodes
    page.click("#fold")
    assert len(nodes_shown(page)) == 3


def test_a_tree_without_room_says_so(open_page, large, monkeypatch):
    model, X, y = large
    monkeypatch.setattr(report_summary, "BUDGET", 100_000)
    model.select(n_leaves=4)
    report = model.report(X[:500], y[:500])
    model.select(alpha=0)
    page = open_page(report)
    last = len(model.front_) - 1
    choose(page, last)
    assert f"model.front_[{last}]" in page.inner_text("#tree")
    assert str(model.front_.n_leaves[last]) in page.inner_text("#facts")
    assert not page.is_visible("#rules")
    choose(page, 0)
    assert page.is_visible("#rules")


# ---- looks ----


def test_a_narrow_screen_needs_no_sideways_scrolling(case):
    page = case.page
    try:
        for width in (320, 700):
            page.set_viewport_size({"width": width, "height": 700})
            for i in {0, case.summary["chosen"], len(case.summary["trees"]) - 1}:
                choose(page, i)
                for mode in ("row", "values", "questions"):
                    press(page, f"#mode-{mode}")
                    assert page.evaluate("document.documentElement.scrollWidth") == width
    finally:
        page.set_viewport_size({"width": 1300, "height": 900})


def test_the_table_of_the_front_needs_no_sideways_scrolling(case):
    """On any screen that is wide enough for it, beside the chart or below."""
    page = case.page
    for width in (1500, 1200, 1024):
        page.set_viewport_size({"width": width, "height": 900})
        table, chart = (page.locator(name) for name in ("#table", "#chart"))
        assert table.evaluate("t => t.scrollWidth <= t.clientWidth"), width
        assert chart.bounding_box()["width"] >= 400
    page.set_viewport_size({"width": 1300, "height": 900})


def test_boxes_of_a_tree_do_not_overlap(case):
    choose(case.page, case.summary["chosen"])
    places = case.page.eval_on_selector_all(
        "#tree.diagram [role=treeitem]",
        "all => all.map(e => e.getBoundingClientRect())"
        ".map(r => [r.left, r.top, r.right, r.bottom])",
    )
    assert places
    for i, (left, top, right, bottom) in enumerate(places):
        for other in places[:i]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


def lightness(page) -> int:
    color = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(map(int, re.findall(r"\d+", color)[:3]))


def test_dark_and_light(open_page):
    _, report = report_of("binary")
    for scheme, is_dark in (("dark", True), ("light", False)):
        page = open_page(report, color_scheme=scheme)
        assert (lightness(page) < 200) == is_dark
        page.click("#theme")
        assert (lightness(page) < 200) != is_dark
        page.click("#theme")
        assert (lightness(page) < 200) == is_dark


def test_print_shows_all_of_the_tree(open_page, large):
    model, X, y = large
    report, n_nodes = model.report(X[:500], y[:500]), model.tree_.n_nodes
    page = open_page(report, color_scheme="dark")
    before = nodes_shown(page)
    assert len(before) < n_nodes
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert len(nodes_shown(page)) == n_nodes
    assert page.get_attribute("#tree", "class") == "outline"
    assert lightness(page) == 3 * 255
    assert not page.is_visible("#print")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert nodes_shown(page) == before
    assert page.pdf().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("name", "scheme"),
    [
        ("strange_names", "light"),
        pytest.param("strange_names", "dark", marks=pytest.mark.long),
        pytest.param("regression", "dark", marks=pytest.mark.long),
        pytest.param("many_classes", "light", marks=pytest.mark.long),
    ],
)
def test_rules_of_accessibility(open_page, name, scheme):
    axe = pytest.importorskip("axe_playwright_python.sync_playwright")
    _, report = report_of(name)
    page = open_page(report, color_scheme=scheme)
    for mode in ("row", "values", "questions"):
        press(page, f"#mode-{mode}")
        result = axe.Axe().run(page).response
        assert "color-contrast" in {rule["id"] for rule in result["passes"]}
        found = [(rule["id"], rule["nodes"][0]["html"]) for rule in result["violations"]]
        assert found == []


# ---- where scripts or anything else is not allowed ----


def test_without_scripts_there_is_a_table_and_rules(open_page):
    _, report = report_of("dates")
    page = open_page(report, java_script_enabled=False)
    assert page.locator("#table tbody tr").count() == len(report.summary["trees"])
    assert page.is_visible("#plain")
    assert not page.is_visible("#app")
    assert not page.is_visible("#theme")


def test_a_server_may_repeat_the_policy(browser):
    _, report = report_of("strange_names")
    page = browser.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.route(
        "**/*",
        lambda route: route.fulfill(
            body=report.html,
            content_type="text/html; charset=utf-8",
            headers={"Content-Security-Policy": report_page.content_security_policy()},
        ),
    )
    page.goto("http://report.test/")
    assert page.is_visible("#tree")
    assert problems == []
    page.close()


def test_in_a_sandboxed_frame(open_page, browser, tmp_path):
    _, report = report_of("binary")
    notebook = tmp_path / "notebook.html"
    notebook.write_text(f"<!DOCTYPE html><title>n</title>{report._repr_html_()}", encoding="utf-8")
    page = browser.new_page()
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text))
    page.goto(notebook.as_uri())
    frame = page.frame_locator("iframe")
    frame.locator("#mode-questions").click()
    frame.locator("#mode .yes").click()
    assert problems == []
    page.close()
