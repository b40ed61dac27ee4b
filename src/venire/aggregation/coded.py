"""Decisions as codes: what `settle` says of every subject, without a value for each.

A replay holds a thousand designs against gold; as verdicts they would be millions of objects.
"""

from dataclasses import replace

import numpy as np

from venire.aggregation.result import RuleResult
from venire.aggregation.tally import n_votes
from venire.coding.code import SHARED, UNDECIDED
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import Aggregation
from venire.domain.identity import CriterionId, seeded_index

REASONS = (SHARED, UNDECIDED)
PANEL = "panel"


def code_decisions(result: RuleResult, criterion_id: CriterionId, aggregation: Aggregation) -> CodedVotes:
    """Apply quorum, then the rule, then the tie policy, as `settle` does; `code_verdicts` of its outcomes is the same.

    Returns:
        One rater, "panel"; undecided and shared decisions are missing for that reason.
    """
    codes = result.codes.copy()
    is_quorate = n_votes(result.votes, "counted") >= aggregation.quorum
    decided = result.decided & is_quorate
    missing = np.where(decided, 0, 1 + REASONS.index(UNDECIDED)).astype(np.int16)
    open_ties = result.tied.columns[(is_quorate & ~decided)[result.tied.columns]]
    policy = aggregation.tie
    match policy.kind:
        case "label" if policy.label is not None:
            codes[open_ties] = result.votes.labels.index(policy.label)
            missing[open_ties] = 0
        case "fractional":
            missing[open_ties] = 1 + REASONS.index(SHARED)
        case "random":
            for column in open_ties.tolist():
                subject, tied = result.votes.subjects[column], result.tied[column]
                key = (policy.seed, subject.item_id, list(subject.responses), criterion_id)
                codes[column] = tied[seeded_index(len(tied), *key)]
            missing[open_ties] = 0
        case _:
            pass
    return replace(
        result.votes,
        raters=(PANEL,),
        codes=np.where(missing == 0, codes, 0.0)[None, :],
        missing=missing[None, :],
        reasons=REASONS,
    )
