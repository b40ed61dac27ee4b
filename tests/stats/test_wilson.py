"""Wilson's interval: published values and its behaviour at the edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.errors import UndefinedStatistic
from venire.stats.wilson import wilson_interval


@pytest.mark.parametrize(
    ("n_successes", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_values_of_newcombe_1998(n_successes: int, n: int, low: float, high: float) -> None:
    """Newcombe (1998), table I, method 3: the score method without continuity correction."""
    interval = wilson_interval(n_successes, n)

    assert [interval.low, interval.high] == pytest.approx([low, high], abs=5e-5)


@given(n=st.integers(1, 500), data=st.data())
def test_the_interval_holds_the_share_and_stays_in_bounds(n: int, data: st.DataObject) -> None:
    n_successes = data.draw(st.integers(0, n))
    interval = wilson_interval(n_successes, n)

    assert 0.0 <= interval.low <= n_successes / n <= interval.high <= 1.0
    assert interval.low < interval.high


@given(n=st.integers(1, 500), data=st.data())
def test_successes_and_failures_mirror_each_other(n: int, data: st.DataObject) -> None:
    n_successes = data.draw(st.integers(0, n))
    interval, mirrored = wilson_interval(n_successes, n), wilson_interval(n - n_successes, n)

    assert interval.low == pytest.approx(1 - mirrored.high, abs=1e-12)


def test_no_observation_is_undefined() -> None:
    with pytest.raises(UndefinedStatistic, match="no observation"):
        wilson_interval(0, 0)


@pytest.mark.parametrize(("n_successes", "n", "level"), [(3, 2, 0.95), (-1, 2, 0.95), (1, 2, 1.0), (1, 2, 0.0)])
def test_impossible_arguments_are_refused(n_successes: int, n: int, level: float) -> None:
    with pytest.raises(ValueError, match="must lie between"):
        wilson_interval(n_successes, n, level)
