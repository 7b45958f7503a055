"""Prints one hash per command, of what it writes for the shared data: two equal tables mean equal output.

    python3 dev.py run python tools/output_hashes.py > before.txt

Run it before and after a change that must not alter any output. With --compare before.txt the second run says
which outputs differ, and ends with 1 if any does. A hash depends on the data and on the output alone, not on
the machine, the folder or the clock. With --keep FOLDER the outputs themselves are kept, so that a difference
can be looked at.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import mimetypes
import os
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path

SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
NOW = "2025-06-01T12:00:00+00:00"
TEMPLATE_HOSTS = 6  # hosts with the most pages, for `template remove`
COMPARED_HOSTS = 40
VERT_OPTIONS = ("--format conllu", "--format jsonl", "--dedup mark", "--lemma --metadata")


def main() -> int:
    """Run every command on the shared data and print its hash."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=SHARED, help="the shared data (../shared/data)")
    parser.add_argument("--only", default="", help="only the commands whose title contains this word")
    parser.add_argument("--pages", type=int, default=400, help="pages for `clean` and `vert`")
    parser.add_argument("--compare", type=Path, help="a file with the hashes of an earlier run")
    parser.add_argument("--keep", type=Path, help="keep the outputs in this folder")
    options = parser.parse_args()
    if not options.data.is_dir():
        print(f"output_hashes: expected the shared data at {options.data}; use --data", file=sys.stderr)
        return 2
    keep = options.keep.resolve() if options.keep else None
    earlier = read_hashes(options.compare) if options.compare else {}
    differ = False
    with tempfile.TemporaryDirectory() as name:
        os.chdir(name)
        for title, command in commands(options.data.resolve(), options.pages):
            if options.only in title:
                output = command()
                digest = digest_of(output)
                is_other = earlier.get(title, digest) != digest
                differ |= is_other
                print(f"{digest}  {title}{'  (differs)' if is_other else ''}", flush=True)
                if keep:
                    keep.mkdir(parents=True, exist_ok=True)
                    (keep / title.replace(" ", "_")).write_bytes(output)
    return int(differ)


def read_hashes(file: Path) -> dict[str, str]:
    """The hash of each command in what an earlier run printed."""
    lines = (line.split(maxsplit=1) for line in file.read_text(encoding="utf-8").splitlines())
    return {title.removesuffix("(differs)").strip(): digest for digest, title in lines}


def commands(data: Path, count: int) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Title of each command, and the function that runs it and gives its output."""
    pages = write_pages(data, Path("pages"), count)
    for method in ("default", "justext", "everything"):
        yield (
            f"clean --method {method}",
            partial(run, "clean", "--format", "jsonl", "--method", method, str(pages)),
        )
    yield "clean --format html-marked", partial(run, "clean", "--format", "html-marked", str(pages))
    for words in (*(f"--dialect {name}" for name in ("sketch", "cwb", "knot")), *VERT_OPTIONS):
        yield f"vert {words}", partial(run, "vert", "-o", "-", *words.split(), str(pages))
    for folder in ("forum-pages", "forum-pages-2"):
        files = sorted(str(file) for file in (data / folder / "pages").glob("*.html.gz"))
        where = ["--now", NOW, "--url", "http://forum.test/page"]
        yield f"forum posts {folder}", partial(run, "forum", "posts", *where, *files)
    text = text_lines(pages)
    yield "dates --json", partial(run, "dates", "--json", "--now", NOW, stdin=text)
    yield "dates --column", partial(run, "dates", "--column", "--now", NOW, stdin=text[:400_000])
    hosts = unpack_hosts(data / "sites", Path("hosts"))
    yield "template remove", partial(remove_templates, hosts)
    yield "sites compare", partial(compare_hosts, hosts[:COMPARED_HOSTS])


def run(*words: str, stdin: bytes = b"") -> bytes:
    """What a command prints."""
    command = [sys.executable, "-m", "threadmill", *words]
    done = subprocess.run(command, input=stdin, capture_output=True, check=False)
    if done.returncode not in {0, 1}:
        sys.stderr.buffer.write(done.stderr[-2000:])
    return done.stdout.replace(bytes(Path.cwd()), b"")  # some commands write the paths of their inputs


def digest_of(output: bytes) -> str:
    """A short hash of bytes."""
    return hashlib.sha256(output).hexdigest()[:16]


def write_pages(data: Path, folder: Path, count: int) -> Path:
    """Pages of the extraction sets as HTML files in one folder."""
    folder.mkdir(parents=True)
    for name in ("wcxb_dev353", "news_l3s"):
        with gzip.open(data / "extraction" / f"{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for number, line in zip(range(count // 2), lines, strict=False):
                (folder / f"{name}-{number:04d}.html").write_text(json.loads(line)["html"], encoding="utf-8")
    return folder


def text_lines(pages: Path) -> bytes:
    """The text of the pages as lines, which the dates are looked for in."""
    command = [sys.executable, "-m", "threadmill", "clean", "--method", "everything", str(pages)]
    done = subprocess.run(command, capture_output=True, check=True)
    return done.stdout[:1_500_000]


def unpack_hosts(data: Path, folder: Path) -> list[Path]:
    """The folders of the recorded sites, those with the most pages first."""
    with tarfile.open(data / "companies.tar.xz") as archive:
        archive.extractall(folder, filter="data")
    return sorted(_host_folders(folder), key=lambda host: (-len(list(host.rglob("*.htm*"))), host.name))


def _host_folders(folder: Path) -> list[Path]:
    """The folders directly below the one that holds all hosts."""
    inner = [path for path in folder.iterdir() if path.is_dir()]
    return _host_folders(inner[0]) if len(inner) == 1 else inner


def remove_templates(hosts: list[Path]) -> bytes:
    """Pages whose framing was removed, over several sites."""
    parts: list[bytes] = []
    for host in hosts[:TEMPLATE_HOSTS]:
        output = Path("removed") / host.name
        run("template", "remove", str(host), "--site", host.name, "--output", str(output))
        parts += [file.read_bytes() for file in sorted(output.rglob("*")) if file.is_file()]
    return b"\0".join(parts)


def compare_hosts(hosts: list[Path]) -> bytes:
    """A comparison whose every answer comes from an archive made here."""
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    archive = Path("archive")
    archive.mkdir()
    with (archive / "sites.warc.gz").open("wb") as stream:
        writer = WARCWriter(stream, gzip=True)
        for host in hosts:
            for file in sorted(path for path in host.rglob("*") if path.is_file()):
                kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
                head = StatusAndHeaders("200 OK", [("Content-Type", kind)], protocol="HTTP/1.1")
                path = file.relative_to(host).as_posix()
                for url in {path, path.removesuffix("index.html")}:
                    address = f"http://{host.name}.test/{url}"
                    date = {"WARC-Date": "2025-01-01T00:00:00Z"}
                    record = writer.create_warc_record(
                        address,
                        "response",
                        BytesIO(file.read_bytes()),
                        http_headers=head,
                        warc_headers_dict=date,
                    )
                    writer.write_record(record)
    Path("list.txt").write_text("".join(f"http://{host.name}.test/\n" for host in hosts))
    result = Path("results.json")
    words = ["--archive", str(archive), "--use-archive-data", "--delay", "0", "-o", str(result)]
    run("sites", "compare", "list.txt", *words)
    return result.read_bytes()


if __name__ == "__main__":
    sys.exit(main())
