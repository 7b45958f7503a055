"""The texts of a simulated forum: titles, posts, quotes and signatures, and their authors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

from threadmill.lab.simulate.content.seeded_random import draw_one, pick_one, random_fraction, random_stream
from threadmill.lab.simulate.content.shown_dates import DAY, format_date
from threadmill.lab.simulate.content.world import START, ForumContent


@dataclass(frozen=True, slots=True)
class ForumAuthor:
    """An author. A guest has the number 0 and no profile."""

    number: int
    name: str
    joined: int
    posts: int
    place: str
    signature: str


@dataclass(frozen=True, slots=True)
class Quotation:
    """A quote in a post."""

    author: str
    post_id: int
    moment: int
    text: str
    inner: Quotation | None = None


@dataclass(frozen=True, slots=True)
class PostText:
    """The text of a post: its own paragraphs, and the quote before them."""

    paragraphs: tuple[str, ...]
    quotation: Quotation | None = None

    @property
    def text(self) -> str:
        """The author's own words."""
        return "\n".join(self.paragraphs)


# Rows and sidebars need the same few texts often. A big forum must not keep all of them.
_remembered = lru_cache(maxsize=20_000)


@_remembered
def write_title(world: ForumContent, thread: int) -> str:
    """Return the title of a thread."""
    source = random_stream(world.traits.name, "title", thread)
    return _fill(draw_one(world.language.titles, source), world, source)


@_remembered
def find_author(world: ForumContent, rank: int) -> ForumAuthor:
    """Return the author of a post. Few authors write much, and few write in one thread."""
    thread = world.owners[rank]
    name = world.traits.name
    if random_fraction(name, "guest", rank) < world.traits.guests:
        return ForumAuthor(0, world.language.words["guest"], 0, 0, "", "")
    first = world.threads[thread].ranks[0] == rank
    circle = 2 + len(world.threads[thread].ranks) // 4
    seat = 0 if first else int(random_fraction(name, "seat", rank) ** 1.5 * min(circle, 14))
    people = max(12, world.size // 25)
    return make_author(world, int(random_fraction(name, "person", thread, seat) ** 1.7 * people))


@_remembered
def make_author(world: ForumContent, index: int) -> ForumAuthor:
    """Return the author with an index in the list of members."""
    language, forum = world.language, world.traits.name
    base = language.names[index % len(language.names)]
    lap = index // len(language.names)
    name = (
        base
        if not lap
        else f"{base}{int(10 + 89 * random_fraction(forum, 'suffix', index))}{lap if lap > 1 else ''}"
    )
    source = random_stream(forum, "author", index)
    joined = START - int(DAY * 1400 * source.random())
    place = draw_one(language.places, source) if source.random() < 0.6 else ""
    signature = _fill(draw_one(language.signatures, source), world, source) if source.random() < 0.35 else ""
    return ForumAuthor(3 + index * 2, name, joined, int(5 + 3000 * source.random() ** 3), place, signature)


def write_post(world: ForumContent, rank: int, now: int) -> PostText:
    """Return the text of a post at a time: edited or not, with its quote."""
    writing = PostText(_original(world, rank), _quotation(world, rank, depth=0))
    edited = world.edited_at(rank)
    if edited and edited <= now:
        source = random_stream(world.traits.name, "second thoughts", rank)
        more = _fill(draw_one(world.language.sentences, source), world, source)
        writing = PostText((*writing.paragraphs, more), writing.quotation)
    return writing


@_remembered
def _original(world: ForumContent, rank: int) -> tuple[str, ...]:
    """Write one to four paragraphs, or sometimes a common short answer."""
    source = random_stream(world.traits.name, "post", rank)
    first = world.threads[world.owners[rank]].ranks[0] == rank
    if not first and source.random() < 0.12:
        return (draw_one(world.language.short_answers, source),)
    joint = "" if world.language.code in {"zh", "ja"} else " "
    paragraphs = []
    for _ in range(1 + int(3.2 * source.random() ** 2.2) + first):
        sentences = []
        for _ in range(1 + int(4 * source.random() ** 1.4)):
            sentence = _fill(draw_one(world.language.sentences, source), world, source)
            if sentence not in sentences:
                sentences.append(sentence)
        paragraphs.append(joint.join(sentences))
    return tuple(paragraphs)


def _quotation(world: ForumContent, rank: int, depth: int) -> Quotation | None:
    thread = world.threads[world.owners[rank]]
    name = world.traits.name
    if (
        thread.ranks[0] == rank
        or depth > 1
        or random_fraction(name, "quotes", rank) > (0.22 if depth == 0 else 0.5)
    ):
        return None
    place = thread.ranks.index(rank)
    quoted = thread.ranks[max(0, place - 1 - int(4 * random_fraction(name, "quoted", rank) ** 2))]
    author = find_author(world, quoted)
    words = _original(world, quoted)[0]
    inner = _quotation(world, quoted, depth + 1)
    return Quotation(author.name, world.ids[quoted], world.times[quoted], words, inner)


def _fill(template: str, world: ForumContent, source: Random) -> str:
    """Fill the slots of a template with model names, numbers, places, dates and URLs."""
    if "{" not in template:
        return template
    old = START - int(DAY * 2500 * source.random())
    pattern = pick_one(("{d}.{m}.{Y}", "{Y}-{mm}-{dd}", "{d} {month} {Y}"), world.traits.name, "date in text")
    when = format_date(pattern, world.traits.zone.local(old), world.language)
    return template.format(
        m=_model(source),
        m2=_model(source),
        n=2 + int(60 * source.random() ** 2),
        p=draw_one(world.language.places, source),
        d=when,
        u=f"http://files.example.org/{int(1e5 * source.random())}.pdf",
    )


def _model(source: Random) -> str:
    letters = "".join(draw_one("ABCDEHKLMNRSTVX", source) for _ in range(2))
    return f"{letters}-{int(10 + 980 * source.random())}"
