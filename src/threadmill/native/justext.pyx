# cython: language_level=3, boundscheck=False, wraparound=False
"""The first pass of threadmill.page.judge.justext, compiled: what each block is by itself."""

from threadmill.native.cutting cimport Block
from threadmill.native.word_sets cimport Counts, WordSet

cdef tuple _NO_TEXT = ("s", "no text"), _LINKS = ("b", "links"), _COPYRIGHT = ("b", "copyright sign")
cdef tuple _MENU = ("b", "menu"), _SHORT = ("s", "short"), _SHORT_LINK = ("b", "short, with a link")
cdef tuple _LONG = ("g", "long text"), _MIDDLING = ("n", "middling length")
cdef tuple _FEW = ("n", "few stop words"), _TOO_FEW = ("b", "too few stop words")


def context_free(blocks, WordSet words, settings):
    """The letter and the reason of every block; words is None where length and links alone decide."""
    cdef Py_ssize_t length_low = settings.length_low, length_high = settings.length_high
    cdef double links = settings.max_link_density
    cdef double low = settings.stop_words_low, high = settings.stop_words_high, density
    cdef Counts counts
    cdef Py_ssize_t length
    cdef Block block
    cdef list found = []
    for block in blocks:
        length = len(block.text)
        if length == 0:
            told = _NO_TEXT
        elif block.link_chars > links * length:
            told = _LINKS
        elif "©" in block.text or "&copy" in block.text:
            told = _COPYRIGHT
        elif "select" in block.path:
            told = _MENU
        elif length < length_low:
            told = _SHORT_LINK if block.link_chars else _SHORT
        else:
            density = 1.0
            if words is not None:
                words.count(block.text, length, length, &counts)
                if counts.words == 0:
                    raise ZeroDivisionError
                density = <double>counts.known / <double>counts.words
            if density >= high:
                told = _LONG if length > length_high else _MIDDLING
            else:
                told = _FEW if density >= low else _TOO_FEW
        found.append(told)
    return found
