# cython: language_level=3, wraparound=False
"""Paragraphs and links of threadmill.page.clean, compiled: objects made of blocks, one after the other."""

from cpython.tuple cimport PyTuple_New

from threadmill.native.cutting cimport Anchor, Block
from threadmill.native.word_sets cimport Counts, WordSet
from threadmill.native.unicode cimport (
    PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ, PyUnicode_GET_LENGTH, Py_UNICODE_ISSPACE,
)

from threadmill.page.clean import CHARS_A_WORD, LEAST_FOR_LANGUAGE, SAME_LANGUAGE, WORDS_FOR_LANGUAGE
from threadmill.types import Link, Paragraph, ParagraphClass


cdef extern from *:
    """
    /* What tuple.__new__() makes of a tuple of the values, without that tuple. */
    static inline PyObject* threadmill_empty(PyObject* type, Py_ssize_t size) {
        return ((PyTypeObject*)type)->tp_alloc((PyTypeObject*)type, size);
    }
    static inline void threadmill_put(PyObject* made, Py_ssize_t at, PyObject* value) {
        Py_INCREF(value);
        PyTuple_SET_ITEM(made, at, value);
    }
    """
    object threadmill_empty(object kind, Py_ssize_t size)
    void threadmill_put(object made, Py_ssize_t at, object value)


cdef object _GOOD = ParagraphClass.GOOD

cdef Py_ssize_t _LEAST_FOR_LANGUAGE = LEAST_FOR_LANGUAGE, _WORDS_FOR_LANGUAGE = WORDS_FOR_LANGUAGE
cdef Py_ssize_t _CHARS_A_WORD = CHARS_A_WORD
cdef double _SAME_LANGUAGE = SAME_LANGUAGE


cdef bint _is_of(WordSet known, str text) except -1:
    """Whether so many of the first words of a text are known that it is in their language."""
    cdef Counts counts
    known.count(text, _CHARS_A_WORD * _WORDS_FOR_LANGUAGE, _WORDS_FOR_LANGUAGE, &counts)
    return counts.known >= _SAME_LANGUAGE * counts.words


def texts(blocks, judgements, verdict):
    """As its twin in threadmill.page.clean."""
    cdef Block block
    cdef list found = []
    for block, judgement in zip(blocks, judgements):
        if (<tuple?>judgement)[0] is verdict and PyUnicode_GET_LENGTH(block.text):
            found.append(block.text)
    return found


def paragraphs(blocks, judgements, wanted, resolver, str language, WordSet known, detect):
    """A paragraph for every block that was judged so, or for all; detect is None where no language is wanted."""
    cdef Block block
    cdef list found = []
    cdef object verdict, judgement, made, paragraph = Paragraph
    cdef str spoken
    cdef Places places = Places(resolver)
    for block, judgement in zip(blocks, judgements):
        verdict = (<tuple>judgement)[0]
        if wanted is not None and verdict is not wanted:
            continue
        spoken = "" if detect is None else language
        if (
            detect is not None
            and verdict is _GOOD
            and PyUnicode_GET_LENGTH(block.text) >= _LEAST_FOR_LANGUAGE
            and not _is_of(known, block.text)
        ):
            spoken = (<tuple>detect(block.text))[0]
        links = () if block._anchors is None else places.links(block)
        made = threadmill_empty(paragraph, 8)
        threadmill_put(made, 0, block.text)
        threadmill_put(made, 1, block.tag)
        threadmill_put(made, 2, block.path)
        threadmill_put(made, 3, links)
        threadmill_put(made, 4, verdict)
        threadmill_put(made, 5, (<tuple>judgement)[1])
        threadmill_put(made, 6, spoken)
        threadmill_put(made, 7, "")
        found.append(made)
    return tuple(found)


cdef class Places:
    """URLs of a page's links; those that need more than a few letters looked at are left to Python."""

    cdef object resolver, absolute
    cdef str base, origin, scheme

    def __init__(self, resolver):
        self.resolver = resolver
        self.absolute = resolver.absolute
        self.base = resolver.base
        self.origin = resolver.origin
        self.scheme = f"{resolver.scheme}:"

    cdef tuple links(self, Block block):
        cdef Anchor anchor
        cdef Py_ssize_t at = 0
        cdef object made, link = Link
        cdef tuple found = PyTuple_New(len(block._anchors))
        for anchor in block._anchors:
            label = anchor.label if anchor.kind == "image" else block.text[anchor.start : anchor.end]
            made = threadmill_empty(link, 5)
            threadmill_put(made, 0, self.address(anchor.target))
            threadmill_put(made, 1, label)
            threadmill_put(made, 2, anchor.start)
            threadmill_put(made, 3, anchor.end)
            threadmill_put(made, 4, anchor.kind)
            threadmill_put(found, at, made)
            at += 1
        return found

    cdef object address(self, str target):
        """As LinkResolver.absolute()."""
        cdef int kind = PyUnicode_KIND(target)
        cdef const void* raw = PyUnicode_DATA(target)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(target)
        cdef Py_UCS4 first
        if length < 2 or Py_UNICODE_ISSPACE(PyUnicode_READ(kind, raw, length - 1)):
            return self.absolute(target)
        first = PyUnicode_READ(kind, raw, 0)
        if Py_UNICODE_ISSPACE(first):
            return self.absolute(target)
        if not self.base:
            return target
        if first == c"h":
            if target.startswith("https://") or target.startswith("http://"):
                return target
        elif first == c"/":
            if PyUnicode_READ(kind, raw, 1) == c"/":
                return self.scheme + target
            if "/." not in target:
                return self.origin + target
        elif first == c"#":
            return self.resolver.document + target
        elif first == c"j" or first == c"m" or first == c"t":
            if target.startswith("javascript:") or target.startswith("mailto:") or target.startswith("tel:"):
                return target
        if _is_plain(kind, raw, length):
            return self.resolver.folder + target
        return self.absolute(target)


cdef bint _is_plain(int kind, const void* raw, Py_ssize_t length) noexcept:
    """Whether a target is but a name to be added to the folder's: the twin has a pattern for it."""
    cdef Py_ssize_t at
    cdef unsigned int character = 0, before = 0
    for at in range(length):
        before, character = character, <unsigned int>PyUnicode_READ(kind, raw, at)
        if character > 127 or character == c":" or character == c";" or Py_UNICODE_ISSPACE(character):
            return False
        if before == c"/" and character == c".":
            return False
        if at == 0 and not (
            c"0" <= character <= c"9" or c"a" <= character <= c"z" or c"A" <= character <= c"Z"
        ):
            return False
    return character != c"?" and character != c"#"
