"""How many requests may be under way: one more for a good window, fewer for many refusals, never none."""

from hypothesis import given
from hypothesis import strategies as st

from venire.calling.width import N_STEPS, Width


def _refuse(width: Width, share_of_ten: int) -> None:
    for number in range(width.now):
        epoch = width.epoch
        (width.take_refusal if number % 10 < share_of_ten else width.take_answer)(epoch)


def test_a_few_refusals_change_nothing() -> None:
    width = Width(200)
    _refuse(width, 1)

    assert (width.now, width.epoch) == (200, 0)


def test_a_window_that_is_refused_as_a_whole_halves_the_width() -> None:
    width = Width(200)
    for _ in range(200):
        width.take_refusal(width.epoch)

    assert (width.now, width.epoch) == (100, 1)


def test_windows_without_a_refusal_lead_back_to_the_widest() -> None:
    width = Width(40)
    width.halve(0)
    for _ in range(N_STEPS):
        for _ in range(width.now):
            width.take_answer(width.epoch)

    assert width.now == 40


def test_what_was_sent_before_the_cut_tells_of_the_old_width() -> None:
    width = Width(10)
    width.halve(0)
    for _ in range(100):
        width.take_refusal(0)

    assert (width.now, width.epoch) == (5, 1)


@given(st.integers(1, 50), st.lists(st.booleans(), max_size=300))
def test_the_width_stays_between_one_and_the_widest(widest: int, outcomes: list[bool]) -> None:
    width = Width(widest)
    for is_answered in outcomes:
        (width.take_answer if is_answered else width.take_refusal)(width.epoch)
        assert 1 <= width.now <= widest
