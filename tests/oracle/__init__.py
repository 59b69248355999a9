"""Slow twins: the paper's algorithm and full enumeration, written to be read, not to be fast."""
