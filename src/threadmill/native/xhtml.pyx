# cython: language_level=3, wraparound=False
"""The search for self-closed elements of threadmill.page.parse.tree, compiled: it goes from "<" to "<"."""

from libc.string cimport memchr, memset

from threadmill.page.parse.tree import NEVER_SELF_CLOSED

cdef tuple _NAMES = tuple([name.encode() for name in NEVER_SELF_CLOSED])
cdef bint[128][128] _BEGINS  # whether a name begins with these two small letters
memset(_BEGINS, 0, sizeof(_BEGINS))
for _name in _NAMES:
    _BEGINS[<Py_ssize_t>_name[0]][<Py_ssize_t>_name[1]] = True


cdef inline unsigned char _small(unsigned char letter) noexcept nogil:
    return letter + 32 if c"A" <= letter <= c"Z" else letter


cdef inline bint _is_blank(unsigned char letter) noexcept nogil:
    return letter == 32 or 9 <= letter <= 13


cdef inline bint _in_word(unsigned char letter) noexcept nogil:
    return c"a" <= _small(letter) <= c"z" or c"0" <= letter <= c"9" or letter == c"_"


cdef inline bint _may_begin(unsigned char first, unsigned char second) noexcept nogil:
    """Whether one of the names may begin so."""
    return first < 128 and second < 128 and _BEGINS[first][second]


cdef inline bint _starts(const unsigned char* at, const unsigned char* end, const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """Whether this small name stands here, in whatever case."""
    cdef Py_ssize_t i
    if end - at < size:
        return False
    for i in range(size):
        if _small(at[i]) != name[i]:
            return False
    return True


cdef const unsigned char* _past_attributes(const unsigned char* at, const unsigned char* end) noexcept nogil:
    """Where the attributes of a tag end: at its ">" or "/>", at the next "<", or with the page."""
    cdef const unsigned char* closing
    cdef unsigned char letter
    while at < end:
        letter = at[0]
        if letter == c"<" or letter == c">":
            break
        if letter == c"/" and at + 1 < end and at[1] == c">":
            break
        if letter == c'"' or letter == c"'":
            closing = at + 1
            while closing < end and closing[0] != letter and closing[0] != c"<":
                closing += 1
            at = closing + 1 if closing < end and closing[0] == letter else at + 1
        else:
            at += 1
    return at


cdef bint _is_self_closed(const unsigned char* at, const unsigned char* end, const unsigned char* name, Py_ssize_t size) noexcept nogil:
    """Whether the tag of this name, which begins behind its name here, is closed by itself and not again."""
    at = _past_attributes(at, end)
    if end - at < 2 or at[0] != c"/" or at[1] != c">":
        return False
    at += 2
    while at < end and _is_blank(at[0]):
        at += 1
    return not (end - at > 2 and at[0] == c"<" and at[1] == c"/" and _starts(at + 2, end, name, size))


def has_self_closed(bytes page):
    """Whether an element that HTML never closes by itself is written so."""
    cdef const unsigned char* at = page
    cdef const unsigned char* end = at + len(page)
    cdef const unsigned char* name
    cdef Py_ssize_t size
    cdef unsigned char first
    while True:
        at = <const unsigned char*>memchr(at, c"<", end - at)
        if at == NULL:
            return False
        at += 1
        if at == end:
            return False
        first = _small(at[0])
        if not _may_begin(first, _small(at[1]) if at + 1 < end else 0):
            continue
        for known in _NAMES:
            name, size = <bytes>known, len(<bytes>known)
            if name[0] == first and _starts(at, end, name, size):
                if end - at > size and _in_word(at[size]):
                    continue
                if _is_self_closed(at + size, end, name, size):
                    return True
