"""What a run has collected, as arrays: every draw, gold, and what each draw has cost."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import venire
from venire.collected import Collected
from venire.domain.annotation import GIVEN, Annotation
from venire.domain.call import Choice, Reply, Request, Usage
from venire.domain.item import Subject
from venire.domain.price import Price
from venire.runs import read_collected

from .test_costs import SCORE, design, items

PRICE = Price(input_usd=10.0, output_usd=20.0, source="test")


class Rating:
    """Gives each sample the next number; a reply is billed 1,000 tokens in, and 50 out for each sample."""

    def __init__(self, *numbers: int, usage: Usage | None = None) -> None:
        self._numbers = iter(numbers)
        self._usage = usage

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        words = [f'{{"score": {next(self._numbers)}}}' for _ in samples]
        usage = self._usage or Usage(input_tokens=1000, output_tokens=50 * len(samples))
        return Reply(choices=tuple(Choice(text=one, finish_reason="stop") for one in words), usage=usage, raw="{}")

    async def close(self) -> None:
        pass


def collected(folder: Path, judges: dict[str, Rating], *, samples: int = 1, known: bool = True) -> Collected:
    """What one run of these judges over two items has collected, with gold for the first."""
    asked = design(*judges, prices=dict.fromkeys(judges, PRICE) if known else {}, reask=1)
    several = tuple(replace(judge, samples=samples, samples_per_request=samples) for judge in asked.judges)
    subject = Subject(item_id=venire.ItemId("i0"), responses=(0,))
    gold = Annotation(subject=subject, criterion_id=SCORE.id, annotator=GIVEN, value=7)
    asked = replace(asked, judges=several)
    venire.judge(items(2), asked, out=folder, providers=judges, annotations=[gold])
    return read_collected(folder)


def test_every_sample_is_kept_and_the_input_of_one_request_is_billed_to_the_first(tmp_path: Path) -> None:
    run = collected(tmp_path / "run", {"m": Rating(1, 2, 3, 4)}, samples=2)

    assert run.draws[SCORE.id].codes.tolist() == [[[1, 2], [3, 4]]]
    assert run.costs.usd.ravel().tolist() == pytest.approx([0.011, 0.001, 0.011, 0.001])
    assert run.costs.known.all()


def test_a_ballot_that_was_asked_for_again_costs_both_times(tmp_path: Path) -> None:
    run = collected(tmp_path / "run", {"m": Rating(99, 7, 7)})

    assert sorted(run.costs.usd.ravel().tolist()) == pytest.approx([0.011, 0.022])


def test_gold_is_coded_over_the_same_subjects(tmp_path: Path) -> None:
    gold = collected(tmp_path / "run", {"m": Rating(1, 2)}).gold[SCORE.id]

    assert gold.codes[gold.present].tolist() == [7]
    assert gold.present.tolist() == [[True, False]]


def test_a_cost_that_is_not_known_is_said_and_never_0(tmp_path: Path) -> None:
    run = collected(tmp_path / "run", {"m": Rating(1, 2)}, known=False)

    assert not run.costs.known.any()
    assert "m" in run.costs.unknown
