"""Finds text of thread pages that no post has: where it differs from thread to thread, posts are unread.

Counters of a forum may agree with the posts that were found although each thread lacks one: a counter of
replies is right where every first post was missed. The words of these posts still stand on the pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from threadmill.forum.posts.bodies import SENTENCE_END, find_sentences
from threadmill.forum.records.page_outline import PageOutline

_BEGINNING = 40  # characters by which a text is known; two sentences of one language share fewer
_MOST_TEXTS = 3  # of one page: a post has one sentence or more
_MOST_THREADS = 40  # that are looked at; a layout without first posts shows in a few
_MOST_LINES = 20_000  # of posts, in memory
_MIN_THREADS = 3  # with such text; fewer may have a poll or a note
_MIN_SHARE = 0.1  # of the threads that were looked at; set by hand, polls are rarer


def find_unread_texts(
    outline: PageOutline, posts: Sequence[tuple[int, int]], dated: set[int]
) -> tuple[str, ...]:
    """The beginnings of sentences outside the element ranges of the posts of a page.

    A list of the people who are online has no end of a sentence.
    """
    inside = bytearray(len(outline))
    for start, end in posts:
        inside[start:end] = b"\x01" * (end - start)
    found = (
        outline.segments[number].strip()[:_BEGINNING]
        for number in find_sentences(outline, 0, dated)
        if not inside[outline.segment_owner[number]] and SENTENCE_END.search(outline.segments[number])
    )
    return tuple(dict.fromkeys(found))[:_MOST_TEXTS]


@dataclass(slots=True)
class UnreadTexts:
    """Texts outside posts, as far as only one thread shows them."""

    threads: list[str] = field(default_factory=list)  # that were looked at
    texts: dict[str, str] = field(default_factory=dict)  # beginning → the thread that shows it
    common: dict[str, None] = field(default_factory=dict)  # shown by several threads, or said in a post
    _said: set[str] = field(default_factory=set)  # lines of posts; not stored

    def record(self, thread: str, texts: Iterable[str], posts: Iterable[str]) -> None:
        """Note the texts of a thread page outside its posts, and the texts of its posts."""
        if len(self._said) < _MOST_LINES:
            self._said.update(line.strip()[:_BEGINNING] for text in posts for line in text.splitlines())
        if thread not in self.threads and len(self.threads) < _MOST_THREADS:
            self.threads.append(thread)
        for text in (one[:_BEGINNING] for one in texts):
            if self.texts.get(text, thread) != thread:  # framing: another thread shows it too
                del self.texts[text]
                self.common[text] = None
            elif text not in self.common and thread in self.threads:
                self.texts[text] = thread

    def find_threads(self) -> set[str]:
        """The threads with text of their own outside posts. Empty if they are so few that it says nothing."""
        found = {thread for text, thread in self.texts.items() if text not in self._said}
        enough = len(found) >= max(_MIN_THREADS, _MIN_SHARE * len(self.threads))
        return found if enough else set()

    def clear(self) -> None:
        """Forget all, because pages are read in another way from now on."""
        self.threads.clear()
        self.texts.clear()

    def to_json(self) -> dict[str, Any]:
        """The texts as plain data for the store."""
        told = {text: thread for text, thread in self.texts.items() if text not in self._said}
        return {"threads": self.threads, "texts": told, "common": list(self.common)}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> UnreadTexts:
        """The texts that `to_json` wrote."""
        return cls(list(data["threads"]), dict(data["texts"]), dict.fromkeys(data["common"]))
