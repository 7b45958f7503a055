"""Reads how many posts and threads a whole forum claims to have, from the statistics box of a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from threadmill.forum.index.counters import read_counter
from threadmill.forum.read_page import PageAnalysis

# Words for posts and for threads as statistics boxes write them, in the languages of the forum lists.
_POSTS = re.compile(
    r"\b(?:posts?|messages?|articles|replies|beiträge|antworten|réponses|mensajes|respuestas|mensagens|messaggi|"
    r"berichten|inlägg|innlegg|indlæg|viesti\w*|post\w{1,3}|příspěv\w*|příspevk\w*|hozzászólás\w*|mesaj\w*|"
    r"сообщени\w*|повідомлен\w*|поруке|objav\w*|bài viết)\b|帖子|帖数|回帖|投稿|글|게시물|posty|wiadomości",
    re.IGNORECASE,
)
_THREADS = re.compile(
    r"\b(?:topics?|threads?|discussions?|questions?|subjects?|themen|sujets?|temas?|tópicos|argomenti|discussioni|"
    r"onderwerpen|ämnen|trådar|emner|tråde|aihe\w*|wątk\w*|témat\w*|téma|konu\w*|тем[аы]?|теми|chủ đề)\b|"
    r"主题|主題|话题|トピック|스레드|주제",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?<![\w.,:/\-])\d{1,3}(?:[.,\s\u00a0\u202f']\d{3})+(?![\w:/])|(?<![\w.,:/\-])\d+(?![\w:/])"
)
_MAX_TEXT = 120  # characters of a line in a statistics box; longer ones are sentences
_MAX_GAP = 24  # characters between a word and its number


def find_stated_totals(analysis: PageAnalysis) -> dict[str, int]:
    """The largest numbers of posts and threads that the page names outside its lists of rows.

    A number in the text of its word comes first ("1,620 posts"), then one in the next text ("Total posts",
    "1,620"), then one in the text before.
    """
    found: dict[str, int] = {}
    texts = list(_texts_outside_rows(analysis))
    for name, words in (("posts", _POSTS), ("threads", _THREADS)):
        same = [_number_beside(text, words) for text in texts]
        pairs = [(one, other) for one, other in pairwise(texts) if one and other]
        after = [_number_alone(other) for one, other in pairs if words.search(one)]
        before = [_number_alone(one) for one, other in pairs if words.search(other)]
        for numbers in (same, after, before):
            known = [number for number in numbers if number is not None]
            if known:
                found[name] = max(known)
                break
    return found


def _texts_outside_rows(analysis: PageAnalysis) -> Iterator[str]:
    """The short texts of the page that are in no row. Others are empty, so that no pair spans them."""
    outline = analysis.outline
    in_rows: set[int] = set()
    for row_list in analysis.row_lists:
        for record in row_list.table.records:
            for start, end in record.spans(outline):
                in_rows.update(range(start, end))
    for owner, text in zip(outline.segment_owner, outline.segments, strict=True):
        yield "" if owner in in_rows or len(text) > _MAX_TEXT else text


def _number_alone(text: str) -> int | None:
    """The number that is all of a text, but for signs around it."""
    found = _NUMBER.fullmatch(text.strip(" :•·|()[]–-"))
    return read_counter(found[0]) if found else None


def _number_beside(text: str, words: re.Pattern[str]) -> int | None:
    """The number that is nearest to one of the words."""
    word = words.search(text)
    if word is None:
        return None
    near = [
        (max(number.start() - word.end(), word.start() - number.end()), number[0])
        for number in _NUMBER.finditer(text)
    ]
    gap, digits = min(near, default=(_MAX_GAP + 1, ""))
    return read_counter(digits) if gap <= _MAX_GAP else None
