from pathlib import Path

import pytest

from bench.figures import Figure, at_least, at_most, read_figures, write_figures
from tools.figures import best_peer, draw_chart, format_row, number, write_page

PRECISION = Figure("corpus", "precision", 0.9995, at_least(0.98), peers={"rensa": 0.948, "datasketch": 0.938})
SPEED = Figure("corpus", "time a page", 3.2, at_most(3.0), unit="ms", peers={"jusText": 24.4, "chain": 30})
PLAIN = Figure("dates", "texts a second", 7226, held_back=False)


def test_figures_come_back_as_they_were_written(tmp_path: Path) -> None:
    write_figures("dedup", [PRECISION, SPEED], tmp_path)
    write_figures("dates", [PLAIN], tmp_path)
    assert [row[0] for row in read_figures(tmp_path)] == [PLAIN, PRECISION, SPEED]


def test_a_second_run_replaces_the_figures_and_adds_to_the_history(tmp_path: Path) -> None:
    write_figures("dedup", [PRECISION], tmp_path)
    write_figures("dedup", [PRECISION], tmp_path)
    assert len(read_figures(tmp_path)) == 1
    assert len((tmp_path / "history.jsonl").read_text().splitlines()) == 2


@pytest.mark.parametrize(("figure", "mark"), [(PRECISION, "✓"), (SPEED, "✗"), (PLAIN, "| |")])
def test_a_row_says_whether_its_bar_is_reached(figure: Figure, mark: str) -> None:
    assert mark in format_row((figure, "python -m bench.x", "2026-11-16")).replace("|  |", "| |")


def test_the_best_peer_of_a_time_is_the_fastest() -> None:
    assert best_peer(SPEED) == "jusText 24.4 ms"
    assert best_peer(PRECISION) == "rensa 0.948"
    assert best_peer(PLAIN) == "–"


def test_data_that_the_code_was_tuned_to_is_marked() -> None:
    assert "texts a second †" in format_row((PLAIN, "c", "d"))
    assert "†" not in format_row((PRECISION, "c", "d"))


def test_the_page_counts_the_bars_that_are_reached(tmp_path: Path) -> None:
    write_page([(figure, "c", "d") for figure in (PRECISION, SPEED, PLAIN)], tmp_path / "figures.md")
    assert "Of 2 bars, 1 are reached." in (tmp_path / "figures.md").read_text()


def test_the_longest_bar_of_a_chart_belongs_to_the_largest_value() -> None:
    chart = draw_chart([SPEED])
    assert 'width="300" height="14" class="peer"' in chart
    assert 'width="32" height="14" class="ours"' in chart


@pytest.mark.parametrize(
    ("value", "shown"), [(7226.4, "7,226"), (3.0, "3"), (0.99954, "0.9995"), (24.4, "24.4")]
)
def test_numbers_have_the_digits_that_tell_something(value: float, shown: str) -> None:
    assert number(value) == shown


def test_a_chart_has_a_title_a_legend_and_says_how_to_read_it() -> None:
    chart = draw_chart([SPEED])
    assert ": ours and other tools</text>" in chart
    assert "share a scale that begins at 0" in chart
    assert "another tool</text>" in chart
    assert ", shorter is better</text>" in chart  # milliseconds have a bar that is a most
