"""Labels and codes: there and back again, and nothing off the scale."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from venire.coding.labels import code_value, labels_of, value_of
from venire.domain.rubric import ChoiceScale, IntervalScale, NominalScale, OrdinalScale, Scale, Value

from .makers import subject

NOMINAL = NominalScale(labels=("yes", "no"), positive="no")
ORDINAL = OrdinalScale(labels=("poor", "fair", "good"))
CHOICE = ChoiceScale(tie=True, both_bad=True)


@pytest.mark.parametrize(
    ("scale", "value", "code"),
    [
        (NOMINAL, "yes", 0.0),
        (NOMINAL, "no", 1.0),
        (ORDINAL, "good", 2.0),
        (IntervalScale(min=1, max=5), 4, 4.0),
        (IntervalScale(min=0, max=1, integer=False), 0.25, 0.25),
        (CHOICE, 1, 0.0),
        (CHOICE, 3, 1.0),
        (CHOICE, "tie", 2.0),
        (CHOICE, "both_bad", 3.0),
    ],
)
def test_a_value_comes_back_from_its_code(scale: Scale, value: Value, code: float) -> None:
    about = subject("i1", 1, 3)

    assert code_value(scale, value, about) == code
    assert value_of(scale, code, about) == value
    assert type(value_of(scale, code, about)) is type(value)


@pytest.mark.parametrize(
    ("scale", "value"),
    [
        (NOMINAL, "YES"),
        (NOMINAL, 1),
        (NOMINAL, True),
        (IntervalScale(min=1, max=5), 6),
        (IntervalScale(min=1, max=5), 2.5),
        (IntervalScale(min=1, max=5), "4"),
        (IntervalScale(min=0, max=5), float("nan")),
        (CHOICE, 0),
        (CHOICE, 1.0),
        (ChoiceScale(tie=False), "tie"),
    ],
)
def test_a_value_off_the_scale_is_refused_by_name(scale: Scale, value: Value) -> None:
    with pytest.raises(ValueError, match=f"'i7'.*{value!r} is not on the scale"):
        code_value(scale, value, subject("i7", 1, 3))


@pytest.mark.parametrize(
    ("scale", "code"),
    [(NOMINAL, 2.0), (NOMINAL, -1.0), (NOMINAL, 0.5), (CHOICE, 4.0), (IntervalScale(min=1, max=5), 0)],
)
def test_a_code_without_a_label_is_refused(scale: Scale, code: float) -> None:
    with pytest.raises(ValueError, match="code"):
        value_of(scale, code, subject("i1", 0, 1))


def test_tie_has_one_code_whatever_the_number_of_responses() -> None:
    short, long = subject("i1", 0, 1), subject("i2", 0, 1, 2)

    assert code_value(CHOICE, "tie", short, 3) == code_value(CHOICE, "tie", long, 3) == 3.0
    assert value_of(CHOICE, 3.0, short, 3) == "tie"


def test_a_position_beyond_the_responses_is_refused() -> None:
    with pytest.raises(ValueError, match="position 2 is beyond"):
        value_of(CHOICE, 2.0, subject("i1", 0, 1), 3)


@given(indices=st.sets(st.integers(0, 9), min_size=2, max_size=5), tie=st.booleans(), both_bad=st.booleans())
def test_every_code_of_a_choice_comes_back(indices: set[int], tie: bool, both_bad: bool) -> None:
    scale, about = ChoiceScale(tie=tie, both_bad=both_bad), subject("i1", *sorted(indices))

    for code in range(len(labels_of(scale, len(indices)))):
        assert code_value(scale, value_of(scale, float(code), about), about) == code


def test_a_mean_between_whole_numbers_stays_as_it_is() -> None:
    assert value_of(IntervalScale(min=1, max=5), 3.5, subject()) == 3.5
