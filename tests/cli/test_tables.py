"""Tables fit a terminal of 80 columns and lose nothing."""

import argparse
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from threadmill.cli.tables import TableColumns, print_table, table_lines, write_rows
from threadmill.errors import UsageError

URL = "https://forum.example.org/a/very/long/path/that/goes/on/viewtopic.php?f=12&t=123456&start=750#p9876543"
THREADS = TableColumns(
    ("title", "posts", "first_post", "last_post", "gone", "url", "board_url"), right=("posts",)
)
LONG = "How do I get the cover of the lower bearing off without damage to the seal, and is there a tool"
WIDE = "如何在不损坏后面的密封件的情况下取下下轴承的盖子以及是否有专用工具请大家帮忙看看谢谢各位老师傅了"


def lines(rows: Sequence[dict[str, Any]], columns: TableColumns, width: int = 80) -> list[str]:
    return [line.plain for line in table_lines(rows, columns, width)]


def thread(title: str, url: str = URL) -> dict[str, Any]:
    dates = {"first_post": "2015-03-20T12:39:41+08:00", "last_post": "2015-03-21T06:20:34+08:00"}
    return {"title": title, "posts": 12345, **dates, "gone": False, "url": url, "board_url": url}


@pytest.mark.parametrize("title", [LONG, WIDE, "ลูกปืนตัวล่างมีเสียงดังเมื่อเครื่องเย็นและหายไปเมื่อร้อน" * 2, "Word" * 40])
def test_long_titles_and_addresses_fit_eighty_columns(title: str) -> None:
    shown = lines([thread(title), thread("short")], THREADS)
    assert all(cell_len(line) <= 80 for line in shown if URL not in line)
    assert [line.strip() for line in shown if URL in line] == [f"url: {URL}", f"board url: {URL}"] * 2
    joined = "".join(line[:20] for line in shown).replace(" ", "")
    assert title[:4].replace(" ", "") in joined


def test_columns_stand_below_each_other_beside_wide_letters() -> None:
    columns = TableColumns(("title", "posts"), right=("posts",))
    shown = lines([{"title": "茶余饭后", "posts": 7}, {"title": "Tea", "posts": 1234}], columns)
    assert {cell_len(line) for line in shown} == {15}


def test_where_there_is_room_a_row_is_one_line() -> None:
    shown = lines([thread("short", "https://a.example/")], THREADS, width=200)
    assert len(shown) == 2
    assert "2015-03-20 12:39" in shown[1]
    assert "12,345" in shown[1]


def test_many_numbers_are_printed_in_groups_with_the_first_column() -> None:
    names = [f"figure_{number}" for number in range(20)]
    columns = TableColumns(("site", *names), right=names)
    shown = lines([{"site": "harbour", **dict.fromkeys(names, 0.123)}], columns)
    assert all(cell_len(line) <= 80 for line in shown)
    assert sum(line.count("0.123") for line in shown) == 20
    assert all(line.startswith("harbour") for line in shown if "0.123" in line)


def test_a_concordance_is_cut_away_from_its_match() -> None:
    columns = TableColumns(("left", "match", "right"), right=("left",), cut=("left", "right"))
    [_, line] = lines([{"left": f"begin {LONG}", "match": "mill", "right": f"{LONG} end"}], columns, 60)
    left, right = line.split("mill")
    assert left.lstrip().startswith("…")
    assert right.endswith("…")
    assert left.rstrip().endswith("tool")
    assert right.strip().startswith("How do")


def test_without_a_row_there_are_no_headings() -> None:
    assert lines([], THREADS) == []


def test_a_title_cannot_command_the_terminal() -> None:
    [_, line] = lines([{"title": "\x1b[2Jgone\nnext"}], TableColumns(("title",)))
    assert line == "\ufffd[2Jgone next"


@given(
    st.lists(st.tuples(st.text(max_size=120), st.text(max_size=60), st.integers(0, 10**9)), max_size=8),
    st.integers(40, 120),
)
def test_no_line_is_wider_than_the_terminal(rows: list[tuple[str, str, int]], width: int) -> None:
    names = ("title", "author", "posts")
    values = [dict(zip(names, row, strict=True)) for row in rows]
    for row in values:
        row["author"] = str(row["author"]).replace("://", "")
    shown = [line for line in lines(values, TableColumns(names, right=("posts",)), width) if line]
    addresses = {str(row["author"]) for row in values}
    assert all(cell_len(line) <= width or line.strip() in addresses for line in shown)


def test_rows_are_printed_as_they_come_after_the_first_thousand(monkeypatch: pytest.MonkeyPatch) -> None:
    out, taken = io.StringIO(), []
    monkeypatch.setenv("COLUMNS", "80")

    def rows() -> Any:
        for number in range(3000):
            taken.append(number)
            assert len(out.getvalue().splitlines()) >= number - 1001
            yield {"number": number}

    assert print_table(rows(), TableColumns(("number",), right=("number",)), out=out) == 3000
    assert len(taken) == 3000


def test_a_row_stays_on_one_line_of_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    assert print_table([thread(LONG)], THREADS) == 1
    [_, row] = capsys.readouterr().out.splitlines()
    assert LONG in row
    assert row.endswith(URL)


def test_rows_are_json_lines_with_json(capsys: pytest.CaptureFixture[str]) -> None:
    wish = argparse.Namespace(json=True, format=None, output=None)
    assert write_rows([thread(LONG)], THREADS, wish) == 1
    assert json.loads(capsys.readouterr().out) == thread(LONG)


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("t.csv", "a,b"),
        ("t.jsonl", '{"a": 1, "b": 2}'),
        ("t.txt", "a  b"),
        ("t.tsv.csv", "a,b"),
        ("t", "a,b"),
    ],
)
def test_the_name_of_the_output_tells_its_form(
    name: str, first: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = argparse.Namespace(format=None, json=False, output=tmp_path / name)
    assert write_rows([{"a": 1, "b": 2}], TableColumns(("a", "b")), options) == 1
    assert (tmp_path / name).read_text().splitlines()[0] == first
    assert capsys.readouterr().err == f"1 row is in {tmp_path / name}\n"


def test_a_form_that_is_not_written_is_refused_before_the_file_is_made(tmp_path: Path) -> None:
    options = argparse.Namespace(format=None, json=False, output=tmp_path / "t.xlsx")
    with pytest.raises(UsageError, match=r"not as \.xlsx"):
        write_rows([{"a": 1}], TableColumns(("a",)), options)
    assert not (tmp_path / "t.xlsx").exists()
