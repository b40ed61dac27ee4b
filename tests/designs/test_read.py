"""Every mistake in a design file is named with its line and what to do."""

import re
from pathlib import Path

import pytest

from venire.designs.files import LARGEST
from venire.designs.read import read_design
from venire.designs.write import design_yaml
from venire.domain.aggregation import TiePolicy
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale
from venire.errors import DesignError

from .designs import SMALL, parse, problem

LABELS = "labels: [yes, no]"
SCALE = "{type: nominal, labels: [yes, no]}"
TWIN = "  - {id: b, provider: openai_compatible, model: gpt-4o, base_url: 'http://localhost:1/v1/'}\n"


def _with(old: str, new: str) -> str:
    assert SMALL.count(old) == 1
    return SMALL.replace(old, new)


def _judge(*lines: str) -> str:
    """The small design with further lines in its judge, the first of which is line 11."""
    return SMALL + "".join(f"    {line}\n" for line in lines)


def test_a_small_design_gets_the_documented_defaults() -> None:
    design = parse(SMALL)

    assert design.rubric.criteria[0].scale == NominalScale(labels=("yes", "no"), positive="yes")
    assert (design.orders, design.reference, design.baseline) == ("AB", "if_given", None)
    assert (design.judges[0].family, design.judges[0].votes) == ("openai", True)


@pytest.mark.parametrize(
    "labels", ["[yes, no]", "[on, off]", "[y, n]", '["true", "null"]', "['1', '2']", "[a, 2020-01-01]"]
)
def test_words_are_labels_as_they_are_written(labels: str) -> None:
    scale = parse(_with(LABELS, f"labels: {labels}")).rubric.criteria[0].scale

    assert isinstance(scale, NominalScale)
    assert ", ".join(scale.labels) == labels.strip("[]").replace('"', "").replace("'", "")


@pytest.mark.parametrize("label", ["true", "False", "null", "~", "1", "1.0", "1e3", "0x1F", ".nan"])
def test_a_label_that_is_no_text_must_be_quoted(label: str) -> None:
    said = problem(_with(LABELS, f"labels: [yes, {label}]"))

    assert said.startswith(f"d.yaml:6: rubric.criteria.0.scale.labels.1: {label} is ")
    assert said.endswith(f'Write it in quotes: "{label}".')


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (_with("protocol: pointwise\n", ""), 1, "protocol: this field is missing. Add protocol: pointwise"),
        (_with("protocol: pointwise", "protocol: both"), 1, "found 'both'; expected was 'pointwise', 'pairwise' or"),
        (_with("protocol: pointwise", "protocol: pointwise\nprotcol: x"), 2, "Did you mean 'protocol'?"),
        (_with("protocol: pointwise", "protocol: pointwise\nsamples: 2"), 2, "'samples' is a field of judges"),
        (_with("protocol: pointwise", "protocol: pointwise\norders: both"), 2, "leave orders out"),
        (_with("protocol: pointwise", "protocol: pointwise\npolicy: {x: 1}"), 2, "there is no such field"),
        (_with("protocol: pointwise", "protocol: pointwise\npairs: al"), 2, "all or {baseline: SYSTEM} was expected"),
        (_with("protocol: pointwise", "protocol: pointwise\npairs: {}"), 2, "pairs.baseline: this field is missing"),
        (_with("protocol: pointwise", "protocol: listwise"), 6, "rates one response, but protocol listwise"),
        (_with("id: correct", "id: 1st"), 4, "must start with a letter"),
        (_with("id: correct", "id: 1"), 4, 'Write it in quotes: "1"'),
        (_with("id: correct", "id: overall"), 4, "is reserved"),
        (_with("question: Is it right?", "question: ' '"), 5, "has no question"),
        (_with("question: Is it right?", "question:"), 5, "nothing stands here; text was expected"),
        (_with("      scale: " + SCALE + "\n", ""), 4, "has no scale. Add one, for example"),
        (_with(SCALE, "nominal"), 6, "found 'nominal'; a mapping was expected"),
        (_with(SCALE, "{labels: [a, b]}"), 6, "add type: nominal, ordinal, interval or choice"),
        (_with(SCALE, "{type: nominl, labels: [a, b]}"), 6, "type: must be nominal, ordinal"),
        (_with(SCALE, "{type: choice}"), 6, "pointwise judging sees one response"),
        (_with(LABELS, "labels: yes"), 6, "found 'yes'; a list was expected"),
        (_with(LABELS, "labels: [yes]"), 6, "a scale needs at least two"),
        (_with(LABELS, "labels: [Yes, ＹＥＳ]"), 6, "repeat one another"),
        (_with(LABELS, "labels: [yes, cannot_assess]"), 6, "the word for abstaining"),
        (_with(LABELS, "labels: [yes, no], positive: maybe"), 6, "'maybe' is not one of the labels"),
        (_with(SCALE, "{type: interval, min: 1, max: .inf}"), 6, "max: found '.inf'; a finite number was expected"),
        (_with(SCALE, "{type: interval, min: .nan, max: 2}"), 6, "found '.nan'; a finite number was expected"),
        (_with(SCALE, "{type: interval, min: true, max: 2}"), 6, "found 'true'; a number was expected"),
        (_with(SCALE, "{type: interval, min: '1', max: 2}"), 6, "found '1'; a number was expected"),
        (_with(SCALE, "{type: interval, min: 1" + "0" * 400 + ", max: 2}"), 6, "…'; a number was expected"),
        (_with(SCALE, "{type: interval, min: 3, max: 2}"), 6, "min must be below max"),
        (_with(SCALE, SCALE + "\n      weight: .nan"), 7, "a finite number was expected"),
        (_with(SCALE, SCALE + "\n      weight: 0"), 7, "a weight is a number above 0"),
        (_with("id: first", "id: 7"), 8, 'Write it in quotes: "7"'),
        (_with("id: first", "id: ''"), 8, "judge id '' is empty"),
        (_with("    provider: openai_compatible\n", ""), 8, "judges.0.provider: this field is missing. Add provider"),
        (_with("model: gpt-4o", "model: 4"), 10, 'Write it in quotes: "4"'),
        (_judge("temprature: 1"), 12, "Did you mean 'temperature'?"),
        (_judge("xyzzy: 1"), 12, "goes under parameters:"),
        (_judge("samples: true"), 12, "found 'true'; a whole number was expected"),
        (_judge("samples: 1.5"), 12, "a whole number was expected"),
        (_judge("samples: 0"), 12, "must be at least 1"),
        (_judge("samples_per_request: 3"), 12, "Set samples: 3, or lower samples_per_request"),
        (_judge("votes: yes"), 12, "found 'yes'; true or false was expected"),
        (_judge("temperature: .nan"), 12, "a finite number was expected"),
        (_judge("temperature: -1"), 12, "must be 0 or above"),
        (_judge("timeout_s: 0"), 12, "must be above 0"),
        (_judge("parameters: {x: [1]}"), 12, "parameters.x: found a list or a mapping"),
        (_judge("parameters: {x: .nan}"), 12, "parameters.x: found '.nan'"),
        (_judge("ballot: {max_tokens: 0}"), 12, "at least one token"),
        (_judge("ballot: {fields: [reason]}"), 12, "expected was 'answer', 'explanation' or 'confidence'"),
        (_judge("ballot: {form: rating}"), 12, "Use form: label"),
        (_judge("prompt: a.txt", "template: x"), 8, "both prompt and template"),
        (_judge("prompt: nowhere.txt"), 8, "there is no such prompt template file"),
        (_judge('prompt: "a\\0b"'), 8, "cannot be read"),
        (_judge("prompt: ~nobody_at_all/a.txt"), 8, "the home of a user who is not known"),
        (_judge("path: nowhere.jsonl"), 8, "the recording cannot be read"),
        (SMALL + "  - {id: first, provider: length}\n", 7, "repeat one another"),
        (SMALL + TWIN, 12, "set samples: 2"),
        (SMALL.split("judges:")[0] + "judges: []\n", 7, "name at least one under judges:"),
        (SMALL.split("judges:")[0] + "judges:\n", 7, "judges: found nothing; a list was expected"),
        (SMALL + "aggregation: {rule: maxx}\n", 12, "expected was 'max', 'min', 'majority', 'plurality'"),
        (SMALL + "aggregation: {quorum: 2}\n", 12, "only 1 judges vote"),
        (SMALL + "aggregation: {quorum: 0}\n", 12, "at least one vote"),
        (SMALL + "aggregation: {tie: sometimes}\n", 12, "undecided, fractional, {label: X} or {random: SEED}"),
        (SMALL + "aggregation: {tie: {}}\n", 12, "exactly one of {label: X} and {random: SEED}"),
        (SMALL + "aggregation: {tie: {label: no, random: 1}}\n", 12, "exactly one of"),
        (SMALL + "aggregation: {tie: {label: maybe}}\n", 12, "does not have"),
        (SMALL + "aggregation: {tie: {label: 1}}\n", 12, 'Write it in quotes: "1"'),
        (SMALL + "aggregation: {tie: {random: x}}\n", 12, "was expected"),
    ],
)
def test_a_mistake_is_named_with_its_line(text: str, line: int, words: str) -> None:
    said = problem(text)

    assert said.startswith(f"d.yaml:{line}: ")
    assert words in said
    assert "\n" not in said


def test_all_mistakes_are_named_at_once() -> None:
    shapes = problem(_with("protocol: pointwise", "protocol: both") + "    samples: x\n    votes: 1\n")
    values = problem(_with("id: correct", "id: 1st") + "    samples: 0\naggregation: {quorum: 0}\n")

    assert [line.split(":")[1] for line in shapes.splitlines()] == ["1", "12", "13"]
    assert [line.split(":")[1] for line in values.splitlines()] == ["4", "12", "13"]


@pytest.mark.parametrize(
    "line",
    [
        "api_key: SECRET",
        "api_key_env: SECRET-1",
        "api_key_env: gsk_SECRETSECRETSECRET",
        "api_key_env: [SECRET]",
        "headers: {Authorization: Bearer SECRET}",
        "headers: {X-Api-Key: SECRET}",
        "headers: 'Authorization: SECRET'",
        "parameters: {api_key: SECRET}",
        "base_url: https://me:SECRET@example.org/v1",
        "base_url: https://example.org/v1?key=SECRET",
    ],
)
def test_a_key_in_the_file_is_refused_and_not_repeated(line: str) -> None:
    text = _judge(line).replace(
        "    base_url: http://localhost:1/v1\n",
        "" if line.startswith("base_url") else "    base_url: http://localhost:1/v1\n",
    )

    said = problem(text)

    assert "SECRET" not in said
    assert "environment variable" in said or "secret" in said


@pytest.mark.parametrize(
    ("tie", "policy"),
    [
        ("undecided", TiePolicy()),
        ("fractional", TiePolicy(kind="fractional")),
        ("{label: no}", TiePolicy(kind="label", label="no")),
        ("{random: 0}", TiePolicy(kind="random", seed=0)),
    ],
)
def test_every_tie_policy_can_be_written(tie: str, policy: TiePolicy) -> None:
    assert parse(SMALL + f"aggregation: {{tie: {tie}}}\n").aggregation.tie == policy


def test_whole_numbers_are_the_same_design_as_with_a_point() -> None:
    whole, pointed = (_with(SCALE, f"{{type: interval, min: {low}, max: 10}}") for low in ("1", "1.0"))

    assert parse(whole).asking_id == parse(pointed).asking_id
    assert parse(whole).rubric.criteria[0].scale == IntervalScale(min=1, max=10)


def test_a_comparison_needs_no_scale() -> None:
    text = _with("      scale: " + SCALE + "\n", "").replace("pointwise", "pairwise")

    assert parse(text).rubric.criteria[0].scale == ChoiceScale(tie=True)


def test_a_baseline_judge_does_not_vote_unless_asked_to() -> None:
    added = "  - {id: a, provider: length}\n  - {id: b, provider: random, votes: true}\n"

    assert [judge.votes for judge in parse(SMALL + added).judges] == [True, False, True]


def test_anchors_and_merges_spare_repetition() -> None:
    text = SMALL.replace("  - id: first", "  - &one\n    id: first") + "  - {<<: *one, id: second, temperature: 1}\n"

    first, second = parse(text).judges

    assert (second.model, second.temperature, first.temperature) == ("gpt-4o", 1.0, None)


def _written(folder: Path, content: bytes) -> Path:
    path = folder / "design.yaml"
    path.write_bytes(content)
    return path


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"%YAML 1.2\n---\n", b"# a comment\r\n"])
def test_a_file_is_read_with_or_without_a_byte_order_mark(start: bytes, tmp_path: Path) -> None:
    assert read_design(_written(tmp_path, start + SMALL.encode())) == parse(SMALL)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "but here is nothing"),
        (b"# only a comment\n", "but here is nothing"),
        (b"- a\n- b\n", "but here is a sequence"),
        (b"just words", "but here is a scalar"),
        (b"protocol: \xff\n", "not UTF-8 (byte 10)"),
        (SMALL.encode("utf-16"), "not UTF-8"),
        (b"#" * (LARGEST + 1), "Is it another file, such as the items?"),
        (b'{"id": "a"}\n{"id": "b"}\n', "this is not YAML"),
    ],
)
def test_a_file_that_is_no_design_is_named(content: bytes, words: str, tmp_path: Path) -> None:
    path = _written(tmp_path, content)

    with pytest.raises(DesignError) as raised:
        read_design(path)

    assert str(raised.value).startswith(str(path))
    assert words in str(raised.value)


def test_a_missing_file_and_a_folder_are_told_apart(tmp_path: Path) -> None:
    with pytest.raises(DesignError, match="there is no such design file"):
        read_design(tmp_path / "nowhere.yaml")
    with pytest.raises(DesignError, match="this is a folder"):
        read_design(tmp_path)


@pytest.mark.parametrize(
    "capabilities", ["{temprature: true}", "{n: 1}", "{system_role: assistant}", "{temperature: yes}"]
)
def test_a_capability_that_is_none_is_refused_with_its_line(capabilities: str) -> None:
    with pytest.raises(DesignError, match=r":12: judges\.0\.capabilities"):
        parse(SMALL + f"    capabilities: {capabilities}\n")


@pytest.mark.parametrize(
    "fields",
    [
        "{rule: min}",
        "{rule: at_least, at_least: 1}",
        "{rule: weighted, weights: {first: 2.5}}",
        "{rule: dawid_skene, seed: 3}",
        "{rule: one_coin}",
        "{rule: reliability, by_category: true, folds: 3, seed: 4}",
        "{rule: calibrated, folds: 2}",
        "{recuse: own_family}",
    ],
)
def test_what_a_rule_reads_comes_back_from_the_file(fields: str) -> None:
    design = parse(SMALL + f"aggregation: {fields}\n")

    again = parse(design_yaml(design))

    assert again.aggregation == design.aggregation


@pytest.mark.parametrize(
    "best_of", ["{}", "{tie: fractional}", "{tie: random, seed: 7}", "{tie: strict, missing: wrong}"]
)
def test_how_the_best_of_n_is_chosen_comes_back_from_the_file(best_of: str) -> None:
    text = _with(SCALE, "{type: interval, min: 1, max: 5}") + f"aggregation: {{rule: mean, best_of: {best_of}}}\n"
    design = parse(text)

    assert design.aggregation.best_of is not None
    assert parse(design_yaml(design)).aggregation == design.aggregation


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ("{rule: majority, weights: {first: 2}}", "aggregation.weights is for rule weighted, but the rule is majority"),
        ("{rule: max, at_least: 2}", "aggregation.at_least is for rule at_least"),
        (
            "{rule: weighted, weights: {bob: 2}}",
            "aggregation.weights names ['bob'], but the judges that vote are ['first']",
        ),
        ("{rule: trimmed_mean, trim: 0.6}", "aggregation.trim is 0.6; 0 to below 0.5 was expected"),
        ("{rule: median}", "Use one of max, min, majority"),
        ("{rule: majority, folds: 3}", "aggregation.folds is for rule reliability or calibrated"),
        ("{rule: calibrated, by_category: true}", "aggregation.by_category is for rule reliability"),
        ("{rule: calibrated, folds: 1}", "aggregation.folds is 1; at least 2 are needed"),
        ("{recuse: all}", "recuse"),
        ("{best_of: {}}", "aggregation.best_of needs numbers, but criterion 'correct' has labels"),
        ("{best_of: {seed: 3}}", "aggregation.best_of.seed is for tie random, but the tie is strict"),
    ],
)
def test_a_rule_that_cannot_work_is_refused_at_its_field(fields: str, words: str) -> None:
    with pytest.raises(DesignError, match=re.escape(words)):
        parse(SMALL + f"aggregation: {fields}\n")
