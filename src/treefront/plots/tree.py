"""A tree from left to right: one line per leaf, tests as text, class shares as bars.

Text lies on its side nowhere and needs the width of a column, not of a leaf; so trees stay
readable where a picture from top to bottom would overlap.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treefront import summary
from treefront.plots import style
from treefront.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_CATEGORIES = 3
LONGEST = 44  # signs of a line; longer names are cut
BAR = 9.0  # width of a bar, in widths of a letter
GAP, GAP_OF_MISSING = 5.0, 10.0  # between two columns; where branches speak of missing values
LETTER, LINE = 0.54, 1.25  # width of a letter and height of a line, in font sizes
LEAF_LINES = 2.6  # from leaf to leaf
LARGEST_FONT, DEFAULT_FONT, POINTS = 10.0, 8.5, 72.0
MARGIN = 1.0
OTHERS = -1  # the classes without a colour of their own


@dataclass(frozen=True)
class Box:
    """One node: where it is, and what it says."""

    node: summary.Node
    x: float  # left end, in widths of a letter
    y: float  # middle, in lines from the top
    text: str
    answer: str  # at the line to its parent; "" at the root
    bend: float  # where the line to its parent turns, the same for all of a level
    bar: tuple[tuple[int, float], ...]  # (place of the class or OTHERS, share), left to right
    mean: float | None  # of a regression tree: place between the smallest and the largest leaf


@dataclass(frozen=True)
class TreePicture:
    """What the plot shows; lengths in widths of a letter and in lines."""

    boxes: tuple[Box, ...]
    width: float
    height: float
    legend: tuple[tuple[int, str], ...]  # (place of the class or OTHERS, name)
    range_of_means: tuple[float, float] | None


def plot_tree(tree: Tree, ax: Axes | None = None) -> Axes:
    """Draw a tree, root at the left; the upper branch of a test is "yes".

    Bars show class shares; of a regression tree, where the mean (of the first target) lies between
    the smallest and the largest leaf. Thresholds are in the units of the data, to six digits.

    Parameters
    ----------
    tree : Tree
    ax : matplotlib Axes, optional
        Where to draw, with a font that fits; without, a new pyplot figure that is large enough.

    Returns
    -------
    matplotlib Axes

    Raises
    ------
    ImportError
        matplotlib is not installed.
    """
    return draw(compute(tree), ax)


def compute(tree: Tree) -> TreePicture:
    """Places and words of the picture."""
    nodes, texts = _texts(tree)
    answers = [_answer(node, nodes) for node in nodes]
    gap = GAP_OF_MISSING if any("missing" in answer for answer in answers) else GAP
    longest_answer = [3] * (tree.depth + 1)  # of every level
    for node, answer in zip(nodes, answers):
        longest_answer[node.level] = max(longest_answer[node.level], len(answer))
    with_color = _classes_with_color(nodes)
    widths = [0.0] * (tree.depth + 1)
    for node, text in zip(nodes, texts):
        widths[node.level] = max(widths[node.level], _length(text), BAR + 1 + len(_rows(node)))
    left_of = [sum(widths[:level]) + gap * level for level in range(len(widths))]
    middle = _middles(nodes)
    means = [node.means[0] for node in nodes if node.means is not None and node.is_leaf]
    low, high = (min(means), max(means)) if means else (0.0, 0.0)
    boxes = tuple(
        Box(
            node,
            left_of[node.level],
            middle[node.number],
            text,
            answers[node.number],
            left_of[node.level] - 1.6 - 0.8 * longest_answer[node.level],
            _bar(node, with_color),
            None
            if node.means is None
            else min(max((node.means[0] - low) / (high - low), 0.0), 1.0)
            if high > low
            else 0.5,
        )
        for node, text in zip(nodes, texts)
    )
    names = summary.class_names(tree)
    legend = () if names is None else tuple((k, _cut(names[k])) for k in with_color)
    if names is not None and len(with_color) < len(names):
        n_others = len(names) - len(with_color)
        legend += ((OTHERS, f"{n_others} other" + ("s" if n_others > 1 else "")),)
    return TreePicture(
        boxes,
        left_of[-1] + widths[-1],
        LEAF_LINES * tree.n_leaves,
        legend,
        (low, high) if means else None,
    )


def draw(picture: TreePicture, ax: Axes | None) -> Axes:
    """Draw on `ax`, or on a new pyplot figure; matplotlib's settings are left alone."""
    inch = DEFAULT_FONT / POINTS
    width = (picture.width + 2 * MARGIN) * LETTER * inch
    height = (picture.height + 2 * MARGIN) * LINE * inch
    ax = style.axes(ax, max(width, 4.0), height + 0.5)
    ax.set_axis_off()
    ax.set_xlim(-MARGIN, picture.width + MARGIN)
    ax.set_ylim(picture.height + MARGIN, -MARGIN)
    font = _font(picture, ax)
    if picture.legend:
        _legend(picture, ax, font)
    if picture.range_of_means is not None:
        low, high = picture.range_of_means
        ax.text(
            0.0, -MARGIN, f"bars: mean from {low:.6g} to {high:.6g}", fontsize=font, va="bottom"
        )
    boxes = picture.boxes
    for box in boxes:
        if box.node.parent is not None:
            _branch(boxes[box.node.parent], box, ax, font)
    for box in boxes:
        _box(box, ax, font)
    return ax


def _font(picture: TreePicture, ax: Axes) -> float:
    """The largest size at which no two texts meet."""
    points = POINTS / ax.figure.dpi
    across = ax.bbox.width * points / ((picture.width + 2 * MARGIN) * LETTER)
    down = ax.bbox.height * points / ((picture.height + 2 * MARGIN) * LINE)
    return float(min(across, down, LARGEST_FONT))


def _branch(parent: Box, child: Box, ax: Axes, font: float) -> None:
    """Line under the parent's test, down or up, to the child."""
    ax.plot(
        [parent.x, child.bend, child.bend, child.x - 0.5],
        [parent.y, parent.y, child.y, child.y],
        color=style.OTHER_COLOR,
        linewidth=0.4 + 2.2 * child.node.share_of_rows,
        solid_capstyle="round",
        solid_joinstyle="round",
        zorder=1,
    )
    ax.text(
        child.x - 0.6,
        child.y - 0.12,
        child.answer,
        fontsize=0.8 * font,
        color=style.TEXT_COLOR,
        horizontalalignment="right",
        verticalalignment="bottom",
    )


def _box(box: Box, ax: Axes, font: float) -> None:
    from matplotlib.patches import Rectangle

    ax.text(
        box.x,
        box.y - 0.05,
        box.text,
        fontsize=font,
        fontweight="bold" if box.node.is_leaf else "normal",
        color="black",
        horizontalalignment="left",
        verticalalignment="bottom",
        parse_math=False,
    )
    top, tall = box.y + 0.2, 0.55
    start = box.x
    for place, share in box.bar:
        color = style.OTHER_COLOR if place == OTHERS else summary.CLASS_COLORS[place]
        ax.add_patch(Rectangle((start, top), BAR * share, tall, color=color, linewidth=0))
        start += BAR * share
    if box.mean is not None:
        ax.add_patch(Rectangle((box.x, top), BAR, tall, color=style.GRID_COLOR, linewidth=0))
        ax.add_patch(
            Rectangle((box.x, top), BAR * box.mean, tall, color=style.TRAINING_COLOR, linewidth=0)
        )
    ax.text(
        box.x + BAR + 0.8,
        top + tall / 2,
        _rows(box.node),
        fontsize=0.85 * font,
        color=style.TEXT_COLOR,
        horizontalalignment="left",
        verticalalignment="center_baseline",
    )


def _legend(picture: TreePicture, ax: Axes, font: float) -> None:
    from matplotlib.patches import Patch

    patches = [
        Patch(color=style.OTHER_COLOR if k == OTHERS else summary.CLASS_COLORS[place], label=name)
        for place, (k, name) in enumerate(picture.legend)
    ]
    legend = ax.legend(
        handles=patches,
        loc="lower left",
        bbox_to_anchor=(0.0, 1.0),
        borderaxespad=0.0,
        ncols=4,
        frameon=False,
        fontsize=font,
        handlelength=1.0,
    )
    for text in legend.get_texts():
        text.set_parse_math(False)


def _texts(tree: Tree) -> tuple[list[summary.Node], list[str]]:
    """Nodes, and what they say: tests with as many categories as have room."""
    by_room = [
        summary.nodes(tree, most_categories=most, number=lambda t: f"{t:.6g}", say_missing=False)
        for most in range(MOST_CATEGORIES, 0, -1)
    ]
    texts = []
    for versions in zip(*by_room):
        says = [node.prediction if node.test is None else node.test for node in versions]
        texts.append(next((text for text in says if _length(text) <= LONGEST), _cut(says[-1])))
    return by_room[0], texts


def _length(text: str) -> int:
    """Width of a text in letters; signs of East Asian scripts are twice as wide."""
    return sum(2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text)


def _middles(nodes: list[summary.Node]) -> list[float]:
    """Every leaf has its line; a test stands half way between its children."""
    middle = [0.0] * len(nodes)
    leaves = [node.number for node in nodes if node.is_leaf]
    for place, number in enumerate(leaves):
        middle[number] = LEAF_LINES * (place + 0.5)
    for node in reversed(nodes):
        if node.left is not None and node.right is not None:
            middle[node.number] = (middle[node.left] + middle[node.right]) / 2
    return middle


def _answer(node: summary.Node, nodes: list[summary.Node]) -> str:
    """What leads to a node; that missing values do is said where the test does not say it."""
    if node.parent is None:
        return ""
    test = nodes[node.parent].test or ""
    said = test.endswith(("is missing", "is not missing"))
    answer, side = ("yes", "left") if node.is_left else ("no", "right")
    return f"{answer}, missing" if nodes[node.parent].missing == side and not said else answer


def _bar(node: summary.Node, with_color: list[int]) -> tuple[tuple[int, float], ...]:
    if node.shares is None:
        return ()
    shown = [(place, node.shares[k]) for place, k in enumerate(with_color)]
    rest = 1.0 - sum(share for _, share in shown)
    if len(with_color) < len(node.shares) and rest > 0:
        shown.append((OTHERS, rest))
    return tuple((place, share) for place, share in shown if share > 0)


def _classes_with_color(nodes: list[summary.Node]) -> list[int]:
    """The classes that have the most rows, in their own order."""
    shares = nodes[0].shares
    if shares is None:
        return []
    by_size = sorted(range(len(shares)), key=lambda k: -shares[k])
    return sorted(by_size[: len(summary.CLASS_COLORS)])


def _rows(node: summary.Node) -> str:
    if node.shares is None:
        return node.rows if node.is_leaf else f"{node.rows}, mean {node.prediction}"
    assert node.decision is not None
    return f"{node.rows}, {node.shares[node.decision]:.0%}" if node.is_leaf else node.rows


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
