"""Recorded judgments become a run: every shape, what the data hide, and what is refused before anything is written."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import venire
from venire.checking import check_run
from venire.domain.identity import BEST_OF_N, CriterionId
from venire.domain.judgment import Failure, Label
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale
from venire.domain.verdict import Undecided
from venire.errors import DataError, JudgeUnavailable, UsageError
from venire.imported import Imported, read_imported
from venire.importing import import_run
from venire.runs import read_collected, read_run, view_item

Rows = Sequence[Mapping[str, Any]]


def written(path: Path, rows: Rows) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def read(folder: Path, items: Rows, judgments: Rows, design: Path | None = None) -> Imported:
    return read_imported(
        written(folder / "items.jsonl", items), [written(folder / "judgments.jsonl", judgments)], design
    )


def answer(number: int, gold: str | None = "correct", **more: Any) -> dict[str, Any]:
    return {
        "id": f"q{number}",
        "task": "reference",
        "prompt": f"Question {number}?",
        "answers": [{"model": "sys", "text": "An answer"}],
        "reference": ["The answer"],
        "human": [],
        "gold": gold,
        **more,
    }


def pair(number: int, gold: str | None = "A", texts: Sequence[Any] = ("one", "two")) -> dict[str, Any]:
    answers = [{"model": name, "text": text} for name, text in zip("xy", texts, strict=True)]
    return {"id": f"p{number}", "task": "pairwise", "prompt": "Which?", "answers": answers, "human": [], "gold": gold}


def said(item: str, judge: str, label: Any, **more: Any) -> dict[str, Any]:
    return {"item_id": item, "judge": judge, "prompt": None, "order": None, "sample": 0, "label": label, **more}


def test_labels_of_answers_become_a_pointwise_run(tmp_path: Path) -> None:
    found = read(
        tmp_path, [answer(0), answer(1, "incorrect")], [said("q0", "a", "correct"), said("q1", "a", "incorrect")]
    )

    (criterion,) = found.design.rubric.criteria
    assert (found.design.protocol, criterion.id) == ("pointwise", "correct")
    assert criterion.scale == NominalScale(labels=("correct", "incorrect"), positive="correct")
    assert [one.outcome for one in found.judgments] == [Label(value="correct"), Label(value="incorrect")]
    assert [one.value for one in found.annotations] == ["correct", "incorrect"]


def test_a_judge_under_several_prompts_is_several_judges(tmp_path: Path) -> None:
    rows = [said("q0", "a", "correct", prompt=prompt) for prompt in ("plain", "cot")]
    rows += [said("q0", "b", "incorrect", prompt="plain")]

    found = read(tmp_path, [answer(0)], rows)

    assert [judge.id for judge in found.design.judges] == ["a@plain", "a@cot", "b"]
    assert found.design.judges[0].model == "a"


def test_comparisons_keep_the_order_shown_and_name_responses_by_index(tmp_path: Path) -> None:
    rows = [said("p0", "a", "B", order="AB"), said("p0", "a", "A", order="BA")]

    found = read(tmp_path, [pair(0)], rows)

    assert found.design.orders == "both"
    assert [(one.shown, one.outcome) for one in found.judgments] == [((0, 1), Label(value=1)), ((1, 0), Label(value=0))]
    assert found.design.rubric.criteria[0].scale == ChoiceScale(tie=False)


def test_samples_are_numbered_draws(tmp_path: Path) -> None:
    rows = [said("q0", "a", label, sample=n) for n, label in enumerate(["correct", "incorrect", "correct"])]

    found = read(tmp_path, [answer(0)], rows)

    assert found.design.judges[0].samples == 3
    assert [one.sample for one in found.judgments] == [0, 1, 2]


def rated(number: int, scores: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    return {**answer(number), "task": "rating", "gold": scores, **more}


def test_ratings_become_a_criterion_for_each_dimension(tmp_path: Path) -> None:
    items = [rated(0, {"style": 3.5, "depth": 2})]
    rows = [{"item_id": "q0", "judge": "a", "scores": {"style": 1, "depth": 5}}]
    (tmp_path / "meta.json").write_text('{"dims": ["style", "depth"], "scale": [1, 5]}', encoding="utf-8")

    found = read(tmp_path, items, rows)

    assert [criterion.scale for criterion in found.design.rubric.criteria] == [
        IntervalScale(min=1, max=5, integer=False)
    ] * 2
    assert [one.value for one in found.annotations] == [3.5, 2.0]


def test_a_number_outside_the_scale_is_a_failure_and_is_counted(tmp_path: Path) -> None:
    rows = [{"item_id": "q0", "judge": judge, "scores": {"style": n}} for judge, n in (("a", -1), ("b", 4))]
    (tmp_path / "meta.json").write_text('{"dims": ["style"], "scale": [1, 5]}', encoding="utf-8")

    found = read(tmp_path, [rated(0, {"style": 3})], rows)

    assert found.judgments[0].outcome == Failure(reason="out_of_range", detail="-1 is not in 1 to 5")
    assert "1 numbers outside the scale of style: judgments without a label" in found.noticed


def test_null_is_a_judgment_that_was_not_read(tmp_path: Path) -> None:
    found = read(
        tmp_path, [answer(0)], [said("q0", "a", None), said("q0", "b", "correct"), said("q0", "c", "incorrect")]
    )

    assert isinstance(found.judgments[0].outcome, Failure)
    assert found.judgments[0].outcome.reason == "unreadable"


def test_what_the_data_hide_is_told(tmp_path: Path) -> None:
    items = [
        pair(0, None, texts=(True, "two")),
        {**pair(1), "answers": [{"model": ["x", "z"], "text": "a"}, {"text": None}]},
    ]

    found = read(tmp_path, items, [said("p0", "a", "tie", order="both"), said("p1", "a", "A", order="both")])

    assert found.items[0].responses[0].text is None
    assert found.items[1].responses[0].system is None
    assert "1 responses whose text is true or false: kept as missing" in found.noticed
    assert "1 responses that several systems gave: their system is left out" in found.noticed
    assert "1 items without gold" in found.noticed
    assert "2 judgments merged from both orders by whoever recorded them: kept as order AB" in found.noticed


@pytest.mark.parametrize(
    ("items", "judgments", "error", "words"),
    [
        ([answer(0)], [said("q9", "a", "correct")], DataError, r"judgments.jsonl:1 \(id 'q9'\): there is no item"),
        (
            [answer(0)],
            [said("q0", "a", "correct"), said("q0", "a", "incorrect")],
            DataError,
            r"judgments.jsonl:2 \(id 'q0'\): judge 'a' gave 'incorrect' here, but 'correct' in line 1",
        ),
        ([answer(0)], [said("q0", "a", "correct"), said("q0", "b", 4)], UsageError, "answered on two scales: 'a' gave"),
        ([answer(0), answer(0)], [said("q0", "a", "correct")], DataError, "the id was used before"),
        ([answer(0)], [said("q0", "", "correct")], DataError, "judge is '', a name was expected|judge is"),
        ([pair(0)], [said("p0", "a", "A", order="CD")], DataError, "AB, BA or both was expected"),
        ([answer(0, None)], [said("q0", "a", "fine")], UsageError, "no scale can be told"),
        ([answer(0)], [{"item": "q0", "who": "a"}], UsageError, "none of the shapes that are known"),
        ([{**answer(0), "task": "poem"}], [said("q0", "a", "correct")], DataError, "task is 'poem'"),
    ],
)
def test_what_cannot_be_is_refused_by_place_and_value(
    tmp_path: Path, items: Rows, judgments: Rows, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        read(tmp_path, items, judgments)


def test_a_label_off_the_scale_of_a_given_design_is_refused(tmp_path: Path) -> None:
    design = tmp_path / "design.yaml"
    design.write_text(
        "protocol: pointwise\nrubric: {criteria: [{id: correct, question: Is it?, "
        "scale: {type: nominal, labels: [correct, incorrect]}}]}\njudges: [{id: a, provider: length, votes: true}]\n",
        encoding="utf-8",
    )

    with pytest.raises(DataError, match=r"judgments.jsonl:1 \(id 'q0'\): label 'perhaps' is not on the scale"):
        read(tmp_path, [answer(0)], [said("q0", "a", "perhaps")], design)


def test_the_same_judgment_twice_is_kept_once(tmp_path: Path) -> None:
    found = read(tmp_path, [answer(0, "incorrect")], [said("q0", "a", "correct"), said("q0", "a", "correct")])

    assert len(found.judgments) == 1
    assert "1 judgments that were recorded twice with the same label: kept once" in found.noticed


def test_an_imported_run_decides_shows_and_is_collected_as_any_other(tmp_path: Path) -> None:
    items = written(tmp_path / "items.jsonl", [answer(0), answer(1, "incorrect")])
    labels = {"a": ["correct", "incorrect"], "b": ["correct", "correct"], "c": ["incorrect", None]}
    rows = [said(f"q{n}", judge, label) for judge, given in labels.items() for n, label in enumerate(given)]

    run = import_run(items, written(tmp_path / "judgments.jsonl", rows), out=tmp_path / "run")

    again = read_run(tmp_path / "run")
    assert again.decision.verdicts == run.decision.verdicts
    assert (again.decision.n_planned, again.decision.n_unasked) == (6, 0)
    assert len(view_item(tmp_path / "run", "q0").asked) == 3
    collected = read_collected(tmp_path / "run")
    assert collected.draws[CriterionId("correct")].present.sum() == 5
    assert set(collected.costs.unknown) == {"a", "b", "c"}
    assert (tmp_path / "run" / "report.html").exists()


def test_a_run_of_one_judge_that_says_nothing_is_undecided_throughout(tmp_path: Path) -> None:
    items = written(tmp_path / "items.jsonl", [answer(0), answer(1, "incorrect")])

    run = import_run(
        items, written(tmp_path / "j.jsonl", [said("q0", "a", None), said("q1", "a", None)]), out=tmp_path / "r"
    )

    assert all(isinstance(verdict.outcome, Undecided) for verdict in run.decision.verdicts)


def test_an_imported_judge_cannot_be_asked(tmp_path: Path) -> None:
    items = written(tmp_path / "items.jsonl", [answer(0), answer(1, "incorrect")])
    run = import_run(items, written(tmp_path / "j.jsonl", [said("q0", "a", "correct")]), out=tmp_path / "run")
    design = read_run(tmp_path / "run").design

    with pytest.raises(JudgeUnavailable, match="its judgments were made elsewhere"):
        venire.judge(run.decision.items, design)


def test_a_folder_that_holds_a_run_is_not_written_over(tmp_path: Path) -> None:
    items = written(tmp_path / "items.jsonl", [answer(0), answer(1, "incorrect")])
    rows = written(tmp_path / "j.jsonl", [said("q0", "a", "correct")])
    import_run(items, rows, out=tmp_path / "run")

    with pytest.raises(UsageError, match="holds a run already"):
        import_run(items, rows, out=tmp_path / "run")


def test_a_table_with_nothing_but_ids_and_scores_is_enough(tmp_path: Path) -> None:
    (tmp_path / "items.csv").write_text("id\n1\n2\n", encoding="utf-8")
    (tmp_path / "judgments.csv").write_text("item,judge,score\n1,a,3\n1,b,5\n2,a,1\n2,b,\n", encoding="utf-8")

    found = read_imported(tmp_path / "items.csv", [tmp_path / "judgments.csv"])

    assert found.design.rubric.criteria[0].scale == IntervalScale(min=1, max=5)
    assert Counter(type(one.outcome).__name__ for one in found.judgments) == {"Label": 3, "Failure": 1}


def test_a_table_may_compare_and_carry_gold(tmp_path: Path) -> None:
    items = [{"id": "p", "prompt": "Which?", "responses": [{"text": "x", "system": "s"}, "y"], "gold": "B"}]
    rows = [{"item": "p", "judge": "a", "label": "B", "order": "BA"}, {"item": "p", "judge": "b", "label": "tie"}]

    found = read(tmp_path, items, rows)

    assert found.design.protocol == "pairwise"
    assert [one.value for one in found.annotations] == [1]
    assert found.judgments[0].shown == (1, 0)


def test_raw_scores_of_four_responses_bring_their_items_along(tmp_path: Path) -> None:
    row = {
        "id": "7",
        "subset": "Math",
        "prompt_variant": "base",
        "k": 2,
        "full_scores": [[9, 8], [1, 2], [3, None], [4, 4]],
    }
    path = written(tmp_path / "base_claude_both_k8.jsonl", [row, {**row, "subset": "Focus"}])

    found = read_imported(path, [path])

    assert [item.id for item in found.items] == ["Math/7", "Focus/7"]
    assert found.design.judges[0].model == "claude-sonnet-4.6"
    assert len(found.judgments) == 16
    assert {(one.criterion_id, one.value) for one in found.annotations} == {(BEST_OF_N, 0)}
    assert sum(isinstance(one.outcome, Failure) for one in found.judgments) == 2


SETS = {
    "llmbar": (619, 57670),
    "pandalm": (999, 1998),
    "mtbench_human": (1232, 1232),
    "mtbench_posbias": (2400, 19584),
    "nq301": (1490, 4467),
    "triviaqa_judges": (3195, 35015),
    "hanna": (1056, 21120 * 6),
    "topicalchat_gpt35": (360, 28800 * 4),
}


@pytest.mark.parametrize("name", SETS)
def test_every_set_with_judgments_is_read(name: str, shared: Path) -> None:
    folder = shared / "data" / name
    if not folder.is_dir():
        pytest.skip(f"there is no {folder.name} beside the checkout")

    found = read_imported(folder / "items.jsonl.gz", [folder / "judgments.jsonl.gz"])

    assert (len(found.items), len(found.judgments)) == SETS[name]
    if name == "hanna":
        outside = [one for one in found.judgments if isinstance(one.outcome, Failure)]
        assert Counter(one.outcome.reason for one in outside if isinstance(one.outcome, Failure)) == {
            "out_of_range": 1051
        }
    if name == "pandalm":
        assert "6 responses whose text is true or false: kept as missing" in found.noticed


def test_every_raw_score_of_the_ensembling_paper_is_read(shared: Path) -> None:
    files = sorted((shared / "data" / "rb2_composo").glob("*_k8*.jsonl.gz"))
    if not files:
        pytest.skip("there is no rb2_composo beside the checkout")

    found = read_imported(files[0], [path for path in files if path.name.startswith(("base_both", "base_claude"))])

    assert len(found.items) == 1763
    assert len(found.design.judges) == 4


@pytest.mark.parametrize("name", ["evalbiasbench", "evouna"])
def test_a_set_without_judgments_says_which_file_is_missing(name: str, shared: Path) -> None:
    folder = shared / "data" / name
    if not folder.is_dir():
        pytest.skip(f"there is no {folder.name} beside the checkout")

    with pytest.raises(UsageError, match=r"judgments.jsonl.gz"):
        read_imported(folder / "items.jsonl.gz", [folder / "judgments.jsonl.gz"])


def test_an_imported_run_is_whole_without_any_call(tmp_path: Path) -> None:
    items = written(tmp_path / "items.jsonl", [answer(0), answer(1, "incorrect")])
    import_run(items, written(tmp_path / "j.jsonl", [said("q0", "a", "correct")]), out=tmp_path / "run")

    assert check_run(tmp_path / "run").damages == ()


def document(path: Path, content: Any) -> Path:
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path


def test_annotations_of_alpaca_eval_are_read(tmp_path: Path) -> None:
    row = {"instruction": "Say hi", "output_1": "hi", "generator_1": "ref", "output_2": "hello", "generator_2": "new"}
    rows = [
        {**row, "annotator": name, "preference": value}
        for name, value in (("a", 1), ("b", 2.0), ("c", 1.5), ("d", 1.9))
    ]
    path = document(tmp_path / "annotations.json", [*rows, {**row, "annotator": "e", "preference": None}])

    found = read_imported(path, [path])

    assert [one.outcome for one in found.judgments[:4]] == [
        Label(value=0),
        Label(value=1),
        Label(value="tie"),
        Label(value=1),
    ]
    assert isinstance(found.judgments[4].outcome, Failure)
    assert [response.system for response in found.items[0].responses] == ["ref", "new"]
    assert any("graded preferences" in sentence for sentence in found.noticed)


def test_judgments_of_arena_hard_are_turned_back_in_the_second_game(tmp_path: Path) -> None:
    games = [{"score": "B>>A"}, {"score": "A>B"}]
    row = {"uid": "u1", "category": "hard", "judge": "gpt", "model": "new", "baseline": "old", "games": games}
    path = written(tmp_path / "new.jsonl", [row, {**row, "uid": "u2", "games": [{"score": "A=B"}, {"score": None}]}])

    found = read_imported(path, [path])

    assert [(one.shown, one.outcome) for one in found.judgments[:2]] == [
        ((0, 1), Label(value=1)),
        ((1, 0), Label(value=1)),
    ]
    assert found.judgments[2].outcome == Label(value="tie")
    assert isinstance(found.judgments[3].outcome, Failure)
    assert [response.system for response in found.items[0].responses] == ["old", "new"]
    assert found.items[0].group == "u1"


def test_assertions_of_promptfoo_are_judges(tmp_path: Path) -> None:
    parts = [
        {"pass": True, "score": 1, "assertion": {"type": "llm-rubric"}},
        {"pass": False, "assertion": {"type": "contains"}},
    ]
    result = {
        "testIdx": 3,
        "provider": {"id": "openai:x"},
        "prompt": {"raw": "Say hi"},
        "response": {"output": "hi"},
        "gradingResult": {"pass": False, "componentResults": parts},
    }
    path = document(tmp_path / "results.json", {"results": {"version": 3, "results": [result]}})

    found = read_imported(path, [path])

    assert [(one.judge_id, one.outcome) for one in found.judgments] == [
        ("llm-rubric 1", Label(value="pass")),
        ("contains 2", Label(value="fail")),
    ]
    assert found.items[0].responses[0].system == "openai:x"


def test_scorers_of_inspect_are_judges(tmp_path: Path) -> None:
    sample = {
        "id": "s1",
        "epoch": 1,
        "input": "What is 2 + 2?",
        "target": "4",
        "output": {"choices": [{"message": {"content": "4"}}]},
        "scores": {"match": {"value": "C"}, "model_graded": {"value": "I"}},
    }
    path = document(tmp_path / "log.json", {"eval": {"model": "openai/x"}, "samples": [sample]})

    found = read_imported(path, [path])

    assert {one.judge_id: one.outcome for one in found.judgments} == {
        "match": Label(value="correct"),
        "model_graded": Label(value="incorrect"),
    }
    assert found.items[0].reference == ("4",)


def test_scores_of_rewardbench_2_carry_the_best_of_n(tmp_path: Path) -> None:
    content = {
        "id": ["1", "2"],
        "subset": ["Math", "Ties"],
        "model": "org/rm",
        "scores": [[[2.5], [-1.0]], [[0.5], [0.25]]],
    }
    path = document(tmp_path / "rm.json", content | {"num_correct": [1, 2]})

    found = read_imported(path, [path])

    assert [one.outcome for one in found.judgments] == [Label(value=value) for value in (2.5, -1.0, 0.5, 0.25)]
    assert [(one.criterion_id, one.subject.item_id, one.value) for one in found.annotations] == [
        (BEST_OF_N, "Math/1", 0)
    ]
    assert "1 items with several right responses: no single best one" in found.noticed


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"instruction": "i", "output_1": "a", "output_2": "b", "preference": 7}, "preference is 7"),
        ({"uid": "u", "judge": "j", "model": "m", "games": [{"score": "C>D"}]}, r"score is 'C>D'"),
        ({"uid": "u", "judge": "j", "model": "m", "games": 3}, "games is 3"),
    ],
)
def test_what_a_published_file_should_not_hold_is_named(tmp_path: Path, row: Mapping[str, Any], words: str) -> None:
    path = written(tmp_path / "rows.jsonl", [row])

    with pytest.raises(DataError, match=words):
        read_imported(path, [path])
