# cython: language_level=3
"""What Python.h says about the characters of a str."""

from libc.stdint cimport uint32_t

cdef extern from "Python.h":
    const int PyUnicode_1BYTE_KIND
    const int PyUnicode_2BYTE_KIND
    const int PyUnicode_4BYTE_KIND
    int PyUnicode_KIND(object text)
    const void* PyUnicode_DATA(object text)
    bint PyUnicode_IS_ASCII(object text)
    uint32_t PyUnicode_READ(int kind, const void* data, Py_ssize_t at)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    object PyUnicode_FromKindAndData(int kind, const void* data, Py_ssize_t size)
    int Py_UNICODE_ISSPACE(uint32_t character)
    int Py_UNICODE_ISALPHA(uint32_t character)
    int Py_UNICODE_ISALNUM(uint32_t character)
    int Py_UNICODE_ISLOWER(uint32_t character)
    int Py_UNICODE_ISUPPER(uint32_t character)
    int Py_UNICODE_ISTITLE(uint32_t character)
    int Py_UNICODE_ISDIGIT(uint32_t character)
    int Py_UNICODE_ISPRINTABLE(uint32_t character)
    uint32_t Py_UNICODE_TOLOWER(uint32_t character)


cdef inline uint32_t small_letter(uint32_t character) noexcept:
    """The small letter of a character. Python's own function looks up even those of ASCII in two tables."""
    if character < 128:
        return character + 32 if c"A" <= character <= c"Z" else character
    return Py_UNICODE_TOLOWER(character)
