# cython: language_level=3, wraparound=False, initializedcheck=False, cdivision=True
"""The columns of threadmill.page.judge.features, compiled: the same numbers to the last bit in a tenth of the time.

Pages are gone over twice. The first time texts, names and frames are read, and everything is noted that a
logarithm or a power is needed of; those are left to numpy, whose functions differ from the C library's in the
last bit. The second time all the rest is filled in. Sums are made in the order and the precision in which
numpy makes them; where that is left open they are exact, as threadmill.page.judge.page_batch says.
"""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.math cimport rintf
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.string cimport memset

from threadmill.native.cutting cimport Block
from threadmill.native.containers cimport (
    HASH_SEED, WordTable, add_word, find_word, free_words, hash_with, make_words,
)
from threadmill.native.nodes cimport Field, Method, call_attr, field_of, method_of, read_field
from threadmill.native.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_2BYTE_KIND, PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ,
    PyUnicode_GET_LENGTH,
)

from turbohtml import Element

from threadmill.page.judge import block_evidence as evidence
from threadmill.page.judge import features as columns
from threadmill.page.judge.characters import CHARACTERS_KNOWN
from threadmill.page.judge.page_batch import EXACT


cdef extern from "Python.h":
    Py_hash_t PyObject_Hash(object thing) except -1
    Py_ssize_t PyObject_Size(object thing) except -1

# Sizes of buffers on the stack.
cdef enum:
    _TEXT_ROOM = 120
    _NAMES_ROOM = 300

cdef Py_ssize_t _FEW_CHARS = evidence.FEW_CHARS, _MOST_NAMES = evidence.MOST_NAMES
cdef Py_ssize_t _GROUPS = len(evidence.TAG_GROUPS)
cdef Py_ssize_t _CHARACTERS_KNOWN = CHARACTERS_KNOWN
cdef double _STOP_WORD = evidence.STOP_WORD, _TITLE_WORD = evidence.TITLE_WORD
cdef float _EXACT = EXACT
cdef Py_ssize_t _ANCESTORS = columns.ANCESTORS, _WINDOWS = len(columns.WINDOWS)
cdef Py_ssize_t[8] _REACHES
for _number, _reach in enumerate(columns.WINDOWS):
    _REACHES[<Py_ssize_t>_number] = _reach
cdef Py_ssize_t _LEAST_AFTER_H1 = columns.MOST_AFTER_H1[0], _MOST_AFTER_H1 = columns.MOST_AFTER_H1[1]
cdef Py_ssize_t _MOST_AFTER_HEADING = columns.MOST_AFTER_HEADING
cdef float _LONG_WORDS = columns.LONG_BLOCK[0], _LONG_LINKS = columns.LONG_BLOCK[1]
cdef float _PROSE_WORDS = columns.LONG_PROSE[0], _PROSE_LINKS = columns.LONG_PROSE[1]
cdef float _FEW_WORDS = columns.FEW_WORDS, _WORD_PARTS = columns.WORD_PARTS, _EDGE = columns.EDGE
cdef Py_ssize_t _FAR = columns.FAR, _LEAST_CARDS = columns.LEAST_CARDS

if _FEW_CHARS > _TEXT_ROOM or _MOST_NAMES > _NAMES_ROOM or not 0 < _WINDOWS <= 8:
    raise ImportError("buffers of native code are too small for the constants of threadmill.page.judge")

# Rows of the table, as threadmill.page.judge.features orders its columns.
cdef dict _row = {name: i for i, name in enumerate(columns.COLUMNS_FIRST)}
cdef Py_ssize_t WORDS = _row["words"]
cdef Py_ssize_t CHARS = _row["chars"]
cdef Py_ssize_t DENSITY = _row["link density"]
cdef Py_ssize_t DIGITS = _row["digits"]
cdef Py_ssize_t CAPITALS = _row["capitals"]
cdef Py_ssize_t ENDING = _row["ending"]
cdef Py_ssize_t STOP_WORDS = _row["stop_words"]
cdef Py_ssize_t TITLE = _row["title"]
cdef Py_ssize_t LEXICAL = _row["lexical"]
cdef Py_ssize_t LEXICAL_MIN = _row["lexical_min"]
cdef Py_ssize_t HEADING = _row["heading"]
cdef Py_ssize_t KIND = _row["kind"]
cdef Py_ssize_t DEPTH = _row["depth"]
cdef Py_ssize_t NAMES_OWN = _row["names own"]
cdef Py_ssize_t NAMES_SUM = _row["names sum"]
cdef Py_ssize_t NAMES_LEAST = _row["names least"]
cdef Py_ssize_t NAMES_MOST = _row["names most"]
cdef Py_ssize_t IN_FIRST = _row[f"in {evidence.TAG_GROUPS[0][0]}"]  # one row per group of tags
cdef Py_ssize_t PLACE_BY_BLOCKS = _row["place by blocks"]
cdef Py_ssize_t PLACE_BY_TEXT = _row["place by text"]
cdef Py_ssize_t PAGE_BLOCKS = _row["page blocks"]
cdef Py_ssize_t PAGE_CHARS = _row["page chars"]
cdef Py_ssize_t PAGE_DENSITY = _row["page link density"]
cdef Py_ssize_t AFTER_H1 = _row["blocks after h1"]
cdef Py_ssize_t AFTER_HEADING = _row["blocks after heading"]
cdef Py_ssize_t FRAMES = _row["frame 0 share"]  # share, links, words and prior of each frame
cdef Py_ssize_t SAME_TEXT = _row["same text"]
cdef Py_ssize_t PATH_COUNT = _row["path count"]
cdef Py_ssize_t PATH_SHARE = _row["path share"]
cdef Py_ssize_t PATH_LINKS = _row["path links"]
cdef Py_ssize_t PATH_WORDS = _row["path words"]
cdef Py_ssize_t PATH_PRIOR = _row["path prior"]
cdef Py_ssize_t WORDS_BEFORE = _row["words -1"]
cdef Py_ssize_t PRIOR_BEFORE = _row["prior -1"]
cdef Py_ssize_t WORDS_AFTER = _row["words +1"]
cdef Py_ssize_t PRIOR_AFTER = _row["prior +1"]
cdef Py_ssize_t ENDING_AFTER = _row["ending +1"]
cdef Py_ssize_t WINDOWS = _row[f"window {columns.WINDOWS[0]} links"]  # links, words and prior of each window
cdef Py_ssize_t PAGE_LONG_SHARE = _row["page long share"]
cdef Py_ssize_t PAGE_LONG_BLOCKS = _row["page long blocks"]
cdef Py_ssize_t PAGE_LONGEST = _row["page longest"]
cdef Py_ssize_t PAGE_WORDS = _row["page words"]
cdef Py_ssize_t PAGE_HEADINGS = _row["page headings"]
cdef Py_ssize_t PAGE_ITEMS = _row["page items"]
cdef Py_ssize_t PAGE_IN_MAIN = _row["page in main"]
cdef Py_ssize_t PAGE_IN_ARTICLE = _row["page in article"]
cdef Py_ssize_t PAGE_IN_FORM = _row["page in form fieldset search"]
cdef Py_ssize_t PAGE_PATH_SHARE = _row["page path share"]
cdef Py_ssize_t PAGE_SAME_TEXT = _row["page same text"]
cdef Py_ssize_t PAGE_PRIOR = _row["page prior"]
cdef Py_ssize_t IN_MAIN = _row["in main"], IN_ARTICLE = _row["in article"], IN_FORM = _row["in form fieldset search"]
cdef Py_ssize_t KINDS = len(columns.COLUMNS_FIRST)  # as many as there are kinds of pages, and behind them:
_row = {name: i for i, name in enumerate(columns.COLUMNS_LAST)}
cdef Py_ssize_t MAIN_COLUMN_PROSE = _row["depth in main column by prose"]
cdef Py_ssize_t MAIN_COLUMN_PRIOR = _row["depth in main column by prior"]
cdef Py_ssize_t CARDS = _row["cards"]
cdef Py_ssize_t CARDS_SHARE = _row["cards share"]
cdef Py_ssize_t CARD_CHARS = _row["card chars"]
cdef Py_ssize_t PAGE_CARDS_SHARE = _row["page cards share"]
cdef Py_ssize_t PAGE_PRICES = _row["page prices"]
cdef Py_ssize_t PAGE_HIDDEN = _row["page hidden"]
cdef Py_ssize_t AFTER_FIRST_LONG = _row["after first long"]
cdef Py_ssize_t AFTER_LAST_LONG = _row["after last long"]
cdef Py_ssize_t OUTSIDE_MAIN = _row["outside main"]

ROWS = len(columns.COLUMNS_FIRST) + len(columns.COLUMNS_LAST)  # and as many more as there are kinds of pages
cdef Py_ssize_t _ROWS = ROWS

# What logarithms are taken of: so many numbers a block, then so many a page.
cdef enum:
    LOG_SAME, LOG_PATH, LOG_CARDS, LOG_CARD_CHARS
    _BLOCK_LOGS
cdef enum:
    LOG_BLOCKS, LOG_CHARS, LOG_PRICES, LOG_LONG, LOG_HEADINGS
    _PAGE_LOGS
BLOCK_LOGS, PAGE_LOGS = _BLOCK_LOGS, _PAGE_LOGS


cdef class WordValues:
    """What is known of words, found by their characters without making a str of them."""

    cdef WordTable table
    cdef double* values  # by the numbers of the words

    def __cinit__(self):
        self.values = NULL
        memset(&self.table, 0, sizeof(WordTable))

    def __dealloc__(self):
        PyMem_Free(self.values)
        free_words(&self.table)

    def __init__(self, dict values):
        make_words(&self.table, len(values), sum(map(len, values)))
        self.values = <double*>PyMem_Calloc(len(values) + 1, sizeof(double))
        if self.values == NULL:
            raise MemoryError
        for word, value in values.items():
            if word:
                self.values[add_word(&self.table, word)] = value

    cdef inline double find(self, const uint32_t* word, Py_ssize_t length, uint64_t hashed, double missing) noexcept:
        cdef Py_ssize_t number = find_word(&self.table, word, length, hashed)
        return missing if number < 0 else self.values[number]


def longest(blocks, Py_ssize_t count):
    """So many of the longest texts that a reader sees, the longest first, of equal ones the first first."""
    cdef list found = [], lengths = []
    cdef Block block
    cdef str text, hidden
    cdef Py_ssize_t least = -1, length, at
    for block in blocks:
        hidden, text = block.hidden, block.text
        length = PyUnicode_GET_LENGTH(text)
        if length <= least or PyUnicode_GET_LENGTH(hidden):
            continue
        at = len(lengths)
        while at > 0 and <Py_ssize_t>lengths[at - 1] < length:
            at -= 1
        found.insert(at, text)
        lengths.insert(at, length)
        if len(found) > count:
            del found[count], lengths[count]
        if len(found) == count:
            least = lengths[count - 1]
    return found


cdef uint8_t[128] _LETTERS  # the small letter, 0 for what is none
for _code in range(128):
    _LETTERS[<Py_ssize_t>_code] = ord(chr(_code).lower()) if chr(_code).isalpha() else 0


cdef class Reader:
    """What a lexicon knows, and what tags, roles and characters mean, laid out to be looked up."""

    cdef dict words, tables, tags, roles
    cdef WordValues names
    cdef double* weights  # of the words in names, by their number
    cdef const uint32_t[::1] small
    cdef uint8_t[128] endings
    cdef dict further_endings
    cdef int li

    def __cinit__(self):
        self.weights = NULL

    def __dealloc__(self):
        PyMem_Free(self.weights)

    def __init__(self, names, words, tag_bits, kinds, roles, endings, small):
        """Tables as threadmill.page.judge.block_evidence has them; the small letters of all characters that are known."""
        cdef Py_ssize_t i
        self.words = dict(words)
        self.tables = {}
        self.roles = dict(roles)
        self.tags = {
            tag: tag_bits.get(tag, 0) | kinds.get(tag, 0) << _GROUPS for tag in {**tag_bits, **kinds}
        }
        self.li = kinds["li"]
        self.names = WordValues({name: i for i, name in enumerate(names)})
        self.weights = <double*>PyMem_Calloc(len(names) + 1, sizeof(double))
        if self.weights == NULL:
            raise MemoryError
        for i, weight in enumerate(names.values()):
            self.weights[i] = weight
        if len(small) != _CHARACTERS_KNOWN:
            raise ValueError(f"expected the small letters of {_CHARACTERS_KNOWN} characters")
        self.small = small
        memset(self.endings, 0, sizeof(self.endings))
        self.further_endings = {}
        for character, value in endings.items():
            if ord(character) < 128:
                self.endings[<Py_ssize_t>ord(character)] = <uint8_t>value
            else:
                self.further_endings[ord(character)] = value

    cdef WordValues table(self, stop_words):
        """As Lexicon.look_up() makes it, but for the title."""
        cdef WordValues table = self.tables.get(stop_words)
        if table is None:
            values = dict.fromkeys(stop_words, _STOP_WORD)
            values.update([(word, weight + values.get(word, 0.0)) for word, weight in self.words.items()])
            table = self.tables[stop_words] = WordValues(values)
        return table

    cdef float weigh(self, str first, str second, str third) except? -1:
        """How much the words in names speak for content, as Lexicon.weigh() has it."""
        cdef uint32_t[_NAMES_ROOM] word
        cdef int32_t[_NAMES_ROOM] found  # numbers of known words, each once, in their order
        cdef Py_ssize_t length = 0, count = 0, taken = 0, i, at, size
        cdef uint64_t sum = HASH_SEED
        cdef uint32_t character, letter
        cdef const uint8_t* narrow
        cdef bint was_small = False
        cdef double total = 0
        cdef int kind, number = 0
        cdef const void* data
        cdef str text
        for number in range(3):
            text = first if number == 0 else second if number == 1 else third
            if text is None:
                continue
            size = PyUnicode_GET_LENGTH(text)
            if not size:
                continue
            if taken and taken < _MOST_NAMES:  # the blank between names
                taken += 1
                count = self.note(word, length, sum, found, count)
                length, sum, was_small = 0, HASH_SEED, False
            if size > _MOST_NAMES - taken:
                size = _MOST_NAMES - taken
            taken += size
            kind, data = PyUnicode_KIND(text), PyUnicode_DATA(text)
            narrow = <const uint8_t*>data
            for i in range(size):
                character = narrow[i] if kind == PyUnicode_1BYTE_KIND else PyUnicode_READ(kind, data, i)
                letter = _LETTERS[character] if character < 128 else 0
                if letter == 0 or (was_small and letter != character):  # a capital behind a small letter
                    if length:
                        count = self.note(word, length, sum, found, count)
                        length, sum = 0, HASH_SEED
                    if letter == 0:
                        was_small = False
                        continue
                was_small = letter == character
                word[length] = letter
                length += 1
                sum = hash_with(sum, letter)
        count = self.note(word, length, sum, found, count)
        for at in range(count):
            total += self.weights[found[at]]
        return <float>total

    cdef inline Py_ssize_t note(
        self, const uint32_t* word, Py_ssize_t length, uint64_t sum, int32_t* found, Py_ssize_t count
    ) noexcept:
        """Put the number of a word among those found, where it is known and not there yet."""
        cdef Py_ssize_t at = count, i
        cdef int32_t number
        if not length:
            return count
        number = <int32_t>self.names.find(word, length, sum, -1)
        if number < 0:
            return count
        while at > 0 and found[at - 1] > number:
            at -= 1
        if at > 0 and found[at - 1] == number:
            return count
        for i in range(count, at, -1):
            found[i] = found[i - 1]
        found[at] = number
        return count + 1


cdef enum:
    _MOST_ARRAYS = 64

cdef Field _ATTRS = field_of(Element, "attrs")
cdef Method _ATTR = method_of(Element, "attr")
cdef enum:
    _NAMES_A_FRAME = 4
cdef tuple _NAMES = (("class",), ("id",), ("itemprop",), ("role",))


def read_names(cut):
    """Class, id, itemprop and role of every frame that holds a block, one after the other; kept in the cut.

    It is done when a page was just cut: later, its tree has left the processor's cache.
    """
    cdef list elements = cut.elements, starts = cut.starts, names
    cdef Py_ssize_t frame, at, left, count = len(elements)
    cdef object element, value
    if len(starts) != count:
        raise ValueError("frames of different numbers")
    names = [None] * (_NAMES_A_FRAME * count)
    for frame in range(count):
        if <Py_ssize_t>starts[frame] < 0:
            continue
        element = elements[frame]
        # most elements have one attribute or none: when all are met, nothing more is asked for
        left = PyObject_Size(read_field(&_ATTRS, element, "attrs"))
        for at in range(_NAMES_A_FRAME):
            if left <= 0:
                break
            value = call_attr(&_ATTR, element, <tuple>_NAMES[at])
            if value is not None:
                names[_NAMES_A_FRAME * frame + at] = value
                left -= 1
    cut.names = names
    return names


cdef class Sheet:
    """The pages of a batch while their table is filled."""

    cdef Reader reader
    cdef readonly Py_ssize_t blocks, pages
    cdef Py_ssize_t frames, shapes, most_blocks, most_frames, most_shapes, kinds
    cdef (void*)[64] arrays  # _MOST_ARRAYS
    cdef int taken
    # Of pages: where what they have begins.
    cdef Py_ssize_t *first_block
    cdef Py_ssize_t *first_frame
    cdef Py_ssize_t *first_shape
    cdef double *page_chars  # at least 1
    cdef double *page_links
    cdef double *page_cards
    cdef Py_ssize_t *page_hidden
    # Of blocks.
    cdef float *words
    cdef float *chars
    cdef float *links
    cdef Py_ssize_t *of
    cdef uint8_t *hidden
    # Of frames, by their number on the page; the last of each page is the page itself.
    cdef Py_ssize_t *around
    cdef Py_ssize_t *starts
    cdef Py_ssize_t *ends
    cdef Py_ssize_t *shape
    cdef uint8_t *filled
    # Of the frames, shapes and blocks of the page that is looked at.
    cdef float *own
    cdef float *total
    cdef float *least
    cdef float *most
    cdef int64_t *bits
    cdef Py_ssize_t *further
    cdef Py_ssize_t *shelf
    cdef Py_ssize_t *next
    cdef Py_ssize_t *child
    cdef double *held
    cdef Py_ssize_t *cards
    cdef int64_t *code
    cdef float *heading
    cdef float *depth
    cdef Py_ssize_t *tag
    cdef Py_ssize_t *tag_seen
    cdef Py_ssize_t *tag_shelf
    cdef double *shape_size
    cdef double *shape_chars
    cdef double *shape_links
    cdef double *shape_words
    cdef double *shape_prior
    cdef double *sums  # four rows of running sums
    cdef Py_ssize_t *levels
    cdef Py_ssize_t *buckets
    cdef Py_ssize_t *same
    cdef Py_ssize_t *same_count

    def __cinit__(self):
        self.taken = 0

    def __dealloc__(self):
        cdef int i
        for i in range(self.taken):
            PyMem_Free(self.arrays[i])

    cdef void* take(self, Py_ssize_t count, Py_ssize_t size) except NULL:
        """Room for so many numbers, all of them 0."""
        cdef void* array
        if self.taken >= _MOST_ARRAYS:
            raise MemoryError
        array = PyMem_Calloc(count + 1, size)
        if array == NULL:
            raise MemoryError
        self.arrays[self.taken] = array
        self.taken += 1
        return array

    def __init__(self, Reader reader, list cuts, Py_ssize_t kinds):
        cdef Py_ssize_t p, blocks, frames, shapes, room
        cdef object cut
        self.reader = reader
        self.kinds = kinds
        self.pages = len(cuts)
        self.first_block = <Py_ssize_t*>self.take(self.pages + 1, sizeof(Py_ssize_t))
        self.first_frame = <Py_ssize_t*>self.take(self.pages + 1, sizeof(Py_ssize_t))
        self.first_shape = <Py_ssize_t*>self.take(self.pages + 1, sizeof(Py_ssize_t))
        self.page_chars = <double*>self.take(self.pages, sizeof(double))
        self.page_links = <double*>self.take(self.pages, sizeof(double))
        self.page_cards = <double*>self.take(self.pages, sizeof(double))
        self.page_hidden = <Py_ssize_t*>self.take(self.pages, sizeof(Py_ssize_t))
        self.most_blocks = self.most_frames = self.most_shapes = 0
        for p in range(self.pages):
            cut = cuts[p]
            blocks, frames, shapes = len(cut.blocks), len(cut.parents) + 1, len(cut.paths) + 1
            if blocks == 0:
                raise ValueError("a page without blocks")
            self.first_block[p + 1] = self.first_block[p] + blocks
            self.first_frame[p + 1] = self.first_frame[p] + frames
            self.first_shape[p + 1] = self.first_shape[p] + shapes
            self.most_blocks = max(self.most_blocks, blocks)
            self.most_frames = max(self.most_frames, frames)
            self.most_shapes = max(self.most_shapes, shapes)
        self.blocks = self.first_block[self.pages]
        self.frames = self.first_frame[self.pages]
        self.shapes = self.first_shape[self.pages]
        self.reserve()

    cdef int reserve(self) except -1:
        cdef Py_ssize_t blocks = self.blocks, frames = self.frames, shapes = self.most_shapes, buckets = 8
        cdef Py_ssize_t number = sizeof(Py_ssize_t), real = sizeof(double), single = sizeof(float)
        self.words = <float*>self.take(blocks, single)
        self.chars = <float*>self.take(blocks, single)
        self.links = <float*>self.take(blocks, single)
        self.of = <Py_ssize_t*>self.take(blocks, number)
        self.hidden = <uint8_t*>self.take(blocks, 1)
        self.around = <Py_ssize_t*>self.take(frames, number)
        self.starts = <Py_ssize_t*>self.take(frames, number)
        self.ends = <Py_ssize_t*>self.take(frames, number)
        self.shape = <Py_ssize_t*>self.take(frames, number)
        self.filled = <uint8_t*>self.take(frames, 1)
        frames = self.most_frames
        self.own = <float*>self.take(frames, single)
        self.total = <float*>self.take(frames, single)
        self.least = <float*>self.take(frames, single)
        self.most = <float*>self.take(frames, single)
        self.bits = <int64_t*>self.take(frames, sizeof(int64_t))
        self.further = <Py_ssize_t*>self.take(frames, number)
        self.shelf = <Py_ssize_t*>self.take(frames, number)
        self.next = <Py_ssize_t*>self.take(frames, number)
        self.child = <Py_ssize_t*>self.take(frames, number)
        self.held = <double*>self.take(frames, real)
        self.cards = <Py_ssize_t*>self.take(frames, number)
        self.code = <int64_t*>self.take(shapes, sizeof(int64_t))
        self.heading = <float*>self.take(shapes, single)
        self.depth = <float*>self.take(shapes, single)
        self.tag = <Py_ssize_t*>self.take(shapes, number)
        self.tag_seen = <Py_ssize_t*>self.take(shapes, number)
        self.tag_shelf = <Py_ssize_t*>self.take(shapes, number)
        self.shape_size = <double*>self.take(shapes, real)
        self.shape_chars = <double*>self.take(shapes, real)
        self.shape_links = <double*>self.take(shapes, real)
        self.shape_words = <double*>self.take(shapes, real)
        self.shape_prior = <double*>self.take(shapes, real)
        self.sums = <double*>self.take(4 * (self.most_blocks + 1), real)
        self.levels = <Py_ssize_t*>self.take(self.most_blocks + 1, number)
        while buckets < 2 * self.most_blocks:
            buckets *= 2
        self.buckets = <Py_ssize_t*>self.take(buckets, number)
        self.same = <Py_ssize_t*>self.take(self.most_blocks, number)
        self.same_count = <Py_ssize_t*>self.take(self.most_blocks, number)
        return 0

    def read(
        self, list cuts, list stop_words, list titles,
        float[:, ::1] table, float[:, ::1] singles, float[::1] prior, double[::1] logs,
    ):
        """Go over all pages the first time: fills what needs no logarithm, and what numpy is to work on.

        singles: words and characters of each block; prior: of each block; logs: BLOCK_LOGS rows of blocks,
        then PAGE_LOGS rows of pages. Of titles the words are wanted, each once.
        """
        cdef Py_ssize_t p
        if (
            len(cuts) != self.pages or len(stop_words) != self.pages or len(titles) != self.pages
            or table.shape[0] != _ROWS + self.kinds or table.shape[1] != self.blocks
            or singles.shape[0] != 2 or singles.shape[1] != self.blocks or prior.shape[0] != self.blocks
            or logs.shape[0] != _BLOCK_LOGS * self.blocks + _PAGE_LOGS * self.pages
        ):
            raise ValueError("arrays that do not fit the pages")
        for p in range(self.pages):
            self.read_page(
                p, cuts[p], stop_words[p], titles[p], &table[0, 0], &singles[0, 0], &prior[0], &logs[0]
            )

    cdef int read_page(
        self, Py_ssize_t p, object cut, object stop_words, list title,
        float* table, float* singles, float* prior, double* logs,
    ) except -1:
        cdef Py_ssize_t first = self.first_block[p], count = self.first_block[p + 1] - first, n = self.blocks, i
        cdef Py_ssize_t prices = 0, hidden = 0
        cdef list blocks = cut.blocks, texts = []
        cdef float value
        self.read_shapes(p, cut.tags, cut.paths, cut.headings)
        self.read_frames(p, cut.parents, cut.starts, cut.ends, cut.shapes)
        if len(blocks) != count:
            raise ValueError("a page changed while it was read")
        self.read_blocks(p, blocks, texts, &prices)
        self.weigh_words(p, texts, self.reader.table(stop_words), WordValues(dict.fromkeys(title, 0.0)), table)
        self.weigh_frames(p, cut.names if cut.names is not None else read_names(cut))
        self.fill_text(p, table)
        for i in range(count):
            value = table[NAMES_SUM * n + first + i] + table[LEXICAL * n + first + i]
            prior[first + i] = rintf(value * _EXACT) / _EXACT
            singles[first + i] = self.words[first + i]
            singles[n + first + i] = self.chars[first + i]
        self.count_same(p, texts, logs)
        self.find_cards(p, table + (KINDS + self.kinds + CARDS_SHARE) * n, logs)
        self.note_page(p, prices, table, logs)
        return 0

    cdef int read_shapes(self, Py_ssize_t p, list tags, list paths, list headings) except -1:
        """What frames of one tag path share; one shape more stands for the page itself."""
        cdef Py_ssize_t count = self.first_shape[p + 1] - self.first_shape[p] - 1, i, at, dots, length
        cdef const uint8_t* narrow
        cdef dict numbers = {}
        cdef object known
        cdef str tag, path
        cdef int kind
        cdef const void* data
        if len(tags) != count or len(paths) != count or len(headings) != count:
            raise ValueError("shapes of different numbers")
        for i in range(count + 1):
            tag = tags[i] if i < count else "body"
            known = self.reader.tags.get(tag)
            self.code[i] = 0 if known is None else <int64_t>known
            self.heading[i] = <float><double>headings[i] if i < count else <float>0
            known = numbers.get(tag)
            if known is None:
                known = numbers[tag] = len(numbers)
            self.tag[i] = known
            dots = 0
            if i < count:
                path = paths[i]
                kind, data, length = PyUnicode_KIND(path), PyUnicode_DATA(path), PyUnicode_GET_LENGTH(path)
                narrow = <const uint8_t*>data
                if kind == PyUnicode_1BYTE_KIND:
                    for at in range(length):
                        dots += narrow[at] == c"."
                else:
                    for at in range(length):
                        dots += PyUnicode_READ(kind, data, at) == c"."
            self.depth[i] = <float>dots
        return 0

    cdef int read_frames(self, Py_ssize_t p, list parents, list starts, list ends, list shapes) except -1:
        """Frames as numbers; what others work with is proven to be within bounds here."""
        cdef Py_ssize_t base = self.first_frame[p], count = self.first_frame[p + 1] - base - 1, i
        cdef Py_ssize_t blocks = self.first_block[p + 1] - self.first_block[p], parent, start, end, shape
        cdef Py_ssize_t kinds = self.first_shape[p + 1] - self.first_shape[p] - 1
        if len(parents) != count or len(starts) != count or len(ends) != count or len(shapes) != count:
            raise ValueError("frames of different numbers")
        for i in range(count):
            parent, start, end, shape = parents[i], starts[i], ends[i], shapes[i]
            if parent >= i or start >= blocks or end > blocks or not 0 <= shape < kinds:
                raise ValueError("a frame beyond its page")
            self.around[base + i] = parent if parent >= 0 else count
            self.filled[base + i] = start >= 0
            start = max(start, 0)
            self.starts[base + i] = start
            self.ends[base + i] = max(end, start)
            self.shape[base + i] = shape
        self.around[base + count] = count
        self.filled[base + count] = False
        self.starts[base + count] = 0
        self.ends[base + count] = blocks
        self.shape[base + count] = kinds
        return 0

    cdef int read_blocks(self, Py_ssize_t p, list blocks, list texts, Py_ssize_t* prices) except -1:
        cdef Py_ssize_t first = self.first_block[p], i, at, frame, length, spaces
        cdef Py_ssize_t page = self.first_frame[p + 1] - self.first_frame[p] - 1
        cdef Block block
        cdef str text
        cdef double chars = 0, links = 0
        self.page_hidden[p] = 0
        for i in range(len(blocks)):
            block, at = blocks[i], first + i
            text, frame = block.text, block.frame
            if frame >= page:
                raise ValueError("a block in a frame beyond its page")
            texts.append(text)
            self.of[at] = frame if frame >= 0 else page
            self.hidden[at] = PyUnicode_GET_LENGTH(block.hidden) > 0
            self.page_hidden[p] += self.hidden[at]
            length, spaces = PyUnicode_GET_LENGTH(text), _count_signs(text, prices)
            self.chars[at] = <float>length
            self.words[at] = <float>spaces + <float>1 if length else <float>0
            self.links[at] = <float>block.link_chars
            chars += self.chars[at]
            links += self.links[at]
        self.page_chars[p] = max(chars, 1.0)
        self.page_links[p] = links
        return 0

    cdef int weigh_words(
        self, Py_ssize_t p, list texts, WordValues known, WordValues title, float* table
    ) except -1:
        """What the first characters of each block say: digits, capitals, words."""
        cdef Py_ssize_t n = self.blocks, at = self.first_block[p], i, length, size, letters, digits, capitals
        cdef Py_ssize_t count, stop_words, titles, j
        cdef const uint32_t* small = &self.reader.small[0]
        cdef uint32_t[_TEXT_ROOM] word
        cdef float[_TEXT_ROOM + 2] weights
        cdef uint32_t character, letter
        cdef uint64_t sum
        cdef double value
        cdef float lowest
        cdef const uint8_t* narrow
        cdef int kind
        cdef const void* data
        cdef str text
        for text in texts:
            kind, data, length = PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text)
            narrow = <const uint8_t*>data
            length = min(length, _FEW_CHARS)
            size = digits = capitals = letters = count = stop_words = titles = 0
            sum = HASH_SEED
            for i in range(length + 1):
                if i < length:
                    character = narrow[i] if kind == PyUnicode_1BYTE_KIND else PyUnicode_READ(kind, data, i)
                    if character < 0x80:
                        size += 1
                        digits += c"0" <= character <= c"9"
                        capitals += c"A" <= character <= c"Z"
                    elif 0xD800 <= character < 0xE000:  # half of a character stands for a question mark
                        size += 1
                        character = c"?"
                    else:
                        size += 2 if character < 0x800 else 3
                        character = min(character, <uint32_t>(_CHARACTERS_KNOWN - 1))
                    letter = small[character]
                    if letter != c" " and character != 0:
                        word[letters] = letter
                        letters += 1
                        sum = hash_with(sum, letter)
                        continue
                if not letters:
                    continue
                value = known.find(word, letters, sum, 0.0)
                if title.table.kinds >> (sum >> 58) & 1 and title.find(word, letters, sum, -1.0) == 0.0:
                    value = value + _TITLE_WORD
                # taken off again, because that is how numpy comes to the weight
                if value > _TITLE_WORD / 2:
                    titles += 1
                    value = value - _TITLE_WORD
                if value > _STOP_WORD / 2:
                    stop_words += 1
                    value = value - _STOP_WORD
                weights[count] = <float>value
                count += 1
                letters, sum = 0, HASH_SEED
            weights[count] = 0  # the mark that closes a block
            lowest = 0
            for j in range(count):
                lowest = min(lowest, weights[j])
            size = max(size, 1)
            table[DIGITS * n + at] = <float>(<double>digits / <double>size)
            table[CAPITALS * n + at] = <float>(<double>capitals / <double>size)
            table[TITLE * n + at] = <float>(<double>titles / <double>max(count, 1))
            table[STOP_WORDS * n + at] = <float>(<double>stop_words / <double>max(count, 1))
            table[LEXICAL * n + at] = _sum_as_numpy(weights, count + 1)
            table[LEXICAL_MIN * n + at] = lowest
            length = PyUnicode_GET_LENGTH(text)
            table[ENDING * n + at] = 0
            if length:
                character = PyUnicode_READ(kind, data, length - 1)
                if character < 128:
                    table[ENDING * n + at] = self.reader.endings[character]
                elif character in self.reader.further_endings:
                    table[ENDING * n + at] = self.reader.further_endings[character]
            at += 1
        return 0

    cdef int weigh_frames(self, Py_ssize_t p, list names) except -1:
        """As frame_columns() in threadmill.page.judge.block_evidence."""
        cdef Py_ssize_t base = self.first_frame[p], page = self.first_frame[p + 1] - base - 1, f, outer
        cdef uint8_t* filled = self.filled + base
        cdef Py_ssize_t* around = self.around + base
        cdef Py_ssize_t* shape = self.shape + base
        cdef object known
        cdef str role
        cdef float own
        cdef bint is_on_way = True
        if len(names) != _NAMES_A_FRAME * page:
            raise ValueError("frames of different numbers")
        self.own[page] = self.total[page] = self.least[page] = self.most[page] = 0
        self.bits[page] = self.code[shape[page]] & ((1 << _GROUPS) - 1)
        self.further[page] = page
        for f in range(page):
            own = 0
            self.bits[f] = self.code[shape[f]] & ((1 << _GROUPS) - 1)
            outer = around[f]
            if filled[f]:
                own = self.reader.weigh(
                    names[_NAMES_A_FRAME * f], names[_NAMES_A_FRAME * f + 1], names[_NAMES_A_FRAME * f + 2]
                )
                role = names[_NAMES_A_FRAME * f + 3]
                if role is not None:
                    known = self.reader.roles.get(role)
                    if known is not None:
                        self.bits[f] |= <int64_t>known
            self.own[f] = self.total[f] = own
            self.most[f] = max(max(own, <float>0), self.most[outer])
            self.least[f] = min(min(own, <float>0), self.least[outer])
            self.bits[f] |= self.bits[outer]
            self.further[f] = outer
        # Sums along chains are made of sums of twice the length each time, as chains() yields them: inner
        # frames come last, so that what is added is still of the round before.
        while is_on_way:
            is_on_way = False
            for f in range(page - 1, -1, -1):
                outer = self.further[f]
                if outer != page:
                    self.total[f] += self.total[outer]
                    self.further[f] = self.further[outer]
                    is_on_way = True
        return 0

    cdef int fill_text(self, Py_ssize_t p, float* table) except -1:
        """Columns that say what a block is and which frames it stands in."""
        cdef Py_ssize_t n = self.blocks, at, frame, shape, group, base = self.first_frame[p]
        cdef float* row
        for at in range(self.first_block[p], self.first_block[p + 1]):
            frame = self.of[at]
            shape = self.shape[base + frame]
            table[DENSITY * n + at] = min(self.links[at] / max(self.chars[at], <float>1), <float>1)
            table[HEADING * n + at] = self.heading[shape]
            table[KIND * n + at] = <float>(self.code[shape] >> _GROUPS)
            table[DEPTH * n + at] = self.depth[shape]
            table[NAMES_OWN * n + at] = self.own[frame]
            table[NAMES_SUM * n + at] = self.total[frame]
            table[NAMES_LEAST * n + at] = self.least[frame]
            table[NAMES_MOST * n + at] = self.most[frame]
        for group in range(_GROUPS):
            row = table + (IN_FIRST + group) * n
            for at in range(self.first_block[p], self.first_block[p + 1]):
                row[at] = <float>(self.bits[self.of[at]] >> group & 1)
        return 0

    cdef int count_same(self, Py_ssize_t p, list texts, double* logs) except -1:
        """How many blocks of the page have the text of each. Python's own hash: no page can know it."""
        cdef Py_ssize_t n = self.blocks, first = self.first_block[p], count = len(texts), size = 8, i, at, other
        cdef str text
        while size < 2 * count:
            size *= 2
        memset(self.buckets, 0, size * sizeof(Py_ssize_t))
        for i in range(count):
            text = texts[i]
            at = <Py_ssize_t>(<uint64_t>PyObject_Hash(text) & <uint64_t>(size - 1))
            self.same_count[i] = 0
            while True:
                other = self.buckets[at] - 1
                if other < 0:
                    self.buckets[at] = i + 1
                    other = i
                    break
                if text == <str>texts[other]:
                    break
                at = (at + 1) & (size - 1)
            self.same[i] = other
            self.same_count[other] += 1
        for i in range(count):
            logs[LOG_SAME * n + first + i] = <double>self.same_count[self.same[i]]
        return 0

    cdef int find_cards(self, Py_ssize_t p, float* share, double* logs) except -1:
        """As _cards() in threadmill.page.judge.features, and how many blocks there are of each shape."""
        cdef Py_ssize_t n = self.blocks, first = self.first_block[p], last = self.first_block[p + 1], at, i
        cdef Py_ssize_t base = self.first_frame[p], page = self.first_frame[p + 1] - base - 1, f, parent, shelf
        cdef Py_ssize_t shapes = self.first_shape[p + 1] - self.first_shape[p], shelves = 0, tag
        cdef Py_ssize_t* around = self.around + base
        cdef Py_ssize_t* shape = self.shape + base
        cdef uint8_t* filled = self.filled + base
        cdef double* sums = self.sums
        cdef double greatest = 0
        memset(self.shape_size, 0, shapes * sizeof(double))
        sums[0] = 0
        for at in range(first, last):
            sums[at - first + 1] = sums[at - first] + self.chars[at]
            self.shape_size[shape[self.of[at]]] += 1
        # frames by the frame around them, each list from its last to its first; frames have numbers from 1 on
        memset(self.child, 0, (page + 1) * sizeof(Py_ssize_t))
        memset(self.tag_seen, 0, shapes * sizeof(Py_ssize_t))
        for f in range(page + 1):
            if filled[f] or f == page:
                self.next[f] = self.child[around[f]]
                self.child[around[f]] = f + 1
        for parent in range(page + 1):
            i = self.child[parent]
            while i:
                f = i - 1
                tag = self.tag[shape[f]]
                if self.tag_seen[tag] != parent + 1:
                    self.tag_seen[tag] = parent + 1
                    self.tag_shelf[tag] = shelves
                    self.held[shelves] = 0
                    self.cards[shelves] = 0
                    shelves += 1
                shelf = self.shelf[f] = self.tag_shelf[tag]
                self.cards[shelf] += filled[f]
                self.held[shelf] += sums[self.ends[base + f]] - sums[self.starts[base + f]]
                i = self.next[f]
        # the outermost card around each frame, by the number of its shelf; outer frames come first
        self.further[page] = -1
        for f in range(page):
            shelf = self.further[around[f]]
            if shelf < 0 and filled[f] and self.cards[self.shelf[f]] >= _LEAST_CARDS:
                shelf = self.shelf[f]
            self.further[f] = shelf
            if filled[f] and self.cards[self.shelf[f]] >= _LEAST_CARDS:
                greatest = max(greatest, self.held[self.shelf[f]])
        self.page_cards[p] = greatest
        for at in range(first, last):
            shelf = self.further[self.of[at]]
            logs[LOG_PATH * n + at] = self.shape_size[shape[self.of[at]]]
            logs[LOG_CARDS * n + at] = logs[LOG_CARD_CHARS * n + at] = share[at] = 0
            if shelf >= 0:
                share[at] = <float>(self.held[shelf] / self.page_chars[p])
                logs[LOG_CARDS * n + at] = <double>self.cards[shelf]
                logs[LOG_CARD_CHARS * n + at] = self.held[shelf] / <double>self.cards[shelf]
        return 0

    cdef int note_page(self, Py_ssize_t p, Py_ssize_t prices, float* table, double* logs) except -1:
        cdef Py_ssize_t n = self.blocks, pages = self.pages, at, long_blocks = 0, headings = 0
        cdef double* of_pages = logs + _BLOCK_LOGS * n
        for at in range(self.first_block[p], self.first_block[p + 1]):
            long_blocks += self.words[at] >= _LONG_WORDS and table[DENSITY * n + at] < _LONG_LINKS
            headings += table[HEADING * n + at] > 0
        of_pages[LOG_BLOCKS * pages + p] = <double>(self.first_block[p + 1] - self.first_block[p])
        of_pages[LOG_CHARS * pages + p] = self.page_chars[p]
        of_pages[LOG_PRICES * pages + p] = <double>prices
        of_pages[LOG_LONG * pages + p] = <double>long_blocks
        of_pages[LOG_HEADINGS * pages + p] = <double>headings
        return 0


    def fill(self, float[:, ::1] table, float[::1] prior, float[::1] powers, double[::1] logs, float[:, ::1] kinds):
        """Go over all pages the second time, with what numpy made: fills all that is left.

        The first two rows of the table are the logarithms of words and characters already; powers are those
        of e to each prior taken negatively; kinds has a row per page.
        """
        cdef Py_ssize_t p, row
        if (
            table.shape[0] != _ROWS + self.kinds or table.shape[1] != self.blocks
            or prior.shape[0] != self.blocks or powers.shape[0] != self.blocks
            or logs.shape[0] != _BLOCK_LOGS * self.blocks + _PAGE_LOGS * self.pages
            or kinds.shape[0] != self.pages or kinds.shape[1] != self.kinds
        ):
            raise ValueError("arrays that do not fit the pages")
        for p in range(self.pages):
            self.fill_place(p, &table[0, 0], &logs[0])
            self.fill_ranges(p, &table[0, 0], &prior[0])
            self.fill_groups(p, &table[0, 0], &prior[0], &logs[0])
            self.fill_neighbours(p, &table[0, 0], &prior[0])
            self.fill_page(p, &table[0, 0], &logs[0])
            for row in range(self.kinds):
                self.same_for_all(p, &table[KINDS + row, 0], kinds[p, row])
            self.fill_layout(p, &table[KINDS + self.kinds, 0], &table[0, 0], &powers[0], &logs[0])

    cdef void same_for_all(self, Py_ssize_t p, float* row, float value) noexcept:
        cdef Py_ssize_t at
        for at in range(self.first_block[p], self.first_block[p + 1]):
            row[at] = value

    cdef int fill_place(self, Py_ssize_t p, float* table, double* logs) except -1:
        """As _add_place()."""
        cdef Py_ssize_t n = self.blocks, first = self.first_block[p], count = self.first_block[p + 1] - first
        cdef Py_ssize_t i, top = -1, headed = -1
        cdef const float* heading = table + HEADING * n + first
        cdef const double* of_pages = logs + _BLOCK_LOGS * n + p
        cdef double total = self.page_chars[p], sum = 0
        for i in range(count):
            if heading[i] == 1:
                top = i
                break
        top = max(top, 0)
        for i in range(count):
            sum += self.chars[first + i]
            table[PLACE_BY_BLOCKS * n + first + i] = <float>i / <float>count
            table[PLACE_BY_TEXT * n + first + i] = <float>(sum / total)
            table[AFTER_H1 * n + first + i] = <float>min(max(i - top, _LEAST_AFTER_H1), _MOST_AFTER_H1)
            if heading[i] > 0:
                headed = i
            table[AFTER_HEADING * n + first + i] = <float>min(i + 1 if headed < 0 else i - headed, _MOST_AFTER_HEADING)
        self.same_for_all(p, table + PAGE_BLOCKS * n, <float>of_pages[LOG_BLOCKS * self.pages])
        self.same_for_all(p, table + PAGE_CHARS * n, <float>of_pages[LOG_CHARS * self.pages])
        self.same_for_all(p, table + PAGE_DENSITY * n, <float>(self.page_links[p] / total))
        return 0

    cdef int fill_ranges(self, Py_ssize_t p, float* table, const float* prior) except -1:
        """As _range_means()."""
        cdef Py_ssize_t n = self.blocks, first = self.first_block[p], count = self.first_block[p + 1] - first, i
        cdef Py_ssize_t base = self.first_frame[p], step, frame
        cdef double* chars = self.sums
        cdef double* links = chars + self.most_blocks + 1
        cdef double* words = links + self.most_blocks + 1
        cdef double* priors = words + self.most_blocks + 1
        cdef float total = <float>self.page_chars[p]
        cdef float* out
        chars[0] = links[0] = words[0] = priors[0] = 0
        for i in range(count):
            chars[i + 1] = chars[i] + self.chars[first + i]
            links[i + 1] = links[i] + min(self.links[first + i], self.chars[first + i])
            words[i + 1] = words[i] + table[WORDS * n + first + i]
            priors[i + 1] = priors[i] + prior[first + i]
        for i in range(count):
            frame = self.of[first + i]
            out = table + FRAMES * n + first + i
            for step in range(_ANCESTORS):
                self.means(out, total, self.starts[base + frame], self.ends[base + frame])
                frame = self.around[base + frame]
                out += 4 * n
            out = table + WINDOWS * n + first + i
            for step in range(_WINDOWS):
                self.means(out - n, 0, max(i - _REACHES[step], 0), min(i + _REACHES[step] + 1, count))
                out += 3 * n
        return 0

    cdef inline void means(self, float* out, float total, Py_ssize_t start, Py_ssize_t end) noexcept:
        """Share (where a total is given), links, words and prior of a range of blocks, each a row further."""
        cdef Py_ssize_t n = self.blocks, width = self.most_blocks + 1
        cdef const double* sums = self.sums
        cdef float chars = <float>(sums[end] - sums[start]), blocks = <float>max(end - start, 1)
        if total > 0:
            out[0] = chars / total
        sums += width
        out[n] = <float>(sums[end] - sums[start]) / max(chars, <float>1)
        sums += width
        out[2 * n] = <float>(sums[end] - sums[start]) / blocks
        sums += width
        out[3 * n] = <float>(sums[end] - sums[start]) / blocks

    cdef int fill_groups(self, Py_ssize_t p, float* table, const float* prior, const double* logs) except -1:
        """As _add_groups()."""
        cdef Py_ssize_t n = self.blocks, at, shape
        cdef Py_ssize_t shapes = self.first_shape[p + 1] - self.first_shape[p], base = self.first_frame[p]
        cdef double share, links, most_share = 0, same = 0, total = self.page_chars[p]
        memset(self.shape_size, 0, shapes * sizeof(double))
        memset(self.shape_chars, 0, shapes * sizeof(double))
        memset(self.shape_links, 0, shapes * sizeof(double))
        memset(self.shape_words, 0, shapes * sizeof(double))
        memset(self.shape_prior, 0, shapes * sizeof(double))
        for at in range(self.first_block[p], self.first_block[p + 1]):
            shape = self.shape[base + self.of[at]]
            self.shape_size[shape] += 1
            self.shape_chars[shape] += self.chars[at]
            self.shape_links[shape] += self.links[at]
            self.shape_words[shape] += table[WORDS * n + at]
            self.shape_prior[shape] += prior[at]
        for at in range(self.first_block[p], self.first_block[p + 1]):
            shape = self.shape[base + self.of[at]]
            share = self.shape_chars[shape] / total
            most_share = max(most_share, share)
            links = self.shape_links[shape] / max(self.shape_chars[shape], 1.0)
            same += logs[LOG_SAME * n + at]
            table[SAME_TEXT * n + at] = <float>logs[LOG_SAME * n + at]
            table[PATH_COUNT * n + at] = <float>logs[LOG_PATH * n + at]
            table[PATH_SHARE * n + at] = <float>share
            table[PATH_LINKS * n + at] = <float>min(links, 1.0)
            table[PATH_WORDS * n + at] = <float>(self.shape_words[shape] / self.shape_size[shape])
            table[PATH_PRIOR * n + at] = <float>(self.shape_prior[shape] / self.shape_size[shape])
        at = self.first_block[p + 1] - self.first_block[p]
        self.same_for_all(p, table + PAGE_PATH_SHARE * n, <float>most_share)
        self.same_for_all(p, table + PAGE_SAME_TEXT * n, <float>(same / <double>at))
        return 0

    cdef int fill_neighbours(self, Py_ssize_t p, float* table, const float* prior) except -1:
        """As _add_neighbours()."""
        cdef Py_ssize_t n = self.blocks, first = self.first_block[p], last = self.first_block[p + 1] - 1, at
        for at in range(first, last + 1):
            table[WORDS_BEFORE * n + at] = table[WORDS * n + at - 1] if at > first else _EDGE
            table[PRIOR_BEFORE * n + at] = prior[at - 1] if at > first else _EDGE
            table[WORDS_AFTER * n + at] = table[WORDS * n + at + 1] if at < last else _EDGE
            table[PRIOR_AFTER * n + at] = prior[at + 1] if at < last else _EDGE
            table[ENDING_AFTER * n + at] = table[ENDING * n + at + 1] if at < last else _EDGE
        return 0

    cdef int fill_page(self, Py_ssize_t p, float* table, const double* logs) except -1:
        """As _add_page()."""
        cdef Py_ssize_t n = self.blocks, at
        cdef double count = <double>(self.first_block[p + 1] - self.first_block[p]), total = self.page_chars[p]
        cdef double long_chars = 0, words = 0, items = 0, main = 0, article = 0, form = 0, prior = 0
        cdef float longest = 0
        cdef const double* of_pages = logs + _BLOCK_LOGS * n + p
        for at in range(self.first_block[p], self.first_block[p + 1]):
            if self.words[at] >= _LONG_WORDS and table[DENSITY * n + at] < _LONG_LINKS:
                long_chars += self.chars[at]
            longest = max(longest, table[WORDS * n + at])
            words += table[WORDS * n + at]
            items += table[KIND * n + at] == self.reader.li
            main += table[IN_MAIN * n + at]
            article += table[IN_ARTICLE * n + at]
            form += table[IN_FORM * n + at]
            prior += <float>(table[(FRAMES + 3) * n + at] * self.chars[at])
        self.same_for_all(p, table + PAGE_LONG_SHARE * n, <float>(long_chars / total))
        self.same_for_all(p, table + PAGE_LONG_BLOCKS * n, <float>of_pages[LOG_LONG * self.pages])
        self.same_for_all(p, table + PAGE_LONGEST * n, longest)
        self.same_for_all(p, table + PAGE_WORDS * n, <float>(words / count))
        self.same_for_all(p, table + PAGE_HEADINGS * n, <float>of_pages[LOG_HEADINGS * self.pages])
        self.same_for_all(p, table + PAGE_ITEMS * n, <float>(items / count))
        self.same_for_all(p, table + PAGE_IN_MAIN * n, <float>(main / count))
        self.same_for_all(p, table + PAGE_IN_ARTICLE * n, <float>(article / count))
        self.same_for_all(p, table + PAGE_IN_FORM * n, <float>(form / count))
        self.same_for_all(p, table + PAGE_PRIOR * n, <float>(prior / total))
        return 0

    cdef int fill_layout(
        self, Py_ssize_t p, float* out, const float* table, const float* powers, const double* logs
    ) except -1:
        """As layout_columns(), and what stands outside of the main part."""
        cdef Py_ssize_t n = self.blocks, first = self.first_block[p], count = self.first_block[p + 1] - first, i, at
        cdef Py_ssize_t first_long = -1, last_long = -1
        cdef double* sums = self.sums
        cdef double total = self.page_chars[p]
        cdef const float* density = table + DENSITY * n
        cdef const float* main = table + IN_MAIN * n
        cdef float mass, most = 0
        sums[0] = 0
        for i in range(count):
            at = first + i
            mass = self.words[at] * (<float>1 - density[at]) if self.words[at] >= _FEW_WORDS else <float>0
            sums[i + 1] = sums[i] + rintf(mass * _WORD_PARTS)
        self.fill_main_column(p, out + MAIN_COLUMN_PROSE * n)
        sums[0] = 0
        for i in range(count):
            at = first + i
            mass = self.words[at] / (<float>1 + powers[at])
            sums[i + 1] = sums[i] + rintf(mass * _WORD_PARTS)
            if self.words[at] >= _PROSE_WORDS and density[at] < _PROSE_LINKS:
                first_long = i if first_long < 0 else first_long
                last_long = i
            most = max(most, main[at])
        self.fill_main_column(p, out + MAIN_COLUMN_PRIOR * n)
        for i in range(count):
            at = first + i
            out[CARDS * n + at] = <float>logs[LOG_CARDS * n + at]
            out[CARD_CHARS * n + at] = <float>logs[LOG_CARD_CHARS * n + at]
            out[AFTER_FIRST_LONG * n + at] = out[AFTER_LAST_LONG * n + at] = 2 * _FAR
            if first_long >= 0:
                out[AFTER_FIRST_LONG * n + at] = <float>min(max(i - first_long, -_FAR), 2 * _FAR)
                out[AFTER_LAST_LONG * n + at] = <float>min(max(i - last_long, -_FAR), 2 * _FAR)
            out[OUTSIDE_MAIN * n + at] = (<float>1 - main[at]) * most
        self.same_for_all(p, out + PAGE_CARDS_SHARE * n, <float>(self.page_cards[p] / total))
        self.same_for_all(p, out + PAGE_PRICES * n, <float>logs[_BLOCK_LOGS * n + LOG_PRICES * self.pages + p])
        self.same_for_all(p, out + PAGE_HIDDEN * n, <float>(<double>self.page_hidden[p] / <double>count))
        return 0

    cdef int fill_main_column(self, Py_ssize_t p, float* out) except -1:
        """As _main_column(): four rows, from running sums of the mass."""
        cdef Py_ssize_t n = self.blocks, block = self.first_block[p], count = self.first_block[p + 1] - block, i, f
        cdef Py_ssize_t base = self.first_frame[p], page = self.first_frame[p + 1] - base - 1
        cdef Py_ssize_t level = 0, deepest = 0, first = -1, last = 0, away
        cdef const Py_ssize_t* starts = self.starts + base
        cdef const Py_ssize_t* ends = self.ends + base
        cdef const double* sums = self.sums
        cdef double total = max(sums[count], 1e-9)
        cdef float share
        memset(self.levels, 0, (count + 1) * sizeof(Py_ssize_t))
        for f in range(page):
            if self.filled[base + f] and sums[ends[f]] - sums[starts[f]] >= total / 2:
                self.levels[starts[f]] += 1
                self.levels[ends[f]] -= 1
        for i in range(count):
            level += self.levels[i]
            self.levels[i] = level
            if i == 0 or level > deepest:
                deepest = level
        for i in range(count):
            if self.levels[i] == deepest:
                first = i if first < 0 else first
                last = i
        share = <float>((sums[last + 1] - sums[first]) / total)
        for i in range(count):
            away = min(i - first, 0) + max(i - last, 0)
            out[block + i] = <float>self.levels[i] / max(<float>deepest, <float>1)
            out[n + block + i] = <float>deepest - <float>self.levels[i]
            out[2 * n + block + i] = <float>min(max(away, -_FAR), _FAR)
            out[3 * n + block + i] = share
        return 0

cdef float _sum_as_numpy(const float* values, Py_ssize_t count) noexcept:
    """As numpy's add.reduceat() sums up to 129 numbers: the first, and the others in eight rows."""
    cdef float[8] rows
    cdef float rest = 0, first = values[0]
    cdef Py_ssize_t i, j, others = count - 1
    values += 1
    if others < 8:
        for i in range(others):
            rest += values[i]
        return first + rest
    for j in range(8):
        rows[j] = values[j]
    i = 8
    while i < others - others % 8:
        for j in range(8):
            rows[j] += values[i + j]
        i += 8
    rest = ((rows[0] + rows[1]) + (rows[2] + rows[3])) + ((rows[4] + rows[5]) + (rows[6] + rows[7]))
    while i < others:
        rest += values[i]
        i += 1
    return first + rest


cdef Py_ssize_t _count_signs(str text, Py_ssize_t* prices) noexcept:
    """The blanks in a text; signs of currencies are added to prices."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(text), at = 0, end, spaces = 0, found = 0
    cdef const void* data = PyUnicode_DATA(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef const uint8_t* narrow = <const uint8_t*>data
    cdef const uint16_t* wide = <const uint16_t*>data
    cdef const uint32_t* widest = <const uint32_t*>data
    cdef uint8_t some_spaces, some_prices
    while at < length:  # so few at once that a byte can count them: then the compiler counts sixteen together
        end = min(length, at + 255)
        some_spaces = some_prices = 0
        if kind == PyUnicode_1BYTE_KIND:
            for at in range(at, end):
                some_spaces += narrow[at] == 0x20
                some_prices += (narrow[at] == 0x24) | (narrow[at] == 0xA3)
        elif kind == PyUnicode_2BYTE_KIND:
            for at in range(at, end):
                some_spaces += wide[at] == 0x20
                some_prices += (wide[at] == 0x24) | (wide[at] == 0xA3) | (wide[at] == 0x20AC)
        else:
            for at in range(at, end):
                some_spaces += widest[at] == 0x20
                some_prices += (widest[at] == 0x24) | (widest[at] == 0xA3) | (widest[at] == 0x20AC)
        at = end
        spaces += some_spaces
        found += some_prices
    prices[0] += found
    return spaces
