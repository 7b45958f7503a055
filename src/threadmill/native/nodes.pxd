# cython: language_level=3
"""Reads nodes of turbohtml by the functions behind their attributes.

Python looks up an attribute by its name each time, which takes as long as the reading itself. The descriptors
of a class are public, and so are the functions that they hold. What is no such descriptor is read by its name.
"""

from cpython.object cimport PyObject


cdef extern from "Python.h":
    enum:
        METH_VARARGS
        METH_KEYWORDS
    ctypedef PyObject* (*getter)(PyObject* thing, void* closure)
    ctypedef PyObject* (*PyCFunctionWithKeywords)(PyObject* thing, PyObject* values, PyObject* named)
    ctypedef struct PyGetSetDef:
        getter get
        void* closure
    ctypedef struct PyGetSetDescrObject:
        PyGetSetDef* d_getset
    ctypedef struct PyMethodDef:
        void* ml_meth
        int ml_flags
    ctypedef struct PyMethodDescrObject:
        PyMethodDef* d_method


cdef struct Field:
    getter read  # nothing where the field is no plain descriptor
    void* closure


cdef struct Method:
    PyCFunctionWithKeywords call  # nothing where the method takes its values in another way


cdef inline Field field_of(object kind, str name) except *:
    """How a field of a class is read."""
    from types import GetSetDescriptorType

    cdef Field field
    cdef object descriptor = getattr(kind, name)
    cdef PyGetSetDef* known
    field.read = NULL
    field.closure = NULL
    if type(descriptor) is GetSetDescriptorType:
        known = (<PyGetSetDescrObject*>descriptor).d_getset
        field.read, field.closure = known.get, known.closure
    return field


cdef inline Method method_of(object kind, str name) except *:
    """How a method of a class is called."""
    from types import MethodDescriptorType

    cdef Method method
    cdef object descriptor = getattr(kind, name)
    cdef PyMethodDef* known
    method.call = NULL
    if type(descriptor) is MethodDescriptorType:
        known = (<PyMethodDescrObject*>descriptor).d_method
        if known.ml_flags == (METH_VARARGS | METH_KEYWORDS):
            method.call = <PyCFunctionWithKeywords>known.ml_meth
    return method


cdef extern from *:
    """
    static inline PyObject* threadmill_checked(PyObject* found) {
        if (found == NULL && !PyErr_Occurred())
            PyErr_SetString(PyExc_SystemError, "a field that gives neither a value nor an error");
        return found;
    }
    """
    object threadmill_checked(PyObject* found)  # takes over the reference


cdef inline object read_field(Field* field, object node, str name):
    """The value of a field. The node must be of the class that the field was asked of."""
    if field.read == NULL:
        return getattr(node, name)
    return threadmill_checked(field.read(<PyObject*>node, field.closure))


cdef inline object call_attr(Method* method, object element, tuple name):
    """The attribute of an element whose name is the only item of the tuple, or None."""
    if method.call == NULL:
        return element.attr(name[0])
    return threadmill_checked(method.call(<PyObject*>element, <PyObject*>name, NULL))
