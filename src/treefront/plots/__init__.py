"""Plots: what is drawn is computed first, so that numbers can be tested without a picture."""

from treefront.plots.front import plot_front
from treefront.plots.search import plot_search
from treefront.plots.tree import plot_tree

__all__ = ["plot_front", "plot_search", "plot_tree"]
