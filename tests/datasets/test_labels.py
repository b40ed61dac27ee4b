import pytest

from venire.datasets.complaints import BadValue
from venire.datasets.labels import Candidates, named_criterion, read_label
from venire.domain.identity import Json
from venire.domain.rubric import IntervalScale, NominalScale, Rubric, Value

from .makers import BETTER, CORRECT, LETTERS, NO_TIE, RATED, TWO, rubric_of

PAIR = Candidates(indices=(0, 1), systems={"atlas": 0, "Birch": 1})
HALVES = rubric_of(score=IntervalScale(min=0, max=1, integer=False))


def label(written: Json, rubric: Rubric, candidates: Candidates = PAIR) -> Value:
    return read_label(written, rubric.criteria[0], candidates)


@pytest.mark.parametrize("written", ["correct", " correct ", "CORRECT", "Correct\n"])
def test_outer_spaces_and_case_are_forgiven(written: str) -> None:
    assert label(written, CORRECT) == "correct"


@pytest.mark.parametrize("written", ["corect", "", "correct.", True, 1, None, ["correct"], {"a": 1}])
def test_another_word_is_off_the_scale(written: Json) -> None:
    with pytest.raises(BadValue, match=r"not on the scale.*expected one of \['correct', 'incorrect'\]"):
        label(written, CORRECT)


@pytest.mark.parametrize(("written", "value"), [(1, 1), (5.0, 5)])
def test_a_number_within_the_bounds_is_a_label(written: Json, value: int) -> None:
    assert label(written, RATED) == value


@pytest.mark.parametrize("written", [0, 6, 2.5, True, "3", 10**400, "nan"])
def test_a_number_off_the_scale_is_refused(written: Json) -> None:
    with pytest.raises(BadValue, match="a whole number from 1 to 5"):
        label(written, RATED)


@pytest.mark.parametrize(("written", "value"), [("3", 3), (" 4.0 ", 4), ("5e0", 5)])
def test_a_number_as_text_is_a_label_in_csv(written: str, value: int) -> None:
    assert label(written, RATED, Candidates(indices=(0,), untyped=True)) == value


@pytest.mark.parametrize("written", ["nan", "inf", "1_0", "1e999", "٠", "3 points", ""])
def test_python_spellings_of_numbers_are_none(written: str) -> None:
    with pytest.raises(BadValue):
        label(written, HALVES, Candidates(indices=(0,), untyped=True))


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (0, 0),
        (1, 1),
        ("atlas", 0),
        ("birch ", 1),
        ("tie", "tie"),
        ("Tie", "tie"),
        ("draw", "tie"),
        ("both_bad", "both_bad"),
        ("tie (bothbad)", "both_bad"),
        ("Both-Bad", "both_bad"),
    ],
)
def test_a_choice_is_an_index_a_system_or_a_known_word(written: Json, value: Value) -> None:
    assert label(written, BETTER) == value


@pytest.mark.parametrize("written", ["A", "1", "neither", "tie?", "comet", 2, -1, True, 1.0])
def test_an_unknown_spelling_is_never_a_tie(written: Json) -> None:
    with pytest.raises(BadValue, match="not on the scale"):
        label(written, BETTER)


def test_an_index_as_text_is_a_choice_in_csv() -> None:
    assert label("1", BETTER, Candidates(indices=(0, 1), untyped=True)) == 1


def test_a_tie_on_a_scale_without_ties_is_refused() -> None:
    with pytest.raises(BadValue, match=r"expected one of \[0, 1, 'atlas', 'Birch'\]"):
        label("tie", NO_TIE)


def test_a_system_called_tie_is_ambiguous() -> None:
    with pytest.raises(BadValue, match="name of a system and also means 'tie'"):
        label("tie", BETTER, Candidates(indices=(0, 1), systems={"tie": 0}))


def test_case_is_not_forgiven_where_two_systems_differ_by_it() -> None:
    twins = Candidates(indices=(0, 1), systems={"gpt": 0, "GPT": 1})

    assert label("GPT", BETTER, twins) == 1
    with pytest.raises(BadValue):
        label("Gpt", BETTER, twins)


def test_digits_are_words_on_a_nominal_scale() -> None:
    stars = rubric_of(stars=NominalScale(labels=("1", "2")))

    assert label("2", stars) == "2"
    with pytest.raises(BadValue):
        label(2, stars)


def test_an_ordinal_word_is_matched() -> None:
    assert label("a", LETTERS) == "A"


def test_the_only_criterion_need_not_be_named() -> None:
    assert named_criterion(None, CORRECT).id == "correct"


@pytest.mark.parametrize(("name", "rubric"), [(None, TWO), ("Correct", CORRECT), ("other", TWO), (0, TWO)])
def test_an_unknown_criterion_is_refused(name: Json, rubric: Rubric) -> None:
    with pytest.raises(BadValue, match="there are"):
        named_criterion(name, rubric)
