# cython: language_level=3, boundscheck=False, wraparound=False
"""The search for hiding rules in a style sheet of threadmill.page.parse.hidden, compiled."""

cdef extern from "Python.h":
    const int PyUnicode_1BYTE_KIND
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, const void* data, Py_ssize_t at)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    int Py_UNICODE_ISSPACE(unsigned int character)

cdef enum:
    _BEFORE_VALUE = 64  # as threadmill.page.parse.hidden has it

cdef bint[256] _BEGINS  # letters that a value begins with by which elements are hidden
for _code in range(256):
    _BEGINS[<Py_ssize_t>_code] = chr(_code) in "nNhHcC"


cdef inline unsigned int _small(unsigned int letter) noexcept:
    return letter + 32 if c"A" <= letter <= c"Z" else letter


cdef class _Sheet:
    cdef str text
    cdef int kind
    cdef const void* raw
    cdef Py_ssize_t size

    def __init__(self, str text):
        self.text = text
        self.kind = PyUnicode_KIND(text)
        self.raw = PyUnicode_DATA(text)
        self.size = PyUnicode_GET_LENGTH(text)

    cdef inline unsigned int at(self, Py_ssize_t place) noexcept:
        return <unsigned int>PyUnicode_READ(self.kind, self.raw, place)

    cdef bint stands(self, Py_ssize_t place, const char* word, Py_ssize_t size) noexcept:
        """Whether this small word stands here, in whatever case."""
        cdef Py_ssize_t i
        if place < 0 or self.size - place < size:
            return False
        for i in range(size):
            if _small(self.at(place + i)) != <unsigned char>word[i]:
                return False
        return True

    cdef Py_ssize_t property_before(self, Py_ssize_t value, const char* name, Py_ssize_t size) noexcept:
        """Where the property of this name begins that has its value here, -1 where there is none."""
        cdef Py_ssize_t least = max(value - _BEFORE_VALUE, 0), end = value
        while end > least and Py_UNICODE_ISSPACE(self.at(end - 1)):
            end -= 1
        if end == least or self.at(end - 1) != c":":
            return -1
        end -= 1
        while end > least and Py_UNICODE_ISSPACE(self.at(end - 1)):
            end -= 1
        if end - size < least or not self.stands(end - size, name, size):
            return -1
        return end - size


def hiding_places(str text):
    """Where properties begin that have a value by which elements are hidden, in their order."""
    cdef _Sheet sheet = _Sheet(text)
    cdef list found = []
    cdef Py_ssize_t at = 0, begin
    cdef unsigned int first
    cdef const unsigned char* narrow = <const unsigned char*>sheet.raw
    while at < sheet.size:
        if sheet.kind == PyUnicode_1BYTE_KIND:
            while at < sheet.size and not _BEGINS[narrow[at]]:
                at += 1
            if at == sheet.size:
                break
        first = sheet.at(at) | 32
        begin = -1
        if first == c"n":
            if sheet.stands(at, b"none", 4):
                begin = sheet.property_before(at, b"display", 7)
        elif first == c"h":
            if sheet.stands(at, b"hidden", 6):
                begin = sheet.property_before(at, b"visibility", 10)
        elif first == c"c":
            if sheet.stands(at, b"collapse", 8):
                begin = sheet.property_before(at, b"visibility", 10)
        if begin >= 0:
            found.append(begin)
        at += 1
    return found
