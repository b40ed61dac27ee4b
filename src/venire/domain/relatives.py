"""Relatives: judges whose model made, or may have made, what they judge, and what the panel says without them."""

from collections.abc import Mapping
from dataclasses import dataclass

from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.lineage import Relation, family_of, relate
from venire.domain.panel import RULE_PROVIDERS, Judge


def relation_to(judge: Judge, system: str, aliases: Mapping[str, str]) -> Relation:
    """How a judge is related to a system, by the name of its model, else by the family that the design gives it.

    A judge without a language model is related to nobody.
    """
    if judge.provider in RULE_PROVIDERS:
        return "different"
    relation = relate(judge.model or "", system, aliases)
    # The design may know a judge's family although the model's name does not tell.
    if (
        relation == "unknown"
        and judge.family is not None
        and (family := family_of(aliases.get(system, system))) is not None
    ):
        return "same family" if family.casefold() == judge.family.casefold() else "different"
    return relation


@dataclass(frozen=True, slots=True, kw_only=True)
class Relative:
    """One judge and one system whose responses it judges."""

    judge_id: JudgeId
    votes: bool
    system: str
    relation: Relation


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelFigures:
    """What a panel says of one system on one criterion."""

    n_decided: int
    score: float | Undefined
    """Over what was decided; higher is better for the system."""
    against_gold: float | Undefined
    """Accuracy, or the mean absolute error of numbers, over what was decided and has gold."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutRelatives:
    """A system's figures by the whole panel, and by the panel without the judges that are related to it."""

    system: str
    criterion_id: CriterionId
    judge_ids: tuple[JudgeId, ...]
    """The voting judges that are related to it."""
    n_subjects: int
    score_name: str
    gold_name: str
    whole: PanelFigures
    without: PanelFigures | Undefined
    """Undefined where every voting judge is related."""
