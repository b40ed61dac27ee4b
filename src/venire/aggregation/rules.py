"""The rules by name: votes of the voting judges in, a decision on every subject out."""

from collections.abc import Mapping
from typing import assert_never

import numpy as np

from venire.aggregation.at_least import decide_by_at_least, decide_by_min
from venire.aggregation.geometric import decide_by_geometric_median
from venire.aggregation.known import UNTRAINED, Training
from venire.aggregation.latent import decide_by_latent_label
from venire.aggregation.learned import decide_by_learning
from venire.aggregation.majority import decide_by_majority
from venire.aggregation.max_ import decide_by_max
from venire.aggregation.mean import decide_by_mean
from venire.aggregation.middle import decide_by_majority_or_mean, decide_by_median, decide_by_trimmed_mean
from venire.aggregation.plurality import decide_by_plurality
from venire.aggregation.result import RuleResult
from venire.aggregation.unanimity import decide_by_unanimity
from venire.aggregation.weighted import decide_by_weight
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation, is_calibrated_best
from venire.domain.identity import CriterionId, JudgeId


def apply_rules(
    votes: Mapping[CriterionId, CodedVotes], aggregation: Aggregation, training: Training = UNTRAINED
) -> Mapping[CriterionId, RuleResult]:
    """Decide every subject on every criterion; only a geometric median looks at several numbers at once.

    Args:
        votes: of the voting judges alone, by criterion.
        training: for the rules that learn from gold.

    Raises:
        DesignError: the rule has no meaning on a scale, or there is no gold to learn from.
    """
    if is_calibrated_best(aggregation):
        # Numbers have no most probable label: the responses' scores are means, and what is learned chooses the best.
        return {criterion_id: decide_by_mean(one) for criterion_id, one in votes.items()}
    if aggregation.rule == "reliability" or aggregation.rule == "calibrated":
        return {key: decide_by_learning(one, key, aggregation, training) for key, one in votes.items()}
    if aggregation.rule == "geometric_median":
        return decide_by_geometric_median(votes, aggregation.over)
    return {criterion_id: apply_rule(one, aggregation) for criterion_id, one in votes.items()}


def apply_rule(votes: CodedVotes, aggregation: Aggregation) -> RuleResult:  # noqa: C901 - one line for each rule
    """Decide every subject on one criterion by the rule of the design.

    Args:
        votes: of the voting judges alone.
    """
    match aggregation.rule:
        case "max":
            return decide_by_max(votes)
        case "min":
            return decide_by_min(votes)
        case "majority":
            return decide_by_majority(votes, aggregation.denominator)
        case "plurality":
            return decide_by_plurality(votes)
        case "unanimity":
            return decide_by_unanimity(votes, aggregation.denominator)
        case "at_least":
            return decide_by_at_least(votes, aggregation.at_least or 1)
        case "mean":
            return decide_by_mean(votes)
        case "median":
            return decide_by_median(votes)
        case "trimmed_mean":
            return decide_by_trimmed_mean(votes, aggregation.trim)
        case "majority_or_mean":
            return decide_by_majority_or_mean(votes)
        case "weighted":
            weights = np.array([aggregation.weight_of(JudgeId(rater)) for rater in votes.raters])
            return decide_by_weight(votes, weights)
        case "geometric_median":
            only = CriterionId("the only one")
            return decide_by_geometric_median({only: votes}, aggregation.over)[only]
        case "dawid_skene" | "one_coin":
            return decide_by_latent_label(votes, aggregation.rule, aggregation.seed)
        case "reliability" | "calibrated":
            return decide_by_learning(votes, CriterionId("the only one"), aggregation, UNTRAINED)
        case _:
            assert_never(aggregation.rule)
