# cython: language_level=3
"""Growing arrays and hash tables that every extension shares. All functions are inline."""

from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset

from threadmill.native.unicode cimport PyUnicode_DATA, PyUnicode_GET_LENGTH, PyUnicode_KIND, PyUnicode_READ


cdef inline void* with_room(void* array, Py_ssize_t* room, Py_ssize_t wanted, size_t size) except NULL:
    """The array, moved to where it has room for so many items of this size if it had too little."""
    cdef Py_ssize_t more
    cdef void* moved
    if wanted <= room[0] and array != NULL:
        return array
    more = 2 * wanted + 64
    moved = PyMem_Realloc(array, more * size)
    if moved == NULL:
        raise MemoryError
    room[0] = more
    return moved


# FNV-1a over characters. A word's hash can so be made while its characters are read.
cdef enum:
    HASH_SEED = 0x4F2B19C7


cdef inline uint64_t hash_with(uint64_t hashed, uint32_t character) noexcept nogil:
    """The hash of a word with one character more."""
    return (hashed ^ character) * <uint64_t>0x100000001B3


cdef inline uint64_t mixed_bits(uint64_t key) noexcept nogil:
    """A number whose lower bits depend on all bits of the key."""
    key ^= key >> 31
    key *= <uint64_t>0x7FB5D329728EA185
    key ^= key >> 27
    key *= <uint64_t>0x81DADEF4BC2DD44D
    return key ^ (key >> 33)


cdef struct StoredWord:
    uint32_t start, length  # among the characters of the table


cdef struct WordTable:  # words by their characters, numbered in the order in which they were added
    uint64_t* places  # a word's number + 1, and in the upper half a part of its hash; 0 is an empty place
    StoredWord* words
    uint32_t* chars
    uint64_t mask  # places - 1
    uint64_t kinds  # one bit for each of 64 kinds of hashes that words have
    Py_ssize_t count, size, longest


cdef inline int make_words(WordTable* table, Py_ssize_t most_words, Py_ssize_t most_chars) except -1:
    """An empty table with room for so many words and characters."""
    cdef Py_ssize_t places = 16
    while places < 2 * most_words + 2:
        places *= 2
    memset(table, 0, sizeof(WordTable))
    table.mask = places - 1
    table.places = <uint64_t*>PyMem_Calloc(places, sizeof(uint64_t))
    table.words = <StoredWord*>PyMem_Malloc((most_words + 1) * sizeof(StoredWord))
    table.chars = <uint32_t*>PyMem_Malloc((most_chars + 1) * sizeof(uint32_t))
    if table.places == NULL or table.words == NULL or table.chars == NULL:
        raise MemoryError
    return 0


cdef inline void free_words(WordTable* table) noexcept:
    PyMem_Free(table.places)
    PyMem_Free(table.words)
    PyMem_Free(table.chars)


cdef inline Py_ssize_t find_word(
    const WordTable* table, const uint32_t* chars, Py_ssize_t length, uint64_t hashed
) noexcept:
    """The number of a word, -1 if the table does not hold it."""
    cdef uint64_t place = (hashed ^ (hashed >> 29)) & table.mask, found
    cdef const StoredWord* word
    cdef const uint32_t* own
    cdef Py_ssize_t i
    while table.places[place]:
        found = table.places[place]
        if found >> 32 == hashed >> 32:
            word = &table.words[<uint32_t>found - 1]
            if word.length == length:
                own = table.chars + word.start
                i = 0
                while i < length and own[i] == chars[i]:
                    i += 1
                if i == length:
                    return <Py_ssize_t><uint32_t>found - 1
        place = (place + 1) & table.mask
    return -1


cdef inline Py_ssize_t add_word(WordTable* table, str word) except -1:
    """The number of a word, which is added if the table does not hold it."""
    return add_chars(table, PyUnicode_KIND(word), PyUnicode_DATA(word), 0, PyUnicode_GET_LENGTH(word))


cdef inline Py_ssize_t add_chars(
    WordTable* table, int kind, const void* data, Py_ssize_t start, Py_ssize_t length
) noexcept:
    """The same for a part of a text."""
    cdef Py_ssize_t i, known
    cdef uint32_t* chars = table.chars + table.size
    cdef uint64_t hashed = HASH_SEED, place
    for i in range(length):
        chars[i] = PyUnicode_READ(kind, data, start + i)
        hashed = hash_with(hashed, chars[i])
    known = find_word(table, chars, length, hashed)
    if known >= 0:
        return known
    place = (hashed ^ (hashed >> 29)) & table.mask
    while table.places[place]:
        place = (place + 1) & table.mask
    table.words[table.count].start = <uint32_t>table.size
    table.words[table.count].length = <uint32_t>length
    table.count += 1
    table.places[place] = (hashed >> 32) << 32 | <uint64_t>table.count
    table.kinds |= <uint64_t>1 << (hashed >> 58)
    table.size += length
    table.longest = max(table.longest, length)
    return table.count - 1


cdef struct NumberTable:  # numbers by numbers, none of them negative
    uint64_t* keys  # each + 1; 0 is an empty place
    int64_t* values
    uint64_t mask  # places - 1
    Py_ssize_t count


cdef inline int make_numbers(NumberTable* table, Py_ssize_t most) except -1:
    """An empty table with room for so many numbers before it grows."""
    cdef Py_ssize_t places = 16
    while places < 2 * most + 2:
        places *= 2
    table.keys = <uint64_t*>PyMem_Calloc(places, sizeof(uint64_t))
    table.values = <int64_t*>PyMem_Malloc(places * sizeof(int64_t))
    table.mask, table.count = places - 1, 0
    if table.keys == NULL or table.values == NULL:
        raise MemoryError
    return 0


cdef inline void free_numbers(NumberTable* table) noexcept:
    PyMem_Free(table.keys)
    PyMem_Free(table.values)
    table.keys = NULL
    table.values = NULL


cdef inline bint find_number(const NumberTable* table, uint64_t key, int64_t* value) noexcept:
    """Whether the table holds a key; its value is put where the caller says."""
    cdef uint64_t place = mixed_bits(key) & table.mask
    while table.keys[place]:
        if table.keys[place] == key + 1:
            value[0] = table.values[place]
            return True
        place = (place + 1) & table.mask
    return False


cdef inline void insert_number(NumberTable* table, uint64_t key, int64_t value) noexcept:
    """Put a key that is not in the table yet into a table that has room."""
    cdef uint64_t place = mixed_bits(key) & table.mask
    while table.keys[place]:
        place = (place + 1) & table.mask
    table.keys[place] = key + 1
    table.values[place] = value
    table.count += 1


cdef inline int add_number(NumberTable* table, uint64_t key, int64_t value, Py_ssize_t most) except -1:
    """Put a key that is not in the table yet. A table of `most` numbers forgets all: common ones soon return."""
    cdef NumberTable larger
    cdef uint64_t place
    if table.count >= most:
        memset(table.keys, 0, (table.mask + 1) * sizeof(uint64_t))
        table.count = 0
    elif 2 * (table.count + 1) > <Py_ssize_t>table.mask:
        larger.keys, larger.values = NULL, NULL
        make_numbers(&larger, 2 * table.count + 2)
        for place in range(table.mask + 1):
            if table.keys[place]:
                insert_number(&larger, table.keys[place] - 1, table.values[place])
        free_numbers(table)
        table[0] = larger
    insert_number(table, key, value)
    return 0
