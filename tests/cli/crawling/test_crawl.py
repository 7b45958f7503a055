import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.servers.sites import Reply, SiteServer, page
from threadmill.cli import main

TREE = {f"/{n}": page(f"/{2 * n}", f"/{2 * n + 1}") for n in range(1, 64)}


def interrupt(pid: int) -> None:
    os.kill(pid, signal.SIGINT)


def crawl(*words: str) -> int:
    return main(["crawl", *words, "--delay", "0"])


def test_a_site_is_crawled_and_summed_up(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SiteServer({"/": page("/a", "/gone"), "/a": page("/")}) as site:
        assert crawl(site.url(), "--site", "--workspace", str(tmp_path / "work")) == 0
    out, err = capsys.readouterr()
    assert "2 pages in" in out
    assert "failed: 404" in out
    assert err == ""
    assert sorted(entry.name for entry in (tmp_path / "work").iterdir()) == [
        "archive",
        "crawl.lock",
        "threadmill.sqlite",
        "threadmill.toml",
    ]


def test_brackets_are_no_markup(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = tmp_path / "[red]"
    root.mkdir()
    (root / "threadmill.toml").write_text("[fetch]\nretries = 0\n")
    with SiteServer({}) as site:
        url = site.url("/?a[/b]=1")
    assert crawl(url, "--site", "--workspace", str(root)) == 1
    out = capsys.readouterr().out
    assert f"{root}: the rest has to wait" in out
    assert "nothing could be fetched: " in out


def test_quiet_says_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SiteServer({"/": page()}) as site:
        assert crawl(site.url(), "--site", "--quiet", "--workspace", str(tmp_path / "work")) == 0
    assert capsys.readouterr() == ("", "")


def test_limits_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--site", "--workspace", str(tmp_path / "work")]
    with SiteServer(TREE) as site:
        for _ in range(2):
            assert crawl(site.url("/1"), *words, "--max-depth", "3", "--max-pages", "10") == 0
            assert len(site.log) == 10
            assert "URLs are left, and a larger --max-pages continues with them" in capsys.readouterr().out
        assert crawl(site.url("/1"), *words, "--max-depth", "3") == 0
    assert len(site.log) == 15


def test_nothing_fetched_is_a_failure_with_its_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with SiteServer({}) as site:
        assert crawl(site.url(), "--site", "--workspace", str(tmp_path / "work")) == 1
    assert "failed: 404" in capsys.readouterr().out


def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "threadmill", "crawl", "--site", "--delay", "0", "--concurrency", "2"]
    with SiteServer(TREE, delay=0.02) as site:
        command += [site.url("/1"), "--workspace", str(tmp_path / "work")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        site.on_request = lambda _: interrupt(process.pid) if len(site.log) == 20 else None
        out, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "interrupted" in out
        assert "the same command continues" in out
        assert "Traceback" not in err
        assert len(site.log) <= 22
        site.on_request = None
        assert subprocess.run(command, check=False, capture_output=True).returncode == 0
    assert Counter(site.log) == Counter(f"/{n}" for n in range(1, 128))


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["example.org", "--site"], 2, "did you mean https://example.org"),
        (["ftp://example.org/", "--site"], 2, "expected an http or https URL"),
        (["http://127.0.0.1:1/", "--site", "--concurrency", "0"], 2, "expected a whole number, 1 or more"),
        (["http://127.0.0.1:1/", "--site", "--max-pages", "-1"], 2, "expected a whole number, 0 or more"),
        (
            ["http://127.0.0.1:1/", "--site", "--max-seconds", "soon"],
            2,
            "expected a number of seconds, 0 or more",
        ),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], code: int, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert crawl(*words, "--workspace", str(tmp_path / "work")) == code
    err = capsys.readouterr().err
    assert sentence in err
    assert err.count("\n") == 1
    assert not (tmp_path / "work").exists()


def test_a_directory_that_is_no_workspace_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "letter.txt").write_text("Dear all")
    assert crawl("http://127.0.0.1:1/", "--site", "--workspace", str(tmp_path)) == 1
    err = capsys.readouterr().err
    assert "not a Threadmill workspace and not empty" in err
    assert err.count("\n") == 1


def test_a_postgresql_that_is_down_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("THREADMILL_STORE_URL", "postgresql://me@127.0.0.1:1/threadmill")
    assert crawl("http://127.0.0.1:1/", "--site", "--workspace", str(tmp_path / "work")) == 1
    err = capsys.readouterr().err
    assert "cannot reach PostgreSQL" in err
    assert err.count("\n") == 1


def test_a_full_disk_is_one_sentence_and_what_was_archived_is_not_fetched_again(tmp_path: Path) -> None:
    if (
        os.geteuid() != 0
        or subprocess.run(
            ["mount", "-t", "tmpfs", "-o", "size=3m", "tmpfs", str(tmp_path)], check=False
        ).returncode
    ):
        pytest.skip("this test mounts a tiny file system, which takes root on Linux")
    pages = {path: page(*links) for path, links in ((f"/{n}", [f"/{n + 1}"]) for n in range(200))}
    pages = {path: type(p)(p.body + os.urandom(30_000).hex().encode()) for path, p in pages.items()}
    command = [sys.executable, "-m", "threadmill", "crawl", "--site", "--delay", "0", "--quiet"]
    try:
        with SiteServer(pages) as site:
            command += [site.url("/0"), "--workspace", str(tmp_path / "work")]
            done = subprocess.run(command, check=False, capture_output=True, text=True)
            assert done.returncode == 1
            assert done.stderr.count("\n") == 1
            assert "full" in done.stderr or "No space left" in done.stderr
            assert 5 < len(site.log) < 200
            fetched = set(site.log[:-1])
            subprocess.run(["mount", "-o", "remount,size=100m", str(tmp_path)], check=True)
            site.log.clear()
            assert subprocess.run(command, check=False).returncode == 0
            assert not fetched.intersection(site.log)
    finally:
        subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_forum_of_which_few_pages_were_understood_has_an_exit_code_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Lists without counters; two of three threads show no post."""
    pages: dict[str, Reply] = {}
    for board in range(1, 4):
        numbers = range(board * 10, board * 10 + 9)
        for number in numbers:
            body = (
                "".join(_post(number, post) for post in range(4)) if number % 3 == 0 else "<p>No browser.</p>"
            )
            pages[f"/thread?id={number}"] = _page(f"Ferry number {number}", body)
        links = "".join(f"<p><a href='/thread?id={n}'>Ferry number {n}</a></p>" for n in numbers)
        pages[f"/board?id={board}"] = _page(f"Board {board}", links)
    pages["/"] = _page(
        "Forums", "".join(f"<p><a href='/board?id={n}'>Board {n}</a></p>" for n in range(1, 4))
    )
    with SiteServer(pages) as site:
        assert crawl(site.url(), "--workspace", str(tmp_path / "work")) == 3
    assert capsys.readouterr().out.startswith("DOUBTFUL: few of the pages that were read had posts")


def _page(title: str, body: str) -> Reply:
    text = f"<title>{title}</title><div><a href='/'>Harbour forum</a></div><h1>{title}</h1>{body}"
    return Reply(body=text.encode())


def _post(thread: int, number: int) -> str:
    words = f"The ferry {thread} was late at the pier again, so we waited {number + 2} hours in the cafe."
    return (
        f"<div class=post id=p{thread}{number}><b>anna{number}</b> <i>{number + 3} May 2024, 10:15</i>"
        f"<div class=body>{words}</div></div>"
    )
