"""Products of arrays: on the GPU that holds them, numpy's on the emulator."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from typing import Any

from . import _core
from ._refusals import refused, refusing, told_of


@told_of(_core.matmul)
def matmul() -> None:
    """alpha·A·B + beta·C, or what an epilogue makes of the sums of products.

    Shapes are numpy.matmul's: a (…,M,K), b (…,K,N), the result (…,M,N); a vector has no M or no N,
    batch axes are repeated. Arrays lie as they are, by any strides that are not negative: the kernel
    reads them there, or a step of the plan packs them. What an epilogue names must have one
    contiguous axis.

    Arrays of numpy are multiplied on the emulator, which checks the kernel while it runs; those of
    torch and CuPy, and whatever has ``__dlpack__`` or ``__cuda_array_interface__``, on the GPU that
    holds them, on the current stream (or ``stream``), without waiting for it. What goes wrong there
    later is raised by the next call.

    out        where the result goes; made of a's library otherwise
    c          what beta scales, shaped as the result; 0 where it is not given
    epilogue   ``"gelu(acc + bias[n])"``; docs/epilogues.md is the language
    gate       of an epilogue that names gate, as ``"silu(gate)*acc"``: b has 2N columns, and the
               gate's are the first N, ``"halves"``, or every other one, ``"pairs"``
    inputs     what an epilogue reads, by name: arrays, or numbers for scalars
    outputs    where its further outputs go, by name; those not given are made. With any, the
               result is (D, {name: array})
    precision  of f32 operands: ``"f32"``, or by tensor cores ``"tf32x3"``, ``"bf16x6"``, or ``"tf32"``,
               which leaves out the last 13 bits of each, as torch's allow_tf32: off by 2^-9 of |A||B|
    config     choices of the plan, ``"tile=128x128x32"``
    dtype      read a and b as these, where their own elements only hold the bits: ``"bf16"`` of
               uint16
    out_dtype  of the result where it is made: else a's, f32 of 8-bit floats, s32 of integers
    rows_a     (M,) int32 or int64, where a is: row m of the product's A is row rows_a[m] of a, which may
               have any number of rows; -1 is none, and counts as zeros. On a GPU no host reads it
    rows_d     (M,) likewise: row m of the result goes to row rows_d[m] of out, which must be given;
               -1 goes nowhere. What an epilogue names by m, and c, keep the product's own rows
    store      by rows_d: ``"put"``, or ``"add"`` to what out holds, in any order, of f32, f64 and s32
    fast_accum   of 8-bit floats: sums are left to the tensor cores, as torch's use_fast_accum; else what
               they sum of every 128 of K is added in full

    Raises :class:`jute.Error` for what cannot be: shapes, strides, types, rules of the plan.
    """


@told_of(_core.grouped_mm)
def grouped_mm() -> None:
    """Many products in one launch, whose sizes only the device knows: experts of a mixture.

    ===========  ===========  ===========  ==============================================
    a            b            result       cut by the list
    ===========  ===========  ===========  ==============================================
    (T,K)        (g,K,N)      (T,N)        rows of a and of the result
    (g,M,K)      (K,T)        (M,T)        columns of b and of the result
    (M,T)        (T,N)        (g,M,N)      what is summed: columns of a, rows of b
    (g,M,K)      (g,K,N)      (g,M,N)      nothing: ``counts`` first rows of each matrix
    ===========  ===========  ===========  ==============================================

    Shapes are those of torch's grouped_mm. Arrays lie as they are, one index of each contiguous.

    Lists of matrices, a[i] (M,K) and b[i] (K,N) of any sizes, give a list of results: offs, counts,
    inputs and outputs are then left out, ``out`` and ``c`` are lists, and a graph captures none.

    offs       (g,) int32 or int64, where a is: group i has what lies from offs[i-1] to offs[i]. Ends
               never go down and need not reach T. On a GPU no host reads them
    counts     (g,) likewise, in place of offs where a and b have three axes
    row_groups (T,) likewise, in place of offs where rows are cut: the group of every row, -1 of none.
               Rows of a group lie together; groups come in any order
    expected   rows, columns or k that a usual group has, which decides what is planned and nothing
               else; 0: equal parts
    out        where the result goes: what is no group's stays as it is. A result that is made is 0
               there
    epilogue, inputs   ``bias[batch,n]`` (g,N) and ``scale[batch]`` (g,) are values of each group;
               what has an index that is cut lies as the result, as ``w[m]`` (T,)

    rows_a, rows_d   tables of rows, of the first kind: tokens are gathered on their way in, results
               scattered on their way out, by the rows that the list cuts

    The other arguments are :func:`matmul`'s. Of a list that goes down, past what it cuts, or comes
    back to a group, nothing is computed; on the emulator it is refused.

    Raises :class:`jute.Error`: wrong_arity, not_compatible, of shapes; wrong_type, of the list;
    out_of_range, of what is in it; what the planner refuses.
    """


@told_of(_core.prepare_groups)
def prepare_groups() -> None:
    """The product that :func:`grouped_mm` would run, compiled and loaded, for arrays like these.

    Arguments are grouped_mm's. Call the result with arrays of the same shapes, strides and types and
    any list: ``product(a, b, offs, out=…)``. On a GPU ``product.group_fault()`` waits and tells the
    first wrong entry of a list since it was last asked, or None; on the emulator the call itself
    refuses it.
    """


@told_of(_core.scaled_mm)
def scaled_mm() -> None:
    """A product of operands of two types, whose elements count as (q - zero) * scale.

    a is (M,K), b (K,N), one index of each contiguous; docs/how-to/quantised-weights.md says what is
    computed and where it rounds.

    scale_a, scale_b   f32, bf16, f16, e4m3 or ue8m0, where a is. With the operand's two axes: a
               number for each block, (M,K/128) of a or (K/128,N) of b. A vector: one of each row of
               a, or each column of b. One element: one for all
    zero_a, zero_b   likewise, of integers of 8 bits, too; or one number for all, ``8``
    block_a, block_b   ``"1x128"``, ``"128x128"``: elements along M or N, and along K, that share a
               number. They follow from the shapes unless a last block is short
    type_a, type_b   read the elements as these: ``"s4"``, ``"u4"`` or ``"e2m1"`` of bytes, which
               have two each along K, the first in the low half
    stage_as   what both operands become: ``"bf16"``, ``"f16"``, ``"tf32"``, ``"f32"``, ``"s8"``
    offs, counts, row_groups, expected   groups, as :func:`grouped_mm` has them: rows of a or columns of
               b are cut, the other operand has a matrix for each, (g,K,N) of b, and numbers with three
               axes, too; or counts of both
    out_dtype  of the result where it is made: else the wider operand's, f32 of 8 bits and less, s32
               of integers without scales

    Lists of matrices a[i] (M,K) and b[i] (K,N) of any sizes give a list of results, in one launch; scales
    and zero points are lists, too, in blocks of one size, or a zero point is one number for all.

    The other arguments are :func:`matmul`'s. Raises :class:`jute.Error`: wrong_arity,
    not_compatible, of shapes; unsupported, of arrays that lie otherwise; what the planner refuses.
    """


@told_of(_core.prepare_scaled)
def prepare_scaled() -> None:
    """The product that :func:`scaled_mm` would run, compiled and loaded, for arrays like these.

    Arguments are scaled_mm's, ``m_range`` is :func:`prepare`'s. Call the result with arrays of the same
    shapes, strides and types, scales among them: ``product(a, b, scale_b=…)``. A zero point that is
    one number is the product's.

    Of an operand that is converted ahead of the product ``product.pack("b", b, scale=…, zero=…)`` makes
    the copy once; calls take what it gives in the place of ``b`` and its numbers. ``packed_bytes("b")``
    is 0 where kernels read it as it is stored.
    """


@refusing
def quantised(epilogue: str = "acc", block: tuple[int, int] | str = (1, 128), dtype: Any = "e4m3") -> str:
    """The epilogue with its result divided by a scale a block, and the scales as ``scale_d``.

    block   rows and columns of the result that share a scale, the block's largest magnitude over
            the largest of the type: (1, 128), (128, 128); ``"row"`` or ``"tensor"``, of whose
            values a second step makes the result
    dtype   of the result: ``"e4m3"``, ``"e5m2"``, ``"s8"``

    ``d, more = matmul(a, b, epilogue=quantised(), out_dtype="e4m3")``; the scales are
    ``more["scale_d"]``, f32 of (M, N/128). Raises :class:`jute.Error`: illegal_problem.
    """
    whole = 2**31 - 1
    names = {"row": (1, whole), "tensor": (whole, whole)}
    rows, columns = names.get(block, (0, 0)) if isinstance(block, str) else block
    return _core.quantised(epilogue, rows, columns, dtype)


@refusing
def rounded_by_seed(epilogue: str = "acc", dtype: Any = "bf16") -> str:
    """The epilogue with its result rounded to one of a type's neighbours by random words.

    The seed is an input: ``matmul(a, b, epilogue=rounded_by_seed(), inputs={"seed": seed},
    out_dtype="bf16")``, an array of one s32. Raises :class:`jute.Error`: illegal_problem.
    """
    return _core.rounded_by_seed(epilogue, dtype)


#: What numpy calls its first 52 indices.
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


def _letters(indices: Any) -> str:
    """A list of indices as letters, in numpy's order."""
    if not isinstance(indices, Iterable) or isinstance(indices, str):
        raise refused("wrong_type", "subscripts", repr(indices),
                      "it must be a text, or behind each array the list of its indices", '"ij,jk->ik"')  # fmt: skip
    try:
        numbers = [each if each is Ellipsis else operator.index(each) for each in indices]
    except TypeError:
        numbers = [-1]
    for each in numbers:
        if each is not Ellipsis and not 0 <= each < len(_LETTERS):
            raise refused("wrong_type", "subscripts", repr(indices),
                          f"an index must be from 0 to {len(_LETTERS) - 1}, or an Ellipsis", '"ij,jk->ik"')  # fmt: skip
    return "".join("..." if each is Ellipsis else _LETTERS[each] for each in numbers)


def from_lists(words: Sequence[Any]) -> tuple[Any, ...]:
    """numpy's other form as a text and its operands."""
    count = len(words) // 2
    if count == 0:
        raise refused("wrong_arity", "operands", 0, "there must be an array for each operand of the text", "1")
    text = ",".join(_letters(indices) for indices in words[1 : 2 * count : 2])
    if len(words) % 2 != 0:
        text += "->" + _letters(words[-1])
    return (text, *words[0 : 2 * count : 2])


@told_of(_core.einsum)
def einsum() -> None:
    """What Einstein's notation says of arrays: ``einsum("abk,kcd->acdb", a, b)``.

    Letters, capitals and ``...`` mean what numpy.einsum has them mean: a letter that the result
    lacks is summed, one that an operand repeats is its diagonal, an extent of 1 is repeated. Each
    array may also come before the list of its indices, the result's list last:
    ``einsum(a, [0, 1], b, [1, 2], [0, 2])``. Arrays lie by any strides that are not negative. Of more
    than two, pairs are multiplied in the order that costs least; what lies between two products has
    the operands' type.

    out        where the result goes, by any strides; made of the first operand's library otherwise
    order      of a result that is made: ``"K"`` lets a tensor of torch's lie as it is written fastest, often
               a permuted view as torch's own einsum gives; ``"C"``, and numpy's arrays, as the letters say
    precision, config, dtype, out_dtype, stream   as :func:`matmul` has them

    Raises :class:`jute.Error`: syntax, of the letters; wrong_arity, not_compatible, of operands
    that do not fit them; what the planner refuses.
    """


@told_of(_core.conv2d)
def conv2d() -> None:
    """Images convolved with filters, as neural networks call it: no filter is turned around.

    With ``order="NHWC"`` x is (N,H,W,C), w (F,R,S,C/groups), the result (N,P,Q,F); with ``"NCHW"``
    they are (N,C,H,W), (F,C/groups,R,S) and (N,F,P,Q). One axis or three in place of H and W do,
    too. Arrays lie by any strides that are not negative: crops, and tensors of torch in channels_last
    format, are read where they are, and a tensor that is made then has that format, too.

    stride, padding, dilation   in elements, one number, or one for each axis; padding are zeros on
               both sides
    groups     the features of one see its channels alone
    epilogue   as :func:`matmul` has it: rows are outputs, those of one image behind those of the
               one before, columns features: ``"relu(acc + bias[n])"``; of groups each has columns of
               its own, bias[batch,n]
    c          what beta scales, shaped as the result

    The other arguments are :func:`matmul`'s. Raises :class:`jute.Error`: wrong_arity, not_compatible,
    illegal_problem, of shapes that are no convolution; unsupported, of strides that are negative.
    """


@told_of(_core.prepare)
def prepare() -> None:
    """The product that :func:`matmul` would run, compiled and loaded, for arrays like these.

    Arguments are matmul's. Call the result with arrays of the same shapes, strides and types:
    ``product(a, b, out=…, inputs=…)``. With ``m_range`` their rows may differ from call to call,
    from the first to the last; a few kernels are prepared that serve all of them. What follows the
    rows, steps between columns and batches among it, must stay as aligned as here.

    With ``numbers="run-time"`` arrays may lie by any strides in each call, and one kernel serves all of
    them behind a copy of each operand; with ``config="specialize=none"`` their extents may differ,
    too, as far as the workspace is large enough: prepare with the largest. Types and the number of
    axes stay.

    With ``batch_invariant=True`` the bits of a row do not depend on how many others there are
    (docs/promises.md), in this product and all others that are prepared so of the same extents else.

    With ``race=8`` the first eight candidates are compiled in parallel and timed on operands of their own,
    which may take half of the free memory; the fastest is kept, here and for others: docs/tuning.md.
    """
