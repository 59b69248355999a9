"""What a notebook shows: small HTML without scripts, in the colours of the page it stands on."""

from __future__ import annotations

import html
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from treefront import rules, summary
from treefront.summary import CLASS_COLORS

if TYPE_CHECKING:
    from treefront.tree import Tree

DEEPEST = 30  # levels that are nested; browsers stop nesting at some hundreds
OPEN_LEVELS = 4
MOST_NODES = 400  # more is no longer looked at
MOST_CATEGORIES = 8
GREY = "#8a8a8a"
BAR = (
    "display:inline-block;width:6em;height:.6em;vertical-align:baseline;"
    "border:1px solid currentColor;overflow:hidden;white-space:nowrap;line-height:0"
)
WIDTH, HEIGHT, LEFT, BELOW = 420, 180, 54, 36

LARGEST_IN_FULL = 1e6  # a longer number has no room beside the axis


def of_tree(tree: Tree) -> str:
    """A tree as nested lists that fold, with a bar of class shares at every node."""
    if tree.depth > DEEPEST or tree.n_nodes > MOST_NODES:
        lines = tree.to_text().splitlines()
        more = len(lines) - MOST_NODES
        text = "\n".join(lines[:MOST_NODES]) + (f"\n... and {more} nodes more" if more > 0 else "")
        return f"<pre>{html.escape(text)}</pre>"
    leaves = rules.leaves(tree.n_leaves)
    head = f"Tree: {leaves}, depth {tree.depth}, {tree.mean_tests:.3g} tests on average"
    return (
        '<div style="font-family:sans-serif;font-size:13px;line-height:1.6">'
        f"<div><strong>{head}</strong></div>{_legend(tree)}"
        f"{''.join(_nodes(tree))}</div>"
    )


def _legend(tree: Tree) -> str:
    classes = summary.class_names(tree)
    if classes is None:
        return ""
    shown = "".join(
        f'<span style="margin-right:1em"><span style="display:inline-block;width:.7em;height:.7em;'
        f'background:{_color(k)}"></span> {html.escape(name)}</span>'
        for k, name in enumerate(classes[: len(CLASS_COLORS)])
    )
    more = len(classes) - len(CLASS_COLORS)
    return f"<div>{shown}{f'and {more} more' if more > 0 else ''}</div>"


def _nodes(tree: Tree) -> Iterator[str]:
    nodes = summary.nodes(tree, most_categories=MOST_CATEGORIES, say_missing=False)
    waiting: list[int | str] = [0]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        node = nodes[item]
        words = html.escape(f"{node.rows}, {node.spread}")
        facts = (
            f'<span title="{words}">{_bar(node)} <span style="opacity:.75">{words}</span></span>'
        )
        way = "" if node.parent is None else f"<em>{'yes' if node.is_left else 'no'}</em>: "
        if node.test is None or node.left is None or node.right is None:
            yield f"<div>{way}<strong>{html.escape(node.prediction)}</strong> {facts}</div>"
            continue
        is_open = " open" if node.level < OPEN_LEVELS else ""
        missing = "" if node.missing is None else _missing(node)
        yield (
            f'<details{is_open}><summary style="cursor:pointer">{way}'
            f"{html.escape(node.test)}? {missing}{facts}</summary>"
            '<div style="margin-left:.35em;padding-left:1em;border-left:1px solid #8a8a8a">'
        )
        waiting += ["</div></details>", node.right, node.left]


def _missing(node: summary.Node) -> str:
    way = "yes" if node.missing == "left" else "no"
    return f'<span style="opacity:.75">(missing: {way})</span> '


def _bar(node: summary.Node) -> str:
    if node.shares is None:
        return ""
    parts = "".join(
        f'<span style="display:inline-block;height:100%;width:{100 * share:.2f}%;'
        f'background:{_color(k)}"></span>'
        for k, share in enumerate(node.shares)
        if share > 0
    )
    return f'<span aria-hidden="true" style="{BAR}">{parts}</span>'


def _color(k: int) -> str:
    return CLASS_COLORS[k] if k < len(CLASS_COLORS) else GREY


def of_front(
    header: Sequence[str],
    body: Sequence[Sequence[str]],
    tests: Sequence[float],
    loss: Sequence[float],
) -> str:
    """A front as a chart and a table.

    Parameters
    ----------
    header, body : cells of the table
    tests, loss : sequence of float, shape (n_trees,)
        Average number of tests, and training loss, of every tree.
    """
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in header)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in body
    )
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f"<div>{_chart(tests, loss)}{table}</div>"


def _chart(tests: Sequence[float], loss: Sequence[float]) -> str:
    """Staircase of the loss over the average number of tests; points say which tree they are."""
    widest, highest = max(tests) or 1.0, max(loss) or 1.0
    points = sorted(
        (LEFT + (WIDTH - LEFT - 12) * x / widest, 10 + (HEIGHT - BELOW - 10) * (1 - y / highest), i)
        for i, (x, y) in enumerate(zip(tests, loss))
    )
    steps = f"M{points[0][0]:.1f} {points[0][1]:.1f}" + "".join(
        f"H{x:.1f}V{y:.1f}" for x, y, _ in points[1:]
    )
    dots = "".join(
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{CLASS_COLORS[0]}">'
        f"<title>tree {i}: loss {loss[i]:.4g}, {tests[i]:.3g} tests</title></circle>"
        for x, y, i in points
    )
    floor = HEIGHT - BELOW
    most = f"{highest:.3g}" if highest >= LARGEST_IN_FULL else rules.rounded(highest, 3)
    small = 'font-size="11" fill="currentColor"'
    return (
        f'<svg role="img" aria-label="training loss against average number of tests" '
        f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'xmlns="http://www.w3.org/2000/svg" font-family="sans-serif">'
        f'<path d="M{LEFT} 6V{floor}H{WIDTH - 8}" fill="none" stroke="currentColor" opacity=".5"/>'
        f'<path d="{steps}" fill="none" stroke="{CLASS_COLORS[0]}" stroke-width="1.6"/>{dots}'
        f'<text x="{LEFT - 4}" y="{floor}" text-anchor="end" {small}>0</text>'
        f'<text x="{LEFT - 4}" y="14" text-anchor="end" {small}>{most}</text>'
        f'<text x="{LEFT}" y="{floor + 14}" text-anchor="middle" {small}>0</text>'
        f'<text x="{WIDTH - 12}" y="{floor + 14}" text-anchor="middle" {small}>{widest:.2g}</text>'
        f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" text-anchor="middle" {small}>'
        "average number of tests per row (training loss above it)</text></svg>"
    )


def of_estimator(tree: Tree, which: str, status: str, gap: float) -> str:
    """One line under the estimator's diagram: how the search ended, and which tree predicts."""
    leaves = rules.leaves(tree.n_leaves)
    from_optimal = f" (gap {gap:.3g})" if status in ("time_limit", "interrupted") else ""
    return (
        '<div style="font-family:sans-serif;font-size:13px">'
        f"Search: {html.escape(status)}{from_optimal}. Predicts with {which}: {leaves}, "
        f"depth {tree.depth}, {tree.mean_tests:.3g} tests on average.</div>"
    )
