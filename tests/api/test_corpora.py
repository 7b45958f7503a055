import json
from pathlib import Path

import pytest

from threadmill.api.corpora import IndexProgress, build_corpus, build_index, search
from threadmill.corpus.search.query import parse_question
from threadmill.errors import SearchIndexError, UsageError
from threadmill.workspace import Workspace

PROSE = "The tide was late at the pier today, and nobody at the harbour knew why. " * 6


@pytest.fixture
def page(tmp_path: Path) -> Path:
    file = tmp_path / "tides.html"
    file.write_text(f"<html lang=en><title>Tides</title><p>{PROSE}")
    return file


@pytest.fixture
def posts(tmp_path: Path) -> Path:
    file = tmp_path / "posts.jsonl"
    lines = [
        {
            "text": "The lighthouse keeper slept.",
            "author": "anna",
            "date": "2024-05-01",
            "url": "https://a.example/1",
        },
        {
            "text": "A lighthouse burns.",
            "author": "boris",
            "date": "2023-02-01",
            "url": "https://b.example/1",
        },
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_a_corpus_is_written_and_counted(page: Path, tmp_path: Path) -> None:
    seen: list[int] = []
    built = build_corpus([str(page)], tmp_path / "c.vert", on_progress=lambda now: seen.append(now.pages))
    text = (tmp_path / "c.vert").read_text()
    assert built.inventory.documents == text.count("<doc") == 1
    assert text.splitlines().count("tide") == 6
    assert seen == [1]


def test_the_format_is_chosen(page: Path, tmp_path: Path) -> None:
    build_corpus([page], tmp_path / "c.jsonl", format="jsonl")
    assert "late at the pier" in json.loads((tmp_path / "c.jsonl").read_text())["text"]


def test_pages_in_other_languages_are_left_out_with_a_reason(page: Path, tmp_path: Path) -> None:
    built = build_corpus([page], tmp_path / "c.vert", languages=["cs"])
    assert built.inventory.documents == 0
    assert built.reasons.total() == 1


def test_duplicates_are_removed_or_marked(page: Path, tmp_path: Path) -> None:
    (tmp_path / "z.html").write_text(page.read_text())
    inputs = [page, tmp_path / "z.html"]
    build_corpus(inputs, tmp_path / "one.vert", dedup="remove")
    build_corpus(inputs, tmp_path / "two.vert", dedup="mark")
    assert (tmp_path / "one.vert").read_text().count("<doc") == 1
    assert (tmp_path / "two.vert").read_text().count("<doc") == 2


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"processes": -1}, "0 \\(one per core\\) or more, not -1"),
        ({"languages": ["english"]}, "language codes such as en or cs, not 'english'"),
        ({"dedup": "mark", "format": "jsonl"}, "dedup needs vertical output"),
    ],
)
def test_a_wrong_option_is_refused(
    page: Path, tmp_path: Path, options: dict[str, object], complaint: str
) -> None:
    with pytest.raises(UsageError, match=complaint):
        build_corpus([page], tmp_path / "c.vert", **options)  # type: ignore[arg-type]
    assert not (tmp_path / "c.vert").exists()


def test_an_unknown_format_is_refused_with_those_there_are(page: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="vertical, conllu, jsonl, not as 'parquet'"):
        build_corpus([page], tmp_path / "c", format="parquet")  # type: ignore[arg-type]


def test_one_path_may_stand_for_the_list_of_inputs(page: Path, posts: Path, tmp_path: Path) -> None:
    assert build_corpus(str(page), tmp_path / "c.vert").inventory.documents == 1
    assert build_corpus(page, tmp_path / "d.vert").inventory.documents == 1
    assert build_index(str(posts), tmp_path / "index").entries == 2


def test_a_compressed_corpus_is_refused(page: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="written uncompressed"):
        build_corpus([page], tmp_path / "c.vert.gz")


def test_an_index_skips_what_has_not_changed(posts: Path, tmp_path: Path) -> None:
    first = build_index([posts], tmp_path / "i")
    assert (first.inputs, first.done, first.unchanged, first.entries, first.total) == (1, 1, 0, 2, 2)
    assert first.characters == len("The lighthouse keeper slept.A lighthouse burns.")
    second = build_index([posts], tmp_path / "i")
    assert (second.done, second.unchanged, second.entries, second.total) == (1, 1, 0, 2)


def test_an_input_that_cannot_be_read_is_counted(posts: Path, tmp_path: Path) -> None:
    (tmp_path / "broken.jsonl.gz").write_bytes(b"not gzip")
    done = build_index([tmp_path / "broken.jsonl.gz", posts], tmp_path / "i")
    assert done.done == 2
    assert done.entries == 2
    assert list(done.reasons) == ["unreadable input (ArchiveError)"]


def test_a_workspace_is_indexed_by_its_posts(crawled: Workspace, tmp_path: Path) -> None:
    seen: list[IndexProgress] = []
    done = build_index([crawled.root], tmp_path / "i", on_progress=seen.append)
    assert done.entries >= len(list(crawled.posts()))


@pytest.mark.parametrize(
    ("question", "options", "texts"),
    [
        ("lighthouse", {"order": "oldest"}, ["A lighthouse burns.", "The lighthouse keeper slept."]),
        ("lighthouse", {"order": "newest", "limit": 1}, ["The lighthouse keeper slept."]),
        ("lighthouse -keeper", {}, ["A lighthouse burns."]),
        ("lighthouse", {"author": "anna"}, ["The lighthouse keeper slept."]),
        ("lighthouse", {"site": "b.example"}, ["A lighthouse burns."]),
        ("lighthouse", {"since": "2024"}, ["The lighthouse keeper slept."]),
        ("lighthouse", {"until": "2023-12"}, ["A lighthouse burns."]),
        ("", {"author": "boris"}, ["A lighthouse burns."]),
        ("anchor", {}, []),
    ],
)
def test_a_question_finds_its_texts(
    posts: Path, tmp_path: Path, question: str, options: dict[str, object], texts: list[str]
) -> None:
    build_index([posts], tmp_path / "i")
    answer = search(question, tmp_path / "i", **options)  # type: ignore[arg-type]
    assert [hit.entry.text for hit in answer.hits] == texts


def test_the_count_is_of_all_hits(posts: Path, tmp_path: Path) -> None:
    build_index([posts], tmp_path / "i")
    answer = search("lighthouse", tmp_path / "i", limit=1)
    assert (len(answer.hits), answer.count) == (1, 2)


def test_a_question_without_words_and_fields_is_refused() -> None:
    with pytest.raises(UsageError, match="no word and no field"):
        parse_question(" - ")


def test_a_limit_below_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="1 or more, not 0"):
        search("lighthouse", tmp_path / "i", limit=0)


def test_a_directory_without_an_index_is_told(tmp_path: Path) -> None:
    with pytest.raises(SearchIndexError, match="threadmill index"):
        search("lighthouse", tmp_path / "none")


def test_an_index_made_by_two_processes_answers_alike_and_skips_what_it_has(
    posts: Path, tmp_path: Path
) -> None:
    for number in range(6):
        text = json.dumps({"text": f"The keeper slept in lighthouse {number}."})
        (tmp_path / f"{number}.jsonl").write_text(f"{text}\n")
    (tmp_path / "broken.jsonl.gz").write_bytes(b"not gzip")
    inputs = [*sorted(tmp_path.glob("*.jsonl*")), posts]
    alone = build_index(inputs, tmp_path / "alone")
    together = build_index(inputs, tmp_path / "together", processes=2)
    assert together == alone
    assert together.reasons == {"unreadable input (ArchiveError)": 1}
    answers = [search("lighthouse", tmp_path / name, order="corpus") for name in ("alone", "together")]
    assert answers[0].hits == answers[1].hits
    again = build_index(inputs, tmp_path / "together", processes=2)
    assert (again.unchanged, again.entries) == (len(inputs) - 1, 0)  # the broken one is tried again
    assert not (tmp_path / "together.parts").exists()
