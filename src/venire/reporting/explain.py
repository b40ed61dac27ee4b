"""Explanations: how each number of a report was computed, in sentences."""

from collections.abc import Iterator
from dataclasses import dataclass

from venire.domain.finding import Finding, Interval
from venire.domain.measures import Agreement
from venire.reporting.report import Decision, Report
from venire.reporting.rows import measured

_RULES = {
    "max": "Rule max: the best label that any voting judge gave (PoLL's max voting: one yes is enough).",
    "majority": "Rule majority: the label of more than half of the denominator's votes.",
    "plurality": "Rule plurality: the label with the most votes.",
    "unanimity": "Rule unanimity: a label only where all votes of the denominator are the same.",
    "mean": "Rule mean: the mean of the votes; of two labels, the one that more than half of the votes gave.",
    "min": "Rule min: the worst label that any voting judge gave (one no is enough).",
    "at_least": "Rule at_least: the positive label where at least so many judges gave it.",
    "median": "Rule median: the vote in the middle.",
    "trimmed_mean": "Rule trimmed_mean: the mean of the votes without the highest and the lowest ones.",
    "weighted": "Rule weighted: the label with the most weight, or the weighted mean, by the design's weights.",
    "majority_or_mean": "Rule majority_or_mean: the number that more than half of the votes hold, else their mean.",
    "geometric_median": "Rule geometric_median: the point with the smallest sum of distances to the judges' vectors.",
    "dawid_skene": "Rule dawid_skene: the most probable label, once every judge's errors are estimated from all items; "
    "it has no gold, and believes a bias that judges share.",
    "one_coin": "Rule one_coin: the most probable label, once every judge's accuracy is estimated from all items; "
    "it has no gold, and believes a bias that judges share.",
    "reliability": "Rule reliability: every vote weighs the log odds of its judge being right, learned from gold of "
    "other groups of items; a judge that is worse than chance counts against its own label.",
    "calibrated": "Rule calibrated: the most probable label by a logistic regression on all votes, learned from "
    "gold of other groups of items.",
}
_DENOMINATORS = {
    "seated": "Denominator seated: a voting judge without a readable label still counts among the votes.",
    "counted": "Denominator counted: only readable labels count among the votes.",
}
_FLIPS = {
    "tie": "A judge that changes its mind with the order of the responses has voted for a tie, where ties exist.",
    "undecided": "A judge that changes its mind with the order of the responses has no vote on that subject.",
}

_RECUSED = "A judge has no vote where its own model or family wrote a response (recuse: own_family)."
_BEST = (
    "The best of n is the response with the highest score; scores closer than a billionth of the scale tie; a response "
    "without a score leaves it open."
)
_BESTS = {
    "strict": f"{_BEST} Several that lead leave it open too, and count as wrong.",
    "fractional": f"{_BEST} Several that lead share it in equal parts.",
    "random": f"{_BEST} Of several that lead one is drawn by lot.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """One term of the report and what stands behind it."""

    term: str
    sentence: str


def explain_decision(decision: Decision, *, compares: bool) -> tuple[str, ...]:
    """How judgments became verdicts.

    Args:
        compares: whether judges compared several responses.
    """
    return (
        _RULES[decision.rule],
        _DENOMINATORS[decision.denominator],
        f"Quorum {decision.quorum}: with fewer readable labels the subject is undecided.",
        f"An exact tie: {decision.tie}.",
        *([_FLIPS[decision.flip]] if compares else []),
        *([_RECUSED] if decision.recuse != "nobody" else []),
        *([_BESTS[decision.best_of]] if decision.best_of is not None else []),
        "Undecided subjects are left out of every figure against gold and are counted beside it.",
    )


def explain_figures(report: Report) -> tuple[Explanation, ...]:
    """What each figure was measured against, and how its interval was made; every sentence once."""
    explanations: dict[Explanation, None] = {}
    for criterion in measured(report):
        for finding in _findings(criterion.agreement):
            explanations |= dict.fromkeys(_explain(finding))
    for figure in () if report.best_of_n is None else report.best_of_n.accuracies:
        if isinstance(figure, Finding):
            explanations |= dict.fromkeys(_explain(figure))
    return tuple(explanations)


def _explain(finding: Finding) -> Iterator[Explanation]:
    term = finding.name.replace("_", " ")
    yield Explanation(term=term, sentence=finding.provenance)
    if isinstance(finding.interval, Interval):
        yield Explanation(term=f"interval of {term}", sentence=finding.interval.method)


def _findings(agreement: Agreement) -> Iterator[Finding]:
    for rater in agreement.raters:
        for figure in (rater.with_panel, rater.accuracy, rater.kappa, rater.mean_absolute_error):
            if isinstance(figure, Finding):
                yield figure
    if agreement.panel_minus_best is not None:
        yield agreement.panel_minus_best
    if isinstance(agreement.chance, Finding):
        yield agreement.chance
