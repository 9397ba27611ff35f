"""4-bit weights in the orders that checkpoints have."""

from __future__ import annotations

import sys
from typing import Any

from . import _core
from ._refusals import refused, refusing


@refusing
def pack_weights(
    array: Any, from_: str, to: str, *, part: str = "weights", dtype: str = "u4", scales: Any = None,
    zeros: Any = None,
) -> Any:  # fmt: skip
    """An array of a quantised weight in another format's order, as a new array.

    Formats are ``"gptq"``, ``"gptq_v2"``, ``"awq"``, ``"marlin"``, and jute's ``"jute"`` (two of a
    row in a byte, (N,K/2)), ``"jute-kn"``, ``"jute-row"``, ``"bytes"``; what their arrays are is in
    docs/how-to/quantised-weights.md, their layouts are ``packed_layout``'s.

    array   two axes, of numpy or what numpy reads: words (int32) or bytes as the format has them;
            scales of any type of 8 to 64 bits
    part    ``"weights"``; ``"scales"`` and ``"zeros"`` are a number for each row and group
    dtype   ``"s4"``: bytes have the sign of their four bits
    scales, zeros   the weights' other arrays. With either the result is ``(weights, scales, zeros)``,
            None where none was given; all of one format, and none where one is refused

    An array of torch gives one of torch, where it lies; any other one of numpy.

    Raises :class:`jute.Error` for shapes that the format has not, and for a number that the other
    one does not hold: a zero point of 16 in AWQ's four bits.

    >>> import numpy, jute
    >>> jute.pack_weights(numpy.arange(8, dtype=numpy.uint8).reshape(8, 1), "bytes", "awq")
    array([[1966171168]], dtype=int32)
    """
    if scales is None and zeros is None:
        return _packed(array, from_, to, part, dtype)
    if part != "weights":
        raise refused("not_compatible", "part", part, "scales and zeros must be given beside weights", "weights")
    return tuple(
        None if given is None else _packed(given, from_, to, one, dtype)
        for given, one in ((array, "weights"), (scales, "scales"), (zeros, "zeros"))
    )


def _packed(array: Any, from_: str, to: str, part: str, dtype: str) -> Any:
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        # numpy has not all types of torch: scales keep their bits.
        kind, host = array.dtype, array.detach().cpu().contiguous()
        held_as = {1: torch.int8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
        is_plain = kind in (torch.uint8, torch.int8, torch.int32)
        given = host if is_plain else host.view(held_as[host.element_size()])
        made = torch.from_numpy(_packed(given.numpy(), from_, to, part, dtype)).to(array.device)
        return made.view(kind) if part == "scales" else made
    import numpy

    given = numpy.ascontiguousarray(array)
    given = given.astype(given.dtype.newbyteorder("="), copy=False)
    if given.ndim != 2:
        raise refused("wrong_type", "array", f"{given.ndim} axes", "it must have two axes", "2 axes")
    if given.dtype.kind in "OSUM":
        raise refused("wrong_type", "array", given.dtype, "its elements must be numbers")
    if dtype not in ("u4", "s4"):
        raise refused("unknown_name", "dtype", dtype, "it must be u4 or s4", "u4")
    if dtype != "u4" and part == "scales":
        raise refused("unsupported", "dtype", dtype, "it must be left out of scales, which have no four bits")
    rows, columns = given.shape
    packed, rows, columns, bits, is_signed = _core.repacked(
        given.tobytes(), rows, columns, 8 * given.itemsize, from_, to, part, dtype
    )
    kind = f"int{bits}" if is_signed or bits > 8 else f"uint{bits}"
    result = given.dtype if part == "scales" else numpy.dtype(kind)
    return numpy.frombuffer(packed, dtype=result).reshape(rows, columns).copy()
