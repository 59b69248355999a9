"""Examples in docstrings are true."""

from __future__ import annotations

import doctest

from treefront.estimators import classifier


def test_examples():
    result = doctest.testmod(classifier)
    assert result.attempted > 3
    assert result.failed == 0
