"""Limits by the minute: never more than declared in any stretch of 60 seconds; learned ones at the pace told."""

from hypothesis import given
from hypothesis import strategies as st

from venire.calling.rates import WINDOW_S, LearnedLimit, MinuteWindow, estimate_tokens, tokens_of
from venire.domain.call import Usage
from venire.domain.headroom import Allowance

from .makers import make_call


@given(st.integers(1, 20), st.lists(st.tuples(st.integers(1, 20), st.floats(0, 30)), min_size=1, max_size=40))
def test_no_stretch_of_a_minute_holds_more_than_the_limit(limit: int, wishes: list[tuple[int, float]]) -> None:
    window, now, taken = MinuteWindow(limit), 0.0, list[tuple[float, int]]()
    for amount, pause in wishes:
        now += pause
        now += window.wait_s(amount, now)
        window.take(min(amount, limit), now)
        taken.append((now, min(amount, limit)))

    for at, _ in taken:
        assert sum(amount for when, amount in taken if at <= when < at + WINDOW_S - 1e-6) <= limit


def test_a_request_larger_than_the_limit_waits_for_an_empty_minute() -> None:
    window = MinuteWindow(10)
    window.take(1, 0.0)

    assert window.wait_s(99, 1.0) == WINDOW_S - 1.0
    assert window.wait_s(99, WINDOW_S) == 0.0


def test_an_estimate_is_corrected_by_what_was_counted() -> None:
    window = MinuteWindow(100)
    spent = window.take(90, 0.0)
    window.correct(spent, 10)

    assert window.wait_s(90, 1.0) == 0.0
    assert window.wait_s(91, 1.0) > 0.0


def test_a_learned_limit_is_used_up_and_then_refills_at_the_pace_told() -> None:
    learned = LearnedLimit(longest_wait_s=30.0)
    assert learned.wait_s(10**9, 0.0) == 0.0, "nothing is known yet"

    learned.learn(Allowance(limit=100, left=10, reset_s=9.0), 0, 0.0)

    assert learned.wait_s(10, 0.0) == 0.0
    assert learned.wait_s(20, 0.0) == 1.0  # 10 more at 90 in 9 s


def test_what_is_under_way_is_taken_off_what_is_left() -> None:
    learned = LearnedLimit(longest_wait_s=30.0)
    learned.learn(Allowance(left=5, reset_s=4.0), 5, 0.0)

    assert learned.wait_s(1, 0.0) == 4.0
    assert learned.wait_s(1, 4.0) == 0.0


def test_a_limit_that_would_hold_a_request_for_ever_is_mistrusted() -> None:
    learned = LearnedLimit(longest_wait_s=30.0)
    learned.learn(Allowance(limit=1, left=0, reset_s=86400.0), 0, 0.0)

    assert learned.wait_s(1, 0.0) == 30.0
    assert learned.wait_s(1, 30.0) == 0.0


def test_tokens_are_estimated_before_and_counted_after() -> None:
    request = make_call("x" * 400).request

    assert estimate_tokens(request, 2) == 100 + 2 * request.max_tokens
    assert tokens_of(Usage(input_tokens=3, output_tokens=4)) == 7
    assert tokens_of(Usage(input_tokens=3)) is None
