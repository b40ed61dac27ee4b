"""Foreign column names become venire's, in every kind of file, and a mapping that fits nothing is refused."""

import pytest

from venire.errors import DataError, UsageError

from .makers import lines, read

COLUMNS = (("id", "question_id"), ("response", "outputs.0.text"), ("reference", "gold_answer"))
ROW = {"question_id": 7, "outputs": [{"text": "4", "model": "m"}], "gold_answer": "four", "prompt": "2 + 2?"}


def test_columns_and_places_inside_objects_are_renamed() -> None:
    (item,) = read(lines(ROW), columns=COLUMNS).items

    assert (item.id, item.responses[0].text, item.reference) == ("7", "4", ("four",))


def test_csv_columns_are_renamed_before_anything_is_made_of_them() -> None:
    columns = (("id", "qid"), ("response_1", "a"), ("system_1", "model"), ("response_2", "b"))
    (item,) = read("qid,a,model,b\n007,x,m,y\n", name="i.csv", columns=columns).items

    assert item.id == "007"
    assert [(each.text, each.system) for each in item.responses] == [("x", "m"), ("y", None)]


def test_a_name_with_a_dot_is_first_taken_as_it_stands() -> None:
    (item,) = read(lines({"id": 1, "a.b": "whole", "a": {"b": "inner"}}), columns=(("response", "a.b"),)).items

    assert item.responses[0].text == "whole"


def test_a_field_under_both_names_is_a_problem_of_its_row() -> None:
    with pytest.raises(DataError, match=r"has 'id' and 'question_id'.*keep one"):
        read(lines({**ROW, "id": "x"}), columns=COLUMNS)


@pytest.mark.parametrize(
    ("name", "content"), [("i.jsonl", lines({"id": 1, "answer": "x"})), ("i.csv", "id,answer\n1,x\n")]
)
def test_a_column_that_no_row_has_is_refused_with_those_that_are_there(name: str, content: str) -> None:
    with pytest.raises(DataError, match=r"'context: passage'.*\['id', 'answer'\]"):
        read(content, name=name, columns=(("context", "passage"),))


def test_a_row_may_lack_a_mapped_place_that_others_have() -> None:
    rows = [{"id": 1, "answer": "x", "passage": "p"}, {"id": 2, "answer": "y"}]

    assert [item.context for item in read(lines(*rows), columns=(("context", "passage"),)).items] == ["p", None]


def test_a_mapping_of_what_is_no_field_is_a_mistake_of_the_design() -> None:
    with pytest.raises(UsageError, match=r"\['respnse'\]"):
        read(lines(ROW), columns=(("respnse", "answer"),))
