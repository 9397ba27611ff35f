"""torch on a GPU: products against float64, graphs, streams, gradients, the compiler.

    python3 -m pytest -m gpu tests/python/test_gpu.py
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.gpu

torch = pytest.importorskip("torch")
import jute  # noqa: E402
import jute.torch  # noqa: E402

if not torch.cuda.is_available():
    pytest.skip("no GPU", allow_module_level=True)

CALLS = 500
#: Half a unit in the last place of a result, and what a sum's accumulator adds to each product.
ROUNDOFF = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8, torch.float32: 2.0**-24,
            torch.float64: 2.0**-53}  # fmt: skip
EPILOGUES = {
    "": lambda acc, x: acc,
    "acc + bias[n]": lambda acc, x: acc + x["bias"],
    "relu(acc + bias[n])": lambda acc, x: torch.relu(acc + x["bias"]),
    "gelu(acc)": lambda acc, x: torch.nn.functional.gelu(acc),
    "silu(acc) + rest[m,n]": lambda acc, x: torch.nn.functional.silu(acc) + x["rest"],
    "acc*scale[m]": lambda acc, x: acc * x["scale"][..., :, None],
}


class Case:
    """A random product: operands as views, and what float64 makes of it."""

    def __init__(self, random: np.random.Generator) -> None:
        pick = random.choice
        self.dtype = pick(list(ROUNDOFF))
        m, n, k = (int(2 ** random.uniform(0, 9.5)) for _ in range(3))
        batch = int(pick([1, 1, 1, 2, 5]))
        self.a = self._operand(random, batch, m, k)
        self.b = self._operand(random, int(pick([1, batch])), k, n)
        self.text = str(pick(list(EPILOGUES)))
        if self.dtype == torch.float64:
            self.text = ""
        self.inputs = {}
        for name, shape in (("bias", (n,)), ("scale", (m,)), ("rest", (*self.shape[:-2], m, n))):
            if name in self.text:
                self.inputs[name] = torch.randn(shape, device="cuda", dtype=self.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(torch.broadcast_shapes(self.a.shape[:-2], self.b.shape[:-2])) + (
            self.a.shape[-2], self.b.shape[-1],
        )  # fmt: skip

    def _operand(self, random: np.random.Generator, batch: int, rows: int, cols: int) -> Any:
        """Contiguous, transposed, or a slice of something larger that begins anywhere."""
        turned = bool(random.integers(2))
        shape = [cols, rows] if turned else [rows, cols]
        room, start = (int(x) for x in random.integers(0, 9, 2)) if random.integers(2) else (0, 0)
        whole = torch.randn(
            (batch, shape[0], shape[1] + room + start), device="cuda", dtype=torch.float32
        ).to(self.dtype)
        view = whole[..., start : start + shape[1]]
        view = view.transpose(-1, -2) if turned else view
        return view if batch > 1 else view[0]

    def judge(self, d: Any) -> None:
        a, b = self.a.double(), self.b.double()
        inputs = {name: each.double() for name, each in self.inputs.items()}
        exact = EPILOGUES[self.text](a @ b, inputs)
        k = self.a.shape[-1]
        sums = 2.0**-53 if self.dtype == torch.float64 else 2.0**-23
        # No activation here steepens an error by more than a fifth; scales do by themselves.
        steep = 1.2 * (inputs["scale"].abs()[..., :, None] if "scale" in inputs else 1)
        bound = steep * (k + 2) * sums * (a.abs() @ b.abs())
        bound = bound + 2 * ROUNDOFF[self.dtype] * exact.abs() + 2.0**-11 * 1e-2 + 4 * sums
        if "gelu(" in self.text or "silu(" in self.text:  # docs/epilogues.md: of 16-bit results
            bound = bound + 2.0**-11 * (a @ b).abs()
        error = (d.double() - exact).abs()
        assert (error <= bound).all(), (self.text, self.a.shape, self.a.stride(), self.dtype,
                                        float((error - bound).max()))  # fmt: skip


def cases(count: int, seed: int) -> list[Case]:
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    return [Case(random) for _ in range(count)]


def multiplied(case: Case, out: Any = None) -> Any:
    return jute.matmul(case.a, case.b, epilogue=case.text, inputs=case.inputs, out=out)


def test_random_products_are_right() -> None:
    for case in cases(CALLS, 1):
        case.judge(multiplied(case))


def test_random_products_on_a_side_stream_are_right() -> None:
    side = torch.cuda.Stream()
    for case in cases(CALLS, 2):
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            d = multiplied(case)
        torch.cuda.current_stream().wait_stream(side)
        case.judge(d)


def test_random_products_in_graphs_are_right() -> None:
    """Captured together, replayed twice with other numbers, while eager calls go on."""
    every = cases(CALLS, 3)
    for begin in range(0, CALLS, 50):
        some = every[begin : begin + 50]
        for case in some:
            multiplied(case)  # compiled outside of the capture
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            results = [multiplied(case) for case in some]
        for _ in range(2):
            for case in some:
                case.a.copy_(torch.randn_like(case.a))
            graph.replay()
            multiplied(some[0])
            for case, d in zip(some, results, strict=True):
                case.judge(d)


def test_a_prepared_product_is_right_and_takes_out() -> None:
    a = torch.randn(64, 128, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(128, 96, device="cuda", dtype=torch.bfloat16)
    out = torch.empty(64, 96, device="cuda", dtype=torch.bfloat16)
    product = jute.prepare(a, b)
    assert product(a, b, out=out) is out
    torch.testing.assert_close(out, a @ b, rtol=2e-2, atol=1e-2)


def strided(random: np.random.Generator, *shape: int) -> Any:
    """A tensor that lies in a random order of axes, with gaps."""
    order = random.permutation(len(shape))
    steps = [int(step) for step in random.integers(1, 4, len(shape))]
    whole = torch.randint(-3, 4, [shape[axis] * steps[axis] for axis in order], device="cuda")
    view = whole.to(torch.bfloat16 if random.integers(2) else torch.float32)
    view = view.permute(*np.argsort(order).tolist())
    return view[tuple(slice(None, None, step) for step in steps)]


def test_views_multiply_where_they_lie() -> None:
    """Whole numbers: exact in f32, and of few in bf16."""
    random = np.random.default_rng(4)
    for _ in range(100):
        batch, m, k, n = (int(x) for x in random.integers(1, (4, 80, 20, 80)))
        a = strided(random, batch, m, k)
        b = strided(random, batch, k, n).to(a.dtype)
        assert (jute.matmul(a, b, out_dtype="f32") == a.float() @ b.float()).all()


@pytest.mark.parametrize(
    "text, shapes",
    [("abk,kcd->acdb", [(8, 9, 64), (64, 5, 16)]), ("bqhd,bkhd->bhqk", [(2, 33, 4, 64), (2, 40, 4, 64)]),
     ("ii", [(50, 50)]), ("...ij,...jk", [(3, 2, 20, 30), (2, 30, 8)]), ("ijk->j", [(7, 8, 9)]),
     ("ab,bc,cd->da", [(30, 40), (40, 20), (20, 50)])],
)  # fmt: skip
def test_einstein_means_what_it_means_to_torch(text: str, shapes: list[tuple[int, ...]]) -> None:
    random = np.random.default_rng(5)
    for _ in range(5):
        operands = [strided(random, *shape).float() for shape in shapes]
        wanted = torch.einsum(text, *(operand.double() for operand in operands))
        assert (jute.einsum(text, *operands).double() == wanted).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_convolutions_are_those_of_torch(dtype: Any) -> None:
    words: dict[str, Any]
    for words in ({}, {"padding": 1}, {"stride": 2, "padding": (1, 2), "groups": 2}, {"dilation": 2}):
        x = torch.randint(-3, 4, (3, 16, 15, 14), device="cuda").to(dtype)
        w = torch.randint(-2, 3, (8, 16 // words.get("groups", 1), 3, 3), device="cuda").to(dtype)
        wanted = torch.nn.functional.conv2d(x.double(), w.double(), **words)
        assert (jute.conv2d(x, w, order="NCHW", out_dtype="f32", **words).double() == wanted).all()
        last = [each.permute(0, 2, 3, 1).contiguous() for each in (x, w)]
        found = jute.conv2d(*last, out_dtype="f32", **words)
        assert (found.permute(0, 3, 1, 2).double() == wanted).all()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("index", [torch.int32, torch.int64])
def test_groups_are_loops_over_them(dtype: Any, index: Any) -> None:
    ends = [0, 100, 100, 355, 400]
    parts = [slice(first, end) for first, end in zip([0, *ends[:-1]], ends, strict=True)]
    offs = torch.tensor(ends, device="cuda", dtype=index)
    whole = lambda *shape: torch.randint(-3, 4, shape, device="cuda").to(dtype)  # noqa: E731
    a, b = whole(420, 64), whole(5, 48, 64).mT
    rows = torch.zeros(420, 48, device="cuda", dtype=torch.float64)
    for part, matrix in zip(parts, b, strict=True):
        rows[part] = a[part].double() @ matrix.double()
    assert (jute.grouped_mm(a, b, offs, out_dtype="f32").double() == rows).all()
    out = torch.full((420, 48), 7.0, device="cuda")
    jute.grouped_mm(a, b, offs, out=out)
    assert (out[:400].double() == rows[:400]).all() and (out[400:] == 7).all()
    columns = jute.grouped_mm(b.mT, a.T, offs, out_dtype="f32")
    assert (columns.double() == rows.T).all()
    x, y = whole(64, 400), whole(400, 48)
    sums = torch.stack([x[:, part].double() @ y[part].double() for part in parts])
    assert (jute.grouped_mm(x, y, offs, out_dtype="f32").double() == sums).all()
    counts = torch.tensor([0, 7, 84], device="cuda", dtype=index)
    masked = jute.grouped_mm(whole(3, 84, 64), whole(3, 64, 48), counts=counts)
    assert (masked[0] == 0).all() and (masked[1, 7:] == 0).all() and (masked[2] != 0).any()


@pytest.mark.skipif(not hasattr(torch, "_grouped_mm"), reason="torch has no groups")
def test_groups_are_those_of_torch() -> None:
    a = torch.randint(-3, 4, (400, 64), device="cuda").to(torch.bfloat16)
    b = torch.randint(-3, 4, (4, 48, 64), device="cuda").to(torch.bfloat16).mT
    offs = torch.tensor([8, 8, 256, 400], device="cuda", dtype=torch.int32)
    assert (jute.grouped_mm(a, b, offs) == torch._grouped_mm(a, b, offs=offs)).all()


def test_a_graph_replays_groups_with_other_ends() -> None:
    a = torch.randint(-3, 4, (256, 64), device="cuda").to(torch.bfloat16)
    b = torch.randint(-3, 4, (2, 64, 32), device="cuda").to(torch.bfloat16)
    offs = torch.tensor([100, 200], device="cuda")
    jute.grouped_mm(a, b, offs, out_dtype="f32")  # compiles
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        d = jute.grouped_mm(a, b, offs, out_dtype="f32")
    for first, last in ((100, 200), (0, 256), (256, 256), (3, 9)):
        offs.copy_(torch.tensor([first, last]))
        graph.replay()
        wanted = torch.cat([a[:first].float() @ b[0].float(), a[first:last].float() @ b[1].float()])
        assert (d[:last] == wanted).all() and (d[last:] == 0).all()


def test_operands_of_two_devices_are_refused() -> None:
    with pytest.raises(jute.Error, match="cuda:0"):
        jute.matmul(torch.ones(4, 4, device="cuda"), torch.ones(4, 4))


@pytest.mark.parametrize("activation", list(jute.torch.ACTIVATIONS))
def test_gradients_are_those_of_torch(activation: str) -> None:
    functions = {"": lambda x: x, "relu": torch.relu, "gelu": torch.nn.functional.gelu,
                 "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
                 "silu": torch.nn.functional.silu}  # fmt: skip
    shapes = ((2, 33, 64), (64, 48), (48,), (2, 33, 48))
    leaves = [torch.randn(s, device="cuda", requires_grad=True) for s in shapes]
    a, b, bias, residual = leaves
    d = jute.torch.matmul(a, b, bias=bias, residual=residual, activation=activation)
    wanted = functions[activation](a.double() @ b.double() + bias.double()) + residual.double()
    torch.testing.assert_close(d.double(), wanted, rtol=1e-4, atol=1e-4)
    weights = torch.randn_like(d)
    ours = torch.autograd.grad((d * weights).sum(), leaves)
    theirs = torch.autograd.grad((wanted * weights.double()).sum(), leaves)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-3, atol=1e-3)


def test_an_activation_without_a_gradient_is_refused_by_name() -> None:
    with pytest.raises(jute.Error, match="nearest legal: gelu") as refused:
        jute.torch.Linear(8, 8, activation="gleu")
    assert refused.value.code == "unknown_name"


@pytest.mark.parametrize("rows", [16, 4096])
def test_a_compiled_mlp_is_right_and_has_no_graph_break(rows: int) -> None:
    kind = {"device": "cuda", "dtype": torch.bfloat16}
    mlp = torch.nn.Sequential(
        jute.torch.Linear(1024, 3584, activation="gelu", **kind),
        jute.torch.Linear(3584, 1024, **kind),
    )
    x = torch.randn(rows, 1024, **kind)
    compiled = torch.compile(mlp, fullgraph=True)
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), mlp(x), rtol=2e-2, atol=2e-2)
    compiled(x).float().square().mean().backward()
    assert all(parameter.grad.isfinite().all() for parameter in mlp.parameters())


def test_autocast_multiplies_in_its_type() -> None:
    layer = jute.torch.Linear(64, 32, device="cuda")
    with torch.autocast("cuda", dtype=torch.bfloat16):
        assert layer(torch.randn(8, 64, device="cuda")).dtype == torch.bfloat16


def test_a_failed_launch_reaches_a_later_call() -> None:
    """In a process of its own: its context is lost."""
    import subprocess
    import sys

    script = """
import torch, jute
a = torch.ones(64, 64, device="cuda")
out = jute.matmul(a, a)
torch.cuda.synchronize()
torch._assert_async(torch.zeros((), device="cuda", dtype=torch.bool))
try:
    for _ in range(1000):
        jute.matmul(a, a, out=out)
except jute.Error as error:
    assert error.code in ("driver_failed", "launch_failed"), error
else:
    raise SystemExit("nothing was raised")
"""
    subprocess.run([sys.executable, "-c", script], check=True)
