# cython: language_level=3, wraparound=False, initializedcheck=False
"""The work of threadmill.corpus.build.linking, compiled: one pass over a cut text tells where its tokens end."""

from operator import itemgetter

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint32_t
from threadmill.native.unicode cimport (
    PyUnicode_KIND, PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_READ, PyUnicode_GET_LENGTH,
)

from threadmill.corpus.build.documents import IMAGE, MOST_VALUE_BYTES, CutPassage, Span, clean_url
from threadmill.corpus.build.linking import placed
from threadmill.corpus.text.delimited_text import GLUE, GLUED_SENTENCE, SENTENCE


cdef uint32_t _GLUE = ord(GLUE), _SENTENCE = ord(SENTENCE), _GLUED_SENTENCE = ord(GLUED_SENTENCE)
cdef Py_ssize_t _most_value_bytes = MOST_VALUE_BYTES
cdef object _new_tuple = tuple.__new__
cdef object _start = itemgetter(2)
cdef object _after_image = f"{IMAGE} ", _before_image = f" {IMAGE}"


cdef inline bint _is_joint(uint32_t sign) noexcept:
    return sign == c" " or sign == _GLUE or sign == _SENTENCE or sign == _GLUED_SENTENCE


cdef class Tokens:
    """Where the tokens of a cut text are."""

    cdef str cut
    cdef Py_ssize_t count
    cdef Py_ssize_t* ends  # in the text before it was cut
    cdef Py_ssize_t* begins  # in the cut text, and where one more would
    cdef char* spaced  # whether a space that counts as theirs is before them

    def __cinit__(self, str cut):
        cdef Py_ssize_t size = PyUnicode_GET_LENGTH(cut), at, place = 0, count = 0
        cdef int kind = PyUnicode_KIND(cut)
        cdef const void* data = PyUnicode_DATA(cut)
        cdef uint32_t sign
        self.cut = cut
        self.ends = <Py_ssize_t*>PyMem_Malloc((size + 1) * sizeof(Py_ssize_t))
        self.begins = <Py_ssize_t*>PyMem_Malloc((size + 2) * sizeof(Py_ssize_t))
        self.spaced = <char*>PyMem_Malloc(size + 1)
        if self.ends == NULL or self.begins == NULL or self.spaced == NULL:
            raise MemoryError
        self.spaced[0] = 0
        self.begins[0] = 0
        for at in range(size):
            sign = PyUnicode_READ(kind, data, at)
            if sign > c" " or not _is_joint(sign):
                place += 1
                continue
            self.ends[count] = place
            count += 1
            self.begins[count] = at + 1
            self.spaced[count] = sign == c" " or sign == _SENTENCE
            place += self.spaced[count]
        self.ends[count] = place
        self.begins[count + 1] = size + 1
        self.count = count + 1 if size else 0

    def __dealloc__(self):
        PyMem_Free(self.ends)
        PyMem_Free(self.begins)
        PyMem_Free(self.spaced)

    cdef Py_ssize_t ended(self, Py_ssize_t at) noexcept:
        """How many of them end here or before: as bisect_right()."""
        cdef Py_ssize_t low = 0, high = self.count, middle
        while low < high:
            middle = (low + high) // 2
            if at < self.ends[middle]:
                high = middle
            else:
                low = middle + 1
        return low

    cdef Py_ssize_t begun(self, Py_ssize_t at) noexcept:
        """How many of them begin before this place: as linking._begun()."""
        cdef Py_ssize_t done = self.ended(at - 1)
        if done < self.count:
            done += (self.ends[done - 1] if done else 0) + self.spaced[done] < at
        return done

    cdef str with_images(self, list places):
        """As linking._with_images()."""
        cdef list parts = []
        cdef Py_ssize_t place, at, done = 0, size = PyUnicode_GET_LENGTH(self.cut)
        cdef uint32_t before
        if not size:
            return " ".join([IMAGE] * len(places))
        for place in places:
            at = self.begins[place]
            before = ord(self.cut[at - 1]) if 0 < at < size else 0
            if not place or before == _SENTENCE or before == _GLUED_SENTENCE:  # it begins the sentence
                parts.append(self.cut[done:at])
                parts.append(_after_image)
            else:
                at -= 1
                parts.append(self.cut[done:at])
                parts.append(_before_image)
            done = at
        parts.append(self.cut[done:])
        return "".join(parts)


def passages(list sources, list texts, list places, list cuts, list found, python):
    """Put the passages of these sources, whose texts were cleaned and cut, at their places."""
    cdef Py_ssize_t i, at
    cdef str cut
    for i in range(len(places)):
        at = places[i]
        cut = cuts[i]
        text, _, links = <tuple?>sources[at]
        if links:
            passage = linked(text, texts[at], cut, links)
            found[at] = passage if passage is not None else python(text, texts[at], cut, links)
        elif cut:
            found[at] = _new_tuple(CutPassage, (cut, ()))


def linked(str text, str cleaned, str cut, links):
    """The passage of a text, as it was and cleaned and cut, with its links; None where Python has to make it.

    That is where nothing is left, neither text nor image.
    """
    cdef Py_ssize_t size = PyUnicode_GET_LENGTH(cut), at, count = 1, start, before = -1
    cdef int kind = PyUnicode_KIND(cut)
    cdef const void* data = PyUnicode_DATA(cut)
    cdef bint is_sorted = True, has_images = False
    if size and _is_joint(PyUnicode_READ(kind, data, 0)):
        return None
    if text is not cleaned:
        links = placed(links, text, cleaned)
    for link in links:
        if not isinstance(link, tuple) or len(<tuple>link) != 5:
            return None
        if (<tuple>link)[4] == "image":
            has_images = True
        start = (<tuple>link)[2]
        if start < before:
            is_sorted = False
        before = start
    if not size and not has_images:
        return None
    if len(links) == 1 and not has_images and not before and (<tuple>link)[0]:
        if <Py_ssize_t>(<tuple>link)[3] >= PyUnicode_GET_LENGTH(cleaned):  # one link over all, as in most lists
            for at in range(size):
                count += _is_joint(PyUnicode_READ(kind, data, at))
            return _new_tuple(CutPassage, (cut, (_span((<tuple>link)[0], 0, count, "link"),)))
    if not is_sorted:
        links = sorted(links, key=_start)
    return _with_images(Tokens(cut), links) if has_images else _with_links(Tokens(cut), links)


cdef object _with_links(Tokens tokens, links):
    """A passage with links, which are in the order of their beginnings."""
    cdef Py_ssize_t start, end, first, after, last = 0
    cdef list spans = []
    for link in links:
        start, end = (<tuple>link)[2], (<tuple>link)[3]
        first = tokens.ended(start)
        after = tokens.begun(end) if end > start else tokens.ended(end)
        if last <= first < after and (<tuple>link)[0]:
            spans.append(_span((<tuple>link)[0], first, after, "link"))
            last = after
    return _new_tuple(CutPassage, (tokens.cut, tuple(spans)))


cdef object _with_images(Tokens tokens, links):
    """The same with images, each a token of its own."""
    cdef list images = [link for link in links if (<tuple>link)[4] == "image" and (<tuple>link)[0]]
    cdef list places = [tokens.ended((<tuple>image)[2]) for image in images]
    cdef list spans = [
        _span((<tuple>image)[0], place + number, place + number + 1, "image")
        for number, (image, place) in enumerate(zip(images, places))
    ]
    cdef Py_ssize_t start, end, first, after, last = 0, before = 0, up_to
    cdef Py_ssize_t count = len(images)
    if not count and not tokens.count:
        return None
    for link in links:
        if (<tuple>link)[4] == "image" or not (<tuple>link)[0]:
            continue
        start, end = (<tuple>link)[2], (<tuple>link)[3]
        while before < count and <Py_ssize_t>(<tuple>images[before])[2] < start:
            before += 1
        up_to = _begun_images(images, count, end)
        first = tokens.ended(start) + before
        after = (tokens.begun(end) if end > start else tokens.ended(end)) + up_to
        if last <= first < after:
            spans.append(_span((<tuple>link)[0], first, after, "link"))
            last = after
    if len(spans) > 1:
        spans.sort(key=_by_end)
    return _new_tuple(CutPassage, (tokens.with_images(places) if places else tokens.cut, tuple(spans)))


def _by_end(span):
    return (span[2], span[2] - span[1], span[3])


cdef Py_ssize_t _begun_images(list images, Py_ssize_t count, Py_ssize_t at) except -1:
    """How many images begin here or before: as bisect_right()."""
    cdef Py_ssize_t low = 0, high = count, middle
    while low < high:
        middle = (low + high) // 2
        if at < <Py_ssize_t>(<tuple>images[middle])[2]:
            high = middle
        else:
            low = middle + 1
    return low


cdef object _span(str url, Py_ssize_t start, Py_ssize_t end, str kind):
    return _new_tuple(Span, (url if _is_clean(url) else clean_url(url), start, end, kind))


cdef bint _is_clean(str url) noexcept:
    """Whether clean_url() leaves it as it is."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(url), at
    cdef const unsigned char* data
    cdef unsigned char sign
    if not PyUnicode_IS_ASCII(url) or length > _most_value_bytes:
        return False
    data = <const unsigned char*>PyUnicode_DATA(url)
    for at in range(length):
        sign = data[at]
        if (
            sign <= c" " or sign == 0x7F or sign == c"|" or sign == c'"' or sign == c"'" or sign == c"<"
            or sign == c">"
        ):
            return False
    return True
