"""A run in its folder: estimated, decided again, looked into. No judge is asked here."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from venire.ballots.suspicion import suspicions
from venire.collected import Collected
from venire.collecting import collect_run, response_lengths
from venire.datasets.annotations import read_annotations
from venire.decision import Decision
from venire.domain.aggregation import POOLED, RuleName
from venire.domain.annotation import Annotation
from venire.domain.design import Design
from venire.domain.identity import CallId, ItemId
from venire.domain.item import Item
from venire.domain.judgment import Judgment
from venire.domain.price import Price
from venire.domain.verdict import Verdict
from venire.errors import UsageError
from venire.metaeval.conduct import measure_conduct
from venire.metaeval.panel_latency import CallSeconds, CallSubjects, slowest_member
from venire.opened import opened_run
from venire.pipeline import decide, decide_item
from venire.planning.estimate import Estimate, estimate_plan
from venire.planning.past import read_past
from venire.planning.reasks import plan_reasks, unread_left
from venire.planning.rounds import next_round
from venire.ports import Store
from venire.pricing import Payers, prices_at_start, prices_of
from venire.reporting.cost import JudgeCost, RunCost
from venire.reporting.item_view import AskedCall, ItemView
from venire.store.folder import RunFolder
from venire.store.sqlite import open_sqlite_store

SHOWN_IDS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRun:
    """A run as it stands in its folder."""

    design: Design
    decision: Decision


def read_run(folder: Path, *, rule: RuleName | None = None) -> ReadRun:
    """The run's decision under its own design, or under another rule; also while judges are still being asked."""
    with opened_run(folder, rule=rule) as (design, store):
        return ReadRun(design=design, decision=decide(store, design))


def read_collected(
    folder: Path,
    *,
    table: Mapping[str, Price] | None = None,
    batch: bool = False,
    annotations: Path | None = None,
) -> Collected:
    """Everything that the run has stored, coded once; what any other design says of it is derived from this.

    Args:
        folder: the run folder.
        table: prices that go before the design's.
        batch: as if everything had been sent through batch APIs.
        annotations: a file of people's labels, beside those that the run holds.

    Raises:
        DataError: a line of that file cannot be read, or none belongs to the run's items.
    """
    with opened_run(folder) as (design, store):
        more: Sequence[Annotation] = ()
        if annotations is not None:
            items = {item.id: item for item in store.outlines()}
            more = read_annotations(annotations, items, protocol=design.protocol, rubric=design.rubric)
        return collect_run(store, design, table=table, batch=batch, more_annotations=more)


def read_lengths(folder: Path, collected: Collected) -> NDArray[np.float64] | None:
    """Words of the response of every subject, NaN where its text is missing; None where responses are compared."""
    if any(len(subject.responses) != 1 for subject in collected.subjects):
        return None
    with opened_run(folder) as (_, store):
        return response_lengths(store, collected)


def view_item(folder: Path, item_id: str) -> ItemView:
    """Everything about one item: what was asked, what each judge answered, what was decided.

    Raises:
        UsageError: the run has no such item.
    """
    with opened_run(folder) as (design, store):
        item = store.item(ItemId(item_id))
        if item is None:
            known = [str(known.id) for known in islice(store.items(), SHOWN_IDS + 1)]
            more = ", …" if len(known) > SHOWN_IDS else ""
            raise UsageError(
                f"Run {str(folder)!r} has no item {item_id!r}; its items are {repr(known[:SHOWN_IDS])[1:-1]}{more}"
            )
        judgments = tuple(store.judgments(design.asking_id, ItemId(item_id)))
        asked = _asked(store, judgments)
        verdicts = _verdicts_on(item, judgments, design, store)
        annotations = tuple(a for a in store.annotations() if a.subject.item_id == item_id)
        signs = tuple(
            (index, sign)
            for index, response in enumerate(item.responses)
            if response.text is not None
            for sign in suspicions(response.text, design.rubric)
        )
        return ItemView(item=item, asked=asked, verdicts=verdicts, annotations=annotations, suspicions=signs)


def _verdicts_on(item: Item, judgments: Iterable[Judgment], design: Design, store: Store) -> tuple[Verdict, ...]:
    if design.aggregation.rule not in POOLED:
        return decide_item(judgments, item, design)
    return tuple(verdict for verdict in decide(store, design).verdicts if verdict.subject.item_id == item.id)


def _asked(store: Store, judgments: Iterable[Judgment]) -> tuple[AskedCall, ...]:
    by_call: dict[CallId, list[Judgment]] = {}
    for judgment in judgments:
        by_call.setdefault(judgment.call_id, []).append(judgment)
    completions, requests = store.answered(list(by_call)), store.asked(list(by_call))
    return tuple(
        AskedCall(request=requests.get(call_id), completion=completions.get(call_id), judgments=tuple(of_call))
        for call_id, of_call in by_call.items()
    )


def estimate(items: Sequence[Item], design: Design, folder: Path | None) -> Estimate:
    """What asking would take: calls, tokens and price; what the run folder holds already costs nothing."""
    calls = next_round(items, design, 0) or ()
    # An empty file is what a run leaves that was killed before its first row.
    if folder is None or not (path := RunFolder(path=folder).store).exists() or not path.stat().st_size:
        return estimate_plan(calls, design, prices_of(design))
    with closing(open_sqlite_store(RunFolder(path=folder).store, read_only=True)) as store:
        # Ballots that are stored and could not be read will be asked for again.
        again = plan_reasks(items, design, unread_left(store.judgments(design.asking_id), design))
        past = read_past(store.exchanges(), design)
        return estimate_plan(chain(calls, again), design, prices_of(design), find_answered=store.answered, past=past)


def cost_of_run(folder: Path, *, table: Mapping[str, Price] | None = None, batch: bool = False) -> RunCost:
    """What the run has cost and how long its judges took; also what it would have cost at other prices.

    Everything that the folder paid for counts, judges of earlier designs included: they are told apart by model.

    Args:
        folder: the run folder.
        table: prices that go before the design's.
        batch: as if everything had been sent through batch APIs; then what providers reported does not count.
    """
    with opened_run(folder) as (design, store):
        payers = Payers(design, prices_at_start(store, design, table=table), table or {}, batch=batch)
        about, took = CallSubjects([judge.id for judge in design.seated]), CallSeconds()
        for _ in about.judged(store.judgments(design.asking_id)):
            pass
        conducts = measure_conduct(map(payers.charge, took.timed(store.exchanges(words=False))), payers.prices)
        votes = {judge.id: bool(judge.votes) for judge in design.judges}
        return RunCost(
            judges=tuple(
                JudgeCost(name=name, model=payers.models[name], votes=votes.get(name, False), conduct=conduct)
                for name, conduct in conducts.items()
            ),
            panel_latency=slowest_member(about, took),
        )
