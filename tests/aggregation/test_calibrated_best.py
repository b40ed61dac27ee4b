"""The best of n by what was learned of the judges' scores."""

from collections.abc import Sequence

import numpy as np
import pytest

from venire.aggregation.decide import Aggregated, aggregate
from venire.aggregation.known import Known
from venire.domain.annotation import Gold
from venire.domain.best_of import BestOf
from venire.domain.identity import BEST_OF_N, ItemId
from venire.domain.item import Item, Response, Subject
from venire.domain.judgment import Judgment
from venire.domain.rubric import IntervalScale
from venire.domain.verdict import Decided, Undecided, VerdictOutcome
from venire.errors import DesignError

from .panels import criterion, design, judgment, subject

SCORES = IntervalScale(min=0, max=10, integer=False)
N_RESPONSES = 3


def run(n: int = 120, n_gold: int | None = None, groups: int = 1000, seed: int = 3, missing: int = 0) -> Aggregated:
    """Judge 0 scores the best response higher, judge 1 (louder) the worst, judge 2 anything."""
    generator = np.random.Generator(np.random.PCG64(seed))
    judgments: list[Judgment] = []
    subjects: list[Subject] = []
    golds: list[Gold] = []
    items: list[Item] = []
    for place in range(n):
        name, best = f"i{place:03d}", int(generator.integers(N_RESPONSES))
        items.append(Item(id=ItemId(name), responses=(Response(text=""),) * N_RESPONSES, group=f"g{place % groups}"))
        whole = Subject(item_id=ItemId(name), responses=tuple(range(N_RESPONSES)))
        if n_gold is None or place < n_gold:
            golds.append(Gold(subject=whole, criterion_id=BEST_OF_N, value=best, reason="given", n_annotators=1))
        for response in range(N_RESPONSES):
            subjects.append(subject(name, response))
            noise = generator.normal(0, 0.7, 3)
            means = (6 if response == best else 5, 2 if response == best else 8, 5)
            scores = np.clip(np.array(means) + noise, 0, 10)
            for judge, score in enumerate(scores):
                said = None if place < missing and response == 1 else float(score)
                judgments.append(judgment(f"j{judge}", subjects[-1], said))
    plan = design([criterion(SCORES)], ["j0", "j1", "j2"], rule="calibrated", best_of=BestOf())
    return aggregate(judgments, subjects, plan, Known(items=items, golds=golds))


def chosen(found: Aggregated) -> list[VerdictOutcome]:
    return [verdict.outcome for verdict in found.verdicts if verdict.criterion_id == BEST_OF_N]


def truth(n: int, seed: int = 3) -> Sequence[VerdictOutcome]:
    generator = np.random.Generator(np.random.PCG64(seed))
    found: list[VerdictOutcome] = []
    for _ in range(n):
        found.append(Decided(value=int(generator.integers(N_RESPONSES))))
        generator.normal(0, 0.7, 3 * N_RESPONSES)
    return found


def test_a_judge_that_prefers_the_worst_is_turned_round() -> None:
    right = sum(one == two for one, two in zip(chosen(run()), truth(120), strict=True))

    assert right > 0.9 * 120


def test_responses_keep_their_mean_as_score() -> None:
    found = run(n=20)

    first = next(verdict for verdict in found.verdicts if verdict.criterion_id == "q")
    codes = found.votes[first.criterion_id].codes[:, 0]
    assert first.outcome == Decided(value=pytest.approx(codes.mean()))  # type: ignore[arg-type]


def test_items_without_gold_are_decided_by_all_of_it() -> None:
    found = run(n=120, n_gold=60)

    right = sum(one == two for one, two in zip(chosen(found)[60:], truth(120)[60:], strict=True))
    assert right > 0.9 * 60
    assert any("calibrated on best_of_n: learned from gold on 60 of 120." in note for note in found.notes)


def test_a_response_without_a_score_leaves_its_item_open() -> None:
    assert chosen(run(missing=2))[:2] == [Undecided(reason="best of n: response 1 has no score")] * 2


def test_one_group_of_gold_teaches_nobody_of_itself() -> None:
    assert set(map(str, chosen(run(n=20, groups=1)))) == {str(Undecided(reason="best of n: nothing to learn from"))}


def test_without_anybody_s_best_response_there_is_nothing_to_learn_from() -> None:
    with pytest.raises(DesignError, match="nobody has named the best response of any item"):
        run(n=5, n_gold=0)


def test_numbers_without_a_best_of_n_are_refused() -> None:
    with pytest.raises(DesignError, match="'calibrated' has no meaning on the scale"):
        design([criterion(SCORES)], ["j0"], rule="calibrated")
