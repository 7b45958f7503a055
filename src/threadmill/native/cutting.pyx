# cython: language_level=3, wraparound=False, initializedcheck=False
"""The walk of threadmill.page.blocks.cutting, compiled: the same blocks and frames in a quarter of the time.

Places of elements stand on a stack, because in document order the parent of a node is always on the way down
to it; the text of a block grows in one buffer of characters.
"""

cimport cython
from cpython.mem cimport PyMem_Free
from cpython.object cimport PyObject
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.stdint cimport uint64_t
from libc.string cimport memcpy, memmove, memset
from threadmill.native.containers cimport with_room
from threadmill.native.nodes cimport Field, Method, call_attr, field_of, method_of, read_field
from threadmill.native.unicode cimport (
    PyUnicode_1BYTE_KIND, PyUnicode_4BYTE_KIND, PyUnicode_KIND, PyUnicode_DATA, PyUnicode_READ,
    PyUnicode_GET_LENGTH, PyUnicode_FromKindAndData, Py_UNICODE_ISSPACE,
)

from turbohtml import DocumentFragment, Element, Node, Text

from threadmill.page.blocks import cutting as twin
from threadmill.types import Link


@cython.final
@cython.no_gc
@cython.freelist(256)
cdef class Anchor:
    """The twin of threadmill.page.blocks.block.Anchor."""


@cython.final
@cython.no_gc
@cython.freelist(256)
cdef class Block:
    """The twin of threadmill.page.blocks.block.Block; lists are made when something is put into them."""

    @property
    def parts(self):
        return self._parts if self._parts is not None else []

    @property
    def anchors(self):
        return self._anchors if self._anchors is not None else []

    @property
    def nodes(self):
        return self._nodes if self._nodes is not None else []

    @nodes.setter
    def nodes(self, list nodes):
        self._nodes = nodes

    cdef int add_node(self, object node) except -1:
        if self._nodes is None:
            self._nodes = []
        self._nodes.append(node)
        return 0

    cdef int add_part(self, str part) except -1:
        if self._parts is None:
            self._parts = []
        self._parts.append(part)
        return 0

    cdef int add_anchor(self, Anchor anchor) except -1:
        if self._anchors is None:
            self._anchors = []
        self._anchors.append(anchor)
        return 0

    cpdef finish(self):
        """Join the parts of a hidden or preformatted block."""
        cdef Anchor anchor
        cdef Py_ssize_t before, length
        cdef str text = "".join(self.parts)
        if self.tag != "pre":
            self.text = " ".join(text.split())
            return
        self.text = text.strip("\n").rstrip()
        before, length = len(text) - len(text.lstrip("\n")), len(self.text)
        for anchor in self.anchors:
            anchor.start = min(max(anchor.start - before, 0), length)
            anchor.end = min(max(anchor.end - before, 0), length)

    def links(self, addresses):
        """The links and images with absolute addresses."""
        cdef Anchor anchor
        cdef list found = []
        absolute = addresses.absolute
        for anchor in self.anchors:
            label = anchor.label if anchor.kind == "image" else self.text[anchor.start : anchor.end]
            found.append(_new(Link, (absolute(anchor.target), label, anchor.start, anchor.end, anchor.kind)))
        return tuple(found)


cdef object _new = tuple.__new__

cdef Field _PARENT = field_of(Node, "parent"), _DATA = field_of(Text, "data"), _TAG = field_of(Element, "tag")
cdef Method _ATTR = method_of(Element, "attr")
cdef tuple _HREF = ("href",), _SRC = ("src",), _ALT = ("alt",)


cdef bint[256] _SPACES
for _code in range(256):
    _SPACES[<Py_ssize_t>_code] = chr(_code).isspace()

# What the walk does with an element, by its tag.
cdef int _INLINE = twin.INLINE, _BLOCK = twin.BLOCK, _SKIPPED = twin.SKIPPED, _LINK = twin.LINK
cdef int _LINE_BREAK = twin.LINE_BREAK, _IMAGE = twin.IMAGE, _CUSTOM = twin.CUSTOM
cdef dict _HEADINGS = twin.HEADINGS
cdef tuple _LAZY_SOURCES = twin.LAZY_SOURCES


cdef enum:
    _SLOTS = 512  # of a table; half of them are filled at most


cdef struct Slot:
    uint64_t key  # 0: nothing stands here
    Py_ssize_t of
    Py_ssize_t value


@cython.final
cdef class Known:
    """Small numbers by keys, in a table that does not grow: who finds it full asks a dict."""

    cdef Slot[_SLOTS] slots
    cdef Py_ssize_t count

    def __cinit__(self):
        memset(self.slots, 0, sizeof(self.slots))
        self.count = 0

    cdef inline Slot* slot(self, uint64_t key, Py_ssize_t of) noexcept:
        """Where a key stands, or would stand."""
        cdef uint64_t at = (key + <uint64_t>of * <uint64_t>0x9E3779B97F4A7C15) * <uint64_t>0xFF51AFD7ED558CCD
        at >>= 55  # the highest bits are mixed best; there are as many as slots want
        while self.slots[at].key and (self.slots[at].key != key or self.slots[at].of != of):
            at = (at + 1) & (_SLOTS - 1)
        return &self.slots[at]

    cdef inline void put(self, Slot* slot, uint64_t key, Py_ssize_t of, Py_ssize_t value) noexcept:
        if key and self.count < _SLOTS // 2:
            self.count += 1
            slot.key, slot.of, slot.value = key, of, value


cdef inline uint64_t _packed(str name) noexcept:
    """A short name as one number; 0 for others. Names of tags are new objects whenever they are asked for."""
    cdef Py_ssize_t length = PyUnicode_GET_LENGTH(name), at
    cdef const unsigned char* letters
    cdef uint64_t key = 0
    if length > 8 or PyUnicode_KIND(name) != PyUnicode_1BYTE_KIND:
        return 0
    letters = <const unsigned char*>PyUnicode_DATA(name)
    for at in range(length):
        key = key << 8 | letters[at]
    return key


cdef struct Place:
    PyObject* node  # owned
    Py_ssize_t frame
    PyObject* link  # the link element around it, which stands further down on the stack, or nothing
    PyObject* why  # it is hidden, or nothing; kept by the mapping of hidden elements
    bint is_text  # of the page


cdef class Walk:
    """The state of one walk."""

    cdef dict codes, hidden
    cdef Known known  # tags → what is done with them, by 0; tags inside a shape → their shape, by its number
    cdef Known known_hidden
    cdef object cut
    cdef list blocks, parents, elements, shapes, paths, tags, headings
    cdef list inner  # per shape, that of nothing first: tag → the shape of it inside
    cdef bint keeps_blank, keeps_nodes, keeps_images, enters_templates, any_hidden
    cdef Block hidden_block
    cdef Place* stack
    cdef Py_ssize_t height, room
    # The text of a block grows in bytes, until a character comes that needs more.
    cdef unsigned char* narrow
    cdef Py_UCS4* wide
    cdef bint is_wide
    cdef Py_ssize_t size, narrow_space, wide_space

    def __cinit__(self):
        self.stack = NULL
        self.narrow = NULL
        self.wide = NULL
        self.is_wide = False
        self.height = self.room = self.size = self.narrow_space = self.wide_space = 0

    def __dealloc__(self):
        self.pop_to(0)
        PyMem_Free(self.stack)
        PyMem_Free(self.narrow)
        PyMem_Free(self.wide)

    def __init__(self, rules, dict codes, dict hidden, cut):
        cdef object element
        cdef uint64_t key
        self.codes = codes
        self.hidden = hidden
        self.cut = cut
        self.blocks = cut.blocks
        self.parents = cut.parents
        self.elements = cut.elements
        self.shapes = cut.shapes
        self.paths = cut.paths
        self.tags = cut.tags
        self.headings = cut.headings
        self.inner = [{}]
        self.keeps_blank = rules.keeps_blank
        self.keeps_nodes = rules.keeps_nodes
        self.keeps_images = rules.keeps_images
        self.enters_templates = rules.enters_templates
        self.any_hidden = bool(hidden)
        self.known = Known()
        if self.any_hidden:
            self.known_hidden = Known()
            for element in hidden:
                key = <uint64_t><size_t><PyObject*>element
                self.known_hidden.put(self.known_hidden.slot(key, 0), key, 0, 0)
        self.hidden_block = None

    cdef void pop_to(self, Py_ssize_t height) noexcept:
        while self.height > height:
            self.height -= 1
            Py_DECREF(<object>self.stack[self.height].node)

    cdef Place* push(self, object node) except NULL:
        self.stack = <Place*>with_room(self.stack, &self.room, self.height + 1, sizeof(Place))
        cdef Place* place = &self.stack[self.height]
        memset(place, 0, sizeof(Place))
        Py_INCREF(node)
        place.node = <PyObject*>node
        self.height += 1
        return place

    cdef int reserve(self, Py_ssize_t more) except -1:
        if self.is_wide:
            self.wide = <Py_UCS4*>with_room(self.wide, &self.wide_space, self.size + more, sizeof(Py_UCS4))
        else:
            self.narrow = <unsigned char*>with_room(self.narrow, &self.narrow_space, self.size + more, 1)
        return 0

    cdef int widen(self) except -1:
        """Go on with more than a byte for a character."""
        cdef Py_ssize_t at
        self.is_wide = True
        self.reserve(1)
        for at in range(self.size):
            self.wide[at] = self.narrow[at]
        return 0

    cdef void put(self, Py_ssize_t at, unsigned char character) noexcept:
        if self.is_wide:
            self.wide[at] = character
        else:
            self.narrow[at] = character

    cdef Py_ssize_t squeeze(self, object data, bint* starts_blank, bint* ends_blank) except -1:
        """Append a text with single blanks for its white space and none at its ends; gives its new length."""
        cdef int kind = PyUnicode_KIND(data)
        cdef const void* raw = PyUnicode_DATA(data)
        cdef Py_ssize_t length = PyUnicode_GET_LENGTH(data), at, start
        cdef Py_UCS4 character
        cdef unsigned char* small
        cdef Py_UCS4* out
        cdef bint blank = False
        if kind != PyUnicode_1BYTE_KIND and not self.is_wide:
            self.widen()
        self.reserve(length)
        start = 0
        if self.is_wide:
            out = self.wide + self.size
            for at in range(length):
                character = PyUnicode_READ(kind, raw, at)
                if Py_UNICODE_ISSPACE(character):
                    blank = True
                    continue
                if blank:
                    if start:
                        out[start] = c" "
                        start += 1
                    blank = False
                out[start] = character
                start += 1
        else:
            small = self.narrow + self.size
            if _is_squeezed(<const unsigned char*>raw, length):
                memcpy(small, raw, length)
                self.size += length
                return length
            for at in range(length):
                character = (<const unsigned char*>raw)[at]
                if _SPACES[character]:
                    blank = True
                    continue
                if blank:
                    if start:
                        small[start] = c" "
                        start += 1
                    blank = False
                small[start] = <unsigned char>character
                start += 1
        if start != length:
            starts_blank[0] = Py_UNICODE_ISSPACE(PyUnicode_READ(kind, raw, 0)) != 0
            ends_blank[0] = blank
        self.size += start
        return start

    cdef int take_text(self, Block block, Py_ssize_t start) except -1:
        """Make the text of a block of what grew in the buffer from here on."""
        if block is not None:
            if self.is_wide:
                block.text = PyUnicode_FromKindAndData(
                    PyUnicode_4BYTE_KIND, self.wide + start, self.size - start
                )
            else:
                block.text = PyUnicode_FromKindAndData(
                    PyUnicode_1BYTE_KIND, self.narrow + start, self.size - start
                )
        self.size = start
        if not start:
            self.is_wide = False
        return 0

    cdef Block begin(self, Py_ssize_t frame, str hidden):
        cdef Block block = Block.__new__(Block)
        cdef Py_ssize_t shape
        if frame >= 0:
            shape = self.shapes[frame]
            block.tag = self.tags[shape]
            block.path = self.paths[shape]
            block.heading = self.headings[shape]
        else:
            block.tag = "body"
            block.path = ""
            block.heading = 0
        block.frame = frame
        block.hidden = hidden
        block.link_chars = 0
        block.text = ""
        self.blocks.append(block)
        return block

    cdef Py_ssize_t add_shape(self, Py_ssize_t outer, str tag) except -1:
        """As Cut.add_shape()."""
        cdef Py_ssize_t shape = len(self.paths)
        cdef object heading = _HEADINGS.get(tag)
        if outer >= 0:
            self.paths.append(f"{self.paths[outer]}.{tag}")
            self.tags.append("pre" if self.tags[outer] == "pre" else tag)
            self.headings.append(heading if heading is not None else self.headings[outer])
        else:
            self.paths.append(tag)
            self.tags.append(tag)
            self.headings.append(heading if heading is not None else 0)
        self.inner.append({})
        return shape

    cdef Anchor image(self, object element):
        """As _TreeWalk._image()."""
        if not self.keeps_images:
            return None
        cdef str source = call_attr(&_ATTR, element, _SRC) or ""
        if not source or source.startswith("data:"):
            for name in _LAZY_SOURCES:
                source = element.attr(name) or ""
                if source:
                    break
            source = source.partition(" ")[0]
        if not source:
            return None
        cdef str label = call_attr(&_ATTR, element, _ALT) or ""
        return _anchor(source, 0, 0, "image", " ".join(label.split()) if label else label)

    cdef int code_of(self, str tag) except -1:
        """What is done with an element of this tag."""
        cdef uint64_t key = _packed(tag)
        cdef Slot* slot = self.known.slot(key, 0)
        cdef int code
        if key and slot.key:
            return <int>slot.value
        if tag == "base":
            self.cut.has_base = True
        found = self.codes.get(tag)
        if found is None:
            code = _CUSTOM if "-" in tag else _INLINE
            self.codes[tag] = code
        else:
            code = found
        self.known.put(slot, key, 0, code)
        return code

    cdef Py_ssize_t shape_of(self, Py_ssize_t outer, str tag) except -1:
        """The shape of a frame of this tag in one of another shape, or in none."""
        cdef uint64_t key = _packed(tag)
        cdef Slot* slot = self.known.slot(key, outer + 2)
        cdef dict inner
        cdef Py_ssize_t shape
        if key and slot.key:
            return slot.value
        inner = self.inner[outer + 1]
        found = inner.get(tag)
        if found is None:
            shape = self.add_shape(outer, tag)
            inner[tag] = shape
        else:
            shape = found
        self.known.put(slot, key, outer + 2, shape)
        return shape

    cdef PyObject* why_hidden(self, object node) except? NULL:
        """Why an element is hidden; nothing where it is not, or where that is not known of it."""
        cdef uint64_t key = <uint64_t><size_t><PyObject*>node
        if not self.known_hidden.slot(key, 0).key and len(self.hidden) <= _SLOTS // 2:
            return NULL
        why = self.hidden.get(node)
        return <PyObject*>why if why else NULL

    cdef int read_hidden(self, object node, str data, Py_ssize_t frame, object why) except -1:
        """As _TreeWalk._read_hidden()."""
        cdef Block block = self.hidden_block
        if block is None or block.frame != frame:
            block = self.hidden_block = self.begin(frame, why)
        block.add_part(data)
        if self.keeps_nodes:
            block.add_node(node)
        return 0

    cdef int run(self, object root, Py_ssize_t frame_of_root, PyObject* link_of_root, PyObject* why_of_root) except -1:
        """Visit every node below a root once, in document order."""
        cdef object node, linked = None, text, between
        cdef Block block = None
        cdef Anchor anchor = None, image, before
        cdef object text_type = Text, element_type = Element, fragment_type = DocumentFragment, kind
        cdef str data, tag, blank = ""
        cdef list waiting = []
        cdef Py_ssize_t floor = self.height, bottom = self.size
        cdef Py_ssize_t standing = -2, length = 0, size, start, end, shape, outer
        cdef Py_ssize_t frame
        cdef bint is_kept = False, boundary = True, parted = False, spaced = False
        cdef bint was_spaced, starts_blank, has_parts = False, has_blank = False
        cdef int breaks = 0, streak = 0, code
        cdef Py_ssize_t link_chars = 0
        cdef Place* place
        cdef Place* own
        cdef Place here
        place = self.push(root)
        place.frame, place.link, place.why, place.is_text = frame_of_root, link_of_root, why_of_root, True
        for node in root.descendants:
            kind = type(node)
            if kind is text_type:
                place = self.find(read_field(&_PARENT, node, "parent"), floor)
                if not place.is_text:  # what a script says is not even copied
                    continue
                data = read_field(&_DATA, node, "data")
                if _is_blank(data):
                    if self.keeps_blank and not boundary:
                        has_blank = True
                        if is_kept:
                            blank = blank + data
                    continue
                frame = place.frame
                if place.why != NULL:
                    self.read_hidden(node, data, frame, <object>place.why)
                    continue
                if boundary or standing != frame or (parted and not is_kept):
                    if block is not None:
                        self.close(block, bottom, is_kept, link_chars)
                    block = self.begin(frame, "")
                    standing, is_kept = frame, block.tag == "pre"
                    has_parts, length, linked, anchor, link_chars = False, 0, None, None, 0
                    if waiting:
                        waiting = []
                was_spaced, spaced, starts_blank = spaced, False, False
                if is_kept:
                    text = " ".join(data.split())
                    size = PyUnicode_GET_LENGTH(text)
                    if size != PyUnicode_GET_LENGTH(data):
                        starts_blank, spaced = data[0].isspace(), data[len(data) - 1].isspace()
                    if has_parts:
                        between = "\n" * breaks or blank
                        block.add_part(between)
                        length += len(between)
                    block.add_part(data)
                    start = length + len(data) - len(data.lstrip())
                    end = length + len(data.rstrip())
                    length += len(data)
                else:
                    self.reserve(1)
                    start = self.size  # the place of a blank before it is left free until it is known
                    self.size += 1
                    size = self.squeeze(data, &starts_blank, &spaced)
                    if has_parts and breaks:
                        self.put(start, c"\n")
                        length += 1
                    elif has_parts and (was_spaced or starts_blank or has_blank):
                        self.put(start, c" ")
                        length += 1
                    else:
                        self.close_up(start)
                    start = length
                    length = end = start + size
                has_parts = True
                if place.link != NULL:
                    if <PyObject*>linked != place.link:
                        linked, anchor = <object>place.link, None
                        text = call_attr(&_ATTR, linked, _HREF)
                        if text is not None or not self.keeps_blank:
                            anchor = _anchor(text or "", start, end, "link", "")
                            block.add_anchor(anchor)
                    if anchor is not None:
                        anchor.end = end
                        link_chars += size + starts_blank + spaced
                if waiting:
                    for before in waiting:
                        before.start = before.end = start
                    waiting = []
                boundary, breaks, streak, parted, has_blank = False, 0, 0, False, False
                if is_kept:
                    blank = ""
                if self.keeps_nodes:
                    block.add_node(node)
            elif kind is element_type:
                here = self.find(read_field(&_PARENT, node, "parent"), floor)[0]
                tag = read_field(&_TAG, node, "tag")
                code = self.code_of(tag)
                if not here.is_text:
                    self.push(node)
                    boundary = boundary or code == _BLOCK
                    continue
                if self.any_hidden and here.why == NULL and code != _IMAGE:
                    here.why = self.why_hidden(node)
                if code == _BLOCK:
                    boundary = True
                    outer = <Py_ssize_t>self.shapes[here.frame] if here.frame >= 0 else -1
                    shape = self.shape_of(outer, tag)
                    own = self.push(node)
                    own.frame, own.link, own.why, own.is_text = len(self.parents), here.link, here.why, True
                    self.parents.append(here.frame)
                    self.elements.append(node)
                    self.shapes.append(shape)
                elif code == _INLINE:
                    streak = 0
                    own = self.push(node)
                    own.frame, own.link, own.why, own.is_text = here.frame, here.link, here.why, True
                elif code == _LINK:
                    own = self.push(node)
                    own.frame, own.link, own.why, own.is_text = here.frame, own.node, here.why, True
                elif code == _SKIPPED:
                    streak = 0
                    self.push(node)
                elif code == _LINE_BREAK:
                    breaks += 1
                    streak += 1
                    parted = parted or streak > 1
                elif code == _IMAGE:
                    if here.why == NULL:
                        image = self.image(node)
                        if image is not None:
                            if boundary or standing != here.frame:
                                if block is not None:
                                    self.close(block, bottom, is_kept, link_chars)
                                block = self.begin(here.frame, "")
                                standing, is_kept = here.frame, block.tag == "pre"
                                has_parts, length, linked, anchor, link_chars = False, 0, None, None, 0
                                waiting = []
                                boundary = False
                            image.start = image.end = length
                            block.add_anchor(image)
                            waiting.append(image)
                else:
                    streak = 0
                    own = self.push(node)
                    own.frame, own.link, own.why, own.is_text = here.frame, here.link, here.why, True
                    root = node.shadow_root
                    if root is not None:
                        start = self.height
                        self.run(root, here.frame, here.link, here.why)
                        self.pop_to(start)
                        boundary = True
            elif kind is fragment_type:
                here = self.find(read_field(&_PARENT, node, "parent"), floor)[0]
                own = self.push(node)
                if self.enters_templates:
                    own.frame, own.link, own.why, own.is_text = here.frame, here.link, here.why, here.is_text
        if block is not None:
            self.close(block, bottom, is_kept, link_chars)
        self.size = bottom
        self.pop_to(floor)
        return 0

    cdef Place* find(self, object node, Py_ssize_t floor) except NULL:
        """The place of an element on the way down to here; what is further down has been left."""
        cdef Py_ssize_t at = self.height - 1
        while at >= floor and self.stack[at].node != <PyObject*>node:
            at -= 1
        if at < floor:
            raise KeyError("a node whose parent was not visited")
        self.pop_to(at + 1)
        return &self.stack[at]

    cdef int close_up(self, Py_ssize_t at) except -1:
        """Take out the character that was left free here."""
        self.size -= 1
        if self.is_wide:
            memmove(self.wide + at, self.wide + at + 1, (self.size - at) * sizeof(Py_UCS4))
        else:
            memmove(self.narrow + at, self.narrow + at + 1, self.size - at)
        return 0

    cdef int close(self, Block block, Py_ssize_t start, bint is_kept, Py_ssize_t link_chars) except -1:
        if link_chars:
            block.link_chars = link_chars
        if is_kept:
            self.size = start
        else:
            self.take_text(block, start)
        return 0

    cdef int finish(self) except -1:
        """As _TreeWalk.finish()."""
        cdef Py_ssize_t count = len(self.parents), i, frame, parent
        cdef list starts = [-1] * count, ends = [0] * count, parents = self.parents
        cdef Block block
        for i, block in enumerate(self.blocks):
            if block._parts is not None:
                block.finish()
            frame = block.frame
            if frame >= 0:
                ends[frame] = i + 1
            while frame >= 0 and <Py_ssize_t>starts[frame] < 0:
                starts[frame] = i
                frame = parents[frame]
        for frame in range(count - 1, -1, -1):
            parent = parents[frame]
            if parent >= 0 and <Py_ssize_t>ends[frame] > <Py_ssize_t>ends[parent]:
                ends[parent] = ends[frame]
        self.cut.starts = starts
        self.cut.ends = ends
        return 0


cdef bint _is_squeezed(const unsigned char* letters, Py_ssize_t length) noexcept:
    """Whether a text has no white space but single blanks between other characters. Some are not recognised.

    It is asked of all characters without a way out: so the compiler asks it of sixteen together.
    """
    cdef Py_ssize_t at
    cdef unsigned char any_space = 0
    if not length or letters[0] == c" " or letters[length - 1] == c" ":
        return False
    for at in range(length):
        any_space |= (letters[at] < c" ") | ((letters[at] >= 0x80) & (letters[at] <= 0xA0))
    for at in range(length - 1):
        any_space |= (letters[at] == c" ") & (letters[at + 1] == c" ")
    return not any_space


cdef bint _is_blank(str text) noexcept:
    """Whether it has no visible character."""
    cdef int kind = PyUnicode_KIND(text)
    cdef const void* raw = PyUnicode_DATA(text)
    cdef Py_ssize_t at
    for at in range(PyUnicode_GET_LENGTH(text)):
        if not Py_UNICODE_ISSPACE(PyUnicode_READ(kind, raw, at)):
            return False
    return True


cdef Anchor _anchor(object target, Py_ssize_t start, Py_ssize_t end, str kind, str label):
    cdef Anchor anchor = Anchor.__new__(Anchor)
    anchor.target = target
    anchor.start = start
    anchor.end = end
    anchor.kind = kind
    anchor.label = label
    return anchor


def walk(document, rules, codes, hidden, cut):
    """Read a tree into the blocks and frames of a cut."""
    cdef Walk state = Walk(rules, codes, hidden, cut)
    state.run(document, -1, NULL, NULL)
    state.finish()
    return cut


def hidden_chars(blocks):
    """As its twin in threadmill.page.blocks.cutting."""
    cdef Block block
    cdef Py_ssize_t hidden = 0, chars = 0
    for block in blocks:
        chars += PyUnicode_GET_LENGTH(block.text)
        if PyUnicode_GET_LENGTH(block.hidden):
            hidden += PyUnicode_GET_LENGTH(block.text)
    return hidden, chars
