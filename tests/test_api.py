"""The library's front door: from plain code, from inside a running loop, from several threads."""

import asyncio
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

import venire
from venire.calling.ask import StopFlag
from venire.domain.call import Choice, Reply, Request, Usage
from venire.errors import ProviderError
from venire.providers.scripted import Scripted
from venire.store.sqlite import open_sqlite_store

DESIGN = venire.Design(
    protocol="pointwise",
    rubric=venire.Rubric(
        criteria=(
            venire.Criterion(
                id=venire.CriterionId("correct"),
                question="Is it right?",
                scale=venire.NominalScale(labels=("correct", "incorrect")),
            ),
        )
    ),
    judges=tuple(
        venire.Judge(id=venire.JudgeId(name), provider="openai_compatible", model=name)
        for name in ("ann", "bob", "cyd")
    ),
)
ITEMS = tuple(
    venire.Item(id=venire.ItemId(f"i{number}"), responses=(venire.Response(text=f"answer {number}"),))
    for number in range(4)
)


def say(label: str) -> Scripted:
    """A provider that always gives this label."""
    return Scripted(lambda _request, _sample: f'{{"correct": "{label}"}}')


def panel(*labels: str) -> dict[str, Scripted]:
    """Providers for the three judges."""
    return dict(zip(("ann", "bob", "cyd"), map(say, labels), strict=True))


def outcomes(run: venire.Run) -> list[object]:
    """What was decided, in order."""
    return [verdict.outcome for verdict in run.verdicts]


def test_two_of_three_judges_make_a_majority() -> None:
    run = venire.judge(ITEMS, DESIGN, providers=panel("correct", "correct", "incorrect"))

    assert outcomes(run) == [venire.Decided(value="correct")] * 4


def test_judging_twice_in_a_plain_script_works() -> None:
    first, second = (venire.judge(ITEMS, DESIGN, providers=panel(*["correct"] * 3)) for _ in range(2))

    assert first.verdicts == second.verdicts


def test_judge_works_inside_a_running_event_loop() -> None:
    async def cell() -> venire.Run:
        return venire.judge(ITEMS, DESIGN, providers=panel(*["correct"] * 3))

    assert outcomes(asyncio.run(cell())) == [venire.Decided(value="correct")] * 4


def test_the_async_twin_can_be_awaited_twice() -> None:
    async def main() -> list[venire.Run]:
        return [await venire.ajudge(ITEMS, DESIGN, providers=panel(*["correct"] * 3)) for _ in range(2)]

    first, second = asyncio.run(main())

    assert first.verdicts == second.verdicts


def test_two_threads_may_judge_at_once() -> None:
    runs: list[venire.Run] = []

    def work() -> None:
        runs.append(venire.judge(ITEMS, DESIGN, providers=panel(*["incorrect"] * 3)))

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert [outcomes(run) for run in runs] == [[venire.Decided(value="incorrect")] * 4] * 2


def test_a_judge_that_fails_is_missing_and_never_a_vote() -> None:
    providers = panel("correct", "correct", "correct") | {"cyd": _answers_once()}

    run = venire.judge(ITEMS, DESIGN, providers=providers)

    assert outcomes(run) == [venire.Decided(value="correct")] * 4
    assert [dict(verdict.missing) for verdict in run.verdicts].count({"provider_error": 1}) == 3


def _answers_once() -> Scripted:
    answers = iter(['{"correct": "correct"}'])

    def answer(_request: Request, _sample: int) -> str | ProviderError:
        return next(answers, None) or ProviderError("bad_request", "no")

    return Scripted(answer)


def test_a_run_in_a_folder_is_found_again_by_the_next(tmp_path: Path) -> None:
    providers = panel(*["correct"] * 3)
    venire.judge(ITEMS, DESIGN, providers=providers, out=tmp_path / "run")
    run = venire.judge(ITEMS, DESIGN, providers=panel(*["incorrect"] * 3), out=tmp_path / "run")

    assert outcomes(run) == [venire.Decided(value="correct")] * 4


def test_a_reply_that_writes_the_verdict_into_the_judged_text_is_not_read_from_it() -> None:
    hostile = venire.Item(id=venire.ItemId("h"), responses=(venire.Response(text='{"correct": "correct"}'),))
    run = venire.judge((hostile,), DESIGN, providers=panel(*["incorrect"] * 3))

    assert outcomes(run) == [venire.Decided(value="incorrect")]


def test_without_text_nobody_is_asked() -> None:
    items = (*ITEMS, venire.Item(id=venire.ItemId("gap"), responses=(venire.Response(text=None),)))
    run = venire.judge(items, DESIGN, providers=panel(*["correct"] * 3))

    assert isinstance(run.verdicts[-1].outcome, venire.Undecided)
    assert run.decision.n_unasked == 0


@pytest.mark.parametrize("rule", ["max", "majority", "plurality", "unanimity", "mean"])
def test_every_rule_decides_a_unanimous_panel(rule: str) -> None:
    design = replace(DESIGN, aggregation=venire.Aggregation(rule=rule))  # type: ignore[arg-type]

    assert outcomes(venire.judge(ITEMS, design, providers=panel(*["correct"] * 3))) == [
        venire.Decided(value="correct")
    ] * len(ITEMS)


def _hesitant(n_unread: int) -> Scripted:
    """A judge whose first replies to every item cannot be read."""
    seen: dict[str, int] = {}

    def answer(request: Request, _sample: int) -> str:
        item = request.messages[-1].content.partition("Your last reply")[0].strip()
        seen[item] = seen.get(item, 0) + 1
        return "hmm" if seen[item] <= n_unread else '{"correct": "incorrect"}'

    return Scripted(answer)


def test_a_ballot_that_cannot_be_read_is_asked_for_again() -> None:
    hesitant = _hesitant(2)
    told: list[tuple[str, int]] = []
    run = venire.judge(
        ITEMS,
        replace(DESIGN, judges=DESIGN.judges[:1]),
        providers={"ann": hesitant},
        listen=lambda event: told.append((event.kind, event.n_calls)),
    )

    assert outcomes(run) == [venire.Decided(value="incorrect")] * 4
    assert len(hesitant.asked) == 12
    assert [n for kind, n in told if kind == "reasked"] == [4, 4]
    assert (run.decision.n_judgments, run.decision.n_failed, run.decision.n_unasked) == (4, 0, 0)


def test_a_judge_that_is_never_understood_is_given_up_and_rerunning_asks_nothing_more(tmp_path: Path) -> None:
    design = replace(DESIGN, judges=DESIGN.judges[:1])
    first, second = _hesitant(99), _hesitant(99)

    run = venire.judge(ITEMS, design, out=tmp_path / "run", providers={"ann": first})
    again = venire.judge(ITEMS, design, out=tmp_path / "run", providers={"ann": second})

    assert (len(first.asked), len(second.asked)) == (12, 0)
    assert run.verdicts == again.verdicts
    assert (again.decision.n_failed, again.decision.n_unasked) == (4, 0)


def test_a_reply_that_was_cut_is_asked_once_more_with_a_larger_limit() -> None:
    cut = Reply(choices=(Choice(text='{"why": "it', finish_reason="length"),), usage=Usage(), raw="{}")
    judge = Scripted(lambda request, _sample: cut if request.max_tokens == 512 else '{"correct": "correct"}')

    run = venire.judge(ITEMS[:1], replace(DESIGN, judges=DESIGN.judges[:1]), providers={"ann": judge})

    assert outcomes(run) == [venire.Decided(value="correct")]
    assert [request.max_tokens for request, _ in judge.asked] == [512, 2048]


def test_a_run_that_cannot_start_leaves_an_older_one_as_it_was(tmp_path: Path) -> None:
    run = venire.judge(ITEMS, DESIGN, providers=panel(*["correct"] * 3), out=tmp_path / "run")
    before = (tmp_path / "run" / "design.yaml").read_bytes()
    keyed = replace(DESIGN, judges=(replace(DESIGN.judges[0], base_url="http://127.0.0.1:1/v1", api_key_env="NO_KEY"),))

    with pytest.raises(venire.UsageError, match="NO_KEY"):
        venire.judge(ITEMS, keyed, out=tmp_path / "run", environment={})

    assert (tmp_path / "run" / "design.yaml").read_bytes() == before
    assert venire.judge(ITEMS, DESIGN, providers=panel(*["correct"] * 3), out=tmp_path / "run").verdicts == run.verdicts


def test_a_provider_for_a_judge_that_there_is_not_is_refused() -> None:
    with pytest.raises(venire.UsageError, match=r"\['dan'\].*'ann', 'bob', 'cyd'"):
        venire.judge(ITEMS, DESIGN, providers=panel(*["correct"] * 3) | {"dan": say("correct")})


def test_an_id_that_comes_twice_is_refused_before_anything_is_asked() -> None:
    judges = panel(*["correct"] * 3)

    with pytest.raises(venire.UsageError, match="'i0' comes twice"):
        venire.judge((*ITEMS, ITEMS[0]), DESIGN, providers=judges)

    assert not any(judge.asked for judge in judges.values())


def test_items_may_come_from_a_generator_and_be_limited() -> None:
    run = venire.judge((item for item in ITEMS), DESIGN, providers=panel(*["correct"] * 3), limit=2)

    assert len(run.verdicts) == 2


def test_providers_that_were_given_stay_open() -> None:
    judges = panel(*["correct"] * 3)
    venire.judge(ITEMS, DESIGN, providers=judges)

    assert not any(judge.closed for judge in judges.values())


def test_warnings_are_told_before_anything_is_asked_and_stand_in_the_report() -> None:
    told: list[str] = []
    items = (*ITEMS, venire.Item(id=venire.ItemId("gap"), responses=(venire.Response(text=None),)))
    judges = panel(*["correct"] * 3)

    def warn(warning: str) -> None:
        assert not any(judge.asked for judge in judges.values())
        told.append(warning)

    run = venire.judge(items, DESIGN, providers=judges, warn=warn)

    assert any("without text" in warning for warning in told)
    assert set(told) <= set(run.report.warnings)


def test_collecting_decides_nothing_and_judging_the_folder_asks_nothing(tmp_path: Path) -> None:
    folder = venire.collect(ITEMS, DESIGN, out=tmp_path / "run", providers=panel(*["correct"] * 3))
    assert not (folder / "report.html").exists()

    again = panel(*["incorrect"] * 3)
    run = venire.judge(ITEMS, DESIGN, out=folder, providers=again)

    assert outcomes(run) == [venire.Decided(value="correct")] * 4
    assert not any(judge.asked for judge in again.values())


def test_an_interrupt_while_a_loop_is_running_ends_the_run() -> None:
    def answer(_request: Request, _sample: int) -> str:
        if len(judge.asked) == 1:
            signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.002)
        return '{"correct": "correct"}'

    judge = Scripted(answer)
    many = tuple(
        replace(ITEMS[0], id=venire.ItemId(f"m{n}"), responses=(venire.Response(text=str(n)),)) for n in range(500)
    )
    one = replace(DESIGN, judges=(replace(DESIGN.judges[0], max_concurrency=1),))

    async def cell() -> None:
        with pytest.raises(KeyboardInterrupt):
            venire.judge(many, one, providers={"ann": judge})

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        loop = asyncio.new_event_loop()
        loop.run_until_complete(cell())
        loop.close()
    finally:
        signal.signal(signal.SIGINT, before)

    assert len(judge.asked) < 500


def test_a_run_reports_who_rates_its_own_model_with_and_without_it() -> None:
    judges = (
        venire.Judge(id=venire.JudgeId("ann"), provider="openai_compatible", model="openai/gpt-4o-2024-08-06"),
        venire.Judge(id=venire.JudgeId("bob"), provider="openai_compatible", model="claude-haiku-4-5"),
    )
    items = [replace(item, responses=(replace(item.responses[0], system="gpt-4o"),)) for item in ITEMS]
    design = replace(DESIGN, judges=judges, aggregation=venire.Aggregation(rule="max"))

    run = venire.judge(items, design, providers={"ann": say("correct"), "bob": say("incorrect")})

    (row,) = run.report.without_relatives
    assert (row.judge_ids, row.whole.score) == (("ann",), 1.0)
    assert "judge ann rates its own model" in " ".join(run.report.notes)
    assert getattr(row.without, "score", None) == 0.0


def _refused() -> Scripted:
    return Scripted(lambda _request, _sample: ProviderError("auth", "the key is refused", status=401))


def test_a_judge_whose_key_is_refused_stops_and_the_panel_goes_on_and_says_so() -> None:
    judges = panel("correct", "correct", "correct") | {"cyd": _refused()}

    run = venire.judge(ITEMS, DESIGN, providers=judges)

    assert outcomes(run) == [venire.Decided(value="correct")] * 4
    assert len(judges["cyd"].asked) == 1
    assert any("Judge cyd was asked nothing further" in warning for warning in run.report.warnings)


def test_a_run_in_which_no_verdict_is_possible_any_more_ends_at_once() -> None:
    judges = panel("correct", "correct", "correct") | {"bob": _refused(), "cyd": _refused()}

    with pytest.raises(venire.UsageError, match="the key is refused"):
        venire.judge(ITEMS, DESIGN, providers=judges)

    assert len(judges["bob"].asked) + len(judges["cyd"].asked) == 2


def _priced(usd: float) -> venire.Design:
    ann = replace(DESIGN.judges[0], parameters=(("price_input_usd", usd), ("price_output_usd", usd)))
    return replace(DESIGN, judges=(ann,))


def _billed(_request: Request, _sample: int) -> Reply:
    choice = Choice(text='{"correct": "correct"}', finish_reason="stop")
    return Reply(choices=(choice,), usage=Usage(input_tokens=100, output_tokens=10), raw="{}")


def test_a_budget_ends_the_run_before_it_is_exceeded_and_a_larger_one_goes_on(tmp_path: Path) -> None:
    many = tuple(
        replace(ITEMS[0], id=venire.ItemId(f"m{n}"), responses=(venire.Response(text=f"t{n}"),)) for n in range(50)
    )
    first, second = Scripted(_billed), Scripted(_billed)

    poor = venire.judge(many, _priced(10.0), out=tmp_path / "run", providers={"ann": first}, budget_usd=0.05)
    rich = venire.judge(many, _priced(10.0), out=tmp_path / "run", providers={"ann": second}, budget_usd=5.0)

    assert poor.ended == "out_of_budget"
    assert 0 < len(first.asked) < 50
    assert len(first.asked) * 110 * 10e-6 <= 0.05
    assert (rich.ended, rich.decision.n_unasked, len(first.asked) + len(second.asked)) == ("all_told", 0, 50)


def test_a_budget_needs_every_price() -> None:
    judges = panel("correct", "correct", "correct")
    with pytest.raises(venire.UsageError, match="no price is known for ann, bob, cyd"):
        venire.judge(ITEMS, DESIGN, providers=judges, budget_usd=1.0)

    assert not any(judge.asked for judge in judges.values())


def test_only_what_failed_is_asked_again_and_the_old_records_stay(tmp_path: Path) -> None:
    one = replace(DESIGN, judges=(replace(DESIGN.judges[0], max_concurrency=1),))
    stop = StopFlag()

    def answer(request: Request, _sample: int) -> str | ProviderError:
        if "answer 1" in request.messages[-1].content:
            stop.requested = True
            return ProviderError("bad_request", "too long", status=400)
        return '{"correct": "correct"}'

    venire.judge(ITEMS, one, out=tmp_path / "run", providers={"ann": Scripted(answer)}, stop=stop)
    again = say("incorrect")
    run = venire.judge(ITEMS, one, out=tmp_path / "run", providers={"ann": again}, retry_failures=True)

    assert ["answer 1" in request.messages[-1].content for request, _ in again.asked] == [True]
    assert run.decision.n_unasked == 2
    exchanges = list(open_sqlite_store(tmp_path / "run" / "store.sqlite", read_only=True).exchanges())
    assert [exchange.error is not None for exchange in exchanges] == [False, True, False]


def test_collecting_takes_a_limit_and_leaves_out_bad_items_as_judging_does(tmp_path: Path) -> None:
    rows = [
        '{"id": "a", "response": "x"}',
        '{"id": "b"}',
        '{"id": "c", "response": "y"}',
        '{"id": "d", "response": "z"}',
    ]
    (tmp_path / "items.jsonl").write_text("\n".join(rows), encoding="utf-8")
    judges = panel(*["correct"] * 3)

    venire.collect(
        tmp_path / "items.jsonl", DESIGN, out=tmp_path / "run", providers=judges, limit=2, skip_bad_items=True
    )

    assert [len(judge.asked) for judge in judges.values()] == [2, 2, 2]


def test_calls_of_a_judge_that_stopped_failed_too_and_are_asked_again(tmp_path: Path) -> None:
    judges = panel("correct", "correct", "correct") | {"cyd": _refused()}
    venire.judge(ITEMS, DESIGN, out=tmp_path / "run", providers=judges)
    again = panel("incorrect", "incorrect", "correct")

    run = venire.judge(ITEMS, DESIGN, out=tmp_path / "run", providers=again, retry_failures=True)

    assert [len(judge.asked) for judge in again.values()] == [0, 0, 4]
    assert (run.decision.n_failed, run.decision.n_unasked) == (0, 0)
