"""Finds the comments of readers below an article: by names, repeated records, headings and signatures.

set_comments_apart() is the way in. A record is a frame that shows a date beside some text; comments are a row
of records with the same tag and class, after the text that they comment on. Where comments have no frames of
their own, the heading "Comments" or lines such as "Posted by Ann at 10:05" show where they begin.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from string import ascii_lowercase, ascii_uppercase

from turbohtml import Element

from threadmill.native.loader import load_extension
from threadmill.page.blocks.block import Block
from threadmill.page.blocks.cutting import Cut
from threadmill.page.judge.clean_settings import Comments
from threadmill.page.judge.justext import Judgement
from threadmill.page.judge.story import word_count
from threadmill.types import COMMENT_REASON, ParagraphClass

_COMPILED = load_extension("story")

# Words in class and id that name comments in the languages of most sites, and systems for comments.
_NAMES = "comment kommentar comentario commentaire commento komentar komment reactie disqus"
# A longer name is made of a heading: "respond-to-review-comments" is a section about comments.
_NAMED = re.compile(rf"(?<!\S)\S{{0,16}}(?:{'|'.join(_NAMES.split())})\S{{0,16}}(?!\S)", re.IGNORECASE)
_NAME_LIST = tuple(_NAMES.split())
_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_HINTS = None if _COMPILED is None else _COMPILED.NameHints([(name, 1, 1) for name in _NAME_LIST])
# Names of things that stand beside the text of the page and are no comments: counters, links to the comments.
_NOT_COMMENTS = re.compile(
    r"no-?comment|comments?-(?:off|closed|count|number|link|open|disabled)", re.IGNORECASE
)
# The line of a comment tells the time of day or how long ago it was; rankings and lists tell days. What all
# begin with is looked for first, which takes a third of the time.
_DATED = re.compile(
    r"(?=[\dhvi])(?:\b\d{1,2}[:h]\d\d\b|\b\d+ (?:min|hours?|days?|weeks?|months?|years?) ago\b|"
    r"\bhace \d|\bvor \d|\bil y a \d|\d \w+ назад)"
)
# What every such line has if it is in ASCII: a search for it takes a tenth of the time.
_MAY_TELL_TIME = re.compile("[0-9][:h][0-9]|ago|hace|vor|il y a")
# A heading that says nothing but that comments follow, in the languages of most sites.
_HEADING_WORDS = (
    "comment", "kommentar", "comentario", "comentário", "commenti", "reacties", "komentarze", "комментарии",
    "have your say", "your view",
)  # fmt: skip
_HEADING = re.compile(
    r"(?:\d+ )?(?:(?:reader|user|your|recent|latest|article|all)(?:'?s'?)? )?"
    r"(?:comments?|(?:leser)?kommentare?|kommentarer|commentaires?|comentarios?|comentários?|commenti|reacties|"
    r"komentarze|комментарии|have your say|your view)(?: ?[(\[]?\d+[)\]]?)?:?",
    re.IGNORECASE,
)
_LONGEST_HEADING = 40  # characters
# The line of a comment without a frame names who wrote it, and when.
_SIGN_WORDS = (
    "posted", "commented", "wrote", "says", "said", "geschrieben", "schrieb", "escribió", "a écrit", "dice",
    "scrive",
)  # fmt: skip
_SIGNED = re.compile(
    rf"\b(?:{'|'.join(_SIGN_WORDS)})\b.{{0,50}}?\d{{1,2}}[:h]\d\d", re.IGNORECASE | re.DOTALL
)
_LEAST_SIGNED = 2
_LEAST_TITLES = 2
_LEAST_RECORDS = 3
_SHORT_BLOCK = 80  # characters of the line with author and date
_LEAST_TEXT = 25  # characters of the text of a record
_LEAST_STORY = 60  # words outside of the comments; a page with less is a discussion itself
_LONG_STORY = 150  # words outside of the comments; such a page is no discussion, however many comments it has
_MOST_OF_PAGE = 4.0  # below a short story, comments with so many times its words are the content
# Other kinds of pages are lists or discussions. What buyers write about a product belongs to its page.
_WITH_COMMENTS = frozenset({"article", "service", ""})

# The judgement of text outside of the story. Comments among it are brought back, or set apart as such.
OUTSIDE_STORY = ParagraphClass.BAD, "outside of the story"
_GOOD = ParagraphClass.GOOD
_KEPT = ParagraphClass.GOOD, f"{COMMENT_REASON}, kept"
_APART = ParagraphClass.BAD, COMMENT_REASON
_DROPPED = ParagraphClass.BAD, f"{COMMENT_REASON}, dropped"


def set_comments_apart(
    cutting: Cut, judged: list[Judgement], choice: Comments, kind: Callable[[], str]
) -> list[Judgement]:
    """The judgements, with comments taken out of the content as the user chose.

    Comments that were rejected as text outside of the story are comments all the same.
    """
    is_auto = choice is Comments.AUTO
    page_kind = kind() if is_auto else "article"
    is_wanted = choice is Comments.KEEP or page_kind not in _WITH_COMMENTS
    if is_wanted and OUTSIDE_STORY not in judged:
        return judged
    # The rows of a list are dated records as well: there, the names of frames and signatures tell comments.
    found = comment_blocks(cutting, judged, by_records=page_kind == "article")
    if not any(found):
        return judged
    is_wanted = is_wanted or (is_auto and _is_discussion(cutting.blocks, judged, found))
    verdict = _KEPT if is_wanted else _DROPPED if choice is Comments.DROP else _APART
    return [
        verdict
        if comment and (judgement is OUTSIDE_STORY or (judgement[0] is _GOOD and not is_wanted))
        else judgement
        for comment, judgement in zip(found, judged, strict=True)
    ]


def _is_discussion(blocks: Sequence[Block], judged: Sequence[Judgement], found: Sequence[bool]) -> bool:
    """Whether the comments are what the page is about."""
    inside = outside = 0
    for i in _text_blocks(judged):
        if found[i]:
            inside += word_count(blocks[i])
        elif judged[i] is not OUTSIDE_STORY:
            outside += word_count(blocks[i])
    return outside < _LEAST_STORY or (outside < _LONG_STORY and inside > _MOST_OF_PAGE * outside)


def comment_blocks(cutting: Cut, judged: Sequence[Judgement], *, by_records: bool = True) -> list[bool]:
    """Which blocks stand in comments, as far as they matter to content; nothing where none do.

    Most pages have neither frames with such names nor lines that look so. The search in full is for the rest.
    """
    blocks = cutting.blocks
    search = _short_lines if _COMPILED is None else _COMPILED.short_lines
    short, timed = search(blocks, _LONGEST_HEADING, _SHORT_BLOCK)
    named = _named_frames(cutting, judged)
    is_dated = by_records and _are_dated(timed)
    is_signed = (_may_be_signed("\n".join(timed)) and any(map(_is_signed, timed))) or _has_heading(short)
    if not (named or is_dated or is_signed):
        return []
    found = [False] * len(blocks)
    story = _story_end(blocks, judged)
    for frame in named:
        start, end = cutting.starts[frame], cutting.ends[frame]
        if start > story[0]:
            found[start:end] = [True] * (end - start)
    if is_dated:
        _find_records(cutting, story[1], found)
    for start, end in _without_frames(cutting, judged) if is_signed else ():
        found[start:end] = [True] * (end - start)
    return found


def _short_lines(blocks: Sequence[Block], short: int, most: int) -> tuple[list[str], list[str]]:
    """The texts that are no longer than a heading, and the lines that may tell a time."""
    lines = [text for block in blocks if len(text := block.text) <= most]
    timed = [
        line for line in lines if ":" in line and not (line.isascii() and not _MAY_TELL_TIME.search(line))
    ]
    return [line for line in lines if len(line) <= short], timed


def _may_be_signed(text: str) -> bool:
    """Whether a text may name an author. The words are searched for first: most pages have none of them."""
    small = text.lower()
    return any(word in small for word in _SIGN_WORDS) and _SIGNED.search(text) is not None


def _are_dated(lines: Sequence[str]) -> bool:
    """Whether enough lines tell a time."""
    return sum(1 for _ in islice(filter(_DATED.search, lines), _LEAST_RECORDS)) == _LEAST_RECORDS


def _named_frames(cutting: Cut, judged: Sequence[Judgement]) -> list[int]:
    """The frames around content, and around text outside of the story, that are named after comments."""
    blocks, parents, elements = cutting.blocks, cutting.parents, cutting.elements
    if _COMPILED is None:
        frames, names = _names_around(blocks, _text_blocks(judged), parents, elements)
    else:
        frames, names = _COMPILED.names_around(
            blocks, _text_blocks(judged), parents, elements, cutting.names, _HINTS
        )
    return [
        frame
        for frame, name in zip(frames, names, strict=True)
        if _NAMED.search(name) is not None and not _NOT_COMMENTS.search(name)
    ]


def _names_around(
    blocks: Sequence[Block], numbers: Iterable[int], parents: Sequence[int], elements: Sequence[Element]
) -> tuple[list[int], list[str]]:
    """The frames around some blocks that have a word for comments in class or id, and these names."""
    around: set[int] = set()
    for frame in {blocks[i].frame for i in numbers}:
        outer = frame
        while outer >= 0 and outer not in around:
            around.add(outer)
            outer = parents[outer]
    names = {i: f"{elements[i].attr('class') or ''} {elements[i].attr('id') or ''}" for i in sorted(around)}
    found = {
        i: name for i, name in names.items() if any(map(name.translate(_SMALL).__contains__, _NAME_LIST))
    }
    return list(found), list(found.values())


def _text_blocks(judged: Sequence[Judgement]) -> list[int]:
    """The blocks that were kept before other stories and comments were looked for."""
    return [i for i, found in enumerate(judged) if found[0] is _GOOD or found is OUTSIDE_STORY]


def _has_heading(lines: Sequence[str]) -> bool:
    """Whether one of the lines is the heading of comments."""
    joined = "\0".join(lines)  # no page has this character
    small = joined.lower()
    if len(small) != len(joined):  # a letter whose lower case has two characters
        return any(map(_HEADING.fullmatch, lines))
    return any(map(_HEADING.fullmatch, _lines_with(_HEADING_WORDS, joined, small)))


def _lines_with(words: Iterable[str], joined: str, small: str) -> Iterator[str]:
    """The lines of a text that have one of the words in their lower case."""
    for word in words:
        at = small.find(word)
        while at >= 0:
            end = joined.find("\0", at)
            yield joined[joined.rfind("\0", 0, at) + 1 : end if end >= 0 else len(joined)]
            at = small.find(word, end) if end >= 0 else -1


def _find_records(cutting: Cut, after: int, found: list[bool]) -> None:
    """Mark rows of records after a block as comments."""
    rows: dict[tuple[int, str, str], list[int]] = defaultdict(list)
    for frame, start in enumerate(cutting.starts):
        if start > after and not found[start] and (name := cutting.elements[frame].attr("class")):
            rows[cutting.parents[frame], cutting.elements[frame].tag, name].append(frame)
    for frames in rows.values():
        if len(frames) >= _LEAST_RECORDS:
            records = [frame for frame in frames if _is_record(cutting, frame)]
            if len(records) >= _LEAST_RECORDS and 2 * len(records) > len(frames):
                start, end = cutting.starts[frames[0]], cutting.ends[frames[-1]]
                found[start:end] = [True] * (end - start)


def _without_frames(cutting: Cut, judged: Sequence[Judgement]) -> Iterator[tuple[int, int]]:
    """Ranges of blocks after a heading or a signature that shows where comments begin.

    A range ends with the frame around it. It is signed at least twice: a timeline has no authors.
    """
    blocks = cutting.blocks
    signed = [i for i, block in enumerate(blocks) if _is_signed(block.text)]
    if len(signed) < _LEAST_SIGNED:
        return
    words = 0
    for i, (block, (verdict, _)) in enumerate(zip(blocks, judged, strict=True)):
        if words >= _LEAST_STORY and (
            _is_heading(block) or (i in signed and len(block.text) <= _SHORT_BLOCK)
        ):
            end = _end_around(cutting, i)
            if sum(i <= at < end for at in signed) >= _LEAST_SIGNED:
                if not _has_posts(cutting, judged, i, end):
                    yield i, end
                return
        if verdict is _GOOD:
            words += word_count(block)


def _has_posts(cutting: Cut, judged: Sequence[Judgement], start: int, end: int) -> bool:
    """Whether signed texts have titles: a blog shows its posts, each with who wrote it and when."""
    titles = [i for i in range(start + 1, end) if cutting.blocks[i].heading and judged[i][0] is _GOOD]
    return len(titles) >= _LEAST_TITLES


def _is_signed(text: str) -> bool:
    """Whether a text begins or ends with who wrote it, and when."""
    if ":" not in text:
        return False
    ends = text if len(text) <= 2 * _SHORT_BLOCK else f"{text[:_SHORT_BLOCK]}\n{text[-_SHORT_BLOCK:]}"
    return _SIGNED.search(ends) is not None


def _is_heading(block: Block) -> bool:
    text = block.text
    return (
        len(text) <= _LONGEST_HEADING
        and 2 * block.link_chars < len(text)
        and _HEADING.fullmatch(text) is not None
    )


def _end_around(cutting: Cut, number: int) -> int:
    """The end of the innermost frame around a block that has more blocks after it."""
    frame = cutting.blocks[number].frame
    while frame >= 0 and cutting.ends[frame] <= number + 1:
        frame = cutting.parents[frame]
    return cutting.ends[frame] if frame >= 0 else len(cutting.blocks)


def _story_end(blocks: Sequence[Block], judged: Sequence[Judgement]) -> tuple[int, int]:
    """The block after which comments may begin, and the one after which most of the content is over."""
    kept = _text_blocks(judged)
    total, seen = sum(len(blocks[i].text) for i in kept), 0
    first = next((i for i in kept if blocks[i].text), 0)
    for i in kept:
        seen += len(blocks[i].text)
        if 3 * seen > total:
            return first, i
    return first, len(blocks)


def _is_record(cutting: Cut, frame: int) -> bool:
    """Whether a frame shows a short line with a date, and a text."""
    blocks = cutting.blocks[cutting.starts[frame] : cutting.ends[frame]]
    if len(blocks) < 2:
        return False
    dated = any(len(block.text) <= _SHORT_BLOCK and _DATED.search(block.text) for block in blocks)
    linked = sum(block.link_chars for block in blocks)
    chars = sum(len(block.text) for block in blocks)
    text = any(len(block.text) >= _LEAST_TEXT and 2 * block.link_chars < len(block.text) for block in blocks)
    return dated and text and 2 * linked < chars
