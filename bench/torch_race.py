#!/usr/bin/env python3
"""Races torch and jute in one process, over the same tensors, contestants taking turns.

    cmake --preset release -DJUTE_BUILD_BENCH=ON && cmake --build build/release --target torch_race
    bench/torch_race.py --library build/release/bench/libtorch_race.so [--csv FILE] [part of a name]...
    bench/torch_race.py --library build/release/bench/libtorch_race.so --kinds --seed N --csv FILE [kind]...

Two modes. cold: 256 MiB are written ahead of each call, which is timed alone between two events, as
triton's do_bench does. graph: a CUDA graph of many calls, replayed. Times are medians in us; a ratio is
the median over the rounds of torch's time over jute's: above 1 jute is faster. What jute computes is
held against float64, with the error bound that its types and K give. einsum, conv and view also race the
packed product of the same extents."""
import argparse
import concurrent.futures
import csv
import ctypes
import itertools
import math
import os
import pathlib
import random
import re
import subprocess
import sys
import time

import torch

DEVICE = "cuda"
SWEPT_BYTES = 256 << 20
LEAST_ROUNDS, LEAST_MS, GRAPH_MS, GRAPH_ROUNDS = 30, 100.0, 4.0, 15
NAMES = {torch.float8_e4m3fn: "e4m3", torch.bfloat16: "bf16", torch.float16: "f16", torch.float32: "f32", torch.float64: "f64"}
# Roundings of the output and of the sums: bench/README.md has where they come from.
UNIT = {torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11, torch.float32: 2.0**-24, torch.float64: 2.0**-53}


class Jute:
    """The functions of torch_race.cpp."""

    def __init__(self, path, config=""):
        self.config = config.encode()
        self.library = ctypes.CDLL(path)
        self.library.jute_race_error.restype = ctypes.c_char_p
        self.library.jute_race_open.restype = ctypes.c_void_p
        self.library.jute_race_prepare.restype = ctypes.c_void_p
        self.library.jute_race_contraction.restype = ctypes.c_char_p
        self.library.jute_race_convolution.restype = ctypes.c_char_p
        self.library.jute_race_workspace_bytes.restype = ctypes.c_longlong
        self.context = self.library.jute_race_open()
        if not self.context:
            sys.exit(f"torch_race: {self.error()}")

    def error(self):
        return self.library.jute_race_error().decode()

    def product(self, a, b, d, ends=None):
        """A call that computes d = a @ b, of groups of rows where `ends` cuts them; None and the refusal
        where jute has none."""
        batch = b.shape[0] if b.dim() == 3 else 1
        text = (f"M={a.shape[-2]} N={b.shape[-1]} K={a.shape[-1]} batch={batch} A={matrix_text(a)} B={matrix_text(b)} "
                f"D={matrix_text(d)} alpha=1 beta=0" + ("" if ends is None else " groups=rows:i32"))
        return self.prepared(text, (a, b, d, ends, None, None))

    def contraction(self, subscripts, *shapes):
        """The text of its problem, whether the second operand is its A, and the axes of its result in memory."""
        extents = ",".join("x".join(map(str, shape)) for shape in shapes)
        first, axes, text = self.noted(self.library.jute_race_contraction(subscripts.encode(), extents.encode())).split(" ", 2)
        return text, first == "1", [int(axis) for axis in axes.split(",") if axis]

    def convolution(self, words):
        return self.noted(self.library.jute_race_convolution(words.encode())).split(" ", 1)[1]

    def noted(self, text):
        if not text:
            raise RuntimeError(self.error())
        return text.decode()

    def compiled(self, text, config=""):
        """What jute has prepared for the problem, or None and why; threads may ask at once."""
        handle = self.library.jute_race_prepare(ctypes.c_void_p(self.context), text.encode(), config.encode() or self.config)
        return (ctypes.c_void_p(handle), "") if handle else (None, self.error())

    def prepared(self, text, tensors, config=""):
        """A call of the problem, of A, B, D, the list of groups, A's and B's scales, each None where there is none."""
        handle, refusal = self.compiled(text, config)
        if not handle:
            return None, refusal
        bytes_needed = self.library.jute_race_workspace_bytes(handle)
        workspace = torch.empty(max(bytes_needed, 1), device=DEVICE, dtype=torch.uint8)
        self.library.jute_race_clear(handle, ctypes.c_ulonglong(workspace.data_ptr()))
        torch.cuda.synchronize()
        addresses = [ctypes.c_ulonglong(0 if x is None else x.data_ptr()) for x in (*tensors, workspace)]

        def call(kept=(tensors, workspace)):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            if not self.library.jute_race_run(handle, *addresses, stream):
                raise RuntimeError(self.error())

        return call, ""


def matrix_text(x):
    """Where torch has a matrix or a batch of them, as jute's problem texts say it."""
    rows, columns = x.stride()[-2:]
    by_rows = columns == 1
    lead = rows if by_rows else columns
    batch = "" if x.dim() < 3 else ":broadcast" if x.stride(0) == 0 else f":batch{x.stride(0)}"
    return f"{NAMES[x.dtype]}:{'row' if by_rows else 'col'}:ld{lead}{batch}"


def normal(*shape, dtype=torch.bfloat16):
    return torch.randn(*shape, device=DEVICE, dtype=torch.float32).to(dtype)


def cases():
    """Name, A, B: torch computes A @ B, as its users write it."""
    for m, n, k in ((4096, 4096, 4096), (8192, 8192, 8192), (16, 4096, 4096), (1, 14336, 4096), (128, 7168, 16384),
                    (4096, 28672, 4096), (4096, 4096, 14336), (512, 4096, 7168), (4096, 5760, 2880), (4097, 4095, 4096),
                    (1000, 1001, 1003), (2, 201088, 2880)):
        yield f"mm {m}x{n}x{k}", lambda m=m, n=n, k=k: (normal(m, k), normal(k, n))
        yield f"linear {m}x{n}x{k}", lambda m=m, n=n, k=k: (normal(m, k), normal(n, k).t())
    for b, m, n, k in ((128, 1024, 1024, 128), (16, 2048, 2048, 128), (128, 328, 328, 128), (1000, 64, 64, 64), (70000, 33, 9, 17)):
        yield f"bmm {b}x{m}x{n}x{k}", lambda b=b, m=m, n=n, k=k: (normal(b, m, k), normal(b, n, k).transpose(1, 2))
    for m, k in ((4096, 4096), (2048, 8192)):
        yield f"symmetric {m}x{k}", lambda m=m, k=k: (lambda x: (x, x.t()))(normal(m, k))
    for m in (1024, 4096):
        yield f"f64 {m}", lambda m=m: (normal(m, m, dtype=torch.float64), normal(m, m, dtype=torch.float64))


GROUPED = (("mixtral_up", 8, 4096, 28672, 4096), ("mixtral_down", 8, 14336, 4096, 4096), ("qwen3_up", 128, 4096, 3072, 8192),
           ("dsv3_up", 256, 7168, 4096, 16384), ("dsv3_down", 256, 2048, 7168, 16384), ("dsv3_decode_up", 32, 7168, 4096, 512),
           ("gptoss_up", 128, 2880, 5760, 4096), ("tileops", 256, 6144, 4096, 32768))


def grouped_cases():
    """Name, A (rows of all groups), B (a matrix a group), where each group's rows end."""
    for name, groups, k, n, rows in GROUPED:
        for skew in (0, 3):
            def make(groups=groups, k=k, n=n, rows=rows, skew=skew):
                shares = torch.rand(groups, dtype=torch.float64) ** skew
                sizes = (rows * shares / shares.sum()).long()
                sizes[0] += rows - sizes.sum()
                return normal(rows, k), normal(groups, n, k).transpose(1, 2), sizes.cumsum(0).to(torch.int32).to(DEVICE)
            yield f"grouped {name} {groups}: {rows}x{n}x{k} {'uneven' if skew else 'even'}", make


def worst_error(a, b, d):
    """|D - reference| / bound, the most over some rows of the first product."""
    a, b, d = (x if x.dim() == 3 else x.unsqueeze(0) for x in (a, b, d))
    if a.shape[1] == 0:
        return 0.0
    rows = torch.randperm(a.shape[1], device=DEVICE)[:64]
    left, right, k = a[0][rows].double(), b[0].double(), a.shape[2]
    reference = left @ right
    sums = UNIT[torch.float64] if d.dtype == torch.float64 else 2.0**-23
    bound = (k + 2) * sums * (left.abs() @ right.abs()) + UNIT[d.dtype] * reference.abs()
    return ((d[0][rows].double() - reference).abs() / bound.clamp_min(1e-300)).max().item()


WEIGHTS = ((8192, 8192), (16384, 8192), (7168, 20480), (28672, 4096), (4096, 14336), (6144, 4096))


def race_weights(jute, m, n, k):
    """Rows of x by 4-bit weights with a scale for each 128 along K; torch by its int4 kernel."""
    name = f"w4a16 {m}x{n}x{k}"
    weights = torch.randint(0, 255, (n, k // 2), device=DEVICE, dtype=torch.uint8)
    scales = (torch.rand(n, k // 128, device=DEVICE) * 0.02).to(torch.bfloat16)
    x, d = normal(m, k), torch.full((m, n), float("nan"), device=DEVICE, dtype=torch.bfloat16)
    call, refusal = jute.prepared(f"M={m} N={n} K={k} A=bf16:row B=u4:col D=bf16:row alpha=1 beta=0 "
                                  "scale_b=bf16:col:block1x128 zero_b=8", (x, weights, d, None, None, scales))
    if call is None:
        return [[name, "", "", "", "", "", "", refusal]]
    call()
    torch.cuda.synchronize()
    some = torch.randperm(n, device=DEVICE)[:256]
    q = torch.stack((weights[some] & 15, weights[some] >> 4), -1).reshape(len(some), k).double() - 8
    # An element is rounded to bf16 behind its scale, sums as ever.
    left, right = x.double(), (q * scales[some].double().repeat_interleave(128, 1)).t()
    reference, size = left @ right, left.abs() @ right.abs()
    bound = ((k + 2) * 2.0**-23 + 2.0**-8) * size + UNIT[d.dtype] * reference.abs()
    error = ((d[:, some].double() - reference).abs() / bound).max().item()
    packed = torch.ops.aten._convert_weight_to_int4pack(weights, 8)
    both = torch.randn(k // 128, n, 2, device=DEVICE, dtype=torch.bfloat16)
    calls = [lambda: torch.ops.aten._weight_int4pack_mm(x, packed, 128, both), call]
    return rows_of(name, calls, sum(t.numel() * t.element_size() for t in (x, weights, scales, d)), error)


def weight_cases():
    """Name, and who races it."""
    for n, k in WEIGHTS:
        for m in (1, 16, 64, 256):
            yield f"w4a16 {m}x{n}x{k}", lambda jute, name, m=m, n=n, k=k: race_weights(jute, m, n, k)


def lying(shape, axes, dtype=torch.bfloat16):
    """A tensor that has these axes in memory, the last one fastest."""
    memory = torch.empty([shape[axis] for axis in axes], device=DEVICE, dtype=dtype)
    return memory.permute([axes.index(axis) for axis in range(len(axes))])


def plain_call(jute, text):
    """jute's product of packed matrices with the extents of a problem: what its Views are held against."""
    sizes = dict(re.findall(r"\b(M|N|K|batch)=(\d+)", text))
    m, n, k, batch = (int(sizes.get(x, 1)) for x in ("M", "N", "K", "batch"))
    tensors = normal(batch, m, k), normal(batch, n, k), torch.empty(batch, m, n, device=DEVICE, dtype=torch.bfloat16)
    call, refusal = jute.prepared(f"M={m} N={n} K={k} batch={batch} A=bf16:row B=bf16:col D=bf16:row alpha=1 beta=0",
                                  (*tensors, None, None, None))
    return call or sys.exit(f"torch_race: {refusal}"), k


def race_text(jute, name, text, tensors, theirs, judge):
    """torch, jute and jute's plain product in turns; `judge` gives what D must be, and the sums of sizes."""
    a, b, d = tensors
    call, refusal = jute.prepared(text, (a, b, d, None, None, None))
    if call is None:
        return [[name, "", "", "", "", "", "", refusal]]
    call()
    torch.cuda.synchronize()
    plain, k = plain_call(jute, text)
    found, reference, size = judge()
    bound = (k + 2) * 2.0**-23 * size + UNIT[d.dtype] * reference.abs()
    error = ((found.double() - reference).abs() / bound.clamp_min(1e-300)).max().item()
    return rows_of(name, [theirs, call, plain], sum(x.numel() * x.element_size() for x in tensors), error)


EINSUMS = (("abk,kcd->abcd", dict(a=64, b=64, k=1024, c=64, d=32)), ("abk,kcd->acdb", dict(a=64, b=64, k=1024, c=64, d=32)),
           ("akb,dkc->abcd", dict(a=48, b=64, k=768, c=64, d=48)), ("abcd,cdef->abef", dict(a=64, b=48, c=32, d=32, e=48, f=64)),
           ("abcd,ebfd->acef", dict(a=48, b=24, c=48, d=24, e=48, f=48)), ("bhqd,bhkd->bhqk", dict(b=8, h=16, q=1024, k=1024, d=128)),
           ("bqhd,bkhd->bhqk", dict(b=8, h=16, q=1024, k=1024, d=128)), ("bhqk,bkhd->bqhd", dict(b=8, h=16, q=1024, k=1024, d=128)),
           ("bsd,dnh->bnsh", dict(b=8, s=2048, d=4096, n=32, h=128)), ("ijab,abkl->ijkl", dict(i=48, j=48, a=48, b=48, k=40, l=40)))


def race_einsum(jute, name, text, extents):
    first, second, result = re.split(",|->", text)
    x, y = (normal(*(extents[letter] for letter in letters)) for letters in (first, second))
    problem, is_exchanged, axes = jute.contraction(text, x.shape, y.shape)
    d = lying([extents[letter] for letter in result], axes).fill_(float("nan"))

    def judge():
        return d, torch.einsum(text, x.double(), y.double()), torch.einsum(text, x.double().abs(), y.double().abs())

    tensors = (y, x, d) if is_exchanged else (x, y, d)
    return race_text(jute, name, problem, tensors, lambda: torch.einsum(text, x, y), judge)


# Images, channels, features, extent of an image, of a filter, stride, padding.
CONVOLUTIONS = ((32, 256, 256, 56, 3, 1, 1), (32, 64, 64, 56, 3, 1, 1), (32, 512, 512, 14, 3, 1, 1), (8, 320, 320, 64, 3, 1, 1),
                (32, 256, 512, 56, 3, 2, 1), (32, 256, 256, 56, 1, 1, 0))


def race_convolution(jute, name, images, channels, features, extent, taps, stride, padding):
    """NHWC, against cuDNN's choice of the fastest."""
    torch.backends.cudnn.benchmark = True
    last = dict(memory_format=torch.channels_last)
    x = normal(images, channels, extent, extent).contiguous(**last)
    w = normal(features, channels, taps, taps).contiguous(**last)
    theirs = lambda: torch.nn.functional.conv2d(x, w, stride=stride, padding=padding)
    d = torch.full_like(theirs(), float("nan"))
    problem = jute.convolution(f"x={images}x{extent}x{extent}x{channels} w={features}x{taps}x{taps} stride={stride} padding={padding}")

    def judge():
        # Of the last image, by one product a tap.
        some, wide = x[-1:].double(), w.double()
        padded = torch.nn.functional.pad(some, [padding] * 4)
        outputs = d.shape[2]
        total, size = 0, 0
        for r in range(taps):
            for s in range(taps):
                part = padded[:, :, r:r + stride * outputs:stride, s:s + stride * outputs:stride][:, :, :outputs, :outputs]
                total = total + torch.einsum("nchw,fc->nfhw", part, wide[:, :, r, s])
                size = size + torch.einsum("nchw,fc->nfhw", part.abs(), wide[:, :, r, s].abs())
        return d[-1:], total, size

    return race_text(jute, name, problem, (x, w, d), theirs, judge)


# What is read of A: rows of its memory, a View as problems say it, and as torch does.
VIEWS = (("every third column", 12288, "(4096,4096):(12288,3)", lambda x: x.view(4096, 12288)[:, ::3]),
         ("every fifth column", 20480, "(4096,4096):(20480,5)", lambda x: x.view(4096, 20480)[:, ::5]),
         ("every third row", 12288, "(4096,4096):(12288,1)", lambda x: x.view(12288, 4096)[::3]),
         ("blocks of 64, transposed", 4096, "((64,64),(64,64)):((1,4096),(64,262144))",
          lambda x: x.view(64, 64, 64, 64).permute(1, 3, 0, 2).reshape(4096, 4096)))


def race_view(jute, name, rows, view, seen):
    memory, b = normal(4096 * rows), normal(4096, 4096)
    d = torch.full((4096, 4096), float("nan"), device=DEVICE, dtype=b.dtype)
    text = f"M=4096 N=4096 K=4096 A=bf16:view[{view}] B=bf16:row D=bf16:row alpha=1 beta=0"

    def judge():
        some = seen(memory)[:256].double()
        return d[:256], some @ b.double(), some.abs() @ b.double().abs()

    return race_text(jute, name, text, (memory, b, d), lambda: torch.matmul(seen(memory), b), judge)


def laid_out_cases():
    """Name, and who races it: operands that are no plain matrices."""
    for text, extents in EINSUMS:
        yield f"einsum {text}", lambda jute, name, text=text, extents=extents: race_einsum(jute, name, text, extents)
    for numbers in CONVOLUTIONS:
        n, c, f, extent, taps, stride, _ = numbers
        yield (f"conv n{n} c{c} {extent}x{extent} f{f} {taps}x{taps} stride {stride}",
               lambda jute, name, numbers=numbers: race_convolution(jute, name, *numbers))
    for what, *view in VIEWS:
        yield f"view {what}", lambda jute, name, view=view: race_view(jute, name, *view)


FP8 = ((4096, 4096, 4096), (4096, 7168, 2048), (128, 7168, 16384), (8192, 8192, 8192), (16, 7168, 2048))
FP8_GROUPED = (("dsv3_up", 256, 7168, 4096, 16384), ("mixtral_up", 8, 4096, 28672, 4096))


def fp8_error(a, b, sa, sb, d, unit):
    """|D - reference| / bound over some rows; scales by element, sums of 8-bit products as the tensor core cuts them."""
    rows = torch.randperm(a.shape[0], device=DEVICE)[:32]
    left, right = a[rows].double() * sa[rows], b.double() * sb
    reference, size = left @ right, left.abs() @ right.abs()
    bound = unit * size + UNIT[d.dtype] * reference.abs()
    return ((d[rows].double() - reference).abs() / bound.clamp_min(1e-300)).max().item()


def torch_by_blocks(a, b, sa, sb, dtype):
    """torch's calls of 1x128 by 128x128: its scales of A count rows first, those of B blocks along K, padded to fours.
    `sb` is (N/128, K/128). Of torch's releases each takes some of these; which ones a run finds out."""
    from torch.nn.functional import ScalingType, scaled_mm
    blocks = sb.shape[1]
    padded = torch.nn.functional.pad(sb, (0, -blocks % 4))
    for theirs in (padded.t(), sb.t(), sb, sb.t().contiguous()):
        yield lambda theirs=theirs: scaled_mm(a, b, sa, ScalingType.BlockWise1x128, theirs, ScalingType.BlockWise128x128, output_dtype=dtype)
        yield lambda theirs=theirs: torch._scaled_mm(a, b, sa, theirs, out_dtype=dtype, use_fast_accum=False)


def fastest_right(calls, error_of):
    """The fastest of the calls that run and whose D is within the bound; nothing and why where there is none."""
    times, why = [], "no call"
    for call in calls:
        try:
            error = error_of(call())
            torch.cuda.synchronize()
        except Exception as refused:
            why = str(refused).split("\n")[0][:90]
            continue
        if error <= 1:
            times.append((median(graphs([call])[0]), call))
        else:
            why = f"torch's D is {error:.2g} bounds off"
    return (min(times, key=lambda timed: timed[0])[1], "") if times else (None, why)


def race_fp8(jute, name, m, n, k, by):
    """e4m3 by e4m3, with scales by blocks of 1x128 and 128x128, or by rows and columns; torch's faster call counts."""
    a, b = normal(m, k, dtype=torch.float8_e4m3fn), normal(n, k, dtype=torch.float8_e4m3fn).t()
    d = torch.full((m, n), float("nan"), device=DEVICE, dtype=torch.bfloat16)
    text = f"M={m} N={n} K={k} A=e4m3:row B=e4m3:col D=bf16:row alpha=1 beta=0 "
    if by == "blocks":
        sa, sb = (torch.rand(k // 128, m, device=DEVICE) + .5).t(), torch.rand(n // 128, k // 128, device=DEVICE) + .5
        call, refusal = jute.prepared(f"{text} scale_a=f32:col:block1x128 scale_b=f32:col:block128x128", (a, b, d, None, sa, sb))
        theirs = list(torch_by_blocks(a, b, sa, sb, d.dtype))
        whole = lambda: (sa.double().repeat_interleave(128, 1), sb.double().repeat_interleave(128, 0).repeat_interleave(128, 1).t())
    else:
        sa, sb = torch.rand(m, 1, device=DEVICE) + .5, torch.rand(1, n, device=DEVICE) + .5
        call, refusal = jute.prepared(f"{text} scale_a=f32:col:block1xall scale_b=f32:row:block1xall", (a, b, d, None, sa, sb))
        theirs = [lambda: torch._scaled_mm(a, b, sa, sb, out_dtype=d.dtype, use_fast_accum=False)]
        whole = lambda: (sa.double(), sb.double())
    if call is None:
        return [[name, "", "", "", "", "", "", refusal]]
    call()
    torch.cuda.synchronize()
    error_of = lambda d: fp8_error(a, b, *whole(), d, 2.0**-6)
    error = error_of(d)
    fastest, why = fastest_right(theirs, error_of)
    if fastest is None:
        return [[name, "", "", "", "", "", f"{error:.2g}", why]]
    return rows_of(name, [fastest, call], sum(x.numel() * x.element_size() for x in (a, b, sa, sb, d)), error)


def race_fp8_grouped(jute, name, groups, k, n, rows):
    """Rows of groups by a matrix a group, scales by rows and columns."""
    a = normal(rows, k, dtype=torch.float8_e4m3fn)
    b = torch.randn(groups, n, k, device=DEVICE, dtype=torch.bfloat16).to(torch.float8_e4m3fn).transpose(1, 2)
    ends = (torch.arange(1, groups + 1, device=DEVICE) * (rows // groups)).to(torch.int32)
    sa, sb = torch.rand(rows, device=DEVICE) + .5, torch.rand(groups, n, device=DEVICE) + .5
    d = torch.full((rows, n), float("nan"), device=DEVICE, dtype=torch.bfloat16)
    call, refusal = jute.prepared(f"M={rows} N={n} K={k} batch={groups} A=e4m3:row B=e4m3:col D=bf16:row alpha=1 beta=0 groups=rows:i32 "
                                  "scale_a=f32:col:block1xall scale_b=f32:row:block1xall", (a, b, d, ends, sa, sb))
    if call is None:
        return [[name, "", "", "", "", "", "", refusal]]
    call()
    torch.cuda.synchronize()
    each = rows // groups
    error = fp8_error(a[:each], b[0], sa[:each, None].double(), sb[0].double(), d[:each], 2.0**-6)
    theirs = lambda: torch._scaled_grouped_mm(a, b, sa, sb, offs=ends, out_dtype=d.dtype, use_fast_accum=True)
    return rows_of(name, [theirs, call], sum(x.numel() * x.element_size() for x in (a, b, sa, sb, d)), error)


def fp8_cases():
    """Name, and who races it."""
    for m, n, k in FP8:
        for by in ("blocks", "rows"):
            yield f"fp8 {by} {m}x{n}x{k}", lambda jute, name, m=m, n=n, k=k, by=by: race_fp8(jute, name, m, n, k, by)
    for name, groups, k, n, rows in FP8_GROUPED:
        yield (f"fp8 grouped {name} {groups}: {rows}x{n}x{k}",
               lambda jute, name, groups=groups, k=k, n=n, rows=rows: race_fp8_grouped(jute, name, groups, k, n, rows))


def between_events(work, before=None):
    start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    if before:
        before()
    start.record()
    work()
    stop.record()
    torch.cuda.synchronize()
    return 1e3 * start.elapsed_time(stop)


def median(values):
    values = sorted(values)
    return values[len(values) // 2] if len(values) % 2 else 0.5 * sum(values[len(values) // 2 - 1:len(values) // 2 + 1])


def in_turns(turns, rounds):
    """Times of each contestant, round by round, in another order each time; a first round does not count."""
    times = [[] for _ in turns]
    draw = random.Random(1)
    for number in range(rounds + 1):
        for i in draw.sample(range(len(turns)), len(turns)):
            us = turns[i]()
            if number:
                times[i].append(us)
    return times


def cold(calls):
    swept = torch.empty(SWEPT_BYTES, device=DEVICE, dtype=torch.int8)
    turns = [lambda call=call: between_events(call, swept.zero_) for call in calls]
    turn_us = min(turn() for turn in turns) + between_events(swept.zero_)
    return in_turns(turns, max(LEAST_ROUNDS, math.ceil(1e3 * LEAST_MS / turn_us)))


def graphs(calls):
    turns, kept = [], []
    for call in calls:
        call()
        launches = max(3, math.ceil(1e3 * GRAPH_MS / max(between_events(call), 1.0)))
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(launches):
                call()
        kept.append(graph)
        turns.append(lambda graph=graph, launches=launches: between_events(graph.replay) / launches)
    return in_turns(turns, GRAPH_ROUNDS)


def race(jute, name, make):
    """Rows: case, mode, torch us, jute us, ratio, TB/s that jute must move, error, note."""
    a, b, *ends = make()
    ends = ends[0] if ends else None
    d = torch.full((*a.shape[:-1], b.shape[-1]), float("nan"), device=DEVICE, dtype=a.dtype)
    call, refusal = jute.product(a, b, d, ends)
    if call is None:
        return [[name, "", "", "", "", "", "", refusal]]
    call()
    torch.cuda.synchronize()
    if ends is None:
        theirs = torch.empty_like(d)
        error, torch_call = worst_error(a, b, d), lambda: torch.matmul(a, b, out=theirs)
    else:
        cuts = [0, *ends.tolist()]
        parts = [(a[i:j], b[g], d[i:j]) for g, (i, j) in enumerate(zip(cuts, cuts[1:]))]
        error, torch_call = max(worst_error(*part) for part in parts), lambda: torch._grouped_mm(a, b, offs=ends)
    read = b if ends is None else b[:int((ends.diff(prepend=ends.new_zeros(1)) > 0).sum())]  # of groups that have rows
    moved = sum(x.numel() * x.element_size() for x in (a, read, d))
    return rows_of(name, [torch_call, call], moved, error)


def rows_of(name, calls, moved, error):
    rows = []
    for mode, times in (("cold", cold(calls)), ("graph", graphs(calls))):
        ratio = median([t / j for t, j in zip(*times[:2])])
        if len(times) > 2:
            plain = median([p / j for j, p in zip(times[1], times[2])])
            print(f"{name:44}{mode:7}{plain:10.3f} of the speed of the packed product, {median(times[2]):.2f} us")
        rows.append([name, mode, f"{median(times[0]):.2f}", f"{median(times[1]):.2f}", f"{ratio:.3f}",
                     f"{moved / median(times[1]) / 1e6:.2f}", f"{error:.2g}", "" if error <= 1 else "WRONG"])
    return rows


def text_of(jute, problem):
    """A drawn problem as jute's text."""
    if problem.form == "contract":
        letters, shapes = problem.text.split(" ")
        return jute.contraction(letters, *(shape.split("x") for shape in shapes.split(",")))[0]
    return jute.convolution(problem.text) if problem.form == "conv" else problem.text


def compile_all(jute, drawn, threads):
    """Every problem's kernels, before any is timed; what each is refused for."""
    def compiled(problem):
        try:
            return jute.compiled(text_of(jute, problem), problem.config)[1]
        except RuntimeError as refused:
            return str(refused)

    with concurrent.futures.ThreadPoolExecutor(threads) as pool:
        return list(pool.map(compiled, drawn))


def race_drawn(jute, kind, problem, repeats):
    """Rows of both modes: the median over the repeats."""
    contest = problem.contest(jute)
    call, refusal = jute.prepared(text_of(jute, problem), contest.tensors, problem.config)
    if call is None:
        return [[kind, problem.case, "", "", "", "", "", refusal]]
    call()
    torch.cuda.synchronize()
    error = contest.error(contest.tensors[2])
    fastest, why = fastest_right(contest.theirs, contest.error)
    if fastest is None:
        return [[kind, problem.case, "", "", "", "", f"{error:.2g}", why]]
    rows = []
    for mode, timed in (("cold", cold), ("graph", graphs)):
        runs = [timed([fastest, call]) for _ in range(repeats)]
        ratio = median([median([t / j for t, j in zip(*times)]) for times in runs])
        theirs, ours = (median([median(times[side]) for times in runs]) for side in (0, 1))
        rows.append([kind, problem.case, mode, f"{theirs:.2f}", f"{ours:.2f}", f"{ratio:.3f}", f"{error:.2g}",
                     "" if error <= 1 else "WRONG"])
    return rows


def race_kinds(jute, options):
    """Problems of each kind that the seed draws, by turns of the kinds, until the time is up."""
    import torch_kinds
    chosen = [row for row in torch_kinds.kinds()
              if not options.parts or any(part in (row["kind"], row["generator"]) for part in options.parts)]
    drawn = [(row["kind"], problem) for row in chosen for problem in torch_kinds.drawn(row, options.seed, options.count)]
    end = time.monotonic() + 60 * options.minutes
    refusals = compile_all(jute, [problem for _, problem in drawn], options.threads)
    turns = sorted(range(len(drawn)), key=lambda at: at % options.count)  # one of each kind after the other
    rows = []
    print(f"seed {options.seed}, {len(drawn)} problems of {len(chosen)} kinds, compiled in {options.threads} threads", flush=True)
    for at in turns:
        kind, problem = drawn[at]
        if time.monotonic() > end:
            rows.append([kind, problem.case, "", "", "", "", "", "no time was left"])
            continue
        try:
            found = [[kind, problem.case, "", "", "", "", "", refusals[at]]] if refusals[at] else race_drawn(jute, kind, problem, options.repeats)
        except Exception as failed:  # torch has no such product, or no memory for it
            found = [[kind, problem.case, "", "", "", "", "", str(failed).split("\n")[0][:120]]]
        torch.cuda.empty_cache()
        for row in found:
            rows.append(row)
            print(f"{row[0]:22}{row[1]:50}{row[2]:7}{row[3]:>10}{row[4]:>10}{row[5]:>8}{row[6]:>9}  {row[7]}", flush=True)
    for row in chosen:
        for mode, floor in (("cold", row["floor_cold"]), ("graph", row["floor_graphs"])):
            ratios = [float(found[5]) for found in rows if found[0] == row["kind"] and found[2] == mode]
            if ratios:
                mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
                print(f"{row['kind']:22}{mode:7}{len(ratios):4} problems, {mean:.3f} in the geometric mean, least {min(ratios):.3f}"
                      + (f"; its floor is {floor}" if floor else ""))
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            file.write(f"# {torch.cuda.get_device_name()}, torch {torch.__version__}, seed {options.seed}, commit {commit()}\n")
            csv.writer(file).writerows([["kind", "case", "mode", "peer_us", "jute_us", "ratio", "error", "note"], *rows])
    return 1 if any(row[7] == "WRONG" for row in rows) else 0


def commit():
    """The commit of this tree, marked where files differ from it."""
    found = subprocess.run(["git", "describe", "--always", "--abbrev=8", "--dirty", "--exclude=*"], capture_output=True, text=True,
                           cwd=pathlib.Path(__file__).parent)
    return found.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", help="cases whose name holds one of these")
    parser.add_argument("--library", required=True, help="libtorch_race.so")
    parser.add_argument("--config", default="", help="choices of jute's plans, as `jute plan` prints them")
    parser.add_argument("--csv", help="also write the rows to this file")
    parser.add_argument("--kinds", action="store_true", help="race drawn problems of each kind of floors.csv, or of those that are named")
    parser.add_argument("--seed", default=commit(), help="of --kinds: what draws the problems; else this tree's commit")
    parser.add_argument("--count", type=int, default=30, help="of --kinds: problems of each")
    parser.add_argument("--repeats", type=int, default=3, help="of --kinds: of each race, whose median counts")
    parser.add_argument("--minutes", type=float, default=1e9, help="of --kinds: no problem begins later")
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of --kinds: that compile")
    options = parser.parse_args()
    torch.manual_seed(0)
    jute = Jute(options.library, options.config)
    if options.kinds:
        return race_kinds(jute, options)
    rows = []
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, CUDA {torch.version.cuda}")
    print(f"{'case':44}{'mode':7}{'torch us':>10}{'jute us':>10}{'ratio':>8}{'TB/s':>7}{'err/bnd':>9}")
    of_their_own = ("w4a16", "einsum", "conv", "view", "fp8")
    for name, make in itertools.chain(cases(), grouped_cases(), weight_cases(), laid_out_cases(), fp8_cases()):
        if options.parts and not any(part in name for part in options.parts):
            continue
        for row in make(jute, name) if name.startswith(of_their_own) else race(jute, name, make):
            rows.append(row)
            print(f"{row[0]:44}{row[1]:7}{row[2]:>10}{row[3]:>10}{row[4]:>8}{row[5]:>7}{row[6]:>9}  {row[7]}", flush=True)
    for mode in ("cold", "graph"):
        ratios = [float(row[4]) for row in rows if row[1] == mode]
        if ratios:
            mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
            print(f"{mode}: {len(ratios)} cases, {mean:.3f} in the geometric mean, least {min(ratios):.3f}")
    if options.csv:
        with open(options.csv, "w", newline="") as file:
            csv.writer(file).writerows([["case", "mode", "torch_us", "jute_us", "ratio", "jute_tb_s", "error", "note"], *rows])
    return 1 if any(row[7] for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
