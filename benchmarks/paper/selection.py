"""The procedure of Section 6.3: of all trees of a fit, the best on rows it was not trained on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from benchmarks import results
from benchmarks.paper import fits, methods, pages
from benchmarks.paper.log import Log, Row, Task
from benchmarks.paper.settings import Settings

NAMES = ("data", "method", "chosen_on")
TEST, VALID = "test", "valid"
CART = "CART"


def tasks(settings: Settings, depth: int, searches: dict[str, Any]) -> Iterator[Task]:
    """Every fit twice: on all training rows, and on those that a validation part leaves."""
    for data in settings.data:
        for chosen_on in (TEST, VALID):
            parts = fits.parts(data, chosen_on == VALID)
            for name, options in searches.items():
                fit = partial(front, parts, settings.repeats, options() | {"max_depth": depth})
                yield Task((data, name, chosen_on), fit)
            greedy = {"max_depth": depth, "criterion": "entropy"}
            yield Task(
                (data, CART, chosen_on), partial(fits.cart, parts, settings.repeats, **greedy)
            )


def front(parts: dict[str, fits.Part], repeats: int, options: methods.Options) -> list[Row]:
    return fits.treefront(parts, repeats, **options)


def choose(rows: list[dict[str, str]], by: str) -> dict[str, str]:
    """The best tree on a part of the data, at a tie the one that makes fewest tests."""
    return min(rows, key=lambda row: (-float(row[f"{by}_accuracy"]), float(row["train_tests"])))


def chosen(log: Log, data: str, method: str, by: str) -> dict[str, str]:
    return choose(log.of(data, method, by), by)


def complete(log: Log, settings: Settings, searches: dict[str, Any]) -> list[str]:
    """Data sets of which all is measured."""
    return [
        data
        for data in settings.data
        if all(log.of(data, name, by) for name in [*searches, CART] for by in (TEST, VALID))
    ]


def accuracies(log: Log, names: list[str], method: str, by: str) -> dict[str, float]:
    """On the test rows, to the digit that the paper prints."""
    return {
        data: pages.printed(float(chosen(log, data, method, by)["test_accuracy"])) for data in names
    }


def best(*columns: dict[str, float]) -> dict[str, float]:
    """Per data set the best of several methods, as the paper counts DPDT-2 and DPDT-3."""
    return {data: max(column[data] for column in columns) for data in columns[0]}


def tests(log: Log, names: list[str], method: str, by: str) -> dict[str, float]:
    return {data: round(float(chosen(log, data, method, by)["test_tests"]), 1) for data in names}


def table(
    log: Log, names: list[str], by: str, columns: dict[str, str], paper: pages.Published
) -> str:
    """Accuracy on the test rows and average tests; `columns`: our method -> the paper's."""
    header = [
        "data",
        *(f"{name}: accuracy" for name in columns),
        *(f"{name}: tests" for name in columns),
    ]
    lines = []
    for data in names:
        line = [data]
        for name, goal in columns.items():
            ours = 100 * float(chosen(log, data, name, by)["test_accuracy"])
            line.append(pages.beside(ours, paper[data].get(goal)) if goal else f"{ours:.1f}")
        for name, goal in columns.items():
            made = float(chosen(log, data, name, by)["test_tests"])
            theirs = paper[data].get(f"{goal}_tests")
            line.append(pages.beside(made, theirs) if goal else f"{made:.1f}")
        lines.append(line)
    return results.table(header, lines)


def times(log: Log, names: list[str], columns: dict[str, str], paper: pages.Published) -> str:
    """Seconds of the fit that gave all trees, and how much shorter than the paper's."""
    lines = []
    for data in names:
        line = [data]
        for name, goal in columns.items():
            ours = float(log.of(data, name, TEST)[0]["seconds"])
            theirs = paper[data].get(f"{goal}_s") if goal else None
            ratio = f", {theirs / ours:.0f}x" if theirs else ""
            line.append(pages.timed(ours, theirs) + ratio if goal else results.seconds(ours))
        lines.append(line)
    return results.table(["data", *columns], lines)


def speed(log: Log, names: list[str], columns: dict[str, str], paper: pages.Published) -> list[str]:
    """Smallest and mean ratio of the paper's seconds to ours."""
    lines = []
    for name, goal in columns.items():
        ratios = {
            data: theirs / float(log.of(data, name, TEST)[0]["seconds"])
            for data in names
            if goal and (theirs := paper[data].get(f"{goal}_s"))
        }
        if ratios:
            least = min(ratios, key=ratios.__getitem__)
            lines.append(
                f"- {name}: the paper's seconds are {results.geometric_mean(ratios.values()):.0f} "
                f"times ours (geometric mean), at least {ratios[least]:.1f} ({least})."
            )
    return lines


def versus_cart(log: Log, names: list[str], by: str, columns: dict[str, str]) -> str:
    """Data sets won, tied and lost against CART, and those with fewer and more tests."""
    cart = accuracies(log, names, CART, by)
    cart_tests = tests(log, names, CART, by)
    found = {name: accuracies(log, names, name, by) for name in columns if name != CART}
    made = {name: tests(log, names, name, by) for name in found}
    lines = []
    for name, ours in found.items():
        more, same, fewer = pages.wins(made[name], cart_tests)
        lines.append([name, *map(str, pages.wins(ours, cart)), *map(str, (fewer, same, more))])
    letter = [found[name] for name, goal in columns.items() if goal and name != CART]
    if len(letter) > 1:
        lines.append(
            ["best of the paper's two", *map(str, pages.wins(best(*letter), cart)), *"–––"]
        )
    header = ["against CART", "better", "equal", "worse", "fewer tests", "as many", "more tests"]
    return results.table(header, lines)


def versus_cart_in_paper(paper: pages.Published, names: list[str], columns: list[str]) -> str:
    """The same counts over the paper's own figures."""

    def of(column: str) -> dict[str, float]:
        return {data: paper[data][column] or 0.0 for data in names}

    lines = []
    for column in columns:
        more, same, fewer = pages.wins(of(f"{column}_tests"), of("cart_tests"))
        won = pages.wins(of(column), of("cart"))
        lines.append([column, *map(str, won), *map(str, (fewer, same, more))])
    both = best(*map(of, columns))
    lines.append(["best of the two", *map(str, pages.wins(both, of("cart"))), *"–––"])
    header = ["the paper's", "better", "equal", "worse", "fewer tests", "as many", "more tests"]
    return results.table(header, lines)
