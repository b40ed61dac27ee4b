"""The rules dawid_skene and one_coin: the label that is most probable once the judges' errors have been estimated."""

import re

import numpy as np
from numpy.typing import NDArray

from venire.aggregation.result import RuleResult
from venire.aggregation.weighted import by_heaviest
from venire.coding.votes import CodedVotes
from venire.domain.aggregation import RuleName
from venire.errors import DesignError, UndefinedStatistic
from venire.stats.dawid_skene import dawid_skene
from venire.stats.one_coin import one_coin


def decide_by_latent_label(votes: CodedVotes, rule: RuleName, seed: int) -> RuleResult:
    """Decide for the label that Dawid and Skene's model, or its one-coin form, holds most probable.

    It learns from all subjects at once how each judge errs, without gold: what it says of one depends on the others.
    Where judges share a bias it believes the bias. Probabilities that are equal but for rounding tie.

    Args:
        votes: of the voting judges, on labels; a choice is between two responses.
        rule: dawid_skene, or one_coin: one accuracy for each judge in place of a confusion table.
        seed: of the random starts.

    Raises:
        DesignError: the votes are numbers, or choices among more than two responses.
    """
    if not votes.labels or votes.n_positions > 2:
        raise DesignError(
            f"rule {rule} on {votes.scale!r} with {votes.n_positions} responses: it needs labels, or a choice of two. "
            "Use plurality."
        )
    order = np.argsort(np.array(votes.raters, dtype=object))  # the same in any order of judges
    n_labels = len(votes.labels)
    try:
        if rule == "one_coin":
            one = one_coin(votes.codes[order], votes.present[order], n_labels)
            posterior, defined, warnings = one.posterior, one.defined, one.warnings
        else:
            fit = dawid_skene(votes.codes[order], votes.present[order], n_labels, seed=seed)
            posterior, defined, warnings = fit.posterior, fit.defined, fit.warnings
    except UndefinedStatistic:
        posterior, defined = np.zeros((len(votes.subjects), n_labels)), np.zeros(len(votes.subjects), dtype=np.bool_)
        warnings = ()
    result = by_heaviest(votes, np.where(defined, posterior.T, 0.0))
    return RuleResult(
        votes=votes,
        codes=result.codes,
        decided=result.decided,
        tied=result.tied,
        notes=tuple(f"{rule}: {_named(warning, votes, order)}" for warning in warnings),
    )


def _named(warning: str, votes: CodedVotes, order: NDArray[np.intp]) -> str:
    """Numbers of labels and voters in a warning become the labels and judges themselves."""
    named = re.sub(r"\blabel (\d+)", lambda found: f"label {votes.labels[int(found[1])]!r}", warning)
    return re.sub(r"\bvoter (\d+)", lambda found: f"judge {votes.raters[int(order[int(found[1])])]!r}", named)
