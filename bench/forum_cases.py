"""How the hand-made forum pages of tests/forum/cases are read: what differs from what each should give."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.figures import Figure, write_figures
from bench.forum_quality import f1
from threadmill.forum.page_class.classify import classify_page
from threadmill.forum.read_page import PageAnalysis, extract_index, extract_thread
from threadmill.page.parse.tree import parse
from threadmill.types import Post

CASES = Path(__file__).resolve().parents[1] / "tests/forum/cases"
# Own words with a stray label or number are still the own words; a lost paragraph or a quotation is not.
_SAME_TEXT = 0.9


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing of a page that was read wrongly."""

    part: str  # class, posts, author, date, text, quotes, id, signature, next, rows
    note: str


def cases(folder: Path = CASES) -> Iterator[tuple[str, bytes, dict[str, Any]]]:
    """Name, page and expectation of every case."""
    for case in sorted(path for path in folder.iterdir() if path.is_dir()):
        wanted = json.loads((case / "expected.json").read_text("utf-8"))
        yield case.name, (case / "input.html").read_bytes(), wanted


def judge(page: bytes, wanted: dict[str, Any]) -> list[Fault]:
    """What is wrong with our reading of a page."""
    analysis = PageAnalysis(parse(page, wanted["url"]), datetime.fromisoformat(wanted["now"]))
    faults = []
    kind = classify_page(analysis)
    if kind.kind != wanted["kind"]:
        faults.append(Fault("class", f"{wanted['kind']} taken for {kind.kind} ({kind.confidence:.2f})"))
    elif wanted.get("reason", kind.reason) != kind.reason:
        faults.append(Fault("reason", f"{wanted['reason']} taken for {kind.reason}"))
    if wanted["kind"] == "thread":
        thread = extract_thread(analysis)
        faults += _post_faults(thread.posts, wanted["posts"])
        paging = thread.paging
    elif wanted["kind"] == "index":
        index = extract_index(analysis)
        titles = [row.title for row in (index.boards if wanted.get("boards") else index.rows)]
        if titles != wanted["rows"]:
            faults.append(Fault("rows", f"{len(titles)} of {len(wanted['rows'])}: {titles[:1]}"))
        paging = index.paging
    else:
        return faults
    if paging.next != wanted["next"]:
        faults.append(Fault("next", f"{paging.next} for {wanted['next']}"))
    return faults


def _post_faults(posts: Sequence[Post], wanted: list[dict[str, Any]]) -> list[Fault]:
    if len(posts) != len(wanted):
        return [Fault("posts", f"{len(posts)} of {len(wanted)}: {[post.text[:20] for post in posts][:3]}")]
    faults: list[Fault] = []
    for post, label in zip(posts, wanted, strict=True):
        faults += _post_fault(post, label)
    return faults


def _post_fault(post: Post, label: dict[str, Any]) -> Iterator[Fault]:
    if post.author != label["author"]:
        yield Fault("author", f"{post.author} for {label['author']}")
    date = post.date.isoformat() if post.date else ""
    if date[: len(label["date"])] != label["date"]:
        yield Fault("date", f"{date} for {label['date']}")
    if f1(post.text, label["text"]) < _SAME_TEXT:
        yield Fault("text", f"{post.text[:50]!r} for {label['text'][:50]!r}")
    quoted = [(quote.author, f1(quote.text, q["text"]) >= _SAME_TEXT) for quote, q in _pairs(post, label)]
    if quoted != [(q.get("author"), True) for q in label.get("quotes", [])] and not _nameless(post, label):
        yield Fault("quotes", f"{[(q.author, q.text[:20]) for q in post.quotes]} for {label.get('quotes')}")
    for part, ours in (("id", post.post_id), ("signature", post.signature)):
        if part in label and ours != label[part]:
            yield Fault(part, f"{ours!r} for {label[part]!r}")


def _pairs(post: Post, label: dict[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
    wanted = label.get("quotes", [])
    return list(zip(post.quotes, wanted, strict=False)) if len(post.quotes) == len(wanted) else []


def _nameless(post: Post, label: dict[str, Any]) -> bool:
    """A quotation whose markup does not say whom it quotes."""
    pairs = _pairs(post, label)
    return bool(pairs) and all(
        quote.author is None and f1(quote.text, q["text"]) >= _SAME_TEXT for quote, q in pairs
    )


def main() -> None:
    """Print the faults of every case, and the share of cases and parts without any."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", type=Path, default=CASES)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    parts: Counter[str] = Counter()
    clean = total = 0
    for name, page, wanted in cases(options.folder):
        if options.only not in name:
            continue
        total += 1
        faults = judge(page, wanted)
        clean += not faults
        parts.update({fault.part for fault in faults})
        for fault in faults:
            print(f"  {name:<24} {fault.part}: {fault.note[:150]}")
    if not options.only:
        figure = Figure(
            "forum", f"{total} hand-made pages, share without a fault", clean / total, held_back=False
        )
        write_figures("forum_cases", [figure])
    print(f"{clean} of {total} cases right; cases with a fault by part: {dict(parts)}")


if __name__ == "__main__":
    main()
