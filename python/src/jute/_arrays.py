"""New arrays of the library that an operand came from."""

from __future__ import annotations

import sys
from typing import Any

from . import _core


def numpy_dtype(dtype: str) -> Any:
    """numpy's dtype of one of jute's; where only ml_dtypes has it and is missing, its bits."""
    import numpy

    name, bits = _core.array_type(dtype)
    try:
        return numpy.dtype(name)
    except TypeError:
        pass
    try:
        import ml_dtypes
    except ImportError:
        return numpy.dtype(bits)
    return numpy.dtype(getattr(ml_dtypes, name))


def empty(like: Any, shape: tuple[int, ...], dtype: str) -> Any:
    """An array of like's library and device with unset elements."""
    library = type(like).__module__.partition(".")[0]
    if hasattr(like, "new_empty"):
        return like.new_empty(shape, dtype=getattr(sys.modules["torch"], _core.array_type(dtype)[0]))
    if library == "cupy":
        return sys.modules["cupy"].empty(shape, dtype=numpy_dtype(dtype))
    if hasattr(like, "__cuda_array_interface__"):
        from ._refusals import refused

        raise refused("unsupported", "out", f"{type(like).__module__}.{type(like).__qualname__}",
                      "out must be given: jute makes arrays of numpy, torch and CuPy")  # fmt: skip
    import numpy

    return numpy.empty(shape, dtype=numpy_dtype(dtype))


def one(like: Any, dtype: str) -> Any:
    """An array without axes that is 1, in like's library and on its device."""
    name = _core.array_type(dtype)[0]
    if hasattr(like, "new_full"):
        return like.new_full((), 1, dtype=getattr(sys.modules["torch"], name))
    made = empty(like, (), dtype)
    kind = numpy_dtype(dtype)
    made[...] = _bits_of_one(dtype) if kind.name != name else 1
    return made


def _bits_of_one(dtype: str) -> int:
    """Where only the bits have a type: those of 1."""
    return {"bf16": 0x3F80, "e4m3": 0x38, "e5m2": 0x3C}.get(dtype, 1)
