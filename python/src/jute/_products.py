"""Products of arrays: on the GPU that holds them, numpy's on the emulator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ._core import Product, multiply


def matmul(
    a: Any,
    b: Any,
    *,
    out: Any = None,
    c: Any = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    epilogue: str = "",
    inputs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    precision: str = "f32",
    config: str = "",
    dtype: Any = None,
    out_dtype: Any = None,
    stream: Any = None,
) -> Any:
    """alpha·A·B + beta·C, or what an epilogue makes of the sums of products.

    Shapes are numpy.matmul's: a (…,M,K), b (…,K,N), the result (…,M,N); a vector has no M or no N,
    batch axes are repeated. Arrays lie as they are: one of the last two strides must be 1, the
    other at least the length of that; batch axes must lie as one, or be repeated (stride 0).

    Arrays of numpy are multiplied on the emulator, which checks the kernel while it runs; those of
    torch and CuPy, and whatever has ``__dlpack__`` or ``__cuda_array_interface__``, on the GPU that
    holds them, on the current stream (or ``stream``), without waiting for it. What goes wrong there
    later is raised by the next call.

    out        where the result goes; made of a's library otherwise
    c          what beta scales, shaped as the result; 0 where it is not given
    epilogue   ``"gelu(acc + bias[n])"``; docs/epilogues.md is the language
    inputs     what an epilogue reads, by name: arrays, or numbers for scalars
    outputs    where its further outputs go, by name; those not given are made. With any, the
               result is (D, {name: array})
    precision  of f32 operands: ``"f32"``, or by tensor cores ``"tf32x3"``, ``"bf16x6"``
    config     choices of the plan, ``"tile=128x128x32"``
    dtype      read a and b as these, where their own elements only hold the bits: ``"bf16"`` of
               uint16
    out_dtype  of the result where it is made: else a's, f32 of 8-bit floats, s32 of integers

    Raises :class:`jute.Error` for what cannot be: shapes, strides, types, rules of the plan.
    """
    return multiply(
        a, b, out, c, alpha, beta, inputs, outputs, stream, epilogue, precision, config, dtype,
        out_dtype, None,
    )  # fmt: skip


def einsum(
    subscripts: str,
    a: Any,
    b: Any,
    *,
    out: Any = None,
    precision: str = "f32",
    config: str = "",
    dtype: Any = None,
    out_dtype: Any = None,
    stream: Any = None,
) -> Any:
    """The product of two arrays that Einstein's notation says: ``einsum("bmk,bkn->bmn", a, b)``.

    A letter of both operands and of the result is a batch, one of both operands alone is summed,
    the others are rows and columns. Several letters of a kind must lie as one in memory, and in
    the same order in both arrays; nothing is copied to make them so.

    Raises :class:`jute.Error` for what one product cannot do, with the letters concerned.
    """
    from ._einsum import roles_of

    roles = roles_of(subscripts, a, b)
    return multiply(
        a, b, out, None, 1.0, 1.0, None, None, stream, "", precision, config, dtype, out_dtype,
        roles,
    )  # fmt: skip


def prepare(
    a: Any,
    b: Any,
    *,
    out: Any = None,
    c: Any = None,
    alpha: float = 1.0,
    beta: float = 1.0,
    epilogue: str = "",
    inputs: Mapping[str, Any] | None = None,
    outputs: Mapping[str, Any] | None = None,
    precision: str = "f32",
    config: str = "",
    dtype: Any = None,
    out_dtype: Any = None,
    m_range: tuple[int, int] | None = None,
) -> Product:
    """The product that :func:`matmul` would run, compiled and loaded, for arrays like these.

    Arguments are matmul's. Call the result with arrays of the same shapes, strides and types:
    ``product(a, b, out=…, inputs=…)``. With ``m_range`` their rows may differ from call to call,
    from the first to the last; a few kernels are prepared that serve all of them.
    """
    return Product(
        a, b, out, c, alpha, beta, inputs, outputs, epilogue, precision, config, dtype, out_dtype,
        m_range,
    )  # fmt: skip
