"""Small runs as arrays: what judges said of items, draw by draw."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from venire.coding.labels import labels_of
from venire.coding.votes import CodedDraws, CodedVotes, Draw
from venire.collected import Collected, DrawCosts
from venire.domain.aggregation import Aggregation
from venire.domain.design import Design
from venire.domain.identity import CriterionId, ItemId, JudgeId
from venire.domain.item import Item, Response, Subject
from venire.domain.panel import Judge
from venire.domain.rubric import Criterion, NominalScale, Rubric, Scale

Q = CriterionId("q")
YES_NO = NominalScale(labels=("no", "yes"), positive="yes")
REASONS = ("not_asked", "unreadable")


def run_of(
    codes: NDArray[np.float64],
    gold: Sequence[float | None] | None,
    *,
    scale: Scale = YES_NO,
    aggregation: Aggregation | None = None,
    usd: float | None = 0.01,
    missing: NDArray[np.int16] | None = None,
    categories: Sequence[str | None] | None = None,
) -> Collected:
    """A pointwise run of judges j0, j1 … with codes of shape (n_judges, n_items[, n_samples])."""
    table = codes if codes.ndim == 3 else codes[:, :, None]
    n_judges, n_items, n_samples = table.shape
    names = tuple(JudgeId(f"j{row}") for row in range(n_judges))
    judges = tuple(
        Judge(id=name, provider="scripted", model=name, family=f"f{row}", samples=n_samples)
        for row, name in enumerate(names)
    )
    criterion = Criterion(id=Q, question="Is it?", scale=scale)
    design = Design(
        protocol="pointwise",
        rubric=Rubric(criteria=(criterion,)),
        judges=judges,
        aggregation=aggregation or Aggregation(),
    )
    items = tuple(Item(id=ItemId(f"i{n}"), responses=(Response(text=""),)) for n in range(n_items))
    subjects = tuple(Subject(item_id=item.id, responses=(0,)) for item in items)
    draws = tuple(Draw(order="AB", sample=sample) for sample in range(n_samples))
    gaps = np.zeros(table.shape, dtype=np.int16) if missing is None else missing.reshape(table.shape)
    coded = CodedDraws(
        scale=scale,
        labels=labels_of(scale, 1),
        raters=names,
        subjects=subjects,
        draws=draws,
        codes=table,
        missing=gaps,
        reasons=REASONS,
    )
    known = np.full(table.shape, usd is not None)
    costs = DrawCosts(
        draws=draws,
        usd=np.full(table.shape, usd or 0.0),
        known=known,
        unknown={} if usd is not None else dict.fromkeys(names, "no price is known"),
    )
    return Collected(
        design=design,
        items=items,
        subjects=subjects,
        groups=tuple(item.id for item in items),
        categories=tuple(categories) if categories is not None else (None,) * n_items,
        draws={Q: coded},
        gold={} if gold is None else {Q: _gold(gold, coded)},
        costs=costs,
    )


def _gold(gold: Sequence[float | None], coded: CodedDraws) -> CodedVotes:
    return CodedVotes(
        scale=coded.scale,
        labels=coded.labels,
        raters=("gold",),
        subjects=coded.subjects,
        codes=np.array([[value or 0.0 for value in gold]]),
        missing=np.array([[int(value is None) for value in gold]], dtype=np.int16),
        reasons=("no gold",),
    )


def simulated(
    n_items: int, accuracies: Sequence[float], *, n_samples: int = 1, seed: int = 0
) -> tuple[NDArray[np.float64], list[float | None]]:
    """Votes on two labels that are right with these chances, and the truth."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(0, 2, n_items)
    is_right = generator.random((len(accuracies), n_items, n_samples)) < np.array(accuracies)[:, None, None]
    return np.where(is_right, truth[None, :, None], 1 - truth[None, :, None]).astype(float), truth.astype(
        float
    ).tolist()
