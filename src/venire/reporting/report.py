"""The report as a value: everything that terminal, JSON and HTML show, and nothing else."""

from dataclasses import dataclass

from venire.domain.best_of import BestOfMeasure
from venire.domain.finding import Undefined
from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.measures import Agreement, Conduct, HowRead, PanelLatency, Unpriced
from venire.domain.relatives import Relative, WithoutRelatives


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """How often something occurred."""

    name: str
    n: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """How much was judged, and how much of the plan was carried out."""

    n_items: int
    n_subjects: int
    n_calls_planned: int
    n_calls_settled: int
    """Answered, or given up on after retries: then the judgment is a failure with its reason."""
    n_calls_unasked: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What asking cost."""

    usd_known: float
    """Summed over the round trips whose cost is known."""
    unpriced: tuple[Unpriced, ...]
    """Round trips whose cost is not known, by reason."""

    @property
    def n_unpriced(self) -> int:
        """Round trips whose cost is not known."""
        return sum(part.n_exchanges for part in self.unpriced)

    @property
    def unpriced_tokens(self) -> int:
        """Their tokens, as far as they are known."""
        return sum(part.input_tokens + part.output_tokens for part in self.unpriced)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """How judgments became verdicts, in the design's words."""

    rule: str
    denominator: str
    quorum: int
    tie: str
    flip: str
    criteria: str
    recuse: str
    best_of: str | None
    """What becomes of responses that share the highest score; None: no best response is chosen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the judges were asked."""

    protocol: str
    orders: str
    reference: str
    baseline: str | None
    """Only pairwise: the system that all others are compared with; None: all pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """What the panel decided on some subjects."""

    n_subjects: int
    decided: tuple[Tally, ...]
    """Labels with their counts, in the scale's order; for a system in comparisons: wins, losses, ties, both bad."""
    n_decided: int
    mean: float | Undefined
    """Of decided numbers; labels have none."""
    n_shared: int
    """Exact ties under the tie policy "fractional"."""
    undecided: tuple[Tally, ...]
    """By reason."""

    @property
    def n_undecided(self) -> int:
        """Subjects without a decision."""
        return sum(tally.n for tally in self.undecided)


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRow:
    """What the panel decided on the responses of one system."""

    system: str | None
    """None: the items do not name it."""
    outcomes: Outcomes


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeVotes:
    """What one judge said on one criterion."""

    judge_id: JudgeId
    n_votes: int
    n_abstained: int
    failures: tuple[Tally, ...]
    """Judgments without a label, by the closed set of failure reasons."""
    no_vote: tuple[Tally, ...]
    """Subjects without a vote for other reasons: samples tied, orders disagree, not asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One rater's vote on one subject, as words."""

    rater: str
    words: str
    """The label, or why there is none."""
    is_label: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """One subject on which the judges differ; ids and labels only, never the judged text."""

    item_id: ItemId
    responses: tuple[int, ...]
    systems: tuple[str | None, ...]
    spread: float
    votes: tuple[Said, ...]
    """Of all judges, in the design's order."""
    panel: Said
    gold: Said


@dataclass(frozen=True, slots=True, kw_only=True)
class CriterionReport:
    """One criterion: what was asked and decided, and how far it may be trusted."""

    id: CriterionId
    question: str
    scale: str
    weight: float
    outcomes: Outcomes
    systems: tuple[SystemRow, ...]
    """Sorted by name; empty where no response names its system."""
    judges: tuple[JudgeVotes, ...]
    agreement: Agreement | Undefined
    disagreements: tuple[Disagreement, ...]
    """At most 20, the largest spread first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeRow:
    """One judge: what it is, and how it behaved."""

    id: JudgeId
    provider: str
    model: str | None
    """None: a rule, or a recording."""
    family: str | None
    """None: the model's name does not tell."""
    votes: bool
    is_baseline: bool
    conduct: Conduct | Undefined
    how_read: HowRead | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One run, told."""

    title: str
    venire_version: str
    asked: Asked
    decision: Decision
    counts: Counts
    cost: Cost
    panel_latency: PanelLatency
    criteria: tuple[CriterionReport, ...]
    """The rubric's criteria in order; with more than one, their combination "overall" last."""
    best_of_n: BestOfMeasure | None
    """None: the design chooses no best response."""
    judges: tuple[JudgeRow, ...]
    """In the design's order."""
    relatives: tuple[Relative, ...]
    """Judges and systems that are related, or may be: those known to differ are left out."""
    without_relatives: tuple[WithoutRelatives, ...]
    """For every system with related voting judges and every criterion: the panel's figures with and without them."""
    notes: tuple[str, ...]
    """On how far the panel may be trusted."""
    warnings: tuple[str, ...]
    """On the run itself: calls without an answer, costs that are not known."""
    seed: int
    """Of the intervals."""
