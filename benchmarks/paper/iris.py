"""Figure 1: tests generating functions on iris, the size of the MDP against the best tree in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from sklearn.datasets import load_iris

from benchmarks import results
from benchmarks.adapters.clock import Clock
from benchmarks.paper import mdp, pages
from benchmarks.paper.log import Log, Row, Task
from benchmarks.paper.settings import Settings

SHOWS = ("figure1",)
NAMES = ("function", "size")
DEPTH = 3
TOP = (1, 2, 4, 8, 16, 32, 64)
CART = (1, 2, 3, 4, 5)
EXHAUSTIVE, TOP_B, CART_K = "exhaustive", "top B", "DPDT-K"


def tasks(settings: Settings, log: Log) -> Iterator[Task]:  # noqa: ARG001
    small = settings.repeats == 1
    rows = mdp.Rows(*load_iris(return_X_y=True))
    for size in TOP[:3] if small else TOP:
        yield Task((TOP_B, str(size)), partial(count, rows, TOP_B, size))
    for size in CART[:2] if small else CART:
        yield Task((CART_K, str(size)), partial(count, rows, CART_K, size))
    if not small:
        yield Task((EXHAUSTIVE, ""), partial(count, rows, EXHAUSTIVE, 0))


def count(rows: mdp.Rows, function: str, size: int) -> Row:
    """States and actions of Algorithm 1, and what the engine says of the same search."""
    found = built(rows, function, size)
    model = engine(function, size)
    with Clock() as clock:
        model.fit(rows.X, rows.y)
    return {
        "n_unmerged": found.n_unmerged,
        "n_states": found.n_states,
        "n_actions": found.n_actions,
        "train_accuracy": 1 - found.best[found.root] / len(rows.y),
        "engine_states": model.n_states_,
        "engine_tests": model.n_tests_,
        "engine_accuracy": 1 - float(model.front_.loss[-1]),
        "engine_seconds": clock.seconds,
    }


def engine(function: str, size: int) -> Any:
    """An estimator that also keeps how many tests its states were given."""
    from treefront import AllSplits, CartSplits, DPDTClassifier, TopSplits

    class Counted(DPDTClassifier):
        def _run(self, *arguments: Any) -> Any:
            result = super()._run(*arguments)
            self.n_tests_ = result.n_tests
            return result

    splits = {
        TOP_B: lambda: TopSplits(n_tests=size),
        CART_K: lambda: CartSplits(depth=size),
        EXHAUSTIVE: AllSplits,
    }[function]()
    return Counted(max_depth=DEPTH, splits=splits, exact_tail=0)


def built(rows: mdp.Rows, function: str, size: int) -> mdp.Mdp:
    generators = {TOP_B: mdp.top(size), CART_K: mdp.cart(size), EXHAUSTIVE: mdp.exhaustive}
    return mdp.Mdp(rows, DEPTH, generators[function])


def write(log: Log, settings: Settings) -> None:
    header = ["function", "size", "states, unmerged", "states", "actions", "best accuracy"]
    header += ["engine: states", "tests of these", "accuracy", "seconds"]
    lines = [
        [
            *(row["function"], row["size"] or "–"),
            *(f"{int(row[name]):,}" for name in ("n_unmerged", "n_states", "n_actions")),
            pages.percent(float(row["train_accuracy"]), 2),
            *(f"{int(row[name]):,}" for name in ("engine_states", "engine_tests")),
            pages.percent(float(row["engine_accuracy"]), 2),
            results.seconds(float(row["engine_seconds"])),
        ]
        for row in log.rows
    ]
    parts = [
        (
            f"iris, depth {DEPTH}, 150 rows; training accuracy in per cent of the best tree "
            "(alpha = 0). States: those of Algorithm 1, built in plain Python; `unmerged` counts "
            "a state as often as it is reached, as the paper's estimate does, `states` once. "
            "Actions: what these admit, their tests and to name any class; states of rows of one "
            "class, and those at the last depth, admit no test. The engine keeps "
            "each set of rows once, and does not make states of rows of one class, nor those "
            "below the last two tests of a path: it scans them. Of its states it counts the tests. "
            "DPDT-1 is the paper's point `CART`, greedy search. Where "
            "tests tie for a place, the two may take different ones."
        ),
        results.table(header, lines),
        "![Figure 1](figure1.png)",
    ]
    title = "Figure 1: tests generating functions on iris"
    pages.write(settings, "figure1", title, parts, log.rows)
    draw(log, settings)


def draw(log: Log, settings: Settings) -> None:
    plt = pages.pyplot()
    figure, axes = plt.subplots(1, 2, figsize=(10, 3.8), layout="constrained", sharey=True)
    styles: dict[str, Any] = {TOP_B: "C1s-", CART_K: "C0o-", EXHAUSTIVE: "k*"}
    for ax, column in zip(axes, ("n_unmerged", "n_states"), strict=True):
        for function, style in styles.items():
            rows = log.of(function)
            x = [int(row[column]) for row in rows]
            y = [100 * float(row["train_accuracy"]) for row in rows]
            ax.plot(x, y, style, label=function)
            for row, a, b in zip(rows, x, y, strict=True):
                name(ax, function, row["size"], (a, b))
        ax.margins(y=0.12)
        ax.set(xscale="log", xlabel=f"states of the MDP ({column.removeprefix('n_')})")
        ax.spines[["top", "right"]].set_visible(False)
    axes[0].set_ylabel("training accuracy of the best tree (%)")
    axes[1].set_xlabel("states of the MDP, each set of rows once")
    axes[0].legend(frameon=False)
    pages.save(settings, "figure1", figure)


def name(ax: Any, function: str, size: str, point: tuple[float, float]) -> None:
    """A point's size beside it: one function's on the left of its line, the other's below."""
    text, offset, side = size, (0, -12), "center"
    if function == CART_K:
        offset, side = (-3, 4), "right"
    if function == CART_K and size == str(CART[-1]):  # near the one before
        offset, side = (0, 4), "left"
    if function == CART_K and size == "1":
        text, offset, side = "CART", (7, -3), "left"
    ax.annotate(text, point, offset, textcoords="offset points", fontsize=7, ha=side)
