import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from threadmill.errors import MissingDependencyError, UsageError
from threadmill.parallel.workers import LocalWorkers, Workers, WorkTask, open_workers


def double(_: object, items: Sequence[int]) -> list[int]:
    return [2 * item for item in items]


def fail_at(bad: int, items: Sequence[int]) -> list[int]:
    if bad in items:
        raise ValueError(f"cannot read {bad}\nand more")
    return double(None, items)


def die_at(bad: int, items: Sequence[int]) -> list[int]:
    if bad in items:
        os.kill(os.getpid(), signal.SIGKILL)
    return double(None, items)


def fail_twice(folder: Path, items: Sequence[int]) -> list[int]:
    attempts = len(list(folder.iterdir()))
    if attempts < 2:
        (folder / str(attempts)).touch()
        raise OSError("the server is busy")
    return double(None, items)


def refuse(_: object, items: Sequence[int]) -> None:
    raise UsageError("a wrong call")


@pytest.fixture
def workers() -> Workers:
    return LocalWorkers(2)


def tasks(function: object, options: object, size: int = 3) -> list[WorkTask]:
    return [WorkTask(function, options, tuple(range(n, n + size)), n) for n in range(0, 60, size)]  # type: ignore[arg-type]


def test_results_come_in_the_order_of_the_tasks(workers: Workers) -> None:
    found = list(workers.run(tasks(double, None)))
    assert [outcome.about for outcome in found] == list(range(0, 60, 3))
    assert [number for outcome in found for number in outcome.results[0]] == list(range(0, 120, 2))


@pytest.mark.parametrize("function", [fail_at, die_at])
def test_an_item_that_fails_or_kills_its_process_is_named_and_the_others_are_kept(
    workers: Workers, function: object, caplog: pytest.LogCaptureFixture
) -> None:
    found = list(workers.run(tasks(function, 31)))
    kept = [number for outcome in found for result in outcome.results for number in result]
    assert kept == [2 * number for number in range(60) if number != 31]
    [(item, why)] = [failure for outcome in found for failure in outcome.failures]
    assert item == 31
    assert why.startswith(("ValueError: cannot read 31", "BrokenProcessPool"))
    assert "\n" not in why
    assert "31 was left out after 3 attempts" in caplog.text


def test_a_task_that_succeeds_at_the_third_attempt_counts(workers: Workers, tmp_path: Path) -> None:
    [outcome] = workers.run([WorkTask(fail_twice, tmp_path, (1,))])
    assert outcome.results == [[2]]
    assert not outcome.failures


def test_a_wrong_call_stops_the_run(workers: Workers) -> None:
    with pytest.raises(UsageError, match="a wrong call"):
        list(workers.run(tasks(refuse, None)))


def test_tasks_are_taken_only_as_fast_as_they_are_done(workers: Workers) -> None:
    taken: list[int] = []

    def endless() -> object:
        for number in range(10**9):
            taken.append(number)
            yield WorkTask(double, None, (number,), weight=8)

    run = workers.run(endless())  # type: ignore[arg-type]
    assert next(run).results == [[0]]
    assert len(taken) == 4


def test_an_unknown_place_is_refused() -> None:
    with pytest.raises(UsageError, match="expected local, ray or ray://HOST:PORT"), open_workers("moon"):
        pass


def test_without_ray_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with (
        pytest.raises(MissingDependencyError, match=r"--on ray needs the package ray.*\[ray\]"),
        open_workers("ray"),
    ):
        pass


@pytest.mark.parametrize(
    ("address", "sentence"),
    [
        ("ray://127.0.0.1:9", "cannot reach Ray at ray://127.0.0.1:9: .*; is the cluster running?"),
        ("ray://127.0.0.1", "expected ray://HOST:PORT, not 'ray://127.0.0.1'"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_named_at_once(address: str, sentence: str) -> None:
    pytest.importorskip("ray", reason="needs Ray: pip install '.[ray]'")
    with pytest.raises(UsageError, match=sentence), open_workers(address):
        pass
