import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from threadmill.crawl.lock import lock_workspace
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
