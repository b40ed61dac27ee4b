"""The decision: what a run's stored judgments come to, as one value that goes through every later stage."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from venire.aggregation.known import Training
from venire.coding.votes import CodedVotes
from venire.domain.identity import CallId, CriterionId, JudgeId
from venire.domain.item import Item, Subject
from venire.domain.measures import HowRead, Unanswered
from venire.domain.verdict import Verdict
from venire.metaeval.panel_latency import CallSubjects


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What a run's stored judgments come to under a design."""

    items: tuple[Item, ...]
    """The run's, without their words."""
    subjects: tuple[Subject, ...]
    votes: Mapping[CriterionId, CodedVotes]
    verdicts: tuple[Verdict, ...]
    training: Training
    """What rules that need gold learned from."""
    call_ids: Set[CallId]
    """The calls whose judgments were counted."""
    call_subjects: CallSubjects
    """What the voting judges' calls are about."""
    how_read: Mapping[JudgeId, HowRead]
    n_planned: int
    n_unasked: int
    """Calls of the plan, or ballots to be asked for again, that were neither answered nor given up on."""
    n_judgments: int
    n_failed: int
    """Judgments that are failures; abstentions are not."""
    notes: tuple[str, ...]
    """What the rule has to say about itself on these votes."""
    without_reply: Mapping[JudgeId, Unanswered]
    """By judge, the calls that ended without any reply: of judges that stopped, or whose provider failed."""
