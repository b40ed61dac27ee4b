"""Replay: other designs' figures and costs, told from what was collected; the frontier and an honest recommendation."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from venire.aggregation.draws import combine_draws
from venire.cli.main import app
from venire.domain.aggregation import Aggregation
from venire.domain.finding import Undefined
from venire.domain.frontier import Replay, Replayed
from venire.domain.identity import CriterionId, JudgeId
from venire.domain.rubric import IntervalScale
from venire.errors import UsageError
from venire.metaeval.agreement import measure_agreement
from venire.reporting.replay_json import replay_document
from venire.reporting.replay_page import replay_page
from venire.reporting.replay_text import replay_text
from venire.tuning.replay import replay
from venire.tuning.variants import Wanted

from .runs import Q, run_of, simulated

J0, J1, J2 = (JudgeId(f"j{n}") for n in range(3))
CODES, GOLD = simulated(200, [0.9, 0.8, 0.7])


def row_of(found: Replay, *judges: JudgeId, rule: str = "majority", samples: int = 1) -> Replayed:
    (row,) = (
        one
        for one in found.frontiers[0].rows
        if (one.variant.judges, one.variant.rule, one.variant.n_samples) == (judges, rule, samples)
    )
    return row


def test_the_runs_own_design_has_the_figure_that_the_report_gives_it() -> None:
    run = run_of(CODES, GOLD)
    votes = combine_draws(run.draws[Q], "AB", "tie")
    panel = votes.codes.sum(axis=0) >= 2
    as_votes = replace(run.gold[Q], codes=panel[None, :].astype(float), raters=("panel",))
    agreement = measure_agreement(
        votes=votes, panel=as_votes, gold=run.gold[Q], groups=run.groups, voting=[J0, J1, J2], seed=0
    )

    own = replay(run).frontiers[0].rows[0]

    kappa = agreement.raters[-1].kappa
    assert not isinstance(kappa, Undefined)
    assert own.is_own
    assert own.figure.value == pytest.approx(kappa.value)
    assert own.figure.n == 200


def test_a_subset_counts_its_own_judges_alone() -> None:
    found = replay(run_of(CODES, GOLD))

    alone = row_of(found, J0)
    right = (CODES[0, :, 0] == np.array(GOLD)).mean()
    assert alone.figure.n == 200
    assert alone.figure.value == pytest.approx(2 * right - 1, abs=0.02)  # kappa of balanced labels
    assert alone.calls_per_item == 1
    assert alone.usd_per_item == pytest.approx(0.01)
    assert row_of(found, J0, J1, J2).usd_per_item == pytest.approx(0.03)


def test_differences_are_paired() -> None:
    twice = np.concatenate([CODES[:1], CODES[:1], CODES[:1]])

    found = replay(run_of(twice, GOLD), Wanted(panels=((J0,),)))

    minus = row_of(found, J0).minus_own
    assert minus.value == 0
    assert isinstance(minus.interval, Undefined)  # every resample says 0: no interval is made of that


def test_fewer_samples_cost_less_and_only_the_first_count() -> None:
    codes, gold = simulated(100, [0.8, 0.8], n_samples=4)
    found = replay(run_of(codes, gold, aggregation=Aggregation(rule="majority")), Wanted(samples=(1, 4)))

    one, four = row_of(found, J0, samples=1), row_of(found, J0, samples=4)
    assert (one.calls_per_item, four.calls_per_item) == (1, 4)
    first = run_of(codes[:, :, :1], gold)
    assert one.figure.value == row_of(replay(first), J0).figure.value


def test_nothing_on_the_frontier_is_beaten() -> None:
    found = replay(run_of(*simulated(300, [0.9, 0.8, 0.75, 0.6], seed=3)))

    rows = found.frontiers[0].rows
    best = [row for row in rows if row.on_frontier]
    assert best
    for row in best:
        for other in rows:
            if found.frontiers[0].decides_enough(other):
                cheaper = other.usd_per_item < row.usd_per_item  # type: ignore[operator]
                assert not (cheaper and other.figure.value >= row.figure.value)  # type: ignore[operator]


def test_leaving_the_hard_subjects_out_is_no_way_onto_the_frontier() -> None:
    found = replay(run_of(CODES, GOLD))

    shy = row_of(found, J0, J1, J2, rule="unanimity")
    assert shy.n_undecided > 10
    assert shy.figure.value > row_of(found, J0).figure.value  # type: ignore[operator]
    assert not shy.on_frontier
    assert any("leave more than 5% of the subjects undecided" in note for note in found.notes)


def test_the_best_of_many_useless_designs_is_worth_nothing_out_of_sample() -> None:
    """Twelve judges that guess: the best of all panels looks good on the data it was chosen on, and only there."""
    codes, gold = simulated(60, [0.5] * 10, seed=5)

    found = replay(run_of(codes, gold), Wanted(max_size=3)).frontiers[0].recommended

    assert not isinstance(found, Undefined)
    assert found.in_sample.value > 0.2  # type: ignore[operator]
    assert found.out_of_sample.value < found.in_sample.value - 0.2  # type: ignore[operator]


def test_without_gold_the_runs_own_verdicts_stand_in_and_it_is_called_agreement() -> None:
    found = replay(run_of(CODES, None))

    assert (found.measure, found.against) == ("agreement", "the run's own verdicts")
    assert found.frontiers[0].rows[0].figure.value == 1
    assert "a proxy: there is no gold" in replay_text(found)
    assert "accuracy" not in replay_text(found) + replay_document(found) + replay_page(found).split("plotly")[0]


def test_numbers_are_held_to_gold_by_their_distance() -> None:
    scale = IntervalScale(min=1, max=5)
    codes = np.array([[1.0, 2, 3, 4, 5, 3], [1, 2, 3, 4, 5, 3], [5, 5, 5, 5, 5, 5]])
    gold = [1.0, 2, 3, 4, 5, 3]

    found = replay(run_of(codes, gold, scale=scale, aggregation=Aggregation(rule="mean")))

    assert found.measure == "mean_absolute_error"
    assert row_of(found, J0, rule="mean").figure.value == 0
    assert row_of(found, J0, J1, J2, rule="median").figure.value == 0
    assert row_of(found, J0, J1, J2, rule="mean").figure.value == pytest.approx(2 / 3)


def test_a_cost_that_is_not_known_is_not_guessed() -> None:
    found = replay(run_of(CODES, GOLD, usd=None))

    assert found.cost_axis == "calls"
    assert isinstance(row_of(found, J0).usd_per_item, Undefined)
    assert any("No cost is known" in note for note in found.notes)


def test_a_price_for_a_call_prices_what_was_recorded_elsewhere() -> None:
    found = replay(run_of(CODES, GOLD, usd=None), usd_per_call={J0: 0.5})

    assert found.cost_axis == "usd"
    assert row_of(found, J0).usd_per_item == pytest.approx(0.5)
    assert isinstance(row_of(found, J0, J1).usd_per_item, Undefined)
    assert any("not on the frontier" in note for note in found.notes)


def test_categories_are_looked_at_one_by_one() -> None:
    categories = ["easy"] * 100 + ["hard"] * 100

    found = replay(run_of(CODES, GOLD, categories=categories), by_category=True)

    assert [frontier.category for frontier in found.frontiers] == [None, "easy", "hard"]
    assert [frontier.n_subjects for frontier in found.frontiers] == [200, 100, 100]
    assert "Category easy" in replay_page(found)


def test_subjects_that_nobody_answered_are_undecided_and_counted() -> None:
    missing = np.zeros((3, 200), dtype=np.int16)
    missing[:, :20] = 2

    own = replay(run_of(CODES, GOLD, missing=missing)).frontiers[0].rows[0]

    assert (own.figure.n, own.n_undecided, own.figure.missing) == (180, 20, (("undecided", 20),))


def test_all_missing_is_undefined_and_not_a_number() -> None:
    found = replay(run_of(CODES, GOLD, missing=np.full((3, 200), 2, dtype=np.int16)))

    assert isinstance(found.frontiers[0].rows[0].figure.value, Undefined)
    assert isinstance(found.frontiers[0].recommended, Undefined)
    assert "undefined" in replay_text(found)


def test_one_judge_alone_has_one_design() -> None:
    found = replay(run_of(CODES[:1], GOLD))

    assert [row.variant.name for row in found.frontiers[0].rows] == ["j0"]


def test_the_same_seed_gives_the_same_bytes() -> None:
    run = run_of(CODES, GOLD)

    assert replay_document(replay(run, seed=4)) == replay_document(replay(run, seed=4))
    assert replay_document(replay(run, seed=4)) != replay_document(replay(run, seed=5))


@pytest.mark.parametrize(
    ("wanted", "words"),
    [
        (Wanted(panels=((JudgeId("zed"),),)), "is not of this run's judges"),
        (Wanted(panels=((J0, J0),)), "once each"),
        (Wanted(samples=(9,)), "k=9 samples are wanted, but 1 are stored"),
        (Wanted(orders=("both",)), "Order both was never asked; this run has AB"),
        (Wanted(rules=("trimmed_mean",)), "has no meaning on the scale"),
    ],
)
def test_what_the_run_does_not_have_is_refused(wanted: Wanted, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        replay(run_of(CODES, GOLD), wanted)


def test_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(UsageError, match="There is no criterion 'zed'"):
        replay(run_of(CODES, GOLD), criterion_id=CriterionId("zed"))


def test_too_many_panels_are_cut_by_size_and_it_is_said() -> None:
    codes, gold = simulated(20, [0.8] * 12)

    found = replay(run_of(codes, gold), Wanted(rules=("majority",)))

    sizes = {len(row.variant.judges) for row in found.frontiers[0].rows}
    assert sizes == {1, 2, 3, 12}
    assert any("all sizes would be 4,095 panels" in note for note in found.notes)


def test_hostile_names_are_escaped_on_the_page() -> None:
    run = run_of(CODES, GOLD)
    evil = JudgeId("<script>alert(1)</script>")
    judges = (replace(run.design.judges[0], id=evil), *run.design.judges[1:])
    draws = replace(run.draws[Q], raters=(evil, J1, J2))

    page = replay_page(replay(replace(run, design=replace(run.design, judges=judges), draws={Q: draws})))

    assert "<script>alert" not in page


def test_the_command_prints_the_frontier_and_writes_both_files(tmp_path: Path) -> None:
    items = "".join(
        json.dumps({"id": f"q{n}", "prompt": f"Q{n}?", "response": "a", "gold": "yes" if n % 2 else "no"}) + "\n"
        for n in range(12)
    )
    rows = "".join(
        json.dumps({"item": f"q{n}", "judge": judge, "label": "yes" if (n % 2) ^ (n % step == 0) else "no"}) + "\n"
        for judge, step in (("a", 5), ("b", 4), ("c", 3))
        for n in range(12)
    )
    (tmp_path / "items.jsonl").write_text(items, encoding="utf-8")
    (tmp_path / "judgments.jsonl").write_text(rows, encoding="utf-8")
    command = ["import", str(tmp_path / "items.jsonl"), str(tmp_path / "judgments.jsonl")]
    made = CliRunner().invoke(app, [*command, "--out", str(tmp_path / "run"), "--yes"])
    assert made.exit_code == 0, made.output

    told = CliRunner().invoke(
        app, ["replay", str(tmp_path / "run"), "--usd-per-call", "a=0.001", "--rules", "majority,max"]
    )

    assert told.exit_code == 0, told.output
    assert "designs, 12 subjects with gold" in told.output
    document = json.loads((tmp_path / "run" / "replay.json").read_text(encoding="utf-8"))
    assert document["measure"] == "kappa"
    assert "<h1>Replay</h1>" in (tmp_path / "run" / "replay.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "option", [["--rules", "best"], ["--samples", "many"], ["--usd-per-call", "a"], ["--orders", "CD"]]
)
def test_a_misspelt_option_is_named(option: list[str], tmp_path: Path) -> None:
    assert CliRunner().invoke(app, ["replay", str(tmp_path), *option]).exit_code == 2
