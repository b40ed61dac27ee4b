"""Self-preference: which judges rate their own model or family, and what the panel says of it without them.

A judge may prefer its own words (Panickssery et al. 2024, arXiv:2404.13076); whether this one does cannot be told from
its votes alone, so the pairings are named, and the figures stand beside those of the panel without them.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from venire.domain.annotation import Gold
from venire.domain.design import Design
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Subject
from venire.domain.lineage import Relation, relate
from venire.domain.panel import MATERIAL_PROVIDERS
from venire.domain.relatives import PanelFigures, Relative, WithoutRelatives, relation_to
from venire.domain.rubric import TIE, ChoiceScale, Criterion, IntervalScale, NominalScale, OrdinalScale, Scale, Value
from venire.domain.verdict import Decided, Verdict

Decide = Callable[[Sequence[JudgeId]], Sequence[Verdict]]
"""The verdicts that these judges alone would give."""

_CLOSEST_FIRST: tuple[Relation, ...] = ("same model", "same family", "different", "unknown")

_ALL_RELATED = Undefined("every judge that votes is related to it")


def find_relatives(
    design: Design, items: Sequence[Item], served: Mapping[JudgeId, Sequence[str]] | None = None
) -> tuple[Relative, ...]:
    """Every judge with a language model and every system that it is related to, or may be.

    Args:
        design: whose judges and aliases count.
        items: whose responses name systems.
        served: the names that endpoints gave to the models that answered, which tell what a deployment's name hides.

    Pairs that are known to differ are left out. Sorted by system, then in the design's order of judges.
    """
    systems = sorted({response.system for item in items for response in item.responses if response.system})
    aliases = dict(design.aliases)
    judges = [judge for judge in design.judges if judge.model is not None and judge.provider not in MATERIAL_PROVIDERS]
    found = [
        Relative(
            judge_id=judge.id,
            votes=judge.votes,
            system=system,
            relation=_closest(relation_to(judge, system, aliases), (served or {}).get(judge.id, ()), system, aliases),
        )
        for system in systems
        for judge in judges
    ]
    return tuple(relative for relative in found if relative.relation != "different")


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What was judged, and what is known of it."""

    items: Sequence[Item]
    subjects: Sequence[Subject]
    golds: Sequence[Gold]


def measure_without(
    relatives: Sequence[Relative], design: Design, judged: Judged, decide: Decide
) -> tuple[WithoutRelatives, ...]:
    """For every system with voting relatives and every criterion, the panel's figures with and without them."""
    related = {
        system: tuple(r.judge_id for r in relatives if r.system == system and r.votes and r.relation != "unknown")
        for system in dict.fromkeys(relative.system for relative in relatives)
    }
    known = _Known(judged)
    seated = [judge.id for judge in design.seated]
    decided: dict[tuple[JudgeId, ...], Sequence[Verdict]] = {}

    def verdicts_of(judges: tuple[JudgeId, ...]) -> Sequence[Verdict]:
        if judges not in decided:
            decided[judges] = decide(judges)
        return decided[judges]

    rows: list[WithoutRelatives] = []
    for system, judge_ids in related.items():
        if not judge_ids:
            continue
        rest = tuple(judge_id for judge_id in seated if judge_id not in judge_ids)
        for criterion in design.rubric.criteria:
            whole = known.figures(verdicts_of(tuple(seated)), criterion, system)
            rows.append(
                WithoutRelatives(
                    system=system,
                    criterion_id=criterion.id,
                    judge_ids=judge_ids,
                    n_subjects=known.n_subjects(system),
                    score_name=_score_name(criterion.scale),
                    gold_name="mean absolute error" if isinstance(criterion.scale, IntervalScale) else "accuracy",
                    whole=whole,
                    without=known.figures(verdicts_of(rest), criterion, system) if rest else _ALL_RELATED,
                )
            )
    return tuple(rows)


def _closest(relation: Relation, served: Sequence[str], system: str, aliases: Mapping[str, str]) -> Relation:
    # A fingerprint may stand behind the name.
    others = [relate(name.split()[0], system, aliases) for name in served if name.split()]
    return min((relation, *others), key=_CLOSEST_FIRST.index)


class _Known:
    """Which response of a subject is a system's, and what gold says."""

    def __init__(self, judged: Judged) -> None:
        self._systems: Mapping[ItemId, tuple[str | None, ...]] = {
            item.id: tuple(response.system for response in item.responses) for item in judged.items
        }
        self._subjects = judged.subjects
        self._gold: Mapping[tuple[Subject, CriterionId], Value] = {
            (gold.subject, gold.criterion_id): gold.value for gold in judged.golds
        }

    def n_subjects(self, system: str) -> int:
        """Subjects with a response of this system."""
        return sum(any(True for _ in self._places(subject, system)) for subject in self._subjects)

    def figures(self, verdicts: Sequence[Verdict], criterion: Criterion, system: str) -> PanelFigures:
        """What these verdicts say of the system on a criterion."""
        scores: list[float] = []
        against: list[float] = []
        n_decided = 0
        for verdict in verdicts:
            places = list(self._places(verdict.subject, system))
            if verdict.criterion_id != criterion.id or not places or not isinstance(verdict.outcome, Decided):
                continue
            n_decided += 1
            value = verdict.outcome.value
            scores += [score for place in places if (score := _score(value, place, criterion.scale)) is not None]
            gold = self._gold.get((verdict.subject, criterion.id))
            if gold is not None:
                against.append(_against(value, gold, criterion.scale))
        return PanelFigures(
            n_decided=n_decided,
            score=_mean(scores, "nothing was decided that counts"),
            against_gold=_mean(against, "there is no gold for what was decided"),
        )

    def _places(self, subject: Subject, system: str) -> Iterator[int]:
        systems = self._systems[subject.item_id]
        return (index for index in subject.responses if systems[index] == system)


def _score(value: Value, place: int, scale: Scale) -> float | None:
    match scale:
        case NominalScale(positive=positive):
            return float(value == positive)
        case OrdinalScale(labels=labels):
            return float(value == labels[-1])
        case IntervalScale():
            return float(value)
        case ChoiceScale():
            if isinstance(value, str):
                return 0.5 if value == TIE else None  # both bad is no win, no loss and no tie
            return float(value == place)


def _score_name(scale: Scale) -> str:
    match scale:
        case NominalScale(positive=positive):
            return f"share of {positive!r}"
        case OrdinalScale(labels=labels):
            return f"share of {labels[-1]!r}"
        case IntervalScale():
            return "mean"
        case ChoiceScale():
            return "win rate (a tie counts half)"


def _against(value: Value, gold: Value, scale: Scale) -> float:
    if isinstance(scale, IntervalScale):
        return abs(float(value) - float(gold))
    return float(value == gold and isinstance(value, str) == isinstance(gold, str))


def _mean(values: Sequence[float], reason: str) -> float | Undefined:
    return sum(values) / len(values) if values else Undefined(reason)
