import gzip
import json
from collections import Counter
from pathlib import Path

import pytest

from tests.corpus.build.test_stored_threads import OWN, QUOTED, forum_workspace
from threadmill.cli import main
from threadmill.corpus.search.entries import SearchEntry
from threadmill.corpus.search.index import SearchIndex
from threadmill.corpus.search.query import parse_query
from threadmill.corpus.search.sources import files_of, read_entries
from threadmill.errors import NothingFoundError, SearchIndexError

ENTRIES = [
    SearchEntry(
        "One of the most famous lighthouses stands here.",
        "http://www.a.org/1",
        "A",
        "Anna K",
        "2024-05-31",
        "en",
    ),
    SearchEntry("The most of it: what the keeper told one.", "http://a.org/2", "A", "Bert", "2024", "en"),
    SearchEntry("Maják stojí nad mořem.", "http://b.cz/", "B", "", "2019-01", "cs"),
    SearchEntry("東京の灯台は古い。", "http://c.jp/", "C", "", "", "ja"),
]


@pytest.fixture
def index(tmp_path: Path) -> SearchIndex:
    made = SearchIndex(tmp_path / "index", create=True)
    made.add("here", "1", ENTRIES)
    made.close()
    return SearchIndex(tmp_path / "index")


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("lighthouses", {0}),
        ("LIGHTHO*", {0}),
        ('"one of"', {0}),
        ('"one of the most"', {0}),
        ('"of the"', {0}),
        ('"the most of"', {1}),
        ("one most", {0, 1}),
        ("most -keeper", {0}),
        ("keeper OR maják", {1, 2}),
        ('"灯台"', {3}),
        ("台灯", set()),
        ("site:a.org", {0, 1}),
        ("site:www.a.org", {0}),
        ('author:"anna k"', {0}),
        ("lang:cs", {2}),
        ("date:2024", {0, 1}),
        ("date:2024-03", {1}),  # said to the year only, so it may be of March
        ("date:2024-06..", {1}),
        ("date:2018..2019", {2}),
        ("date:2019-01-31", {2}),
        ("date:2019-02..2019-11", set()),
        ("date:2024-04..2024-05", {0, 1}),
        ("date:2024-05-31..2024-06-01", {0, 1}),
        ("date:..2020", {2}),
        ("most date:2024-05-31 lang:en site:a.org author:bert", {1}),
        ("-most", {2, 3}),
    ],
)
def test_a_question_finds_the_entries_that_answer_it(
    index: SearchIndex, question: str, found: set[int]
) -> None:
    answer = index.search(parse_query(question))
    assert {ENTRIES.index(hit.entry) for hit in answer.hits} == found
    assert answer.count == len(found)


def test_hits_come_in_the_order_asked_for(index: SearchIndex) -> None:
    def order(name: str) -> list[int]:
        return [ENTRIES.index(hit.entry) for hit in index.search(parse_query("date:1900.."), order=name).hits]

    assert order("corpus") == [0, 1, 2]
    assert order("oldest") == [2, 1, 0]
    assert order("newest") == [0, 1, 2]


def test_an_input_indexed_again_replaces_what_it_was(tmp_path: Path) -> None:
    for entries in (ENTRIES, ENTRIES[:1]):
        made = SearchIndex(tmp_path / "index", create=True)
        made.add("here", "", entries)
        made.close()
    assert len(SearchIndex(tmp_path / "index")) == 1


def test_a_run_that_was_killed_after_a_commit_leaves_nothing_twice(tmp_path: Path) -> None:
    made = SearchIndex(tmp_path / "index", create=True)
    before = (tmp_path / "index" / "threadmill-index.json").read_text()
    made.add("here", "1", ENTRIES)
    made.close()
    (tmp_path / "index" / "threadmill-index.json").write_text(before)  # killed before this was written
    again = SearchIndex(tmp_path / "index")
    assert not again.is_done("here", "1")
    again.add("here", "1", ENTRIES)
    again.close()
    assert len(SearchIndex(tmp_path / "index")) == len(ENTRIES)


def test_an_index_that_may_not_be_written_can_be_searched(index: SearchIndex, tmp_path: Path) -> None:
    lock = tmp_path / "index" / ".tantivy-meta.lock"
    lock.unlink(missing_ok=True)
    lock.mkdir()  # so that not even root can lock the index
    found = SearchIndex(tmp_path / "index").search(parse_query("famous"))
    assert [hit.entry for hit in found.hits] == ENTRIES[:1]


def test_a_directory_of_something_else_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SearchIndexError, match="is no index; make one"):
        SearchIndex(tmp_path)
    (tmp_path / "x").touch()
    with pytest.raises(SearchIndexError, match="not empty"):
        SearchIndex(tmp_path, create=True)
    with pytest.raises(NothingFoundError, match="found no vertical"):
        files_of([tmp_path])


def read(path: Path) -> list[SearchEntry]:
    return list(read_entries(path, Counter()))


def test_json_lines_of_clean_posts_and_vert_are_all_understood(tmp_path: Path) -> None:
    records = [
        {"url": "u", "language": "en", "metadata": {"title": "T", "date": "2020"},
         "paragraphs": [{"text": "good one", "class": "good"}, {"text": "menu", "class": "bad"}]},
        {"thread_url": "t", "url": "u", "thread_title": "T", "author": "a", "date": "2021", "text": "a\nb"},
        {"url": "u", "lang": "en", "text": "x", "blocks": [{"type": "post", "author": "a", "blocks": [
            {"type": "quote", "author": "b", "blocks": [{"type": "p", "text": "q"}]},
            {"type": "p", "text": "x"}]}]},
        {"text": "one\n\ntwo"},
    ]  # fmt: skip
    file = tmp_path / "r.jsonl.gz"
    with gzip.open(file, "wt") as out:
        out.write("\n".join(map(json.dumps, records)) + "\nbroken\n[]\n{}\n")
    reasons: Counter[str] = Counter()
    assert list(read_entries(file, reasons)) == [
        SearchEntry("good one", "u", "T", "", "2020", "en"),
        SearchEntry("a\nb", "u", "T", "a", "2021", "", "post"),
        SearchEntry("q", "u", "", "b", "", "en", "quote"),
        SearchEntry("x", "u", "", "a", "", "en", "post"),
        SearchEntry("one"),
        SearchEntry("two"),
    ]
    assert reasons == {"no JSON object": 2, "no text": 1}


def test_a_vertical_and_the_workspace_it_was_made_from_give_the_same_entries(tmp_path: Path) -> None:
    root = forum_workspace(tmp_path / "w")
    for name in ("sketch", "cwb", "knot"):
        output = tmp_path / f"{name}.vert"
        assert main(["vert", str(root), "-o", str(output), "--dialect", name, "--processes", "1"]) == 0
        found = read(output)
        assert found == read(root)
        assert {entry.kind for entry in found} == {"post", "quote"}
        assert found[0].text == QUOTED
        assert found[1].text.startswith(OWN)


def test_a_vertical_of_somebody_else_without_paragraphs_is_read(tmp_path: Path) -> None:
    (tmp_path / "o.vert").write_text(
        '<doc id="1" author="A &amp; B">\nIt\tPRP\nrains\tVB\n<g/>\n.\t.\n</doc>\n'
    )
    assert read(tmp_path / "o.vert") == [SearchEntry("It rains.", author="A & B")]


def test_the_two_verbs_work_together_and_a_second_run_reads_nothing_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(tmp_path / "index")
    html = f"<html><title>T</title><body><article><p>{OWN}</p><p>{OWN} {QUOTED}</p></article>"
    (tmp_path / "page.html").write_text(html)
    (tmp_path / "broken.warc.gz").write_bytes(b"\x1f\x8b\x08garbage")
    inputs = [str(tmp_path / "page.html"), str(tmp_path / "broken.warc.gz")]
    assert main(["index", *inputs, "--index", place]) == 0
    said = capsys.readouterr().err
    assert "2 of 2 inputs (0 unchanged" in said
    assert "left out: " in said
    assert main(["index", *inputs, "--index", place]) == 0
    assert "2 of 2 inputs (2 unchanged" in capsys.readouterr().err
    assert main(["search", '"closed in"', "--index", place, "--context", "10"]) == 0
    shown = capsys.readouterr()
    assert "e road is closed in the eveni" in shown.out
    assert " found, " in shown.err
    assert main(["search", "train", "--json", "--limit", "1", "--index", place]) == 0
    assert json.loads(capsys.readouterr().out)["title"] == "T"
    assert main(["search", "nothing-like-it", "--index", place]) == 1
    assert main(["search", "!!", "--index", place]) == 2


def test_months_are_counted_and_texts_without_a_date_left_out(tmp_path: Path) -> None:
    index = SearchIndex(tmp_path / "index", create=True)
    dated = [SearchEntry("a boat", date=date) for date in ("2024-05-03", "2024-05", "2023-12-31", "2024", "")]
    index.add("x", "1", [*dated, SearchEntry("a tide", date="2024-05-01")])
    index.close()
    index = SearchIndex(tmp_path / "index")
    assert index.count_by_month(parse_query("boat")) == {"2023-12": 1, "2024-01": 1, "2024-05": 2}
    assert index.count_by_month(parse_query("nothing")) == {}


def test_a_sample_is_drawn_from_all_hits_and_repeatable(tmp_path: Path) -> None:
    index = SearchIndex(tmp_path / "index", create=True)
    index.add("x", "1", [SearchEntry(f"boat number {number}") for number in range(200)])
    index.close()
    index = SearchIndex(tmp_path / "index")
    drawn = [index.sample(parse_query("boat"), 20, seed) for seed in (1, 1, 2)]
    texts = [[hit.entry.text for hit in one.hits] for one in drawn]
    assert texts[0] == texts[1] != texts[2]
    assert len(set(texts[0])) == 20
    assert drawn[0].count == 200
    assert len(index.sample(parse_query("boat"), 999, 1).hits) == 200


def test_a_board_and_a_place_in_the_list_narrow_the_hits(tmp_path: Path) -> None:
    index = SearchIndex(tmp_path / "index", create=True)
    index.add(
        "x", "1", [SearchEntry(f"boat {number}", board=f"http://f.test/{number % 2}") for number in range(6)]
    )
    index.close()
    index = SearchIndex(tmp_path / "index")
    found = index.search(parse_query("boat board:http://f.test/1"), order="corpus")
    assert [hit.entry.text for hit in found.hits] == ["boat 1", "boat 3", "boat 5"]
    later = index.search(parse_query("boat"), 2, order="corpus", offset=3)
    assert [hit.entry.text for hit in later.hits] == ["boat 3", "boat 4"]
    assert later.count == 6
