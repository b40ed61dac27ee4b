"""What a run costs, from usage in a reply to the sum in the report: faults F19 to F21, whole kinds."""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import venire
from venire.calling.events import CallEvent
from venire.cli.progress import Progress
from venire.domain.bound import input_tokens_at_most
from venire.domain.call import Choice, Reply, Request, Usage
from venire.domain.design import Policy
from venire.domain.finding import Undefined
from venire.domain.judgment import Failure
from venire.domain.measures import Conduct
from venire.domain.price import Price, cost_of
from venire.pricing import prices_of
from venire.reporting.text import show_cost
from venire.runs import cost_of_run, estimate
from venire.store.sqlite import open_sqlite_store

KNOWN = Price(input_usd=2.0, output_usd=8.0, cached_input_usd=0.5, source="test")
SCORE = venire.Criterion(
    id=venire.CriterionId("score"), question="How good is it?", scale=venire.IntervalScale(min=1, max=10)
)


class Billed:
    """A provider that gives these replies, one after another, each billed as it says."""

    def __init__(self, *replies: tuple[str, Usage]) -> None:
        self._replies: Iterator[tuple[str, Usage]] = iter(replies)

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        words, usage = next(self._replies)
        return Reply(choices=(Choice(text=words, finish_reason="stop"),), usage=usage, raw="{}")

    async def close(self) -> None:
        pass


def items(n: int) -> tuple[venire.Item, ...]:
    responses = [(venire.Response(text=f"answer {number}"),) for number in range(n)]
    return tuple(venire.Item(id=venire.ItemId(f"i{n}"), responses=response) for n, response in enumerate(responses))


def design(*models: str, prices: dict[str, Price], reask: int = 0) -> venire.Design:
    """A panel of these models, each asked for one thing at a time."""
    judges = tuple(
        venire.Judge(id=venire.JudgeId(model), provider="openai_compatible", model=model, max_concurrency=1)
        for model in models
    )
    return venire.Design(
        protocol="pointwise",
        rubric=venire.Rubric(criteria=(SCORE,)),
        judges=judges,
        aggregation=venire.Aggregation(rule="mean"),
        policy=Policy(reask=reask),
        prices=tuple(prices.items()),
    )


GOOD = '{"score": 7}'
NEW = "vendor/new-judge-2026-01"


def run_f19(**reported: float) -> venire.Run:
    """A judge with a price and one without, each asked once."""
    return venire.judge(
        items(1),
        design("known-model", NEW, prices={"known-model": KNOWN}),
        providers={
            "known-model": Billed((GOOD, Usage(input_tokens=1000, output_tokens=100))),
            NEW: Billed((GOOD, Usage(input_tokens=5000, output_tokens=500, **reported))),
        },
    )


def test_a_model_without_a_price_is_counted_beside_the_known_sum() -> None:
    """F19."""
    cost = run_f19().report.cost

    (unpriced,) = cost.unpriced
    assert cost.usd_known == pytest.approx(0.0028)
    assert (unpriced.n_exchanges, unpriced.input_tokens, unpriced.output_tokens) == (1, 5000, 500)
    assert show_cost(cost.usd_known, cost.n_unpriced, cost.unpriced_tokens) == (
        "$0.0028 + unknown for 1 call (5,500 tokens)"
    )


def test_a_cost_that_the_provider_reports_is_used_and_marked() -> None:
    """F19, the extra case."""
    report = run_f19(reported_usd=0.0123).report

    conducts = {judge.id: judge.conduct for judge in report.judges}
    assert report.cost.usd_known == pytest.approx(0.0028 + 0.0123)
    assert report.cost.n_unpriced == 0
    assert [c.n_reported for c in conducts.values() if isinstance(c, Conduct)] == [0, 1]


def test_a_price_of_0_is_known() -> None:
    free = Price(input_usd=0, output_usd=0, source="test")
    run = venire.judge(
        items(1),
        design(NEW, prices={NEW: free}),
        providers={NEW: Billed((GOOD, Usage(input_tokens=5000, output_tokens=500)))},
    )

    assert (run.report.cost.usd_known, run.report.cost.n_unpriced) == (0.0, 0)


def test_cached_tokens_are_charged_once() -> None:
    """F20."""
    usage = Usage(input_tokens=1500, cached_input_tokens=1200, output_tokens=100)
    run = venire.judge(items(1), design("m", prices={"m": KNOWN}), providers={"m": Billed((GOOD, usage))})

    assert run.report.cost.usd_known == pytest.approx(0.002)


def test_every_attempt_is_paid_for_also_those_that_never_parse(tmp_path: Path) -> None:
    """F21."""
    ten = Price(input_usd=10.0, output_usd=10.0, source="test")
    usage = Usage(input_tokens=900, output_tokens=100)
    # Asked again in rounds: both items once, then both again, then both a last time.
    replies = ["hmm", "hmm", "hmm", "hmm", GOOD, "hmm"]
    run = venire.judge(
        items(2),
        design("m", prices={"m": ten}, reask=2),
        out=tmp_path / "run",
        providers={"m": Billed(*((words, usage) for words in replies))},
    )

    (judge,) = run.report.judges
    assert isinstance(judge.conduct, Conduct)
    assert run.report.cost.usd_known == pytest.approx(0.06)
    assert (judge.conduct.n_exchanges, judge.conduct.n_answered) == (6, 6)
    assert [isinstance(verdict.outcome, venire.Decided) for verdict in run.verdicts] == [True, False]
    assert failures_in(tmp_path / "run") == [True, True, False, True, True, True]


def failures_in(folder: Path) -> list[bool]:
    """Whether each judgment of a run is a failure, item by item and attempt by attempt."""
    about = venire.read_design(folder / "design.yaml")
    with closing(open_sqlite_store(folder / "store.sqlite", read_only=True)) as store:
        return [isinstance(judgment.outcome, Failure) for judgment in store.judgments(about.asking_id)]


class Worst:
    """A provider whose replies are as long as they may be, never readable, and billed to the last byte."""

    async def complete(self, request: Request, samples: Sequence[int]) -> Reply:
        usage = Usage(input_tokens=input_tokens_at_most(request), output_tokens=request.max_tokens * len(samples))
        choices = tuple(Choice(text="hmm", finish_reason="length") for _ in samples)
        return Reply(choices=choices, usage=usage, raw="{}")

    async def close(self) -> None:
        pass


@pytest.mark.parametrize("reask", [0, 1, 2, 4])
def test_no_run_costs_more_than_its_estimate_says_at_most(reask: int) -> None:
    about = design("m", prices={"m": KNOWN}, reask=reask)
    most = estimate(items(3), about, None).usd.at_most

    run = venire.judge(items(3), about, providers={"m": Worst()})

    assert 0.3 * most < run.report.cost.usd_known <= most


@settings(max_examples=20, deadline=None)
@given(st.floats(0, 0.2), st.integers(1, 5), st.integers(0, 2))
def test_no_run_spends_more_than_its_budget_ballots_asked_again_included(
    budget_usd: float, n_items: int, reask: int
) -> None:
    """F21: a budget counts the replies that are of no use, too."""
    about = design("m", prices={"m": KNOWN}, reask=reask)

    run = venire.judge(items(n_items), about, providers={"m": Worst()}, budget_usd=budget_usd)

    assert run.report.cost.usd_known <= budget_usd * (1 + 1e-9)
    assert (run.ended == "out_of_budget") == (run.decision.n_unasked > 0)
    if run.ended == "all_told":
        (judge,) = run.report.judges
        assert isinstance(judge.conduct, Conduct)
        # A reply that was cut is asked for again once.
        assert judge.conduct.n_exchanges == n_items * (1 + min(reask, 1))


COUNTS = st.none() | st.integers(0, 5000)
USAGES = st.builds(
    Usage,
    input_tokens=COUNTS,
    output_tokens=COUNTS,
    cached_input_tokens=COUNTS,
    cache_write_input_tokens=COUNTS,
    reported_usd=st.none() | st.floats(0, 1),
)
RATES = st.floats(0, 50)
PRICES = st.builds(
    Price,
    input_usd=RATES,
    output_usd=RATES,
    cached_input_usd=st.none() | RATES,
    cache_write_usd=st.none() | RATES,
    source=st.just("given in the design"),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.sampled_from([GOOD, "hmm"]), USAGES), min_size=9, max_size=9), st.none() | PRICES)
def test_the_sum_in_progress_the_report_and_pricing_again_all_say_the_same(
    tmp_path_factory: pytest.TempPathFactory, replies: list[tuple[str, Usage]], price: Price | None
) -> None:
    folder: Path = tmp_path_factory.mktemp("priced") / "run"
    about = design("m", prices={} if price is None else {"m": price}, reask=2)
    progress = Progress(3, prices_of(about))
    billed: list[Usage] = []

    def listen(event: CallEvent) -> None:
        progress(event)
        billed.extend([event.usage] if event.usage is not None else [])

    run = venire.judge(items(3), about, out=folder, providers={"m": Billed(*replies)}, listen=listen)

    costs = [cost_of(usage, prices_of(about)[venire.JudgeId("m")]) for usage in billed]
    known = pytest.approx(sum(cost for cost in costs if not isinstance(cost, Undefined)))
    again = cost_of_run(folder).total
    assert [progress.usd, run.report.cost.usd_known, again.usd_known] == [known] * 3
    n_unknown = sum(isinstance(cost, Undefined) for cost in costs)
    assert [progress.n_unpriced, run.report.cost.n_unpriced, again.n_unpriced] == [n_unknown] * 3
    assert len({progress.unpriced_tokens, run.report.cost.unpriced_tokens, again.unpriced_tokens}) == 1
