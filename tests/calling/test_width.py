"""How many requests are under way follows how many are refused."""

import pytest

from venire.calling.width import Width


def window(width: Width, n_refused: int, n: int | None = None) -> None:
    n = width.now if n is None else n
    epoch = width.epoch
    for i in range(n):
        width.take_refusal(epoch) if i < n_refused else width.take_answer(epoch)


def test_it_begins_with_all_there_is() -> None:
    assert Width(200).now == 200


@pytest.mark.parametrize(("n_refused", "left"), [(0, 200), (10, 200), (20, 200), (40, 180), (100, 150), (200, 100)])
def test_a_window_takes_half_the_share_that_was_refused_away(n_refused: int, left: int) -> None:
    width = Width(200)

    window(width, n_refused)

    assert width.now == left


def test_a_window_without_a_refusal_adds_one() -> None:
    width = Width(200)
    window(width, 200)

    window(width, 0)

    assert width.now == 101


def test_it_is_never_narrower_than_one_nor_wider_than_at_first() -> None:
    width = Width(4)
    for _ in range(9):
        window(width, width.now)
    narrowest = width.now
    for _ in range(99):
        window(width, 0)

    assert (narrowest, width.now) == (1, 4)


def test_what_was_sent_before_a_cut_is_not_held_against_the_new_width() -> None:
    width = Width(200)
    width.halve(0)

    for _ in range(196):
        width.take_refusal(0)

    assert width.now == 100


@pytest.mark.parametrize("room", [3, 10, 50])
def test_it_finds_the_room_that_an_endpoint_has(room: int) -> None:
    width = Width(200)
    for _ in range(60):
        window(width, max(0, width.now - room))

    assert room * 0.8 - 1 <= width.now <= room * 1.2 + 1
