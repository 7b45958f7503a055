# cython: language_level=3, wraparound=False
"""The first pass of threadmill.page.judge.justext, compiled: what each block is by itself."""

from threadmill.native.cutting cimport Block
from threadmill.native.word_sets cimport Counts, WordSet

from threadmill.page.judge import justext as twin

cdef tuple _NO_TEXT = twin.NO_TEXT, _LINKS = twin.LINKS, _COPYRIGHT = twin.COPYRIGHT, _MENU = twin.MENU
cdef tuple _SHORT = twin.SHORT, _SHORT_LINK = twin.SHORT_LINK, _LONG = twin.LONG, _MIDDLING = twin.MIDDLING
cdef tuple _FEW = twin.FEW_STOP_WORDS, _TOO_FEW = twin.TOO_FEW_STOP_WORDS
cdef tuple _COPYRIGHT_SIGNS = twin.COPYRIGHT_SIGNS
cdef str _MENU_TAG = twin.MENU_TAG


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
        elif (<str>_COPYRIGHT_SIGNS[0]) in block.text or (<str>_COPYRIGHT_SIGNS[1]) in block.text:
            told = _COPYRIGHT
        elif _MENU_TAG in block.path:
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
