# cython: language_level=3, wraparound=False
"""The searches over all blocks of threadmill.page.judge.story, .comments and .justext, compiled."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from threadmill.native.cutting cimport Block
from threadmill.native.nodes cimport Method, call_attr, method_of
from threadmill.native.word_sets cimport Counts, WordSet
from threadmill.native.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ, PyUnicode_GET_LENGTH,
)

from turbohtml import Element

from threadmill.page.judge import justext as twin


cdef Method _ATTR = method_of(Element, "attr")
cdef tuple _CLASS = ("class",), _ID = ("id",)
cdef str _TOLD_AS_IT_IS = "pre"
cdef tuple _NO_TEXT = twin.NO_TEXT, _LINKS = twin.LINKS, _COPYRIGHT = twin.COPYRIGHT, _MENU = twin.MENU
cdef tuple _SHORT = twin.SHORT, _SHORT_LINK = twin.SHORT_LINK, _LONG = twin.LONG, _MIDDLING = twin.MIDDLING
cdef tuple _FEW = twin.FEW_STOP_WORDS, _TOO_FEW = twin.TOO_FEW_STOP_WORDS
cdef tuple _COPYRIGHT_SIGNS = twin.COPYRIGHT_SIGNS
cdef str _MENU_TAG = twin.MENU_TAG


cdef Py_ssize_t _blanks(str text) noexcept:
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* raw = PyUnicode_DATA(text)
    cdef const unsigned char* narrow = <const unsigned char*>raw
    cdef Py_ssize_t at, found = 0, length = PyUnicode_GET_LENGTH(text)
    if kind == PyUnicode_1BYTE_KIND:
        for at in range(length):
            found += narrow[at] == c" "
    else:
        for at in range(length):
            found += PyUnicode_READ(kind, raw, at) == c" "
    return found


def word_counts(list blocks, numbers):
    """As its twin in threadmill.page.judge.story."""
    cdef dict found = {}
    cdef Block block
    cdef Py_ssize_t i
    for i in numbers:
        block = blocks[i]
        found[i] = _blanks(block.text) + 1 if PyUnicode_GET_LENGTH(block.text) else 0
    return found


def sure_blocks(list blocks, const float[:] chances, double least, Py_ssize_t least_words):
    """As its twin in threadmill.page.judge.story."""
    cdef list found = []
    cdef Block block
    cdef Py_ssize_t i, words
    if chances.shape[0] != len(blocks):
        raise ValueError("expected a probability for every block")
    for i in range(chances.shape[0]):
        if chances[i] < least:
            continue
        block = blocks[i]
        words = _blanks(block.text) + 1
        if words >= least_words and not PyUnicode_GET_LENGTH(block.hidden) and block.tag != _TOLD_AS_IT_IS:
            found.append((block, words))
    return found


def frame_of_most(list parents, list sure, double share, Py_ssize_t least_words):
    """As its twin in threadmill.page.judge.story."""
    cdef Py_ssize_t count = len(parents), frame, outer, words, total = 0, story = -1
    cdef Py_ssize_t* held = <Py_ssize_t*>PyMem_Calloc(count + 1, sizeof(Py_ssize_t))
    cdef tuple pair
    if held == NULL:
        raise MemoryError
    try:
        for pair in sure:
            words, frame = pair[1], (<Block?>pair[0]).frame
            total += words
            if 0 <= frame < count:
                held[frame] += words
        if total < least_words:
            return -1
        for frame in range(count - 1, -1, -1):  # inner frames have greater numbers
            if held[frame]:
                if story < 0 and held[frame] >= share * total:
                    story = frame
                outer = parents[frame]
                if 0 <= outer < frame:
                    held[outer] += held[frame]
        return story
    finally:
        PyMem_Free(held)


def frame_of_core(list parents, list sure, int levels, Py_ssize_t least_words):
    """As its twin in threadmill.page.judge.story."""
    cdef Py_ssize_t count = len(parents), frame, words, total = 0, core = -1
    cdef double* near = <double*>PyMem_Calloc(count + 1, sizeof(double))
    cdef double share, most = 0
    cdef tuple pair
    cdef Block block
    if near == NULL:
        raise MemoryError
    try:
        for pair in sure:
            block, words = pair[0], pair[1]
            if 2 * block.link_chars > PyUnicode_GET_LENGTH(block.text):
                continue
            total += words
            frame, share = block.frame, words
            for _ in range(levels):
                if not 0 <= frame < count:
                    break
                near[frame] += share
                frame, share = parents[frame], share / 2
        if total < least_words:
            return -1
        for frame in range(count):
            if near[frame] > most:
                core, most = frame, near[frame]
        return core
    finally:
        PyMem_Free(near)


def short_lines(list blocks, Py_ssize_t most):
    """As its twin in threadmill.page.judge.comments."""
    cdef list lines = [], timed = []
    cdef Block block
    for block in blocks:
        if PyUnicode_GET_LENGTH(block.text) <= most:
            lines.append(block.text)
            if ":" in block.text:
                timed.append(block.text)
    return lines, timed


def names_around(list blocks, numbers, list parents, list elements):
    """As its twin in threadmill.page.judge.comments."""
    cdef Py_ssize_t count = len(parents), i, frame
    cdef char* seen = <char*>PyMem_Calloc(count + 1, 1)
    cdef list frames = [], names = []
    cdef object element
    if seen == NULL:
        raise MemoryError
    try:
        for i in numbers:
            frame = (<Block?>blocks[i]).frame
            while 0 <= frame < count and not seen[frame]:
                seen[frame] = 1
                element = elements[frame]
                frames.append(frame)
                names.append(
                    f"{call_attr(&_ATTR, element, _CLASS) or ''} {call_attr(&_ATTR, element, _ID) or ''}"
                )
                frame = parents[frame]
        return frames, names
    finally:
        PyMem_Free(seen)


def long_texts(list blocks, list found, verdict, Py_ssize_t least):
    """As its twin in threadmill.page.judge.judgement."""
    cdef list long = []
    cdef Block block
    cdef Py_ssize_t i
    for i in range(len(found)):
        if (<tuple?>found[i])[0] is verdict:
            block = blocks[i]
            if (
                PyUnicode_GET_LENGTH(block.text) > least and block.tag != _TOLD_AS_IT_IS
                and _blanks(block.text) >= least
            ):
                long.append(i)
    return long


# ---- the first pass of justext: what each block is by itself ----


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
