# cython: language_level=3, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The scores of threadmill.corpus.text.tags, compiled: the best tag of each word, from left to right.

Also simplemma's dictionaries, which the tagger asks for every new form.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Realloc
from libc.stdint cimport int8_t, int16_t, int32_t, uint32_t
from libc.string cimport memcmp, memcpy


cdef enum:
    _MOST_TAGS = 64
    _OWN = 0
    _BEFORE = 1
    _AFTER = 2
    _FAR_BEFORE = 3
    _FAR_AFTER = 4
    _SUMS = 5
    _LONGEST_ENDING = 5
    _LONGEST_BEGINNING = 3
    _LONGEST_SHAPE = 12
    _LONGEST_RECORD = 1024  # bytes of a form or lemma in a dictionary; the longest of simplemma has 114
    _BLOCK = 16  # records of a dictionary between two that are unpacked
    _SAME_LEMMA = 254
    _WHOLE_LEMMA = 255
    _REVERSED = 1


cdef class WordScores:
    """What one form adds to the scores of its own tag and of its neighbours' tags."""

    cdef int16_t* sums  # for each place, a score for each tag
    cdef uint32_t word, ending, change, shape

    def __dealloc__(self):
        PyMem_Free(self.sums)


cdef class Scorer:
    """Weights of a language, and the tags of sentences by them."""

    cdef const int8_t[:, ::1] weights
    cdef uint32_t mask
    cdef int tags
    cdef WordScores nothing

    def __init__(self, const int8_t[:, ::1] weights, lemma_of):
        if not 0 < weights.shape[1] < _MOST_TAGS or weights.shape[0] & (weights.shape[0] - 1):
            raise ValueError(
                f"expected weights for at most {_MOST_TAGS - 1} tags and a power of two of rows, "
                f"got {weights.shape[1]} and {weights.shape[0]}"
            )
        self.weights = weights
        self.mask = <uint32_t>(weights.shape[0] - 1)
        self.tags = <int>weights.shape[1]
        self.nothing = self.word("", lemma_of)

    def word(self, str form, lemma_of):
        """The scores of a form. The features are those of tag_features.word_features."""
        cdef WordScores found = WordScores()
        cdef str low = form.lower(), shape = shape_of(form), lemma = lemma_of(form)
        cdef str change = change_of(low, lemma)
        cdef bytes small = octets(low), shaped = octets(shape), base = octets(lemma), changed = octets(change)
        cdef const unsigned char* text = small
        cdef Py_ssize_t size = len(small), base_size = len(base), count, at
        cdef Py_ssize_t last_two = tail(text, size, 2), last_three = tail(text, size, 3)
        cdef Py_ssize_t base_two = tail(base, base_size, 2)
        cdef uint32_t hashed
        cdef int16_t* sums
        found.sums = sums = <int16_t*>PyMem_Calloc(_SUMS * self.tags, sizeof(int16_t))
        if sums == NULL:
            raise MemoryError
        self.add(sums, whole(_start(b"0w"), octets(form)))
        self.add(sums, whole(_start(b"0l"), small))
        self.add(sums, whole(_start(b"0h"), shaped))
        self.add(sums, digit(whole(_start(b"0z"), shaped), min(len(form), 9)))
        self.add(sums, whole(_start(b"0d"), base))
        self.add(sums, whole(_start(b"0c"), changed))
        for count in range(1, min(_LONGEST_ENDING, len(low)) + 1):
            at = tail(text, size, count)
            self.add(sums, crc(digit(_start(b"0"), count), text + at, size - at))
        at = 0
        for count in range(min(_LONGEST_BEGINNING, len(low))):
            at = next_sign(text, at, size)
            self.add(sums, crc(_start(b"0b"), text, at))
        self.add(sums, part(_start(b"0e"), base, base_two))
        self.add(sums, part(_start(b"0E"), base, tail(base, base_size, 3)))
        self.add(sums, part(whole(part(_start(b"0F"), base, base_two), b"|"), small, last_two))
        self.add(sums, part(whole(_start(b"0s"), shaped), small, last_two))
        self.near(sums + _BEFORE * self.tags, b"<", small, shaped, base, changed)
        self.near(sums + _AFTER * self.tags, b">", small, shaped, base, changed)
        self.add(sums + _FAR_BEFORE * self.tags, whole(_start(b"("), small))
        self.add(sums + _FAR_BEFORE * self.tags, part(_start(b"["), small, last_three))
        self.add(sums + _FAR_AFTER * self.tags, whole(_start(b")"), small))
        self.add(sums + _FAR_AFTER * self.tags, part(_start(b"]"), small, last_three))
        found.word = ~whole(_start(b""), small)
        found.ending = ~part(_start(b""), small, last_three)
        found.change = ~part(whole(_start(b"c"), changed), base, tail(base, base_size, 1))
        found.shape = ~whole(_start(b""), shaped)
        return found

    cdef int near(
        self, int16_t* sums, bytes side, bytes small, bytes shaped, bytes base, bytes changed
    ) except -1:
        """Add the rows that a form has for the tag of a neighbour."""
        cdef uint32_t begin = whole(_start(b""), side)
        self.add(sums, whole(whole(begin, b"l"), small))
        self.add(sums, part(begin, small, tail(small, len(small), 3)))
        self.add(sums, part(whole(begin, b"2"), small, tail(small, len(small), 2)))
        self.add(sums, whole(whole(begin, b"c"), changed))
        self.add(sums, whole(whole(begin, b"h"), shaped))
        self.add(sums, part(whole(begin, b"e"), base, tail(base, len(base), 2)))
        return 0

    cdef inline void add(self, int16_t* sums, uint32_t state) noexcept:
        """Add the row of a hash, which is the inverse of the state of its checksum."""
        cdef const int8_t* weights = &self.weights[~state & self.mask, 0]
        cdef int tag
        for tag in range(self.tags):
            sums[tag] += weights[tag]

    def best_tags(self, list words):
        """The number of the best tag of each word of a sentence."""
        cdef Py_ssize_t at, count = len(words)
        cdef WordScores before = self.nothing, far_before = self.nothing, word, after, far_after
        cdef uint32_t previous = self.tags, earlier = self.tags
        cdef int32_t[_MOST_TAGS] scores
        cdef int tag, best
        cdef int tags = self.tags
        cdef list found = []
        if not count:
            return found
        word = <WordScores?>words[0]
        after = <WordScores?>words[1] if count > 1 else self.nothing
        for at in range(count):
            far_after = <WordScores?>words[at + 2] if at + 2 < count else self.nothing
            for tag in range(tags):
                scores[tag] = (
                    <int32_t>word.sums[tag]
                    + before.sums[_BEFORE * tags + tag]
                    + after.sums[_AFTER * tags + tag]
                    + far_before.sums[_FAR_BEFORE * tags + tag]
                    + far_after.sums[_FAR_AFTER * tags + tag]
                )
            self.row(scores, mixed(1, previous, 0))
            self.row(scores, mixed(2, previous, earlier))
            self.row(scores, mixed(3, previous, word.word))
            self.row(scores, mixed(4, previous, word.ending))
            self.row(scores, mixed(5, previous, word.change))
            self.row(scores, mixed(6, previous, word.shape))
            self.row(scores, mixed(7, before.word, word.word))
            self.row(scores, mixed(8, after.word, word.word))
            self.row(scores, mixed(9, previous, after.word))
            self.row(scores, mixed(10, previous, after.change))
            self.row(scores, mixed(11, earlier, word.ending))
            self.row(scores, mixed(12, previous * 64 + earlier, word.change))
            best = 0
            for tag in range(1, tags):
                if scores[tag] > scores[best]:
                    best = tag
            found.append(best)
            earlier = previous
            previous = best
            far_before = before
            before = word
            word = after
            after = far_after
        return found

    cdef inline void row(self, int32_t* scores, uint32_t hashed) noexcept:
        cdef const int8_t* weights = &self.weights[hashed & self.mask, 0]
        cdef int tag
        for tag in range(self.tags):
            scores[tag] += weights[tag]


cdef inline uint32_t mixed(uint32_t kind, uint32_t first, uint32_t second) noexcept nogil:
    """threadmill.corpus.text.tag_features.mix."""
    cdef uint32_t found = kind * <uint32_t>0xC2B2AE35 + (first + 1) * <uint32_t>0x9E3779B1
    found ^= found >> 15
    found = found * <uint32_t>0x85EBCA6B + second * <uint32_t>0x9E3779B1
    found ^= found >> 13
    found = found * <uint32_t>0xC2B2AE35
    return found ^ (found >> 16)


# Checksums (CRC-32, as zlib's) of texts that are put together from parts.

cdef uint32_t[256] _crc_table
cdef uint32_t _value
cdef int _at, _bit
for _at in range(256):
    _value = _at
    for _bit in range(8):
        _value = (_value >> 1) ^ (<uint32_t>0xEDB88320 if _value & 1 else 0)
    _crc_table[_at] = _value


cdef inline uint32_t crc(uint32_t state, const unsigned char* text, Py_ssize_t size) noexcept:
    cdef Py_ssize_t at
    for at in range(size):
        state = _crc_table[(state ^ text[at]) & 0xFF] ^ (state >> 8)
    return state


cdef inline uint32_t whole(uint32_t state, bytes text):
    return crc(state, text, len(text))


cdef inline uint32_t digit(uint32_t state, Py_ssize_t number) noexcept:
    cdef unsigned char sign = <unsigned char>(48 + number)
    return crc(state, &sign, 1)


cdef inline uint32_t part(uint32_t state, bytes text, Py_ssize_t begin):
    cdef const unsigned char* signs = text
    return crc(state, signs + begin, len(text) - begin)


cdef inline uint32_t _start(bytes prefix):
    return whole(<uint32_t>0xFFFFFFFF, prefix)


cdef inline bytes octets(str text):
    return text.encode("utf-8", "replace")


cdef inline Py_ssize_t tail(const unsigned char* text, Py_ssize_t size, Py_ssize_t signs) noexcept:
    """Where the last so many characters of a text in UTF-8 begin."""
    while size > 0 and signs > 0:
        size -= 1
        if text[size] & 0xC0 != 0x80:
            signs -= 1
    return size


cdef inline Py_ssize_t next_sign(const unsigned char* text, Py_ssize_t at, Py_ssize_t size) noexcept:
    at += 1
    while at < size and text[at] & 0xC0 == 0x80:
        at += 1
    return at


cdef str shape_of(str form):
    """tag_features.word_shape."""
    cdef Py_UCS4 sign, kind, last = 0
    cdef list found = []
    cdef Py_ssize_t at
    for at in range(min(_LONGEST_SHAPE, len(form))):
        sign = form[at]
        if sign.isupper():
            kind = u"X"
        elif sign.islower():
            kind = u"x"
        elif sign.isdigit():
            kind = u"9"
        else:
            kind = u"o" if sign.isalpha() else sign
        if kind != last or not found:
            found.append(kind)
            last = kind
    return "".join(found)


cdef str change_of(str low, str lemma):
    """tag_features.lemma_change."""
    cdef str small = lemma.lower()
    cdef Py_ssize_t same = 0, most = min(len(low), len(small))
    while same < most and low[same] == small[same]:
        same += 1
    return f"{low[same:]}>{small[same:]}"


cdef extern from "Python.h":
    const char* PyUnicode_AsUTF8AndSize(object text, Py_ssize_t* size) except NULL


cdef struct Record:
    unsigned char form[_LONGEST_RECORD]
    unsigned char lemma[_LONGEST_RECORD]
    Py_ssize_t form_size
    Py_ssize_t lemma_size


cdef struct Block:
    uint32_t unpacked  # where its first form and lemma begin, one behind the other
    uint32_t form_size
    uint32_t lemma_size
    uint32_t next  # where the second record begins in the stream


cdef class LemmaDictionary:
    """A dictionary of simplemma, searched in its front-coded form: unpacked it takes ten times the memory.

    Forms are sorted. A record has the number of bytes that its form shares with the form before, the others,
    and how the lemma differs from the form. One record of each block is unpacked, so that a search can begin
    there.
    """

    cdef bytes stream
    cdef const unsigned char* octets
    cdef Py_ssize_t size
    cdef Py_ssize_t count
    cdef bint is_reversed
    cdef Block* blocks
    cdef Py_ssize_t block_count
    cdef unsigned char* unpacked

    def __init__(self, bytes stream):
        cdef Py_ssize_t at = 6, number = 0, used = 0, room = 0, wanted
        cdef Record record
        cdef Block* block
        cdef unsigned char* grown
        if not stream.startswith(b"SMFC1") or len(stream) < 7 or len(stream) > 0x7FFFFFFF:
            raise ValueError("this is no dictionary of simplemma 2")
        self.stream = stream
        self.octets = stream
        self.size = len(stream)
        self.is_reversed = self.octets[5] & _REVERSED
        self.count = self.number(&at)
        if self.count > self.size:
            raise _damaged()
        PyMem_Free(self.blocks)
        self.blocks = <Block*>PyMem_Calloc(self.count // _BLOCK + 1, sizeof(Block))
        if self.blocks == NULL:
            raise MemoryError
        record.form_size = record.lemma_size = 0
        while at < self.size:
            at = self.read(at, &record)
            if number == self.count:
                raise _damaged()
            if number % _BLOCK == 0:
                wanted = used + record.form_size + record.lemma_size
                if wanted > room:
                    room = 2 * wanted
                    grown = <unsigned char*>PyMem_Realloc(self.unpacked, room)
                    if grown == NULL:
                        raise MemoryError
                    self.unpacked = grown
                block = &self.blocks[self.block_count]
                block.unpacked = <uint32_t>used
                block.form_size = <uint32_t>record.form_size
                block.lemma_size = <uint32_t>record.lemma_size
                block.next = <uint32_t>at
                memcpy(self.unpacked + used, record.form, record.form_size)
                memcpy(self.unpacked + used + record.form_size, record.lemma, record.lemma_size)
                used = wanted
                self.block_count += 1
            number += 1
        if number != self.count:
            raise _damaged()

    def __dealloc__(self):
        PyMem_Free(self.blocks)
        PyMem_Free(self.unpacked)

    def __len__(self):
        return self.count

    def get(self, str form, default=None):
        """The lemma of a form."""
        cdef Py_ssize_t size, low = 0, high = self.block_count, middle, at, left, order
        cdef const unsigned char* text = <const unsigned char*>PyUnicode_AsUTF8AndSize(form, &size)
        cdef unsigned char wanted[_LONGEST_RECORD]
        cdef Block* block
        cdef Record record
        if size > _LONGEST_RECORD:
            return default
        copy_octets(wanted, text, size, self.is_reversed)
        while low < high:  # the last block whose first form is not behind this one
            middle = (low + high) // 2
            block = &self.blocks[middle]
            if compare(self.unpacked + block.unpacked, block.form_size, wanted, size) <= 0:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return default
        block = &self.blocks[low - 1]
        record.form_size = block.form_size
        record.lemma_size = block.lemma_size
        memcpy(record.form, self.unpacked + block.unpacked, record.form_size)
        memcpy(record.lemma, self.unpacked + block.unpacked + record.form_size, record.lemma_size)
        at = block.next
        left = _BLOCK
        while True:
            order = compare(record.form, record.form_size, wanted, size)
            if order == 0:
                copy_octets(wanted, record.lemma, record.lemma_size, self.is_reversed)
                return wanted[:record.lemma_size].decode("utf-8")
            left -= 1
            if order > 0 or left == 0 or at >= self.size:
                return default
            at = self.read(at, &record)

    cdef Py_ssize_t read(self, Py_ssize_t at, Record* record) except -1:
        """Read the record behind this one in its place. Return where the next begins."""
        cdef Py_ssize_t shared = self.number(&at), own = self.number(&at), kept
        if shared > record.form_size or shared + own > _LONGEST_RECORD or at + own >= self.size:
            raise _damaged()
        memcpy(record.form + shared, self.octets + at, own)
        record.form_size = shared + own
        at += own
        cdef unsigned char trim = self.octets[at]
        at += 1
        if trim == _SAME_LEMMA:
            return at
        own = self.number(&at)
        kept = 0 if trim == _WHOLE_LEMMA else record.form_size - trim
        if kept < 0 or kept + own > _LONGEST_RECORD or at + own > self.size:
            raise _damaged()
        memcpy(record.lemma, record.form, kept)
        memcpy(record.lemma + kept, self.octets + at, own)
        record.lemma_size = kept + own
        return at + own

    cdef Py_ssize_t number(self, Py_ssize_t* at) except -1:
        """Read a number of seven bits a byte."""
        cdef Py_ssize_t found = 0
        cdef int shift = 0
        cdef unsigned char octet
        while at[0] < self.size and shift < 35:
            octet = self.octets[at[0]]
            at[0] += 1
            found |= <Py_ssize_t>(octet & 0x7F) << shift
            if octet < 0x80:
                return found
            shift += 7
        raise _damaged()


cdef object _damaged():
    return ValueError("a dictionary of simplemma is damaged; install simplemma again")


cdef inline Py_ssize_t compare(
    const unsigned char* one, Py_ssize_t one_size, const unsigned char* other, Py_ssize_t other_size
) noexcept:
    """Less than 0, 0 or more than 0, as bytes are sorted."""
    cdef int order = memcmp(one, other, min(one_size, other_size))
    return order if order else one_size - other_size


cdef inline void copy_octets(
    unsigned char* target, const unsigned char* source, Py_ssize_t size, bint is_reversed
) noexcept:
    cdef Py_ssize_t at
    if not is_reversed:
        memcpy(target, source, size)
        return
    for at in range(size):
        target[at] = source[size - 1 - at]
