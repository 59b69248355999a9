"""Plots: what is drawn is computed first, so that numbers can be tested without a picture."""
