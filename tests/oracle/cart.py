"""A CART of our own, grown by its definition; its test nodes are a test generator."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.oracle.bellman import Generator, Rows, Test
from tests.oracle.impurity import Scored, is_pure, scored_tests

CLOSE = 1e-9  # gains this close to each other (per unit of weight) are a tie up to rounding


class AmbiguousError(Exception):
    """Rounding decides which split CART takes."""


@dataclass(frozen=True)
class Cart:
    """How to grow: best first up to ``max_leaves``, never deeper than ``depth`` (None: no limit).

    Ties go to the lowest feature, then the lowest threshold. With ``refuse_ties`` a tie raises
    AmbiguousError instead, for comparisons with implementations that round differently.
    """

    criterion: str
    depth: int | None = None
    max_leaves: int | None = None
    min_samples_leaf: int = 1
    refuse_ties: bool = False

    def tests(self, X, y, weight, rows: Rows) -> list[Test]:
        return [test for test, _ in self.nodes(X, y, weight, rows)]

    def nodes(self, X, y, weight, rows: Rows) -> Iterator[tuple[Test, Rows]]:
        """Every test node with the rows that reach it, in order of growth."""
        open_leaves: list[tuple[Scored, Rows, int]] = []

        def consider(node: Rows, level: int) -> None:
            if (self.depth is None or level < self.depth) and not is_pure(y, node):
                split = self._best(scored_tests(X, y, weight, node, *self._rules), node, weight)
                if split is not None:
                    open_leaves.append((split, node, level))

        consider(rows, 0)
        n_leaves = 1
        while open_leaves and (self.max_leaves is None or n_leaves < self.max_leaves):
            open_leaves.sort(key=lambda leaf: leaf[0].rank())
            if self.refuse_ties and self.max_leaves is not None and len(open_leaves) > 1:
                self._refuse_if_close(open_leaves[0][0], open_leaves[1][0], rows, weight)
            split, node, level = open_leaves.pop(0)
            n_leaves += 1
            yield split.test, node
            consider(split.left, level + 1)
            consider(split.right, level + 1)

    @property
    def _rules(self) -> tuple[str, int]:
        return self.criterion, self.min_samples_leaf

    def _best(self, scored: list[Scored], node: Rows, weight) -> Scored | None:
        if not scored:
            return None
        first, *others = sorted(scored, key=Scored.rank)
        if self.refuse_ties:
            if first.gain <= CLOSE * float(sum(weight[i] for i in node)):
                raise AmbiguousError("a split that gains nothing")
            for other in others:
                self._refuse_if_close(first, other, node, weight)
        return first

    @staticmethod
    def _refuse_if_close(a: Scored, b: Scored, node: Rows, weight) -> None:
        if abs(a.gain - b.gain) <= CLOSE * float(sum(weight[i] for i in node)):
            raise AmbiguousError(f"{a.test} and {b.test} gain the same")


def cart_tests(X, y, weight, cart: Cart) -> Generator:
    """The test nodes of a CART grown on the rows of the state, as in the paper's DPDT-K."""
    return lambda rows, r: cart.tests(X, y, weight, rows)
