import gzip
import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.servers.object_store import run_object_store
from threadmill.archive.remote_files import RemoteFile
from threadmill.cli import main
from threadmill.corpus.build.corpus_file import BuildProgress, CorpusJob, unreadable_file
from threadmill.corpus.build.corpus_options import BatchResult, CorpusOptions
from threadmill.corpus.build.pipeline import run_job
from threadmill.corpus.near_duplicates.dedup import DedupRules
from threadmill.corpus.vertical import dialect, read
from threadmill.errors import NothingFoundError, UsageError

TEXT = (
    "The old mill stood at the end of the village, and nobody had lived there for many years. "
    "In the evening the children went down to the river to look at the boats that came from the town. "
)


def page(number: int, text: str = TEXT) -> str:
    more = " ".join(
        f"Line {number}.{k} tells of another thing that happened in the year {1900 + k}." for k in range(9)
    )
    return (
        f"<html lang=en><head><title>Page {number}</title></head><body><nav><a href=/>Home</a></nav>"
        f"<article><p>{text}</p><p>{more} See <a href='/next'>the next page</a> of it.</p></article></body></html>"  # noqa: E501
    )


def write_warc(file: Path, pages: list[tuple[str, str, str]]) -> None:
    with gzip.open(file, "wb") as out:
        for url, kind, body in pages:
            status, _, media = kind.rpartition(":")
            block = (
                f"HTTP/1.1 {status or 200} Said\r\nContent-Type: {media}\r\nServer: x\r\n\r\n{body}".encode()
            )
            head = (
                f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"  # noqa: E501
                f"WARC-Record-ID: <urn:x:{len(body)}>\r\nContent-Type: application/http; msgtype=response\r\n"
                f"Content-Length: {len(block)}\r\n\r\n"
            )
            out.write(head.encode() + block + b"\r\n\r\n")


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    folder = tmp_path / "archive"
    folder.mkdir()
    for name in ("a", "b"):
        pages = [(f"http://x.org/{name}/{n}", "text/html", page(n)) for n in range(20)]
        pages += [("http://x.org/i.png", "image/png", "x"), ("http://x.org/gone", "404:text/html", page(0))]
        write_warc(folder / f"{name}.warc.gz", pages)
    return folder


def test_a_corpus_is_valid_and_what_was_left_out_is_counted(archive: Path, tmp_path: Path) -> None:
    output = tmp_path / "c.vert"
    progress = run_job(CorpusJob((archive,), output))
    documents = list(read(output.read_text().split("\n")[:-1], dialect("sketch")))
    assert len(documents) == progress.inventory.documents == 40
    assert documents[0].attribute("url") == "http://x.org/a/0"
    assert any(
        span.url == "http://x.org/next" for passage in documents[0].passages() for span in passage.spans
    )
    assert progress.reasons["not HTML: image/png"] == 2
    assert progress.reasons["status 404"] == 2
    assert "STRUCTURE doc {" in (tmp_path / "c.vert.registry").read_text()
    assert not (tmp_path / "c.vert.progress").exists()


def test_two_processes_write_the_same_bytes_as_one(archive: Path, tmp_path: Path) -> None:
    run_job(CorpusJob((archive,), tmp_path / "one.vert"))
    run_job(CorpusJob((archive,), tmp_path / "two.vert", processes=2))
    assert (tmp_path / "one.vert").read_bytes() == (tmp_path / "two.vert").read_bytes()


def write_single_records(file: Path, folder: Path, pages: int) -> list[bytes]:
    """Write a WARC file whose records are compressed one by one, and return them as they are in it."""
    records = []
    for number in range(pages):
        body = page(number) + (f"<!-- {'x' * 2_500_000} -->" if number == 30 else "")
        write_warc(folder / "one.gz", [(f"http://x.org/{number}", "text/html", body)])
        records.append((folder / "one.gz").read_bytes())
    file.write_bytes(b"".join(records))
    return records


def _flip(records: list[bytes], at: int) -> bytes:
    damaged = bytearray(records[at])
    damaged[len(damaged) // 2] ^= 0xFF
    return b"".join([*records[:at], bytes(damaged), *records[at + 1 :]])


def _split(records: list[bytes], at: int) -> bytes:
    """A record in two members, as some crawlers wrote them."""
    text = gzip.decompress(records[at])
    halves = gzip.compress(text[:700]) + gzip.compress(text[700:])
    return b"".join([*records[:at], halves, *records[at + 1 :]])


def _lie(records: list[bytes], at: int) -> bytes:
    """A record that says it is longer than it is."""
    text = gzip.decompress(records[at]).replace(b"Content-Length: 1", b"Content-Length: 91", 1)
    return b"".join([*records[:at], gzip.compress(text), *records[at + 1 :]])


def _nest(records: list[bytes], at: int) -> bytes:
    """A record that contains an archive, and is not compressed: its bytes look like many records."""
    text = gzip.decompress(records[at])
    inner = b"".join(records[:20])
    length = len(text) - text.index(b"\r\n\r\n") - 8
    text = text.replace(b"Content-Length: %d" % length, b"Content-Length: %d" % (length + len(inner)), 1)
    nested = gzip.compress(text[:-4] + inner + text[-4:], compresslevel=0)
    return b"".join([*records[:at], nested, *records[at + 1 :]])


@pytest.mark.parametrize(
    "change",
    [
        b"".join,
        lambda records: _nest(records, 20),
        lambda records: _nest(records, 69),
        lambda records: b"".join(records)[:-40],
        lambda records: b"".join(records) + b"no record",
        lambda records: b"".join(records[:40]) + b"noise" + b"".join(records[40:]),
        lambda records: _flip(records, 45),
        lambda records: _flip(records, 0),
        lambda records: _split(records, 33),
        lambda records: _lie(records, 31),
        lambda records: gzip.compress(b"".join(map(gzip.decompress, records))),
    ],
)
def test_workers_read_the_records_of_one_large_file_as_one_process_does(
    tmp_path: Path, change: Callable[[list[bytes]], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("threadmill.parallel.parts._LEAST_RANGE", 1 << 10)
    file = tmp_path / "large.warc.gz"
    file.write_bytes(change(write_single_records(file, tmp_path, 70)))
    one = run_job(CorpusJob((file,), tmp_path / "one.vert"))
    seen: list[int] = []
    two = run_job(
        CorpusJob((file,), tmp_path / "two.vert", processes=2), lambda now: seen.append(now.position)
    )
    assert (tmp_path / "one.vert").read_bytes() == (tmp_path / "two.vert").read_bytes()
    assert one.reasons == two.reasons
    assert (one.pages, one.octets, one.inventory) == (two.pages, two.octets, two.inventory)
    assert seen == sorted(seen)
    assert seen[-1] == file.stat().st_size


def test_a_record_of_a_large_file_that_kills_its_process_is_left_out_alone(tmp_path: Path) -> None:
    file = tmp_path / "large.warc.gz"
    write_single_records(file, tmp_path, 20)
    hook = tmp_path / "hook.py"
    hook.write_text(
        "import os\n\ndef keep(text, verdict, html):\n"
        "    return os._exit(1) if 'Line 7.0' in text else ('good', text)\n"
    )
    options = CorpusOptions(hook=f"{hook}:keep")
    progress = run_job(CorpusJob((file,), tmp_path / "c.vert", options, processes=2))
    assert progress.inventory.documents == 19


@pytest.mark.parametrize("rules", [None, DedupRules(megabytes=1)])
def test_an_interrupted_run_goes_on_with_the_file_it_had_not_finished(
    archive: Path, tmp_path: Path, rules: DedupRules | None
) -> None:
    whole, broken = tmp_path / "whole.vert", tmp_path / "broken.vert"
    run_job(CorpusJob((archive,), whole, dedup=rules))

    def stop(progress: BuildProgress) -> None:
        if progress.files_done == 1 and progress.pages > 30:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(CorpusJob((archive,), broken, dedup=rules), stop)
    assert len(json.loads((tmp_path / "broken.vert.progress").read_text())["done"]) == 1
    files: list[str] = []
    progress = run_job(CorpusJob((archive,), broken, dedup=rules), lambda now: files.append(now.file))
    assert set(files) == {str(archive / "b.warc.gz")}
    assert broken.read_bytes() == whole.read_bytes()
    assert progress.pages == 44


@pytest.mark.parametrize("rules", [None, DedupRules(megabytes=1)])
def test_a_run_that_stops_after_any_group_gives_the_same_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rules: DedupRules | None
) -> None:
    """Small and large files, with and without archives: a group may hold several files or a part of one."""
    monkeypatch.setattr("threadmill.corpus.build.corpus_file._SAVING_SHARE", 0.0)
    folder = tmp_path / "mixed"
    folder.mkdir()
    sizes = [1, 3, 40, 1, 1, 17, 2, 16, 1, 33, 5]
    for number, size in enumerate(sizes):
        pages = [(f"http://x.org/{number}/{n}", "text/html", page(100 * number + n)) for n in range(size)]
        write_warc(folder / f"{number:02}.warc.gz", pages)
        (folder / f"{number:02}b.html").write_text(page(10_000 + number), encoding="utf-8")
    groups: list[int] = []
    run_job(CorpusJob((folder,), tmp_path / "whole.vert", dedup=rules), lambda now: groups.append(now.pages))
    whole = (tmp_path / "whole.vert").read_bytes()
    assert len(groups) > 8
    for last in range(1, len(groups)):
        _stop_after(CorpusJob((folder,), tmp_path / f"{last}.vert", dedup=rules), last)
        run_job(CorpusJob((folder,), tmp_path / f"{last}.vert", dedup=rules))
        assert (tmp_path / f"{last}.vert").read_bytes() == whole, f"stopped after group {last}"


def _stop_after(job: CorpusJob, groups: int) -> None:
    seen: list[int] = []

    def stop(now: BuildProgress) -> None:
        seen.append(now.pages)
        if len(seen) == groups:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_job(job, stop)


def test_a_run_that_is_killed_goes_on_where_it_was(archive: Path, tmp_path: Path) -> None:
    for number in range(30):
        pages = [(f"http://x.org/{number}/{n}", "text/html", page(number * 20 + n)) for n in range(20)]
        write_warc(archive / f"c{number:02}.warc.gz", pages)
    whole, killed = tmp_path / "whole.vert", tmp_path / "killed.vert"
    marker = tmp_path / "killed.vert.progress"
    words = [sys.executable, "-m", "threadmill", "vert", str(archive), "--processes", "2", "-o", str(killed)]
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as run:
        while not marker.exists() and run.poll() is None:
            time.sleep(0.02)
        workers = _children(run.pid)
        run.kill()
    assert _all_end(workers), "a process waits for ever for work from the one that was killed"
    assert marker.exists(), "the run was over before it could be killed"
    done = len(json.loads(marker.read_text())["done"])
    files: list[int] = []
    run_job(CorpusJob((archive,), killed), lambda now: files.append(now.files_done))
    run_job(CorpusJob((archive,), whole))
    assert 0 < done <= files[0]
    assert killed.read_bytes() == whole.read_bytes()
    assert not marker.exists()


def test_a_run_that_is_killed_in_the_middle_of_a_large_file_keeps_the_ranges_it_had_done(
    tmp_path: Path,
) -> None:
    file, killed, whole = tmp_path / "large.warc.gz", tmp_path / "killed.vert", tmp_path / "whole.vert"
    log, hook, slow = tmp_path / "log", tmp_path / "hook.py", tmp_path / "slow"
    chance = random.Random(1)
    with file.open("wb") as out:
        for number in range(40):
            body = f"{page(number)}<!-- {chance.randbytes(60_000).hex()} -->"
            write_warc(tmp_path / "one.gz", [(f"http://x.org/{number}", "text/html", body)])
            out.write((tmp_path / "one.gz").read_bytes())
    hook.write_text(
        "import os, time\n"
        "def judge(text, judged, html):\n"
        f"    with open({str(log)!r}, 'a') as log: log.write('x')\n"
        f"    if os.path.exists({str(slow)!r}): time.sleep(0.02)\n"
        "    return judged, text\n"
    )
    slow.touch()  # until the run is killed
    words = [sys.executable, "-m", "threadmill", "vert", str(file), "--hook", f"{hook}:judge"]
    words += ["--processes", "2", "-o"]
    with subprocess.Popen([*words, str(killed)], stderr=subprocess.DEVNULL) as run:
        while len(list(tmp_path.glob("killed.vert.parts/*.json"))) < 3 and run.poll() is None:
            time.sleep(0.02)
        workers = _children(run.pid)
        run.kill()
    assert run.returncode == -signal.SIGKILL, "the run was over before it could be killed"
    assert _all_end(workers)
    slow.unlink()
    log.write_text("")
    subprocess.run([*words, str(killed)], check=True, capture_output=True)
    second = log.stat().st_size
    log.write_text("")
    subprocess.run([*words[:-3], "-o", str(whole)], check=True, capture_output=True)
    assert killed.read_bytes() == whole.read_bytes()
    assert 0 < second < log.stat().st_size
    assert not (tmp_path / "killed.vert.parts").exists()


def _children(process: int) -> list[Path]:
    """Where the system shows what runs under a process; nothing where it does not."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    return [Path("/proc") / number for file in listed for number in file.read_text().split()]


def _all_end(processes: list[Path], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while (alive := [p for p in processes if p.exists()]) and time.monotonic() < end:
        time.sleep(0.05)
    return not alive


def test_near_duplicates_are_left_out_or_marked(archive: Path, tmp_path: Path) -> None:
    run_job(CorpusJob((archive,), tmp_path / "c.vert", dedup=DedupRules(megabytes=1)))
    removed = (tmp_path / "c.vert").read_text()
    run_job(CorpusJob((archive,), tmp_path / "m.vert", dedup=DedupRules(mark=True, megabytes=1)))
    assert removed.count("<doc ") < 40
    assert (tmp_path / "m.vert").read_text().count("<doc ") == 40
    assert "<dup/>" in (tmp_path / "m.vert").read_text()


def test_unwanted_languages_are_left_out_unless_nobody_looks(archive: Path, tmp_path: Path) -> None:
    progress = run_job(CorpusJob((archive,), tmp_path / "c.vert", CorpusOptions(languages=("cs",))))
    assert progress.reasons["language en"] == 40
    progress = run_job(
        CorpusJob((archive,), tmp_path / "d.vert", CorpusOptions(languages=("cs",), detect=False))
    )
    assert progress.inventory.documents == 40


def test_a_wikipedia_extract_keeps_all_its_text(tmp_path: Path) -> None:
    extract = tmp_path / "wiki.txt"
    extract.write_text('<doc id="1" title="A &amp; B" url="http://w.org/A">\n<h1>A</h1>\n<p>Yes.</p>\n</doc>\n<doc id="2" title="C" url="http://w.org/C">\nOne line.\nAnother.\n</doc>\n')  # noqa: E501  # fmt: skip
    run_job(CorpusJob((extract,), tmp_path / "w.vert", wiki=True))
    first, second = read((tmp_path / "w.vert").read_text().split("\n")[:-1], dialect("sketch"))
    assert first.attribute("title") == "A & B"
    assert [p.text for p in first.passages()] == ["A", "Yes."]
    assert [p.text for p in second.passages()] == ["One line.", "Another."]


def test_the_language_of_a_wikipedia_extract_is_found_or_the_one_that_is_asked_for(tmp_path: Path) -> None:
    text = "Eine Mühle ist eine Anlage, die Korn zu Mehl mahlt. Sie steht meistens an einem Bach. " * 4
    (tmp_path / "w.txt").write_text(f'<doc id="1" title="Mühle" url="http://w.org/M">\n{text}\n</doc>\n')
    for languages, expected in (
        ((), ["de"]),
        (("de", "en"), ["de"]),
        (("nds",), ["nds"]),
        (("en", "cs"), []),
    ):
        options = CorpusOptions(languages=languages)
        run_job(CorpusJob((tmp_path / "w.txt",), tmp_path / "w.vert", options, wiki=True))
        lines = (tmp_path / "w.vert").read_text().split("\n")[:-1]
        assert [one.attribute("lang") for one in read(lines, dialect("sketch"))] == expected


def test_a_corpus_is_no_input_of_a_corpus(tmp_path: Path) -> None:
    (tmp_path / "c.vert.gz").write_bytes(b"")
    with pytest.raises(UsageError, match="is a corpus already; threadmill vert convert"):
        run_job(CorpusJob((tmp_path / "c.vert.gz",), tmp_path / "d.vert"))


@pytest.mark.parametrize(
    "broken", [b"", b"WARC/1.0\r\nbroken", b"\x1f\x8b\x08\x00garbage", b"<html>" + b"<div>" * 50_000]
)
def test_a_broken_input_does_not_stop_the_run(tmp_path: Path, broken: bytes) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "a.warc.gz").write_bytes(broken)
    (folder / "b.html").write_bytes(broken)
    (folder / "c.html").write_text(page(1))
    assert run_job(CorpusJob((folder,), tmp_path / "c.vert")).inventory.documents >= 1


def test_a_page_that_fails_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RecursionError

    monkeypatch.setattr("threadmill.page.clean.cut_page", fail)
    (tmp_path / "c.html").write_text(page(1))
    assert (
        run_job(CorpusJob((tmp_path / "c.html",), tmp_path / "c.vert")).reasons["failed with RecursionError"]
        == 1
    )


def test_a_run_says_first_that_many_pages_failed(
    archive: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("threadmill.corpus.build.page_to_corpus.Lemmatiser", fail)
    code = main(["vert", str(archive), "-o", str(tmp_path / "c.vert"), "--lemma", "--processes", "1"])
    assert code == 1
    first = capsys.readouterr().err.splitlines()[0]
    assert first == "40 of 44 pages failed and are missing in the corpus"


def test_lemmas_and_tags_are_columns_of_their_own(tmp_path: Path) -> None:
    pytest.importorskip("simplemma")
    (tmp_path / "c.html").write_text(page(1))
    for options, expected in (
        (["--lemma"], "stood\tstand"),
        (["--tags"], "stood\tVERB"),
        (["--lemma", "--tags"], "stood\tstand\tVERB"),
    ):
        output = tmp_path / "c.vert"
        assert main(["vert", str(tmp_path / "c.html"), "-o", str(output), "--processes", "1", *options]) == 0
        assert expected in output.read_text().split("\n")
        registry = (tmp_path / "c.vert.registry").read_text().split("\n")
        assert sum(line.startswith("ATTRIBUTE ") for line in registry) == len(options) + 2  # word and lc


def test_other_formats(tmp_path: Path) -> None:
    (tmp_path / "c.html").write_text(page(1))
    run_job(CorpusJob((tmp_path / "c.html",), tmp_path / "c.jsonl", CorpusOptions(format="jsonl")))
    assert "old mill" in json.loads((tmp_path / "c.jsonl").read_text())["text"]
    run_job(CorpusJob((tmp_path / "c.html",), tmp_path / "c.conllu", CorpusOptions(format="conllu")))
    assert "# text = " in (tmp_path / "c.conllu").read_text()


def test_the_verb_speaks_as_the_old_tool_did(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "c.vert"
    words = [
        "vert",
        "--input",
        str(archive),
        "--output",
        str(output),
        "--no-lang-detect",
        "--dialect",
        "knot",
    ]
    assert main([*words, "--processes", "1"]) == 0
    assert "left out: 2 × status 404" in capsys.readouterr().err
    assert "\t<length=3>" in output.read_text()
    assert main(["vert", "check", str(output)]) == 0
    output.write_text("<doc>\n<p>\n")
    assert main(["vert", "check", str(output)]) == 1
    assert "<doc> is never closed" in capsys.readouterr().out


def test_a_hook_is_loaded_from_a_file_and_a_wrong_one_is_told(archive: Path, tmp_path: Path) -> None:
    hook = tmp_path / "my.py"
    hook.write_text("def keep(text, verdict, html):\n    return 'good', text.upper()\n")
    run_job(CorpusJob((archive,), tmp_path / "c.vert", CorpusOptions(hook=f"{hook}:keep")))
    assert "\nVILLAGE\n" in (tmp_path / "c.vert").read_text()
    with pytest.raises(UsageError, match="--hook wants"):
        run_job(CorpusJob((archive,), tmp_path / "c.vert", CorpusOptions(hook="nosuch:keep")))


def test_pages_that_a_hook_fails_on_are_counted_with_what_it_said(archive: Path, tmp_path: Path) -> None:
    hook = tmp_path / "my.py"
    hook.write_text("def keep(text, verdict, html):\n    raise KeyError('no such colour')\n")
    done = run_job(CorpusJob((archive,), tmp_path / "c.vert", CorpusOptions(hook=f"{hook}:keep")))
    assert any("the hook failed with KeyError: 'no such colour'" in reason for reason in done.reasons)


def test_a_run_says_first_that_a_hook_failed_on_many_pages(
    archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hook = tmp_path / "my.py"
    hook.write_text(
        "def keep(text, verdict, html):\n    assert 'village' not in text.lower()\n    return verdict, text\n"
    )
    words = ["vert", str(archive), str(tmp_path / "kept.html"), "-o", str(tmp_path / "c.vert")]
    (tmp_path / "kept.html").write_text(page(1).replace("illage", "alley"))
    assert main([*words, "--hook", f"{hook}:keep", "--processes", "1"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert "pages failed and are missing in the corpus" in told[0]
    assert "<doc " in (tmp_path / "c.vert").read_text()


def test_nothing_to_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(NothingFoundError, match="does not exist"):
        run_job(CorpusJob((tmp_path / "no.warc",), tmp_path / "c.vert"))
    with pytest.raises(NothingFoundError, match="nothing to do"):
        run_job(CorpusJob((tmp_path,), tmp_path / "c.vert"))


def test_a_corpus_goes_from_an_object_store_to_an_object_store(archive: Path, tmp_path: Path) -> None:
    run_job(CorpusJob((archive,), tmp_path / "local.vert"))
    with run_object_store() as bucket:
        for file in archive.iterdir():
            RemoteFile(f"{bucket}/in/{file.name}").write_bytes(file.read_bytes())
        output = RemoteFile(f"{bucket}/out/c.vert")
        progress = run_job(CorpusJob((RemoteFile(f"{bucket}/in"),), output, processes=2))
        assert output.read_bytes() == (tmp_path / "local.vert").read_bytes()
        assert [file.name for file in RemoteFile(f"{bucket}/out").files()] == ["c.vert", "c.vert.registry"]
    assert progress.files_done == 2
    assert progress.pages == 44


def test_a_file_that_kills_its_process_is_named_and_the_others_are_kept(
    archive: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(8):
        write_warc(archive / f"c{number}.warc.gz", [("http://x.org/c", "text/html", page(number))])
    hook = tmp_path / "hook.py"
    hook.write_text(
        "import os\n"
        "def judge(text, judged, html):\n"
        "    if 'Line 5.' in text: os._exit(9)\n"
        "    return judged, text\n"
    )
    (archive / "a.warc.gz").unlink()
    (archive / "b.warc.gz").unlink()
    options = CorpusOptions(hook=f"{hook}:judge")
    done = run_job(CorpusJob((archive,), tmp_path / "c.vert", options, processes=2))
    assert done.inventory.documents == 7
    assert "http://x.org/c was left out" in caplog.text or "c5.warc.gz was left out" in caplog.text
    assert done.unreadable_files + done.failed_pages == 1


def test_records_become_documents_with_their_metadata(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_text('{"text": "The old mill.\\nIt turns.", "url": "http://x.org/1", "title": "Mills", "author": "Anna", "date": "2024-05-06"}\n')  # noqa: E501  # fmt: skip
    run_job(CorpusJob((file,), tmp_path / "c.vert", CorpusOptions(metadata=True, detect=False)))
    (document,) = read((tmp_path / "c.vert").read_text().split("\n")[:-1], dialect("sketch"))
    assert document.attribute("title") == "Mills"
    assert document.attribute("author") == "Anna"
    assert document.attribute("date").startswith("2024-05-06")
    assert [passage.text for passage in document.passages()] == ["The old mill.", "It turns."]


@pytest.mark.parametrize("processes", [1, 2])
def test_unreadable_files_are_named_and_the_others_follow(tmp_path: Path, processes: int) -> None:
    bad = tmp_path / "bad.warc.lz4"
    bad.write_bytes(b"\x04\x22\x4d\x18 noise")
    good = tmp_path / "good.jsonl"
    good.write_text('{"text": "The mill stands at the river."}\n')
    done = run_job(CorpusJob((bad, good), tmp_path / "c.vert", processes=processes))
    (reason,) = done.reasons
    assert reason.startswith(f"unreadable file: {bad}: ")
    assert "lz4" in reason
    assert (done.unreadable_files, done.inventory.documents) == (1, 1)


def test_a_folder_of_wrong_files_names_some_of_them() -> None:
    progress = BuildProgress()
    for number in range(200):
        reasons = Counter({unreadable_file(Path(f"file{number}"), "is no archive"): 1})
        progress.add(BatchResult(reasons=reasons))
    assert progress.unreadable_files == 200
    assert len(progress.reasons) == 51
    assert progress.reasons["unreadable file: and others"] == 150


def test_the_registry_names_the_language_that_was_asked_for(archive: Path, tmp_path: Path) -> None:
    run_job(CorpusJob((archive,), tmp_path / "c.vert", CorpusOptions(languages=("en",))))
    assert 'LANGUAGE "English"' in (tmp_path / "c.vert.registry").read_text()
