"""Layouts of other libraries' arrays."""

from __future__ import annotations

from typing import Any

from ._core import Layout


def strided(array: Any) -> Layout:
    """The layout of an array's elements: its shape, and its strides in elements.

    Takes torch's tensors (``stride()`` counts elements) and numpy's and CuPy's arrays (``strides``
    count bytes).

    >>> import numpy, jute
    >>> jute.strided(numpy.zeros((4, 8), numpy.float32))
    jute.Layout('(4,8):(8,1)')
    """
    shape = tuple(int(extent) for extent in array.shape)
    if callable(getattr(array, "stride", None)):
        return Layout(shape, tuple(int(step) for step in array.stride()))
    return Layout(shape, tuple(int(step) // array.itemsize for step in array.strides))
