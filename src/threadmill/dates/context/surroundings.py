"""What stands beside a date or time in its text: the edges, the neighbours, the emptiness around it."""

from __future__ import annotations

import re

from threadmill.dates.forms.written_dates import DateForm, TimeForm
from threadmill.dates.grammar.grammar import Grammar
from threadmill.dates.text.lexer import Tokens
from threadmill.dates.text.lexicon import FUSED

NUMBERS = frozenset("0123456789BEFLPY")
_FIRST_WORD_LETTER = "\ue000"
_IS_FUSED = re.compile(f"[{FUSED}]")
_CLOCK = re.compile(r"[01237]:[23457](?::[23457])?")
_HOUR, _MINUTE = "01237", "23457"
_SIGNS = frozenset(" ,.|()-:;?'+<")
# Signs that make the number beside them a price, a share, an issue number, a variable.
_NUMBER_SIGNS = frozenset("$€£¥₽₴₺%#№=*^&@~_")
_BEFORE_NO_TIME = _NUMBER_SIGNS - {"@", "~"}
_ALONE = 30  # tokens: what has more than that beside it is not alone, whatever it is
_ISO_TIME = re.compile(r"t[0-9]|z")


class Surroundings:
    """One text in which dates and times are looked at."""

    def __init__(self, text: str, tokens: Tokens, grammar: Grammar) -> None:
        self.source = text
        self.tokens = tokens
        self.letters = tokens.letters
        self.grammar = grammar
        self.halves = grammar.halves

    # -- tokens ----------------------------------------------------------------------------------------------

    def word(self, index: int) -> str:
        """The text of a token, folded; empty outside."""
        if not 0 <= index < len(self.letters):
            return ""
        return self.tokens.text[self.tokens.starts[index] : self.tokens.ends[index]]

    def has_role(self, index: int, *roles: str) -> bool:
        """Whether a token can play one of these roles."""
        if not 0 <= index < len(self.letters):
            return False
        return any(sense.role in roles for sense in self.tokens.senses[index])

    def is_word(self, index: int) -> bool:
        """Whether a token is a word, known or not."""
        return self.letters[index] == "w" or self.letters[index] >= _FIRST_WORD_LETTER

    def is_fused(self, offset: int) -> bool:
        """Whether the character is of a script without spaces, where nothing is glued to anything."""
        return bool(_IS_FUSED.match(self.tokens.text, offset))

    def char(self, offset: int) -> str:
        """The folded character at an offset; a space outside."""
        return self.tokens.text[offset] if 0 <= offset < len(self.tokens.text) else " "

    def glued_word(self, index: int) -> bool:
        """Whether a token is a word that a neighbour without space would be part of."""
        if not 0 <= index < len(self.letters) or not self.is_word(index):
            return False
        return not self.is_fused(self.tokens.starts[index])

    def capital(self, form: DateForm) -> bool:
        """Whether the date's first letter is a capital in the text as given, or of a script without them."""
        start, end = self.tokens.original(form.start, form.end)
        letter = next((char for char in self.source[start:end] if char.isalpha()), "")
        return letter.isupper() or not (letter.islower() and letter.isascii())

    def word_before(self, form: DateForm) -> str:
        """The word before a date, past signs."""
        index = form.first - 1
        while index >= 0 and self.letters[index] in " .:-(":
            index -= 1
        return self.word(index) if index >= 0 and self.is_word(index) else ""

    def follows_word(self, index: int) -> bool:
        """Whether a word, no sign, stands before a token."""
        index -= 1
        while index >= 0 and self.letters[index] == " ":
            index -= 1
        return index >= 0 and self.is_word(index)

    def words_before(self, form: DateForm) -> int:
        """How many words stand close before a date."""
        return sum(self.is_word(index) for index in range(max(0, form.first - 40), form.first))

    # -- edges -----------------------------------------------------------------------------------------------

    def edges_allow(self, form: DateForm) -> bool:
        """Whether a date is not the middle of something longer."""
        return self._left_edge_allows(form) and self._right_edge_allows(form)

    def _left_edge_allows(self, form: DateForm) -> bool:
        before = form.first - 1
        if before < 0:
            return True
        letter = self.letters[before]
        if letter in NUMBERS:
            return False
        if self.glued_word(before) and not self.is_fused(form.start):
            return form.start in self.tokens.seams and form.year is not None
        if letter in "./-:\\," and before and self._is_continued(before - 1, letter):
            return letter == "-" and form.kind == "named" and self.letters[before - 1] in "1234"  # 12-14 June
        return self.char(form.start - 1) not in _NUMBER_SIGNS

    def _is_continued(self, index: int, separator: str) -> bool:
        """Whether a separator before a date ties it to something: 1.22.04.2020, report-2019-05-12."""
        if self.letters[index] in NUMBERS:
            return separator in "./\\-:" and not (separator == "-" and self._ends_date(index))
        return separator in "-/\\" and self.is_word(index) and not self._is_prefix(index, separator)

    def _is_prefix(self, index: int, separator: str) -> bool:
        """Hebrew writes «on the 3rd» as ב-3."""
        single = self.tokens.ends[index] - self.tokens.starts[index] == 1
        return separator == "-" and single and self.has_role(index, "link") and not self.word(index).isascii()

    def _ends_date(self, index: int) -> bool:
        """Whether the number at a token ends a date written before: 12.05.2019-15.05.2019."""
        return index >= 4 and self.letters[index] == "Y" and self.letters[index - 1] in "./"

    def _right_edge_allows(self, form: DateForm) -> bool:
        after = form.last
        if after >= len(self.letters):
            return True
        letter, following = self.letters[after], self.letters[after + 1 : after + 2]
        if letter in NUMBERS:
            return self.is_fused(form.end - 1)  # «04月08日10:05»
        if self.glued_word(after):
            return self.is_fused(form.end - 1) or bool(_ISO_TIME.match(self.tokens.text, form.end))
        if form.kind in {"numeric", "partial", "monthyear"} and following and following in NUMBERS:
            tied = letter in "-/" and form.kind != "numeric"
            return letter != form.separator and letter not in ".\\" and not tied
        return self.char(form.end) not in "%€$£_="

    def time_edges_allow(self, form: TimeForm) -> bool:
        """Whether a time is not the middle of something longer."""
        return self._time_may_begin(form) and self._time_may_end(form)

    def _time_may_begin(self, form: TimeForm) -> bool:
        before = form.first - 1
        if before < 0:
            return True
        letter = self.letters[before]
        if letter in NUMBERS:
            return False
        if letter in ":.," and before and self.letters[before - 1] in NUMBERS:
            return False
        if self.glued_word(before) and not self._is_iso_letter(before):
            return False
        return self.char(form.start - 1) not in _BEFORE_NO_TIME

    def _is_iso_letter(self, index: int) -> bool:
        return self.word(index) == "t" and index > 0 and self.letters[index - 1] in NUMBERS

    def _time_may_end(self, form: TimeForm) -> bool:
        after = form.last
        if after >= len(self.letters):
            return True
        letter, following = self.letters[after], self.letters[after + 1 : after + 2]
        if letter in ":." and following and following in NUMBERS:
            return False
        if self.glued_word(after) and not self.has_role(after, "at", "hmark", "zone"):
            return False
        return self.char(form.end) not in "%€$£_="

    # -- neighbours ------------------------------------------------------------------------------------------

    def alone(self, form: DateForm) -> bool:
        """Whether nothing but signs and times stands beside the date in its piece of text."""
        left = self.letters.rfind("<", max(0, form.first - _ALONE), form.first) + 1
        right = self.letters.find("<", form.last, form.last + _ALONE)
        if (not left and form.first > _ALONE) or (right < 0 and len(self.letters) > form.last + _ALONE):
            return False
        right = len(self.letters) if right < 0 else right
        return _is_bare(self.letters[left : form.first]) and _is_bare(self.letters[form.last : right])

    def time_beside(self, form: DateForm) -> bool:
        """Whether a clock time stands right after or right before a date."""
        return self._time_after(form.last) or self._time_before(form.first)

    def time_follows(self, form: DateForm) -> bool:
        """Whether a clock time stands right after a date."""
        return self._time_after(form.last)

    def time_in_line(self, form: DateForm) -> bool:
        """Whether a clock time stands right after a date, or before it with no markup between."""
        near = self.letters[max(0, form.first - 3) : form.first]
        return self._time_after(form.last) or ("<" not in near and self._time_before(form.first))

    def _time_after(self, index: int) -> bool:
        gap = self.grammar.between.match(self.letters, index)
        start = gap.end() if gap else index
        return bool(_CLOCK.match(self.letters, start)) or self._french_time(start)

    def _french_time(self, index: int) -> bool:
        """«22h20»: hour and minute with a letter between them."""
        hour, minute = self.letters[index : index + 1], self.letters[index + 2 : index + 3]
        return bool(hour and minute) and hour in _HOUR and minute in _MINUTE and self.word(index + 1) == "h"

    def _time_before(self, index: int) -> bool:
        window = self.letters[max(0, index - 9) : index]
        found = _CLOCK.search(window)
        if not found:
            return False
        end = found.end()
        while window[end : end + 1] == " " or window[end : end + 1] in self.halves:
            end += 1
        gap = self.grammar.between.match(window, end)
        return bool(gap and gap.end() == len(window))

    def connects(self, first: int, last: int) -> bool:
        """Whether only signs and small words stand between a date and a time."""
        gap = self.grammar.between.match(self.letters, first, last)
        if gap and gap.end() == last:
            return True
        return (
            last > first and self.tokens.text[self.tokens.starts[first] : self.tokens.ends[last - 1]] == "t"
        )


def _is_bare(letters: str) -> bool:
    """Only signs, or a clock time with its small words: no other word and no other number."""
    rest = _CLOCK.sub("", letters)
    return all(letter in _SIGNS or (letter >= _FIRST_WORD_LETTER and ":" in letters) for letter in rest)
