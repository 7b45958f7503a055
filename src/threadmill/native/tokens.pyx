# cython: language_level=3, wraparound=False, initializedcheck=False
"""The cutting of threadmill.corpus.text.sentences, compiled: the same sentences and tokens in a fraction of the time.

Paragraphs are copied into one buffer of characters; a pass over it finds the pieces between the spaces and what
their characters are, a second decides where sentences end, a third writes the pieces with their joints. Words
are looked up in a table of our own, so that most pieces never become objects; what is no plain word and no
number is left to the patterns of threadmill.corpus.text.tokens, behind their dictionary.
"""

import unicodedata

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from cpython.dict cimport PyDict_GetItemWithError
from cpython.object cimport PyObject
from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset
from threadmill.native.containers cimport (
    HASH_SEED, NumberTable, StoredWord, WordTable, add_chars, add_number, add_word, find_number, find_word,
    free_numbers, free_words, hash_with, make_numbers, make_words, with_room,
)
from threadmill.native.unicode cimport (
    PyUnicode_4BYTE_KIND, PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ, PyUnicode_GET_LENGTH,
    PyUnicode_FromKindAndData, Py_UNICODE_ISSPACE, Py_UNICODE_ISALPHA, Py_UNICODE_ISALNUM,
    Py_UNICODE_ISLOWER, Py_UNICODE_ISUPPER, Py_UNICODE_ISTITLE, Py_UNICODE_ISDIGIT, Py_UNICODE_ISPRINTABLE,
    Py_UNICODE_TOLOWER,
)

from threadmill.corpus.text.delimited_text import GLUE, PASSAGE, SENTENCE
from threadmill.corpus.build.documents import clean_text
from threadmill.corpus.text.boundary_features import (
    AROUND, NO_BEGIN, NO_END, OPENING_DASHES, STRONG_STOPS, Ending, Opening, bare_word, of_first_word, of_last_word,
)
from threadmill.corpus.text.boundary_features import _CLOSERS as CLOSERS
from threadmill.corpus.text.boundary_features import _OPENERS as OPENERS
from threadmill.corpus.text.language_data import read_words
from threadmill.corpus.text.languages import COMMON_WORD, NAME, WordSteps
from threadmill.corpus.text.sentences import LAST_CASED, LAST_LETTER, RANKS, SHAPES
from threadmill.corpus.text.tokens import ENGLISH_PREFIXES, LONG_PIECE, UNSPACED
from threadmill.corpus.text.unspaced_words import LENGTHS, LONGEST_WORD, UNKNOWN, cost_of_rank, kind_of
from threadmill.corpus.text.boundary_weights import CERTAIN, HOPELESS, of_after, of_before, of_state


# What a character is.
cdef enum:
    _ALPHA = 1
    _ALNUM = 2
    _LOWER = 4
    _UPPER = 8
    _TITLE = 16
    _DIGIT = 32  # as str.isdigit() has it
    _SMALL = 64  # no sentence begins with it after a word, if the table says so
    _OPENER = 128
    _CLOSER = 256
    _AROUND = 512
    _STRONG = 1024
    _UNSPACED = 2048  # of a script without spaces, or one of its stops
    _ODD = 4096  # white space or a control that no cleaned text has
    _CLEAN = 8192  # printable, and normalised whatever is beside it
    _TRICKY = 16384  # in lower case it is more than one character, or depends on those around it
    _KNOWN = 32768

cdef uint32_t _GLUE = ord(GLUE), _SENTENCE = ord(SENTENCE), _PASSAGE = ord(PASSAGE)
cdef enum:
    _NOTHING = 0  # at the end of a piece

# Stops as pieces tells them apart: those of a single sign first.
cdef list _STOPS = ["", ".", ",", ";", ":", "!", "?", "..", "-", "._", ",_", ";_", ":_", "!_", "?_", ".._", "-_"]
cdef enum:
    _NO_STOP, _STOP, _COMMA, _SEMICOLON, _COLON, _STRONG_STOP, _QUESTION, _STOPS_MORE, _DASH
    _ALONE = 8  # to be added
cdef list _CLOSER_KINDS = ["", "m", "p", "q"]
cdef list _OPENER_KINDS = ["", "p", "d", "s", "q"]
cdef str _SHAPES = SHAPES, _RANKS = RANKS
cdef enum:
    _NO_RANK = 4  # of a word that is in no list
cdef int _SMALL_WORD = SHAPES.index("l"), _NAME = SHAPES.index("U"), _CAPITALS = SHAPES.index("A"), _NUMBER = SHAPES.index("0")
cdef int _NUMBERED = SHAPES.index("9"), _SMALL_STOPS = SHAPES.index("."), _STOPS_INSIDE = SHAPES.index(":"), _CAPITAL = SHAPES.index("I")
cdef int _ROMAN = SHAPES.index("r"), _NO_WORD = SHAPES.index("x"), _CASELESS = SHAPES.index("o")

cdef enum:
    _LONGEST_TAIL = 16  # punctuation after a word; more of it is left to the pattern
    _MOST_KEPT = 1 << 17  # sums of a table
    _MOST_ALIKE = 30_000  # some 4 MB
    _MOST_ROOM = 1 << 20  # characters and pieces, some 8 MB
    _WORD_BUFFER = 160

cdef Py_ssize_t _LONG = LONG_PIECE
cdef int64_t _HOPELESS = HOPELESS, _CERTAIN = CERTAIN

cdef uint16_t[65536] _flags
memset(_flags, 0, sizeof(_flags))
cdef str _openers = OPENERS, _closers = CLOSERS, _around = AROUND, _strong_stops = STRONG_STOPS
cdef str _dashes = OPENING_DASHES
cdef uint32_t _last_cased = LAST_CASED, _last_letter = LAST_LETTER


def _ranges(str signs):
    """The ranges of a character class."""
    found, at = [], 0
    while at < len(signs):
        if signs[at + 1 : at + 2] == "-":
            found.append((ord(signs[at]), ord(signs[at + 2])))
            at += 3
        else:
            found.append((ord(signs[at]), ord(signs[at])))
            at += 1
    return found


cdef list _unspaced = [*_ranges(UNSPACED), *[(ord(sign), ord(sign)) for sign in "。！？｡။។៕"]]
# Where no character joins itself to the one before it when it is normalised; others are asked about.
cdef list _stable = [
    (0x20, 0x2FF), (0x370, 0x482), (0x48A, 0x58F), (0x1E00, 0x1FFF), (0x2010, 0x2BFF), (0x3001, 0x3029),
    (0x3030, 0x3098), (0x309B, 0x30FF), (0x4E00, 0x9FFF), (0xAC00, 0xD7A3),
]  # fmt: skip


cdef uint16_t _look_at(uint32_t character):
    """What a character is, found out once for those of the first plane."""
    cdef uint16_t found = _KNOWN
    cdef str sign = chr(character)
    if Py_UNICODE_ISALPHA(character):
        found |= _ALPHA
    if Py_UNICODE_ISALNUM(character):
        found |= _ALNUM
    if Py_UNICODE_ISLOWER(character):
        found |= _TITLE if 0x10D0 <= character <= 0x10FF else _LOWER  # Georgian has small letters only
    if Py_UNICODE_ISUPPER(character):
        found |= _UPPER
    if Py_UNICODE_ISTITLE(character):
        found |= _TITLE
    if Py_UNICODE_ISDIGIT(character):
        found |= _DIGIT
    if found & _ALPHA:
        if found & _LOWER:
            if character <= _last_cased:
                found |= _SMALL
        elif not found & _UPPER and character <= _last_letter:
            found |= _SMALL
    if sign in _openers:
        found |= _OPENER
    if sign in _closers:
        found |= _CLOSER
    if sign in _around:
        found |= _AROUND
    if sign in _strong_stops:
        found |= _STRONG
    if any([first <= character <= last for first, last in _unspaced]):
        found |= _UNSPACED
    if (Py_UNICODE_ISSPACE(character) and character != c" ") or character < 32:
        found |= _ODD
    if len(sign.lower()) > 1 or character == 0x3A3:
        found |= _TRICKY
    if (
        Py_UNICODE_ISPRINTABLE(character)
        and any([first <= character <= last for first, last in _stable])
        and not unicodedata.combining(sign)
        and unicodedata.is_normalized("NFC", sign)
    ):
        found |= _CLEAN
    if character < 65536:
        _flags[character] = found
    return found


cdef inline uint16_t _flags_of(uint32_t character):
    cdef uint16_t found
    if character < 65536:
        found = _flags[character]
        if found:
            return found
    return _look_at(character)


cdef inline bint _is_wide_stop(uint32_t character) noexcept:
    return (
        character == 0x3002 or character == 0xFF01 or character == 0xFF1F or character == 0xFF61
        or character == 0x104B or character == 0x17D4 or character == 0x17D5
    )


cdef inline bint _is_digit(uint32_t character) noexcept:
    return c"0" <= character <= c"9"


# The characters after which ":", ";" or "8" may be a face.
cdef inline bint _is_of_face(uint32_t character) noexcept:
    return (
        character == c"-" or character == c"^" or character == c"o" or character == c"'" or character == c")"
        or character == c"]" or character == c"(" or character == c"[" or character == c"/" or character == c"\\"
        or character == c"|" or character == c"*" or character == c"3" or character == c"D" or character == c"d"
        or character == c"P" or character == c"p" or character == c"O" or character == c"S" or character == c"s"
    )


cdef class Numbers:
    """A NumberTable that is freed with its owner."""

    cdef NumberTable table

    def __cinit__(self):
        make_numbers(&self.table, 127)

    def __dealloc__(self):
        free_numbers(&self.table)

    cdef inline bint find(self, uint64_t key, int64_t* value) noexcept:
        return find_number(&self.table, key, value)

    cdef inline int put(self, uint64_t key, int64_t value) except -1:
        return add_number(&self.table, key, value, _MOST_KEPT)


cdef class Sums:
    """The sums of a table of weights, by the codes of endings and beginnings."""

    cdef object scores, is_hopeless
    cdef Numbers pairs, states, befores, afters, hopeless

    def __init__(self, scores, is_hopeless):
        self.scores, self.is_hopeless = scores, is_hopeless
        self.pairs, self.states, self.befores, self.afters = Numbers(), Numbers(), Numbers(), Numbers()
        self.hopeless = Numbers()

    cdef int64_t of_pair(self, uint64_t left, uint64_t right) except? -1:
        cdef uint64_t key = left << 16 | right
        cdef int64_t score = 0
        if not self.pairs.find(key, &score):
            score = self.scores.of_two(_ending_of(left), _opening_of(right))
            self.pairs.put(key, score)
        return score

    cdef int64_t of_context(
        self, uint64_t before, uint64_t left, uint64_t right, uint64_t after, int state
    ) except? -1:
        """What the state of the sentence and the pieces around the two add; the codes are of endings and openings."""
        cdef uint64_t tail = left >> 7, head = right >> 3
        cdef int64_t of_the_state = 0, first = 0, second = 0
        cdef uint64_t key = (tail << 16 | head) << 16 | state
        if not self.states.find(key, &of_the_state):
            of_the_state = self.scores.sum(of_state(_ending_of(left), _opening_of(right), state))
            self.states.put(key, of_the_state)
        key = ((before >> 7) << 16 | tail) << 16 | head
        if not self.befores.find(key, &first):
            first = self.scores.sum(of_before(_ending_of(before), _ending_of(left), _opening_of(right)))
            self.befores.put(key, first)
        key = (tail << 16 | right) << 16 | after
        if not self.afters.find(key, &second):
            second = self.scores.sum(of_after(_ending_of(left), _opening_of(right), _opening_of(after)))
            self.afters.put(key, second)
        return of_the_state + first + second

    cdef int64_t never_after(self, uint64_t right) except -1:
        """Whether nothing begins so after a word, and after a comma: as two bits."""
        cdef int64_t found = 0
        if not self.hopeless.find(right, &found):
            opening = _opening_of(right)
            found = (1 if self.is_hopeless("", opening) else 0) | (2 if self.is_hopeless(",", opening) else 0)
            self.hopeless.put(right, found)
        return found


cdef dict _sums = {}  # by scores, which live as long as the process


# An ending as one number: stop, closer, shape; whether it is known, size, rank. What comes first is what of_state()
# and of_before() look at, together with what they do not need (of_before: the closer of the piece before).
cdef inline uint64_t _ending(int stop, int closer, int shape, bint known, int size, int rank) noexcept:
    return ((((<uint64_t>stop << 2 | closer) << 4 | shape) << 1 | known) << 3 | size) << 3 | rank


cdef inline uint64_t _opening(int opener, int shape, int rank) noexcept:
    return (<uint64_t>opener << 4 | shape) << 3 | rank


cdef enum:
    _NO_ENDING = 31 << 13
    _NO_OPENING = 7 << 7


cdef object _ending_of(uint64_t code):
    if code == _NO_ENDING:
        return NO_END.ending
    return Ending(
        _STOPS[code >> 13], _CLOSER_KINDS[code >> 11 & 3], _SHAPES[code >> 7 & 15], bool(code >> 6 & 1),
        str(code >> 3 & 7), _RANKS[code & 7],
    )


cdef object _opening_of(uint64_t code):
    if code == _NO_OPENING:
        return NO_BEGIN.opening
    return Opening(_OPENER_KINDS[code >> 7], _SHAPES[code >> 3 & 15], _RANKS[code & 7])


cdef struct EndOf:
    uint64_t ending
    bint plain
    int32_t[11] of_word  # what this very word weighs, by the shape of the next


cdef struct BeginOf:
    uint64_t opening
    int32_t shape
    bint starts
    bint never_after_comma
    bint never_after_word
    int32_t[2] of_word  # what this very word weighs, after punctuation and without


cdef struct KnownWord:
    bint is_abbreviation
    int rank


cdef struct Piece:
    Py_ssize_t start
    Py_ssize_t end
    uint16_t some  # what any of its characters is
    uint16_t every  # what all of them are
    bint is_last  # of its paragraph
    int32_t quotes
    int32_t depth


cdef Py_ssize_t _count_words(str text) noexcept:
    """How many words a text has at most."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef Py_ssize_t at, count = 1
    for at in range(PyUnicode_GET_LENGTH(text)):
        count += Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at))
    return count


cdef class Words:
    """The words that a language and its table know, in lower case."""

    cdef WordTable table
    cdef KnownWord* known  # by the numbers of the words

    def __cinit__(self):
        self.known = NULL
        memset(&self.table, 0, sizeof(WordTable))

    def __dealloc__(self):
        PyMem_Free(self.known)
        free_words(&self.table)

    def __init__(self, spelling, *weighed):
        """The words of a profile and of tables of weights."""
        cdef Py_ssize_t most, chars
        cdef str word, rank, common = "", names = ""
        cdef dict steps
        if isinstance(spelling.steps, WordSteps):
            steps = spelling.steps.frequent()
            common, names = read_words(spelling.language)
        else:
            steps = dict(spelling.steps)
        others = [spelling.abbreviations, *map(list, weighed)]
        most = len(steps) + _count_words(common) + _count_words(names) + sum(map(len, others))
        chars = len(common) + len(names) + sum([sum(map(len, words)) for words in (steps, *others)])
        make_words(&self.table, most, chars)
        self.known = <KnownWord*>PyMem_Calloc(most + 1, sizeof(KnownWord))
        if self.known == NULL:
            raise MemoryError
        for word, rank in steps.items():
            self.known[self.add(word)].rank = _RANKS.index(rank)
        self.add_list(common, _RANKS.index(COMMON_WORD), False)
        self.add_list(names, _RANKS.index(NAME), True)
        for word in spelling.abbreviations:
            self.known[self.add(word)].is_abbreviation = True
        for words in others[1:]:
            for word in words:
                self.add(word)

    cdef int add_list(self, str text, int rank, bint even_if_known) except -1:
        """Add the words of a text, which are apart by white space."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t start = 0, at, number, count, length = PyUnicode_GET_LENGTH(text)
        for at in range(length + 1):
            if at < length and not Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, at)):
                continue
            if at > start:
                count = self.table.count
                number = self.add_chars(kind, data, start, at - start)
                if number >= count or even_if_known:
                    self.known[number].rank = rank
            start = at + 1
        return 0

    cdef Py_ssize_t add(self, str word) except -1:
        """The number of a word, which is added if need be."""
        return self.add_chars(PyUnicode_KIND(word), PyUnicode_DATA(word), 0, PyUnicode_GET_LENGTH(word))

    cdef Py_ssize_t add_chars(self, int kind, const void* data, Py_ssize_t start, Py_ssize_t length) except -1:
        cdef Py_ssize_t number, count = self.table.count
        if length > _WORD_BUFFER:
            raise ValueError(f"a word of a table is longer than {_WORD_BUFFER} characters")
        number = add_chars(&self.table, kind, data, start, length)
        if number == count:
            self.known[number].rank = _NO_RANK
        return number

    cdef str text(self, Py_ssize_t number):
        """A word by its number."""
        cdef StoredWord* word = &self.table.words[number]
        return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self.table.chars + word.start, word.length)

    cdef Py_ssize_t find(self, const uint32_t* chars, Py_ssize_t length) noexcept:
        """The number of a word in lower case; -1 if it is none of these."""
        cdef uint64_t hashed = HASH_SEED
        cdef Py_ssize_t at
        if length > self.table.longest:
            return -1
        for at in range(length):
            hashed = hash_with(hashed, chars[at])
        return find_word(&self.table, chars, length, hashed)

    cdef Py_ssize_t number(self, const uint32_t* chars, Py_ssize_t length) except -2:
        """The number of a word in any case."""
        cdef uint32_t[_WORD_BUFFER] lowered
        cdef uint32_t character
        cdef Py_ssize_t at
        cdef str text
        if length > self.table.longest:
            # only İ is longer in lower case, by one: a word that long stays longer than any of ours
            return -1
        for at in range(length):
            character = chars[at]
            if character < 128:
                lowered[at] = character + 32 if c"A" <= character <= c"Z" else character
            elif _flags_of(character) & _TRICKY:
                text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, length).lower()
                if len(text) > self.table.longest:
                    return -1
                for at in range(len(text)):
                    lowered[at] = ord(text[at])
                return self.find(lowered, len(text))
            else:
                lowered[at] = Py_UNICODE_TOLOWER(character)
        return self.find(lowered, length)


cdef int _shape(const uint32_t* chars, Py_ssize_t length):
    """As pieces.shape()."""
    cdef uint16_t first, some = 0, every = 0xFFFF, flags
    cdef bint has_stop = False, is_roman = True
    cdef uint32_t character
    cdef Py_ssize_t at
    if not length:
        return _NO_WORD
    for at in range(length):
        character = chars[at]
        flags = _flags_of(character)
        some |= flags
        every &= flags
        if character == c".":
            has_stop = True
        if not (
            character == c"I" or character == c"V" or character == c"X" or character == c"L" or character == c"C"
        ):
            is_roman = False
    first = _flags_of(chars[0])
    if first & _DIGIT:
        return _NUMBER if every & _DIGIT else _NUMBERED
    if first & _LOWER:
        return _SMALL_STOPS if has_stop else _SMALL_WORD
    if not first & _UPPER:
        return _CASELESS if first & _ALPHA else _NO_WORD
    if has_stop:
        return _STOPS_INSIDE
    if length == 1:
        return _CAPITAL
    if some & (_LOWER | _TITLE):
        return _NAME
    return _ROMAN if is_roman else _CAPITALS


cdef class Cutter:
    """What a Splitter does for scripts with spaces."""

    cdef object ends, begins, cut_pieces
    cdef Sums sums
    cdef Words words
    cdef Numbers end_numbers, begin_numbers
    cdef Py_ssize_t ends_count, begins_count
    cdef dict asked_for  # the numbers of those that Python was asked for
    cdef bint is_busy
    cdef EndOf* ends_of
    cdef BeginOf* begins_of
    cdef Py_ssize_t ends_room, begins_room
    cdef bint small, digits, numbers
    cdef bint stop_attached, ordinals, elision, keeps_hyphens, parts_prefixes, is_hungarian, has_own_words
    cdef object last_words, first_words
    cdef uint32_t* chars
    cdef Py_ssize_t size, room
    cdef uint32_t* out
    cdef Py_ssize_t out_size, out_room
    cdef Piece* pieces
    cdef Py_ssize_t count, pieces_room

    def __cinit__(self):
        self.ends_of = NULL
        self.begins_of = NULL
        self.chars = NULL
        self.out = NULL
        self.pieces = NULL
        self.ends_room = self.begins_room = self.size = self.room = self.out_size = self.out_room = 0
        self.count = self.pieces_room = 0

    def __dealloc__(self):
        PyMem_Free(self.ends_of)
        PyMem_Free(self.begins_of)
        PyMem_Free(self.chars)
        PyMem_Free(self.out)
        PyMem_Free(self.pieces)

    def __init__(self, spelling, scores, prospects, ends, begins, cut_pieces):
        self.ends, self.begins, self.cut_pieces = ends, begins, cut_pieces
        if scores not in _sums:
            _sums[scores] = Sums(scores, prospects.is_hopeless)
        self.sums = _sums[scores]
        self.words = Words(spelling, scores.last_words, scores.first_words)
        self.last_words, self.first_words = scores.last_words, scores.first_words
        self.small, self.digits, self.numbers = prospects.small, prospects.digits, prospects.numbers
        self.stop_attached, self.elision = spelling.stop_attached, spelling.elision
        self.ordinals = spelling.ordinals and spelling.stop_attached
        self.keeps_hyphens, self.parts_prefixes = spelling.hyphens == "keep", spelling.hyphens == "prefix"
        self.is_hungarian = spelling.language == "hu"
        self.has_own_words = bool(spelling.own_words)
        self.is_busy = False
        self.forget()

    cdef int forget(self) except -1:
        """Begin anew; the commonest are soon back."""
        self.end_numbers, self.begin_numbers, self.asked_for = Numbers(), Numbers(), {}
        self.ends_count = self.begins_count = 0
        self.add_end(_NO_ENDING, None)
        self.add_begin(_NO_OPENING, None)
        return 0

    # Paragraphs to pieces

    def cut_all(self, texts, cut_wide):
        """The paragraphs with their joints; None where one is not clean, which is left to Python.

        Those whose sentences also end without a space are left to it too, once the other ends are found.
        """
        if self.is_busy:  # another thread is, while it asks Python for something
            return None
        self.is_busy = True
        try:
            return self.cut_paragraphs(texts, cut_wide)
        finally:
            self.is_busy = False
            if self.room + self.out_room + self.pieces_room > _MOST_ROOM:
                self.release()

    cdef void release(self) noexcept:
        """Give back what a huge page asked for."""
        PyMem_Free(self.chars)
        PyMem_Free(self.out)
        PyMem_Free(self.pieces)
        self.chars, self.out, self.pieces = NULL, NULL, NULL
        self.room = self.out_room = self.pieces_room = 0

    cdef list cut_paragraphs(self, texts, cut_wide):
        cdef list found = [], others = []
        cdef str text
        cdef int fit
        self.size = self.count = 0
        if self.ends_count + self.begins_count > _MOST_ALIKE:
            self.forget()
        for text in texts:
            fit = self.add_paragraph(text, False)
            if fit < 0:
                return None
            others.append(None if fit else text)
        self.end_sentences()
        cdef Py_ssize_t at = 0
        self.out_size = 0
        for text in others:
            if text is None:
                at = self.write_paragraph(at, found)
            else:
                found.append(None)
        for at in range(len(others)):
            if others[at] is not None:
                found[at] = cut_wide(self.with_ends(others[at]))
        return found

    cdef str with_ends(self, str text):
        """The text with a sign after each piece that ends a sentence, in place of the space."""
        self.size = self.count = 0
        self.add_paragraph(text, True)
        self.end_sentences()
        return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self.chars, self.size - 1)

    cdef int add_paragraph(self, str text, bint with_wide_stops) except -2:
        """Put its pieces with the others: 1; 0 if a wide stop is in the way, -1 if it is not clean."""
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at, start = 0, size = self.size
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef uint32_t* chars
        cdef uint32_t character
        cdef uint16_t flags, some = 0, every = 0xFFFF
        cdef int32_t quotes = 0, depth = 0
        cdef Py_ssize_t count = self.count
        cdef bint is_wide = False
        self.reserve(length + 2)
        chars = self.chars + size
        for at in range(length):
            character = PyUnicode_READ(kind, data, at)
            chars[at] = character
            if character == c" ":
                if at == start:
                    return -1
                if not is_wide:
                    self.add_piece(size + start, size + at, some, every, quotes, depth)
                start, some, every, quotes, depth = at + 1, 0, 0xFFFF, 0, 0
                continue
            flags = _flags_of(character)
            some |= flags
            every &= flags
            if flags & (_UNSPACED | _ODD | _OPENER | _CLOSER):
                if not with_wide_stops and _is_wide_stop(character):
                    self.count = count
                    is_wide = True
                if flags & _ODD:
                    return -1
                if character == c'"':
                    quotes += 1
                elif character == c"(":
                    depth += 1
                elif character == c")":
                    depth -= 1
        if start == length and length:
            return -1
        if is_wide:
            return 0
        self.add_piece(size + start, size + length, some, every, quotes, depth)
        self.pieces[self.count - 1].is_last = True
        chars[length] = _PASSAGE
        self.size = size + length + 1
        return 1

    cdef int reserve(self, Py_ssize_t more) except -1:
        self.chars = <uint32_t*>with_room(self.chars, &self.room, self.size + more, sizeof(uint32_t))
        return 0

    cdef inline int add_piece(
        self, Py_ssize_t start, Py_ssize_t end, uint16_t some, uint16_t every, int32_t quotes, int32_t depth
    ) except -1:
        self.pieces = <Piece*>with_room(self.pieces, &self.pieces_room, self.count + 1, sizeof(Piece))
        cdef Piece* piece = &self.pieces[self.count]
        piece.start, piece.end, piece.some, piece.every = start, end, some, every
        piece.quotes, piece.depth, piece.is_last = quotes, depth, False
        self.count += 1
        return 0

    # Where sentences end

    cdef inline bint is_hopeless(self, Py_ssize_t at) :
        """Whether the table rules out an end after this piece by the characters around the space: as places."""
        cdef Piece* piece = &self.pieces[at]
        cdef uint32_t before = self.chars[piece.end - 1], after = self.chars[self.pieces[at + 1].start]
        if _flags_of(before) & _ALNUM or before == c"_":
            return (self.small and _flags_of(after) & _SMALL != 0) or (self.digits and _is_digit(after))
        if before == c"," and not (at and piece.end - piece.start == 1):
            return (self.small and _flags_of(after) & _SMALL != 0) or (self.numbers and _is_digit(after))
        return False

    cdef int end_sentences(self) except -1:
        """Put a sign after every piece that ends a sentence and no paragraph, where the space was."""
        cdef Py_ssize_t at, pieces = 0
        cdef int quotes = 0, state
        cdef int64_t depth = 0, score
        cdef Piece* piece
        cdef Py_ssize_t left, right, before, after
        cdef EndOf* end
        cdef BeginOf* begin
        for at in range(self.count):
            piece = &self.pieces[at]
            if piece.is_last:
                pieces = quotes = depth = 0
                continue
            pieces += 1
            quotes ^= piece.quotes & 1
            depth += piece.depth
            self.chars[piece.end] = c" "
            if self.is_hopeless(at):
                continue
            right = self.begin_of(at + 1)
            begin = &self.begins_of[right]
            if begin.never_after_word and piece.every & _ALPHA and not _is_upper(piece):
                continue
            if begin.never_after_comma and self.chars[piece.end - 1] == c"," and piece.end - piece.start > 1:
                continue
            left = self.end_of(at)
            end = &self.ends_of[left]
            if end.plain and not begin.starts:
                continue
            score = self.sums.of_pair(end.ending, begin.opening)
            if _HOPELESS < score < _CERTAIN:
                before = self.end_of(at - 1) if at else 0
                after = 0 if self.pieces[at + 1].is_last else self.begin_of(at + 2)
                state = _state(pieces, quotes, depth)
                end, begin = &self.ends_of[left], &self.begins_of[right]  # they may have moved
                score += self.sums.of_context(
                    self.ends_of[before].ending, end.ending, begin.opening, self.begins_of[after].opening, state
                )
                score += end.of_word[begin.shape] + begin.of_word[end.plain]
            if score > 0:
                self.chars[piece.end] = _SENTENCE
                pieces = quotes = depth = 0
        return 0

    # Pieces as ends and beginnings: numbers of what is known of all alike

    cdef Py_ssize_t add_end(self, uint64_t ending, str word) except -1:
        """An ending with what a word weighs in it, if it is one of the table."""
        cdef Py_ssize_t number = self.ends_count
        cdef EndOf* own
        cdef str stop
        self.ends_of = <EndOf*>with_room(self.ends_of, &self.ends_room, number + 1, sizeof(EndOf))
        own = &self.ends_of[number]
        memset(own, 0, sizeof(EndOf))
        own.ending, own.plain = ending, ending >> 11 == 0
        if word is not None and word in self.last_words:
            stop = of_last_word(_STOPS[ending >> 13] + _CLOSER_KINDS[ending >> 11 & 3], "")
            for rest, weight in self.last_words[word].items():
                if rest.startswith(stop) and len(rest) == len(stop) + 1 and rest[len(rest) - 1] in _SHAPES:
                    own.of_word[<int>_SHAPES.index(rest[len(rest) - 1])] = weight
        self.ends_count += 1
        return number

    cdef Py_ssize_t add_begin(self, uint64_t opening, str word) except -1:
        """The same of a beginning."""
        cdef Py_ssize_t number = self.begins_count
        cdef BeginOf* own
        cdef int64_t never = 0 if opening == _NO_OPENING else self.sums.never_after(opening)
        self.begins_of = <BeginOf*>with_room(self.begins_of, &self.begins_room, number + 1, sizeof(BeginOf))
        own = &self.begins_of[number]
        memset(own, 0, sizeof(BeginOf))
        own.opening, own.shape = opening, opening >> 3 & 15
        own.starts = own.shape != _SMALL_WORD or opening >> 7 != 0
        own.never_after_word, own.never_after_comma = never & 1, never >> 1
        if word is not None and word in self.first_words:
            weights = self.first_words[word]
            own.of_word[0] = weights.get(of_first_word(_SHAPES[own.shape], False), 0)
            own.of_word[1] = weights.get(of_first_word(_SHAPES[own.shape], True), 0)
        self.begins_count += 1
        return number

    cdef Py_ssize_t end_of(self, Py_ssize_t at) except -1:
        """As Ends."""
        cdef Piece* piece = &self.pieces[at]
        cdef uint32_t* chars = self.chars + piece.start
        cdef Py_ssize_t length = piece.end - piece.start, number, before
        cdef uint32_t last
        cdef int stop = _NO_STOP
        if piece.is_last:
            return 0
        last = chars[length - 1]
        if not _flags_of(last) & _ALNUM:
            stop = _single_stop(last)
            if stop and length > 1 and _flags_of(chars[length - 2]) & _ALNUM:
                length -= 1
                if stop == _SEMICOLON:
                    for before in range(length):
                        if chars[before] == c"&":
                            return self.end_of_sign(chars, length + 1)
            else:
                return self.end_of_sign(chars, length)
        if not _flags_of(chars[0]) & _ALNUM:
            return self.end_of_sign(chars, piece.end - piece.start)
        number = self.words.number(chars, length)
        return self.shared_end(number, number, stop, 0, _shape(chars, length), length)

    cdef Py_ssize_t end_of_sign(self, uint32_t* chars, Py_ssize_t length) except -1:
        """Of a piece with more than a word and a stop: as pieces._ending()."""
        cdef Py_ssize_t tail = length, start, stop_length = 0, closers = 0, after = 0
        cdef Py_ssize_t first = 0, word, bare = 0, bare_end = length, at
        cdef int stop = _NO_STOP, closer = 0
        for at in range(length):
            if chars[at] == c"&":  # a sign may be encoded
                return self.add_end_of_text(chars, length)
        if not _flags_of(chars[length - 1]) & _ALNUM:
            while tail and length - tail <= _LONGEST_TAIL and _is_of_tail(chars[tail - 1]):
                tail -= 1
            if length - tail > _LONGEST_TAIL:
                return self.add_end_of_text(chars, length)
            while not _matches_tail(chars, tail, length, &stop_length, &closers, &after):
                tail += 1
            if after and (not stop_length or _is_final_stop(chars[tail], chars[length - 1])):
                stop = _stop_kind(chars + length - 1, 1)
            elif stop_length:
                stop = _stop_kind(chars + tail, stop_length)
            if stop and (stop_length or after) == length:
                stop += _ALONE
            if closers > 1:
                closer = 1
            elif closers:
                closer = 2 if _is_bracket(chars[tail + stop_length]) else 3
        while first < tail and _flags_of(chars[first]) & _OPENER:
            first += 1
        word = self.words.number(chars + first, tail - first)
        while bare_end > bare and _flags_of(chars[bare_end - 1]) & _AROUND:
            bare_end -= 1
        while bare < bare_end and _flags_of(chars[bare]) & _AROUND:
            bare += 1
        return self.shared_end(
            word,
            self.words.number(chars + bare, bare_end - bare),
            stop, closer, _shape(chars + first, tail - first), tail - first,
        )

    cdef Py_ssize_t add_end_of_text(self, uint32_t* chars, Py_ssize_t length) except -1:
        """Of hostile punctuation: Python is asked."""
        cdef str text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, length)
        cdef object end = self.ends[text], ending
        if end not in self.asked_for:
            ending = end.ending
            self.asked_for[end] = self.add_end(
                _ending(
                    _STOPS.index(ending.stop), _CLOSER_KINDS.index(ending.closer), _SHAPES.index(ending.shape),
                    ending.known, int(ending.size), _RANKS.index(ending.rank),
                ),
                bare_word(text) if end.of_word else None,
            )
        return self.asked_for[end]

    cdef Py_ssize_t shared_end(
        self, Py_ssize_t word, Py_ssize_t weighed, int stop, int closer, int shape, Py_ssize_t length
    ) except -1:
        cdef int64_t number = 0
        cdef int size = length if length < 6 else 6, rank = _NO_RANK
        cdef bint known = False
        cdef uint64_t key = <uint64_t>(word + 1) << 24 | <uint64_t>(weighed + 1)
        key = ((key << 5 | stop) << 2 | closer) << 7 | (shape << 3 | size)
        if not self.end_numbers.find(key, &number):
            if word >= 0:
                known, rank = self.words.known[word].is_abbreviation, self.words.known[word].rank
            number = self.add_end(
                _ending(stop, closer, shape, known, size, rank), self.words.text(weighed) if weighed >= 0 else None
            )
            self.end_numbers.put(key, number)
        return number

    cdef Py_ssize_t begin_of(self, Py_ssize_t at) except -1:
        """As Begins."""
        cdef Piece* piece = &self.pieces[at]
        cdef uint32_t* chars = self.chars + piece.start
        cdef Py_ssize_t length = piece.end - piece.start, end, first = 0, number
        cdef int opener = 0
        cdef int64_t found = 0
        cdef uint64_t key
        cdef int shape
        if not _flags_of(chars[0]) & _ALNUM:
            while first < length and _flags_of(chars[first]) & _OPENER:
                first += 1
            if first:
                opener = _opener_kind(chars[0])
        end = length
        while end > first and _flags_of(chars[end - 1]) & _AROUND:
            end -= 1
        if first == end or not _flags_of(chars[first]) & _ALNUM:
            return self.begin_of_text(chars, length)
        number = self.words.number(chars + first, end - first)
        shape = _shape(chars + first, end - first)
        key = (<uint64_t>(number + 1) << 4 | shape) << 3 | opener
        if not self.begin_numbers.find(key, &found):
            found = self.add_begin(
                _opening(opener, shape, self.words.known[number].rank if number >= 0 else _NO_RANK),
                self.words.text(number) if number >= 0 else None,
            )
            self.begin_numbers.put(key, found)
        return found

    cdef Py_ssize_t begin_of_text(self, uint32_t* chars, Py_ssize_t length) except -1:
        """Of a piece without a word: Python is asked, whose answers are shared by all alike."""
        cdef str text = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, length)
        cdef object begin = self.begins[text], opening
        if begin not in self.asked_for:
            opening = begin.opening
            self.asked_for[begin] = self.add_begin(
                _opening(
                    _OPENER_KINDS.index(opening.opener), _SHAPES.index(opening.shape), _RANKS.index(opening.rank)
                ),
                bare_word(text),
            )
        return self.asked_for[begin]

    # Pieces to tokens

    cdef Py_ssize_t write_paragraph(self, Py_ssize_t at, list found) except -1:
        """Append the paragraph that begins with this piece; gives the number of the first of the next."""
        cdef Piece* piece
        cdef Py_ssize_t length
        cdef uint32_t* chars
        cdef bint is_final
        self.out_size = 0
        while True:
            piece = &self.pieces[at]
            length = piece.end - piece.start
            chars = self.chars + piece.start
            is_final = piece.is_last or chars[length] == _SENTENCE
            self.reserve_out(2 * length + 4)
            if length >= _LONG or piece.some & _UNSPACED:
                self.write_cut(chars, length, is_final)
            elif piece.every & _ALPHA or not length:
                self.write(chars, length)
            elif not self.write_tokens(chars, length, is_final, piece.some):
                self.write_cut(chars, length, is_final)
            at += 1
            if piece.is_last:
                break
            self.out[self.out_size] = chars[length]
            self.out_size += 1
        found.append(PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, self.out, self.out_size))
        return at

    cdef int reserve_out(self, Py_ssize_t more) except -1:
        self.out = <uint32_t*>with_room(self.out, &self.out_room, self.out_size + more, sizeof(uint32_t))
        return 0

    cdef inline void write(self, const uint32_t* chars, Py_ssize_t length) noexcept:
        cdef uint32_t* out = self.out + self.out_size
        cdef Py_ssize_t at
        for at in range(length):
            out[at] = chars[at]
        self.out_size += length

    cdef int write_cut(self, uint32_t* chars, Py_ssize_t length, bint is_final) except -1:
        """A piece as the patterns cut it."""
        cdef str piece = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, length + is_final)
        cdef PyObject* known = PyDict_GetItemWithError(self.cut_pieces, piece)
        cdef str cut = <str>known if known != NULL else self.cut_pieces[piece]
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(cut) - is_final, at
        cdef int kind = PyUnicode_KIND(cut)
        cdef const void* data = PyUnicode_DATA(cut)
        cdef uint32_t* out
        self.reserve_out(size + 4)
        out = self.out + self.out_size
        for at in range(size):
            out[at] = PyUnicode_READ(kind, data, at)
        self.out_size += size
        return 0

    cdef bint is_abbreviation(self, const uint32_t* chars, Py_ssize_t length) except -1:
        """As tokens.is_abbreviation()."""
        cdef Py_ssize_t number
        cdef uint16_t flags
        if length == 1:
            flags = _flags_of(chars[0])
            if not flags & _ALPHA:
                return False
            if flags & _UPPER:
                return True
            number = self.words.find(chars, 1)
        else:
            number = self.words.number(chars, length)
        return number >= 0 and self.words.known[number].is_abbreviation

    cdef bint write_tokens(self, const uint32_t* chars, Py_ssize_t length, bint is_final, uint16_t some) except -1:
        """The tokens of a piece of letters, digits and the commonest signs, as tokens._pattern() finds them.

        What may be anything else (an address, a face, an elision, a prefix) writes nothing and gives False. In
        each branch stands which alternative of the pattern it is; those before it begin with other characters.
        """
        cdef Py_ssize_t start = self.out_size, at = 0, end, before = 0
        cdef uint32_t sign, following
        cdef bint has_letters = some & _ALPHA
        cdef bint is_word, maybe_address = False
        if self.has_own_words and not _is_plain(chars, length):
            return False
        if has_letters:
            for end in range(length - 1):
                sign = chars[end]
                if sign == c"." or sign == c"/" or sign == c"@":
                    following = chars[end + 1]
                    if _flags_of(following) & _ALNUM or following == c"_":
                        return False
        while at < length:
            if at:
                self.out[self.out_size] = _GLUE
                self.out_size += 1
            sign = chars[at]
            end = at + 1
            following = chars[end] if end < length else _NOTHING
            if _flags_of(sign) & _ALPHA:
                end = self.end_of_word(chars, at, length, is_final)
                if end < 0:
                    self.out_size = start
                    return False
            elif _is_digit(sign):
                end = self.end_of_number(chars, at, length, is_final)
                if end < 0:
                    self.out_size = start
                    return False
            elif (
                sign == c'"' or sign == 0x201C or sign == 0x201D or sign == 0x201E or sign == 0xAB or sign == 0xBB
                or sign == c"(" or sign == c")" or sign == c"[" or sign == c"]" or sign == 0x2014 or sign == c"|"
                or sign == 0x2019 or sign == 0x2018 or sign == c"%" or sign == 0x20AC or sign == 0xA3
            ):
                pass  # no alternative but the commonest and the last begins with these
            elif sign == c"," or sign == c"'" or sign == c"$" or sign == c"*" or sign == 0x2013:
                if following == sign:
                    self.out_size = start
                    return False
            elif sign == c":" or sign == c";":
                if _is_of_face(following):
                    self.out_size = start
                    return False
            elif sign == c".":
                if end < length and _flags_of(following) & _ALNUM:
                    self.out_size = start
                    return False
                end = _end_of_run(chars, at, length, c".")
            elif sign == 0x2026:
                end = _end_of_run(chars, at, length, 0x2026)
            elif sign == c"!":
                end = _end_of_run(chars, _end_of_run(chars, at, length, c"!"), length, c"?")
            elif sign == c"?":
                end = _end_of_run(chars, _end_of_run(chars, at, length, c"?"), length, c"!")
            elif sign == c"/":
                if end < length and (_flags_of(following) & _ALNUM or following == c"_"):
                    self.out_size = start
                    return False
            elif sign == c"-":
                # after a word it is no sign of a number; French and Hungarian join words to it
                if (
                    not at or self.elision or self.is_hungarian or following == c"-" or following == c"_"
                    or not (_flags_of(chars[at - 1]) & _ALNUM or chars[at - 1] == c")")
                ):
                    self.out_size = start
                    return False
            else:
                self.out_size = start
                return False
            if (
                is_final and end == length and end - at == 1 and sign == c"." and at
                and self.stop_attached and self.is_abbreviation(chars + before, at - before)
            ):
                self.out_size -= 1  # the last word is written with its stop
            self.write(chars + at, end - at)
            before = at
            at = end
        return True

    cdef Py_ssize_t end_of_word(
        self, const uint32_t* chars, Py_ssize_t at, Py_ssize_t length, bint is_final
    ) except -2:
        """Where a token ends that begins with a letter; -1 if only the pattern knows."""
        cdef Py_ssize_t end = at + 1, run
        cdef uint32_t sign, following
        while end < length and _flags_of(chars[end]) & _ALPHA:
            end += 1
        if end == length:
            return end
        sign = chars[end]
        following = chars[end + 1] if end + 1 < length else _NOTHING
        if (
            sign == c"," or sign == c";" or sign == c"!" or sign == c"?" or sign == c")" or sign == c'"'
            or sign == 0xBB or sign == 0x201D
        ):
            return end  # the first of the commonest
        if sign == c":" and not following and not is_final:
            return end
        if sign == c"." and not following and is_final:
            return end
        if chars[at] == c"x" or chars[at] == c"X":  # a face?
            return -1
        if sign == c".":
            if following == c".":
                return end
            if following:
                return -1
            if not self.stop_attached:
                return end
            if end - at <= 6:
                return end + 1
            return -1 if self.ordinals else end
        end = _end_of_alnum(chars, end, length)
        if end == length:
            return end
        sign = chars[end]
        if sign == c"_":
            return -1
        if _is_joiner(sign) or _is_hyphen(sign):
            if self.elision or (self.is_hungarian and sign == c"-"):
                return -1
            if self.parts_prefixes and sign == c"-" and end - at <= 7 and _may_be_prefix(chars + at, end - at):
                return -1
            while (
                end + 1 < length
                and (_is_joiner(chars[end]) or (self.keeps_hyphens and _is_hyphen(chars[end])))
                and (_flags_of(chars[end + 1]) & _ALPHA or _is_digit(chars[end + 1]))
            ):
                end = _end_of_alnum(chars, end + 1, length)
            if end < length and (chars[end] == c"_" or (self.is_hungarian and chars[end] == c"-")):
                return -1
        return end

    cdef Py_ssize_t end_of_number(
        self, const uint32_t* chars, Py_ssize_t at, Py_ssize_t length, bint is_final
    ) except -2:
        """Where a token ends that begins with a digit; -1 if only the pattern knows."""
        cdef Py_ssize_t end = _end_of_digits(chars, at, length), run
        if end == length or chars[end] == c")":
            return end
        if chars[at] == c"8" and _is_of_face(chars[at + 1]):
            return -1
        if self.ordinals and chars[end] == c"." and end + 1 == length and not is_final:
            return end + 1
        if not self.keeps_hyphens and end - at == 3 and chars[end] == c"-":  # a telephone?
            return -1
        end = _end_of_groups(chars, end, length)
        if self.keeps_hyphens:
            while end + 1 < length and _is_dash(chars[end]) and _is_digit(chars[end + 1]):
                end = _end_of_groups(chars, _end_of_digits(chars, end + 1, length), length)
            if end + 1 < length and _is_dash(chars[end]) and _flags_of(chars[end + 1]) & _ALPHA:
                return _end_of_letters(chars, end + 1, length)
        run = end
        if run < length and not self.elision and (chars[run] == c"'" or chars[run] == 0x2019):
            run += 1
        if run < length and _flags_of(chars[run]) & _ALPHA:
            return _end_of_letters(chars, run, length)
        return end


cdef bint _is_plain(const uint32_t* chars, Py_ssize_t length):
    """Whether a piece is a word or a number, perhaps with a stop after it."""
    cdef uint16_t every = 0xFFFF
    cdef Py_ssize_t at
    if length > 1 and _single_stop(chars[length - 1]):
        length -= 1
    for at in range(length):
        every &= _flags_of(chars[at])
    return every & (_ALPHA | _DIGIT)


cdef inline bint _is_upper(Piece* piece) noexcept:
    return piece.some & _UPPER and not piece.some & (_LOWER | _TITLE)


cdef inline int _state(Py_ssize_t pieces, int quotes, int64_t depth) noexcept:
    """As weighing.state_of()."""
    cdef int length
    if pieces >= 9:
        length = 5
    elif pieces >= 5:
        length = 4
    elif pieces >= 3:
        length = 3
    else:
        length = pieces
    return length * 8 + quotes * 4 + (1 if depth > 0 else 2 if depth < 0 else 0)


cdef inline int _single_stop(uint32_t sign) noexcept:
    if sign == c".":
        return _STOP
    if sign == c",":
        return _COMMA
    if sign == c";":
        return _SEMICOLON
    if sign == c":":
        return _COLON
    if sign == c"!":
        return _STRONG_STOP
    if sign == c"?":
        return _QUESTION
    return _NO_STOP


cdef int _stop_kind(const uint32_t* stop, Py_ssize_t length) noexcept:
    """As pieces._stop(), of a stop that is not alone."""
    cdef uint32_t first = stop[0]
    if first == c"." or first == 0x2026:
        return _STOP if length == 1 and first == c"." else _STOPS_MORE
    if first == c"?" or first == 0x61F or first == 0xFF1F:
        return _QUESTION
    if first == c":" or first == c";" or first == c",":
        return _single_stop(first)
    return _DASH if first == 0x2014 or first == 0x2013 or first == c"-" else _STRONG_STOP


cdef inline bint _is_bracket(uint32_t sign) noexcept:
    return sign == c")" or sign == c"]" or sign == c"}" or sign == c">"


cdef int _opener_kind(uint32_t first):
    """As pieces._opener()."""
    if first == c"(" or first == c"[" or first == c"{" or first == c"<":
        return 1
    if chr(first) in _dashes:
        return 2
    return 3 if first == 0x2026 or first == c"." else 4


cdef inline bint _is_full_stop(uint32_t sign) noexcept:
    return sign == c"." or sign == 0x2026


cdef inline bint _is_tail_dash(uint32_t sign) noexcept:
    return sign == 0x2014 or sign == 0x2013 or sign == c"-"


cdef inline bint _is_of_tail(uint32_t sign):
    return (
        _flags_of(sign) & (_STRONG | _CLOSER) != 0 or _is_full_stop(sign) or _is_tail_dash(sign)
        or sign == c":" or sign == c";" or sign == c","
    )


cdef inline bint _is_final_stop(uint32_t stop, uint32_t last) noexcept:
    """Whether the last sign is a full stop after a weaker stop, as in "-." and ";."."""
    if not _is_full_stop(last):
        return False
    return stop == c":" or stop == c";" or stop == c"," or _is_tail_dash(stop)


cdef bint _matches_tail(
    const uint32_t* chars, Py_ssize_t at, Py_ssize_t length, Py_ssize_t* stop, Py_ssize_t* closers, Py_ssize_t* after
):
    """Whether the pattern of tails in pieces matches from here to the end, and the lengths of its groups."""
    cdef Py_ssize_t first = at, strong
    if at < length:
        if _is_full_stop(chars[at]):
            while first < length and _is_full_stop(chars[first]):
                first += 1
            while first > at:
                if _ends_tail(chars, first, length, closers, after):
                    stop[0] = first - at
                    return True
                first -= 1
        elif _flags_of(chars[at]) & _STRONG:
            while first < length and _flags_of(chars[first]) & _STRONG:
                first += 1
            strong = first
            while strong > at:
                first = strong
                while first < length and _is_full_stop(chars[first]):
                    first += 1
                while first >= strong:
                    if _ends_tail(chars, first, length, closers, after):
                        stop[0] = first - at
                        return True
                    first -= 1
                strong -= 1
        elif chars[at] == c":" or chars[at] == c";" or chars[at] == c",":
            if _ends_tail(chars, at + 1, length, closers, after):
                stop[0] = 1
                return True
        elif _is_tail_dash(chars[at]):
            while first < length and _is_tail_dash(chars[first]):
                first += 1
            while first > at:
                if _ends_tail(chars, first, length, closers, after):
                    stop[0] = first - at
                    return True
                first -= 1
    stop[0] = 0
    return _ends_tail(chars, at, length, closers, after)


cdef bint _ends_tail(
    const uint32_t* chars, Py_ssize_t at, Py_ssize_t length, Py_ssize_t* closers, Py_ssize_t* after
):
    """Closers and perhaps a stop up to the end; no stop is a closer."""
    cdef Py_ssize_t first = at
    while first < length and _flags_of(chars[first]) & _CLOSER:
        first += 1
    closers[0] = first - at
    after[0] = 0
    if first == length:
        return True
    after[0] = 1
    return first + 1 == length and (_is_full_stop(chars[first]) or _flags_of(chars[first]) & _STRONG != 0)


cdef inline Py_ssize_t _end_of_run(
    const uint32_t* chars, Py_ssize_t at, Py_ssize_t length, uint32_t sign
) noexcept:
    while at < length and chars[at] == sign:
        at += 1
    return at


cdef inline Py_ssize_t _end_of_letters(const uint32_t* chars, Py_ssize_t at, Py_ssize_t length):
    while at < length and _flags_of(chars[at]) & _ALPHA:
        at += 1
    return at


cdef inline Py_ssize_t _end_of_alnum(const uint32_t* chars, Py_ssize_t at, Py_ssize_t length):
    while at < length and (_flags_of(chars[at]) & _ALPHA or _is_digit(chars[at])):
        at += 1
    return at


cdef inline Py_ssize_t _end_of_digits(const uint32_t* chars, Py_ssize_t at, Py_ssize_t length) noexcept:
    while at < length and _is_digit(chars[at]):
        at += 1
    return at


cdef Py_ssize_t _end_of_groups(const uint32_t* chars, Py_ssize_t at, Py_ssize_t length) noexcept:
    """Digits joined to digits: 1,000.50."""
    cdef uint32_t sign
    while at + 1 < length and _is_digit(chars[at + 1]):
        sign = chars[at]
        if not (
            sign == c"." or sign == c"," or sign == c":" or sign == c"/" or sign == c"'" or sign == 0x2019
        ):
            break
        at = _end_of_digits(chars, at + 1, length)
    return at


cdef inline bint _is_dash(uint32_t sign) noexcept:
    return sign == c"-" or sign == 0x2013


cdef inline bint _is_hyphen(uint32_t sign) noexcept:
    return sign == c"-" or sign == 0x2010 or sign == 0x2011


cdef inline bint _is_joiner(uint32_t sign) noexcept:
    return (
        sign == c"'" or sign == 0x2019 or sign == c"`" or sign == 0x2BC or sign == 0x5F3 or sign == 0x5F4
        or sign == 0xB7 or sign == c"&"
    )


cdef frozenset _PREFIXES = frozenset(ENGLISH_PREFIXES)


cdef bint _may_be_prefix(const uint32_t* chars, Py_ssize_t length):
    cdef Py_ssize_t at
    for at in range(length):
        if chars[at] >= 128:
            return True  # signs that equal an ASCII letter in another case
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, chars, length).lower() in _PREFIXES


def clean_texts(list texts):
    """As documents.clean_texts(): texts that are clean already, as most are, stay the same objects."""
    cdef list found = texts
    cdef str text
    cdef Py_ssize_t at
    for at in range(len(texts)):
        text = texts[at]
        if not _is_clean(text):
            if found is texts:
                found = texts[:]
            found[at] = clean_text(text)
    return found


cdef bint _is_clean(str text):
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t sign
    cdef bint was_space = True
    cdef uint16_t every = 0xFFFF
    for at in range(length):
        sign = PyUnicode_READ(kind, data, at)
        if sign == c" ":
            if was_space:
                return False
            was_space = True
        else:
            was_space = False
            every &= _flags_of(sign)
    if was_space and length:
        return False
    return not length or every & _CLEAN != 0 or (
        text.isprintable() and unicodedata.is_normalized("NFC", text)
    )


# Scripts without spaces: WordCutter of threadmill.corpus.text.unspaced_words. A word list and its table take 8 MB;
# as Python objects, with the beginnings of words, they take 30 MB.

cdef enum:
    _FEATURE_BUFFER = 64  # characters of a feature: two letters and a word of the list at most
    _KINDS = 65536

cdef double _UNKNOWN = UNKNOWN, _ENDLESS = float("inf")
cdef Py_ssize_t _LONGEST = LONGEST_WORD
cdef uint32_t[16] _lengths
cdef uint32_t[_KINDS] _kinds  # 0: not asked yet
memset(_kinds, 0, sizeof(_kinds))
for _at in range(16):
    _lengths[_at] = ord(LENGTHS[min(_at, len(LENGTHS) - 1)])


cdef struct Place:  # between two characters
    double best  # the smallest sum of costs up to here
    int32_t back  # where the last word before it begins
    int32_t ending, beginning, across  # the length of the longest word that ends or begins here, or goes across


cdef uint32_t _OTHERS_KIND = ord(kind_of(chr(_KINDS)))  # of all characters beyond the first plane


cdef int _ask_for_kinds(str text) except -1:
    """Ask Python for the kinds of characters that are new. Another thread may run meanwhile."""
    cdef Py_ssize_t at
    cdef uint32_t character
    for at in range(PyUnicode_GET_LENGTH(text)):
        character = PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), at)
        if character < _KINDS and not _kinds[character]:
            _kinds[character] = ord(kind_of(chr(character)))
    return 0


_ask_for_kinds("^$")


cdef class WordCutter:
    """Cuts runs of one language without spaces."""

    cdef WordTable words, features
    cdef double* costs  # by the numbers of the words
    cdef int32_t* weights  # by the numbers of the features
    cdef dict variants
    cdef uint32_t* chars  # of the run, with two characters before it and three behind
    cdef uint32_t* kinds
    cdef Place* places
    cdef int32_t* bounds
    cdef Py_ssize_t chars_room, kinds_room, places_room, bounds_room
    cdef uint32_t[_FEATURE_BUFFER] feature

    def __cinit__(self):
        memset(&self.words, 0, sizeof(WordTable))
        memset(&self.features, 0, sizeof(WordTable))
        self.costs, self.weights, self.chars, self.kinds, self.places, self.bounds = NULL, NULL, NULL, NULL, NULL, NULL
        self.chars_room = self.kinds_room = self.places_room = self.bounds_room = 0

    def __dealloc__(self):
        free_words(&self.words)
        free_words(&self.features)
        PyMem_Free(self.costs)
        PyMem_Free(self.weights)
        PyMem_Free(self.chars)
        PyMem_Free(self.kinds)
        PyMem_Free(self.places)
        PyMem_Free(self.bounds)

    def __init__(self, words, weights, variants):
        cdef Py_ssize_t at
        cdef str word
        self.variants = str.maketrans(dict(variants)) if variants else None
        if max(map(len, words), default=0) > _LONGEST:
            raise ValueError(f"a word of a list is longer than {_LONGEST} characters")
        make_words(&self.words, len(words), sum(map(len, words)))
        self.costs = <double*>PyMem_Malloc((len(words) + 1) * sizeof(double))
        make_words(&self.features, len(weights), sum(map(len, weights)))
        self.weights = <int32_t*>PyMem_Malloc((len(weights) + 1) * sizeof(int32_t))
        if self.costs == NULL or self.weights == NULL:
            raise MemoryError
        for at, word in enumerate(words):
            self.costs[add_word(&self.words, word)] = cost_of_rank(at)
        for word, weight in weights.items():
            self.weights[add_word(&self.features, word)] = weight

    def cut(self, str run not None):
        """The words of a run."""
        if len(run) == 1:
            return [run]
        cdef str text = run if self.variants is None else run.translate(self.variants)
        _ask_for_kinds(text)
        return self.words_of(run, text, [])

    cdef list words_of(self, str run, str text, list found):
        """The same. It calls no Python code, so no other thread uses the arrays meanwhile."""
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), at, start = 0, bound = 0, previous
        self.read(text, size)
        self.find_listed_words(size)
        self.find_bounds(size)
        for at in range(1, size):
            if at >= self.bounds[bound + 1]:
                bound += 1
            previous = self.bounds[bound - 1] if at == self.bounds[bound] else self.bounds[bound]
            if self.weigh(at, at == self.bounds[bound], previous, self.bounds[bound + 1]) > 0:
                found.append(run[start:at])
                start = at
        found.append(run[start:])
        return found

    cdef int read(self, str text, Py_ssize_t size) except -1:
        """The characters of a text and their kinds, with what stands around it."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t at
        self.chars = <uint32_t*>with_room(self.chars, &self.chars_room, size + 5, sizeof(uint32_t))
        self.kinds = <uint32_t*>with_room(self.kinds, &self.kinds_room, size + 5, sizeof(uint32_t))
        self.places = <Place*>with_room(self.places, &self.places_room, size + 1, sizeof(Place))
        self.bounds = <int32_t*>with_room(self.bounds, &self.bounds_room, size + 2, sizeof(int32_t))
        self.chars[0] = self.chars[1] = c"^"
        for at in range(size):
            self.chars[at + 2] = PyUnicode_READ(kind, data, at)
        for at in range(size + 2, size + 5):
            self.chars[at] = c"$"
        for at in range(size + 5):
            self.kinds[at] = _kinds[self.chars[at]] if self.chars[at] < _KINDS else _OTHERS_KIND
        return 0

    cdef void find_listed_words(self, Py_ssize_t size) noexcept:
        """The words of the list that stand in the text, and the cutting whose costs have the smallest sum."""
        cdef const uint32_t* text = self.chars + 2
        cdef Place* places = self.places
        cdef Py_ssize_t at, end, place, number, longest
        cdef uint64_t hashed
        cdef double so_far, cost
        memset(places, 0, (size + 1) * sizeof(Place))
        for at in range(1, size + 1):
            places[at].best = _ENDLESS
        for at in range(size):
            so_far, longest = places[at].best, 0
            if so_far + _UNKNOWN < places[at + 1].best:
                places[at + 1].best, places[at + 1].back = so_far + _UNKNOWN, <int32_t>at
            hashed = HASH_SEED
            for end in range(at + 1, min(size, at + self.words.longest) + 1):
                hashed = hash_with(hashed, text[end - 1])
                number = find_word(&self.words, text + at, end - at, hashed)
                if number < 0:
                    continue
                cost, longest = self.costs[number], end - at
                if not places[end].ending:  # what begins later is shorter
                    places[end].ending = <int32_t>longest
                if so_far + cost < places[end].best:
                    places[end].best, places[end].back = so_far + cost, <int32_t>at
            places[at].beginning = <int32_t>longest
            for place in range(at + 1, at + longest):
                places[place].across = max(places[place].across, <int32_t>longest)

    cdef void find_bounds(self, Py_ssize_t size) noexcept:
        """The bounds of the cheapest words, from 0 to the length of the text."""
        cdef Py_ssize_t at = size, count = 1, i
        while at:
            at = self.places[at].back
            count += 1
        at = size
        for i in range(count - 1, -1, -1):
            self.bounds[i] = <int32_t>at
            at = self.places[at].back

    cdef int64_t weigh(self, Py_ssize_t at, bint is_bound, Py_ssize_t previous, Py_ssize_t following) noexcept:
        """The sum of the weights of a place: above 0 a word ends there."""
        cdef const uint32_t* text = self.chars + 2
        cdef const uint32_t* around = self.chars
        cdef uint32_t* feature = self.feature
        cdef Py_ssize_t left = at - previous, right = following - at
        cdef uint32_t cut = c"1" if is_bound else c"0", last = text[at - 1], first = text[at]
        cdef uint32_t before = _length(self.places[at].ending), after = _length(self.places[at].beginning)
        cdef int64_t total
        feature[0], feature[1], feature[2], feature[3] = c"n", cut, _length(left), _length(right)
        total = self.weight(4)
        feature[0], feature[2] = c"a", last
        total += self.weight(3)
        feature[0], feature[2] = c"b", first
        total += self.weight(3)
        feature[0], feature[1], feature[2] = c"c", last, first
        total += self.weight(3)
        total += self.weight_of(c"f", around + at, 3) + self.weight_of(c"g", around + at + 1, 3)
        total += self.weight_of(c"k", self.kinds + at - 1, 6)
        total += self.weight_of_word(c"l", cut, text + previous, left)
        total += self.weight_of_word(c"r", cut, text + at, right)
        feature[0], feature[1], feature[2], feature[3] = c"u", before, after, _length(self.places[at].across)
        total += self.weight(4)
        feature[0], feature[2] = c"v", last
        total += self.weight(3)
        feature[0], feature[1], feature[2] = c"w", after, first
        return total + self.weight(3)

    cdef inline int64_t weight_of(self, uint32_t name, const uint32_t* chars, Py_ssize_t length) noexcept:
        cdef Py_ssize_t at
        self.feature[0] = name
        for at in range(length):
            self.feature[at + 1] = chars[at]
        return self.weight(length + 1)

    cdef inline int64_t weight_of_word(
        self, uint32_t name, uint32_t cut, const uint32_t* chars, Py_ssize_t length
    ) noexcept:
        cdef Py_ssize_t at
        self.feature[0], self.feature[1] = name, cut
        for at in range(length):  # a word of the list or a single character
            self.feature[at + 2] = chars[at]
        return self.weight(length + 2)

    cdef inline int64_t weight(self, Py_ssize_t length) noexcept:
        """The weight of the feature in the buffer, which has so many characters."""
        cdef uint64_t hashed = HASH_SEED
        cdef Py_ssize_t at, number
        if length > self.features.longest:
            return 0
        for at in range(length):
            hashed = hash_with(hashed, self.feature[at])
        number = find_word(&self.features, self.feature, length, hashed)
        return self.weights[number] if number >= 0 else 0


cdef inline uint32_t _length(Py_ssize_t length) noexcept:
    return _lengths[length if length < 15 else 15]
