"""The one place where the stages meet: items and a design in, stored facts, verdicts and a report out."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence

from venire._version import __version__
from venire.aggregation.criteria import check_combination
from venire.aggregation.decide import aggregate, decide_by
from venire.aggregation.known import Known
from venire.aggregation.reach import can_decide
from venire.calling.again import asked_before
from venire.calling.ask import ask_round
from venire.calling.ending import WhyEnded
from venire.calling.events import CallEvent
from venire.calling.purse import Purse
from venire.calling.session import Session
from venire.coding.code import code_gold, code_verdicts
from venire.datasets.gold import gold_of
from venire.decision import Decision
from venire.deriving import derive_verdicts
from venire.designs.write import design_yaml
from venire.domain.call import Exchange
from venire.domain.design import Design, family_warnings
from venire.domain.item import Item
from venire.domain.judgment import Judgment
from venire.domain.panel import IMPORTED
from venire.domain.verdict import Verdict
from venire.metaeval.agreement import measure_agreement
from venire.metaeval.best_of_n import measure_best_of_n
from venire.metaeval.conduct import measure_conduct
from venire.metaeval.notes import write_notes
from venire.metaeval.panel_latency import CallSeconds, CallSubjects, slowest_member
from venire.metaeval.reading_notes import tell_how_read
from venire.metaeval.relative_notes import tell_relatives
from venire.metaeval.relatives import Judged, find_relatives, measure_without
from venire.metaeval.tally import JudgmentTally
from venire.planning.calls import count_calls
from venire.planning.check import check_plan
from venire.planning.rounds import next_round
from venire.planning.subjects import subjects_of
from venire.ports import Store
from venire.pricing import prices_at_start, prices_of
from venire.providers.opening import check_judge
from venire.reading import Reader, calls_given_up
from venire.reporting.build import RunFacts, build_report
from venire.reporting.html import render_html
from venire.reporting.json_report import report_json
from venire.reporting.report import Report
from venire.seating import Asking, Panel
from venire.store.folder import REPORT_HTML, REPORT_JSON, RunFolder
from venire.store.results import write_verdicts


async def ask_panel(items: Sequence[Item], design: Design, store: Store, panel: Panel, asking: Asking) -> WhyEnded:
    """Ask everything that is not yet answered and keep every judgment; rerunning it asks only what is missing."""
    reader = Reader(design, store)
    session = Session(
        panel,
        store,
        listen=asking.listen,
        policy=asking.retry,
        stop=asking.stop,
        purse=None if asking.budget_usd is None else Purse(asking.budget_usd, prices_of(design)),
        may_go_on=lambda lost: can_decide(design, lost),
    )
    given_up = await asyncio.to_thread(calls_given_up, store, design) if asking.only_failures else None
    try:
        n_rounds_done = 0
        while (calls := next_round(items, design, n_rounds_done, unread := reader.take_unread())) is not None:
            for judge_id, n_calls in Counter(one.judge_id for one in unread).items():
                asking.listen(CallEvent(kind="reasked", judge_id=judge_id, n_calls=n_calls))
            wanted = calls if given_up is None else asked_before(calls, store, given_up)
            await ask_round(wanted, session, reader.take)
            n_rounds_done += 1
    finally:
        try:
            await session.close()
        finally:
            # It waits for the store, and others may be living in this event loop.
            await asyncio.to_thread(reader.finish)
    return session.ending.why()


def check(items: Sequence[Item], design: Design) -> tuple[str, ...]:
    """Refuse what cannot work before anything is asked; return warnings."""
    for judge in design.judges:
        check_judge(judge, design.rubric, design.ballot_of(judge))
    check_combination(design.rubric, design.aggregation.criteria)
    return check_plan(items, design)


def decide(store: Store, design: Design) -> Decision:
    """Derive verdicts from stored judgments, and count how they came about; no judge is asked."""
    derived = derive_verdicts(store, design)
    aggregated, items = derived.aggregated, derived.items
    call_subjects = CallSubjects([judge.id for judge in design.seated])
    judgments = JudgmentTally(call_subjects.judged(store.judgments(design.asking_id)), design)
    for _ in judgments:
        pass
    asked = {judge.id for judge in design.judges if judge.provider != IMPORTED}
    n_planned = sum(n for judge_id, n in count_calls(items, design).items() if judge_id in asked)
    n_planned += judgments.n_imported
    return Decision(
        items=items,
        subjects=derived.subjects,
        votes=aggregated.votes,
        verdicts=aggregated.verdicts,
        training=aggregated.training,
        notes=aggregated.notes,
        call_ids=judgments.call_ids,
        call_subjects=call_subjects,
        how_read=judgments.how_read,
        n_planned=n_planned,
        n_unasked=n_planned - judgments.n_calls + judgments.n_to_ask_again,
        n_judgments=judgments.n_judgments,
        n_failed=judgments.n_failed,
        without_reply=judgments.without_reply,
    )


def decide_item(judgments: Iterable[Judgment], item: Item, design: Design) -> tuple[Verdict, ...]:
    """The verdicts of `decide` on one item, from that item's judgments alone.

    No verdict depends on another item, unless the rule is one of `POOLED`.
    """
    return aggregate(judgments, subjects_of(item, design), design, Known(items=(item,))).verdicts


def report_on(
    decision: Decision,
    store: Store,
    design: Design,
    *,
    seed: int = 0,
    warnings: Sequence[str] = (),
    exchanges: Iterable[Exchange] | None = None,
) -> Report:
    """Measure how far a decision may be trusted and what it took; no judge is asked.

    Args:
        exchanges: the store's, where they have been read already.
    """
    golds = gold_of(store.annotations())
    groups = {item.id: item.group for item in decision.items}
    agreement = {
        criterion.id: measure_agreement(
            votes=decision.votes[criterion.id],
            panel=code_verdicts(decision.verdicts, decision.subjects, criterion),
            gold=code_gold(golds, decision.subjects, criterion) if golds else None,
            groups=[groups[subject.item_id] for subject in decision.subjects],
            voting=[judge.id for judge in design.seated],
            seed=seed,
        )
        for criterion in design.rubric.criteria
    }
    # A folder may hold exchanges of earlier designs too: only what this one's judgments come from is reported.
    trips = store.exchanges(words=False) if exchanges is None else exchanges
    asked = (one for one in trips if not decision.call_ids.isdisjoint(one.call_ids))
    seconds = CallSeconds()
    conduct = measure_conduct(seconds.timed(asked), prices_at_start(store, design))
    served = {judge_id: one.served_models for judge_id, one in conduct.items()}
    relatives = find_relatives(design, decision.items, served)
    without = measure_without(
        relatives,
        design,
        Judged(items=decision.items, subjects=decision.subjects, golds=golds),
        lambda judge_ids: decide_by(decision.votes, judge_ids, design, decision.training),
    )
    best_of = design.aggregation.best_of
    facts = RunFacts(
        design=design,
        items=decision.items,
        subjects=decision.subjects,
        votes=decision.votes,
        verdicts=decision.verdicts,
        golds=golds,
        agreement=agreement,
        conduct=conduct,
        panel_latency=slowest_member(decision.call_subjects, seconds),
        relatives=relatives,
        without_relatives=without,
        best_of_n=None
        if best_of is None
        else measure_best_of_n(decision.verdicts, golds, decision.items, best_of, seed=seed),
        how_read=decision.how_read,
        without_reply=decision.without_reply,
        notes=(
            *decision.notes,
            *write_notes(agreement, design, decision.votes),
            *tell_how_read(decision.how_read, design),
            *tell_relatives(relatives, without),
        ),
        # Part of every check before asking, too: a report that is made without one must say it all the same.
        warnings=tuple(dict.fromkeys((*family_warnings(design), *warnings))),
        n_planned=decision.n_planned,
        n_unasked=decision.n_unasked,
        version=__version__,
        seed=seed,
    )
    return build_report(facts)


def write_results(folder: RunFolder, decision: Decision, report: Report, design: Design) -> None:
    """Write verdicts, report and page into the run folder."""
    by_id = {item.id: item for item in decision.items}
    write_verdicts(folder, decision.verdicts, by_id.get)
    folder.write_text(REPORT_JSON, report_json(report))
    folder.write_text(REPORT_HTML, render_html(report, design_yaml(design)))
