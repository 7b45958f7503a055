import os
import signal
import subprocess
import sys
import types
from pathlib import Path

import pytest

from threadmill.crawl.lock import LOCK_FILE, lock_holder, lock_workspace, try_lock
from threadmill.errors import WorkspaceError


def test_one_process_holds_a_workspace_and_is_named(tmp_path: Path) -> None:
    with (
        lock_workspace(tmp_path),
        pytest.raises(WorkspaceError, match=f"process {os.getpid()}"),
        lock_workspace(tmp_path),
    ):
        pass
    with lock_workspace(tmp_path):
        pass


def test_a_killed_process_holds_nothing(tmp_path: Path) -> None:
    code = (
        "import time; from pathlib import Path; from threadmill.crawl.lock import lock_workspace\n"
        f"with lock_workspace(Path({str(tmp_path)!r})): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(WorkspaceError, match=f"process {process.pid}"), lock_workspace(tmp_path):
        pass
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with lock_workspace(tmp_path):
        pass


def test_a_workspace_that_is_gone_is_one_sentence(tmp_path: Path) -> None:
    with (
        pytest.raises(WorkspaceError, match="cannot write to the workspace"),
        lock_workspace(tmp_path / "none"),
    ):
        pass


class _FakeMsvcrt(types.ModuleType):
    """Windows' locks: a byte that one holder has is refused to others."""

    LK_NBLCK = 2

    def __init__(self, *, free: bool) -> None:
        super().__init__("msvcrt")
        self.free = free
        self.calls: list[tuple[int, int, int]] = []

    def locking(self, descriptor: int, mode: int, length: int) -> None:
        self.calls.append((os.lseek(descriptor, 0, os.SEEK_CUR), mode, length))
        if not self.free:
            raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("free", [True, False])
def test_on_windows_one_byte_behind_the_process_id_is_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: bool
) -> None:
    msvcrt = _FakeMsvcrt(free=free)
    monkeypatch.setitem(sys.modules, "msvcrt", msvcrt)
    monkeypatch.setitem(sys.modules, "fcntl", None)  # there is none on Windows
    descriptor = os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT)
    try:
        assert try_lock(descriptor, "win32") is free
        assert msvcrt.calls == [(1024, msvcrt.LK_NBLCK, 1)]
        assert os.lseek(descriptor, 0, os.SEEK_CUR) == 0  # the process id is read and written at the start
    finally:
        os.close(descriptor)


def test_elsewhere_a_file_is_locked_once(tmp_path: Path) -> None:
    one, other = (os.open(tmp_path / "file", os.O_RDWR | os.O_CREAT) for _ in range(2))
    try:
        assert try_lock(one)
        assert not try_lock(other)
    finally:
        os.close(one)
    assert try_lock(other)
    os.close(other)


def test_the_lock_file_holds_the_process_id_only(tmp_path: Path) -> None:
    (tmp_path / LOCK_FILE).write_text("123456789012345")
    with lock_workspace(tmp_path):
        assert (tmp_path / LOCK_FILE).read_text() == str(os.getpid())


def test_the_lock_and_the_pure_parts_import_where_there_is_no_fcntl() -> None:
    code = (
        "import sys; sys.modules['fcntl'] = None\n"
        "import threadmill, threadmill.crawl.lock\n"
        "import threadmill.crawl.forum.knowledge, threadmill.forum.paging.thread_walk\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_the_process_that_crawls_is_found_by_others_and_nobody_when_it_has_ended(tmp_path: Path) -> None:
    assert lock_holder(tmp_path) is None
    code = (
        "import sys; from pathlib import Path; from threadmill.crawl.lock import lock_workspace\n"
        f"with lock_workspace(Path({str(tmp_path)!r})): print('held', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        assert lock_holder(tmp_path) == process.pid
        process.communicate("")
    assert lock_holder(tmp_path) is None


@pytest.mark.parametrize("content", ["", "nobody", "0", str(2**30), "own"])
def test_a_file_that_nobody_locks_names_no_holder(tmp_path: Path, content: str) -> None:
    own = str(os.getpid())  # not a parameter: each test process would collect another test
    (tmp_path / LOCK_FILE).write_text(own if content == "own" else content)
    assert lock_holder(tmp_path) is None
