# cython: language_level=3
"""What other compiled modules see of a set of words."""

from libc.stdint cimport uint64_t


cdef struct Counts:
    Py_ssize_t words
    Py_ssize_t known


cdef class WordSet:
    cdef uint64_t* slots
    cdef uint64_t mask
    cdef readonly object words
    cdef void add(self, uint64_t found) noexcept
    cdef bint holds(self, uint64_t found) noexcept
    cdef int count(self, str text, Py_ssize_t most_chars, Py_ssize_t most_words, Counts* counts) except -1
    cdef int count_slowly(self, str text, Py_ssize_t most_words, Counts* counts) except -1
