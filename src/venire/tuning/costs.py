"""Costs of variants: calls and US dollars for each item, from what the run's draws have cost."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from venire.coding.votes import CodedDraws
from venire.collected import Collected
from venire.domain.design import Orders
from venire.domain.finding import Undefined
from venire.domain.frontier import Variant
from venire.domain.identity import CriterionId, JudgeId

NOT_ASKED = "not_asked"


@dataclass(frozen=True, slots=True, kw_only=True)
class _ByJudge:
    """What the draws of one choice of samples and orders took, judge by judge."""

    calls: NDArray[np.intp]
    usd: NDArray[np.float64]
    known: NDArray[np.bool_]


class VariantCosts:
    """Looks up what a variant takes; each choice of samples and orders is added up once."""

    def __init__(
        self,
        collected: Collected,
        criterion_id: CriterionId,
        kept: NDArray[np.bool_],
        usd_per_call: Mapping[JudgeId, float],
    ) -> None:
        """Set up.

        Args:
            kept: shape (n_subjects,): whose draws count.
            usd_per_call: prices of a call that go before what is stored, such as for imported judgments.
        """
        self._collected = collected
        self._draws = collected.draws[criterion_id]
        self._kept = kept
        self._usd_per_call = usd_per_call
        self._n_items = len({collected.subjects[column].item_id for column in np.flatnonzero(kept).tolist()})
        self._rows = {judge_id: row for row, judge_id in enumerate(collected.judge_ids)}
        self._known: dict[tuple[int, Orders], _ByJudge] = {}

    def calls_per_item(self, variant: Variant) -> float:
        """Draws that the variant counts, for each item."""
        sums = self._sums(variant)
        return float(sums.calls[[self._rows[one] for one in variant.judges]].sum()) / max(self._n_items, 1)

    def usd_per_item(self, variant: Variant) -> float | Undefined:
        """What they cost, or why that is not known."""
        sums, total = self._sums(variant), 0.0
        for judge_id in variant.judges:
            row = self._rows[judge_id]
            if judge_id in self._usd_per_call:
                total += self._usd_per_call[judge_id] * int(sums.calls[row])
            elif sums.known[row]:
                total += float(sums.usd[row])
            else:
                reason = self._collected.costs.unknown.get(judge_id, "some of its draws have no known cost")
                return Undefined(f"the cost of judge {judge_id} is not known: {reason}")
        return total / max(self._n_items, 1)

    def _sums(self, variant: Variant) -> _ByJudge:
        key = (variant.n_samples, variant.orders)
        if key not in self._known:
            places = chosen_draws(self._draws, variant.n_samples, variant.orders)
            missing = self._draws.missing[:, self._kept][:, :, places]
            asked = missing == 0
            if NOT_ASKED in self._draws.reasons:
                asked = missing != 1 + self._draws.reasons.index(NOT_ASKED)
            costs = self._collected.costs
            usd, known = costs.usd[:, self._kept][:, :, places], costs.known[:, self._kept][:, :, places]
            self._known[key] = _ByJudge(
                calls=asked.sum(axis=(1, 2)),
                usd=(usd * asked).sum(axis=(1, 2)),
                known=np.asarray((known | ~asked).all(axis=(1, 2)) & asked.any(axis=(1, 2)), dtype=np.bool_),
            )
        return self._known[key]


def chosen_draws(draws: CodedDraws, n_samples: int, orders: Orders) -> list[int]:
    """The places of the first samples in these orders."""
    first = sorted({draw.sample for draw in draws.draws})[:n_samples]
    wanted = ("AB", "BA") if orders == "both" else (orders,)
    return [place for place, draw in enumerate(draws.draws) if draw.order in wanted and draw.sample in first]
