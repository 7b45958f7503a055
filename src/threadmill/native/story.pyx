# cython: language_level=3, wraparound=False
"""The searches over all blocks or elements of threadmill.page.judge and threadmill.page.parse, compiled."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free
from libc.stdint cimport uint64_t
from libc.string cimport memchr
from threadmill.native.cutting cimport Block
from threadmill.native.nodes cimport Method, call_attr, method_of
from threadmill.native.word_sets cimport Counts, WordSet
from threadmill.native.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ, PyUnicode_GET_LENGTH,
    PyUnicode_IS_ASCII,
)

from turbohtml import Element

from threadmill.page.judge import justext as twin


cdef Method _ATTR = method_of(Element, "attr")
cdef tuple _CLASS = ("class",), _ID = ("id",)
cdef enum:
    NAMES_A_FRAME = 4  # class, id and two more, as threadmill.native.features reads them
cdef str _TOLD_AS_IT_IS = "pre"
cdef tuple _COPYRIGHT_SIGNS = twin.COPYRIGHT_SIGNS
if [sign.isascii() and "&" not in sign for sign in _COPYRIGHT_SIGNS] != [False, False]:
    raise ImportError("expected two signs that are not ASCII or have an ampersand")
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


def short_lines(list blocks, Py_ssize_t short, Py_ssize_t most):
    """As its twin in threadmill.page.judge.comments."""
    cdef list lines = [], timed = []
    cdef Block block
    for block in blocks:
        if PyUnicode_GET_LENGTH(block.text) > most:
            continue
        if PyUnicode_GET_LENGTH(block.text) <= short:
            lines.append(block.text)
        if _may_tell_time(block.text):
            timed.append(block.text)
    return lines, timed


cdef bint _may_tell_time(str text) except -1:
    """Whether a text has a colon, and if it is ASCII, what _MAY_TELL_TIME of the twin searches for."""
    cdef const unsigned char* letters = <const unsigned char*>PyUnicode_DATA(text)
    cdef Py_ssize_t at, size = PyUnicode_GET_LENGTH(text)
    if not PyUnicode_IS_ASCII(text):
        return ":" in text
    if memchr(letters, c":", size) == NULL:
        return False
    for at in range(1, size - 1):
        if letters[at] == c":" or letters[at] == c"h":
            if c"0" <= letters[at - 1] <= c"9" and c"0" <= letters[at + 1] <= c"9":
                return True
        elif letters[at] == c"g":
            if letters[at - 1] == c"a" and letters[at + 1] == c"o":
                return True
        elif letters[at] == c"o":
            if letters[at - 1] == c"v" and letters[at + 1] == c"r":
                return True
    return "hace" in text or "il y a" in text


def names_around(list blocks, numbers, list parents, list elements, list known, NameHints hints):
    """As its twin in threadmill.page.judge.comments; `known` are names of frames, where they were read."""
    cdef Py_ssize_t count = len(parents), i, frame
    cdef char* seen = <char*>PyMem_Calloc(count + 1, 1)
    cdef list frames = [], names = []
    cdef object classes, identity
    if seen == NULL:
        raise MemoryError
    if known is not None and len(known) != NAMES_A_FRAME * count:
        raise ValueError("names of other frames")
    try:
        for i in numbers:
            frame = (<Block?>blocks[i]).frame
            while 0 <= frame < count and not seen[frame]:
                seen[frame] = 1
                frame = parents[frame]
        for frame in range(count):
            if not seen[frame]:
                continue
            if known is not None:
                classes, identity = known[NAMES_A_FRAME * frame], known[NAMES_A_FRAME * frame + 1]
            else:
                classes, identity = call_attr(&_ATTR, elements[frame], _CLASS), call_attr(&_ATTR, elements[frame], _ID)
            if hints.speaks(classes, identity):
                frames.append(frame)
                names.append(f"{classes or ''} {identity or ''}")
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


# ---- the rules of justext: what each block is by itself, and by its neighbours ----


cdef enum:
    _NONE, _LINK, _SIGN, _CHOICE, _BRIEF, _BRIEF_LINK, _PROSE, _MEDIUM, _FEW, _TOO_FEW
    _REASONS

cdef tuple _TOLD = (
    twin.NO_TEXT, twin.LINKS, twin.COPYRIGHT, twin.MENU, twin.SHORT, twin.SHORT_LINK, twin.LONG, twin.MIDDLING,
    twin.FEW_STOP_WORDS, twin.TOO_FEW_STOP_WORDS,
)
cdef char[10] _LETTERS  # of _REASONS
for _number, (_letter, _) in enumerate(_TOLD):
    _LETTERS[<Py_ssize_t>_number] = ord(_letter)
cdef list _JUDGEMENTS = []  # by reason, each for the letters g, b, s and n; made when they are first asked for


cdef bint _has_copyright_sign(str text) except -1:
    """Whether one of the signs stands in a text; what every sign has is looked for first."""
    if PyUnicode_IS_ASCII(text) and memchr(PyUnicode_DATA(text), c"&", PyUnicode_GET_LENGTH(text)) == NULL:
        return False
    return (<str>_COPYRIGHT_SIGNS[0]) in text or (<str>_COPYRIGHT_SIGNS[1]) in text


cdef class _Page:
    """The letters of a page's blocks."""

    cdef char* letters
    cdef char* first  # before the neighbours were looked at
    cdef char* reasons
    cdef list blocks
    cdef Py_ssize_t count
    cdef str path
    cdef bint leads_through_menu

    def __cinit__(self, list blocks):
        self.blocks = blocks
        self.count = len(blocks)
        self.letters = <char*>PyMem_Calloc(3 * self.count + 1, 1)
        if self.letters == NULL:
            raise MemoryError
        self.first = self.letters + self.count
        self.reasons = self.first + self.count

    def __dealloc__(self):
        PyMem_Free(self.letters)

    cdef int context_free(self, WordSet words, settings) except -1:
        """As its twin."""
        cdef Py_ssize_t length_low = settings.length_low, length_high = settings.length_high, length, i
        cdef double links = settings.max_link_density
        cdef double low = settings.stop_words_low, high = settings.stop_words_high, density
        cdef Counts counts
        cdef Block block
        cdef int told
        for i in range(self.count):
            block = self.blocks[i]
            length = PyUnicode_GET_LENGTH(block.text)
            if length == 0:
                told = _NONE
            elif block.link_chars > links * length:
                told = _LINK
            elif _has_copyright_sign(block.text):
                told = _SIGN
            elif self.is_in_menu(block.path):
                told = _CHOICE
            elif length < length_low:
                told = _BRIEF_LINK if block.link_chars else _BRIEF
            else:
                density = 1.0
                if words is not None:
                    words.count(block.text, length, length, &counts)
                    if counts.words == 0:
                        raise ZeroDivisionError
                    density = <double>counts.known / <double>counts.words
                if density >= high:
                    told = _PROSE if length > length_high else _MEDIUM
                else:
                    told = _FEW if density >= low else _TOO_FEW
            self.reasons[i] = told
            self.letters[i] = self.first[i] = _LETTERS[told]
        return 0

    cdef bint is_in_menu(self, str path) except -1:
        """Whether a path leads through a menu. Blocks that stand together share the object of their path."""
        if path is not self.path:
            self.path = path
            self.leads_through_menu = _MENU_TAG in path
        return self.leads_through_menu

    cdef char at(self, Py_ssize_t i) noexcept:
        """The letter of a block; the edges of the page count as bad."""
        return self.letters[i] if 0 <= i < self.count else <char>c"b"

    cdef void settle_short(self) noexcept:
        """As its twin."""
        cdef Py_ssize_t start = 0, end, i, near
        cdef char before, after, left, right
        while start < self.count:
            end, near = start, -1
            before, after = self.at(start - 1), 0
            while end < self.count and (self.letters[end] == c"s" or self.letters[end] == c"n"):
                if self.letters[end] == c"n" and (near < 0 or before != c"b"):
                    near = end  # the first where the good side follows, else the last
                end += 1
            if end > start:
                after = self.at(end)
                if before == after:
                    left = right = before
                elif near < 0:
                    left = right = c"b"
                elif before == c"b":
                    left, right = c"b", c"g"
                else:
                    left, right = c"g", c"b"
                for i in range(start, end):
                    if self.letters[i] == c"s":
                        self.letters[i] = left if i < near else right
            start = end + 1

    cdef void settle_near_good(self) noexcept:
        """As its twin."""
        cdef Py_ssize_t start = 0, end, i
        cdef char settled
        while start < self.count:
            end = start
            while end < self.count and self.letters[end] == c"n":
                end += 1
            if end > start:
                settled = c"b" if self.at(start - 1) == c"b" and self.at(end) == c"b" else c"g"
                for i in range(start, end):
                    self.letters[i] = settled
            start = end + 1

    cdef int settle_headings(self, Py_ssize_t reach) except -1:
        """As its twin. A heading that becomes good is marked with another letter until all are found."""
        cdef Py_ssize_t i, j, distance
        for i in range(self.count):
            if self.letters[i] != c"b" or self.first[i] == c"b" or (<Block>self.blocks[i]).heading <= 0:
                continue
            distance = 0
            for j in range(i + 1, self.count):
                if distance > reach:
                    break
                if self.letters[j] == c"g":
                    self.letters[i] = c"h"
                    break
                distance += PyUnicode_GET_LENGTH((<Block>self.blocks[j]).text)
        for i in range(self.count):
            if self.letters[i] == c"h":
                self.letters[i] = c"g"
        return 0


def judge_by_rules(list blocks, WordSet words, settings):
    """As judge_by_justext(); words is None where length and links alone decide."""
    cdef _Page page = _Page(blocks)
    cdef list found = []
    cdef Py_ssize_t i, letter
    if not _JUDGEMENTS:
        _JUDGEMENTS.extend([twin.judgement(*told, now) for told in _TOLD for now in "gbsn"])
    page.context_free(words, settings)
    page.settle_short()
    page.settle_near_good()
    if settings.headings:
        page.settle_headings(settings.max_heading_distance)
    for i in range(page.count):
        letter = 0 if page.letters[i] == c"g" else 1 if page.letters[i] == c"b" else 2 if page.letters[i] == c"s" else 3
        found.append(_JUDGEMENTS[4 * page.reasons[i] + letter])
    return found


# ---- the names of elements, for threadmill.page.visible_metadata and threadmill.page.parse.metadata ----


cdef enum:
    _MOST_WORDS = 32

cdef tuple _REL = ("rel",), _ITEMPROP = ("itemprop",), _ITEMTYPE = ("itemtype",), _ITEMSCOPE = ("itemscope",)


cdef inline unsigned int _small(unsigned int letter) noexcept:
    return letter + 32 if c"A" <= letter <= c"Z" else letter


cdef class NameHints:
    """Finds words in class names and IDs, each of which speaks for some groups (bits) of elements."""

    cdef bytes letters  # of all words, one after the other
    cdef Py_ssize_t[33] starts  # _MOST_WORDS + 1
    cdef int[32] of_class, of_id
    cdef unsigned int[256] begun  # words that begin with this letter, as bits
    cdef uint64_t[256] second  # letters that follow this one in some word, as bits of their codes' lower half

    def __init__(self, hints):
        """Hints are a word in small letters of ASCII, and its groups in class names and in IDs."""
        cdef Py_ssize_t i
        if len(hints) > _MOST_WORDS:
            raise ValueError(f"expected at most {_MOST_WORDS} words")
        for i in range(256):
            self.begun[i] = self.second[i] = 0
        self.letters = "".join([word for word, _, _ in hints]).encode("ascii")
        self.starts[0] = 0
        for i, (word, of_class, of_id) in enumerate(hints):
            self.starts[i + 1] = self.starts[i] + len(word)
            self.of_class[i] = of_class
            self.of_id[i] = of_id
            self.begun[ord(word[0])] |= <unsigned int>1 << i
            self.second[ord(word[0])] |= <uint64_t>1 << (ord(word[1]) & 31)

    cdef int speaks(self, classes, identity) except -1:
        """The groups that class names and an ID speak for."""
        cdef int found = 0
        if classes is not None:
            found = self.find(<str?>classes, self.of_class)
        if identity is not None:
            found |= self.find(<str?>identity, self.of_id)
        return found

    cdef int find(self, str name, const int* groups) except -1:
        """The groups that the words inside of a name speak for."""
        cdef int kind = PyUnicode_KIND(name), found = 0
        cdef const void* raw = PyUnicode_DATA(name)
        cdef const unsigned char* narrow = <const unsigned char*>raw
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(name), at
        cdef unsigned int letter
        if kind == PyUnicode_1BYTE_KIND:
            for at in range(size - 1):
                letter = narrow[at] | 32  # other signs than letters become something that stands for no word
                if self.second[letter] >> (narrow[at + 1] & 31) & 1:
                    found |= self.at(kind, raw, size, at, groups)
        else:
            for at in range(size - 1):
                found |= self.at(kind, raw, size, at, groups)
        return found

    cdef int at(self, int kind, const void* raw, Py_ssize_t size, Py_ssize_t at, const int* groups) except -1:
        """The groups of the words that begin here."""
        cdef const unsigned char* letters = <const unsigned char*><const char*>self.letters
        cdef const unsigned char* word
        cdef unsigned int letter = _small(PyUnicode_READ(kind, raw, at)), begun
        cdef Py_ssize_t i, length
        cdef int number = 0, found = 0
        begun = self.begun[letter] if letter < 256 else 0
        while begun:
            if begun & 1:
                word, length = letters + self.starts[number], self.starts[number + 1] - self.starts[number]
                i = 1
                while i < length and at + i < size and _small(PyUnicode_READ(kind, raw, at + i)) == word[i]:
                    i += 1
                if i == length:
                    found |= groups[number]
            begun >>= 1
            number += 1
        return found

    def sort(self, list elements, list groups, others):
        """Put every element into the groups that its names speak for, and into those it is given for."""
        cdef object element
        cdef Py_ssize_t group
        cdef int found
        cdef dict given = {}
        for group, known in enumerate(others):
            for element in known:
                given[element] = given.get(element, 0) | 1 << group
        for element in elements:
            found = given.get(element, 0) if given else 0
            found |= self.speaks(call_attr(&_ATTR, element, _CLASS), call_attr(&_ATTR, element, _ID))
            group = 0
            while found:
                if found & 1:
                    (<list?>groups[group]).append(element)
                found >>= 1
                group += 1


def sort_marked(list elements, list named, list typed):
    """As its twin in threadmill.page.parse.metadata."""
    cdef object relation, names
    for element in elements:
        relation = call_attr(&_ATTR, element, _REL)
        names = call_attr(&_ATTR, element, _ITEMPROP)
        if relation or names:
            named.append((f"{relation or ''} {names or ''}".lower(), element))
        if call_attr(&_ATTR, element, _ITEMTYPE) is not None and call_attr(&_ATTR, element, _ITEMSCOPE) is not None:
            typed.append(element)


def links_with(list elements, tuple paths):
    """The elements whose target has one of these inside."""
    cdef list found = []
    cdef object element, target
    cdef str path
    for element in elements:
        target = call_attr(&_ATTR, element, _HREF)
        if target is not None:
            for path in paths:
                if path in <str?>target:
                    found.append(element)
                    break
    return found


cdef tuple _HREF = ("href",), _CONTENT = ("content",)
cdef tuple _KEYS = (("name",), ("property",), ("itemprop",), ("http-equiv",))


def named_contents(list elements, Py_ssize_t most):
    """As its twin in threadmill.page.parse.metadata."""
    cdef list found = []
    cdef object element, key, value
    cdef str content
    cdef tuple name
    for element in elements:
        for name in _KEYS:
            key = call_attr(&_ATTR, element, name)
            if key:
                break
        else:
            continue
        value = call_attr(&_ATTR, element, _CONTENT)
        content = " ".join((<str?>value)[:most].split()) if value else ""
        if content:
            found.append(((<str?>key).strip().lower(), content))
    return found


def headings(blocks, Py_ssize_t most):
    """As its twin in threadmill.page.visible_metadata."""
    cdef list found = []
    cdef Block block
    cdef Py_ssize_t i = 0
    for block in blocks:
        if i == most:
            break
        if block.heading and PyUnicode_GET_LENGTH(block.text):
            found.append((i, block.heading, block.text))
        i += 1
    return found


cdef inline bint _is_digit(const unsigned char* letters, Py_ssize_t at, Py_ssize_t size) noexcept:
    return at < size and c"0" <= letters[at] <= c"9"


cdef inline bint _joins(const unsigned char* letters, Py_ssize_t at, Py_ssize_t size) noexcept:
    """Whether a sign stands here that parts the numbers of a date."""
    return at < size and c"-" <= letters[at] <= c"/"


cdef bint _may_have_date(str text) noexcept:
    """Whether a text has digits as dates have them, or letters beyond ASCII, whose digits are not looked for."""
    cdef Py_ssize_t at, next, size = PyUnicode_GET_LENGTH(text), row = 0
    cdef const unsigned char* letters = <const unsigned char*>PyUnicode_DATA(text)
    if not PyUnicode_IS_ASCII(text):
        return True
    for at in range(size):
        if not c"0" <= letters[at] <= c"9":
            row = 0
            continue
        row += 1
        if row == 4:
            return True
        if _joins(letters, at + 1, size) and _is_digit(letters, at + 2, size):
            next = at + 3 + _is_digit(letters, at + 3, size)
            if _joins(letters, next, size) and _is_digit(letters, next + 1, size) and _is_digit(letters, next + 2, size):
                return True
    return False


def short_texts(list blocks, list content, Py_ssize_t first, Py_ssize_t last, Py_ssize_t most, bint dated):
    """As its twin in threadmill.page.visible_metadata."""
    cdef list found = []
    cdef Block block
    cdef Py_ssize_t i
    for i in range(first, min(last, len(blocks))):
        block = blocks[i]
        if PyUnicode_GET_LENGTH(block.text) > most:
            continue
        if PyUnicode_GET_LENGTH(block.hidden) if content is None else not content[i]:
            continue
        if not dated or _may_have_date(block.text):
            found.append(block.text)
    return found


def labelled_texts(list blocks, str first_letters, Py_ssize_t last, Py_ssize_t label, Py_ssize_t most):
    """As its twin in threadmill.page.visible_metadata."""
    cdef list found = []
    cdef Block block, following
    cdef Py_ssize_t i, length
    for i in range(min(last, len(blocks)) - 1):
        block = blocks[i]
        length = PyUnicode_GET_LENGTH(block.text)
        if length > label or (length and block.text[0] < 128 and block.text[0] not in first_letters):
            continue
        following = blocks[i + 1]
        if PyUnicode_GET_LENGTH(following.text) <= most:
            found.append((block.text, following.text))
    return found
