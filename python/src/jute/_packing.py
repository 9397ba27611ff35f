"""4-bit weights in the orders that checkpoints have."""

from __future__ import annotations

from typing import Any

from . import _core
from .error import Error


def pack_weights(
    array: Any, from_: str, to: str, *, part: str = "weights", dtype: str = "u4"
) -> Any:
    """An array of a quantised weight in another format's order, as a new array of numpy.

    Formats are ``"gptq"``, ``"gptq_v2"``, ``"awq"``, ``"marlin"``, and jute's ``"jute"`` (two of a
    row in a byte, (N,K/2)), ``"jute-kn"``, ``"jute-row"``, ``"bytes"``; what their arrays are is in
    docs/how-to/quantised-weights.md, their layouts are ``packed_layout``'s.

    array   two axes, of numpy or what numpy reads: words (int32) or bytes as the format has them;
            scales of any type of 8 to 64 bits
    part    ``"weights"``; ``"scales"`` and ``"zeros"`` are a number for each row and group
    dtype   ``"s4"``: bytes have the sign of their four bits

    Raises :class:`jute.Error` for shapes that the format has not, and for a number that the other
    one does not hold: a zero point of 16 in AWQ's four bits.

    >>> import numpy, jute
    >>> jute.pack_weights(numpy.arange(8, dtype=numpy.uint8).reshape(8, 1), "bytes", "awq")
    array([[1966171168]], dtype=int32)
    """
    import numpy

    given = numpy.ascontiguousarray(array)
    if given.ndim != 2:
        raise Error(
            "wrong_type",
            operand="array",
            value=f"{given.ndim} axes",
            violated_rules=("it must have two axes",),
        )
    if dtype not in ("u4", "s4"):
        raise Error(
            "wrong_type",
            operand="dtype",
            value=dtype,
            violated_rules=("it must be u4 or s4",),
            nearest_legal="u4",
        )
    rows, columns = given.shape
    packed, rows, columns, bits, is_signed = _core.repacked(
        given.tobytes(), rows, columns, 8 * given.itemsize, from_, to, part, dtype
    )
    kind = f"int{bits}" if is_signed or bits > 8 else f"uint{bits}"
    result = given.dtype if part == "scales" else numpy.dtype(kind)
    return numpy.frombuffer(packed, dtype=result).reshape(rows, columns).copy()
