# cython: language_level=3, wraparound=False
"""The search for hiding rules in a style sheet of threadmill.page.parse.hidden, compiled."""

from threadmill.native.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ, PyUnicode_GET_LENGTH,
    Py_UNICODE_ISSPACE,
)

from threadmill.page.parse.hidden import BEFORE_VALUE, HIDING


cdef Py_ssize_t _BEFORE_VALUE = BEFORE_VALUE

cdef struct Hiding:
    const char* value
    Py_ssize_t value_size
    const char* name  # of the property
    Py_ssize_t name_size

cdef list _words = [(value.encode(), name.encode()) for value, name in HIDING]  # keeps their bytes alive
cdef Hiding[8] _HIDING
cdef int[256] _BY_LETTER  # 1 + the number of the value that begins with this letter, in either case
for _code in range(256):
    _BY_LETTER[<Py_ssize_t>_code] = 0
if len(_words) > 8 or len({value[0] for value, _ in _words}) < len(_words):
    raise ImportError("expected at most eight values that begin with different letters")
for _code, (_value, _name) in enumerate(_words):
    _HIDING[<Py_ssize_t>_code] = Hiding(<bytes>_value, len(_value), <bytes>_name, len(_name))
    _BY_LETTER[<Py_ssize_t>_value[0]] = _BY_LETTER[<Py_ssize_t>_value[0] - 32] = _code + 1


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
    cdef unsigned int character
    cdef int number
    cdef Hiding* hiding
    cdef const unsigned char* narrow = <const unsigned char*>sheet.raw
    while at < sheet.size:
        if sheet.kind == PyUnicode_1BYTE_KIND:
            while at < sheet.size and not _BY_LETTER[narrow[at]]:
                at += 1
            if at == sheet.size:
                break
        character = sheet.at(at)
        number = _BY_LETTER[character] if character < 256 else 0
        if number:
            hiding = &_HIDING[number - 1]
            if sheet.stands(at, hiding.value, hiding.value_size):
                begin = sheet.property_before(at, hiding.name, hiding.name_size)
                if begin >= 0:
                    found.append(begin)
        at += 1
    return found
