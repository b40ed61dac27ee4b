"""A deadline ends what takes too long, only that, and only once."""

import asyncio

import pytest

from venire.calling.deadline import Deadline


def test_what_is_done_in_time_is_returned() -> None:
    async def main() -> int:
        return await Deadline(5).keep(asyncio.sleep(0, 7))

    assert asyncio.run(main()) == 7


def test_what_takes_too_long_is_cancelled() -> None:
    async def main() -> bool:
        endless = asyncio.get_running_loop().create_future()
        with pytest.raises(TimeoutError):
            await Deadline(0.01).keep(endless)
        await asyncio.sleep(0)  # the task itself goes on
        return endless.cancelled()

    assert asyncio.run(main())


def test_each_has_its_own_time_on_one_timer() -> None:
    async def main() -> list[object]:
        deadline = Deadline(0.05)
        first = asyncio.create_task(deadline.keep(asyncio.sleep(0.15)))
        await asyncio.sleep(0.03)
        later = asyncio.create_task(deadline.keep(asyncio.sleep(0.04, "done")))
        endless = asyncio.create_task(deadline.keep(asyncio.sleep(0.15)))
        return await asyncio.gather(first, later, endless, return_exceptions=True)

    first, later, endless = asyncio.run(main())

    assert (type(first), later, type(endless)) == (TimeoutError, "done", TimeoutError)


def test_the_next_one_is_watched_when_none_is_left() -> None:
    async def main() -> None:
        deadline = Deadline(0.01)
        for _ in range(3):
            with pytest.raises(TimeoutError):
                await deadline.keep(asyncio.Event().wait())

    asyncio.run(main())


@pytest.mark.parametrize("seconds", [5, 0])
def test_whoever_cancels_from_outside_is_heard(seconds: float) -> None:
    """Also in the moment in which time is up."""

    async def main() -> bool:
        task = asyncio.create_task(Deadline(seconds).keep(asyncio.Event().wait()))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait([task])
        return task.cancelled()

    assert asyncio.run(main())


def test_work_that_takes_its_cancelling_for_an_answer_leaves_no_trace() -> None:
    async def stubborn() -> str:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            return "late"
        raise AssertionError

    async def main() -> tuple[str, int]:
        said = await Deadline(0.01).keep(stubborn())
        task = asyncio.current_task()
        assert task is not None
        return said, task.cancelling()

    assert asyncio.run(main()) == ("late", 0)


def test_the_inner_one_of_two_deadlines_ends_first() -> None:
    async def main() -> None:
        async def inner() -> None:
            with pytest.raises(TimeoutError):
                await Deadline(0.01).keep(asyncio.Event().wait())
            await asyncio.Event().wait()

        with pytest.raises(TimeoutError):
            await Deadline(0.05).keep(inner())

    asyncio.run(main())
