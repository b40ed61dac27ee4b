"""Facts of small runs for the tests of reporting: drawn from a seed, decided and measured by venire itself."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from venire.aggregation.decide import aggregate
from venire.coding.code import code_gold, code_verdicts
from venire.domain.aggregation import Aggregation
from venire.domain.annotation import Gold
from venire.domain.call import AnswerFormat, Choice, Completion, Exchange, ExchangeError, Request, Usage
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CallId, CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Response, Subject
from venire.domain.judgment import Failure, Judgment, Label, Outcome
from venire.domain.measures import HowRead, PanelLatency
from venire.domain.panel import Judge
from venire.domain.price import FREE, Price
from venire.domain.rubric import ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Rubric, Value
from venire.metaeval.agreement import measure_agreement
from venire.metaeval.conduct import measure_conduct
from venire.metaeval.notes import write_notes
from venire.reporting.build import RunFacts

CORRECT = Criterion(
    id=CriterionId("correct"),
    question="Is the response correct?",
    scale=NominalScale(labels=("correct", "incorrect")),
)
QUALITY = Criterion(
    id=CriterionId("quality"),
    question="How good is the response?",
    scale=OrdinalScale(labels=("poor", "fair", "good", "excellent")),
)
RATING = Criterion(
    id=CriterionId("rating"),
    question="From 1 to 10, how good is it?",
    scale=IntervalScale(min=1, max=10),
)
BETTER = Criterion(id=CriterionId("better"), question="Which is better?", scale=ChoiceScale(tie=True, both_bad=True))

SKILLS: Mapping[str, float] = {"gpt-4o-mini": 0.8, "claude-haiku": 0.7, "command-r": 0.6, "length": 0.0}
"""How often each judge gives the right label instead of any."""

_AGGREGATION = Aggregation(rule="majority", denominator="counted")


def make_design(criteria: Sequence[Criterion] = (CORRECT,), aggregation: Aggregation = _AGGREGATION) -> Design:
    """Three judges of three families and the baseline "length"."""
    judges = [
        Judge(id=JudgeId(name), provider="openai", model=name) if name != "length" else _baseline() for name in SKILLS
    ]
    compares = isinstance(criteria[0].scale, ChoiceScale)
    return Design(
        protocol="pairwise" if compares else "pointwise",
        rubric=Rubric(criteria=tuple(criteria)),
        judges=tuple(judges),
        aggregation=aggregation,
    )


def make_facts(
    criteria: Sequence[Criterion] = (CORRECT,),
    *,
    n_items: int = 60,
    gold: bool = True,
    aggregation: Aggregation = _AGGREGATION,
    seed: int = 0,
) -> RunFacts:
    """A run over items with responses of the systems "alpha" and "beta"; one ballot in ten cannot be read."""
    design = make_design(criteria, aggregation)
    items = [
        Item(
            id=ItemId(f"q{number:03d}"),
            responses=(Response(text="a", system="alpha"), Response(text="b", system="beta")),
            group=f"g{number // 2}",
        )
        for number in range(n_items)
    ]
    pairs = design.protocol == "pairwise"
    subjects = [
        Subject(item_id=item.id, responses=responses)
        for item in items
        for responses in ([(0, 1)] if pairs else [(0,), (1,)])
    ]
    generator = np.random.Generator(np.random.PCG64(seed))
    golds, judgments = [], []
    for criterion in criteria:
        values = _values_of(criterion)
        for subject in subjects:
            truth = values[generator.integers(len(values))]
            golds.append(Gold(subject=subject, criterion_id=criterion.id, value=truth, reason="given", n_annotators=1))
            for name, skill in SKILLS.items():
                said = truth if generator.random() < skill else values[generator.integers(len(values))]
                outcome: Outcome = Label(value=said) if generator.random() < 0.9 else Failure(reason="unreadable")
                judgments.append(_judge(subject, criterion.id, JudgeId(name), outcome))
    return derive(design, items, subjects, golds if gold else [], judgments)


def derive(
    design: Design,
    items: Sequence[Item],
    subjects: Sequence[Subject],
    golds: Sequence[Gold],
    judgments: Sequence[Judgment],
) -> RunFacts:
    """Decide and measure, as the pipeline does."""
    aggregated = aggregate(judgments, subjects, design)
    groups = {item.id: item.group for item in items}
    agreement = {
        criterion.id: measure_agreement(
            votes=aggregated.votes[criterion.id],
            panel=code_verdicts(aggregated.verdicts, subjects, criterion),
            gold=code_gold(golds, subjects, criterion) if golds else None,
            groups=[groups[subject.item_id] for subject in subjects],
            voting=[judge.id for judge in design.seated],
        )
        for criterion in design.rubric.criteria
    }
    return RunFacts(
        design=design,
        items=items,
        subjects=subjects,
        votes=aggregated.votes,
        verdicts=aggregated.verdicts,
        golds=golds,
        agreement=agreement,
        conduct=measure_conduct(make_exchanges(design), PRICES),
        panel_latency=PanelLatency(n_subjects=len(subjects), p50_s=1.5, p95_s=4.0),
        how_read={judge.id: HOW_READ for judge in design.judges},
        notes=write_notes(agreement, design, aggregated.votes),
        n_planned=len(subjects) * len(design.judges),
        n_unasked=0,
        version="0.1.0",
    )


HOW_READ = HowRead(
    steps=(("json", 17), ("repaired_json", 3)), n_later_attempts=2, n_with_probabilities=10, mean_coverage=0.5
)
PRICES: Mapping[JudgeId, Price | Undefined] = {
    JudgeId("gpt-4o-mini"): Price(input_usd=0.15, output_usd=0.6, source="test"),
    JudgeId("claude-haiku"): Price(input_usd=1.0, output_usd=5.0, source="test"),
    JudgeId("command-r"): Undefined("no price is known for command-r"),
    JudgeId("length"): FREE,
}


def make_exchanges(design: Design, n: int = 20) -> list[Exchange]:
    """Round trips of every judge: one rate limit, then answers of 0.1 to 2.0 seconds."""
    exchanges = []
    for judge in design.judges:
        for number in range(n):
            exchange = make_exchange(judge.id, latency_s=0.1 * (number + 1))
            if number == 0:
                error = ExchangeError(kind="rate_limit", message="slow down", status=429)
                exchange = replace(exchange, completions=(), usage=Usage(), served_model=None, error=error)
            exchanges.append(exchange)
    return exchanges


def make_exchange(judge_id: JudgeId, *, latency_s: float = 1.0) -> Exchange:
    """One answered round trip of 1,000 tokens in and 10 out."""
    request = Request(
        provider="openai",
        model=judge_id,
        base_url=None,
        messages=(),
        temperature=0.0,
        max_tokens=16,
        format=AnswerFormat(kind="text"),
    )
    call_id = CallId(f"{judge_id}-{latency_s}")
    return Exchange(
        request=request,
        judge_id=judge_id,
        call_ids=(call_id,),
        completions=(Completion(call_id=call_id, choice=Choice(text="correct", finish_reason="stop")),),
        usage=Usage(input_tokens=1000, output_tokens=10),
        latency_s=latency_s,
        started_at="2026-12-01T00:00:00Z",
        served_model=f"{judge_id}-2026",
    )


def _baseline() -> Judge:
    return Judge(id=JudgeId("length"), provider="length", votes=False)


def _values_of(criterion: Criterion) -> Sequence[Value]:
    match criterion.scale:
        case NominalScale(labels=labels) | OrdinalScale(labels=labels):
            return labels
        case IntervalScale():
            return tuple(range(int(criterion.scale.min), int(criterion.scale.max) + 1))
        case ChoiceScale():
            return (0, 1, "tie", "both_bad")


def _judge(subject: Subject, criterion_id: CriterionId, judge_id: JudgeId, outcome: Outcome) -> Judgment:
    return Judgment(
        subject=subject,
        criterion_id=criterion_id,
        judge_id=judge_id,
        shown=subject.responses,
        sample=0,
        attempt=0,
        call_id=CallId("c"),
        outcome=outcome,
        step="text",
        reader_version=1,
    )
