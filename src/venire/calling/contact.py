"""Contact: what the exchanges so far say about a judge, and when they say that it cannot be asked at all."""

from dataclasses import replace
from typing import NoReturn

from venire.calling.exchange import error_of
from venire.calling.retry import GivenUp
from venire.domain.call import ExchangeError
from venire.domain.panel import Judge
from venire.errors import ErrorKind, JudgeUnavailable, ProviderError

N_REFUSALS = 3
"""One refused request may be too long for the judge's context; so many different ones, and none accepted, tell of
the judge: a parameter or a ballot that its endpoint does not take."""


class Contact:
    """How things stand with one judge."""

    def __init__(self, judge: Judge) -> None:
        self.is_made = False
        """Whether an exchange has ended in a way that does not speak against the judge."""
        self.lost: ExchangeError | None = None
        """Why nothing further is sent to the judge."""
        self._judge = judge
        self._has_answered = False
        self._refusals: list[ProviderError] = []

    def answer(self) -> None:
        """Take note that a reply came."""
        self.is_made = self._has_answered = True

    def fail(self, error: ProviderError, decision: float | GivenUp) -> None:
        """Take note of a failure, and of whether its request is given up or waits.

        Raises:
            JudgeUnavailable: the judge refuses to be asked, from the first request on or from now on; raised once.
        """
        if self.lost is not None:
            return
        if error.kind == "adapted":
            return  # the next request shows whether that was all
        message = decision.message if isinstance(decision, GivenUp) else str(error)
        if error.kind == "bad_request" and not self.is_made:
            self._refusals.append(error)
            if len(self._refusals) == N_REFUSALS:
                self._refuse(error, message)
            return
        ends_asking = isinstance(decision, GivenUp) and decision.ends_asking
        tells_of_the_judge = ends_asking or (error.tells_of_the_judge and error.kind != "bad_request")
        if tells_of_the_judge and (not self._has_answered or error.kind in ("auth", "quota")):
            self._refuse(error, message)
        self.is_made = True
        if ends_asking:
            self.give_up(error, message)

    def give_up(self, error: ProviderError, message: str) -> None:
        """Send nothing further to a judge that may well answer again some day."""
        # Of calls that were never sent it cannot be said that they timed out.
        kind: ErrorKind = "server" if error.kind == "timeout" else error.kind
        self.lost = replace(error_of(error, message), kind=kind)

    def conclude(self) -> None:
        """Look back when everything has been asked.

        Raises:
            JudgeUnavailable: every request was refused, though there were few.
        """
        if self._refusals and not self.is_made and self.lost is None:
            refusal = self._refusals[-1]
            self._refuse(refusal, str(refusal))

    def _refuse(self, error: ProviderError, message: str) -> NoReturn:
        self.lost = error_of(error, message)
        raise _unavailable(self._judge, error.kind, message) from error


def _unavailable(judge: Judge, kind: ErrorKind, message: str) -> JudgeUnavailable:
    key = f"the environment variable {judge.api_key_env!r}" if judge.api_key_env else "api_key_env, which names none"
    advice = {
        "auth": f"Check the key in {key}.",
        "not_found": f"Check model ({judge.model!r}) and base_url ({judge.base_url!r}).",
        "connection": f"Check base_url ({judge.base_url!r}), and that the server is running.",
        "quota": "Check the account's credit and limits.",
        "unsupported": "The design has to be changed.",
        "bad_request": "None of its requests was accepted; check the judge's parameters and ballot.",
    }.get(kind, "Try again later.")
    said = message.removeprefix(f"Judge {judge.id!r}").lstrip(":, ").rstrip(".")
    return JudgeUnavailable(
        f"Judge {judge.id!r} cannot be asked: {said}. {advice} Everything answered so far is stored; "
        "run the same command again to go on."
    )
