"""Workers: processes of this machine or tasks of a Ray cluster. Results come in the order of the tasks.

A task is some items and a function for them. A task that fails, or whose process or machine dies, is tried
again. After three attempts its items are tried one by one, and those that fail again are named and left out.
"""

from __future__ import annotations

import logging
import os
import socket
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from pathlib import Path
from typing import Any

from threadmill.errors import MissingDependencyError, UsageError

log = logging.getLogger(__name__)

LOCAL = "local"
RAY = "ray"
_THIS_MACHINE = "127.0.0.1"  # a cluster that we start ourselves listens to nobody else
_ATTEMPTS = 3
# Weight of the tasks that wait for each worker. Results are used in order, so one slow task must not stop the
# others.
_AHEAD = 16
_LINE = "\n"
# How long we wait for the news that a machine died, after a process on it did.
_MOMENTS, _MOMENT_SECONDS = 8, 0.25

# How long the head of a cluster may take to answer, and to start a process for this client.
_REACH_SECONDS, _BUSY_SECONDS = 10.0, 120.0
_BUSY_HEAD = "Initialization failure from server"  # as Ray says it

TaskFunction = Callable[[Any, Sequence[Any]], Any]  # options and items → a result


@dataclass(frozen=True, slots=True)
class WorkPlace:
    """Where the work is done, and by how many processes. 0: one per core of the machine or cluster."""

    on: str = LOCAL
    processes: int = 1

    def is_here(self) -> bool:
        """Whether this process does all by itself."""
        return self.on == LOCAL and self.processes == 1


@dataclass(slots=True)
class TaskOutcome:
    """What became of a task: usually one result; several if its items had to be tried one by one."""

    about: Any  # of the task
    results: list[Any] = field(default_factory=list)
    failures: list[tuple[Any, str]] = field(default_factory=list)  # items that were left out, and why


@dataclass(frozen=True, slots=True)
class WorkTask:
    """Some items that one worker gets together, and the function for them."""

    function: TaskFunction
    options: Any
    items: Sequence[Any]
    about: Any = None  # stays with whoever made the task
    is_last_try: bool = True  # else the caller does something else with items that fail
    weight: int = 1  # the more memory its items and its result need, the fewer tasks may wait


class Workers(ABC):
    """The seam: what local processes and Ray have in common."""

    def __init__(self, number: int) -> None:
        self.number = number

    @abstractmethod
    def submit(self, task: WorkTask) -> Future[Any]:
        """Start a task."""

    @abstractmethod
    def close(self) -> None:
        """End the workers, or leave them. Tasks that are still waiting are dropped."""

    def run(self, tasks: Iterable[WorkTask]) -> Iterator[TaskOutcome]:
        """Do all tasks, some for each worker at a time, and yield the outcomes in the order of the tasks."""
        waiting: deque[tuple[WorkTask, Future[Any]]] = deque()
        weight = 0
        for task in tasks:
            waiting.append((task, self.submit(task)))
            weight += task.weight
            while weight >= _AHEAD * self.number and waiting:
                weight -= waiting[0][0].weight
                yield self.finish(*waiting.popleft())
        while waiting:
            yield self.finish(*waiting.popleft())

    def finish(self, task: WorkTask, future: Future[Any]) -> TaskOutcome:
        """Wait for a task, and try it again as often as it may be tried."""
        outcome = TaskOutcome(task.about)
        found, why = self._settle(task, future)
        if not why:
            outcome.results.append(found)
        elif len(task.items) == 1:
            outcome.failures.append((task.items[0], why))
        else:
            for item in task.items:
                alone = replace(task, items=(item,))
                found, why = self._settle(alone, self.submit(alone))
                if why:
                    outcome.failures.append((item, why))
                else:
                    outcome.results.append(found)
        for item, why in outcome.failures if task.is_last_try else ():
            log.warning("%s was left out after %d attempts: %s", _name(item), _ATTEMPTS, why)
        return outcome

    def _settle(self, task: WorkTask, future: Future[Any]) -> tuple[Any, str]:
        """The result of a task, or why it has none after all attempts. A wrong call stops the run."""
        attempts, first = 0, True
        while True:
            try:
                return future.result(), ""
            except (UsageError, MissingDependencyError):
                raise
            except Exception as error:
                attempts += self._is_own_fault(error, first=first)
                why = f"{type(error).__name__}: {str(error).partition(_LINE)[0]}"
            if attempts >= _ATTEMPTS:
                return None, why
            future, first = self._submit_again(task), False

    def _submit_again(self, task: WorkTask) -> Future[Any]:
        """Start a task that has failed before."""
        return self.submit(task)

    @abstractmethod
    def _is_own_fault(self, error: Exception, *, first: bool) -> bool:
        """Whether a task may have failed by itself, and not because its neighbour or its machine died."""


def _name(item: Any) -> str:
    """What a message calls an item: a file by its name, a page by its URL."""
    return str(getattr(item, "url", "") or item)


class LocalWorkers(Workers):
    """Processes of this machine. When one dies, its tasks are done again, each in a process of its own."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self._pool = _start_processes(number)

    def submit(self, task: WorkTask) -> Future[Any]:
        """Start a task in the next free process."""
        try:
            return self._pool.submit(task.function, task.options, task.items)
        except BrokenProcessPool:
            self._pool.shutdown(wait=False)
            self._pool = _start_processes(self.number)
            return self._pool.submit(task.function, task.options, task.items)

    def _submit_again(self, task: WorkTask) -> Future[Any]:
        alone = _start_processes(1)
        future = alone.submit(task.function, task.options, task.items)
        future.add_done_callback(lambda _: alone.shutdown(wait=False))
        return future

    def _is_own_fault(self, error: Exception, *, first: bool) -> bool:
        """When a process dies, all tasks of its pool are lost. Alone, the one at fault shows itself."""
        return not (first and isinstance(error, BrokenProcessPool))

    def close(self) -> None:
        """End the processes."""
        self._pool.shutdown(cancel_futures=True)


def _start_processes(number: int) -> ProcessPoolExecutor:
    context = get_context("spawn") if _talks_to_servers() else None
    return ProcessPoolExecutor(number, context, initializer=_end_with_parent)


def _talks_to_servers() -> bool:
    """Whether this process has connections to object stores. They do not survive a fork.

    A forked process shares the sockets with its parent, and then the parent may wait for ever.
    """
    module = sys.modules.get("fsspec.asyn")
    return module is not None and module.iothread[0] is not None


def _end_with_parent() -> None:
    """End this process when its parent is killed, so that it does not wait for work for ever."""

    def watch() -> None:
        parent = parent_process()
        if parent is not None:
            wait([parent.sentinel])
            os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


class RayWorkers(Workers):
    """Tasks of a Ray cluster. Threadmill must be installed on its machines."""

    def __init__(self, address: str, number: int) -> None:
        self._ray = _import_ray()
        self._connect(address, number)
        cores = int(self._ray.cluster_resources().get("CPU", 1))
        super().__init__(number or max(1, cores))
        # We try again ourselves: Ray would not say which input fails.
        self._remote = self._ray.remote(max_retries=0, num_cpus=1)(_run_in_folder)
        self._folder = Path.cwd()
        self._options: tuple[Any, Any] = (None, None)  # the last options, and where Ray keeps them
        self._machines = self._living()

    def _connect(self, address: str, number: int) -> None:
        ray = self._ray
        self._leaves = not ray.is_initialized()  # a program that uses Ray itself stays connected
        if not self._leaves:
            return
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
        try:
            if address != RAY:
                _join_remotely(ray, address, options)
                return
            try:
                ray.init(address="auto", **options)
            except ConnectionError:  # no cluster runs here, so Ray starts one of this machine alone
                ray.init(num_cpus=number or None, _node_ip_address=_THIS_MACHINE, **options)
        except (ConnectionError, RuntimeError, ValueError) as error:
            said = str(error).strip().rpartition(_LINE)[2].strip()[:300]  # Ray says a whole traceback
            raise UsageError(f"cannot reach Ray at {address}: {said}; is the cluster running?") from None

    def submit(self, task: WorkTask) -> Future[Any]:
        """Start a task on a free core of the cluster."""
        if self._options[0] is not task.options:
            self._options = (task.options, self._ray.put(task.options))
        place = self._remote.remote(self._folder, task.function, self._options[1], task.items)
        return _RayFuture(self._ray, place)

    def _is_own_fault(self, error: Exception, *, first: bool) -> bool:  # noqa: ARG002 -- of the seam
        """A task that died with its machine is not at fault. Ray learns of such a death after a moment."""
        known = self._ray.exceptions
        if isinstance(error, known.NodeDiedError):
            return False
        if isinstance(error, known.RayTaskError) or not isinstance(error, known.RayError):
            return True
        for _ in range(_MOMENTS):
            now = self._living()
            gone, self._machines = self._machines - now, now
            if gone:
                return False
            time.sleep(_MOMENT_SECONDS)
        return True

    def _living(self) -> set[str]:
        return {str(node["NodeID"]) for node in self._ray.nodes() if node["Alive"]}

    def close(self) -> None:
        """Leave the cluster, if it was joined here."""
        if self._leaves:
            self._ray.shutdown()


class _RayFuture(Future[Any]):
    """The result of a task of Ray, fetched by whoever waits for it.

    Ray's own future waits for a message that the result is there. Once, after a worker had died, none came.
    """

    def __init__(self, ray: Any, place: Any) -> None:
        super().__init__()
        self._ray, self._place = ray, place

    def result(self, timeout: float | None = None) -> Any:
        """Wait for the result."""
        return self._ray.get(self._place, timeout=timeout)


def _join_remotely(ray: Any, address: str, options: dict[str, Any]) -> None:
    """Join the cluster of a ray:// address. A head with much to do is asked again.

    The head starts a process for each client, and gives up when that takes more than 30 seconds.
    """
    host, _, port = address.removeprefix("ray://").partition("/")[0].rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _REACH_SECONDS).close()
    except ValueError:
        raise UsageError(f"expected ray://HOST:PORT, not {address!r}; Ray's own port is 10001") from None
    except OSError as error:
        raise ConnectionError(str(error)) from None
    until = time.monotonic() + _BUSY_SECONDS
    while True:
        try:
            ray.init(address=address, **options)
        except (ConnectionError, RuntimeError) as error:
            if _BUSY_HEAD not in str(error) or time.monotonic() > until:
                raise
            ray.shutdown()
        else:
            return


def _run_in_folder(folder: Path, function: TaskFunction, options: Any, items: Sequence[Any]) -> Any:
    """Run a task in the folder where the command was given, because its paths may be relative."""
    if folder.is_dir():
        os.chdir(folder)
    return function(options, items)


def _import_ray() -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report its use to its makers
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise MissingDependencyError("ray", "ray", "--on ray") from None
    return ray


@contextmanager
def open_workers(on: str = LOCAL, number: int = 0) -> Iterator[Workers]:
    """The workers that `--on` and `--processes` name. 0: one per core of the machine or cluster."""
    with ExitStack() as stack:
        workers: LocalWorkers | RayWorkers
        if on == LOCAL:
            workers = LocalWorkers(number or os.cpu_count() or 1)
        elif on == RAY or on.startswith("ray://"):
            workers = RayWorkers(on, number)
        else:
            raise UsageError(f"expected local, ray or ray://HOST:PORT as the place of the work, not {on!r}")
        stack.callback(workers.close)
        yield workers
