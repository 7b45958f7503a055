# cython: language_level=3, wraparound=False, cdivision=True
"""WordCutter of threadmill.corpus.text.unspaced_words, compiled: the same words, sooner and in less memory.

A word list and its table take 8 MB; as Python objects, with the beginnings of words, they take 30 MB.
"""

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memset
from threadmill.native.containers cimport (
    HASH_SEED, WordTable, add_word, find_word, free_words, hash_with, make_words, with_room,
)
from threadmill.native.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ

from threadmill.corpus.text.unspaced_words import LENGTHS, LONGEST_WORD, UNKNOWN, cost_of_rank, kind_of

cdef enum:
    _BUFFER = 64  # characters of a feature: two letters and a word of the list at most
    _KINDS = 65536

cdef double _UNKNOWN = UNKNOWN, _ENDLESS = float("inf")
cdef Py_ssize_t _LONGEST = LONGEST_WORD
cdef uint32_t[16] _lengths
cdef uint32_t[_KINDS] _kinds  # 0: not asked yet
memset(_kinds, 0, sizeof(_kinds))
for _at in range(16):
    _lengths[_at] = ord(LENGTHS[min(_at, len(LENGTHS) - 1)])


cdef struct Place:  # between two characters
    double best  # the smallest sum of costs up to here
    int32_t back  # where the last word before it begins
    int32_t ending, beginning, across  # the length of the longest word that ends or begins here, or goes across


cdef uint32_t _OTHERS_KIND = ord(kind_of(chr(_KINDS)))  # of all characters beyond the first plane


cdef int _ask_for_kinds(str text) except -1:
    """Ask Python for the kinds of characters that are new. Another thread may run meanwhile."""
    cdef Py_ssize_t at
    cdef uint32_t character
    for at in range(PyUnicode_GET_LENGTH(text)):
        character = PyUnicode_READ(PyUnicode_KIND(text), PyUnicode_DATA(text), at)
        if character < _KINDS and not _kinds[character]:
            _kinds[character] = ord(kind_of(chr(character)))
    return 0


_ask_for_kinds("^$")


cdef class WordCutter:
    """Cuts runs of one language without spaces."""

    cdef WordTable words, features
    cdef double* costs  # by the numbers of the words
    cdef int32_t* weights  # by the numbers of the features
    cdef dict variants
    cdef uint32_t* chars  # of the run, with two characters before it and three behind
    cdef uint32_t* kinds
    cdef Place* places
    cdef int32_t* bounds
    cdef Py_ssize_t chars_room, kinds_room, places_room, bounds_room
    cdef uint32_t[_BUFFER] feature

    def __cinit__(self):
        memset(&self.words, 0, sizeof(WordTable))
        memset(&self.features, 0, sizeof(WordTable))
        self.costs, self.weights, self.chars, self.kinds, self.places, self.bounds = NULL, NULL, NULL, NULL, NULL, NULL
        self.chars_room = self.kinds_room = self.places_room = self.bounds_room = 0

    def __dealloc__(self):
        free_words(&self.words)
        free_words(&self.features)
        PyMem_Free(self.costs)
        PyMem_Free(self.weights)
        PyMem_Free(self.chars)
        PyMem_Free(self.kinds)
        PyMem_Free(self.places)
        PyMem_Free(self.bounds)

    def __init__(self, words, weights, variants):
        cdef Py_ssize_t at
        cdef str word
        self.variants = str.maketrans(dict(variants)) if variants else None
        if max(map(len, words), default=0) > _LONGEST:
            raise ValueError(f"a word of a list is longer than {_LONGEST} characters")
        make_words(&self.words, len(words), sum(map(len, words)))
        self.costs = <double*>PyMem_Malloc((len(words) + 1) * sizeof(double))
        make_words(&self.features, len(weights), sum(map(len, weights)))
        self.weights = <int32_t*>PyMem_Malloc((len(weights) + 1) * sizeof(int32_t))
        if self.costs == NULL or self.weights == NULL:
            raise MemoryError
        for at, word in enumerate(words):
            self.costs[add_word(&self.words, word)] = cost_of_rank(at)
        for word, weight in weights.items():
            self.weights[add_word(&self.features, word)] = weight

    def cut(self, str run not None):
        """The words of a run."""
        if len(run) == 1:
            return [run]
        cdef str text = run if self.variants is None else run.translate(self.variants)
        _ask_for_kinds(text)
        return self.words_of(run, text, [])

    cdef list words_of(self, str run, str text, list found):
        """The same. It calls no Python code, so no other thread uses the arrays meanwhile."""
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(text), at, start = 0, bound = 0, previous
        self.read(text, size)
        self.find_listed_words(size)
        self.find_bounds(size)
        for at in range(1, size):
            if at >= self.bounds[bound + 1]:
                bound += 1
            previous = self.bounds[bound - 1] if at == self.bounds[bound] else self.bounds[bound]
            if self.weigh(at, at == self.bounds[bound], previous, self.bounds[bound + 1]) > 0:
                found.append(run[start:at])
                start = at
        found.append(run[start:])
        return found

    cdef int read(self, str text, Py_ssize_t size) except -1:
        """The characters of a text and their kinds, with what stands around it."""
        cdef int kind = PyUnicode_KIND(text)
        cdef const void* data = PyUnicode_DATA(text)
        cdef Py_ssize_t at
        self.chars = <uint32_t*>with_room(self.chars, &self.chars_room, size + 5, sizeof(uint32_t))
        self.kinds = <uint32_t*>with_room(self.kinds, &self.kinds_room, size + 5, sizeof(uint32_t))
        self.places = <Place*>with_room(self.places, &self.places_room, size + 1, sizeof(Place))
        self.bounds = <int32_t*>with_room(self.bounds, &self.bounds_room, size + 2, sizeof(int32_t))
        self.chars[0] = self.chars[1] = c"^"
        for at in range(size):
            self.chars[at + 2] = PyUnicode_READ(kind, data, at)
        for at in range(size + 2, size + 5):
            self.chars[at] = c"$"
        for at in range(size + 5):
            self.kinds[at] = _kinds[self.chars[at]] if self.chars[at] < _KINDS else _OTHERS_KIND
        return 0

    cdef void find_listed_words(self, Py_ssize_t size) noexcept:
        """The words of the list that stand in the text, and the cutting whose costs have the smallest sum."""
        cdef const uint32_t* text = self.chars + 2
        cdef Place* places = self.places
        cdef Py_ssize_t at, end, place, number, longest
        cdef uint64_t hashed
        cdef double so_far, cost
        memset(places, 0, (size + 1) * sizeof(Place))
        for at in range(1, size + 1):
            places[at].best = _ENDLESS
        for at in range(size):
            so_far, longest = places[at].best, 0
            if so_far + _UNKNOWN < places[at + 1].best:
                places[at + 1].best, places[at + 1].back = so_far + _UNKNOWN, <int32_t>at
            hashed = HASH_SEED
            for end in range(at + 1, min(size, at + self.words.longest) + 1):
                hashed = hash_with(hashed, text[end - 1])
                number = find_word(&self.words, text + at, end - at, hashed)
                if number < 0:
                    continue
                cost, longest = self.costs[number], end - at
                if not places[end].ending:  # what begins later is shorter
                    places[end].ending = <int32_t>longest
                if so_far + cost < places[end].best:
                    places[end].best, places[end].back = so_far + cost, <int32_t>at
            places[at].beginning = <int32_t>longest
            for place in range(at + 1, at + longest):
                places[place].across = max(places[place].across, <int32_t>longest)

    cdef void find_bounds(self, Py_ssize_t size) noexcept:
        """The bounds of the cheapest words, from 0 to the length of the text."""
        cdef Py_ssize_t at = size, count = 1, i
        while at:
            at = self.places[at].back
            count += 1
        at = size
        for i in range(count - 1, -1, -1):
            self.bounds[i] = <int32_t>at
            at = self.places[at].back

    cdef int64_t weigh(self, Py_ssize_t at, bint is_bound, Py_ssize_t previous, Py_ssize_t following) noexcept:
        """The sum of the weights of a place: above 0 a word ends there."""
        cdef const uint32_t* text = self.chars + 2
        cdef const uint32_t* around = self.chars
        cdef uint32_t* feature = self.feature
        cdef Py_ssize_t left = at - previous, right = following - at
        cdef uint32_t cut = c"1" if is_bound else c"0", last = text[at - 1], first = text[at]
        cdef uint32_t before = _length(self.places[at].ending), after = _length(self.places[at].beginning)
        cdef int64_t total
        feature[0], feature[1], feature[2], feature[3] = c"n", cut, _length(left), _length(right)
        total = self.weight(4)
        feature[0], feature[2] = c"a", last
        total += self.weight(3)
        feature[0], feature[2] = c"b", first
        total += self.weight(3)
        feature[0], feature[1], feature[2] = c"c", last, first
        total += self.weight(3)
        total += self.weight_of(c"f", around + at, 3) + self.weight_of(c"g", around + at + 1, 3)
        total += self.weight_of(c"k", self.kinds + at - 1, 6)
        total += self.weight_of_word(c"l", cut, text + previous, left)
        total += self.weight_of_word(c"r", cut, text + at, right)
        feature[0], feature[1], feature[2], feature[3] = c"u", before, after, _length(self.places[at].across)
        total += self.weight(4)
        feature[0], feature[2] = c"v", last
        total += self.weight(3)
        feature[0], feature[1], feature[2] = c"w", after, first
        return total + self.weight(3)

    cdef inline int64_t weight_of(self, uint32_t name, const uint32_t* chars, Py_ssize_t length) noexcept:
        cdef Py_ssize_t at
        self.feature[0] = name
        for at in range(length):
            self.feature[at + 1] = chars[at]
        return self.weight(length + 1)

    cdef inline int64_t weight_of_word(
        self, uint32_t name, uint32_t cut, const uint32_t* chars, Py_ssize_t length
    ) noexcept:
        cdef Py_ssize_t at
        self.feature[0], self.feature[1] = name, cut
        for at in range(length):  # a word of the list or a single character
            self.feature[at + 2] = chars[at]
        return self.weight(length + 2)

    cdef inline int64_t weight(self, Py_ssize_t length) noexcept:
        """The weight of the feature in the buffer, which has so many characters."""
        cdef uint64_t hashed = HASH_SEED
        cdef Py_ssize_t at, number
        if length > self.features.longest:
            return 0
        for at in range(length):
            hashed = hash_with(hashed, self.feature[at])
        number = find_word(&self.features, self.feature, length, hashed)
        return self.weights[number] if number >= 0 else 0


cdef inline uint32_t _length(Py_ssize_t length) noexcept:
    return _lengths[length if length < 15 else 15]
