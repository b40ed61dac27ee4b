"""Calls: from an item and a design to everything that is asked about it."""

from collections.abc import Iterable, Iterator

from venire.ballots.form import Ballot
from venire.ballots.prompt import Shown, Wording
from venire.domain.ballot import BallotForm
from venire.domain.call import AnswerFormat, Call, Request, material
from venire.domain.design import Design, scale_content
from venire.domain.identity import JudgeId
from venire.domain.item import Item, Message, Subject, conversation_text
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.planning.subjects import is_askable, shown_orders, subjects_of

TOP_LOGPROBS = 20
"""The most that OpenAI's API gives; servers that give fewer give fewer."""


def plan_calls(items: Iterable[Item], design: Design) -> Iterator[Call]:
    """Every call of the first round, item by item; the same items and design give the same calls.

    Streams: nothing is kept of items that have been passed.
    """
    manners = [Manner(judge, design) for judge in design.judges]
    for item in items:
        for subject in subjects_of(item, design):
            if is_askable(item, subject):
                for manner in manners:
                    yield from _calls_of_judge(item, subject, manner)


def count_calls(items: Iterable[Item], design: Design) -> dict[JudgeId, int]:
    """How many calls `plan_calls` yields for each judge, without making them."""
    n_shows = 0
    for item in items:
        for subject in subjects_of(item, design):
            if is_askable(item, subject):
                n_shows += len(shown_orders(subject, design))
    return {judge.id: n_shows * judge.samples for judge in design.judges}


def top_logprobs(judge: Judge, ballot: BallotForm) -> int:
    """How many alternatives are asked for at each token: none where the ballot or the judge's model has no use."""
    if ballot.probabilities == "off" or judge.provider in MATERIAL_PROVIDERS:
        return 0
    is_silent = judge.parameter("reasoning_effort") == "none"
    return TOP_LOGPROBS if judge.takes.logprobs is True or (judge.takes.logprobs and is_silent) else 0


def ballot_for(judge: Judge, n_shown: int, design: Design) -> Ballot:
    """The ballot that this judge fills in about so many responses."""
    return Ballot(rubric=design.rubric, form=design.ballot_of(judge), n_shown=n_shown)


class Ballots:
    """The ballots of a design, each made once."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._made: dict[tuple[JudgeId, int], Ballot] = {}

    def of(self, judge_id: JudgeId, n_shown: int) -> Ballot:
        """The ballot that this judge fills in about so many responses."""
        ballot = self._made.get((judge_id, n_shown))
        if ballot is None:
            ballot = self._made[judge_id, n_shown] = ballot_for(self._design.judge(judge_id), n_shown, self._design)
        return ballot


class Manner:
    """How one judge is asked: what all its requests share, made once."""

    def __init__(self, judge: Judge, design: Design) -> None:
        self.judge = judge
        self.design = design
        self.ballots = Ballots(design)
        self.parameters = judge.asked_parameters
        self._wordings: dict[int, Wording] = {}

    def wording(self, n_shown: int) -> Wording:
        """What its prompts about so many responses share."""
        made = self._wordings.get(n_shown)
        if made is None:
            ballot = self.ballots.of(self.judge.id, n_shown)
            made = self._wordings[n_shown] = Wording(ballot, self.design.protocol, self.judge.template)
        return made


def judged_texts(item: Item, subject: Subject) -> tuple[str, ...]:
    """The texts that a judge of this subject judges."""
    return tuple(text for index in subject.responses if (text := item.responses[index].text) is not None)


def _calls_of_judge(item: Item, subject: Subject, manner: Manner) -> Iterator[Call]:
    judge = manner.judge
    judged = judged_texts(item, subject)
    for shown in shown_orders(subject, manner.design):
        request = request_about(item, shown, manner)
        for sample in range(judge.samples):
            yield Call(request=request, judge_id=judge.id, subject=subject, shown=shown, sample=sample, judged=judged)


def request_about(item: Item, shown: tuple[int, ...], manner: Manner) -> Request:
    """What a judge is asked about the responses shown."""
    judge, design = manner.judge, manner.design
    words = _words(item, shown, design)
    if judge.provider in MATERIAL_PROVIDERS:
        return Request(
            provider=judge.provider,
            model=judge.model,
            base_url=None,
            messages=(Message(role="user", content=_material(item, shown, words, design)),),
            temperature=None,
            max_tokens=1,
            format=AnswerFormat(kind="text"),
            parameters=manner.parameters,
        )
    ballot = manner.ballots.of(judge.id, len(shown))
    return Request(
        provider=judge.provider,
        model=judge.model,
        base_url=judge.base_url,
        messages=manner.wording(len(shown)).render(words),
        temperature=judge.temperature,
        max_tokens=ballot.form.max_tokens,
        format=ballot.format,
        parameters=manner.parameters,
        top_logprobs=top_logprobs(judge, ballot.form),
    )


def _words(item: Item, shown: tuple[int, ...], design: Design) -> Shown:
    return Shown(
        prompt=conversation_text(item.prompt),
        context=item.context,
        reference=() if design.reference == "hidden" else item.reference,
        responses=tuple(_text(item, index) for index in shown),
    )


def _text(item: Item, index: int) -> str:
    text = item.responses[index].text
    if text is None:
        raise ValueError(f"response {index} of item {item.id!r} has no text; only responses with text are asked about")
    return text


def _material(item: Item, shown: tuple[int, ...], words: Shown, design: Design) -> str:
    return material(
        item_id=item.id,
        shown=shown,
        prompt=words.prompt,
        context=words.context,
        responses=words.responses,
        reference=words.reference,
        criteria=tuple((criterion.id, scale_content(criterion.scale)) for criterion in design.rubric.criteria),
    )
