"""The examples in the docstrings of stats and coding give what they say."""

import doctest
import pkgutil
from importlib import import_module

import pytest

import venire.stats

STATS = [f"stats.{module.name}" for module in pkgutil.iter_modules(venire.stats.__path__)]
WITHOUT_EXAMPLE = {"stats.descent"}
"""Steps of another module's method, which has the example."""


@pytest.mark.parametrize("name", [*STATS, "coding.labels"])
def test_the_examples_hold(name: str) -> None:
    result = doctest.testmod(import_module(f"venire.{name}"))

    assert result.failed == 0
    assert result.attempted > 0 or name in WITHOUT_EXAMPLE
