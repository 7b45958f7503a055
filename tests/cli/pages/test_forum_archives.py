import json
import re
from html import unescape
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.corpus.build.test_pipeline import page, write_warc
from threadmill.archive.page_spool import GroupedPages
from threadmill.archive.remote_files import as_file
from threadmill.cli import main
from threadmill.cli.pages.forum_archives import learn_task
from threadmill.cli.pages.site_pages import group_by_site
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation

HREF = re.compile(r'href="([^"#]+)"')


def forum_pages(kind: str, name: str) -> list[tuple[str, str, str]]:
    """All pages of a simulated forum that links lead to."""
    simulation = Simulation({name: open_forum(kind, 60, name=name)}, as_unix_time("2015-12-01"))
    home = f"http://{name}.localhost/"
    waiting, known, found = [home], set[str](), []
    while waiting:
        url = waiting.pop(0)
        answer = simulation.answer(url, {"Host": f"{name}.localhost", "Cookie": "session=1"})
        if not answer.page or answer.page in known:
            continue
        known.add(answer.page)
        text = answer.body.decode("utf-8", "replace")
        found.append((url, "text/html; charset=utf-8", text))
        targets = (urljoin(url, unescape(href)) for href in HREF.findall(text))
        waiting += [target for target in targets if target.startswith(home)]
    return found


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two forums and a site without one, mixed in two files."""
    folder = tmp_path_factory.mktemp("archive")
    pages = [*forum_pages("harbour", "a"), *forum_pages("werkbank", "b")]
    pages += [(f"http://news.localhost/{n}", "text/html", page(n)) for n in range(5)]
    for number in range(2):
        write_warc(folder / f"{number}.warc.gz", pages[number::2])
    return folder


def test_each_site_with_a_forum_gets_a_model(archive: Path, tmp_path: Path) -> None:
    for processes in ("1", "2"):
        output = tmp_path / processes
        assert main(["forum", "learn", str(archive), "-o", str(output), "--processes", processes]) == 0
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()
    records = {
        record["site"]: record for record in map(json.loads, (tmp_path / "1").read_text().splitlines())
    }
    assert records.keys() == {"a.localhost", "b.localhost"}
    assert records["a.localhost"]["entry"] == "http://a.localhost/"
    assert records["a.localhost"]["model"]["wrapper"]


def test_posts_are_read_with_the_models(archive: Path, tmp_path: Path) -> None:
    models = tmp_path / "models.jsonl"
    assert main(["forum", "learn", str(archive), "-o", str(models)]) == 0
    outputs = []
    for name, options in (("plain", []), ("models", ["--models", str(models)])):
        assert main(["forum", "posts", str(archive), "-o", str(tmp_path / name), *options]) == 0
        outputs.append([json.loads(line) for line in (tmp_path / name).read_text().splitlines()])
    authors = {post["author"] for post in outputs[1]}
    assert len(outputs[1]) >= len(outputs[0]) > 10
    assert None not in authors
    assert len(authors) > 3


def test_few_pages_of_a_site_are_read(archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    real = GroupedPages.__getitem__

    def note(self: GroupedPages, index: int) -> bytes:
        read.append(index)
        return real(self, index)

    pages = group_by_site([as_file(archive)])["a.localhost"]
    monkeypatch.setattr(GroupedPages, "__getitem__", note)
    found = learn_task(None, (pages,))
    assert found is not None
    assert found["learnt_from"] == len(read) < 40


def test_an_archive_without_forums_ends_with_code_1(tmp_path: Path) -> None:
    write_warc(tmp_path / "a.warc.gz", [(f"http://x.org/{n}", "text/html", page(n)) for n in range(4)])
    assert main(["forum", "learn", str(tmp_path), "-o", str(tmp_path / "models")]) == 1


def test_a_file_of_something_else_is_no_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "models").write_text('{"a": 1}\n')
    write_warc(tmp_path / "a.warc.gz", [("http://x.org/", "text/html", page(1))])
    words = ["forum", "posts", str(tmp_path / "a.warc.gz"), "--models", str(tmp_path / "models")]
    assert main(words) == 2
    assert "line 1" in capsys.readouterr().err
    assert main(["forum", "learn", str(tmp_path / "none")]) == 1
    assert "none does not exist" in capsys.readouterr().err
