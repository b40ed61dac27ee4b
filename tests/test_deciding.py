"""From files to verdicts: rules that learn from gold, recusal and the best of n, in a run folder."""

import json
from pathlib import Path

import pytest

import venire
from venire.errors import UsageError
from venire.providers.scripted import Scripted
from venire.runs import read_run, view_item

CORRECT = """\
protocol: pointwise
rubric:
  criteria:
    - {id: correct, question: Is it right?, scale: {type: nominal, labels: ["yes", "no"]}}
"""
RATED = """\
protocol: pointwise
rubric:
  criteria:
    - {id: quality, question: How good is it?, scale: {type: interval, min: 1, max: 5}}
"""
JUDGES = """\
judges:
  - {id: gpt, provider: openai_compatible, model: gpt-4o}
  - {id: claude, provider: openai_compatible, model: claude-sonnet-4-5}
  - {id: llama, provider: openai_compatible, model: llama-3.1-70b}
"""


def judged(folder: Path, design: str, rows: list[dict[str, object]], **says: str) -> venire.Run:
    """Judge items by judges each of which gives one reply; `{n}` in it is the number in the text judged."""
    (folder / "design.yaml").write_text(design)
    (folder / "items.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))

    def provider(words: str) -> Scripted:
        def answer(request: object, _sample: int) -> str:
            number = str(request).partition("text no. ")[2].partition(" ")[0]
            return words.replace("{n}", number)

        return Scripted(answer)

    providers = {name: provider(words) for name, words in says.items()}
    return venire.judge(folder / "items.jsonl", folder / "design.yaml", out=folder / "run", providers=providers)


def items(n: int, **more: object) -> list[dict[str, object]]:
    """Items with one response each; the right label alternates."""
    return [
        {"id": f"i{place}", "response": f"text no. {place} ", "gold": ["yes", "no"][place % 2], **more}
        for place in range(n)
    ]


def test_another_rule_learns_from_the_gold_that_the_folder_holds(tmp_path: Path) -> None:
    judged(
        tmp_path,
        CORRECT + JUDGES,
        items(20),
        gpt='{"correct": "yes"}',
        claude='{"correct": "yes"}',
        llama='{"correct": "no"}',
    )

    found = read_run(tmp_path / "run", rule="reliability")

    assert len(found.decision.verdicts) == 20
    assert "reliability on correct: learned from gold on 20 of 20." in found.decision.notes
    of_one = view_item(tmp_path / "run", "i3").verdicts
    assert [verdict.outcome for verdict in of_one] == [venire.Decided(value="yes")]


@pytest.mark.parametrize("rule", ["reliability", "calibrated"])
def test_a_single_item_is_shown_as_the_whole_run_decides_it(tmp_path: Path, rule: str) -> None:
    judged(
        tmp_path,
        f"{CORRECT}{JUDGES}aggregation: {{rule: {rule}, folds: 4}}\n",
        items(20),
        gpt='{"correct": "yes"}',
        claude='{"correct": "no"}',
        llama='{"correct": "no"}',
    )

    verdicts = read_run(tmp_path / "run").decision.verdicts

    assert view_item(tmp_path / "run", "i7").verdicts == tuple(v for v in verdicts if v.subject.item_id == "i7")


def test_a_rule_that_learns_says_so_where_there_is_no_gold(tmp_path: Path) -> None:
    rows = [{"id": "i0", "response": "text no. 0 "}]
    judged(tmp_path, CORRECT + JUDGES, rows, **dict.fromkeys(("gpt", "claude", "llama"), '{"correct": "yes"}'))

    with pytest.raises(UsageError, match=r"learns from gold, but criterion 'correct' has none.*--annotations"):
        read_run(tmp_path / "run", rule="calibrated")


def test_no_judge_votes_on_its_own_family(tmp_path: Path) -> None:
    run = judged(
        tmp_path,
        CORRECT + JUDGES + "aggregation: {rule: majority, denominator: counted, recuse: own_family}\n",
        items(4, system="gpt-4.1"),
        gpt='{"correct": "yes"}',
        claude='{"correct": "no"}',
        llama='{"correct": "no"}',
    )

    assert {verdict.missing for verdict in run.verdicts} == {(("recused", 1),)}
    assert "Recused for their own family's words, of 4 subjects: gpt on 4." in run.report.notes
    (shown,) = view_item(tmp_path / "run", "i1").verdicts
    assert shown.missing == (("recused", 1),)


def test_the_best_of_n_is_written_with_its_winner_and_held_against_gold(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {
            "id": f"i{place}",
            "responses": [
                {"system": "a", "text": f"text no. {1 + place % 2} "},
                {"system": "b", "text": "text no. 4 "},
                {"system": "c", "text": "text no. 4 " if place == 0 else "text no. 3 "},
            ],
            "gold": "a" if place == 1 else 1,
        }
        for place in range(4)
    ]
    says = dict.fromkeys(("gpt", "claude", "llama"), '{"quality": {n}}')

    run = judged(tmp_path, RATED + JUDGES + "aggregation: {rule: mean, best_of: {}}\n", rows, **says)

    lines = [json.loads(line) for line in (tmp_path / "run/results/verdicts.jsonl").read_text().splitlines()]
    best = [line for line in lines if line["criterion"] == "best_of_n"]
    assert [line["winner"] for line in best] == [None, "b", "b", "b"]
    assert best[0]["reason"] == "best of n: 2 responses share the top score"
    measure = run.report.best_of_n
    assert measure is not None
    assert isinstance(measure.wrong, venire.Finding)
    assert (measure.wrong.value, measure.wrong.n, measure.n_tied) == (0.5, 4, 1)
    (last,) = [v for v in view_item(tmp_path / "run", "i2").verdicts if v.criterion_id == "best_of_n"]
    assert last.outcome == venire.Decided(value=1)
