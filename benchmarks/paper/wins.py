"""On how many data sets a method wins against another: the counts of Section 6.3 and Figure 2.

They are of figures to the digit that the paper prints, ours and the paper's alike.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from benchmarks import results
from benchmarks.paper import pages

Figures = dict[str, float]  # by data set


@dataclass(frozen=True)
class Outcome:
    """What a method came to: accuracy in per cent, and average tests where they are known."""

    accuracy: Figures
    tests: Figures = field(default_factory=dict)


class Counts(NamedTuple):
    """Data sets, of those that have a figure of both sides."""

    better: int
    equal: int
    worse: int

    def __str__(self) -> str:
        return " / ".join(map(str, self)) if any(self) else "–"


class Wins(NamedTuple):
    accuracy: Counts
    tests: Counts  # fewer are better


def compare(ours: Figures, others: Figures) -> Counts:
    """Larger is better; a figure that is missing is neither won nor lost."""
    both = [(ours[data], others[data]) for data in ours if data in others]
    better = sum(mine > theirs for mine, theirs in both)
    equal = sum(mine == theirs for mine, theirs in both)
    return Counts(better, equal, len(both) - better - equal)


def against(rival: Outcome, outcome: Outcome) -> Wins:
    return Wins(
        compare(outcome.accuracy, rival.accuracy),
        compare(negative(outcome.tests), negative(rival.tests)),
    )


def negative(figures: Figures) -> Figures:
    return {data: -figure for data, figure in figures.items()}


def best(*outcomes: Outcome) -> Outcome:
    """Per data set the most accurate, as the paper counts DPDT-2 and DPDT-3 together."""
    columns = [outcome.accuracy for outcome in outcomes]
    known = [data for data in columns[0] if all(data in column for column in columns)]
    return Outcome({data: max(column[data] for column in columns) for data in known})


def published(paper: pages.Published, method: str) -> Outcome:
    """A method of the paper."""
    return Outcome(column(paper, method), column(paper, f"{method}_tests"))


def column(paper: pages.Published, name: str) -> Figures:
    """Of a table of the paper, on the data sets that have a figure."""
    return {data: cell for data, row in paper.items() if (cell := row.get(name)) is not None}


def table(first: str, wins: dict[str, Wins]) -> str:
    header = [first, "better", "equal", "worse", "fewer tests", "as many", "more tests"]
    lines = [[name, *cells(found.accuracy), *cells(found.tests)] for name, found in wins.items()]
    return results.table(header, lines)


def cells(counts: Counts) -> list[str]:
    return [*map(str, counts)] if any(counts) else ["–"] * 3
