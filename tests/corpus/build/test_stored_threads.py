from datetime import UTC, datetime
from pathlib import Path

from threadmill.archive.read_tally import ReadTally
from threadmill.archive.warc_writer import ArchiveWriter
from threadmill.cli import main
from threadmill.corpus.build.corpus_file import CorpusJob
from threadmill.corpus.build.corpus_options import CorpusOptions
from threadmill.corpus.build.pipeline import run_job
from threadmill.corpus.build.stored_threads import CorpusThread, is_workspace, read_workspace
from threadmill.corpus.query.measures import frequency_over_time
from threadmill.corpus.query.position_index import IndexBuilder
from threadmill.corpus.vertical import dialect, read
from threadmill.corpus.vertical.check import Checker
from threadmill.store import open_store
from threadmill.store.crawl.captures import CaptureRow, add_captures
from threadmill.store.crawl.jobs import find_or_add_job
from threadmill.store.forum.forums import keep_forum
from threadmill.store.forum.posts import add_post
from threadmill.store.forum.threads import add_thread
from threadmill.types import Capture, Exchange, Link, Moment, Post, Quote
from threadmill.workspace import open_workspace

NOW = datetime(2025, 5, 1, tzinfo=UTC)
OWN = "I would take the train to the coast, because the road is closed in the evening. It is cheaper, too."
QUOTED = "How do I get to the lighthouse on a Sunday?"
BODY = (
    "<html lang=en><title>The mill</title><body><article><p>The old mill stood at the end of the village, "
    "and nobody had lived there for many years.</p><p>{} In the evening the children went down to the "
    "river to look at the boats that came from the town.</p></article>"
)


def forum_workspace(root: Path, posts: int = 3) -> Path:
    store = open_store(open_workspace(root, create=True).store_url)
    with store.writing() as connection:
        job = find_or_add_job(connection, "forum", "http://f.example/", "forum", NOW)
        forum = keep_forum(connection, job.id, "http://f.example/", {}, NOW)
        for name in ("a", "b"):
            url = f"http://f.example/t/{name}"
            thread = add_thread(connection, forum=forum, key=name, url=url, title=f"Way {name}")
            for number in range(1, posts + 1):
                post = Post(
                    f"{OWN} Number {number}.",
                    "",
                    author="anna",
                    date=Moment(datetime(2024, 5, number % 28 + 1, tzinfo=UTC).date()),
                    post_id=f"{name}{number}",
                    position=number,
                    quotes=(Quote(QUOTED, "bert"),),
                )
                add_post(connection, thread, post, url, NOW)
    store.close()
    return root


def site_workspace(root: Path) -> Path:
    workspace = open_workspace(root, create=True)
    store = open_store(workspace.store_url)
    rows = []
    with store.writing() as connection, ArchiveWriter(workspace.archive) as archive:
        job = find_or_add_job(connection, "site", "http://s.example/", "site", NOW)
        for url, wording in (("/1", "Old."), ("/2", "Only."), ("/1", "New.")):
            address = f"http://s.example{url}"
            headers = (("Content-Type", "text/html"),)
            body = BODY.format(wording).encode()
            place = archive.write(Exchange(address, NOW, b"GET / HTTP/1.1\r\n\r\n", 200, "OK", headers, body))
            rows.append(
                CaptureRow(
                    job.id, address, NOW, 200, file=place.file, offset=place.offset, length=place.length
                )
            )
        add_captures(connection, rows)
    store.close()
    return root


def test_threads_of_a_workspace_become_documents_of_posts_with_quotes_marked(tmp_path: Path) -> None:
    root = forum_workspace(tmp_path / "w")
    progress = run_job(CorpusJob((root,), tmp_path / "c.vert"))
    text = (tmp_path / "c.vert").read_text()
    first, second = read(text.split("\n")[:-1], dialect("sketch"))
    assert progress.inventory.documents == 2
    assert [document.attribute("title") for document in (first, second)] == ["Way a", "Way b"]
    assert first.attribute("lang") == "en"
    assert text.count('<post author="anna" date="2024-05-02" url="http://f.example/t/a" id="a1">') == 1
    assert text.count("<post ") == 6
    assert text.count('<quote author="bert">') == 6
    assert [passage.text for passage in first.passages()][:2] == [QUOTED, f"{OWN} Number 1."]
    assert not list(Checker().check((tmp_path / "c.vert").read_bytes().splitlines(keepends=True)))


def test_links_of_stored_posts_keep_their_place(tmp_path: Path) -> None:
    root = forum_workspace(tmp_path / "w", 1)
    store = open_store(open_workspace(root).store_url)
    with store.writing() as connection:
        linked = Post(
            f"{OWN} See the plan.",
            f'<div>{OWN} See <a href="../plan.pdf">the plan</a>.</div>',
            position=2,
            links=(Link("http://f.example/plan.pdf", "the plan", 0, 0),),
        )
        add_post(connection, 1, linked, "http://f.example/t/a", NOW)
    store.close()
    run_job(CorpusJob((root,), tmp_path / "c.vert"))
    text = (tmp_path / "c.vert").read_text()
    assert text.count('See\n<link url="http://f.example/plan.pdf">\nthe\nplan\n</link>\n<g/>\n.') == 1
    assert text.count("<link ") == 1


def test_with_metadata_the_document_of_a_thread_has_the_date_of_its_first_post(tmp_path: Path) -> None:
    root = forum_workspace(tmp_path / "w", 3)
    run_job(CorpusJob((root,), tmp_path / "c.vert", CorpusOptions(metadata=True)))
    documents = list(read((tmp_path / "c.vert").read_text().split("\n")[:-1], dialect("sketch")))
    assert [document.attribute("date") for document in documents] == ["2024-05-02", "2024-05-02"]
    index = IndexBuilder(tmp_path / "index", ("word",))
    index.add((tmp_path / "c.vert").read_text().splitlines())
    [may] = frequency_over_time(index.finish(), '"train"', per="month")
    assert (may.value, may.count) == ("2024-05", 6)


def test_a_long_thread_is_several_documents(tmp_path: Path) -> None:
    found = [
        t
        for t in read_workspace(forum_workspace(tmp_path / "w", 501), ReadTally())
        if isinstance(t, CorpusThread)
    ]
    assert [(thread.title, thread.part, len(thread.messages)) for thread in found] == [
        ("Way a", 1, 500),
        ("Way a", 2, 1),
        ("Way b", 1, 500),
        ("Way b", 2, 1),
    ]


def test_of_a_crawled_site_the_newest_answer_to_each_page_is_taken(tmp_path: Path) -> None:
    pages = [p for p in read_workspace(site_workspace(tmp_path / "w"), ReadTally()) if isinstance(p, Capture)]
    assert sorted((page.url, b"New." in page.payload) for page in pages) == [
        ("http://s.example/1", True),
        ("http://s.example/2", False),
    ]


def test_without_the_database_the_pages_of_the_archive_are_read(tmp_path: Path) -> None:
    root = site_workspace(tmp_path / "w")
    wanted = {page.url for page in read_workspace(root, ReadTally())}
    for file in root.glob("threadmill.sqlite*"):
        file.unlink()
    found = list(read_workspace(root, ReadTally()))
    assert wanted
    assert wanted <= {page.url for page in found}
    assert not (root / "threadmill.sqlite").exists()


def test_a_page_the_archive_has_lost_is_counted(tmp_path: Path) -> None:
    root = site_workspace(tmp_path / "w")
    for file in open_workspace(root).archive.iterdir():
        file.unlink()
    tally = ReadTally()
    assert list(read_workspace(root, tally)) == []
    assert tally.skipped == {"not in the archive any more": 2}


def test_a_directory_is_a_workspace_by_its_settings(tmp_path: Path) -> None:
    assert is_workspace(forum_workspace(tmp_path / "w"))
    assert not is_workspace(tmp_path)


def test_vert_takes_a_workspace_on_the_command_line_and_two_processes_agree(tmp_path: Path) -> None:
    root = str(forum_workspace(tmp_path / "w", 40))
    for processes in ("1", "2"):
        assert main(["vert", root, "-o", str(tmp_path / f"{processes}.vert"), "--processes", processes]) == 0
    assert (tmp_path / "1.vert").read_bytes() == (tmp_path / "2.vert").read_bytes()
