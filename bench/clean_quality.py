"""How well main content is found, on sites that no training saw, ours beside the peers page by page.

    python3 dev.py run python -m bench.clean_quality --data DIR

Peers: pip install trafilatura resiliparse readability-lxml newspaper4k justext. The table at the end goes
into docs/methods/clean.md, which says where the pages come from; --table writes it there.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from bench.clean_data import held_back, read_pages
from bench.clean_peers import PEERS
from bench.figures import Figure, at_least, write_figures
from threadmill import clean
from threadmill.page.judge.clean_settings import CleanSettings

CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
WORD = re.compile(rf"[{CJK}]|[^\W_{CJK}]+")
TIE = 0.005  # a smaller difference of F1 between two extractors on a page is none

Scores = dict[str, float]


def words(text: str) -> list[str]:
    """Runs of letters and digits in lower case; every Han, Kana and Hangul character is a word."""
    return WORD.findall(text.lower())


def shingles(text: list[str]) -> Counter[tuple[str, ...]]:
    """Runs of four words."""
    return Counter(tuple(text[i : i + 4]) for i in range(max(1, len(text) - 3))) if text else Counter()


def overlap(found: Counter[Any], gold: Counter[Any]) -> tuple[float, float, float]:
    """Precision, recall and F1 of one bag against another."""
    common = sum((found & gold).values())
    precision = common / max(found.total(), 1)
    recall = common / max(gold.total(), 1)
    return precision, recall, 2 * precision * recall / (precision + recall) if common else 0.0


def measure(text: str, record: dict[str, Any]) -> Scores:
    """All scores of one text for one page."""
    scores: Scores = {}
    found = words(text)
    if record["gold"]:
        gold = words(record["gold"])
        _, _, scores["F1"] = overlap(Counter(found), Counter(gold))
        scores["4-gram P"], scores["4-gram R"], _ = overlap(shingles(found), shingles(gold))
    joined = f" {' '.join(found)} "
    for key, name in (("with", "kept"), ("without", "left in")):
        snippets = [" ".join(words(snippet)) for snippet in record[key]]
        scores[name] = sum(bool(snippet) and snippet in joined for snippet in snippets)
        scores[f"of {name}"] = len(snippets)
    return scores


def summarise(rows: list[Scores]) -> str:
    """One line of means."""
    parts = []
    if "F1" in rows[0]:
        parts.append(f"F1 {mean_f1(rows):.3f}")
        parts.append(f"4-gram F1 {four_gram_f1(rows):.3f}")
    parts.append(f"snippets F1 {snippets_f1(rows):.3f}")
    return "  ".join(parts)


def quality(row: Scores) -> float:
    """What two extractors are compared by on one page: word F1, else snippets judged rightly."""
    if "F1" in row:
        return row["F1"]
    return (row["kept"] + row["of left in"] - row["left in"]) / max(row["of kept"] + row["of left in"], 1)


def report(extractors: dict[str, Callable[[str, str], str]], records: Iterable[dict[str, Any]]) -> str:
    """Run everybody over the pages, print their figures, and return them as a table."""
    rows: dict[tuple[str, str], dict[str, list[Scores]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        for name, extract in extractors.items():
            scores = measure(extract(record["html"], record["url"] or ""), record)
            for kind in dict.fromkeys((record["type"], "all")):
                rows[record["set"], kind][name].append(scores)
    figures: list[Figure] = []
    for (group, kind), by_name in sorted(rows.items()):
        figures += as_figures(f"{group}, {kind}", by_name)
        print(f"{group}, {kind}: {len(by_name['threadmill'])} pages of held-back sites")
        for name, found in by_name.items():
            pairs = [quality(a) - quality(b) for a, b in zip(by_name["threadmill"], found, strict=True)]
            wins, losses = sum(gap > TIE for gap in pairs), sum(gap < -TIE for gap in pairs)
            against = "" if name == "threadmill" else f"  we win {wins}, lose {losses}"
            print(f"  {name:<22} {summarise(found)}{against}")
    write_figures("clean_quality", figures)
    return as_table(rows)


def as_table(rows: Mapping[tuple[str, str], Mapping[str, list[Scores]]]) -> str:
    """The figures of everybody as a Markdown table: word F1 and 4-gram F1, or F1 of snippets."""
    groups = {f"{group}, {kind}": by_name for (group, kind), by_name in sorted(rows.items())}
    whole = {name: found for name, found in groups.items() if name.endswith(", all")} or groups
    names = list(next(iter(whole.values())))
    heads = [f"{what.removesuffix(', all')} ({len(found[names[0]])} pages)" for what, found in whole.items()]
    lines = [f"| | {' | '.join(heads)} |", f"| --- |{' --- |' * len(heads)}"]
    lines += [f"| {name} | {' | '.join(_cell(found[name]) for found in whole.values())} |" for name in names]
    return "\n".join(lines)


def _cell(rows: list[Scores]) -> str:
    if "F1" not in rows[0]:
        return f"{snippets_f1(rows):.3f}"
    return f"{mean_f1(rows):.3f} / {four_gram_f1(rows):.3f}"


_BEGIN, _END = "<!-- bench.clean_quality begins -->", "<!-- bench.clean_quality ends -->"


def put_between_marks(page: str, table: str) -> str:
    """The page with the table between its two marks."""
    before, begin, rest = page.partition(_BEGIN)
    _, end, after = rest.partition(_END)
    if not begin or not end:
        raise SystemExit(f"expected a page with the lines {_BEGIN} and {_END}; add them where the table goes")
    return f"{before}{_BEGIN}\n\n{table}\n\n{_END}{after}"


def as_figures(what: str, by_name: dict[str, list[Scores]]) -> list[Figure]:
    """The word F1 and 4-gram F1 of a set, or F1 of its snippets, ours and the peers'."""
    plain = "F1" in by_name["threadmill"][0]
    values = {name: mean_f1(rows) if plain else snippets_f1(rows) for name, rows in by_name.items()}
    figures = [_figure(f"main content, {what}, {'word' if plain else 'snippet'} F1", values)]
    if plain:
        grams = {name: four_gram_f1(rows) for name, rows in by_name.items()}
        figures.append(_figure(f"main content, {what}, 4-gram F1", grams))
    return figures


def _figure(what: str, values: dict[str, float]) -> Figure:
    """Our value with the best peer as its bar."""
    peers = {name: value for name, value in values.items() if name != "threadmill"}
    bar = at_least(max(peers.values())) if peers else None
    return Figure("page", what, values["threadmill"], bar, peers=peers)


def four_gram_f1(rows: list[Scores]) -> float:
    """F1 of the mean precision and the mean recall of runs of four words."""
    precision, recall = (sum(row[f"4-gram {side}"] for row in rows) / len(rows) for side in "PR")
    return 2 * precision * recall / max(precision + recall, 1e-9)


def mean_f1(rows: list[Scores]) -> float:
    """The mean word F1 of pages."""
    return sum(row["F1"] for row in rows) / len(rows)


def snippets_f1(rows: list[Scores]) -> float:
    """F1 of the snippets of all pages together."""
    kept, left, wanted = (sum(row[key] for row in rows) for key in ("kept", "left in", "of kept"))
    recall, precision = kept / max(wanted, 1), kept / max(kept + left, 1)
    return 2 * precision * recall / max(precision + recall, 1e-9)


def main() -> None:
    """Print ours and every installed peer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with *.jsonl.gz")
    parser.add_argument("--peers", default=";".join(PEERS), help="names with ; between them; empty: none")
    parser.add_argument("--table", type=Path, help="a Markdown page with two marks, between which it goes")
    arguments = parser.parse_args()
    quick = CleanSettings(languages=False, metadata=False)
    extractors = {"threadmill": lambda html, url: clean(html, url, quick).text}
    extractors.update({name: PEERS[name] for name in filter(None, arguments.peers.split(";"))})
    table = report(extractors, filter(held_back, read_pages(arguments.data)))
    print(table)
    if arguments.table:
        page = arguments.table.read_text(encoding="utf-8")
        arguments.table.write_text(put_between_marks(page, table), encoding="utf-8")


if __name__ == "__main__":
    main()
