# cython: language_level=3, boundscheck=False, wraparound=False
"""Paragraphs and links of threadmill.page.on_demand, compiled: objects made of blocks, one after the other."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint64_t

from threadmill.page.compiled_walk cimport Anchor, Block

from threadmill.types import Link, Paragraph, ParagraphClass

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, const void* data, Py_ssize_t at)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int Py_UNICODE_ISSPACE(Py_UCS4 character)
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 character)

cdef object _new = tuple.__new__
cdef object _GOOD = ParagraphClass.GOOD

# As threadmill.page.on_demand has them.
cdef enum:
    _LEAST_FOR_LANGUAGE = 40
    _WORDS_FOR_LANGUAGE = 40
cdef double _SAME_LANGUAGE = 0.2

# The two letters whose small form depends on their place or is of two characters.
cdef enum:
    _DOTTED_I = 0x130
    _SIGMA = 0x3A3

cdef uint64_t _START = 0xCBF29CE484222325, _STEP = 0x100000001B3


cdef class WordSet:
    """Words as 64-bit hashes in a table: a word of a text is looked up without being made an object."""

    cdef uint64_t* slots
    cdef uint64_t mask
    cdef readonly object words

    def __cinit__(self, words):
        cdef uint64_t size = 16
        while size < 2 * <uint64_t>len(words):
            size *= 2
        self.slots = <uint64_t*>PyMem_Calloc(size, sizeof(uint64_t))
        if self.slots == NULL:
            raise MemoryError
        self.mask = size - 1
        self.words = words
        cdef Py_ssize_t at
        cdef uint64_t found
        for word in words:
            found = _START
            for at in range(len(word)):
                found = (found ^ <uint64_t>ord(word[at])) * _STEP
            self.add(found)

    def __dealloc__(self):
        PyMem_Free(self.slots)

    cdef void add(self, uint64_t found) noexcept:
        cdef uint64_t at = (found ^ (found >> 32)) & self.mask
        while self.slots[at] != 0 and self.slots[at] != found:
            at = (at + 1) & self.mask
        self.slots[at] = found

    cdef inline bint holds(self, uint64_t found) noexcept:
        cdef uint64_t at = (found ^ (found >> 32)) & self.mask
        while self.slots[at] != 0:
            if self.slots[at] == found:
                return True
            at = (at + 1) & self.mask
        return False

    cpdef bint is_of(self, str text) except -1:
        """Whether so many of the first words of a text are among these that it is in their language."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* raw = PyUnicode_DATA(text)
        cdef Py_ssize_t length = min(PyUnicode_GET_LENGTH(text), 8 * _WORDS_FOR_LANGUAGE), at
        cdef Py_ssize_t words = 0, known = 0
        cdef uint64_t found = _START
        cdef bint inside = False
        cdef Py_UCS4 character
        for at in range(length):
            character = PyUnicode_READ(kind, raw, at)
            if Py_UNICODE_ISSPACE(character):
                if inside:
                    known += self.holds(found)
                    inside, found = False, _START
                    if words == _WORDS_FOR_LANGUAGE:
                        break
                continue
            if character == _DOTTED_I or character == _SIGMA:
                return self.is_of_slowly(text)
            if not inside:
                inside = True
                words += 1
            found = (found ^ <uint64_t>Py_UNICODE_TOLOWER(character)) * _STEP
        if inside:
            known += self.holds(found)
        return known >= _SAME_LANGUAGE * words

    cdef bint is_of_slowly(self, str text) except -1:
        words = text[: 8 * _WORDS_FOR_LANGUAGE].lower().split()[:_WORDS_FOR_LANGUAGE]
        return sum(map(self.words.__contains__, words)) >= _SAME_LANGUAGE * len(words)


def paragraphs(judged, wanted, addresses, str language, WordSet known, detect):
    """A paragraph for every block that was judged so, or for all; detect is None where no language is wanted."""
    cdef Block block
    cdef list found = []
    cdef object verdict, judgement
    cdef str spoken
    cdef Places places = Places(addresses)
    for block, judgement in judged:
        verdict = (<tuple>judgement)[0]
        if wanted is not None and verdict is not wanted:
            continue
        spoken = "" if detect is None else language
        if (
            detect is not None
            and verdict is _GOOD
            and PyUnicode_GET_LENGTH(block.text) >= _LEAST_FOR_LANGUAGE
            and not known.is_of(block.text)
        ):
            spoken = (<tuple>detect(block.text))[0]
        links = () if block._anchors is None else places.links(block)
        found.append(
            _new(
                Paragraph,
                (block.text, block.tag, block.path, links, verdict, (<tuple>judgement)[1], spoken, ""),
            )
        )
    return tuple(found)


cdef class Places:
    """Addresses of a page's links; those that need more than a few letters looked at are left to Python."""

    cdef object addresses, absolute
    cdef str base, origin

    def __init__(self, addresses):
        self.addresses = addresses
        self.absolute = addresses.absolute
        self.base = addresses.base
        self.origin = addresses.origin

    cdef tuple links(self, Block block):
        cdef Anchor anchor
        cdef list found = []
        for anchor in block._anchors:
            label = anchor.label if anchor.kind == "image" else block.text[anchor.start : anchor.end]
            found.append(
                _new(Link, (self.address(anchor.target), label, anchor.start, anchor.end, anchor.kind))
            )
        return tuple(found)

    cdef object address(self, str target):
        """As Addresses.absolute()."""
        cdef int kind = PyUnicode_KIND(target)
        cdef const void* raw = PyUnicode_DATA(target)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(target)
        cdef Py_UCS4 first
        if length < 2 or not self.base or Py_UNICODE_ISSPACE(PyUnicode_READ(kind, raw, length - 1)):
            return self.absolute(target)
        first = PyUnicode_READ(kind, raw, 0)
        if first == c"h":
            if target.startswith("https://") or target.startswith("http://"):
                return target
        elif first == c"/":
            if PyUnicode_READ(kind, raw, 1) != c"/" and "/." not in target:
                return self.origin + target
        elif first == c"#":
            return self.addresses.document + target
        return self.absolute(target)
