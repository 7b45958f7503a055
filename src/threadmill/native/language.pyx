# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False, cdivision=True
"""fastText's answer to one line of text, compiled: the same label and the same confidence, in less time.

Reads compressed models of the kind that lid.176.ftz is: trained with labels, hierarchical softmax, pruned
n-grams, rows of product codes with their norms apart, a plain output matrix. Others are refused.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport expf, log
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcmp, memcpy

cdef enum:
    _MAGIC = 793712314
    _VERSION = 12
    _HIERARCHICAL = 1
    _SUPERVISED = 3
    _DIM = 16  # numbers a row, coded two by two
    _CODES = 8
    _CENTROIDS = 256
    _MOST_LABELS = 1000
    _MOST_WORD = 1 << 16  # bytes of text at once
cdef const char* _END = "</s>"
cdef const char* _LABEL = "__label__"


cdef struct Row:
    uint8_t[_CODES] codes
    float norm


cdef struct Word:
    Py_ssize_t start, length  # among the bytes of the model; a length of 0 is an empty place
    int32_t number


cdef struct Node:
    int32_t left, right
    int64_t count


cdef class Source:
    """The bytes of a model, read from one end to the other."""

    cdef bytes data
    cdef const char* start
    cdef Py_ssize_t at, size

    def __init__(self, bytes data):
        self.data = data
        self.start = PyBytes_AS_STRING(data)
        self.size = PyBytes_GET_SIZE(data)
        self.at = 0

    cdef const char* take(self, Py_ssize_t count) except NULL:
        if count < 0 or count > self.size - self.at:
            raise ValueError("a model that breaks off")
        self.at += count
        return self.start + self.at - count

    cdef int copy(self, void* target, Py_ssize_t count) except -1:
        memcpy(target, self.take(count), count)
        return 0

    cdef int32_t int32(self) except? -1:
        cdef int32_t value
        self.copy(&value, sizeof(value))
        return value

    cdef int64_t int64(self) except? -1:
        cdef int64_t value
        self.copy(&value, sizeof(value))
        return value

    cdef uint8_t byte(self) except? 255:
        return <uint8_t>self.take(1)[0]


cdef class LanguageModel:
    """A model in memory."""

    cdef Source source
    cdef int32_t words, labels, bucket, least, most
    cdef Word* vocabulary
    cdef uint32_t vocabulary_size
    cdef uint64_t* grams  # number of the n-gram + 1, far above it its row
    cdef uint32_t grams_size
    cdef Row* rows
    cdef float[_CODES * _CENTROIDS * 2] centroids
    cdef float* output
    cdef Node* tree
    cdef list names

    def __cinit__(self):
        self.vocabulary = NULL
        self.grams = NULL
        self.rows = NULL
        self.output = NULL
        self.tree = NULL

    def __dealloc__(self):
        PyMem_Free(self.vocabulary)
        PyMem_Free(self.grams)
        PyMem_Free(self.rows)
        PyMem_Free(self.output)
        PyMem_Free(self.tree)

    def __init__(self, bytes data):
        cdef Source source = Source(data)
        self.source = source
        self.read_arguments(source)
        self.read_vocabulary(source)
        self.read_rows(source)
        self.read_output(source)

    cdef int read_arguments(self, Source source) except -1:
        cdef int32_t[12] arguments  # dim ws epoch minCount neg wordNgrams loss model bucket minn maxn lrUpdateRate
        if source.int32() != _MAGIC or source.int32() != _VERSION:
            raise ValueError("not a model of fastText")
        source.copy(arguments, sizeof(arguments))
        source.take(8)
        self.bucket, self.least, self.most = arguments[8], arguments[9], arguments[10]
        if (
            arguments[0] != _DIM or arguments[5] != 1 or arguments[6] != _HIERARCHICAL
            or arguments[7] != _SUPERVISED or self.bucket < 1 or self.least < 1 or self.most < self.least
        ):
            raise ValueError("a model of another kind")
        return 0

    cdef int read_vocabulary(self, Source source) except -1:
        cdef int32_t size = source.int32(), number, key, row
        cdef int64_t pruned, i, count
        cdef Py_ssize_t start
        cdef uint32_t place
        cdef list counts = []
        self.words, self.labels = source.int32(), source.int32()
        source.take(8)
        pruned = source.int64()
        if (
            not 1 <= self.words <= 1 << 24 or not 1 <= self.labels <= _MOST_LABELS or size != self.words + self.labels
            or not 1 <= pruned <= 1 << 24
        ):
            raise ValueError("a model of another kind")
        self.vocabulary_size = 16
        while self.vocabulary_size < 2 * <uint32_t>size:
            self.vocabulary_size *= 2
        self.vocabulary = <Word*>PyMem_Calloc(self.vocabulary_size, sizeof(Word))
        if self.vocabulary == NULL:
            raise MemoryError
        self.names = []
        for number in range(size):
            start = source.at
            while source.byte():
                pass
            count = source.int64()
            if source.byte() != (number >= self.words):
                raise ValueError("a model whose labels do not come last")
            i = source.at - 9 - 1 - start  # the length of the word
            if i < 1:
                raise ValueError("an empty word")
            if number >= self.words:
                self.names.append(source.data[start:start + i].decode())
                counts.append(count)
            place = _sum_of(source.start + start, i) & (self.vocabulary_size - 1)
            while self.vocabulary[place].length:
                place = (place + 1) & (self.vocabulary_size - 1)
            self.vocabulary[place].start = start
            self.vocabulary[place].length = i
            self.vocabulary[place].number = number
        self.grow_tree(counts)
        self.grams_size = 16
        while self.grams_size < 3 * pruned:
            self.grams_size *= 2
        self.grams = <uint64_t*>PyMem_Calloc(self.grams_size, sizeof(uint64_t))
        if self.grams == NULL:
            raise MemoryError
        for i in range(pruned):
            key, row = source.int32(), source.int32()
            if not 0 <= key < self.bucket or not 0 <= row < pruned:
                raise ValueError("an n-gram beyond the model")
            place = <uint32_t>key * <uint32_t>2654435769 & (self.grams_size - 1)
            while self.grams[place]:
                place = (place + 1) & (self.grams_size - 1)
            self.grams[place] = <uint64_t>(self.words + row) << 32 | <uint64_t>(key + 1)
        return 0

    cdef int grow_tree(self, list counts) except -1:
        """As fastText builds it: labels come from the most to the least frequent."""
        cdef int32_t labels = self.labels, leaf = labels - 1, node = labels, i, j
        cdef int32_t[2] least
        self.tree = <Node*>PyMem_Calloc(2 * labels, sizeof(Node))
        if self.tree == NULL:
            raise MemoryError
        for i in range(2 * labels):
            self.tree[i].left = self.tree[i].right = -1
            self.tree[i].count = counts[i] if i < labels else 1000000000000000
        for i in range(labels, 2 * labels - 1):
            for j in range(2):
                if leaf >= 0 and self.tree[leaf].count < self.tree[node].count:
                    least[j] = leaf
                    leaf -= 1
                else:
                    least[j] = node
                    node += 1
            if least[0] >= i or least[1] >= i:
                raise ValueError("labels that make no tree")
            self.tree[i].left, self.tree[i].right = least[0], least[1]
            self.tree[i].count = self.tree[least[0]].count + self.tree[least[1]].count
        return 0

    cdef int read_rows(self, Source source) except -1:
        cdef int64_t count, width, i
        cdef const uint8_t* codes
        cdef const uint8_t* norms
        cdef float[_CENTROIDS] lengths
        if not source.byte() or not source.byte():
            raise ValueError("a model whose rows are not coded with their norms apart")
        count, width = source.int64(), source.int64()
        if width != _DIM or not self.words <= count <= 1 << 26 or source.int32() != count * _CODES:
            raise ValueError("a model of another kind")
        codes = <const uint8_t*>source.take(count * _CODES)
        if source.int32() != _DIM or source.int32() != _CODES or source.int32() != 2 or source.int32() != 2:
            raise ValueError("a model of another kind")
        source.copy(self.centroids, sizeof(self.centroids))
        norms = <const uint8_t*>source.take(count)
        if source.int32() != 1 or source.int32() != 1 or source.int32() != 1 or source.int32() != 1:
            raise ValueError("a model of another kind")
        source.copy(lengths, sizeof(lengths))
        self.rows = <Row*>PyMem_Calloc(count, sizeof(Row))
        if self.rows == NULL:
            raise MemoryError
        for i in range(count):
            memcpy(self.rows[i].codes, codes + i * _CODES, _CODES)
            self.rows[i].norm = lengths[norms[i]]
        for i in range(self.grams_size):
            if self.grams[i] and <int64_t>(self.grams[i] >> 32) >= count:
                raise ValueError("an n-gram beyond the model")
        return 0

    cdef int read_output(self, Source source) except -1:
        if source.byte() or source.int64() != self.labels or source.int64() != _DIM:
            raise ValueError("a model of another kind")
        self.output = <float*>PyMem_Calloc(self.labels * _DIM, sizeof(float))
        if self.output == NULL:
            raise MemoryError
        source.copy(self.output, self.labels * _DIM * sizeof(float))
        return 0

    def predict(self, bytes line):
        """The most likely label of a text without line breaks and its probability; None where there is none."""
        cdef const char* text = PyBytes_AS_STRING(line)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(line), start = 0, end, count = 0
        cdef float[_DIM] hidden
        cdef Found found
        cdef int i
        cdef bint is_over = False
        cdef float share
        if size > _MOST_WORD:
            raise ValueError("a text that is too long")
        for i in range(_DIM):
            hidden[i] = 0
        while start < size and not is_over:
            if _parts(text[start]):
                start += 1
                continue
            end = start
            while end < size and not _parts(text[end]):
                end += 1
            count += self.add_word(text + start, end - start, hidden, &is_over)
            start = end
        if not is_over:  # the end of the line
            count += self.add_word(_END, 4, hidden, &is_over)
        if not count:
            return None
        share = <float>(1.0 / <double>count)
        for i in range(_DIM):
            hidden[i] = hidden[i] * share
        found.label = -1
        found.score = 0
        self.search(2 * self.labels - 2, 0, hidden, &found)
        return None if found.label < 0 else (self.names[found.label], expf(found.score))

    cdef Py_ssize_t add_word(self, const char* word, Py_ssize_t size, float* hidden, bint* is_over) noexcept:
        """Add the rows of a word and of its n-grams, and say how many there were."""
        cdef int32_t number = self.find(word, size)
        cdef Py_ssize_t count = 0
        cdef bint is_end = size == 4 and memcmp(word, _END, 4) == 0
        is_over[0] = is_end
        if number >= self.words or (number < 0 and size >= 9 and memcmp(word, _LABEL, 9) == 0):
            return 0
        if number >= 0:
            self.add_row(number, hidden)
            count = 1
        return count if is_end else count + self.add_grams(word, size, hidden)

    cdef int32_t find(self, const char* word, Py_ssize_t size) noexcept:
        cdef uint32_t place = _sum_of(word, size) & (self.vocabulary_size - 1)
        cdef Word* known
        while self.vocabulary[place].length:
            known = &self.vocabulary[place]
            if known.length == size and memcmp(self.source.start + known.start, word, size) == 0:
                return known.number
            place = (place + 1) & (self.vocabulary_size - 1)
        return -1

    cdef Py_ssize_t add_grams(self, const char* word, Py_ssize_t size, float* hidden) noexcept:
        """Add the rows of all n-grams of "<word>", by characters of UTF-8."""
        cdef Py_ssize_t i, j, whole = size + 2, count = 0
        cdef int length
        cdef uint32_t sum
        for i in range(whole):
            if _continues(_letter(word, size, i)):
                continue
            sum, j, length = 2166136261, i, 1
            while j < whole and length <= self.most:
                sum = _mixed(sum, _letter(word, size, j))
                j += 1
                while j < whole and _continues(_letter(word, size, j)):
                    sum = _mixed(sum, _letter(word, size, j))
                    j += 1
                if length >= self.least and not (length == 1 and (i == 0 or j == whole)):
                    count += self.add_gram(sum % <uint32_t>self.bucket, hidden)
                length += 1
        return count

    cdef inline Py_ssize_t add_gram(self, uint32_t key, float* hidden) noexcept:
        cdef uint32_t place = key * <uint32_t>2654435769 & (self.grams_size - 1)
        while self.grams[place]:
            if <uint32_t>self.grams[place] == key + 1:
                self.add_row(<Py_ssize_t>(self.grams[place] >> 32), hidden)
                return 1
            place = (place + 1) & (self.grams_size - 1)
        return 0

    cdef inline void add_row(self, Py_ssize_t number, float* hidden) noexcept:
        cdef const Row* row = &self.rows[number]
        cdef const float* pair
        cdef int i
        for i in range(_CODES):
            pair = &self.centroids[(i * _CENTROIDS + row.codes[i]) * 2]
            hidden[2 * i] += row.norm * pair[0]
            hidden[2 * i + 1] += row.norm * pair[1]

    cdef void search(self, int32_t node, float score, const float* hidden, Found* found) noexcept:
        """Down the tree of labels; its depth is the model's, not the text's."""
        cdef float sum = 0
        cdef const float* row
        cdef int i
        if score < _log(0) or (found.label >= 0 and score < found.score):
            return
        if self.tree[node].left < 0:
            found.label, found.score = node, score  # of equal scores a heap of one keeps the last
            return
        row = self.output + (node - self.labels) * _DIM
        for i in range(_DIM):
            sum += row[i] * hidden[i]
        sum = <float>(1.0 / <double>(<float>1 + expf(-sum)))
        self.search(self.tree[node].left, score + _log(<float>(1.0 - <double>sum)), hidden, found)
        self.search(self.tree[node].right, score + _log(sum), hidden, found)


cdef struct Found:
    int32_t label
    float score


cdef inline float _log(float value) noexcept:
    return <float>log(<double>value + 1e-5)


cdef inline uint32_t _mixed(uint32_t sum, char letter) noexcept:
    return (sum ^ <uint32_t><int8_t>letter) * <uint32_t>16777619


cdef uint32_t _sum_of(const char* word, Py_ssize_t size) noexcept:
    cdef uint32_t sum = 2166136261
    cdef Py_ssize_t i
    for i in range(size):
        sum = _mixed(sum, word[i])
    return sum


cdef inline char _letter(const char* word, Py_ssize_t size, Py_ssize_t at) noexcept:
    """Of the word between its brackets."""
    return c"<" if at == 0 else c">" if at == size + 1 else word[at - 1]


cdef inline bint _continues(char letter) noexcept:
    return (<uint8_t>letter & 0xC0) == 0x80


cdef inline bint _parts(char letter) noexcept:
    return letter == 32 or letter == 0 or 9 <= letter <= 13
