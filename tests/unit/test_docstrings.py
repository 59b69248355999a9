"""Examples in docstrings are true."""

from __future__ import annotations

import doctest

import pytest

from treefront.estimators import classifier, classifier_cv, regressor, regressor_cv


@pytest.mark.parametrize(
    "module", [classifier, classifier_cv, regressor, regressor_cv], ids=lambda m: m.__name__
)
def test_examples(module):
    result = doctest.testmod(module)
    assert result.attempted > 3
    assert result.failed == 0
