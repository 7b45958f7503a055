# cython: language_level=3, boundscheck=True, wraparound=False, initializedcheck=False
"""The work of threadmill.corpus.linking, compiled: one pass over a cut text tells where its tokens end."""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint32_t

from threadmill.corpus.documents import MOST_VALUE_BYTES, CutPassage, Span, clean_url

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)
    bint PyUnicode_IS_ASCII(object text)
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t at)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)

cdef enum:
    _GLUE = 0x1F
    _SENTENCE = 0x1E
    _GLUED_SENTENCE = 0x1D

cdef Py_ssize_t _most_value_bytes = MOST_VALUE_BYTES
cdef object _new_tuple = tuple.__new__
cdef object _no_spans = ()


cdef inline bint _is_joint(uint32_t sign) noexcept:
    return sign == c" " or sign == _GLUE or sign == _SENTENCE or sign == _GLUED_SENTENCE


def linked(str cut, links, Py_ssize_t length):
    """A passage of a cut text (of this length before) and its links; None where Python has to do it.

    That is where there is no text, or an image, which becomes a token of its own.
    """
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(cut), at
    cdef int kind = PyUnicode_KIND(cut)
    cdef const void* data = PyUnicode_DATA(cut)
    cdef Py_ssize_t start, end, before = -1, count = 0
    cdef bint is_sorted = True
    cdef uint32_t sign
    if not size or _is_joint(PyUnicode_READ(kind, data, 0)):
        return None
    for link in links:
        if not isinstance(link, tuple) or len(<tuple>link) != 5 or (<tuple>link)[4] == "image":
            return None
        start = (<tuple>link)[2]
        if start < before:
            is_sorted = False
        before = start
    if len(links) == 1:  # one link over all of it, as in most lists
        url, start, end = (<tuple>link)[0], (<tuple>link)[2], (<tuple>link)[3]
        if not start and end >= length and url:
            for at in range(size):
                count += _is_joint(PyUnicode_READ(kind, data, at))
            return _passage(cut, (_span(url, 0, count + 1),))
    if not is_sorted:
        links = sorted(links, key=_start)
    return _passage(cut, tuple(_spans(cut, links)))


def _start(link):
    return link[2]


cdef object _passage(str cut, tuple spans):
    return _new_tuple(CutPassage, (cut, spans))


cdef object _span(str url, Py_ssize_t start, Py_ssize_t end):
    return _new_tuple(Span, (url if _is_clean(url) else clean_url(url), start, end, "link"))


cdef list _spans(str cut, links):
    """The tokens of links, which are in the order of their beginnings."""
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(cut), at, place = 0, count = 0
    cdef int kind = PyUnicode_KIND(cut)
    cdef const void* data = PyUnicode_DATA(cut)
    cdef Py_ssize_t start, end, first, after, last = 0
    cdef uint32_t sign
    cdef list found = []
    # where each token ends in the text before it was cut, and whether a space that counts as its own is before it
    cdef Py_ssize_t* ends = <Py_ssize_t*>PyMem_Malloc((size + 1) * sizeof(Py_ssize_t))
    cdef char* spaced = <char*>PyMem_Malloc(size + 1)
    try:
        if ends == NULL or spaced == NULL:
            raise MemoryError
        spaced[0] = 0
        for at in range(size):
            sign = PyUnicode_READ(kind, data, at)
            if sign == c" " or sign == _SENTENCE:
                ends[count] = place
                count += 1
                spaced[count] = 1
                place += 1
            elif sign == _GLUE or sign == _GLUED_SENTENCE:
                ends[count] = place
                count += 1
                spaced[count] = 0
            else:
                place += 1
        ends[count] = place
        count += 1
        for link in links:
            url, start, end = (<tuple>link)[0], (<tuple>link)[2], (<tuple>link)[3]
            first = _after(ends, count, start)
            if end > start:
                after = _after(ends, count, end - 1)  # those that end before it
                if after < count:
                    after += (ends[after - 1] if after else 0) + spaced[after] < end
            else:
                after = _after(ends, count, end)
            if url and last <= first < after:
                found.append(_span(url, first, after))
                last = after
    finally:
        PyMem_Free(ends)
        PyMem_Free(spaced)
    return found


cdef Py_ssize_t _after(const Py_ssize_t* ends, Py_ssize_t count, Py_ssize_t at) noexcept:
    """How many tokens end here or before: as bisect_right()."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if at < ends[middle]:
            high = middle
        else:
            low = middle + 1
    return low


cdef bint _is_clean(str url):
    """Whether clean_url() leaves it as it is."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(url), at
    cdef const unsigned char* data
    cdef unsigned char sign
    if not PyUnicode_IS_ASCII(url) or length > _most_value_bytes:
        return False
    data = <const unsigned char*>PyUnicode_DATA(url)
    for at in range(length):
        sign = data[at]
        if (
            sign <= c" " or sign == 0x7F or sign == c"|" or sign == c'"' or sign == c"'" or sign == c"<"
            or sign == c">"
        ):
            return False
    return True
