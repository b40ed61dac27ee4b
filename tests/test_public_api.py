"""The public names: few, sorted, all there, each found where it lives."""

import venire


def test_public_names_are_sorted_and_at_most_forty() -> None:
    assert list(venire.__all__) == sorted(venire.__all__)
    assert len(venire.__all__) <= 40


def test_every_public_name_can_be_used() -> None:
    for name in venire.__all__:
        assert getattr(venire, name) is not None


def test_the_table_of_homes_holds_exactly_the_public_names() -> None:
    assert set(venire._HOMES) == set(venire.__all__) - {"__version__"}


def test_an_unknown_name_is_an_attribute_error() -> None:
    assert not hasattr(venire, "judje")
