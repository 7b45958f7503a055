"""A RabbitMQ server of our own on a free loopback port, that can be killed and started again."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import uuid
from pathlib import Path
from types import TracebackType
from typing import Any, Self

HOW_TO = "RabbitMQ's server is not installed: apt-get install rabbitmq-server, or brew install rabbitmq"
_START_SECONDS = 120  # Erlang on a busy machine


def server_program() -> Path | None:
    """The server itself, not Debian's wrapper, which would insist on its own user and directories."""
    places = [Path("/usr/lib/rabbitmq/bin/rabbitmq-server"), Path("/usr/local/sbin/rabbitmq-server")]
    found = next((place for place in places if place.exists()), None)
    there = shutil.which("rabbitmq-server")
    return found or (Path(there) if there else None)


def free_port() -> int:
    """A port that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def unprivileged(name: str) -> dict[str, Any]:
    """Who a server runs as when we are root."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    entry = pwd.getpwnam(name if name in names else "nobody")
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


class Broker:
    """One broker with a directory of its own."""

    def __init__(self) -> None:
        program = server_program()
        assert program is not None, HOW_TO
        self._program = program
        self._home = Path(tempfile.mkdtemp(prefix="threadmill-mq-"))
        self._who = unprivileged("rabbitmq")
        if self._who:
            os.chown(self._home, self._who["user"], self._who["group"])
        self._port = free_port()
        self._names = free_port()  # of Erlang's own name server, which would outlive us on its usual port
        self._node = f"t{uuid.uuid4().hex[:8]}@localhost"
        self._processes: list[subprocess.Popen[bytes]] = []
        self.url = f"amqp://guest:guest@127.0.0.1:{self._port}/"

    def __enter__(self) -> Self:
        words = ["-address", "127.0.0.1", "-port", str(self._names)]
        self._names_server = self._run(shutil.which("epmd") or "epmd", *words)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()
        self._names_server.kill()
        self._names_server.wait()
        shutil.rmtree(self._home, ignore_errors=True)

    def start(self) -> None:
        """Start it on the data it has, and wait until it answers."""
        self._server = self._run(str(self._program))
        end = time.monotonic() + _START_SECONDS
        while not self._answers():
            assert self._server.poll() is None, f"RabbitMQ ended by itself: {self._log()}"
            assert time.monotonic() < end, f"RabbitMQ did not start: {self._log()}"
            time.sleep(0.1)

    @property
    def pid(self) -> int:
        """The process all its others are children of."""
        return self._server.pid

    def kill(self) -> None:
        """Kill it without a word, as a power cut would."""
        if self._server.poll() is None:
            os.killpg(self._server.pid, signal.SIGKILL)
        self._server.wait()

    def _answers(self) -> bool:
        """The broker speaks first only after the client's greeting: eight bytes, as AMQP has it."""
        try:
            with socket.create_connection(("127.0.0.1", self._port), 2) as connection:
                connection.settimeout(2)
                connection.sendall(b"AMQP\x00\x00\x09\x01")
                return bool(connection.recv(1))
        except OSError:
            return False

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        home = str(self._home)
        environment = {
            "PATH": os.environ.get("PATH", ""),
            "HOME": home,
            "ERL_EPMD_PORT": str(self._names),
            "RABBITMQ_NODENAME": self._node,
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self._port),
            # Erlang's schedulers would burn a core while they wait for work, as deploy/compose.yaml says.
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS": "+sbwt none +sbwtdcpu none +sbwtdio none",
            "RABBITMQ_DIST_PORT": str(free_port()),
            "RABBITMQ_MNESIA_BASE": f"{home}/data",
            "RABBITMQ_LOG_BASE": f"{home}/log",
            "RABBITMQ_CONFIG_FILE": f"{home}/none",
            "RABBITMQ_ENABLED_PLUGINS_FILE": f"{home}/plugins",
            "RABBITMQ_PID_FILE": f"{home}/pid",
        }
        quiet: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
        with (self._home / "errors").open("ab") as errors:
            return subprocess.Popen(
                command,
                cwd=home,
                env=environment,
                stderr=errors,
                start_new_session=True,
                **quiet,
                **self._who,
            )

    def _log(self) -> str:
        return (self._home / "errors").read_text(errors="replace")[-500:]
