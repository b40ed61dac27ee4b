"""The full report of a run: what it decided, how far to trust it, and what would make it better; no judge is asked."""

from dataclasses import dataclass
from pathlib import Path

from venire.collected import Collected
from venire.collecting import collect_run, response_lengths
from venire.datasets.gold import gold_of
from venire.decision import Decision
from venire.designs.write import design_yaml
from venire.domain.design import Design
from venire.domain.frontier import Replay
from venire.domain.health import PanelHealth
from venire.domain.identity import OVERALL, CriterionId
from venire.domain.standing import Ranking
from venire.opened import opened_run
from venire.pipeline import decide, report_on
from venire.ports import Store
from venire.reporting.answers import answer_questions
from venire.reporting.cases import Case, count_cases, find_cases
from venire.reporting.deeper import Deeper
from venire.reporting.report import Report
from venire.tuning.audit import audit_run
from venire.tuning.panel_health import measure_health
from venire.tuning.ranked import rank_run
from venire.tuning.replay import replay


@dataclass(frozen=True, slots=True, kw_only=True)
class FullReport:
    """A run, told in full."""

    report: Report
    deeper: Deeper
    design_yaml: str


def tell_run(folder: Path, *, seed: int = 0) -> FullReport:
    """Derive everything that the full report shows.

    Args:
        folder: the run folder.
        seed: of resamples and folds.
    """
    with opened_run(folder) as (design, store):
        decision = decide(store, design)
        exchanges = tuple(store.exchanges(words=False))
        report = report_on(decision, store, design, seed=seed, exchanges=exchanges)
        collected = collect_run(store, design, exchanges=exchanges)
        health = tuple(_health(collected, seed=seed))
        replays = tuple(_replays(collected, seed=seed))
        lengths = response_lengths(store, collected) if design.protocol == "pointwise" else None
        audits = tuple(
            audit_run(collected, criterion_id=criterion_id, lengths=lengths, seed=seed)
            for criterion_id in collected.draws
        )
        answers = tuple(
            (
                f"Criterion {criterion.id}",
                answer_questions(
                    criterion.agreement,
                    next((one for one in health if one.criterion_id == criterion.id), None),
                    next((one for one in replays if one.criterion_id == criterion.id), None),
                    next(audit.people.ceiling for audit in audits if audit.criterion_id == criterion.id),
                ),
            )
            for criterion in report.criteria
            if criterion.id != OVERALL
        )
        cases, n_cases = _cases(decision, store, design)
        deeper = Deeper(
            answers=answers,
            audits=audits,
            rankings=tuple(_rankings(collected, seed=seed)),
            health=health,
            replays=replays,
            cases=cases,
            n_left_out=n_cases - len(cases),
        )
        return FullReport(report=report, deeper=deeper, design_yaml=design_yaml(design))


def _rankings(collected: Collected, *, seed: int) -> list[Ranking]:
    systems = {response.system for item in collected.items for response in item.responses} - {None}
    if len(systems) < 2:
        return []
    return [rank_run(collected, criterion_id=criterion_id, seed=seed) for criterion_id in collected.draws]


def _health(collected: Collected, *, seed: int) -> list[PanelHealth]:
    return [measure_health(collected, criterion_id=criterion_id, seed=seed) for criterion_id in collected.draws]


def _replays(collected: Collected, *, seed: int) -> list[Replay]:
    if len(collected.design.seated) < 2:
        return []
    return [replay(collected, criterion_id=criterion_id, seed=seed) for criterion_id in collected.draws]


def _cases(decision: Decision, store: Store, design: Design) -> tuple[tuple[Case, ...], int]:
    """The cases of the first criterion, and how many there are."""
    criterion_id: CriterionId = design.rubric.criteria[0].id
    verdicts = [verdict for verdict in decision.verdicts if verdict.criterion_id == criterion_id]
    golds, votes = gold_of(store.annotations()), decision.votes[criterion_id]
    outlines = {item.id: item for item in decision.items}
    return (
        find_cases(verdicts, votes, golds, outlines, store.item),
        count_cases(verdicts, votes, golds),
    )
