# cython: language_level=3, wraparound=False, initializedcheck=False, cdivision=True
"""What follows from the table of a batch, compiled: scores of the trees, the lines of pages, verdicts.

The twins are Forest.score() in threadmill.page.judge.tree_model, and draw_lines() with what is made of its lines in
threadmill.page.judge.judgement.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.math cimport rintf
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy

from threadmill.page.judge.page_batch import EXACT

cdef enum:
    _AT_ONCE = 256  # blocks that are scored together; what the questions say of them stays in the cache
cdef float _EXACT = EXACT


cdef class Trees:
    """The trees of a Forest, as many together as have eight questions: what they say is looked up in one table."""

    cdef Py_ssize_t questions, groups, rows
    cdef Py_ssize_t* columns
    cdef float* borders
    cdef int32_t* asked  # eight a group, from the last to the first; one question more is always denied
    cdef int32_t* answers  # 256 a group
    cdef double part, bias

    def __cinit__(self):
        self.columns = NULL
        self.borders = NULL
        self.asked = self.answers = NULL

    def __dealloc__(self):
        PyMem_Free(self.columns)
        PyMem_Free(self.borders)
        PyMem_Free(self.asked)
        PyMem_Free(self.answers)

    def __init__(
        self, const Py_ssize_t[::1] columns, const float[:, ::1] borders, const Py_ssize_t[:, ::1] asked,
        const int32_t[:, ::1] answers, double part, float bias,
    ):
        cdef Py_ssize_t depth = asked.shape[0], trees = asked.shape[1], together, group, tree, level, i
        self.questions, self.part, self.bias = columns.shape[0], part, bias
        if (
            not 1 <= depth <= 8 or borders.shape[0] != self.questions or borders.shape[1] != 1
            or answers.shape[0] != trees or answers.shape[1] != 1 << depth
        ):
            raise ValueError("arrays that do not make a forest")
        together = 8 // depth
        self.groups = (trees + together - 1) // together
        self.columns = <Py_ssize_t*>PyMem_Calloc(self.questions + 1, sizeof(Py_ssize_t))
        self.borders = <float*>PyMem_Calloc(self.questions + 1, sizeof(float))
        self.asked = <int32_t*>PyMem_Calloc(self.groups * 8 + 1, sizeof(int32_t))
        self.answers = <int32_t*>PyMem_Calloc(self.groups * 256 + 1, sizeof(int32_t))
        if self.columns == NULL or self.borders == NULL or self.asked == NULL or self.answers == NULL:
            raise MemoryError
        self.rows = 0
        for i in range(self.questions):
            if columns[i] < 0:
                raise ValueError("a question about a column that is not there")
            self.rows = max(self.rows, columns[i] + 1)
            self.columns[i] = columns[i]
            self.borders[i] = borders[i, 0]
        for i in range(self.groups * 8):
            self.asked[i] = self.questions
        for tree in range(trees):
            group = tree // together
            for level in range(depth):
                if not 0 <= asked[level, tree] < self.questions:
                    raise ValueError("a question that is not there")
                self.asked[group * 8 + 7 - tree % together * depth - level] = asked[level, tree]
            for i in range(256):
                level = i >> tree % together * depth & (1 << depth) - 1
                self.answers[group * 256 + i] += answers[tree, level]

    def score(self, const float[:, ::1] table, float[::1] scores):
        """Fill the log odds of every block."""
        cdef Py_ssize_t count = table.shape[1], start, size, i, group
        cdef uint8_t* said
        cdef int32_t[_AT_ONCE] sums
        if scores.shape[0] != count or self.rows > table.shape[0]:
            raise ValueError("a table that does not fit the forest")
        if not count:
            return
        said = <uint8_t*>PyMem_Calloc(self.questions + 1, _AT_ONCE)
        if said == NULL:
            raise MemoryError
        for start in range(0, count, _AT_ONCE):
            size = min(count - start, <Py_ssize_t>_AT_ONCE)
            for i in range(self.questions):
                _ask(&table[self.columns[i], start], self.borders[i], said + i * _AT_ONCE, size)
            for i in range(size):
                sums[i] = 0
            for group in range(self.groups):
                _answer(said, self.asked + group * 8, self.answers + group * 256, sums, size)
            for i in range(size):
                scores[start + i] = <float>(<double>sums[i] * self.part + self.bias)
        PyMem_Free(said)


cdef void _ask(const float* values, float border, uint8_t* said, Py_ssize_t size) noexcept:
    cdef Py_ssize_t i
    for i in range(size):
        said[i] = values[i] > border


cdef void _answer(
    const uint8_t* said, const int32_t* asked, const int32_t* answers, int32_t* sums, Py_ssize_t size
) noexcept:
    """Add what the trees of a group say of each block."""
    cdef uint8_t[_AT_ONCE] leaf
    cdef const uint8_t* a = said + asked[0] * <Py_ssize_t>_AT_ONCE
    cdef const uint8_t* b = said + asked[1] * <Py_ssize_t>_AT_ONCE
    cdef const uint8_t* c = said + asked[2] * <Py_ssize_t>_AT_ONCE
    cdef const uint8_t* d = said + asked[3] * <Py_ssize_t>_AT_ONCE
    cdef const uint8_t* e = said + asked[4] * <Py_ssize_t>_AT_ONCE
    cdef const uint8_t* f = said + asked[5] * <Py_ssize_t>_AT_ONCE
    cdef const uint8_t* g = said + asked[6] * <Py_ssize_t>_AT_ONCE
    cdef const uint8_t* h = said + asked[7] * <Py_ssize_t>_AT_ONCE
    cdef Py_ssize_t i
    for i in range(size):
        leaf[i] = <uint8_t>(a[i] << 7 | b[i] << 6 | c[i] << 5 | d[i] << 4 | e[i] << 3 | f[i] << 2 | g[i] << 1 | h[i])
    for i in range(size):
        sums[i] += answers[leaf[i]]


cdef class Room:
    """Two arrays for the sorting of a page's blocks, given back whatever happens."""

    cdef uint64_t* keys
    cdef uint64_t* spare

    def __cinit__(self, Py_ssize_t size):
        self.keys = <uint64_t*>PyMem_Malloc((size + 1) * sizeof(uint64_t))
        self.spare = <uint64_t*>PyMem_Malloc((size + 1) * sizeof(uint64_t))
        if self.keys == NULL or self.spare == NULL:
            raise MemoryError

    def __dealloc__(self):
        PyMem_Free(self.keys)
        PyMem_Free(self.spare)


cdef void _sort(uint64_t* keys, uint64_t* spare, Py_ssize_t count) noexcept:
    """In place, from least to greatest: runs of eight by insertion, then merged."""
    cdef Py_ssize_t width = 8, start, middle, end, i, j, k
    cdef uint64_t key
    cdef uint64_t* source = keys
    cdef uint64_t* target = spare
    for start in range(0, count, 8):
        end = min(start + 8, count)
        for i in range(start + 1, end):
            key, j = keys[i], i
            while j > start and keys[j - 1] > key:
                keys[j] = keys[j - 1]
                j -= 1
            keys[j] = key
    while width < count:
        start = 0
        while start < count:
            middle, end = min(start + width, count), min(start + 2 * width, count)
            i, j = start, middle
            for k in range(start, end):
                if j >= end or (i < middle and source[i] <= source[j]):
                    target[k] = source[i]
                    i += 1
                else:
                    target[k] = source[j]
                    j += 1
            start = end
        source, target = target, source
        width *= 2
    if source != keys:
        memcpy(keys, source, count * sizeof(uint64_t))


cdef float _line(
    const float* chances, const float* words, const uint8_t* hidden, Py_ssize_t count, Room room,
    double square, float least, float most,
) noexcept:
    """As draw_lines() for one page: the line from which on its visible blocks are kept."""
    cdef Py_ssize_t i, seen = 0
    cdef uint32_t bits
    cdef float chance, line = most
    cdef double kept = 0, gained = 0, whole = 0, below, expected, best = 0
    for i in range(count):
        if hidden[i]:
            continue
        # chances are not negative: their bits are in their order; those that come first have the smallest key
        memcpy(&bits, &chances[i], sizeof(uint32_t))
        room.keys[seen] = <uint64_t><uint32_t>~bits << 32 | <uint64_t>i
        whole += <float>(rintf(chances[i] * _EXACT) / _EXACT * words[i])
        seen += 1
    _sort(room.keys, room.spare, seen)
    for i in range(seen):
        bits = <uint32_t>room.keys[i]
        chance = chances[bits]
        kept += words[bits]
        gained += <float>(rintf(chance * _EXACT) / _EXACT * words[bits])
        below = kept + square * whole
        expected = (1 + square) * gained / (below if below > 1e-9 else 1e-9)
        if expected > best:
            best = expected
            line = least if chance < least else most if chance > most else chance
    return line


def verdicts(
    list pages, const float[:, ::1] table, Py_ssize_t[::1] places, Py_ssize_t density, Py_ssize_t chars,
    const float[::1] chances, const float[::1] words, const uint8_t[::1] framing,
    double square, float least, float most, list judgements, Py_ssize_t steps, float mostly_links,
    tuple no_text, tuple picture,
):
    """The judgements of each page's blocks, from the list of all there are: so many steps a reason.

    The reasons are the places, whose rows of the table are given, then: unlike content, links, framing,
    content. The square is that of the beta of draw_lines(). A picture alone has no text; it is content between content.
    """
    cdef Py_ssize_t count = chances.shape[0], first = 0, size, i, at, why, longest = 0, unlike = places.shape[0]
    cdef list blocks, found, all_found = []
    cdef object bad = judgements[0][0], kept = judgements[len(judgements) - 1][0]
    cdef str hidden
    cdef Room room
    cdef float line
    cdef bint any_alone
    cdef uint8_t[::1] unseen
    if (
        table.shape[1] != count or words.shape[0] != count or framing.shape[0] != count
        or sum([len(blocks) for blocks in pages]) != count or len(judgements) != steps * (unlike + 4)
        or not 0 <= density < table.shape[0] or not 0 <= chars < table.shape[0]
        or any([not 0 <= row < table.shape[0] for row in places])
    ):
        raise ValueError("arrays that do not fit the pages")
    longest = max([len(blocks) for blocks in pages], default=0)
    room = Room(longest)
    unseen = bytearray(longest + 1)
    for blocks in pages:
        size = len(blocks)
        for i in range(size):
            hidden = blocks[i].hidden
            unseen[i] = len(hidden) > 0
        line = most
        if size:
            line = _line(&chances[first], &words[first], &unseen[0], size, room, square, least, most)
        found = []
        any_alone = False
        for i in range(size):
            at = first + i
            if unseen[i]:
                found.append((bad, blocks[i].hidden))
                continue
            if table[chars, at] == 0:
                any_alone = True
                found.append(no_text)
                continue
            if chances[at] >= line:
                why = unlike + 3
            elif framing[at]:
                why = unlike + 2
            elif table[density, at] > mostly_links:
                why = unlike + 1
            else:
                why = 0
                while why < unlike and table[places[why], at] == 0:
                    why += 1
            why = why * steps + <Py_ssize_t>rintf(chances[at] * (steps - 1))
            if not 0 <= why < steps * (unlike + 4):
                raise ValueError("a chance that is none")
            found.append(judgements[why])
        if any_alone:
            _settle_pictures(blocks, found, no_text, picture, kept)
        all_found.append(found)
        first += size
    return all_found


cdef int _settle_pictures(list blocks, list found, tuple no_text, tuple picture, object kept) except -1:
    """As _settle_images() in threadmill.page.judge.judgement."""
    cdef Py_ssize_t count = len(found), at = -1, i, j
    cdef bint is_among
    for i in range(count):
        if found[i] is not no_text or i < at:
            continue
        at = i
        while at < count and not blocks[at].text:
            at += 1
        if (i > 0 or at < count) and (i == 0 or found[i - 1][0] is kept) and (at == count or found[at][0] is kept):
            for j in range(i, at):
                found[j] = picture
    return 0
