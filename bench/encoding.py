"""How many pages in legacy encodings are read exactly, with a header that lies and with none.

usage: python -m bench.encoding DIRECTORY      (Universal Dependencies files: XX_name.conllu.xz)
"""

from __future__ import annotations

import lzma
import sys
from collections import Counter
from pathlib import Path

import turbohtml

from bench.figures import Figure, at_least, write_figures
from threadmill.page.parse.tree import parse

ENCODINGS = {
    **dict.fromkeys(("bg", "ru", "uk"), ("cp1251", "koi8-u")),
    **dict.fromkeys(("cs", "hr", "hu", "pl", "sk", "sr"), ("cp1250", "iso8859-2")),
    **dict.fromkeys(("de", "es", "fr", "it"), ("cp1252",)),
    "tr": ("cp1254",),
}
HEADERS = ("text/html", "text/html; charset=utf-8")
SENTENCES = 10  # of a page
PAGES = 80  # of a language


def read_texts(file: Path) -> list[str]:
    """Pages of ten sentences."""
    with lzma.open(file, "rt", encoding="utf-8") as lines:
        sentences = [line[9:].strip() for line in lines if line.startswith("# text = ")]
    starts = range(0, min(len(sentences), SENTENCES * PAGES), SENTENCES)
    return [" ".join(sentences[at : at + SENTENCES]).translate({60: None, 38: None}) for at in starts]


def as_browsers_do(body: bytes, header: str) -> str:
    """The peer: turbohtml alone, which believes the header where there is one."""
    label = header.partition("charset=")[2] or None
    return turbohtml.parse(body, encoding=label, detect_encoding=True).text.strip()


def main() -> None:
    """Print the share read exactly, by language and encoding, and over all."""
    right: Counter[str] = Counter()
    seen: Counter[str] = Counter()
    browser = 0
    for file in sorted(Path(sys.argv[1]).glob("*.conllu.xz")):
        language = file.name[:2]
        for encoding in ENCODINGS.get(language, ()):
            for text in read_texts(file):
                body = f"<html><body><p>{text}".encode(encoding, "ignore")
                wanted = body.decode(encoding).partition("<p>")[2].strip()
                if wanted.isascii():
                    continue
                for header in HEADERS:
                    read = parse(body, content_type=header).document.text.strip()
                    seen[f"{language} {encoding}"] += 1
                    right[f"{language} {encoding}"] += read == wanted
                    browser += as_browsers_do(body, header) == wanted
    for name, count in seen.items():
        print(f"{name:<14} {right[name] / count:.3f} of {count}")
    print(f"{'all':<14} {right.total() / seen.total():.4f} of {seen.total()}")
    share, theirs = right.total() / seen.total(), browser / seen.total()
    what = "pages in legacy encodings read exactly"
    write_figures(
        "encoding", [Figure("page", what, share, at_least(0.98), peers={"browsers' order": theirs})]
    )
    print(f"{'browsers':<14} {browser / seen.total():.4f} of {seen.total()}")


if __name__ == "__main__":
    main()
