"""Two Ray nodes on this machine give the same outputs as one process."""

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from tests.cli.pages.test_forum_archives import forum_pages
from tests.corpus.build.test_pipeline import TEXT, page, write_warc
from tests.parallel.test_workers import die_at, fail_at
from tests.servers.companies import Companies
from tests.template.sites import make_site
from threadmill.api.corpora import build_index, search
from threadmill.api.sites import compare_sites
from threadmill.cli import main
from threadmill.parallel.workers import RAY, WorkTask, open_workers

REASON = "needs Ray: pip install '.[ray]'"
ALONE = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # Ray then talks over the loopback address alone
    "RAY_worker_niceness": "0",  # its workers would wait for all other tests
}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with a core each, as separate processes."""
    os.environ.update(ALONE)
    utils = pytest.importorskip("ray.cluster_utils", reason=REASON)
    with pytest.MonkeyPatch.context() as patch:
        # Workers of a node import the functions of tests by their names.
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        nodes = utils.Cluster(
            initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False}
        )
        nodes.add_node(num_cpus=1)
        patch.setenv("RAY_ADDRESS", nodes.address)
        # One connection for all tests: each new one starts new workers.
        nodes.connect()
        yield nodes
        pytest.importorskip("ray").shutdown()
        nodes.shutdown()


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("archive")
    for number in range(6):
        pages = [(f"http://x.org/{number}/{n}", "text/html", page(40 * number + n)) for n in range(12)]
        write_warc(folder / f"{number}.warc.gz", pages)
    return folder


@pytest.fixture(scope="module")
def threads(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("threads")
    for number in range(5):
        write_warc(folder / f"{number}.warc.gz", [(f"http://x.org/t/{number}", "text/html", thread(number))])
    return folder


def thread(number: int) -> str:
    return f"<title>Thread {number}</title>" + "".join(
        f"<div class=post><a href=/user/{name}>{name}</a> <span>2024-05-{day} 10:15</span><div>{name} thinks "
        f"that the ferry {number} was late again, as it is on most days of the year.</div></div>"
        for name, day in [("anna", 27), ("boris", 28), ("carla", 29), ("dora", 30)]
    )


def same(tmp_path: Path, *words: str) -> None:
    """Run a command on this machine and on Ray, and compare the outputs."""
    for place in ("local", "ray"):
        assert main([*words, "--on", place, "--output", str(tmp_path / place)]) == 0
    assert (tmp_path / "ray").read_bytes() == (tmp_path / "local").read_bytes()
    assert (tmp_path / "ray").stat().st_size > 1000
    assert not (tmp_path / "ray.parts").exists()


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("function", [fail_at, die_at])
def test_a_poisoned_item_is_named_and_the_others_are_kept(function: Any) -> None:
    with open_workers(RAY) as workers:
        assert workers.number == 2
        tasks = [WorkTask(function, 4, (n, n + 1)) for n in range(0, 10, 2)]
        found = list(workers.run(tasks))
    kept = [number for outcome in found for result in outcome.results for number in result]
    assert kept == [2 * number for number in range(10) if number != 4]
    assert [item for outcome in found for item, _ in outcome.failures] == [4]


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("options", [[], ["--dedup", "remove"]])
def test_a_corpus_has_the_same_bytes(archive: Path, tmp_path: Path, options: list[str]) -> None:
    same(tmp_path, "vert", str(archive), *options)


@pytest.mark.usefixtures("cluster")
def test_relative_paths_are_those_of_the_command(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(archive)
    inputs = [file.name for file in sorted(archive.iterdir())]
    for place in ("local", "ray"):
        assert main(["vert", *inputs, "--output", os.path.relpath(tmp_path / place), "--on", place]) == 0
    assert (tmp_path / "ray").read_bytes() == (tmp_path / "local").read_bytes()


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("options", [["--template", "none"], ["--format", "csv", "--dedup"]])
def test_cleaned_pages_have_the_same_bytes(archive: Path, tmp_path: Path, options: list[str]) -> None:
    same(tmp_path, "clean", str(archive), *options)


@pytest.mark.usefixtures("cluster")
def test_posts_of_an_archive_have_the_same_bytes(threads: Path, tmp_path: Path) -> None:
    same(tmp_path, "forum", "posts", str(threads))
    first = json.loads((tmp_path / "ray").read_text().partition("\n")[0])
    assert first["author"] == "anna"
    assert first["page"] == "http://x.org/t/0"


@pytest.mark.usefixtures("cluster")
def test_an_index_answers_alike(threads: Path, tmp_path: Path) -> None:
    for place in ("local", "ray"):
        build_index([threads], tmp_path / place, on=place)
    hits = [search("ferry", tmp_path / place, order="corpus", limit=100).hits for place in ("local", "ray")]
    assert hits[0] == hits[1]
    assert len(hits[0]) == 20


@pytest.mark.usefixtures("cluster")
def test_sites_are_compared_alike() -> None:
    with Companies(3) as sites:
        assert compare_sites(sites.urls, delay=0, on="ray") == compare_sites(sites.urls, delay=0)


@pytest.mark.usefixtures("cluster")
def test_near_duplicates_are_the_same(tmp_path: Path) -> None:
    for number in range(3):
        lines = [json.dumps({"text": TEXT + str(place % 4) * 50}) for place in range(number, number + 9)]
        (tmp_path / f"{number}.jsonl").write_text("\n".join(lines) + "\n")
    inputs = [str(tmp_path / f"{number}.jsonl") for number in range(3)]
    for place in ("local", "ray"):
        assert main(["dedup", *inputs, "-o", str(tmp_path / place), "--on", place, "--mark"]) == 0
    for number in range(3):
        result = (tmp_path / "ray" / f"{number}.jsonl").read_bytes()
        assert result == (tmp_path / "local" / f"{number}.jsonl").read_bytes()
        assert b'"duplicate": true' in result


@pytest.mark.usefixtures("cluster")
def test_templates_are_the_same(tmp_path: Path) -> None:
    folder = tmp_path / "pages"
    folder.mkdir()
    for number, made in enumerate(make_site(20)):
        (folder / f"{number}.html").write_bytes(made.html)
    for place in ("local", "ray"):
        assert main(["template", "mark", str(folder), "--output", str(tmp_path / place), "--on", place]) == 0
    for file in folder.iterdir():
        marked = (tmp_path / "ray" / file.name).read_bytes()
        assert marked == (tmp_path / "local" / file.name).read_bytes() != file.read_bytes()


@pytest.mark.usefixtures("cluster")
def test_templates_and_forum_models_of_the_sites_of_an_archive_are_the_same(tmp_path: Path) -> None:
    pages = [
        (f"http://s{number}.example/{at}", "text/html", made.html.decode())
        for number in range(5)
        for at, made in enumerate(make_site(12, layout="ab"[number % 2]))
    ]
    pages += forum_pages("harbour", "forum")
    (tmp_path / "archive").mkdir()
    for number in range(3):
        write_warc(tmp_path / "archive" / f"{number}.warc.gz", pages[number::3])
    for place in ("local", "ray"):
        output = str(tmp_path / place)
        words = ["template", "remove", str(tmp_path / "archive"), "--output", output]
        assert main([*words, "--on", place]) == 0
        words = ["forum", "learn", str(tmp_path / "archive"), "--output", f"{output}.models"]
        assert main([*words, "--on", place]) == 0
    files = sorted(path.relative_to(tmp_path / "local") for path in (tmp_path / "local").rglob("*.html"))
    assert len(files) == len(pages)
    assert len({file.parts[0] for file in files}) == 6
    for file in files:
        assert (tmp_path / "ray" / file).read_bytes() == (tmp_path / "local" / file).read_bytes()
    assert sorted(path.name for path in (tmp_path / "ray").iterdir()) == sorted({f.parts[0] for f in files})
    assert (tmp_path / "ray.models").read_bytes() == (tmp_path / "local.models").read_bytes()


def double_slowly(seconds: float, items: Sequence[int]) -> list[int]:
    time.sleep(seconds)
    return [2 * item for item in items]


def test_a_machine_that_dies_costs_its_tasks_in_work_and_nothing_is_left_out(cluster: Any) -> None:
    machine = cluster.add_node(num_cpus=2)
    with open_workers(RAY) as workers:
        run = workers.run([WorkTask(double_slowly, 0.2, (number,)) for number in range(40)])
        found = [next(run) for _ in range(4)]
        cluster.remove_node(machine, allow_graceful=False)
        found += run
    assert [outcome.results for outcome in found] == [[[2 * number]] for number in range(40)]
    assert not any(outcome.failures for outcome in found)


@pytest.mark.usefixtures("cluster")
def test_after_a_killed_driver_the_second_run_reads_only_what_is_not_done(
    archive: Path, tmp_path: Path
) -> None:
    log, hook, slow = tmp_path / "log", tmp_path / "hook.py", tmp_path / "slow"
    slow.touch()  # until the driver is killed
    hook.write_text(
        "import os, time\n"
        "def judge(text, judged, html):\n"
        f"    with open({str(log)!r}, 'a') as log: log.write('x')\n"
        f"    if os.path.exists({str(slow)!r}): time.sleep(0.05)\n"
        "    return judged, text\n"
    )
    output = tmp_path / "killed"
    words = ["vert", str(archive), "--hook", f"{hook}:judge", "--output"]
    start = [sys.executable, "-m", "threadmill", *words, str(output), "--on", "ray"]
    with subprocess.Popen(start, stderr=subprocess.DEVNULL) as driver:
        while not list(tmp_path.glob("killed.parts/*.json")) and driver.poll() is None:
            time.sleep(0.02)
        driver.kill()
    assert driver.returncode == -signal.SIGKILL, "the run was over before it could be killed"
    time.sleep(1)  # Ray ends the tasks of a driver that is gone
    slow.unlink()
    log.write_text("")
    assert main([*words, str(output), "--on", "ray"]) == 0
    second = log.stat().st_size
    log.write_text("")
    assert main([*words, str(tmp_path / "whole"), "--processes", "1"]) == 0
    assert output.read_bytes() == (tmp_path / "whole").read_bytes()
    assert 0 < second < log.stat().st_size


@pytest.fixture
def head(tmp_path: Path) -> Iterator[str]:
    """The head of a cluster that others join from outside, as Ray's own command starts it."""
    pytest.importorskip("ray.util.client", reason=REASON)
    ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
    own, clients = (port.getsockname()[1] for port in ports)
    for port in ports:
        port.close()
    # Sockets of Ray lie in its directory, and their paths must be short.
    with tempfile.TemporaryDirectory(prefix="ray-", ignore_cleanup_errors=True) as folder:
        words = f"--port={own} --ray-client-server-port={clients} --temp-dir={folder} --num-cpus=1"
        fixed = "start --head --block --node-ip-address=127.0.0.1 --include-dashboard=false"
        program = [sys.executable, "-m", "ray.scripts.scripts", *fixed.split(), *words.split()]
        alone = {**ALONE, "RAY_ADDRESS": ""}
        with (tmp_path / "head.log").open("wb") as log:
            started = subprocess.Popen(
                program, env={**os.environ, **alone}, stdout=log, stderr=log, start_new_session=True
            )
        try:
            if not _listens(clients, started):
                pytest.skip(f"no head of Ray started here: {(tmp_path / 'head.log').read_text()[-300:]}")
            yield f"ray://127.0.0.1:{clients}"
        finally:
            started.terminate()  # it ends what it started
            try:
                started.wait(30)
            except subprocess.TimeoutExpired:
                os.killpg(started.pid, signal.SIGKILL)
                started.wait()


def _listens(port: int, program: subprocess.Popen[bytes], seconds: float = 90.0) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end and program.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return True
        time.sleep(0.2)
    return False


# A driver of its own, because this process has joined the cluster of other tests. It joins once for all.
DRIVER = """
import json, sys
from threadmill.cli import main
from threadmill.parallel.workers import open_workers
place, *commands = map(json.loads, sys.argv[1:])
with open_workers(place):
    for words in commands:
        assert main([*words, "--on", place]) == 0, words
"""


@pytest.mark.timeout(400)
def test_a_cluster_that_is_joined_from_outside_gives_the_same(
    head: str, archive: Path, threads: Path, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    site.mkdir()
    for number, made in enumerate(make_site(20)):
        (site / f"{number}.html").write_bytes(made.html)
    assert main(["vert", str(archive), "-o", str(tmp_path / "all.vert")]) == 0
    commands = [
        ["vert", str(archive), "-o", "OUT.vert"],
        ["clean", str(archive), "-o", "OUT.txt"],
        ["dedup", str(tmp_path / "all.vert"), "-o", "OUT.once.vert"],
        ["template", "learn", str(site), "--save", "OUT.template"],
        ["index", str(threads), "--index", "OUT.index"],
    ]
    here, there = (
        [[word.replace("OUT", str(tmp_path / place)) for word in words] for words in commands]
        for place in ("here", "there")
    )
    for words in here:
        assert main(words) == 0
    program = [sys.executable, "-c", DRIVER, *map(json.dumps, [head, *there])]
    subprocess.run(program, check=True, capture_output=True, timeout=240)
    for name in ("vert", "txt", "once.vert", "template"):
        written = (tmp_path / f"there.{name}").read_bytes()
        assert written == (tmp_path / f"here.{name}").read_bytes()
        assert len(written) > 1000
    hits = [
        search("ferry", tmp_path / f"{place}.index", order="corpus", limit=100).hits
        for place in ("here", "there")
    ]
    assert hits[0] == hits[1]
    assert len(hits[0]) == 20
