# cython: language_level=3, wraparound=False, initializedcheck=False
"""The lines of threadmill.corpus.vertical.writer, compiled: one pass over a cut text, one buffer of characters."""

from cpython.mem cimport PyMem_Free
from libc.stdint cimport uint32_t
from libc.string cimport memset
from threadmill.native.containers cimport with_room
from threadmill.native.unicode cimport (
    PyUnicode_4BYTE_KIND, PyUnicode_KIND, PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_READ,
    PyUnicode_GET_LENGTH, PyUnicode_FromKindAndData,
)

from threadmill.corpus.text.delimited_text import GLUE, GLUED_SENTENCE, PASSAGE, SENTENCE
from threadmill.corpus.vertical.writer import SPACE_IN_TAG


cdef enum:
    _MOST_STEPS = 16  # back a span, to put them in the order of their beginnings
cdef uint32_t _GLUE = ord(GLUE), _SENTENCE = ord(SENTENCE), _GLUED_SENTENCE = ord(GLUED_SENTENCE)
cdef uint32_t _PASSAGE = ord(PASSAGE)
cdef uint32_t _SPACE_IN_TAG = ord(SPACE_IN_TAG)  # of the writer: a text that has it is not clean


cdef char[128] _special  # characters that a dialect may spell in another way
memset(_special, 0, sizeof(_special))
_special[c"|"] = _special[c"&"] = _special[c"<"] = _special[c">"] = _special[c'"'] = 1


cdef struct Place:
    Py_ssize_t token
    Py_ssize_t span  # its number


cdef class Lines:
    """The lines of some passages, as they grow."""

    cdef uint32_t* chars
    cdef Py_ssize_t size, room
    cdef Place* opens
    cdef Py_ssize_t opens_room

    def __cinit__(self):
        self.chars = NULL
        self.opens = NULL
        self.size = self.room = self.opens_room = 0

    def __dealloc__(self):
        PyMem_Free(self.chars)
        PyMem_Free(self.opens)

    cdef inline int reserve(self, Py_ssize_t more) except -1:
        self.chars = <uint32_t*>with_room(self.chars, &self.room, self.size + more, sizeof(uint32_t))
        return 0

    cdef inline void put(self, const char* text, Py_ssize_t length) noexcept:
        """ASCII; room has been made."""
        cdef Py_ssize_t at
        for at in range(length):
            self.chars[self.size + at] = <unsigned char>text[at]
        self.size += length

    cdef int put_text(self, str text) except -1:
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        self.reserve(length + 64)
        for at in range(length):
            self.chars[self.size + at] = PyUnicode_READ(kind, data, at)
        self.size += length
        return 0

    cdef int order(self, spans) except -1:
        """The beginnings of spans in order, outer ones first; 0 if that is too far from the order of their ends."""
        cdef Py_ssize_t count = len(spans), at, back, steps = 0, token, before = 0
        self.opens = <Place*>with_room(self.opens, &self.opens_room, count, sizeof(Place))
        for at in range(count):
            span = spans[at]
            if not isinstance(span, tuple) or len(<tuple>span) != 4 or not _is_one_word((<tuple>span)[0]):
                return 0
            token = (<tuple>span)[1]
            if not 0 <= token < <Py_ssize_t>(<tuple>span)[2] or <Py_ssize_t>(<tuple>span)[2] < before:
                return 0
            before = (<tuple>span)[2]
            back = at
            while back and self.opens[back - 1].token >= token:
                self.opens[back] = self.opens[back - 1]
                back -= 1
                steps += 1
            if steps > _MOST_STEPS * count:
                return 0
            self.opens[back].token, self.opens[back].span = token, at
        return 1

    cdef int open_span(self, tuple span, dialect) except -1:
        cdef str url = span[0]
        self.reserve(64)
        if span[3] == "image":
            self.put(b"<img url=", 9)
        else:
            self.put(b"<link url=", 10)
        if _is_plain(url):
            self.put(b'"', 1)
            self.put_text(url)
            self.put(b'">\n', 3)
        else:
            self.put_text(dialect.write_value(url))
            self.put(b">\n", 2)
        return 0


cdef bint _is_one_word(str url) noexcept:
    """Whether no space and no joint is in it, as in none that was cleaned."""
    cdef int kind = PyUnicode_KIND(url)
    cdef const void* data = PyUnicode_DATA(url)
    cdef Py_ssize_t at
    for at in range(PyUnicode_GET_LENGTH(url)):
        if PyUnicode_READ(kind, data, at) <= c" ":
            return False
    return True


cdef bint _is_plain(str url) noexcept:
    """Whether every dialect writes it as it is, between double quotes."""
    cdef Py_ssize_t at
    cdef const unsigned char* data
    if not PyUnicode_IS_ASCII(url):
        return False
    data = <const unsigned char*>PyUnicode_DATA(url)
    for at in range(PyUnicode_GET_LENGTH(url)):
        if (
            data[at] == c"&" or data[at] == c"<" or data[at] == c">" or data[at] == c'"' or data[at] == c"|"
        ):
            return False
    return True


cdef bint _looks_like_tag(int kind, const void* data, Py_ssize_t at, Py_ssize_t length) noexcept:
    """Whether a form that begins with "<" has to be escaped: as the pattern of dialects has it."""
    cdef uint32_t sign
    at += 1
    if at < length and PyUnicode_READ(kind, data, at) == c"/":
        at += 1
    if at >= length:
        return False
    sign = PyUnicode_READ(kind, data, at)
    return (
        c"a" <= sign <= c"z" or c"A" <= sign <= c"Z" or sign == c"_" or sign == c"!" or sign == c"?"
    )


cdef bint _begins(int kind, const void* data, Py_ssize_t at, Py_ssize_t length, const char* word, int size) noexcept:
    cdef int i
    if at + size > length:
        return False
    for i in range(size):
        if PyUnicode_READ(kind, data, at + i) != <unsigned char>word[i]:
            return False
    return True


cdef bint _looks_escaped(int kind, const void* data, Py_ssize_t at, Py_ssize_t length) noexcept:
    """The same of a form that begins with "&"."""
    at += 1
    while _begins(kind, data, at, length, b"amp;", 4):
        at += 4
    return _begins(kind, data, at, length, b"lt;", 3)


def write(str text, str name, list spans, dialect, columns):
    """The lines of passages and how many tokens they have; None where Python has to do it.

    The text is theirs with a sign between two; spans are those of each; columns are how they are written after
    a token, or nothing if they have lines of their own.
    """
    cdef Lines lines = Lines()
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at, tokens = 1, token = 0, passage = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* data = PyUnicode_DATA(text)
    cdef uint32_t sign
    cdef bytes begin = f"<{name}>\n<s>\n".encode(), end = f"\n</s>\n</{name}>".encode()
    cdef Py_ssize_t opened = 0, closed = 0, count = 0  # of the spans of this passage
    cdef Py_ssize_t next_open = -1, next_close = -1
    cdef Py_ssize_t more = len(begin) + len(end) + 64
    cdef object own = ()
    cdef const char* begins = begin
    cdef const char* ended = end
    cdef Py_ssize_t begin_size = len(begin), end_size = len(end)
    cdef bint in_columns = columns is not None, has_entities = dialect.entities
    cdef uint32_t bar = ord(dialect.bar)
    cdef Py_ssize_t token_start = 0
    lines.reserve(2 * length + 1024)
    for at in range(-1, length + 1):
        sign = _PASSAGE if at < 0 or at == length else PyUnicode_READ(kind, data, at)
        if sign > c" ":
            if lines.size + 64 > lines.room:
                lines.reserve(64)
            if sign < 128 and _special[sign]:
                if sign == c"|":
                    sign = bar
                elif has_entities:
                    if sign == c"&":
                        lines.put(b"&amp;", 5)
                    elif sign == c"<":
                        lines.put(b"&lt;", 4)
                    elif sign == c">":
                        lines.put(b"&gt;", 4)
                    else:
                        lines.put(b"&quot;", 6)
                    continue
                elif at == token_start:
                    if sign == c"<" and _looks_like_tag(kind, data, at, length):
                        lines.put(b"&lt;", 4)
                        continue
                    if sign == c"&" and _looks_escaped(kind, data, at, length):
                        lines.put(b"&amp;", 5)
                        continue
            lines.chars[lines.size] = sign
            lines.size += 1
            continue
        lines.reserve(more)
        if at >= 0 and sign != _SPACE_IN_TAG and (sign == c" " or sign >= _PASSAGE):
            while token == next_close:
                if in_columns:
                    lines.put_text(columns((own[closed],)))
                elif (<tuple>own[closed])[3] == "image":
                    lines.put(b"\n</img>", 7)
                else:
                    lines.put(b"\n</link>", 8)
                lines.reserve(more)
                closed += 1
                next_close = <Py_ssize_t>(<tuple>own[closed])[2] - 1 if closed < count else -1
        if sign == _PASSAGE:
            if at >= 0:
                if opened < count or closed < count:
                    return None
                lines.put(ended, end_size)
                if at == length:
                    break
                lines.put(b"\n", 1)
                tokens += 1
                passage += 1
            lines.put(begins, begin_size)
            token = -1
            count = opened = closed = 0
            next_open = next_close = -1
            if spans is not None:
                if passage >= len(spans):
                    return None
                own = spans[passage]
                count = len(own)
                if count:
                    if not lines.order(own):
                        return None
                    next_open = lines.opens[0].token if not in_columns else -1
                    next_close = <Py_ssize_t>(<tuple>own[0])[2] - 1
                    if in_columns:
                        opened = count
        elif sign == _GLUE:
            lines.put(b"\n<g/>\n", 6)
            tokens += 1
        elif sign == c" ":
            lines.put(b"\n", 1)
            tokens += 1
        elif sign == _SENTENCE:
            lines.put(b"\n</s>\n<s>\n", 10)
            tokens += 1
        elif sign == _GLUED_SENTENCE:
            lines.put(b"\n</s>\n<g/>\n<s>\n", 15)
            tokens += 1
        else:  # no cleaned text has it
            return None
        token += 1
        token_start = at + 1
        while token == next_open:
            lines.open_span(<tuple>own[lines.opens[opened].span], dialect)
            opened += 1
            next_open = lines.opens[opened].token if opened < count else -1
    return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, lines.chars, lines.size), tokens
