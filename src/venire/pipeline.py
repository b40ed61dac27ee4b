"""The one place where the stages meet: items and a design in, stored facts, verdicts and a report out."""

import asyncio
import os
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path

from venire._version import __version__
from venire.aggregation.criteria import check_combination
from venire.aggregation.decide import aggregate
from venire.ballots.judgments import read_call
from venire.calling.ask import Answered, StopFlag, ask
from venire.calling.events import CallEvent, Listener, ignore
from venire.calling.retry import RetryPolicy
from venire.coding.code import code_gold, code_verdicts
from venire.datasets.gold import gold_of
from venire.datasets.recordings import read_recordings
from venire.designs.write import design_yaml
from venire.domain.design import Design
from venire.domain.identity import JudgeId
from venire.domain.item import Item
from venire.domain.judgment import Judgment
from venire.domain.panel import Judge
from venire.domain.verdict import Verdict
from venire.metaeval.agreement import measure_agreement
from venire.metaeval.conduct import measure_conduct
from venire.metaeval.notes import write_notes
from venire.metaeval.panel_latency import SlowestMember
from venire.metaeval.tally import JudgmentTally
from venire.planning.calls import Ballots, count_calls
from venire.planning.check import check_plan
from venire.planning.reasks import Unread, unread_in
from venire.planning.rounds import next_round
from venire.planning.subjects import outline, subjects_of
from venire.ports import Provider, Store
from venire.pricing import prices_at_start
from venire.providers.opening import check_judge, open_provider
from venire.reporting.build import RunFacts, build_report
from venire.reporting.html import render_html
from venire.reporting.json_report import report_json
from venire.reporting.report import Report
from venire.store.folder import REPORT_HTML, REPORT_JSON, RunFolder
from venire.store.results import write_verdicts

JUDGMENTS_AT_ONCE = 500
"""Judgments handed to the store in one piece."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """How to ask, apart from what: everything here may change without changing an answer."""

    providers: Mapping[JudgeId, Provider] | None = None
    """Providers for some judges, instead of those that the design names (for tests and own endpoints)."""
    environment: Mapping[str, str] | None = None
    """Where API keys are looked up; None: the process's environment."""
    listen: Listener = ignore
    stop: StopFlag | None = None
    retry: RetryPolicy | None = None


async def ask_panel(items: Sequence[Item], design: Design, store: Store, asking: Asking) -> None:
    """Ask everything that is not yet answered and keep every judgment; rerunning it asks only what is missing."""
    panel = open_panel(design, asking)
    reader = _Reader(design, store)
    try:
        n_rounds_done = 0
        while (calls := next_round(items, design, n_rounds_done, unread := reader.take_unread())) is not None:
            for judge_id, n_calls in Counter(one.judge_id for one in unread).items():
                asking.listen(CallEvent(kind="reasked", judge_id=judge_id, n_calls=n_calls))
            await ask(calls, panel, store, reader.take, listen=asking.listen, policy=asking.retry, stop=asking.stop)
            n_rounds_done += 1
    finally:
        reader.finish()
        await asyncio.gather(*(provider.close() for _, provider in panel.values()))


def check(items: Sequence[Item], design: Design) -> tuple[str, ...]:
    """Refuse what cannot work before anything is asked; return warnings."""
    for judge in design.judges:
        check_judge(judge, design.rubric)
    check_combination(design.rubric, design.aggregation.criteria)
    return check_plan(items, design)


def open_panel(design: Design, asking: Asking) -> dict[JudgeId, tuple[Judge, Provider]]:
    """Every judge with its provider, opened: a missing key, model or extra is an error here, before any call."""
    environment = os.environ if asking.environment is None else asking.environment
    given = asking.providers or {}
    panel: dict[JudgeId, tuple[Judge, Provider]] = {}
    for judge in design.judges:
        if judge.id in given:
            panel[judge.id] = (judge, given[judge.id])
            continue
        path = judge.parameter("path")
        recordings = None
        if judge.provider == "recorded" and isinstance(path, str):
            recordings = read_recordings(Path(path), rubric=design.rubric, protocol=design.protocol)
        panel[judge.id] = (judge, open_provider(judge, environment=environment, recordings=recordings))
    return panel


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a run's stored judgments come to under a design."""

    items: tuple[Item, ...]
    """The run's, without their words."""
    verdicts: tuple[Verdict, ...]
    report: Report
    n_unasked: int
    """Planned calls that were neither answered nor given up on."""
    n_judgments: int
    n_failed: int
    """Judgments that are failures; abstentions are not."""


def decide(store: Store, design: Design, *, seed: int = 0, warnings: Sequence[str] = ()) -> Decision:
    """Derive verdicts and report from stored facts; no judge is asked."""
    items = tuple(outline(item) for item in store.items())
    subjects = [subject for item in items for subject in subjects_of(item, design)]
    panel = SlowestMember([judge.id for judge in design.seated])
    judgments = JudgmentTally(panel.judged(store.judgments(design.asking_id)), design)
    aggregated = aggregate(judgments, subjects, design)
    golds = gold_of(store.annotations())
    groups = {item.id: item.group for item in items}
    agreement = {
        criterion.id: measure_agreement(
            votes=aggregated.votes[criterion.id],
            panel=code_verdicts(aggregated.verdicts, subjects, criterion),
            gold=code_gold(golds, subjects, criterion) if golds else None,
            groups=[groups[subject.item_id] for subject in subjects],
            voting=[judge.id for judge in design.seated],
            seed=seed,
        )
        for criterion in design.rubric.criteria
    }
    # A folder may hold exchanges of earlier designs too: only what this one's judgments come from is reported.
    asked = (one for one in store.exchanges() if not judgments.call_ids.isdisjoint(one.call_ids))
    conduct = measure_conduct(panel.timed(asked), prices_at_start(store, design))
    n_planned = sum(count_calls(items, design).values())
    n_unasked = n_planned - judgments.n_calls + judgments.n_to_ask_again
    facts = RunFacts(
        design=design,
        items=items,
        subjects=subjects,
        votes=aggregated.votes,
        verdicts=aggregated.verdicts,
        golds=golds,
        agreement=agreement,
        conduct=conduct,
        panel_latency=panel.measure(),
        notes=write_notes(agreement, design, aggregated.votes),
        warnings=tuple(warnings),
        n_planned=n_planned,
        n_unasked=n_unasked,
        version=__version__,
        seed=seed,
    )
    return Decision(
        items=items,
        verdicts=aggregated.verdicts,
        report=build_report(facts),
        n_unasked=n_unasked,
        n_judgments=judgments.n_judgments,
        n_failed=judgments.n_failed,
    )


def write_results(folder: RunFolder, decision: Decision, design: Design) -> None:
    """Write verdicts, report and page into the run folder."""
    by_id = {item.id: item for item in decision.items}
    write_verdicts(folder, decision.verdicts, by_id.get)
    folder.write_text(REPORT_JSON, report_json(decision.report))
    folder.write_text(REPORT_HTML, render_html(decision.report, design_yaml(design)))


class _Reader:
    """Reads ballots as they are answered and hands the judgments to the store in pieces."""

    def __init__(self, design: Design, store: Store) -> None:
        self._design = design
        self._ballots = Ballots(design)
        self._store = store
        self._piece: list[Judgment] = []
        self._unread: list[Unread] = []
        self._writes: list[Future[None]] = []

    def take(self, answered: Answered) -> None:
        """Read one answered call."""
        call = answered.call
        ballot = self._ballots.of(call.judge_id, len(call.shown))
        judgments = tuple(read_call(call, answered.result, ballot))
        self._piece.extend(judgments)
        unread = unread_in(judgments, self._design)
        if unread is not None:
            self._unread.append(unread)
        if len(self._piece) >= JUDGMENTS_AT_ONCE:
            self._hand_over()

    def take_unread(self) -> tuple[Unread, ...]:
        """The ballots read since the last time that are to be asked for again."""
        unread, self._unread = tuple(self._unread), []
        return unread

    def finish(self) -> None:
        """Write what is left, and raise if any write failed."""
        self._hand_over()
        for write in self._writes:
            write.result()
        self._writes.clear()

    def _hand_over(self) -> None:
        pending = [write for write in self._writes if not write.done()]
        for write in self._writes:
            if write.done():
                write.result()
        self._writes = [*pending, self._store.keep(self._design.asking_id, tuple(self._piece))]
        self._piece = []
