"""The figures of the forum experiment: counts of one crawl or of several, and their ratios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """The counts of one crawl, or the sums of several. Ratios are computed from the sums."""

    pages: int = 0
    new: int = 0
    semi: int = 0
    duplicate: int = 0
    other: int = 0
    forbidden: int = 0
    bytes: float = 0.0
    news_bytes: float = 0.0  # bytes of pages with new items
    least_thread: int = 0  # thread pages that a perfect crawler fetches
    covered: int = 0  # those of them whose new posts were all seen
    least: int = 0  # all pages that a perfect crawler fetches
    skeleton: int = 0  # all index and thread pages: what a full recrawl fetches
    skeleton_news: int = 0  # those of them with new items
    posts: float = 0.0  # new posts that exist
    found: float = 0.0
    exported: float = 0.0
    true: float = 0.0  # exported posts that match a real post
    dates: float = 0.0
    authors: float = 0.0
    body: float = 0.0  # sum of token F1

    def __add__(self, other: CrawlFigures) -> CrawlFigures:
        return CrawlFigures(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})

    @property
    def precision(self) -> float | None:
        """Share of the fetched pages that have new items."""
        return _ratio(self.new + self.semi, self.pages)

    @property
    def recall(self) -> float | None:
        """Share of the needed thread pages whose new posts were seen."""
        return _ratio(self.covered, self.least_thread)

    @property
    def f(self) -> float | None:
        """The harmonic mean of precision and recall."""
        precision, recall = self.precision or 0.0, self.recall or 0.0
        return _ratio(2 * precision * recall, precision + recall)

    @property
    def bandwidth(self) -> float | None:
        """Share of the bytes that belong to pages with new items; None if the judge does not count them."""
        return _ratio(self.news_bytes, self.bytes) if self.news_bytes else None

    @property
    def recrawl_precision(self) -> float | None:
        """The precision of a full recrawl, computed from the truth."""
        return _ratio(self.skeleton_news, self.skeleton)

    def share(self, part: str, whole: str) -> float | None:
        """Return the ratio of two counts, given by name."""
        return _ratio(getattr(self, part), getattr(self, whole))

    def as_dict(self) -> dict[str, Any]:
        """Return the counts as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CrawlExperiment:
    """The figures of one site, crawled on several dates."""

    site: str
    by_date: Mapping[str, CrawlFigures]

    @property
    def first(self) -> CrawlFigures:
        """The first crawl, which fetches everything."""
        return next(iter(self.by_date.values()))

    @property
    def later(self) -> CrawlFigures:
        """The sum of all incremental crawls."""
        return add_figures(list(self.by_date.values())[1:])

    def to_json(self) -> dict[str, Any]:
        """Return the experiment as plain data."""
        return {"site": self.site, "dates": {date: one.as_dict() for date, one in self.by_date.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Read what to_json() wrote."""
        return cls(data["site"], {date: CrawlFigures(**one) for date, one in data["dates"].items()})


def add_figures(figures: Iterable[CrawlFigures]) -> CrawlFigures:
    """Return the sum of several figures."""
    return sum(figures, CrawlFigures())


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
