"""The design: everything that decides what is asked and how it is decided."""

from dataclasses import dataclass, field
from typing import Literal

from venire.domain.aggregation import Aggregation, is_calibrated_best, rule_fits, rules_that_fit
from venire.domain.ballot import BallotForm
from venire.domain.fitting import check_ballot
from venire.domain.identity import DesignId, Json, JudgeId, content_id
from venire.domain.judgment import CUT, UNREAD, FailureReason
from venire.domain.panel import BASELINE_PROVIDERS, MATERIAL_PROVIDERS, Judge
from venire.domain.price import Price
from venire.domain.rubric import (
    ChoiceScale,
    Criterion,
    IntervalScale,
    NominalScale,
    OrdinalScale,
    Rubric,
    Scale,
)
from venire.errors import DesignError

Protocol = Literal["pointwise", "pairwise", "listwise"]
Orders = Literal["AB", "BA", "both"]
Reference = Literal["if_given", "required", "hidden"]
MOST_REASKS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Further rounds of asking."""

    reask: int = 2
    """How often a ballot that could not be read is asked for again; every time is a round of the plan."""

    def __post_init__(self) -> None:
        if not 0 <= self.reask <= MOST_REASKS:
            raise DesignError(f"policy.reask is {self.reask!r}; 0 to {MOST_REASKS} was expected", ("reask",))

    def asks_again(self, reason: FailureReason, attempt: int) -> bool:
        """Whether a ballot that failed at this attempt is asked for again; one that was cut, once at most."""
        return reason in UNREAD and attempt < (min(self.reask, 1) if reason in CUT else self.reask)


@dataclass(frozen=True, slots=True, kw_only=True)
class Design:
    """Protocol, rubric, orders, panel, aggregation and policy; see the schema of the design file."""

    protocol: Protocol
    rubric: Rubric
    judges: tuple[Judge, ...]
    orders: Orders = "AB"
    baseline: str | None = None
    """Only pairwise: the system that every other is compared with; None: all pairs."""
    reference: Reference = "if_given"
    ballot: BallotForm = field(default_factory=BallotForm)
    aggregation: Aggregation = field(default_factory=Aggregation)
    policy: Policy = field(default_factory=Policy)
    prices: tuple[tuple[str, Price], ...] = ()
    """The user's own prices by judge id or model name; they go before every list."""
    columns: tuple[tuple[str, str], ...] = ()
    """How the files call venire's fields: (venire's name, the file's column or dotted path)."""
    aliases: tuple[tuple[str, str], ...] = ()
    """Which model a name stands for, where it does not tell: (deployment or system name, model name)."""

    def __post_init__(self) -> None:
        _check_panel(self.judges, self.ballot)
        for index, criterion in enumerate(self.rubric.criteria):
            _check_scale(criterion, self.protocol, index)
            _check_rule(criterion, self.aggregation)
        _check_best_of(self)
        _check_comparison(self)
        _check_ballots(self)
        _check_seats(self)

    def ballot_of(self, judge: Judge) -> BallotForm:
        """The ballot that this judge fills in."""
        return judge.ballot or self.ballot

    def judge(self, judge_id: JudgeId) -> Judge:
        """The judge with this id."""
        for judge in self.judges:
            if judge.id == judge_id:
                return judge
        raise KeyError(f"no judge {judge_id!r} in this design; there are {[j.id for j in self.judges]!r}")

    @property
    def seated(self) -> tuple[Judge, ...]:
        """The judges that vote."""
        return tuple(judge for judge in self.judges if judge.votes)

    def asks_again(self, judge_id: JudgeId, reason: FailureReason, attempt: int) -> bool:
        """Whether this judge is asked again after such a failure; a rule would say the same once more."""
        return self.policy.asks_again(reason, attempt) and self.judge(judge_id).provider not in MATERIAL_PROVIDERS

    @property
    def asking_id(self) -> DesignId:
        """Names what is asked, not how it is decided: designs that share it share every judgment."""
        judges: Json = [[judge.id, judge.fingerprint(), judge.samples] for judge in self.judges]
        criteria: Json = [[c.id, c.question, scale_content(c.scale)] for c in self.rubric.criteria]
        return DesignId(
            content_id(
                [
                    self.protocol,
                    self.orders,
                    self.baseline,
                    self.reference,
                    self.ballot.fingerprint(),
                    criteria,
                    judges,
                ]
            )
        )


def scale_content(scale: Scale) -> Json:
    """A scale as canonical content."""
    match scale:
        case NominalScale(labels=labels, positive=positive):
            return {"type": "nominal", "labels": list(labels), "positive": positive}
        case OrdinalScale(labels=labels):
            return {"type": "ordinal", "labels": list(labels)}
        case IntervalScale():
            return {"type": "interval", "min": scale.min, "max": scale.max, "integer": scale.integer}
        case ChoiceScale():
            return {"type": "choice", "tie": scale.tie, "both_bad": scale.both_bad}


def family_warnings(design: Design) -> tuple[str, ...]:
    """One plain sentence for every family that holds more than one voting judge."""
    families: dict[str, list[str]] = {}
    for judge in design.seated:
        if judge.family is not None:
            families.setdefault(judge.family, []).append(judge.id)
    return tuple(
        f"Judges {', '.join(members)} are of one family ({family}): they tend to err together, "
        "so the panel has fewer independent votes than judges."
        for family, members in families.items()
        if len(members) > 1
    )


def _check_panel(judges: tuple[Judge, ...], ballot: BallotForm) -> None:
    ids = [judge.id for judge in judges]
    if not any(judge.votes for judge in judges):
        raise DesignError("The design has no judge that votes; name at least one under judges:", at=("judges",))
    if len(set(ids)) < len(ids):
        raise DesignError(f"judge ids {ids!r} repeat one another; every judge needs its own", at=("judges",))
    seen: dict[str, JudgeId] = {}
    for position, judge in enumerate(judges):
        content = judge.fingerprint()
        if isinstance(content, dict) and content["ballot"] is None:
            content = {**content, "ballot": ballot.fingerprint()}
        key = content_id(content)
        if key in seen:
            raise DesignError(
                f"Judges {seen[key]!r} and {judge.id!r} would be asked exactly the same of the same model: "
                "one answer would vote twice. For repeated draws set samples: 2 on one judge.",
                at=("judges", position),
            )
        seen[key] = judge.id


def _check_seats(design: Design) -> None:
    aggregation, seated = design.aggregation, [judge.id for judge in design.seated]
    if aggregation.quorum > len(seated):
        raise DesignError(
            f"aggregation.quorum is {aggregation.quorum} but only {len(seated)} judges vote; "
            "no verdict could ever be reached. Lower the quorum or add judges.",
            at=("aggregation", "quorum"),
        )
    if aggregation.rule == "at_least" and aggregation.at_least is not None and aggregation.at_least > len(seated):
        raise DesignError(
            f"aggregation.at_least is {aggregation.at_least} but only {len(seated)} judges vote; "
            "the positive label could never be reached.",
            at=("aggregation", "at_least"),
        )
    weighed = [judge_id for judge_id, _ in aggregation.weights]
    if aggregation.rule == "weighted" and sorted(weighed) != sorted(seated):
        raise DesignError(
            f"aggregation.weights names {weighed!r}, but the judges that vote are {sorted(seated)!r}; "
            "give each of them one weight.",
            at=("aggregation", "weights"),
        )


def _check_scale(criterion: Criterion, protocol: Protocol, index: int) -> None:
    compares = isinstance(criterion.scale, ChoiceScale)
    at = ("rubric", "criteria", index, "scale")
    if protocol == "pointwise" and compares:
        raise DesignError(
            f"Criterion {criterion.id!r} has a choice scale, which compares responses; "
            "pointwise judging sees one response. Use nominal, ordinal or interval, or protocol: pairwise.",
            at,
        )
    if protocol != "pointwise" and not compares:
        raise DesignError(
            f"Criterion {criterion.id!r} rates one response, but protocol {protocol} compares several. "
            "Leave its scale out (or use {type: choice}), or set protocol: pointwise.",
            at,
        )


def _check_rule(criterion: Criterion, aggregation: Aggregation) -> None:
    scale, rule = criterion.scale, aggregation.rule
    if not rule_fits(rule, scale) and not (is_calibrated_best(aggregation) and isinstance(scale, IntervalScale)):
        raise DesignError(
            f"aggregation.rule {rule!r} has no meaning on the scale of criterion {criterion.id!r}: "
            f"{scale_content(scale)!r}. Use one of {', '.join(rules_that_fit(scale))}.",
            at=("aggregation", "rule"),
        )
    tie = aggregation.tie.label
    if tie is not None:
        admitted: tuple[str, ...]
        match scale:
            case NominalScale(labels=labels) | OrdinalScale(labels=labels):
                admitted = labels
            case ChoiceScale():
                admitted = ("tie",) * scale.tie + ("both_bad",) * scale.both_bad
            case IntervalScale():
                admitted = ()
        if tie not in admitted:
            raise DesignError(
                f"aggregation.tie names label {tie!r}, which the scale of criterion {criterion.id!r} does not have; "
                f"there are {list(admitted)!r}",
                at=("aggregation", "tie"),
            )


def _check_best_of(design: Design) -> None:
    how, at = design.aggregation, ("aggregation", "best_of")
    if how.best_of is None:
        return
    if design.protocol != "pointwise":
        raise DesignError(
            f"aggregation.best_of chooses among responses that were scored alone, but protocol {design.protocol} "
            "compares them already. Leave best_of out, or set protocol: pointwise.",
            at,
        )
    for criterion in design.rubric.criteria:
        if not isinstance(criterion.scale, IntervalScale):
            raise DesignError(
                f"aggregation.best_of needs numbers, but criterion {criterion.id!r} has labels: "
                f"{scale_content(criterion.scale)!r}. Use interval scales, or leave best_of out.",
                at,
            )


def _check_ballots(design: Design) -> None:
    for position, judge in enumerate(design.judges):
        if judge.provider in MATERIAL_PROVIDERS:
            continue
        at: tuple[str | int, ...] = ("ballot",) if judge.ballot is None else ("judges", position, "ballot")
        try:
            check_ballot(design.ballot_of(judge), design.rubric, design.protocol)
        except DesignError as error:
            raise DesignError(f"Judge {judge.id!r}: {error}", (*at, *error.at)) from error


def _check_comparison(design: Design) -> None:
    if design.protocol == "pointwise" and design.orders != "AB":
        raise DesignError(
            f"orders is {design.orders!r}, but protocol pointwise shows one response; leave orders out", at=("orders",)
        )
    if design.protocol != "pairwise" and design.baseline is not None:
        raise DesignError(
            f"pairs names the baseline {design.baseline!r}, but only protocol pairwise forms pairs; leave pairs out",
            at=("pairs",),
        )


def default_votes(provider: str) -> bool:
    """Whether a judge of this provider votes unless the design says otherwise: a baseline does not."""
    return provider not in BASELINE_PROVIDERS
