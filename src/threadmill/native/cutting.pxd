# cython: language_level=3
"""What other compiled modules see of the walk: blocks and their anchors."""

cimport cython


@cython.final
cdef class Anchor:
    cdef public str target, kind, label
    cdef public Py_ssize_t start, end


@cython.final
cdef class Block:
    cdef public str tag, path, hidden, text
    cdef public Py_ssize_t frame, link_chars
    cdef public int heading
    cdef list _nodes
    cdef list _parts
    cdef list _anchors
    cdef int add_node(self, object node) except -1
    cdef int add_part(self, str part) except -1
    cdef int add_anchor(self, Anchor anchor) except -1
    cpdef finish(self)
