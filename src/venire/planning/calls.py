"""Calls: from an item and a design to everything that is asked about it."""

from collections.abc import Iterable, Iterator

from venire.ballots.form import Ballot
from venire.ballots.prompt import Shown, render
from venire.domain.call import AnswerFormat, Call, Request, material
from venire.domain.design import Design, scale_content
from venire.domain.identity import JudgeId
from venire.domain.item import Item, Message, Subject, conversation_text
from venire.domain.panel import MATERIAL_PROVIDERS, Judge
from venire.planning.subjects import is_askable, shown_orders, subjects_of


def plan_calls(items: Iterable[Item], design: Design) -> Iterator[Call]:
    """Every call of the first round, item by item; the same items and design give the same calls.

    Streams: nothing is kept of items that have been passed.
    """
    manners = [_Manner(judge, design) for judge in design.judges]
    for item in items:
        for subject in subjects_of(item, design):
            if is_askable(item, subject):
                for manner in manners:
                    yield from _calls_of_judge(item, subject, manner)


def count_calls(items: Iterable[Item], design: Design) -> dict[str, int]:
    """How many calls `plan_calls` yields for each judge, without making them."""
    n_shows = 0
    for item in items:
        for subject in subjects_of(item, design):
            if is_askable(item, subject):
                n_shows += len(shown_orders(subject, design))
    return {judge.id: n_shows * judge.samples for judge in design.judges}


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


class _Manner:
    """How one judge is asked: what all its requests share, made once."""

    def __init__(self, judge: Judge, design: Design) -> None:
        self.judge = judge
        self.design = design
        self.ballots = Ballots(design)
        self.parameters = judge.asked_parameters


def _calls_of_judge(item: Item, subject: Subject, manner: _Manner) -> Iterator[Call]:
    judge = manner.judge
    for shown in shown_orders(subject, manner.design):
        request = _request(item, shown, manner)
        for sample in range(judge.samples):
            yield Call(request=request, judge_id=judge.id, subject=subject, shown=shown, sample=sample)


def _request(item: Item, shown: tuple[int, ...], manner: _Manner) -> Request:
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
        messages=render(words, ballot, design.protocol, judge.template),
        temperature=judge.temperature,
        max_tokens=ballot.form.max_tokens,
        format=ballot.format,
        parameters=manner.parameters,
    )


def _words(item: Item, shown: tuple[int, ...], design: Design) -> Shown:
    return Shown(
        prompt=conversation_text(item.prompt),
        context=item.context,
        reference=() if design.reference == "hidden" else item.reference,
        responses=tuple(item.responses[index].text or "" for index in shown),
    )


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
