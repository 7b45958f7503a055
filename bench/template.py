"""How fast a large site's framing is learnt and removed: CPU seconds and memory for 10,000 pages of 50 kB."""

from __future__ import annotations

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from bench.figures import Figure, at_most, write_figures
from threadmill.template import FramingMethod, learn_template, remove_framing

KINDS = 3  # kinds of pages, each with a framing of its own


class Files(Sequence[bytes]):
    """Pages on disk, read when asked for."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = paths

    def __len__(self) -> int:
        return len(self._paths)

    def __getitem__(self, index: int) -> bytes:  # type: ignore[override]
        return self._paths[index].read_bytes()


def make_page(number: int, size: int, words: list[str]) -> bytes:
    """A page with menu, breadcrumb, side box and footer around paragraphs nobody else has."""
    chance = random.Random(number)
    kind = number % KINDS
    menu = "".join(f'<li><a href="/{kind}/{i}.html">{words[i]} {words[i + 50]}</a></li>\n' for i in range(80))
    title = " ".join(chance.choices(words, k=4))
    head = (
        f"<!doctype html><html><head><title>{title} - Site</title></head><body>"
        f'<div id="top" class="kind{kind}"><a href="/">Site</a> <span>since 1999</span></div>'
        f'<ul class="menu">{menu}</ul>'
        f'<div class="path"><a href="/">Home</a> &raquo; <a href="/{kind}/">Part</a> &raquo; {title}</div>'
        f'<div class="main"><h1>{title}</h1>'
    )
    foot = (
        '</div><div class="foot"><p>Copyright 2026, all rights reserved.</p>'
        '<a href="/about">About</a></div></body></html>'
    )
    parts = [head]
    length = len(head) + len(foot)
    while length < size:
        text = " ".join(chance.choices(words, k=chance.randint(8, 40)))
        link = f'<a href="/p/{chance.randrange(10**6)}">{chance.choice(words)}</a>'
        part = f"<p>{text} {link} <b>{chance.choice(words)}</b></p>\n"
        parts.append(part)
        length += len(part)
    return ("".join(parts) + foot).encode()


def make_words() -> list[str]:
    """Words that look like a language's."""
    chance = random.Random(0)
    syllables = [a + b for a in "bdfgklmnprst" for b in "aeiou"]
    return ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(5000)]


def main() -> None:
    """Generate, learn, remove, and print what each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--size", type=int, default=50_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        words = make_words()
        for number in range(arguments.pages):
            (Path(directory) / f"{number:06}.html").write_bytes(make_page(number, arguments.size, words))
        pages = Files(sorted(Path(directory).iterdir()))
        for line in measure(pages):
            print(line, flush=True)


def measure(pages: Files) -> Iterator[str]:
    """Learn once, then remove from every page, by both methods."""
    start = time.process_time()
    template = learn_template(pages)
    learnt = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = f"{len(template.clusters)} clusters, {len(template.framing.outermost())} places"
    yield f"learn {len(pages)} pages: {learnt:.1f} s CPU, {memory:.0f} MB, {found}"
    for method in FramingMethod:
        start = time.process_time()
        before = after = 0
        for html in pages:
            before += len(html)
            after += len(remove_framing(template, html, method))
        seconds = time.process_time() - start
        if method is FramingMethod.PLACES:
            total = Figure(
                "template", f"learn and remove {len(pages):,} pages, CPU", learnt + seconds, at_most(60), "s"
            )
            used = Figure("template", f"memory of the same {len(pages):,} pages", memory, at_most(500), "MB")
            write_figures("template", [total, used])
        share = f"{1 - after / before:.1%} of the bytes"
        yield f"remove ({method}): {seconds:.1f} s CPU, {share}; with learning {learnt + seconds:.1f} s"


if __name__ == "__main__":
    main()
