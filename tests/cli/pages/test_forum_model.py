"""`threadmill forum model` and `forum correct`: the model of a crawled forum, corrected by hand."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest

import threadmill
from threadmill.cli import main
from threadmill.crawl.forum.knowledge import ForumKnowledge
from threadmill.forum.site_model.wrapper import Wrapper
from threadmill.lab.simulate.catalogue import open_forum
from threadmill.lab.simulate.forum import as_unix_time
from threadmill.lab.simulate.server import Simulation, serving
from threadmill.store import open_store
from threadmill.store.forum.activity import known_forums


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    simulation = Simulation({"harbour": open_forum("harbour", 60)}, as_unix_time("2015-12-01"))
    work = tmp_path_factory.mktemp("model") / "work"
    with serving(simulation) as base:
        threadmill.crawl_forum(base, work, delay=0)
    return work


@pytest.fixture
def work(once: Path, tmp_path: Path) -> Path:
    shutil.copytree(once, tmp_path / "work")
    return tmp_path / "work"


def correct(work: Path, text: str, *options: str) -> int:
    file = work.parent / "model.toml"
    file.write_text(text, "utf-8")
    return main(["forum", "correct", str(file), "--workspace", str(work), *options])


def test_the_model_is_shown_corrected_shown_again_and_taken_back(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = work.parent / "model.toml"
    assert main(["forum", "model", "--workspace", str(work), "-o", str(file)]) == 0
    learnt = file.read_text("utf-8")
    assert "viewtopic" in learnt
    assert f"threadmill forum correct {file}" in capsys.readouterr().err
    assert correct(work, learnt) == 2
    assert "has no correction" in capsys.readouterr().err
    zone = '[[correction]]\nkind = "time zone"\nvalues = ["+02:00"]\n'
    assert correct(work, learnt + zone) == 0
    assert "add --yes" in capsys.readouterr().err
    assert main(["forum", "model", "--workspace", str(work)]) == 0
    assert capsys.readouterr().out.count("\n[[correction]]") == 0
    assert correct(work, learnt + zone, "--yes") == 0
    capsys.readouterr()
    assert main(["forum", "model", "--workspace", str(work)]) == 0
    kept = capsys.readouterr().out
    assert zone in kept
    assert correct(work, kept, "--yes") == 0  # nothing is kept twice
    capsys.readouterr()
    assert main(["forum", "model", "--workspace", str(work)]) == 0
    assert capsys.readouterr().out == kept
    assert correct(work, learnt) == 0
    assert "time zone = +02:00: not in" in capsys.readouterr().err
    assert correct(work, learnt, "--yes") == 0
    assert "so it is taken back" in capsys.readouterr().err
    assert main(["forum", "model", "--workspace", str(work)]) == 0
    assert "The next crawl learns" in capsys.readouterr().out
    assert correct(work, zone) == 1
    assert "crawl it, then correct it" in capsys.readouterr().err


def test_a_correction_that_reads_less_is_not_kept(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    base = next(iter(threadmill.open_workspace(work).threads())).url
    wrong = f'[[correction]]\nkind = "boards"\nvalues = ["{base}"]\n'
    assert correct(work, wrong, "--yes") == 1
    assert "are not kept: with them there are" in capsys.readouterr().err
    assert correct(work, wrong, "--yes", "--force", "--json") == 0
    assert '"kept": true' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[[correction", "expected TOML"),
        ("x = 1", "but got x"),
        ('[[correction]]\nkind = "colour"\nvalues = ["red"]', "a kind out of"),
        ('[[correction]]\nkind = "time zone"\nvalues = ["Berlin"]', "such as +02:00"),
        ('[[correction]]\nkind = "date order"\nvalues = "dmy"', "values = "),
        ('[[correction]]\nkind = "author"\nvalues = ["div"]', "names and a number"),
    ],
)
def test_what_is_wrong_in_the_file_is_said(
    work: Path, capsys: pytest.CaptureFixture[str], text: str, told: str
) -> None:
    assert correct(work, text, "--yes") == 2
    assert told in capsys.readouterr().err


def learnt_places(work: Path) -> Wrapper:
    store = open_store(threadmill.open_workspace(work).store_url)
    with closing(store), store.reading() as connection:
        wrapper = ForumKnowledge.from_json(known_forums(connection)[0].model).layout.model.wrapper
    assert wrapper is not None
    return wrapper


def place_of(kind: str, *places: tuple[str, int]) -> str:
    values = ", ".join(f'"{name} {number}"' for name, number in places)
    return f'[[correction]]\nkind = "{kind}"\nvalues = [{values}]\n'


def test_a_date_is_not_kept_as_the_author(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    simulation = Simulation({"vopros": open_forum("vopros", 60)}, as_unix_time("2015-12-01"))
    work = tmp_path / "work"
    with serving(simulation) as base:
        threadmill.crawl_forum(base, work, delay=0)
    assert correct(work, place_of("author", *learnt_places(work).dates), "--yes") == 1
    assert "look like dates" in capsys.readouterr().err
    assert main(["forum", "model", "--workspace", str(work)]) == 0
    assert "\n[[correction]]" not in capsys.readouterr().out


def test_a_place_that_changes_nothing_is_not_kept(work: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert correct(work, place_of("author", ("div.no/p.such/b.place", 1)), "--yes") == 1
    assert "no post on the archived pages is read differently" in capsys.readouterr().err
