# cython: language_level=3, wraparound=False
"""A set of words that finds those of a text without making objects of them."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint32_t, uint64_t
from threadmill.native.containers cimport HASH_SEED, hash_with
from threadmill.native.unicode cimport (
    PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ, PyUnicode_GET_LENGTH, Py_UNICODE_ISSPACE,
    small_letter,
)


# The two letters whose small form depends on their place or is of two characters.
cdef enum:
    _DOTTED_I = 0x130
    _SIGMA = 0x3A3


cdef class WordSet:
    """Words as 64-bit hashes in a table."""

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
            found = HASH_SEED
            for at in range(len(word)):
                found = hash_with(found, <uint32_t>ord(word[at]))
            self.add(found)

    def __dealloc__(self):
        PyMem_Free(self.slots)

    cdef void add(self, uint64_t found) noexcept:
        cdef uint64_t at = (found ^ (found >> 32)) & self.mask
        while self.slots[at] != 0 and self.slots[at] != found:
            at = (at + 1) & self.mask
        self.slots[at] = found

    cdef bint holds(self, uint64_t found) noexcept:
        cdef uint64_t at = (found ^ (found >> 32)) & self.mask
        while self.slots[at] != 0:
            if self.slots[at] == found:
                return True
            at = (at + 1) & self.mask
        return False

    cdef int count(self, str text, Py_ssize_t most_chars, Py_ssize_t most_words, Counts* counts) except -1:
        """How many words the beginning of a text has, in small letters and parted by white space, and how many
        of them are among these."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* raw = PyUnicode_DATA(text)
        cdef Py_ssize_t length = min(PyUnicode_GET_LENGTH(text), most_chars), at
        cdef Py_ssize_t words = 0, known = 0
        cdef uint64_t found = HASH_SEED
        cdef bint inside = False
        cdef uint32_t character
        for at in range(length):
            character = PyUnicode_READ(kind, raw, at)
            if Py_UNICODE_ISSPACE(character):
                if inside:
                    known += self.holds(found)
                    inside, found = False, HASH_SEED
                    if words == most_words:
                        break
                continue
            if character == _DOTTED_I or character == _SIGMA:
                return self.count_slowly(text[:length], most_words, counts)
            if not inside:
                inside = True
                words += 1
            found = hash_with(found, small_letter(character))
        if inside:
            known += self.holds(found)
        counts.words, counts.known = words, known
        return 0

    cdef int count_slowly(self, str text, Py_ssize_t most_words, Counts* counts) except -1:
        cdef list words = text.lower().split()[:most_words]
        counts.words, counts.known = len(words), sum(map(self.words.__contains__, words))
        return 0
