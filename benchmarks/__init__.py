"""Benchmarks: ``python -m benchmarks.table1``, ``rivals``, ``scaling``, ``front_cost``."""
