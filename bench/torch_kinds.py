#!/usr/bin/env python3
"""Problems of each kind of product, drawn from a seed, so that anybody can race what nobody tuned for.

    bench/torch_race.py --library build/release/bench/libtorch_race.so --kinds --seed 1 --csv kinds.csv   # on a GPU
    python3 bench/torch_kinds.py --seed 1 --count 3                                    # only says what would race

`floors.csv` names the kinds, the function here that draws each, whom it races with, and what it must reach. Drawing
needs no torch; `contest` of a drawn problem makes its tensors."""
import argparse
import csv
import math
import pathlib
import random
from typing import Any, Callable, NamedTuple

HERE = pathlib.Path(__file__).resolve().parent
COUNT = 30


class Contest(NamedTuple):
    """What races: tensors of jute's run (A, B, D, list, scales of A and of B), torch's calls, of which the fastest
    that is right counts, and by how many bounds a result is off."""
    tensors: tuple
    theirs: list
    error: Callable[[Any], float]


class Drawn(NamedTuple):
    """A problem: its name; `problem`, `contract` or `conv` with its words; choices of jute's; `contest(jute)`."""
    case: str
    form: str
    text: str
    contest: Callable[..., Contest]
    config: str = ""


def between(draw, least, most, step=1):
    """A multiple of the step, each factor as likely."""
    value = math.exp(draw.uniform(math.log(least), math.log(most)))
    return min(max(round(value / step) * step, -(-least // step) * step), most // step * step)


def kinds():
    """The rows of floors.csv."""
    with open(HERE / "floors.csv", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def drawn(row, seed, count=COUNT):
    """So many problems of a kind; none depends on how many others are drawn."""
    draw = random.Random(f"{seed} {row['generator']}")
    return [GENERATORS[row["generator"]](draw) for _ in range(count)]


# ---- products of two matrices, or batches of them

TORCH_TYPES = {"bf16": "bfloat16", "f16": "float16", "f32": "float32", "f64": "float64", "s8": "int8", "e4m3": "float8_e4m3fn"}


def tensor(kind, rows, columns, order, batch=0):
    """Normal elements, of integers small ones, whose rows or columns are contiguous."""
    import torch
    shape = (rows, columns) if order == "row" else (columns, rows)
    shape = (batch, *shape) if batch else shape
    if kind == "s8":
        made = torch.randint(-8, 8, shape, device="cuda", dtype=torch.int8)
    else:
        made = torch.randn(*shape, device="cuda", dtype=torch.float64 if kind == "f64" else torch.float32)
        made = made.to(getattr(torch, TORCH_TYPES[kind]))
    return made if order == "row" else made.transpose(-2, -1)


def like(d):
    """D before the run: no result is NaN, or so small a number."""
    import torch
    return torch.full_like(d, float("nan")) if d.is_floating_point() else torch.full_like(d, -(2**31))


def product_error(a, b, d):
    """|D - reference| / bound, the most of some rows."""
    import torch
    import torch_race as race
    if d.dtype == torch.int32:
        rows = torch.randperm(a.shape[-2], device="cuda")[:64]
        return 0.0 if torch.equal(d[rows].double(), a[rows].double() @ b.double()) else math.inf
    return race.worst_error(a, b, d)


def matmul(kind, m, n, k, order_a="row", order_b="col", batch=0):
    """A·B of matrices, or of a batch."""
    def contest(jute):
        import torch
        a, b = tensor(kind, m, k, order_a, batch), tensor(kind, k, n, order_b, batch)
        multiply = torch._int_mm if kind == "s8" else torch.matmul
        return Contest((a, b, like(multiply(a, b)), None, None, None), [lambda: multiply(a, b)],
                       lambda d: product_error(a, b, d))

    extents = f"{m}x{n}x{k}" + (f" batch {batch}" if batch else "")
    text = f"M={m} N={n} K={k} batch={batch or 1} A={kind}:{order_a} B={kind}:{order_b}"
    text += f" D={'s32' if kind == 's8' else kind}:row alpha=1 beta=0"
    return Drawn(f"{kind} {extents} A {order_a} B {order_b}", "problem", text, contest)


def orders(draw):
    return draw.choice(("row", "col")), draw.choice(("row", "col"))


def gigabytes(draw):
    kind = draw.choice(("bf16", "f16", "s8"))
    elements = draw.uniform(1e9, 5e9) / (4 if kind == "s8" else 2)
    m = between(draw, 8000, 60000, 16)
    return matmul(kind, m, int(elements / m) // 16 * 16, between(draw, 64, 256, 16))


def short_k(draw):
    m, n = (between(draw, 500, 4200, 8) for _ in range(2))
    return matmul(draw.choice(("bf16", "f16")), m, n, between(draw, 16, 80, 8), *orders(draw))


def between_powers(kind):
    return lambda draw: matmul(kind, *(between(draw, 500, 6000) for _ in range(3)), *orders(draw))


def attention(draw):
    return matmul(draw.choice(("bf16", "f16")), between(draw, 64, 2048, 8), between(draw, 64, 2048, 8),
                  draw.choice((64, 80, 96, 128)), "row", draw.choice(("row", "col")), between(draw, 16, 512))


def tiny_batches(draw):
    m, n, k = (between(draw, 4, 130) for _ in range(3))
    batch = min(between(draw, 1000, 70000), int(2e9 / (4 * (m * k + n * k + m * n))))
    return matmul(draw.choice(("bf16", "f16", "f32")), m, n, k, "row", "col", batch)


# ---- groups

def ends_of(draw, total, groups, step=1):
    """Where each group ends: equal parts, or uneven ones."""
    power = draw.choice((0, 3))
    shares = [draw.random() ** power for _ in range(groups)]
    ends, used = [], 0.0
    for share in shares:
        used += share
        ends.append(int(total * used / sum(shares)) // step * step)
    ends[-1] = total
    return ends, "uneven" if power else "even"


def of_groups(draw, bytes_of_weights):
    """Groups, and two extents whose matrices take so many bytes at most together."""
    while True:
        groups, m, n = draw.choice((8, 16, 32, 64, 128)), between(draw, 512, 8192, 128), between(draw, 512, 8192, 128)
        if 2 * groups * m * n <= bytes_of_weights:
            return groups, m, n


def groups_of_rows(draw):
    groups, n, k = of_groups(draw, 8e9)
    rows = between(draw, 256, 32768)
    ends, evenly = ends_of(draw, rows, groups)

    def contest(jute):
        import torch
        a, b = tensor("bf16", rows, k, "row"), tensor("bf16", k, n, "col", groups)
        offsets = torch.tensor(ends, device="cuda", dtype=torch.int32)
        parts = list(zip([0, *ends], ends))
        some = [g for g, (i, j) in enumerate(parts) if j > i][:4]

        def error(d):
            return max(product_error(a[slice(*parts[g])], b[g], d[slice(*parts[g])]) for g in some)

        d = like(torch.empty(rows, n, device="cuda", dtype=a.dtype))
        return Contest((a, b, d, offsets, None, None), [lambda: torch._grouped_mm(a, b, offs=offsets)], error)

    return Drawn(f"{groups} groups {rows}x{n}x{k} {evenly}", "problem",
                 f"M={rows} N={n} K={k} batch={groups} A=bf16:row B=bf16:col D=bf16:row alpha=1 beta=0 groups=rows:i32", contest)


def groups_along_k(draw):
    groups, m, n = of_groups(draw, 2e9)
    tokens = between(draw, 1024, 32768, 64)
    ends, evenly = ends_of(draw, tokens, groups, 16)

    def contest(jute):
        import torch
        a, b = tensor("bf16", m, tokens, "col"), tensor("bf16", tokens, n, "row")
        offsets = torch.tensor(ends, device="cuda", dtype=torch.int32)
        parts = list(zip([0, *ends], ends))
        some = [g for g, (i, j) in enumerate(parts) if j > i][:4]

        def error(d):
            return max(product_error(a[:, slice(*parts[g])], b[slice(*parts[g])], d[g]) for g in some)

        d = like(torch.empty(groups, m, n, device="cuda", dtype=a.dtype))
        return Contest((a, b, d, offsets, None, None), [lambda: torch._grouped_mm(a, b, offs=offsets)], error)

    return Drawn(f"{groups} groups along K {m}x{n}x{tokens} {evenly}", "problem",
                 f"M={m} N={n} K={tokens} batch={groups} A=bf16:col B=bf16:row D=bf16:row alpha=1 beta=0 groups=k:i32", contest)


# ---- scales and stored elements

def fp8(m, n, k, by_blocks):
    def contest(jute):
        import torch
        import torch_race as race
        a, b = tensor("e4m3", m, k, "row"), tensor("e4m3", k, n, "col")
        d = like(torch.empty(m, n, device="cuda", dtype=torch.bfloat16))
        if by_blocks:
            sa, sb = (torch.rand(k // 128, m, device="cuda") + .5).t(), torch.rand(n // 128, k // 128, device="cuda") + .5
            theirs = list(race.torch_by_blocks(a, b, sa, sb, d.dtype))
            whole = sa.double().repeat_interleave(128, 1), sb.double().repeat_interleave(128, 0).repeat_interleave(128, 1).t()
        else:
            sa, sb = torch.rand(m, 1, device="cuda") + .5, torch.rand(1, n, device="cuda") + .5
            theirs = [lambda: torch._scaled_mm(a, b, sa, sb, out_dtype=d.dtype, use_fast_accum=True)]
            whole = sa.double(), sb.double()
        return Contest((a, b, d, None, sa, sb), theirs, lambda d: race.fp8_error(a, b, *whole, d, 2.0**-6))

    scales = ("scale_a=f32:col:block1x128 scale_b=f32:col:block128x128" if by_blocks
              else "scale_a=f32:col:block1xall scale_b=f32:row:block1xall")
    return Drawn(f"{'blocks' if by_blocks else 'rows'} {m}x{n}x{k}", "problem",
                 f"M={m} N={n} K={k} A=e4m3:row B=e4m3:col D=bf16:row alpha=1 beta=0 {scales}", contest,
                 "" if by_blocks else "fast_accum=on")


def fp8_blocks(draw):
    return fp8(between(draw, 16, 8192, 16), between(draw, 1024, 16384, 128), between(draw, 1024, 16384, 128), True)


def fp8_rows(draw):
    return fp8(between(draw, 16, 8192, 16), between(draw, 1024, 24576, 16), between(draw, 512, 16384, 16), False)


def few_rows(draw):
    return draw.choice((1, 16, between(draw, 2, 1000)))


def weights(m, n, k, bits):
    def contest(jute):
        import torch
        import torch_race as race
        x = tensor("bf16", m, k, "row")
        d = like(torch.empty(m, n, device="cuda", dtype=x.dtype))
        some = torch.randperm(n, device="cuda")[:256]
        if bits == 4:
            stored = torch.randint(0, 255, (n, k // 2), device="cuda", dtype=torch.uint8)
            scales = (torch.rand(n, k // 128, device="cuda") * 0.02).to(x.dtype)
            q = torch.stack((stored[some] & 15, stored[some] >> 4), -1).reshape(len(some), k).double() - 8
            right = (q * scales[some].double().repeat_interleave(128, 1)).t()
            packed = torch.ops.aten._convert_weight_to_int4pack(stored, 8)
            both = torch.randn(k // 128, n, 2, device="cuda", dtype=x.dtype)
            # Its weights are others, whose layout is its own: it is timed, and not judged.
            theirs = [lambda: torch.ops.aten._weight_int4pack_mm(x, packed, 128, both)]
        else:
            stored = torch.randint(-127, 128, (n, k), device="cuda", dtype=torch.int8)
            scales = (torch.rand(n, device="cuda") * 0.02).to(x.dtype)
            right = (stored[some].double() * scales[some].double()[:, None]).t()
            wide = (stored.to(x.dtype) * scales[:, None]).t()
            theirs = [lambda: torch.ops.aten._weight_int8pack_mm(x, stored, scales), lambda: torch.matmul(x, wide)]

        def error(found):
            if bits == 4 and found is not d:
                return 0.0
            reference, size = x.double() @ right, x.double().abs() @ right.abs()
            bound = ((k + 2) * 2.0**-23 + 2.0**-7) * size + race.UNIT[d.dtype] * reference.abs()
            return ((found[:, some].double() - reference).abs() / bound).max().item()

        return Contest((x, stored, d, None, None, scales), theirs, error)

    stored = "u4:col" if bits == 4 else "s8:col"
    scale = "scale_b=bf16:col:block1x128 zero_b=8" if bits == 4 else "scale_b=bf16:row:block1xall"
    return Drawn(f"{m}x{n}x{k}", "problem", f"M={m} N={n} K={k} A=bf16:row B={stored} D=bf16:row alpha=1 beta=0 {scale}", contest)


def stored_weights(bits):
    return lambda draw: weights(few_rows(draw), between(draw, 2048, 28672, 256), between(draw, 2048, 20480, 256), bits)


# ---- letters and images

def contractions(draw):
    """Up to two letters of a batch, of each operand alone, and of what is summed, in any order."""
    while True:
        counts = [draw.choice((0, 1, 1, 2)), draw.choice((1, 2)), draw.choice((1, 2)), draw.choice((1, 2))]
        letters = iter("abcdefgh")
        batch, rows, columns, summed = ([next(letters) for _ in range(count)] for count in counts)
        extents = {}
        for part, least, most in ((batch, 2, 64), (rows, 64, 4096), (columns, 64, 4096), (summed, 32, 4096)):
            for letter in part:
                root = 1 / len(part)
                extents[letter] = between(draw, max(2, round(least**root)), round(most**root), 8 if len(part) == 1 and part is not batch else 1)
        sides = [batch + rows + summed, batch + columns + summed, batch + rows + columns]
        if not all(2e5 <= math.prod(extents[x] for x in side) <= 2e8 for side in sides):
            continue
        first, second, result = ("".join(draw.sample(side, len(side))) for side in sides)
        break
    text = f"{first},{second}->{result}"
    shapes = ",".join("x".join(str(extents[x]) for x in side) for side in (first, second))

    def contest(jute):
        import torch
        import torch_race as race
        x, y = (race.normal(*(extents[letter] for letter in side)) for side in (first, second))
        _, is_exchanged, axes = jute.contraction(text, x.shape, y.shape)
        d = like(race.lying([extents[letter] for letter in result], axes))

        def error(found):
            reference = torch.einsum(text, x.double(), y.double())
            size = torch.einsum(text, x.double().abs(), y.double().abs())
            k = math.prod(extents[letter] for letter in summed)
            bound = (k + 2) * 2.0**-23 * size + race.UNIT[d.dtype] * reference.abs()
            return ((found.double() - reference).abs() / bound.clamp_min(1e-300)).max().item()

        return Contest(((y, x, d) if is_exchanged else (x, y, d)) + (None,) * 3, [lambda: torch.einsum(text, x, y)], error)

    return Drawn(f"{text} {shapes}", "contract", f"{text} {shapes}", contest)


def convolution(images, channels, features, extent, taps, stride, groups):
    padding = taps // 2
    words = (f"x={images}x{extent}x{extent}x{channels} w={features}x{taps}x{taps} stride={stride} padding={padding}"
             + (f" groups={groups}" if groups > 1 else ""))

    def contest(jute):
        import torch
        import torch_race as race
        torch.backends.cudnn.benchmark = True
        last = dict(memory_format=torch.channels_last)
        x = race.normal(images, channels, extent, extent).contiguous(**last)
        w = race.normal(features, channels // groups, taps, taps).contiguous(**last)
        convolve = torch.nn.functional.conv2d
        theirs = lambda: convolve(x, w, stride=stride, padding=padding, groups=groups)
        k = taps * taps * channels // groups

        def error(found):  # of the last image
            some, wide = x[-1:].double(), w.double()
            reference = convolve(some, wide, stride=stride, padding=padding, groups=groups)
            size = convolve(some.abs(), wide.abs(), stride=stride, padding=padding, groups=groups)
            bound = (k + 2) * 2.0**-23 * size + race.UNIT[found.dtype] * reference.abs()
            return ((found[-1:].double() - reference).abs() / bound.clamp_min(1e-300)).max().item()

        return Contest((x, w, like(theirs()), None, None, None), [theirs], error)

    return Drawn(f"n{images} c{channels} {extent}x{extent} f{features} {taps}x{taps} stride {stride}", "conv", words, contest)


def convolutions(draw):
    extent = between(draw, 7, 112)
    images = min(between(draw, 1, 64), max(1, int(4e5 / extent**2)))
    return convolution(images, between(draw, 32, 1024, 8), between(draw, 32, 1024, 8), extent, draw.choice((1, 3, 3, 5)),
                       draw.choice((1, 1, 2)), 1)


def depthwise(draw):
    extent = between(draw, 7, 112)
    images = min(between(draw, 1, 64), max(1, int(4e5 / extent**2)))
    channels = between(draw, 32, 1024, 8)
    return convolution(images, channels, channels, extent, draw.choice((3, 5)), draw.choice((1, 2)), channels)


GENERATORS = {
    "gigabytes": gigabytes, "short_k": short_k, "f32": between_powers("f32"), "f64": between_powers("f64"),
    "groups_of_rows": groups_of_rows, "groups_along_k": groups_along_k, "fp8_blocks": fp8_blocks, "fp8_rows": fp8_rows,
    "weights_4": stored_weights(4), "weights_8": stored_weights(8), "contractions": contractions,
    "convolutions": convolutions, "depthwise": depthwise, "attention": attention, "tiny_batches": tiny_batches,
}  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", required=True, help="any word; what it draws is the same everywhere")
    parser.add_argument("--count", type=int, default=COUNT, help="problems of each kind")
    options = parser.parse_args()
    for row in kinds():
        for problem in drawn(row, options.seed, options.count):
            print("\t".join((row["kind"], problem.form, problem.text, problem.config)))


if __name__ == "__main__":
    main()
