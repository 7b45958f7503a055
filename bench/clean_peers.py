"""Other extractors behind one signature: (HTML, URL) → text; imported when they are called."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any


def trafilatura(html: str, url: str) -> str:
    """trafilatura with its defaults."""
    from trafilatura import extract

    return extract(html, url=url or None) or ""


def trafilatura_precision(html: str, url: str) -> str:
    """trafilatura with precision rather than recall."""
    from trafilatura import extract

    return extract(html, url=url or None, favor_precision=True) or ""


def newspaper(html: str, url: str) -> str:
    """newspaper4k's text of an article."""
    from newspaper import Article

    article = Article(url or "https://example.org/", fetch_images=False)
    try:
        article.download(input_html=html)
        article.parse()
    except Exception:  # whatever a peer raises, it found nothing
        return ""
    return str(article.text)


@cache
def stop_list(language: str) -> Any:
    """One of jusText's lists of stop words."""
    import justext as peer

    return peer.get_stoplist(language)


def justext(html: str, url: str) -> str:  # noqa: ARG001
    """jusText with the lower thresholds that suit short paragraphs."""
    import justext as peer

    try:
        found = peer.justext(
            html, stop_list("English"),
            length_low=30, length_high=100, stopwords_low=0.1, stopwords_high=0.2,
            max_link_density=0.4,
        )  # fmt: skip
    except (ValueError, AssertionError):  # pages that lxml cannot read
        return ""
    return "\n".join(paragraph.text for paragraph in found if not paragraph.is_boilerplate)


def resiliparse(html: str, url: str) -> str:  # noqa: ARG001
    """Resiliparse's main content."""
    from resiliparse.extract.html2text import extract_plain_text

    return str(extract_plain_text(html, main_content=True, alt_texts=False, links=False))


def readability(html: str, url: str) -> str:  # noqa: ARG001
    """readability-lxml's summary as text."""
    import lxml.html
    from readability import Document

    try:
        return str(lxml.html.fromstring(Document(html).summary()).text_content())
    except Exception:  # whatever a peer raises, it found nothing
        return ""


PEERS: dict[str, Callable[[str, str], str]] = {
    "trafilatura": trafilatura,
    "trafilatura, precision": trafilatura_precision,
    "newspaper4k": newspaper,
    "justext": justext,
    "resiliparse": resiliparse,
    "readability": readability,
}
