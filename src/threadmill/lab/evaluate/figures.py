"""The figures of the source's experiment: one site at one date, several added up, and their ratios."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class CrawlFigures:
    """Counts of one crawl of one site, or of many; ratios are of the sums."""

    pages: int = 0
    new: int = 0
    semi: int = 0
    duplicate: int = 0
    other: int = 0
    forbidden: int = 0
    bytes: float = 0.0
    news_bytes: float = 0.0  # of pages with something new
    least_thread: int = 0  # thread pages an all-knowing crawler fetches
    covered: int = 0  # of them those whose new posts we saw
    least: int = 0  # all pages an all-knowing crawler fetches
    skeleton: int = 0  # all pages of boards and threads: what a full recrawl fetches
    skeleton_news: int = 0  # of them those with something new
    posts: float = 0.0  # new ones there are
    found: float = 0.0
    exported: float = 0.0
    true: float = 0.0  # exported ones that are posts, each once
    dates: float = 0.0
    authors: float = 0.0
    body: float = 0.0  # sum of token F1

    def __add__(self, other: CrawlFigures) -> CrawlFigures:
        return CrawlFigures(**{f.name: getattr(self, f.name) + getattr(other, f.name) for f in fields(self)})

    @property
    def precision(self) -> float | None:
        """Pages with something new among all pages fetched."""
        return _ratio(self.new + self.semi, self.pages)

    @property
    def recall(self) -> float | None:
        """Thread pages with new posts that were seen."""
        return _ratio(self.covered, self.least_thread)

    @property
    def f(self) -> float | None:
        """The harmonic mean of the two."""
        precision, recall = self.precision or 0.0, self.recall or 0.0
        return _ratio(2 * precision * recall, precision + recall)

    @property
    def bandwidth(self) -> float | None:
        """Bytes of pages with something new among all bytes; None where the judge does not count them."""
        return _ratio(self.news_bytes, self.bytes) if self.news_bytes else None

    @property
    def recrawl_precision(self) -> float | None:
        """What a crawler that fetches everything again has, counted from the truth."""
        return _ratio(self.skeleton_news, self.skeleton)

    def share(self, part: str, whole: str) -> float | None:
        """The ratio of two counts."""
        return _ratio(getattr(self, part), getattr(self, whole))

    def as_dict(self) -> dict[str, Any]:
        """Plain data, to be kept."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CrawlExperiment:
    """One site crawled on several dates."""

    site: str
    by_date: Mapping[str, CrawlFigures]

    @property
    def first(self) -> CrawlFigures:
        """The crawl of everything."""
        return next(iter(self.by_date.values()))

    @property
    def later(self) -> CrawlFigures:
        """All incremental crawls together."""
        return add_figures(list(self.by_date.values())[1:])

    def to_json(self) -> dict[str, Any]:
        """Plain data."""
        return {"site": self.site, "dates": {date: one.as_dict() for date, one in self.by_date.items()}}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """What to_json() wrote."""
        return cls(data["site"], {date: CrawlFigures(**one) for date, one in data["dates"].items()})


def add_figures(figures: Iterable[CrawlFigures]) -> CrawlFigures:
    """The sum of several."""
    return sum(figures, CrawlFigures())


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None
