"""Title, author and date of pages, ours beside trafilatura, htmldate and newspaper4k in one run.

python3 dev.py run python -m bench.clean_metadata --data DIR [--half development]

The labels are those of trafilatura's evaluation data (github.com/adbar/trafilatura, tests/evaldata.py).
The sites are split in halves by a hash of their name. Our rules were written with the development half in
view; the figures are of the other half.
"""

from __future__ import annotations

import argparse
import json
import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bench.clean_data import in_development, read_pages
from bench.figures import Figure, at_least, write_figures
from threadmill import clean

FIELDS = ("title", "author", "date")
BARS = {"title": 0.65, "author": 0.60, "date": 0.88}


def plain(text: str | None) -> str:
    """White space and case do not count."""
    return " ".join((text or "").split()).casefold()


def ours(html: str, url: str) -> dict[str, str]:
    """What Threadmill finds."""
    found = clean(html, url).metadata
    date = found.date.date.isoformat() if found.date else ""
    return {"title": found.title, "author": found.author, "date": date}


def trafilatura(html: str, url: str) -> dict[str, str]:
    """What trafilatura finds."""
    from trafilatura.metadata import extract_metadata

    found = extract_metadata(html, default_url=url or None)
    author = ", ".join((found.author or "").split("; "))
    return {"title": found.title or "", "author": author, "date": found.date or ""}


def htmldate(html: str, url: str) -> dict[str, str]:
    """The date that htmldate finds."""
    from htmldate import find_date

    return {"date": find_date(html, url=url or None) or ""}


def newspaper(html: str, url: str) -> dict[str, str]:
    """What newspaper4k finds."""
    from newspaper import Article

    article = Article(url or "https://example.org/", language="en", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    date = article.publish_date
    return {
        "title": article.title or "",
        "author": ", ".join(article.authors),
        "date": date.date().isoformat() if date else "",
    }


TOOLS: dict[str, Callable[[str, str], dict[str, str]]] = {
    "threadmill": ours,
    "trafilatura": trafilatura,
    "htmldate": htmldate,
    "newspaper4k": newspaper,
}


def main() -> None:
    """Print the share of exact values of each tool, and write the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder with traf_half*")
    parser.add_argument("--half", choices=("development", "held-back"), default="held-back")
    parser.add_argument("--peers", default="trafilatura,htmldate,newspaper4k", help="comma-separated")
    arguments = parser.parse_args()
    logging.disable(logging.CRITICAL)
    lines = (arguments.data / "traf_half_metadata.jsonl").read_text("utf-8").splitlines()
    labels = {label["id"]: label for label in map(json.loads, lines)}
    wanted = arguments.half == "development"
    pages = [
        page
        for page in read_pages(arguments.data, "traf_half*")
        if page["id"] in labels and in_development(page) is wanted
    ]
    names = ["threadmill", *filter(None, arguments.peers.split(","))]
    right: dict[str, dict[str, list[bool]]] = {name: {field: [] for field in FIELDS} for name in names}
    for page in pages:
        for name in names:
            found = attempt(TOOLS[name], page)
            for field in FIELDS:
                if labels[page["id"]].get(field):
                    right[name][field].append(plain(found.get(field)) == plain(labels[page["id"]][field]))
    figures = []
    for field in FIELDS:
        shares = {name: sum(right[name][field]) / len(right[name][field]) for name in names}
        print(
            field, len(right["threadmill"][field]), {name: round(share, 3) for name, share in shares.items()}
        )
        own = shares.pop("threadmill")
        peers = {name: share for name, share in shares.items() if field == "date" or name != "htmldate"}
        figures.append(Figure("page", f"{field} of a page, exact", own, at_least(BARS[field]), peers=peers))
    if not wanted:
        write_figures("clean_metadata", figures)


def attempt(tool: Callable[[str, str], dict[str, str]], page: dict[str, Any]) -> dict[str, str]:
    """What a tool finds; one that fails on a page found nothing."""
    try:
        return tool(page["html"], page["url"] or "")
    except Exception:
        return {}


if __name__ == "__main__":
    main()
