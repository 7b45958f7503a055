"""Answers questions about what stands around a date or time: what touches it, whether it stands alone."""

from __future__ import annotations

import re

from threadmill.dates.lexicon import NUMBER_LETTERS, UNSPACED_SCRIPTS
from threadmill.dates.patterns import DateGrammar
from threadmill.dates.tokens import TokenisedText
from threadmill.dates.written_dates import WrittenDate, WrittenTime

_FIRST_WORD_LETTER = "\ue000"
_IS_FUSED = re.compile(f"[{UNSPACED_SCRIPTS}]")
_CLOCK = re.compile(r"[01237]:[23457](?::[23457])?")
_HOUR, _MINUTE = "01237", "23457"
_SIGNS = frozenset(" ,.|()-:;?'+<")
# Signs that turn the number beside them into a price, a percentage, an issue number or a variable.
_NUMBER_SIGNS = frozenset("$€£¥₽₴₺%#№=*^&@~_")
_BEFORE_NO_TIME = _NUMBER_SIGNS - {"@", "~"}
_MAX_TOKENS_BESIDE = 30  # a date with more tokens beside it does not stand alone, whatever they are
# «2005-07-18T 1:54»: some software pads the hour with a space.
_ISO_TIME = re.compile(r"t ?[0-9]|z")
_ISO_GAPS = frozenset(("t", "t "))

# Words in front of an author's name, in the languages with many forums.
_BY = (
    "by|von|par|de|por|da|di|door|av|af|przez|od|от|від|од|από|per|oleh|bởi|autor|autore|auteur|författare|"
    "forfatter|kirjoittaja|szerző|автор|yazan|gönderen|מאת|بواسطة|توسط|โดย|作者|投稿者|作成者|由|작성자|글쓴이"
)
# Words for "posted", "written" and their like, in front of a date.
_POSTED = (
    "posted|published|written|wrote|reply|antwort|réponse|respuesta|resposta|risposta|ответ|odpowiedź|odpověď|svar|"
    "vastaus|yanıt|cevap|返信|回复|回覆|답글|created|submitted|started|replied|answered|asked|geschrieben|verfasst|"
    "erstellt|gepostet|posté|publié|écrit|envoyé|publicado|escrito|enviado|postado|scritto|inviato|pubblicato|"
    "postato|geplaatst|geschreven|skrev|skrivet|skrevet|postad|publicerad|kirjoitti|lähetetty|napisano|napisał|"
    "dodano|wysłano|napsal|vloženo|odesláno|írta|elküldve|beküldve|scris|postat|publicat|опубликовано|отправлено|"
    "написал|написано|добавлено|создано|опубліковано|надіслано|написа|публикувано|δημοσιεύτηκε|δημοσιεύθηκε|"
    "gönderildi|yazdı|tarafından|נכתב|פורסם|كتب|نشر|نوشته|发表于|發表於|发布于|發佈於|發布於|发表|發表|投稿日時|"
    "投稿日|投稿|작성일|작성|등록일|โพสต์|đăng|ditulis|dikirim|diposting|escrit|parašė|objavljeno|napisao|poslano|"
    "date|datum|data|fecha|päivä|dátum|дата|ημερομηνία|tarih|תאריך|تاریخ|التاریخ|日期|日付|日時|날짜"
)
_NAME, _GAP_SIGNS, _PARTING = r"[^\s\x00,|»]{1,30}", r"[\s,;:»|·•()@-]{1,5}", r"\s?[»|·•]\s?|\s-\s"
_NAMED = rf"(?:(?:{_BY})(?::\s?|\s)|(?:{_POSTED}):\s?){_NAME}(?:\s{_NAME})?"
# What a byline looks like when its date is replaced by \x00. Every repetition is bounded.
_BYLINE = re.compile(
    rf"\W{{0,3}}(?:"
    rf"(?:[^\W\d]{{1,20}}\s){{0,2}}{_NAMED}{_GAP_SIGNS}\x00"  # last post by alan, Monday
    rf"|\x00{_GAP_SIGNS}(?:[^\W\d]{{1,20}}\s)?{_NAMED}"  # yesterday by alan
    # posted Monday
    rf"|(?:{_NAME}\s){{0,2}}(?:{_POSTED})(?:\s(?!(?:{_BY})\b)[^\W\d]{{1,4}})?:?\s?\x00(?:{_GAP_SIGNS}{_NAMED})?"
    rf"|{_NAME}(?:{_PARTING})\x00|\x00(?:{_PARTING}){_NAME}"  # alan » Monday
    rf")\W{{0,3}}"
)
# One name with a comma, or a name of another script, is a byline as well, if the date is a safe one.
_NAME_AND_DAY = re.compile(rf"\W{{0,3}}{_NAME},?\s\x00\W{{0,3}}")
_SHORTEST_DAY = 4  # letters; shorter words for days are names or states more often: «Central, MA»
_MAX_BYLINE = 90  # characters; a longer line is a sentence


class Surroundings:
    """A text whose dates and times are judged by what stands around them."""

    def __init__(self, text: str, tokens: TokenisedText, grammar: DateGrammar) -> None:
        self.original_text = text
        self.tokens = tokens
        self.letters = tokens.letters
        self.grammar = grammar
        self.day_periods = grammar.day_periods

    # -- tokens ----------------------------------------------------------------------------------------------

    def word(self, index: int) -> str:
        """Return the folded text of a token; empty outside the text."""
        if not 0 <= index < len(self.letters):
            return ""
        return self.tokens.text[self.tokens.starts[index] : self.tokens.ends[index]]

    def has_role(self, index: int, *roles: str) -> bool:
        """Whether a token can play one of these roles."""
        if not 0 <= index < len(self.letters):
            return False
        return any(sense.role in roles for sense in self.tokens.senses[index])

    def is_word(self, index: int) -> bool:
        """Whether a token is a word, known or unknown."""
        return self.letters[index] == "w" or self.letters[index] >= _FIRST_WORD_LETTER

    def is_unspaced(self, offset: int) -> bool:
        """Whether the character belongs to a script without spaces, where words touch one another."""
        return bool(_IS_FUSED.match(self.tokens.text, offset))

    def char(self, offset: int) -> str:
        """Return the folded character at an offset; a space outside the text."""
        return self.tokens.text[offset] if 0 <= offset < len(self.tokens.text) else " "

    def is_attached_word(self, index: int) -> bool:
        """Whether a token is a word of a script with spaces.

        A neighbour that touches it is part of the same word.
        """
        if not 0 <= index < len(self.letters) or not self.is_word(index):
            return False
        return not self.is_unspaced(self.tokens.starts[index])

    def is_capitalised(self, form: WrittenDate) -> bool:
        """Whether the date's first letter is a capital, or of a script without capitals."""
        start, end = self.tokens.original_span(form.start, form.end)
        letter = next((char for char in self.original_text[start:end] if char.isalpha()), "")
        return letter.isupper() or not (letter.islower() and letter.isascii())

    def word_before(self, form: WrittenDate) -> str:
        """Return the word in front of a date; signs are skipped."""
        index = form.first - 1
        while index >= 0 and self.letters[index] in " .:-(":
            index -= 1
        return self.word(index) if index >= 0 and self.is_word(index) else ""

    def follows_word(self, index: int) -> bool:
        """Whether a word, and no sign, stands in front of a token."""
        index -= 1
        while index >= 0 and self.letters[index] == " ":
            index -= 1
        return index >= 0 and self.is_word(index)

    def count_words_before(self, form: WrittenDate) -> int:
        """Count the words among the 40 tokens in front of a date."""
        return sum(self.is_word(index) for index in range(max(0, form.first - 40), form.first))

    # -- what touches a date or time -------------------------------------------------------------------------

    def date_edges_allow(self, form: WrittenDate) -> bool:
        """Whether a date is not the middle of something longer."""
        return self._left_edge_allows(form) and self._right_edge_allows(form)

    def _left_edge_allows(self, form: WrittenDate) -> bool:
        before = form.first - 1
        if before < 0:
            return True
        letter = self.letters[before]
        if letter in NUMBER_LETTERS:
            return False
        if self.is_attached_word(before) and not self.is_unspaced(form.start):
            return form.start in self.tokens.word_joins and form.year is not None
        if letter in "./-:\\," and before and self._is_continued(before - 1, letter):
            return (
                letter == "-" and form.kind == "named" and self.letters[before - 1] in "1234"
            )  # «12-14 June»
        return self.char(form.start - 1) not in _NUMBER_SIGNS

    def _is_continued(self, index: int, separator: str) -> bool:
        """Whether a separator ties a date to what stands in front: 1.22.04.2020, report-2019-05-12."""
        if self.letters[index] in NUMBER_LETTERS:
            return separator in "./\\-:" and not (separator == "-" and self._ends_date(index))
        return separator in "-/\\" and self.is_word(index) and not self._is_prefix(index, separator)

    def _is_prefix(self, index: int, separator: str) -> bool:
        """Whether the word is a prefix with a hyphen: Hebrew writes «on the 3rd» as ב-3."""
        single = self.tokens.ends[index] - self.tokens.starts[index] == 1
        return separator == "-" and single and self.has_role(index, "link") and not self.word(index).isascii()

    def _ends_date(self, index: int) -> bool:
        """Whether the number at a token ends another date: 12.05.2019-15.05.2019."""
        return index >= 4 and self.letters[index] == "Y" and self.letters[index - 1] in "./"

    def _right_edge_allows(self, form: WrittenDate) -> bool:
        after = form.last
        if after >= len(self.letters):
            return True
        letter, following = self.letters[after], self.letters[after + 1 : after + 2]
        if letter in NUMBER_LETTERS:
            # «04月08日10:05», «16/02/26(金)19:28:19»
            return self.is_unspaced(form.end - 1) or self.char(form.end - 1) == ")"
        if self.is_attached_word(after):
            return self.is_unspaced(form.end - 1) or bool(_ISO_TIME.match(self.tokens.text, form.end))
        if form.kind in {"numeric", "partial", "monthyear"} and following and following in NUMBER_LETTERS:
            tied = letter in "-/" and form.kind != "numeric"
            return letter != form.separator and letter not in ".\\" and not tied
        return self.char(form.end) not in "%€$£_="

    def time_edges_allow(self, form: WrittenTime) -> bool:
        """Whether a time is not the middle of something longer."""
        return self._time_may_begin(form) and self._time_may_end(form)

    def _time_may_begin(self, form: WrittenTime) -> bool:
        before = form.first - 1
        if before < 0:
            return True
        letter = self.letters[before]
        if letter in NUMBER_LETTERS:
            return False
        if letter in ":.," and before and self.letters[before - 1] in NUMBER_LETTERS:
            return False
        if self.is_attached_word(before) and not self._is_iso_letter(before):
            return False
        return self.char(form.start - 1) not in _BEFORE_NO_TIME

    def _is_iso_letter(self, index: int) -> bool:
        return self.word(index) == "t" and index > 0 and self.letters[index - 1] in NUMBER_LETTERS

    def _time_may_end(self, form: WrittenTime) -> bool:
        after = form.last
        if after >= len(self.letters):
            return True
        letter, following = self.letters[after], self.letters[after + 1 : after + 2]
        if letter in ":." and following and following in NUMBER_LETTERS:
            return False
        if self.is_attached_word(after) and not self.has_role(after, "at", "hmark", "zone"):
            return False
        return self.char(form.end) not in "%€$£_="

    # -- neighbours ------------------------------------------------------------------------------------------

    def stands_alone(self, form: WrittenDate) -> bool:
        """Whether only signs and times stand beside the date, up to the next markup."""
        line = self._line_around(form)
        if line is None:
            return False
        left, right = line
        return _is_bare(self.letters[left : form.first]) and _is_bare(self.letters[form.last : right])

    def _line_around(self, form: WrittenDate) -> tuple[int, int] | None:
        """Return the tokens around a date up to the next markup; None when they are too many."""
        left = self.letters.rfind("<", max(0, form.first - _MAX_TOKENS_BESIDE), form.first) + 1
        right = self.letters.find("<", form.last, form.last + _MAX_TOKENS_BESIDE)
        if (not left and form.first > _MAX_TOKENS_BESIDE) or (
            right < 0 and len(self.letters) > form.last + _MAX_TOKENS_BESIDE
        ):
            return None
        return left, len(self.letters) if right < 0 else right

    def in_byline(self, form: WrittenDate, *, plain_signs: bool = True) -> bool:
        """Whether the line of a date is a byline: a name and little besides, "by alan, Monday".

        A dash or a bar may part the columns of any table. Without `plain_signs` they are no evidence:
        «alan · 5h» is a byline, «rope | 5m» is none.
        """
        line = self._line_without(form)
        if not plain_signs:
            return bool(line) and _BYLINE.fullmatch(line) is not None and not set("-|") & set(line)
        short = form.end - form.start < _SHORTEST_DAY and not self.is_unspaced(form.start)
        if not line or short:
            return False
        if _BYLINE.fullmatch(line):
            return True
        own_script = form.kind != "compact" and self.is_unspaced(form.start) and not self._has_unspaced(line)
        capital = form.kind == "relative" and self._has_capital(form) and ",\0" in line.replace(" ", "")
        return (own_script or capital) and _NAME_AND_DAY.fullmatch(line) is not None

    def follows_sign(self, form: WrittenDate) -> bool:
        """Whether a sign such as a comma or a dash, and no word, stands in front of a date."""
        index = form.first - 1
        while index >= 0 and self.letters[index] == " ":
            index -= 1
        return index >= 0 and not self.is_word(index)

    def _line_without(self, form: WrittenDate) -> str:
        """Return the line of a date with a null character for the date; empty when it is too long."""
        line = self._line_around(form)
        if line is None:
            return ""
        before, after = self.text_between(line[0], form.first), self.text_between(form.last, line[1])
        return f"{before}\0{after}" if len(before) + len(after) <= _MAX_BYLINE else ""

    def _has_unspaced(self, text: str) -> bool:
        return _IS_FUSED.search(text) is not None

    def _has_capital(self, form: WrittenDate) -> bool:
        start, end = self.tokens.original_span(form.start, form.end)
        return self.original_text[start:end].istitle()

    def has_time_beside(self, form: WrittenDate) -> bool:
        """Whether a clock time stands directly after or directly before a date."""
        return self._time_after(form.last) or self._time_before(form.first)

    def has_time_after(self, form: WrittenDate) -> bool:
        """Whether a clock time stands directly after a date."""
        return self._time_after(form.last)

    def has_time_in_line(self, form: WrittenDate) -> bool:
        """Whether a clock time stands directly after a date, or before it without markup between them."""
        near = self.letters[max(0, form.first - 3) : form.first]
        return self._time_after(form.last) or ("<" not in near and self._time_before(form.first))

    def _time_after(self, index: int) -> bool:
        gap = self.grammar.between.match(self.letters, index)
        start = gap.end() if gap else index
        return bool(_CLOCK.match(self.letters, start)) or self._french_time(start)

    def _french_time(self, index: int) -> bool:
        """Whether hour and minute with a letter between them stand at a token: «22h20»."""
        hour, minute = self.letters[index : index + 1], self.letters[index + 2 : index + 3]
        return bool(hour and minute) and hour in _HOUR and minute in _MINUTE and self.word(index + 1) == "h"

    def _time_before(self, index: int) -> bool:
        window = self.letters[max(0, index - 9) : index]
        found = _CLOCK.search(window)
        if not found:
            return False
        end = found.end()
        while window[end : end + 1] == " " or window[end : end + 1] in self.day_periods:
            end += 1
        gap = self.grammar.between.match(window, end)
        return bool(gap and gap.end() == len(window))

    def only_connectors_between(self, first: int, last: int) -> bool:
        """Whether only signs and small words stand between a date and a time."""
        gap = self.grammar.between.match(self.letters, first, last)
        if gap and gap.end() == last:
            return True
        return last > first and self.text_between(first, last) in _ISO_GAPS

    def text_between(self, first: int, last: int) -> str:
        """Return the folded text from one token to another."""
        return (
            self.tokens.text[self.tokens.starts[first] : self.tokens.ends[last - 1]] if last > first else ""
        )


def _is_bare(letters: str) -> bool:
    """Whether there are only signs, or a clock time with its small words: no other word or number."""
    rest = _CLOCK.sub("", letters)
    return all(letter in _SIGNS or (letter >= _FIRST_WORD_LETTER and ":" in letters) for letter in rest)
