"""Relatives: judges whose model made, or may have made, what they judge, and what the panel says without them."""

from dataclasses import dataclass

from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.lineage import Relation


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
