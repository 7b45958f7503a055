import asyncio

from threadmill.console.shared_reading import SharedReading


def test_all_who_ask_at_the_same_time_share_one_reading() -> None:
    readings: list[int] = []

    async def read() -> int:
        await asyncio.sleep(0.01)
        readings.append(len(readings) + 1)
        return readings[-1]

    async def ask() -> list[int]:
        shared = SharedReading(read, 60)
        return await asyncio.gather(*(shared.get() for _ in range(5)))

    assert asyncio.run(ask()) == [1] * 5


def test_an_old_value_is_read_again() -> None:
    readings: list[int] = []

    async def read() -> int:
        readings.append(len(readings) + 1)
        return readings[-1]

    async def ask() -> list[int]:
        shared = SharedReading(read, -1)
        return [await shared.get(), await shared.get()]

    assert asyncio.run(ask()) == [1, 2]


def test_a_reading_that_failed_is_tried_again() -> None:
    failures = [RuntimeError("away")]

    async def read() -> str:
        if failures:
            raise failures.pop()
        return "here"

    async def ask() -> list[object]:
        shared = SharedReading(read, 60)
        return list(await asyncio.gather(shared.get(), shared.get(), return_exceptions=True))

    first, second = asyncio.run(ask())
    assert isinstance(first, RuntimeError)
    assert second == "here"
