"""While judges are asked the collector of cycles looks less often; afterwards it is as it was."""

import gc
from collections.abc import Iterator

import pytest

from venire.calling.collector import N_NEW, calm_collector


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.parametrize(
    ("before", "within"), [((700, 10, 10), N_NEW), ((N_NEW + 1, 10, 10), N_NEW + 1), ((0, 10, 10), 0)]
)
def test_the_collector_looks_less_often_and_never_more(before: tuple[int, int, int], within: int) -> None:
    gc.set_threshold(*before)

    with calm_collector():
        assert gc.get_threshold()[0] == within

    assert gc.get_threshold() == before


def test_an_error_leaves_the_collector_as_it_was() -> None:
    before = gc.get_threshold()

    with pytest.raises(ValueError, match="boom"), calm_collector():
        raise ValueError("boom")

    assert (gc.get_threshold(), gc.get_freeze_count()) == (before, 0)


def test_within_another_run_nothing_is_changed() -> None:
    with calm_collector():
        outer = (gc.get_threshold(), gc.get_freeze_count())

        with calm_collector():
            assert (gc.get_threshold(), gc.get_freeze_count()) == outer

        assert gc.get_freeze_count() == outer[1]
