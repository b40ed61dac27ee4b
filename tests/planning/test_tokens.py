"""Token counts before anything is sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.domain.ballot import BallotForm
from venire.planning.tokens import Amount, TextLength, assume_input, assume_output, reasons

from .plans import design, judge


@pytest.mark.parametrize(
    ("ballot", "expected"),
    [
        (BallotForm(), 15),
        (BallotForm(json=False), 5),
        (BallotForm(fields=("explanation",)), 135),
        (BallotForm(fields=("explanation",), max_tokens=50), 50),
    ],
)
def test_a_reply_is_as_long_as_its_ballot_asks(ballot: BallotForm, expected: int) -> None:
    about = design("pointwise", ballot=ballot)

    assert assume_output(about.judges[0], about, ballot.max_tokens).expected == expected


def test_a_model_that_reasons_may_use_all_of_its_limit() -> None:
    about = design("pointwise", judge(model="o4-mini"))

    assert assume_output(about.judges[0], about, 2000).high == 2000


@pytest.mark.parametrize(
    ("fields", "does"),
    [
        ({"model": "o3"}, True),
        ({"model": "gpt-5"}, True),
        ({"model": "gpt-5", "parameters": (("reasoning_effort", "none"),)}, False),
        ({"model": "qwen3", "parameters": (("reasoning_effort", "low"),)}, True),
        ({"provider": "anthropic", "model": "claude-opus-4-7"}, True),
        ({"provider": "anthropic", "model": "claude-opus-4-7", "parameters": (("thinking", "disabled"),)}, False),
        ({"provider": "anthropic", "model": "claude-haiku-4-5"}, False),
        ({"provider": "anthropic", "model": "claude-haiku-4-5", "parameters": (("thinking", "adaptive"),)}, True),
        ({"model": "gpt-4o-mini"}, False),
        ({"model": "gpt-5-chat"}, False),
    ],
)
def test_whether_a_model_reasons_is_known_by_its_name_and_parameters(fields: dict[str, object], does: bool) -> None:
    assert reasons(judge(**fields)) is does


LENGTHS = st.builds(TextLength, n_ascii=st.integers(0, 10**6), n_other=st.integers(0, 10**6))


@given(LENGTHS, LENGTHS)
def test_two_texts_take_as_much_together_as_apart(one: TextLength, other: TextLength) -> None:
    together, apart = assume_input(one + other), assume_input(one) + assume_input(other)

    assert together.expected == pytest.approx(apart.expected)
    assert together.low <= together.expected <= together.high


def test_no_figure_is_above_a_limit() -> None:
    assert Amount(low=1, expected=2, high=3, at_most=4).capped(2) == Amount(low=1, expected=2, high=2, at_most=2)
