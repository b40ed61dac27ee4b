"""Measures of a panel: how its judges agree, and how they behaved while they were asked."""

from dataclasses import dataclass
from typing import Literal

from venire.domain.finding import Finding, Undefined
from venire.domain.identity import JudgeId
from venire.domain.judgment import Step
from venire.domain.price import Price
from venire.errors import ErrorKind

PANEL = "panel"
"""The name under which the panel stands among the raters."""

Measure = Literal["kappa", "accuracy", "mean_absolute_error"]
"""By what raters are compared with gold; of an error the lower is the better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RaterAgreement:
    """How one judge, or the panel, agrees with the panel and with gold on one criterion.

    A figure that does not apply is `Undefined` and says why; one that applies but has no value for these data is a
    `Finding` whose value is `Undefined`.
    """

    rater: str
    votes: bool
    """Whether it enters the verdict; the panel itself does not."""
    with_panel: Finding | Undefined
    accuracy: Finding | Undefined
    kappa: Finding | Undefined
    mean_absolute_error: Finding | Undefined

    def against_gold(self, measure: Measure) -> Finding | Undefined:
        """The figure of this name."""
        match measure:
            case "kappa":
                return self.kappa
            case "accuracy":
                return self.accuracy
            case "mean_absolute_error":
                return self.mean_absolute_error


@dataclass(frozen=True, slots=True, kw_only=True)
class Agreement:
    """The judges of one criterion, each held against the panel and against gold."""

    raters: tuple[RaterAgreement, ...]
    """The judges in the design's order, then the panel."""
    compared_by: Measure | Undefined
    """The figure by which the best judge was found and the panel is compared with it."""
    best_single: JudgeId | None
    """The voting judge that agrees best with gold; None where no judge's figure has a value."""
    panel_minus_best: Finding | None
    """The panel's figure minus the best judge's, over the subjects that both decided; None without a best judge."""
    chance: Finding | Undefined
    """What a rater without any insight reaches who always gives the label that gold gives most often."""

    @property
    def judges(self) -> tuple[RaterAgreement, ...]:
        """All but the panel."""
        return self.raters[:-1]

    @property
    def panel(self) -> RaterAgreement:
        """The panel: the last of the raters, also where a judge is called "panel" too."""
        return self.raters[-1]

    def judge(self, judge_id: JudgeId) -> RaterAgreement:
        """The judge of this name."""
        for rater in self.judges:
            if rater.rater == judge_id:
                return rater
        raise KeyError(f"no judge {judge_id!r}; there are {[rater.rater for rater in self.judges]!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unpriced:
    """Round trips whose cost is not known, for one reason."""

    reason: str
    n_exchanges: int
    input_tokens: int
    """Of those that said so."""
    output_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Conduct:
    """What asking one judge took: requests, tokens, dollars and seconds."""

    n_exchanges: int
    """Round trips, answered or failed."""
    n_answered: int
    """Calls that a completion came back for."""
    n_failed_exchanges: int
    failures: tuple[tuple[ErrorKind, int], ...]
    """Failed round trips by kind; a retry that worked does not take its failure back."""
    input_tokens: int
    """Summed over the round trips that said so; what came from a cache or went into it included."""
    output_tokens: int
    """Hidden reasoning included."""
    cached_input_tokens: int
    cache_write_input_tokens: int
    reasoning_tokens: int
    n_unknown_usage: int
    """Round trips that may have been billed and said nothing, or not all, of their tokens."""
    usd_known: float
    """Summed over the round trips whose cost is known."""
    n_reported: int
    """Round trips of which the provider itself reported the cost, which goes before every price."""
    unpriced: tuple[Unpriced, ...]
    """Round trips whose cost is not known, by reason."""
    price: Price | Undefined
    """By which all others were charged."""
    latency_p50_s: float | Undefined
    """Of round trips that brought an answer."""
    latency_p95_s: float | Undefined
    output_tokens_per_s: float | Undefined
    """Output tokens by the seconds of their round trips: the speed of one request, however many were under way."""
    served_models: tuple[str, ...]
    """Every model name that the server gave, sorted: more than one means that the model changed under the run."""
    adjustments: tuple[str, ...] = ()
    """How its requests were written otherwise than the design says, because its endpoint took them no other way."""

    @property
    def n_unpriced(self) -> int:
        """Round trips whose cost is not known."""
        return sum(part.n_exchanges for part in self.unpriced)

    @property
    def unpriced_tokens(self) -> int:
        """Tokens, as far as they are known, whose cost is not."""
        return sum(part.input_tokens + part.output_tokens for part in self.unpriced)

    @property
    def unpriced_reason(self) -> str:
        """Why costs are not known, all reasons in one line; empty where every cost is known."""
        return "; ".join(part.reason for part in self.unpriced)


@dataclass(frozen=True, slots=True, kw_only=True)
class PanelLatency:
    """How long the panel took over a subject: as long as its slowest voting member took, all asked at once."""

    n_subjects: int
    """Subjects about which a voting judge answered."""
    p50_s: float | Undefined
    p95_s: float | Undefined


@dataclass(frozen=True, slots=True, kw_only=True)
class HowRead:
    """How one judge's labels were found in its replies; of several attempts at a draw the last counts."""

    steps: tuple[tuple[Step, int], ...]
    """How many labels each step of reading gave."""
    n_later_attempts: int
    """Labels that came only when the judge was asked again."""
    n_with_probabilities: int
    mean_coverage: float | Undefined
    """Of the labels with probabilities: how much of the probability their scale's words took."""

    @property
    def n_labels(self) -> int:
        """All labels."""
        return sum(n for _, n in self.steps)
