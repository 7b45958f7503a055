"""`sites` as a user calls it: compare a list, export the results."""

import csv
import json
from pathlib import Path

import pytest

from tests.servers.companies import Companies
from threadmill.cli import main
from threadmill.cli.comparison.sites import _sum_up
from threadmill.sites.model import CompanySite, ReadOutcome
from threadmill.sites.report.results import ComparisonResults


@pytest.fixture(scope="module")
def compared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of three sites, two of them of one company, and the archive beside them."""
    root = tmp_path_factory.mktemp("compared")
    with Companies(3) as sites:
        (root / "list.txt").write_text("# companies\n" + "\n".join(sites.urls) + "\n")
        words = ["sites", "compare", str(root / "list.txt"), "-o", str(root / "results.json")]
        assert main([*words, "--archive", str(root / "kept"), "--delay", "0"]) == 0
    return root


def test_results_hold_sites_and_pairs(compared: Path) -> None:
    results = json.loads((compared / "results.json").read_text())
    assert [site["outcome"] for site in results["sites"]] == ["ok", "ok", "ok"]
    best = results["pairs"][0]
    assert [best["url1"], best["url2"]] == [site["url"] for site in results["sites"][:2]]


def test_the_archive_answers_when_the_sites_are_gone(
    compared: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["sites", "compare", str(compared / "list.txt"), "-o", str(tmp_path / "again.json")]
    assert main([*words, "--archive", str(compared / "kept"), "--use-archive-data", "--delay", "0"]) == 0
    assert "3 sites (3 ok); 1 pair scored 0.5 or more in 1 cluster" in capsys.readouterr().out
    assert (tmp_path / "again.json").read_text() == (compared / "results.json").read_text()


def test_results_are_exported_for_any_border(compared: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sites", "export", str(compared / "results.json"), "--border", "0.5"]) == 0
    rows = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert len(rows) == 2
    assert main(["sites", "export", str(compared / "results.json"), "--border", "0"]) == 0
    assert len(capsys.readouterr().out.splitlines()) >= 2
    results = json.loads((compared / "results.json").read_text())
    results["pairs"][0]["similarity"] = 0.6
    (compared / "doubtful.json").write_text(json.dumps(results))
    assert main(["sites", "export", str(compared / "doubtful.json"), "--border", "0.61"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_remarks_of_one_kind_share_a_line_and_reasons_have_one_each(
    capsys: pytest.CaptureFixture[str],
) -> None:
    ok, dead = ReadOutcome.OK, ReadOutcome.DEAD
    sites = [CompanySite(f"http://{n}.example/", ok, f"left out: mail {n}") for n in range(5)]
    sites += [CompanySite(f"http://{n}.example/", dead, "no answer: 5 s") for n in (5, 6)]
    sites += [CompanySite("http://7.example/", dead, "no answer: 9 s"), CompanySite("http://8.example/", ok)]
    _sum_up(ComparisonResults(tuple(sites), ()), 0.5)
    assert capsys.readouterr().out.splitlines() == [
        "5 ok, left out (mail 0 at http://0.example/, mail 1 at http://1.example/, mail 2 at http://2.example/"
        " and 2 more)",
        "2 dead: no answer: 5 s (http://5.example/, http://6.example/)",
        "1 dead: no answer: 9 s (http://7.example/)",
        "9 sites (6 ok, 3 dead); 0 pairs scored 0.5 or more in 0 clusters",
    ]


def test_an_export_is_written_to_a_file(compared: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.html"
    words = ["sites", "export", str(compared / "results.json"), "--format", "html", "-o", str(target)]
    assert main(words) == 0
    assert target.read_text().lower().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("name", "begin"),
    [("r.html", "<!doctype"), ("r.gexf", "<?xml"), ("r.json", "{"), ("r.csv", "cluster,"), ("r", "cluster,")],
)
def test_the_name_of_the_file_tells_the_format(
    compared: Path, tmp_path: Path, name: str, begin: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sites", "export", str(compared / "results.json"), "-o", str(tmp_path / name)]) == 0
    assert str(tmp_path / name) in "".join(capsys.readouterr())
    assert (tmp_path / name).read_text().lower().startswith(begin)


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["compare", "l.txt", "-o", "r.json", "--border", "2"], "expected a score from 0 to 1, not '2'"),
        (["compare", "l.txt", "-o", "r.json", "--use-archive-data"], "needs --archive"),
        (["compare", "l.txt", "-o", "r.json", "--delay", "soon"], "expected a number of seconds"),
        (["train", "pages", "-o", "v.json.gz", "--least", "0"], "expected a whole number, 1 or more"),
    ],
)
def test_a_wrong_call_is_one_sentence(
    words: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sites", *words]) == 2
    said = capsys.readouterr().err
    assert complaint in said
    assert said.count("\n") == 1
