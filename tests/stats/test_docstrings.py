"""The examples in the docstrings of stats and coding give what they say."""

import doctest
from importlib import import_module

import pytest


@pytest.mark.parametrize(
    "name",
    [
        "stats.accuracy",
        "stats.cluster_bootstrap",
        "stats.cohen_kappa",
        "stats.mean_absolute_error",
        "stats.wilson",
        "coding.labels",
    ],
)
def test_the_examples_hold(name: str) -> None:
    result = doctest.testmod(import_module(f"venire.{name}"))

    assert result.attempted > 0
    assert result.failed == 0
