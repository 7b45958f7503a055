import gzip
import json
import random
from pathlib import Path

import pytest

from threadmill.archive.remote_files import AnyFile
from threadmill.cli import main
from threadmill.corpus.near_duplicates import dedup
from threadmill.corpus.near_duplicates.dedup import DedupRules, dedup_files
from threadmill.corpus.vertical.check import Checker
from threadmill.errors import NothingFoundError, UsageError
from threadmill.parallel.workers import WorkPlace

LONG = [f"word{n}" for n in range(60)]
OTHER = [f"other{n}" for n in range(60)]


def vertical(*documents: list[list[str]]) -> str:
    lines = []
    for number, paragraphs in enumerate(documents):
        lines.append(f'<doc url="http://x.org/{number}">')
        for words in paragraphs:
            lines += ["<p>", "<s>", *words, "</s>", "</p>"]
        lines.append("</doc>")
    return "\n".join(lines) + "\n"


def test_a_second_version_of_a_document_is_left_out(tmp_path: Path) -> None:
    source = tmp_path / "c.vert"
    source.write_text(vertical([LONG], [[*LONG, "new"]], [OTHER]))
    tally = dedup_files([source], tmp_path / "out", DedupRules())
    assert tally.duplicate_documents == 1
    assert (tmp_path / "out/c.vert").read_text() == vertical([LONG], [OTHER]).replace("x.org/1", "x.org/2")


def test_a_seen_paragraph_is_left_out_of_a_document_that_stays(tmp_path: Path) -> None:
    source = tmp_path / "c.vert"
    source.write_text(vertical([LONG], [OTHER, [*OTHER[::-1]], LONG]))
    dedup_files([source], tmp_path / "out", DedupRules())
    assert (tmp_path / "out/c.vert").read_text() == vertical([LONG], [OTHER, [*OTHER[::-1]]])


def test_marked_duplicates_keep_the_file_valid(tmp_path: Path) -> None:
    source = tmp_path / "c.vert"
    source.write_text(vertical([LONG], [LONG], [OTHER, [*OTHER[::-1]], LONG]))
    dedup_files([source], tmp_path / "out", DedupRules(mark=True))
    text = (tmp_path / "out/c.vert").read_text()
    assert text.replace("<dup/>\n", "") == source.read_text()
    assert text.count("<dup/>") == 2
    assert list(Checker().check(text.encode().splitlines(keepends=True))) == []


def test_json_lines_lose_or_mark_what_was_seen_and_keep_what_is_no_json(tmp_path: Path) -> None:
    records = [{"text": " ".join(LONG)}, {"text": " ".join(LONG)}, {"text": f"{' '.join(OTHER)}\n{' '.join(OTHER[::-1])}\n{' '.join(LONG)}"}]  # noqa: E501  # fmt: skip
    source = tmp_path / "c.jsonl.gz"
    with gzip.open(source, "wt") as file:
        file.write("".join(json.dumps(r) + "\n" for r in records) + "not json\n[]\n")
    tally = dedup_files([source], tmp_path / "out", DedupRules())
    first, last, *broken = (tmp_path / "out/c.jsonl").read_text().splitlines()
    assert json.loads(first) == records[0]
    assert json.loads(last)["text"].count("\n") == 1
    assert broken == ["not json", "[]"]
    assert tally.broken == 2
    dedup_files([source], tmp_path / "marked", DedupRules(mark=True))
    marked = [json.loads(line) for line in (tmp_path / "marked/c.jsonl").read_text().splitlines()[:3]]
    assert marked[1]["duplicate"]
    assert marked[2]["duplicate_paragraphs"] == [2]


def test_a_second_run_goes_on_and_remembers_the_first(tmp_path: Path) -> None:
    first, second = tmp_path / "a.vert", tmp_path / "b.vert"
    first.write_text(vertical([LONG]))
    second.write_text(vertical([LONG], [OTHER]))
    out = tmp_path / "out"
    dedup_files([first], out, DedupRules())
    before = (out / "a.vert").stat().st_mtime_ns
    tally = dedup_files([first, second], out, DedupRules())
    assert (out / "a.vert").stat().st_mtime_ns == before
    assert (tally.documents, tally.duplicate_documents) == (3, 1)
    with pytest.raises(UsageError, match="other options"):
        dedup_files([first], out, DedupRules(threshold=0.9))


def test_two_files_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="same file name"):
        dedup_files([tmp_path / "a.vert", tmp_path / "x/a.vert"], tmp_path / "out", DedupRules())


def test_the_verb_prints_numbers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = tmp_path / "c.vert"
    source.write_text(vertical([LONG], [LONG]))
    assert main(["dedup", str(source), "-o", str(tmp_path / "out")]) == 0
    assert "2 documents, 1 of them near-duplicates" in capsys.readouterr().out
    assert main(["dedup", str(source), "-o", str(tmp_path / "out"), "--threshold", "7"]) == 2


def test_progress_says_how_much_is_done_and_how_long_the_rest_takes(tmp_path: Path) -> None:
    for name in ("a.vert", "b.vert.gz"):
        packed = gzip.compress if name.endswith(".gz") else bytes
        (tmp_path / name).write_bytes(packed(vertical([LONG], [OTHER]).encode()))
    told: list[tuple[int, int, float | None]] = []
    dedup_files(
        [tmp_path / "a.vert", tmp_path / "b.vert.gz"],
        tmp_path / "out",
        DedupRules(),
        lambda now: told.append((now.files_done, now.octets, now.seconds_left(10.0))),
    )
    first, second = ((tmp_path / name).stat().st_size for name in ("a.vert", "b.vert.gz"))
    assert (1, first, 10.0 * second / first) in told
    assert told[-1] == (2, first + second, 0.0)


def test_a_result_never_takes_the_place_of_its_input(tmp_path: Path) -> None:
    (tmp_path / "c.vert").write_text(vertical([LONG], [LONG]))
    with pytest.raises(UsageError, match="another directory"):
        dedup_files([tmp_path / "c.vert"], tmp_path, DedupRules())
    with pytest.raises(NothingFoundError, match="no file"):
        dedup_files([tmp_path / "missing.vert"], tmp_path / "out", DedupRules())


def test_a_line_without_end_comes_out_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A small packed file may hold a line of gigabytes: it is read in pieces."""
    monkeypatch.setattr(dedup, "_MAX_LINE", 1000)
    for name, text in (
        ("x.vert", "x" * 4500 + "\n<doc>\n<p>\na\n</p>\n</doc>\nend"),
        ("y.jsonl", "[" * 4500),
    ):
        (tmp_path / name).write_text(text)
        dedup_files([tmp_path / name], tmp_path / "out", DedupRules(megabytes=1))
        assert (tmp_path / "out" / name).read_text() == text


@pytest.mark.parametrize(
    "rules", [DedupRules(megabytes=1), DedupRules(mark=True, paragraphs=False, megabytes=1)]
)
def test_workers_give_the_same_files_as_one_process(tmp_path: Path, rules: DedupRules) -> None:
    chance = random.Random(5)
    texts = [" ".join(chance.choices([f"w{n}" for n in range(300)], k=40)) for _ in range(60)]
    lines = [
        json.dumps({"text": chance.choice(texts) + chance.choice(("", "\nand a line more"))})
        for _ in range(240)
    ]
    lines[7] = "no JSON"
    files: list[AnyFile] = [tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"]
    Path(str(files[0])).write_text("\n".join(lines[:90]) + "\n")
    Path(str(files[1])).write_bytes(gzip.compress(("\n".join(lines[90:]) + "\n").encode()))
    alone = dedup_files(files, tmp_path / "alone", rules)
    together = dedup_files(files, tmp_path / "together", rules, place=WorkPlace(processes=2))
    assert together == alone
    assert alone.duplicate_documents > 100
    for name in ("a.jsonl", "b.jsonl"):
        assert (tmp_path / "together" / name).read_bytes() == (tmp_path / "alone" / name).read_bytes()
    assert not (tmp_path / "together.parts").exists()


def test_workers_need_the_inputs_of_earlier_runs_too(tmp_path: Path) -> None:
    files: list[AnyFile] = [tmp_path / name for name in ("a.jsonl", "b.jsonl")]
    for file in files:
        Path(str(file)).write_text('{"text": "the same words in both of the files here"}\n')
    rules = DedupRules(megabytes=1)
    dedup_files(files[:1], tmp_path / "out", rules, place=WorkPlace(processes=2))
    with pytest.raises(UsageError, match=r"holds a\.jsonl of an earlier run; name all inputs"):
        dedup_files(files[1:], tmp_path / "out", rules)
    assert dedup_files(files, tmp_path / "out", rules).duplicate_documents == 1
