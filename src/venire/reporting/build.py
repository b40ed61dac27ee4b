"""Building the report: the facts of a run become one value."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from venire.coding.votes import CodedVotes
from venire.domain.aggregation import TiePolicy
from venire.domain.annotation import Gold
from venire.domain.best_of import BestOfMeasure
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import OVERALL, CriterionId, JudgeId
from venire.domain.item import Item, Subject
from venire.domain.measures import Agreement, Conduct, HowRead, PanelLatency, Unanswered
from venire.domain.panel import BASELINE_PROVIDERS, Judge
from venire.domain.relatives import Relative, WithoutRelatives
from venire.domain.rubric import Criterion
from venire.domain.verdict import Verdict
from venire.reporting.cost import total_cost
from venire.reporting.disagreements import find_disagreements
from venire.reporting.outcomes import count_outcomes, count_systems, count_votes
from venire.reporting.report import Asked, Cost, Counts, CriterionReport, Decision, JudgeRow, Report
from venire.reporting.text import count, one_line, show_percent, show_scale


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts:
    """Everything that a report is made of; the figures are computed already."""

    design: Design
    items: Sequence[Item]
    subjects: Sequence[Subject]
    votes: Mapping[CriterionId, CodedVotes]
    """Of all judges, by criterion."""
    verdicts: Sequence[Verdict]
    golds: Sequence[Gold]
    agreement: Mapping[CriterionId, Agreement]
    conduct: Mapping[JudgeId, Conduct]
    panel_latency: PanelLatency
    how_read: Mapping[JudgeId, HowRead]
    notes: tuple[str, ...]
    """On how far the panel may be trusted."""
    n_planned: int
    """Calls."""
    n_unasked: int
    """Calls of the plan that were neither answered nor given up on."""
    version: str
    """Of venire."""
    warnings: tuple[str, ...] = ()
    """Of planning, on the run itself."""
    relatives: tuple[Relative, ...] = ()
    """Judges and systems that are related, or may be."""
    without_relatives: tuple[WithoutRelatives, ...] = ()
    best_of_n: BestOfMeasure | None = None
    """None: the design chooses no best response."""
    without_reply: Mapping[JudgeId, Unanswered] = field(default_factory=dict)
    """Of the judges that gave no reply to some calls."""
    seed: int = 0
    """Of the intervals; every interval's method names it."""


def build_report(facts: RunFacts) -> Report:
    """Put the facts of a run together as one value, ready to be written in any form."""
    design = facts.design
    criteria = [_report_criterion(criterion, facts) for criterion in design.rubric.criteria]
    overall = [verdict for verdict in facts.verdicts if verdict.criterion_id == OVERALL]
    if overall:
        criteria.append(_report_overall(overall, facts))
    cost = total_cost(facts.conduct.values())
    n_voting = len(design.seated)
    return Report(
        title=f"{count(n_voting, 'judge')} on {count(len(facts.items), 'item')}",
        venire_version=facts.version,
        asked=Asked(
            protocol=design.protocol, orders=design.orders, reference=design.reference, baseline=design.baseline
        ),
        decision=_describe_decision(design),
        counts=Counts(
            n_items=len(facts.items),
            n_subjects=len(facts.subjects),
            n_calls_planned=facts.n_planned,
            n_calls_settled=facts.n_planned - facts.n_unasked,
            n_calls_unasked=facts.n_unasked,
        ),
        cost=cost,
        panel_latency=facts.panel_latency,
        criteria=tuple(criteria),
        best_of_n=facts.best_of_n,
        judges=tuple(_describe_judge(judge, facts) for judge in design.judges),
        relatives=facts.relatives,
        without_relatives=facts.without_relatives,
        notes=facts.notes,
        warnings=_warn(facts, criteria, cost),
        seed=facts.seed,
    )


def _report_criterion(criterion: Criterion, facts: RunFacts) -> CriterionReport:
    verdicts = [verdict for verdict in facts.verdicts if verdict.criterion_id == criterion.id]
    votes = facts.votes[criterion.id]
    return CriterionReport(
        id=criterion.id,
        question=criterion.question,
        scale=show_scale(criterion.scale),
        weight=criterion.weight,
        outcomes=count_outcomes(verdicts, criterion.scale),
        systems=count_systems(verdicts, facts.items, criterion.scale),
        judges=tuple(count_votes(votes, judge.id) for judge in facts.design.judges),
        agreement=facts.agreement.get(criterion.id, Undefined("agreement was not measured on this criterion")),
        disagreements=find_disagreements(verdicts, votes, facts.golds, facts.items),
    )


def _report_overall(verdicts: Sequence[Verdict], facts: RunFacts) -> CriterionReport:
    design = facts.design
    compares = design.protocol != "pointwise"
    scale = design.rubric.criteria[0].scale if compares else None
    how = (
        "pass where every criterion holds its best label, else fail"
        if design.aggregation.criteria == "all"
        else "the choice with the largest weight behind it"
        if compares
        else "weighted mean of the positions on the scales, from 0 to 1"
    )
    return CriterionReport(
        id=OVERALL,
        question="All criteria together",
        scale=how,
        weight=sum(criterion.weight for criterion in design.rubric.criteria),
        outcomes=count_outcomes(verdicts, scale),
        systems=count_systems(verdicts, facts.items, scale),
        judges=(),
        agreement=Undefined("judges are asked about single criteria; their combination has no votes of its own"),
        disagreements=(),
    )


def _describe_decision(design: Design) -> Decision:
    how = design.aggregation
    return Decision(
        rule=how.rule,
        denominator=how.denominator,
        quorum=how.quorum,
        tie=_describe_tie(how.tie),
        flip=how.flip,
        criteria=how.criteria,
        recuse=how.recuse,
        best_of=None if how.best_of is None else how.best_of.tie,
    )


def _describe_tie(tie: TiePolicy) -> str:
    match tie.kind:
        case "label":
            return f"label: {tie.label}"
        case "random":
            return f"random (seed {tie.seed})"
        case kind:
            return kind


def _describe_judge(judge: Judge, facts: RunFacts) -> JudgeRow:
    return JudgeRow(
        id=judge.id,
        provider=judge.provider,
        model=judge.model,
        family=judge.family,
        votes=judge.votes,
        is_baseline=judge.provider in BASELINE_PROVIDERS,
        conduct=facts.conduct.get(judge.id, Undefined("it was asked nothing")),
        how_read=facts.how_read.get(judge.id, Undefined("it was asked nothing")),
    )


def _warn(facts: RunFacts, criteria: Sequence[CriterionReport], cost: Cost) -> tuple[str, ...]:
    warnings = [warning for warning in facts.warnings if warning not in facts.notes]
    if facts.n_unasked:
        warnings.append(
            f"{count(facts.n_unasked, 'call')} of {facts.n_planned:,} were not asked "
            f"({show_percent(facts.n_unasked, facts.n_planned)}): run the same command again to ask what is missing."
        )
    for criterion in criteria:
        outcomes = criterion.outcomes
        if outcomes.n_undecided:
            where = f"Criterion {criterion.id}: " if len(criteria) > 1 else ""
            warnings.append(
                f"{where}{outcomes.n_undecided:,} of {count(outcomes.n_subjects, 'subject')} are undecided "
                f"({show_percent(outcomes.n_undecided, outcomes.n_subjects)})."
            )
        warnings.extend(
            f"Judge {judge.judge_id} has no vote on criterion {criterion.id}."
            for judge in criterion.judges
            if judge.n_votes == 0 and facts.subjects
        )
    warnings.extend(
        f"Judge {judge_id} gave no reply to {count(unanswered.n_calls, 'call')}; the last reason: "
        f"{one_line(unanswered.reason)}. `venire judge` with --retry-failures asks these again."
        for judge_id, unanswered in facts.without_reply.items()
    )
    for judge_id, conduct in facts.conduct.items():
        if conduct.adjustments:
            warnings.append(
                f"Judge {judge_id} was not asked quite as the design says, because its endpoint takes it no other way: "
                f"{'; '.join(conduct.adjustments)}. Set its capabilities to have this in the design."
            )
    if cost.n_unpriced:
        reasons = "; ".join(part.reason for part in cost.unpriced)
        tokens = f" ({count(cost.unpriced_tokens, 'token')})" if cost.unpriced_tokens else ""
        warnings.append(f"The cost of {count(cost.n_unpriced, 'call')}{tokens} is not known ({reasons}).")
    return tuple(warnings)
