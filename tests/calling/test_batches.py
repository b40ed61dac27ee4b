"""Batches hold draws of one request."""

from hypothesis import given
from hypothesis import strategies as st

from venire.calling.batches import batch_calls

from .makers import make_call


def test_draws_of_one_request_go_out_together_although_others_lie_between() -> None:
    calls = [make_call(words, sample=sample) for sample in (0, 1) for words in ("x", "y")]

    batches = list(batch_calls(calls, 2))

    assert batches == [(calls[0], calls[2]), (calls[1], calls[3])]


def test_a_batch_that_is_not_full_goes_out_all_the_same() -> None:
    calls = [make_call("x", sample=sample) for sample in range(5)]

    assert [len(batch) for batch in batch_calls(calls, 2)] == [2, 2, 1]


@given(st.lists(st.tuples(st.sampled_from("xyz"), st.integers(0, 5)), unique=True), st.integers(1, 4))
def test_every_call_is_in_one_batch_of_its_own_request(draws: list[tuple[str, int]], size: int) -> None:
    calls = [make_call(words, sample=sample) for words, sample in draws]

    batches = list(batch_calls(calls, size))

    assert sorted(call.id for batch in batches for call in batch) == sorted(call.id for call in calls)
    assert all(len({call.request.id for call in batch}) == 1 and len(batch) <= size for batch in batches)
