"""The lower-left convex hull of points, by walking from vertex to vertex."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from itertools import pairwise

Point = tuple[Fraction, Fraction]  # (complexity C, error E)


def lower_left_hull(points: Iterable[Point]) -> list[Point]:
    """Vertices that are the only best point for some price of complexity, least complex first.

    A point on an edge between two vertices is no vertex.
    """
    rest = set(points)
    vertices = [min(rest)]
    while True:
        c, e = vertices[-1]
        better = [p for p in rest if p[1] < e]  # all of them are more complex
        if not better:
            return vertices
        # The steepest descent is the next edge, and its far end the next vertex.
        vertices.append(max(better, key=lambda p: (Fraction(e - p[1]) / (p[0] - c), p[0])))


def best(points: Iterable[Point], error_price, test_price):
    """The least ``error_price * E + test_price * C``."""
    return min(error_price * e + test_price * c for c, e in points)


def price_where_worse(front: list[Point], others: Iterable[Point], tolerance=0):
    """A price of complexity at which one of ``others`` beats the whole ``front``, or None.

    ``front`` holds the vertices of a hull, least complex first. Its best value is concave in the
    price, so the lead of another point is largest where the front's best tree changes, or at the
    ends.
    """
    prices = [Fraction(0)]
    for (c1, e1), (c2, e2) in pairwise(front):
        prices.append(Fraction(e1 - e2) / (c2 - c1))
    others = list(others)
    prices.append(1 + max(e for _, e in [*front, *others]))
    for price in prices:
        if best(front, 1, price) > best(others, 1, price) + tolerance:
            return price
    return None
