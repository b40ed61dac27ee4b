"""The parts of a design file, each turned into the value that it stands for."""

import string
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from venire.designs.schema import (
    AggregationFile,
    BallotFile,
    BestOfFile,
    CapabilitiesFile,
    ChoiceFile,
    CriterionFile,
    ExampleFile,
    IntervalFile,
    NominalFile,
    OrdinalFile,
    TieFile,
)
from venire.domain.aggregation import Aggregation, RuleName, TiePolicy
from venire.domain.ballot import BallotForm, Example
from venire.domain.best_of import BestOf
from venire.domain.capabilities import Override
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.rubric import (
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Scale,
    Value,
)
from venire.errors import DesignError

DEFAULTS = Aggregation()
RULES_OF: Mapping[str, tuple[RuleName, ...]] = {
    "at_least": ("at_least",),
    "trim": ("trimmed_mean",),
    "weights": ("weighted",),
    "over": ("geometric_median",),
    "by_category": ("reliability",),
    "folds": ("reliability", "calibrated"),
    "seed": ("dawid_skene", "reliability", "calibrated"),
}
"""Fields that only some rules read."""


@contextmanager
def part(name: str) -> Iterator[None]:
    """A DesignError raised inside gets the name of the field in front of its place."""
    # A value inside another knows nothing of the field that it stands in.
    try:
        yield
    except DesignError as error:
        raise DesignError(str(error), (name, *error.at)) from error


def criterion_of(criterion: CriterionFile, protocol: str) -> Criterion:
    """One question about quality; comparisons get a choice where no scale stands."""
    if criterion.scale is None and protocol == "pointwise":
        raise DesignError(
            f"Criterion {criterion.id!r} has no scale. Add one, for example "
            "scale: {type: nominal, labels: [correct, incorrect]} or scale: {type: interval, min: 1, max: 10}."
        )
    scale: Scale = ChoiceScale()
    if criterion.scale is not None:
        with part("scale"):
            scale = _scale(criterion.scale)
    return Criterion(id=CriterionId(criterion.id), question=criterion.question, scale=scale, weight=criterion.weight)


def _scale(scale: NominalFile | OrdinalFile | IntervalFile | ChoiceFile) -> Scale:
    match scale:
        case NominalFile():
            return NominalScale(labels=tuple(scale.labels), positive=scale.positive or "")
        case OrdinalFile():
            return OrdinalScale(labels=tuple(scale.labels))
        case IntervalFile():
            return IntervalScale(min=scale.min, max=scale.max, integer=scale.integer)
        case ChoiceFile():
            return ChoiceScale(tie=scale.tie, both_bad=scale.both_bad)


def ballot_of(ballot: BallotFile) -> BallotForm:
    """How a judge fills in its answer."""
    return BallotForm(
        form=ballot.form,
        fields=tuple(ballot.fields),
        json=ballot.json_,
        max_tokens=ballot.max_tokens,
        abstain=ballot.abstain,
        steepness=ballot.steepness,
        threshold=ballot.threshold,
        probabilities=ballot.probabilities,
        examples=tuple(_example(example) for example in ballot.examples),
    )


def _example(example: ExampleFile) -> Example:
    compares = len(example.responses) > 1
    return Example(
        prompt=example.prompt,
        responses=tuple(example.responses),
        reference=example.reference,
        verdicts=tuple(
            (CriterionId(name), _position(value) if compares else value) for name, value in example.verdicts.items()
        ),
        answer=example.answer,
        explanation=example.explanation,
        confidence=example.confidence,
    )


def _position(verdict: str | float) -> Value:
    # Comparisons name responses as the judge does, by letters.
    if isinstance(verdict, str) and len(verdict) == 1 and verdict in string.ascii_uppercase:
        return string.ascii_uppercase.index(verdict)
    return verdict


def capabilities_of(capabilities: CapabilitiesFile) -> tuple[tuple[str, Override], ...]:
    """The capabilities that the design corrects, sorted by name."""
    given: dict[str, Override] = capabilities.model_dump(exclude_none=True)
    return tuple(sorted(given.items()))


def aggregation_of(shape: AggregationFile) -> Aggregation:
    """How judgments become a verdict."""
    _refuse_idle(shape)
    return Aggregation(
        rule=shape.rule,
        denominator=shape.denominator,
        quorum=shape.quorum,
        tie=_tie(shape.tie),
        flip=shape.flip,
        criteria=shape.criteria,
        at_least=shape.at_least,
        trim=DEFAULTS.trim if shape.trim is None else shape.trim,
        weights=tuple((JudgeId(name), weight) for name, weight in (shape.weights or {}).items()),
        over=shape.over or DEFAULTS.over,
        seed=DEFAULTS.seed if shape.seed is None else shape.seed,
        by_category=shape.by_category or False,
        folds=DEFAULTS.folds if shape.folds is None else shape.folds,
        recuse=shape.recuse,
        best_of=None if shape.best_of is None else _best_of(shape.best_of),
    )


def _best_of(shape: BestOfFile) -> BestOf:
    if shape.seed is not None and shape.tie != "random":
        raise DesignError(
            f"aggregation.best_of.seed is for tie random, but the tie is {shape.tie}. Leave seed out.",
            ("best_of", "seed"),
        )
    return BestOf(tie=shape.tie, missing=shape.missing, seed=shape.seed or 0)


def _refuse_idle(shape: AggregationFile) -> None:
    """A field that its rule does not read would mislead whoever reads the design."""
    for name, rules in RULES_OF.items():
        if getattr(shape, name) is not None and shape.rule not in rules:
            raise DesignError(
                f"aggregation.{name} is for rule {' or '.join(rules)}, but the rule is {shape.rule}. "
                f"Leave {name} out, or change the rule.",
                (name,),
            )


def _tie(tie: str | TieFile) -> TiePolicy:
    if isinstance(tie, str):
        return TiePolicy(kind="fractional" if tie == "fractional" else "undecided")
    if (tie.label is None) == (tie.random is None):
        raise DesignError("aggregation.tie takes exactly one of {label: X} and {random: SEED}")
    if tie.label is not None:
        return TiePolicy(kind="label", label=tie.label)
    return TiePolicy(kind="random", seed=tie.random or 0)
