"""Limits by the minute, declared and learned; time is a number here."""

from hypothesis import given
from hypothesis import strategies as st

from venire.calling.rates import WINDOW_S, LearnedLimit, MinuteWindow
from venire.domain.headroom import Allowance


def test_a_declared_limit_is_used_up_at_once_and_then_waited_for() -> None:
    window = MinuteWindow(2)
    window.take(1, 0.0)
    window.take(1, 10.0)

    assert window.wait_s(1, 20.0) == 40.0
    assert window.wait_s(1, 60.0) == 0.0


@given(st.integers(1, 20), st.lists(st.tuples(st.integers(1, 25), st.floats(0, 30)), max_size=40))
def test_no_sixty_seconds_take_more_than_the_limit(limit: int, asked: list[tuple[int, float]]) -> None:
    window, now, taken = MinuteWindow(limit), 0.0, list[tuple[float, int]]()
    for amount, pause in asked:
        now += pause
        while (wait := window.wait_s(amount, now)) > 0:
            now += max(wait, 0.001)
        window.take(amount, now)
        taken.append((now, amount))

    for start, amount in taken:
        rest = sum(min(more, limit) for at, more in taken if start <= at < start + WINDOW_S - 0.01)
        assert rest <= max(limit, min(amount, limit))


def test_an_estimate_that_was_too_high_gives_room_back() -> None:
    window = MinuteWindow(1000)
    spent = window.take(900, 0.0)

    window.correct(spent, 100)

    assert window.wait_s(900, 1.0) == 0.0


def test_a_learned_limit_is_waited_for_at_the_pace_at_which_it_refills() -> None:
    learned = LearnedLimit(30.0)
    learned.learn(Allowance(limit=60, left=0, reset_s=60.0), 0, 0.0)

    assert learned.wait_s(1, 0.0) == 1.0
    assert learned.wait_s(1, 1.0) == 0.0


def test_what_is_under_way_is_taken_off_what_is_left() -> None:
    learned = LearnedLimit(30.0)
    learned.learn(Allowance(limit=60, left=5, reset_s=55.0), 5, 0.0)

    assert learned.wait_s(1, 0.0) == 1.0


def test_without_a_limit_the_reset_is_awaited() -> None:
    learned = LearnedLimit(30.0)
    learned.learn(Allowance(left=0, reset_s=7.0), 0, 0.0)

    assert (learned.wait_s(1, 2.0), learned.wait_s(1, 7.0)) == (5.0, 0.0)


def test_a_limit_that_would_stop_everything_for_hours_is_tried_after_a_while() -> None:
    learned = LearnedLimit(30.0)
    learned.learn(Allowance(limit=1, left=0, reset_s=86400.0), 0, 0.0)

    assert (learned.wait_s(1, 0.0), learned.wait_s(1, 30.0)) == (30.0, 0.0)


def test_nothing_told_is_nothing_waited() -> None:
    assert LearnedLimit(30.0).wait_s(10**9, 0.0) == 0.0
