"""Random calls of products: drawn, run on the emulator, judged by numpy in float64.

Values are small whole numbers, so that sums are exact and a result is what rounding makes of it, bit by bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import jute
import ml_dtypes
import numpy as np

FLOATS = [np.float32, np.float16, ml_dtypes.bfloat16, np.float64]
NARROW = [ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2, np.int8]
WIDE = {np.int8: np.int32, ml_dtypes.float8_e4m3fn: np.float32, ml_dtypes.float8_e5m2: np.float32}
NAMES = {np.float32: "f32", np.float16: "f16", ml_dtypes.bfloat16: "bf16", np.float64: "f64"}
#: Few, so that calls share kernels.
EXTENTS = [(16, 8, 32), (5, 16, 16), (1, 24, 32), (33, 8, 16)]


@dataclass
class Draw:
    """A source of choices, which remembers in words what was drawn."""

    random: np.random.Generator
    said: dict[str, Any] = field(default_factory=dict)

    def one(self, choices: Any) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def happens(self, share: float) -> bool:
        return bool(self.random.random() < share)

    def numbers(self, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        return self.random.integers(-2, 3, shape).astype(np.float32).astype(dtype)

    def array(self, name: str, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
        """Numbers that lie in one of many ways."""
        return self.lying(name, self.numbers(shape, dtype))

    def lying(self, name: str, values: np.ndarray) -> np.ndarray:
        way = self.one(["rows", "rows", "columns", "padded", "cut", "steps", "turned", "read-only"])
        self.said[name] = f"{values.dtype} {values.shape} {way}"
        if way == "columns":
            return np.asfortranarray(values)
        if way == "turned":  # the last two axes, of packed batches
            return np.ascontiguousarray(values.swapaxes(-1, -2)).swapaxes(-1, -2) if values.ndim > 1 else values
        if way == "read-only":
            values.flags.writeable = name in ("out",)
            return values
        if way == "rows":
            return values
        step = 3 if way == "steps" else 1
        before, behind = {"padded": (0, 8), "cut": (3, 2), "steps": (1, 0)}[way]
        wide = np.full((*values.shape[:-1], before + step * values.shape[-1] + behind), 99, np.float32)
        wide = wide.astype(values.dtype)
        view = wide[..., before : before + step * values.shape[-1] : step]
        view[...] = values
        return view


def judged(draw: Draw, found: Any, wanted: np.ndarray) -> None:
    """Equal to what rounding makes of the exact result."""
    rounded = wanted.astype(found.dtype)
    same = np.array_equal(np.asarray(found, np.float64), np.asarray(rounded, np.float64), equal_nan=True)
    assert found.shape == wanted.shape and same, draw.said


def exact(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, np.float64)


def words_of(draw: Draw, shape: tuple[int, ...], dtype: Any, sums: np.ndarray) -> tuple[dict[str, Any], np.ndarray]:
    """out, c, alpha, beta, out_dtype, an epilogue; and what then comes out."""
    said: dict[str, Any] = {}
    usual = WIDE.get(dtype, dtype)
    result = draw.one([usual, usual, np.float32]) if usual is not np.float64 and usual is not np.int32 else usual
    if result is not usual:
        said["out_dtype"] = NAMES[result]
    wanted = sums
    is_epilogue = usual in NAMES and draw.happens(0.3)
    if is_epilogue:
        bias = draw.numbers((shape[-1],), np.float32)
        said |= {"epilogue": "relu(s*acc + bias[n])", "inputs": {"bias": bias, "s": draw.one([2, 2.0, np.float32(2)])}}
        wanted = np.maximum(2 * sums + exact(bias), 0)
    elif draw.happens(0.4):
        said["c"] = draw.array("c", shape, result)
        said["beta"] = draw.one([1, 2.0])
        wanted = sums + said["beta"] * exact(said["c"])
    if not is_epilogue and draw.happens(0.2):
        said["alpha"] = 2.0
        wanted = wanted + sums
    if draw.happens(0.4):
        said["out"] = draw.lying("out", np.zeros(shape, result))
    draw.said |= {name: value for name, value in said.items() if name not in ("c", "out", "inputs")}
    return said, wanted


def product(draw: Draw) -> None:
    """matmul and prepare: batches, vectors, ranges of M, tables of rows."""
    m, n, k = draw.one(EXTENTS)
    dtype = draw.one(FLOATS + NARROW)
    batch = draw.one([(), (), (), (3,), (2, 1)])
    a, b = draw.array("a", (*batch, m, k), dtype), draw.array("b", (*draw.one([(), batch]), k, n), dtype)
    sums = exact(a) @ exact(b)
    said, wanted = words_of(draw, sums.shape, dtype, sums)
    if draw.happens(0.3):
        judged(draw, jute.prepare(a, b, **{**said, "alpha": said.get("alpha", 1.0)})(a, b, **{
            name: value for name, value in said.items() if name not in ("out_dtype", "epilogue")}), wanted)
        return
    judged(draw, jute.matmul(a, b, **said), wanted)


def rows_by_tables(draw: Draw) -> None:
    m, n, k = draw.one(EXTENTS)
    dtype = draw.one(FLOATS)
    a, b = draw.numbers((20, k), dtype), draw.numbers((k, n), dtype)
    table = draw.random.integers(-1, 20, m).astype(draw.one([np.int32, np.int64]))
    picked = np.where(table[:, None] < 0, 0, exact(a)[table])
    wanted = picked @ exact(b)
    if draw.happens(0.5):
        judged(draw, jute.matmul(a, b, rows_a=table), wanted)
        return
    out = draw.numbers((m + 7, n), np.float32)
    places = draw.random.permutation(m + 7)[:m].astype(table.dtype)
    kept = exact(out)
    adds = draw.happens(0.5)
    kept[places] = wanted + (kept[places] if adds else 0)
    store = {"store": "add"} if adds else {}
    judged(draw, jute.matmul(a, b, rows_a=table, rows_d=places, out=out, out_dtype="f32", **store), kept)


def range_of_rows(draw: Draw) -> None:
    _, n, k = draw.one(EXTENTS)
    dtype = draw.one(FLOATS + NARROW)
    batch = draw.one([(), (), (2,)])
    by_columns = draw.happens(0.5)

    def laid(a: Any) -> Any:
        return np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(-1, -2) if by_columns else a

    b = draw.array("b", (k, n), dtype)
    made = jute.prepare(laid(np.ones((*batch, 23, k), np.float32).astype(dtype)), b, m_range=(1, 24))
    for rows in (24, int(draw.random.integers(1, 24))):
        a = laid(draw.numbers((*batch, rows, k), dtype))
        judged(draw, made(a, b), exact(a) @ exact(b))


def groups(draw: Draw) -> None:
    m, n, k = draw.one(EXTENTS)
    dtype = draw.one(FLOATS[:3])
    kind = draw.one(["rows", "cols", "k", "counts", "by_row", "lists"])
    draw.said["kind"] = kind
    ends = np.sort(draw.random.integers(0, m + 1, 3)).astype(draw.one([np.int32, np.int64]))
    starts = np.concatenate([[0], ends[:-1]])
    if kind == "lists":
        pairs = [(draw.numbers((r, k), dtype), draw.numbers((k, n), dtype)) for r in (1, 7, m)]
        for found, (a, b) in zip(jute.grouped_mm(*map(list, zip(*pairs, strict=True))), pairs, strict=True):
            judged(draw, found, exact(a) @ exact(b))
        return
    each = draw.numbers((3, k, n), dtype)
    if kind in ("rows", "by_row"):
        a = draw.numbers((m, k), dtype)
        wanted = np.zeros((m, n))
        of_row = np.full(m, -1, ends.dtype)
        for g, (begin, end) in enumerate(zip(starts, ends, strict=True)):
            wanted[begin:end] = exact(a[begin:end]) @ exact(each[g])
            of_row[begin:end] = g
        said = {"offs": ends} if kind == "rows" else {"row_groups": of_row}
        judged(draw, jute.grouped_mm(a, each, **said), wanted)
    elif kind == "cols":
        a, b = draw.numbers((3, n, k), dtype), np.asfortranarray(draw.numbers((k, m), dtype))
        wanted = np.zeros((n, m))
        for g, (begin, end) in enumerate(zip(starts, ends, strict=True)):
            wanted[:, begin:end] = exact(a[g]) @ exact(b[:, begin:end])
        judged(draw, jute.grouped_mm(a, b, ends), wanted)
    elif kind == "k":
        a, b = draw.numbers((n, m), dtype), draw.numbers((m, k), dtype)
        wanted = np.stack([exact(a[:, begin:end]) @ exact(b[begin:end])
                           for begin, end in zip(starts, ends, strict=True)])  # fmt: skip
        judged(draw, jute.grouped_mm(a, b, ends), wanted)
    else:
        a, counts = draw.numbers((3, m, k), dtype), draw.random.integers(0, m + 1, 3).astype(ends.dtype)
        wanted = exact(a) @ exact(each)
        for g, count in enumerate(counts):
            wanted[g, count:] = 0
        judged(draw, jute.grouped_mm(a, each, counts=counts), wanted)


def scaled(draw: Draw) -> None:
    m, n, k = draw.one(EXTENTS)
    dtype = draw.one(FLOATS[:3])
    a = draw.numbers((m, k), dtype)
    kind = draw.one(["u4", "s4", "s8", "e4m3"])
    draw.said["kind"] = kind
    block = draw.one([k, 16])
    scales = 2.0 ** draw.random.integers(-1, 2, (k // block, n)).astype(np.float32)
    zero = draw.one([None, 1]) if kind != "e4m3" else None
    said: dict[str, Any] = {} if zero is None else {"zero_b": zero}
    if kind in ("u4", "s4"):
        q = draw.random.integers(0, 8, (n, k))
        held = (q[:, ::2] | q[:, 1::2] << 4).astype(np.uint8)
        b, said["type_b"], values = held.T, kind, q.T
    else:
        b = draw.numbers((k, n), np.int8 if kind == "s8" else ml_dtypes.float8_e4m3fn)
        b = np.asfortranarray(b)
        values = exact(b)
    wanted = exact(a) @ ((values - (zero or 0)) * np.repeat(exact(scales), block, 0))
    judged(draw, jute.scaled_mm(a, b, scale_b=np.asfortranarray(scales), out_dtype="f32", **said), wanted)


TEXTS = ["ij,jk->ik", "bij,bjk->bik", "ij,kj->ki", "bhqd,bhkd->bhqk", "ij->ji", "ii->i", "ij->", "i,j->ij", "...ij,jk->...ik",
         "ij,jk,kl->il"]  # fmt: skip


def contraction(draw: Draw) -> None:
    text = draw.one(TEXTS)
    draw.said["text"] = text
    dtype = draw.one(FLOATS)
    extents = {letter: draw.one([1, 4, 9]) for letter in "bhijkldq"}
    arrays = []
    for letters in text.split("->")[0].split(","):
        shape = [extents[letter] for letter in letters.replace("...", "b")]
        if len(set(letters)) == len(letters) and draw.happens(0.15):
            shape[int(draw.random.integers(len(shape)))] = 1  # is repeated
        arrays.append(draw.array(f"operand {len(arrays)}", tuple(shape), dtype))
    wanted = np.einsum(text, *map(exact, arrays))
    if abs(wanted).max(initial=0) > 128 or (len(arrays) > 2 and dtype is not np.float32):
        return  # of three the product of two is rounded
    if "." not in text and draw.happens(0.3):
        letters = "".join(sorted(set(text) - set(",->")))
        lists = [[letters.index(letter) for letter in part] for part in text.replace("->", ",").split(",")]
        said = [each for pair in zip(arrays, lists, strict=False) for each in pair] + [lists[-1]]
        judged(draw, jute.einsum(*said), wanted)
        return
    judged(draw, jute.einsum(text, *arrays), wanted)


def convolution(draw: Draw) -> None:
    order = draw.one(["NHWC", "NCHW"])
    dtype = draw.one(FLOATS[:3])
    stride, padding, dilation = draw.one([1, 2]), draw.one([0, 1]), draw.one([1, 2])
    x, w = draw.array("x", (2, 6, 7, 4), dtype), draw.array("w", (8, 3, 3, 4), dtype)
    padded = np.pad(exact(x), ((0, 0), (padding, padding), (padding, padding), (0, 0)))
    places = [(extent - 2 * dilation - 1) // stride + 1 for extent in padded.shape[1:3]]
    wanted = np.zeros((2, *places, 8))
    for r in range(3):
        for s in range(3):
            rows, cols = (slice(tap * dilation, tap * dilation + stride * (count - 1) + 1, stride)
                          for tap, count in ((r, places[0]), (s, places[1])))  # fmt: skip
            wanted += padded[:, rows, cols] @ exact(w[:, r, s]).T
    draw.said |= {"order": order, "stride": stride, "padding": padding, "dilation": dilation}
    if order == "NCHW":  # views of what lies as it did
        x, w, wanted = (each.transpose(0, 3, 1, 2) for each in (x, w, wanted))
    said: dict[str, Any] = {}
    if draw.happens(0.3):
        said["out"] = draw.lying("out", np.zeros(wanted.shape, dtype))
    found = jute.conv2d(x, w, order=order, stride=stride, padding=padding, dilation=dilation, **said)
    judged(draw, found, wanted)


KINDS: list[Callable[[Draw], None]] = [
    product, product, product, rows_by_tables, range_of_rows, groups, scaled, contraction, contraction, convolution,
]  # fmt: skip


def call(seed: int) -> bool:
    """Draws a call and judges it; whether it was run: the planner may refuse what it says by name."""
    draw = Draw(np.random.default_rng(seed))
    kind = draw.one(KINDS)
    draw.said["kind of call"] = kind.__name__
    try:
        kind(draw)
    except jute.Error as error:
        assert error.operand and error.violated_rules, draw.said
        assert error.code in ("unsupported", "illegal_problem"), (draw.said, error)
        return False
    return True
