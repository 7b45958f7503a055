import json
from pathlib import Path

import pytest

from threadmill.cli import main

VERTICAL = """\
<doc url="http://example.org/a" date="2020-05-01" lang="en">
<s>
We\twe\tPRON
went\tgo\tVERB
slowly\tslowly\tADV
home\thome\tADV
<g/>
.\t.\tPUNCT
</s>
</doc>
"""


@pytest.fixture
def positions(tmp_path: Path) -> str:
    (tmp_path / "c.vert").write_text(VERTICAL)
    directory = str(tmp_path / "positions")
    assert main(["query", "index", str(tmp_path / "c.vert"), "--index", directory]) == 0
    return directory


def rows(capsys: pytest.CaptureFixture[str], positions: str, *words: str) -> list[dict[str, object]]:
    assert main(["query", *words, "--index", positions, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_matches_are_shown_in_context(positions: str, capsys: pytest.CaptureFixture[str]) -> None:
    [line] = rows(capsys, positions, "find", '[lemma="go" & tag="V.*"] []{0,3} "home" within s')
    assert line["match"] == "went slowly home"
    assert (line["left"], line["right"]) == ("We", ".")
    assert line["document"] == "http://example.org/a"


def test_lines_tell_who_wrote_the_post_and_when(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    posts = "".join(
        f'<post author="{author}" date="2020-05-0{day}">\n<s>\nhome\n</s>\n</post>\n'
        for day, author in enumerate(("anna", "ben"), 1)
    )
    (tmp_path / "p.vert").write_text(f'<doc url="u">\n{posts}<s>\nhome\n</s>\n</doc>\n')
    directory = str(tmp_path / "posts")
    assert main(["query", "index", str(tmp_path / "p.vert"), "--index", directory]) == 0
    capsys.readouterr()
    found = rows(capsys, directory, "find", '"home"', "--show", "post.author, post.date")
    told = [(line["post.author"], line["post.date"]) for line in found]
    assert told == [("anna", "2020-05-01"), ("ben", "2020-05-02"), ("", "")]
    assert main(["query", "find", '"home"', "--show", "post.author", "--index", directory]) == 0
    assert "anna" in capsys.readouterr().out
    for wrong in ("post", "post.mood", "chapter.title"):
        assert main(["query", "find", '"home"', "--show", wrong, "--index", directory]) == 2


def test_every_question_has_an_answer(positions: str, capsys: pytest.CaptureFixture[str]) -> None:
    query = '[lemma="go"]'
    assert rows(capsys, positions, "count", query) == [{"count": 1, "per_million": 200000.0}]
    assert rows(capsys, positions, "group", query, "--by", "right1.word")[0]["value"] == "slowly"
    assert len(rows(capsys, positions, "words", "--attribute", "tag")) == 4
    assert rows(capsys, positions, "ngrams", "--least", "1", "--length", "4")[0]["count"] == 1
    assert len(rows(capsys, positions, "collocations", query, "--least", "1")) == 4
    assert rows(capsys, positions, "dispersion", query)[0]["documents"] == 1
    assert rows(capsys, positions, "time", query)[0]["value"] == "2020"
    assert rows(capsys, positions, "keywords", "--reference", positions, "--least", "1")[0]["score"] == 1


def test_tables_and_csv(positions: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "words.csv"
    assert main(["query", "words", "--index", positions, "-o", str(output)]) == 0
    assert output.read_text().splitlines()[0] == "value,count,per_million"
    assert main(["query", "find", '"home"', "--index", positions]) == 0
    assert "1 match\n" in capsys.readouterr().err


def test_nothing_found_is_exit_code_one(positions: str) -> None:
    assert main(["query", "find", '"mill"', "--index", positions]) == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["find"], "takes 1 query"),
        (["words", '"a"'], "takes no query"),
        (["keywords"], "--reference"),
        (["find", "[lemma="], "a value in quotation marks"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], said: str, positions: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", *words, "--index", positions]) == 2
    assert said in capsys.readouterr().err


def test_an_index_has_a_place_of_its_own_and_no_output(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c.vert").write_text("<s>\nmill\n</s>\n")
    assert main(["query", "index", str(tmp_path / "c.vert"), "-o", str(tmp_path / "elsewhere")]) == 2
    assert "--output" in capsys.readouterr().err
    assert not (tmp_path / "elsewhere").exists()


def test_the_columns_are_those_of_the_registry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.vert").write_text("<s>\nmills\tNOUN\n</s>\n")
    (tmp_path / "c.vert.registry").write_text("ATTRIBUTE word\nATTRIBUTE tag\nATTRIBUTE lc {\n}\n")
    directory = str(tmp_path / "positions")
    assert main(["query", "index", str(tmp_path / "c.vert"), "--index", directory]) == 0
    assert rows(capsys, directory, "count", '[tag="NOUN"]')[0]["count"] == 1


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("# newdoc id = a\n# text = We go\n1\tWe\twe\tPRON\t_\t_\t_\t_\t_\t_\n", "CoNLL-U"),
        ("1-2\tdu\t_\t_\t_\t_\t_\t_\t_\t_\n1\tde\tde\tADP\t_\t_\t_\t_\t_\t_\n", "CoNLL-U"),
        ('{"title": "a", "text": "We go"}\n', "JSON lines"),
        ("\x7fELF\0\0", "binary data"),
    ],
)
def test_an_index_is_made_of_vertical_only(
    tmp_path: Path, text: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "c").write_text(text)
    assert main(["query", "index", str(tmp_path / "c"), "--index", str(tmp_path / "i")]) == 2
    assert f"is {named}, but an index of positions is made of vertical" in capsys.readouterr().err
    assert not (tmp_path / "i").exists()


def test_a_vertical_without_structures_is_indexed(tmp_path: Path) -> None:
    (tmp_path / "c").write_text("# \tx\n1\tNUM\n{\tPUNCT\n")
    assert main(["query", "index", str(tmp_path / "c"), "--index", str(tmp_path / "i")]) == 0


@pytest.fixture
def long(tmp_path: Path) -> str:
    """An index of 30 posts of three years in threads without dates, with the word in the title, too."""
    posts = "".join(
        f'<post author="a" date="{2010 + n % 3}-05-01">\n<s>\nmill\nwheel\n</s>\n</post>\n' for n in range(30)
    )
    (tmp_path / "c.vert").write_text(
        f"<doc title='t' url='u'>\n<head>\n<s>\nmill\n</s>\n</head>\n{posts}</doc>\n"
    )
    directory = str(tmp_path / "long-positions")
    assert main(["query", "index", str(tmp_path / "c.vert"), "--columns", "word", "--index", directory]) == 0
    return directory


def test_a_screen_gets_twenty_lines_a_sample_and_a_file_get_all(
    long: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert len(rows(capsys, long, "find", '"mill"')) == 20
    assert len(rows(capsys, long, "find", '"mill"', "--sample", "25")) == 25
    assert len(rows(capsys, long, "find", '"mill"', "--sample", "25", "--limit", "3")) == 3
    output = tmp_path / "lines.jsonl"
    assert main(["query", "find", '"mill"', "--index", long, "-o", str(output)]) == 0
    assert len([json.loads(line) for line in output.read_text().splitlines()]) == 31


def test_time_counts_posts_by_their_own_dates_and_tells_what_has_none(
    long: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", "time", '"mill"', "--index", long, "--json"]) == 0
    shown = capsys.readouterr()
    found = [json.loads(line) for line in shown.out.splitlines()]
    assert [(line["value"], line["count"]) for line in found] == [("2010", 10), ("2011", 10), ("2012", 10)]
    assert found[0]["per_million"] == 500000.0
    assert "1 match without a date" in shown.err


def test_a_wrong_regular_expression_is_named_as_it_was_written(
    long: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["query", "find", '"("', "--index", long]) == 2
    assert "'(' is none" in capsys.readouterr().err


def test_the_help_of_a_question_speaks_of_that_question(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["query", "index", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "words vertical files" in shown
    assert "index:" not in shown
    with pytest.raises(SystemExit):
        main(["query", "find", "--help"])
    shown = " ".join(capsys.readouterr().out.split())
    assert "words a query in CQL" in shown
    assert "find:" not in shown
