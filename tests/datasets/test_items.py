import csv
import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.datasets.items import ADVICE, read_items
from venire.domain.item import Message, Response
from venire.errors import DataError, UsageError

from .makers import BETTER, CORRECT, lines, read

GOOD = {"id": "q1", "answer": "one"}


def messages(error: DataError) -> list[str]:
    return [problem.message for problem in error.problems]


def refusal(content: str | bytes, **how: object) -> DataError:
    with pytest.raises(DataError) as error:
        read(content, **how)  # type: ignore[arg-type]
    return error.value


def test_every_field_of_an_item_is_read() -> None:
    row = {
        "id": 7,
        "prompt": [{"role": "system", "content": "be short"}, {"role": "user", "content": "why?"}],
        "responses": [{"system": "x", "text": "so"}, "plain", {"text": None}],
        "reference": ["r1", "r2"],
        "context": "c",
        "category": "k",
        "group": 3,
    }

    item = read(lines(row)).items[0]

    assert item.id == "7"
    assert item.prompt == (Message(role="system", content="be short"), Message(role="user", content="why?"))
    assert item.responses == (Response(text="so", system="x"), Response(text="plain"), Response(text=None))
    assert (item.reference, item.context, item.category, item.group) == (("r1", "r2"), "c", "k", "3")


@pytest.mark.parametrize("field", ["response", "answer"])
def test_a_single_response_has_a_shorthand(field: str) -> None:
    item = read(lines({"id": "q1", field: "one", "system": "x"})).items[0]

    assert item.responses == (Response(text="one", system="x"),)


@pytest.mark.parametrize("reference", [None, [], ""])
@pytest.mark.parametrize("field", ["reference", "references"])
def test_null_and_nothing_are_no_reference(field: str, reference: object) -> None:
    assert read(lines({**GOOD, field: reference})).items[0].reference == ()


def test_a_reference_text_is_a_list_of_one() -> None:
    assert read(lines({**GOOD, "references": "r"})).items[0].reference == ("r",)


def test_empty_references_in_a_list_are_left_out_with_a_note() -> None:
    found = read(lines({**GOOD, "reference": ["", "r", " "]}))

    assert found.items[0].reference == ("r",)
    assert found.notes == ("2 empty references left out",)


def test_an_empty_answer_is_an_answer_and_null_is_missing_with_a_note() -> None:
    found = read(lines({"id": 1, "answer": ""}, {"id": 2, "answer": None}))

    assert [item.responses[0].text for item in found.items] == ["", None]
    assert found.notes == ("1 response without text (null): never asked about",)


def test_items_without_a_group_share_that_of_their_prompt() -> None:
    groups = [item.group for item in read(lines(*({"id": i, "answer": "a", "prompt": "p"} for i in (1, 2)))).items]

    assert groups[0] == groups[1] != "p"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"answer": "a"}, "the id is missing"),
        ({"id": None, "answer": "a"}, "the id is missing or null"),
        ({"id": 1.5, "answer": "a"}, "the id is 1.5"),
        ({"id": True, "answer": "a"}, "the id is True"),
        ({"id": "q"}, "there is no response"),
        ({"id": "q", "responses": []}, "responses is an empty list"),
        ({"id": "q", "responses": "a"}, "responses is 'a'"),
        ({"id": "q", "responses": ["a", True]}, "response 1: text is True"),
        ({"id": "q", "responses": [{"system": "x"}]}, 'response 0 has no "text"'),
        ({"id": "q", "responses": [{"system": 3, "text": "a"}]}, "response 0: system is 3"),
        ({"id": "q", "responses": [{"system": "x", "text": "a"}, {"system": "x", "text": "b"}]}, "has 2 responses"),
        ({"id": "q", "response": "a", "answer": "b"}, "gives its responses 2 times"),
        ({"id": "q", "answer": False}, "answer: text is False"),
        ({**GOOD, "prompt": 3}, "prompt is 3"),
        ({**GOOD, "reference": 42}, "reference is 42"),
        ({**GOOD, "reference": ["a", 42]}, "reference is ['a', 42]"),
        ({**GOOD, "reference": "a", "references": "b"}, "both reference and references"),
        ({**GOOD, "context": ["a"]}, "context is ['a']"),
        ({**GOOD, "category": 1.5}, "category is 1.5"),
        ({**GOOD, "group": True}, "group is True"),
        ({**GOOD, "gold": "corect"}, "label 'corect' is not on the scale"),
    ],
)
def test_a_wrong_field_is_a_problem(row: dict[str, object], said: str) -> None:
    (message,) = messages(refusal(lines(row)))

    assert said in message


def test_every_problem_of_every_row_is_said_in_file_order() -> None:
    content = '{"id": "a"}\n\n{"id": 1.5, "answer": "x", "prompt": 3}\n{"id": "b", "answer": "x"}\n{"id": \n'

    error = refusal(content)

    assert [problem.line for problem in error.problems] == [1, 3, 3, 5]
    assert [problem.id for problem in error.problems] == ["a", None, None, None]
    assert str(error).endswith(ADVICE)


def test_bad_rows_are_left_out_and_listed_on_request() -> None:
    found = read(lines(GOOD, {"id": "q2"}, {"id": "q3", "answer": "three"}), skip_bad=True)

    assert [item.id for item in found.items] == ["q1", "q3"]
    assert [(problem.line, problem.id) for problem in found.problems] == [(2, "q2")]
    assert found.left_out == {"q2"}


def test_a_file_of_bad_rows_alone_is_always_refused() -> None:
    assert "Every row is bad" in str(refusal(lines({"id": "q1"}, {"id": "q2"}), skip_bad=True))


@pytest.mark.parametrize("name", ["x.jsonl", "x.json", "x.csv", "x.csv.gz"])
@pytest.mark.parametrize("content", ["", "\n  \n", "\ufeff"])
def test_an_empty_file_is_refused(name: str, content: str) -> None:
    assert "the file is empty" in str(refusal(content, name=name, skip_bad=True))


def test_a_file_that_breaks_off_is_refused_with_the_problems_before() -> None:
    error = refusal(b'{"id": "a"}\n{"id": "b", "answer": "\xe9"}\n', skip_bad=True)

    assert [problem.line for problem in error.problems] == [1, 2]


def test_the_limit_counts_good_items_and_the_rest_is_still_checked() -> None:
    content = lines({"id": "x"}, GOOD, {"id": "q2", "answer": "a", "gold": "correct"}, {"id": "q3", "answer": 3})

    found = read(content, skip_bad=True, limit=1)

    assert [item.id for item in found.items] == ["q1"]
    assert (len(found.problems), found.annotations) == (2, ())
    assert found.notes == ("limit: the first 1 of 2 items",)
    assert found.left_out == {"x", "q2", "q3"}


def test_a_limit_below_one_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="limit is 0"):
        read(lines(GOOD), limit=0)


def test_an_exact_repetition_and_a_contradiction_are_told_apart() -> None:
    error = refusal(lines(GOOD, {"id": "b", "answer": "x"}, GOOD, {"id": "b", "answer": "y"}))

    assert "repeats line 1 exactly" in messages(error)[0]
    assert "line 2 has it with other content" in messages(error)[1]


def test_the_number_7_and_the_text_7_are_one_id() -> None:
    assert (
        "id '7' was there before" in messages(refusal(lines({"id": 7, "answer": "a"}, {"id": "7", "answer": "b"})))[0]
    )


def test_unknown_fields_are_noted_once_each_with_a_hint() -> None:
    found = read(lines({**GOOD, "score": 1}, {"id": "q2", "answer": "a", "score": 2, "refrence": "r"}))

    assert found.notes == (
        "field 'score' is not used (2 rows)",
        "field 'refrence' is not used (1 row); did you mean 'reference'?",
    )


def test_unknown_fields_of_responses_are_noted() -> None:
    found = read(lines({"id": "q", "system": "s", "responses": [{"text": "a", "model": "m"}]}))

    assert found.notes == ("field 'system' is not used (1 row)", "field 'responses[].model' is not used (1 row)")


def test_broken_characters_are_counted() -> None:
    found = read(r'{"id": "e1", "answer": "\ud83d\ud83d"}' + "\n" + lines(GOOD))

    assert found.items[0].responses[0].text == "\ufffd\ufffd"
    assert found.notes == ("2 broken characters (half of a surrogate pair) replaced by U+FFFD in 1 row",)


@pytest.mark.parametrize("protocol", ["pairwise", "listwise"])
@pytest.mark.parametrize("responses", [["a"], ["a", None], [None, None]])
def test_a_comparison_needs_two_texts(protocol: str, responses: list[str | None]) -> None:
    error = refusal(lines({"id": "q", "responses": responses}), protocol=protocol, rubric=BETTER)

    assert "compares at least two" in messages(error)[0]


def test_more_responses_than_letters_cannot_be_ranked() -> None:
    row = {"id": "q", "responses": ["a"] * 27}

    assert "at most 26" in str(refusal(lines(row), protocol="listwise", rubric=BETTER))
    assert len(read(lines(row), protocol="pairwise", rubric=BETTER).items[0].responses) == 27


def test_csv_columns_make_several_responses() -> None:
    content = 'id,response_1,system_1,response_2,system_2,gold\n1,,x,"a, b",,x\n2,c,,d,y,0\n'

    found = read(content, name="x.csv", protocol="pairwise", rubric=BETTER)

    assert found.items[0].responses == (Response(text="", system="x"), Response(text="a, b"))
    assert [annotation.value for annotation in found.annotations] == [0, 0]
    assert found.notes == ()


def test_empty_csv_cells_are_absent_but_an_empty_response_is_a_response() -> None:
    content = "id,answer,prompt,reference,context,category,group,gold,system\n1,,,,,,,,\n"

    item = read(content, name="x.csv").items[0]

    assert item.responses == (Response(text=""),)
    assert (item.prompt, item.reference, item.context, item.category, item.group) == ((), (), None, None, "1")


def test_a_csv_reference_may_be_a_json_list() -> None:
    content = 'id,answer,reference\n1,a,"[""r1"", ""r2""]"\n2,[a],r3\n'

    items = read(content, name="x.csv").items

    assert [item.reference for item in items] == [("r1", "r2"), ("r3",)]
    assert items[1].responses[0].text == "[a]"


def test_a_csv_cell_that_is_no_json_list_is_a_problem() -> None:
    assert "reference starts as JSON" in messages(refusal("id,answer,reference\n1,a,[1] see\n", name="x.csv"))[0]


@pytest.mark.parametrize(
    ("header", "said"),
    [("id,response_1,answer_1", "name the same response"), ("id,responses,response_1", "keep one of the two")],
)
def test_csv_columns_that_contradict_one_another_are_a_problem(header: str, said: str) -> None:
    assert said in messages(refusal(f'{header}\n1,"[""a""]",b\n', name="x.csv"))[0]


def test_a_json_list_is_read_and_its_problems_are_numbered() -> None:
    error = refusal('[{"id": 1, "answer": "a"}, {"id": 1, "answer": "a"}]', name="x.json")

    assert "element 2: id '1' was there before: the row repeats element 1" in str(error)


texts = st.text(st.characters(), max_size=200)


@given(texts)
def test_any_response_survives_jsonl(text: str) -> None:
    expected = "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in json.loads(json.dumps(text)))

    assert read(json.dumps({"id": "q", "answer": text})).items[0].responses[0].text == expected


@given(st.text(max_size=200), st.sampled_from(["\n", "\r\n"]))
def test_any_response_survives_csv(text: str, ending: str) -> None:
    sheet = io.StringIO()
    # Everything in quotes: with "\n" as line end, Python's writer leaves "\r" bare, which no reader could tell.
    csv.writer(sheet, lineterminator=ending, quoting=csv.QUOTE_ALL).writerows([["id", "answer"], ["q", text]])

    assert read(sheet.getvalue(), name="x.csv").items[0].responses[0].text == text


@pytest.mark.parametrize("name", ["qa.jsonl", "pairwise.jsonl"])
def test_the_examples_are_read_without_a_note(name: str) -> None:
    path = Path(__file__).resolve().parents[2] / "examples" / name
    if not path.exists():
        pytest.skip(f"{path.name} is not there")
    pairs = name.startswith("pair")

    found = read_items(path, protocol="pairwise" if pairs else "pointwise", rubric=BETTER if pairs else CORRECT)

    assert found.notes == ()
    assert len(found.annotations) == len(found.items) > 0
