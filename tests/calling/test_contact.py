"""What exchanges say about a judge."""

import pytest

from venire.calling.contact import N_REFUSALS, Contact
from venire.calling.retry import GivenUp
from venire.errors import ErrorKind, JudgeUnavailable, ProviderError

from .makers import make_judge


def fail(contact: Contact, kind: ErrorKind, *, ends_asking: bool = False, message: str = "no") -> None:
    contact.fail(ProviderError(kind, message), GivenUp(message=message, ends_asking=ends_asking))


@pytest.mark.parametrize(
    ("kind", "advice"),
    [
        ("auth", "Check the key in the environment variable 'JUDGE_KEY'."),
        ("not_found", "Check model ('m') and base_url ('http://judge.test/v1')."),
        ("connection", "Check base_url ('http://judge.test/v1'), and that the server is running."),
        ("quota", "Check the account's credit and limits."),
    ],
)
def test_a_judge_that_cannot_be_asked_is_named_with_the_cause_and_what_to_do(kind: ErrorKind, advice: str) -> None:
    with pytest.raises(JudgeUnavailable) as caught:
        fail(Contact(make_judge()), kind, message="it said no")

    assert str(caught.value).startswith(f"Judge 'a' cannot be asked: it said no. {advice} Everything answered so far")


def test_the_judge_is_not_named_twice() -> None:
    with pytest.raises(JudgeUnavailable, match=r"^Judge 'a' cannot be asked: judge.test: it said no\. Check"):
        fail(Contact(make_judge()), "auth", message="Judge 'a', judge.test: it said no.")


def test_a_refused_request_alone_does_not_tell_of_the_judge() -> None:
    contact = Contact(make_judge())

    fail(contact, "bad_request")

    assert not contact.is_made
    assert contact.lost is None


def test_several_refused_requests_and_none_accepted_tell_of_the_judge() -> None:
    contact = Contact(make_judge())
    for _ in range(N_REFUSALS - 1):
        fail(contact, "bad_request")

    with pytest.raises(JudgeUnavailable, match="None of its requests was accepted"):
        fail(contact, "bad_request")


def test_refused_requests_after_an_answer_are_facts_about_these_requests() -> None:
    contact = Contact(make_judge())
    contact.answer()

    for _ in range(N_REFUSALS):
        fail(contact, "bad_request")

    assert contact.conclude() is None  # type: ignore[func-returns-value]


def test_a_request_that_is_written_otherwise_next_time_tells_nothing_yet() -> None:
    contact = Contact(make_judge())

    fail(contact, "adapted")

    assert (contact.is_made, contact.lost, contact.conclude()) == (False, None, None)  # type: ignore[func-returns-value]


def test_what_only_the_design_can_change_tells_of_the_judge_at_once() -> None:
    with pytest.raises(JudgeUnavailable, match="The design has to be changed"):
        fail(Contact(make_judge()), "unsupported")


def test_few_calls_that_were_all_refused_tell_of_the_judge_in_the_end() -> None:
    contact = Contact(make_judge())
    fail(contact, "bad_request")

    with pytest.raises(JudgeUnavailable, match="'a' cannot be asked: no"):
        contact.conclude()


def test_a_judge_that_was_never_asked_has_nothing_to_conclude() -> None:
    assert Contact(make_judge()).conclude() is None  # type: ignore[func-returns-value]


@pytest.mark.parametrize("kind", ["server", "rate_limit", "timeout", "bad_reply", "no_choices", "not_recorded"])
def test_a_failure_that_does_not_speak_against_the_judge_makes_contact(kind: ErrorKind) -> None:
    contact = Contact(make_judge())

    fail(contact, kind)

    assert contact.is_made
    assert contact.lost is None


def test_a_wrong_key_is_found_out_also_behind_a_gateway_that_stumbled_first() -> None:
    contact = Contact(make_judge())
    fail(contact, "server")

    with pytest.raises(JudgeUnavailable):
        fail(contact, "auth", ends_asking=True)


def test_a_judge_whose_credit_runs_out_is_lost_with_the_reason_and_told_once() -> None:
    contact = Contact(make_judge())
    contact.answer()
    with pytest.raises(JudgeUnavailable, match="no credit left"):
        fail(contact, "quota", ends_asking=True, message="no credit left")

    fail(contact, "quota", ends_asking=True, message="another slot heard it too")

    assert contact.lost is not None
    assert (contact.lost.kind, contact.lost.message) == ("quota", "no credit left")


def test_a_judge_that_asks_to_be_left_alone_for_a_day_is_lost_and_not_unavailable() -> None:
    contact = Contact(make_judge())
    contact.answer()

    fail(contact, "rate_limit", ends_asking=True, message="come back tomorrow")

    assert contact.lost is not None
    assert (contact.lost.kind, contact.lost.message) == ("rate_limit", "come back tomorrow")


def test_calls_that_were_never_sent_did_not_time_out() -> None:
    contact = Contact(make_judge())

    contact.give_up(ProviderError("timeout", "no answer"), "given up")

    assert contact.lost is not None
    assert (contact.lost.kind, contact.lost.message) == ("server", "given up")


def test_a_server_that_cannot_be_reached_any_more_is_not_given_up_for_all_calls() -> None:
    contact = Contact(make_judge())
    contact.answer()

    fail(contact, "connection")

    assert contact.lost is None
