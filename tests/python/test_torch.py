"""jute in torch: products, convolutions and groups, gradients, the compiler.

On a GPU, and on the emulator where torch has none:

    python3 -m pytest -m gpu tests/python
    python3 -m pytest -m torch tests/python
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import jute  # noqa: E402
import jute.torch  # noqa: E402
from torch_cases import PARTS, cases, multiplied, strided  # noqa: E402


@pytest.fixture(
    params=[pytest.param("cpu", marks=pytest.mark.torch), pytest.param("cuda", marks=pytest.mark.gpu)]
)
def device(request: pytest.FixtureRequest) -> str:
    if request.param == "cuda" and not torch.cuda.is_available():
        pytest.skip("no GPU")
    return str(request.param)


def many(device: str, on_gpu: int, emulated: int) -> int:
    return on_gpu if device == "cuda" else emulated


@pytest.mark.parametrize("part", range(PARTS))
def test_random_products_are_right(device: str, part: int) -> None:
    for case in cases(many(device, 500, 20) // PARTS, part, device):
        case.judge(multiplied(case))


def test_a_prepared_product_is_right_and_takes_out(device: str) -> None:
    a = torch.randn(64, 128, device=device, dtype=torch.bfloat16)
    b = torch.randn(128, 96, device=device, dtype=torch.bfloat16)
    out = torch.empty(64, 96, device=device, dtype=torch.bfloat16)
    product = jute.prepare(a, b)
    assert product(a, b, out=out) is out
    torch.testing.assert_close(out, a @ b, rtol=2e-2, atol=1e-2)


def test_views_multiply_where_they_lie(device: str) -> None:
    """Whole numbers: exact in f32, and of few in bf16."""
    random = np.random.default_rng(4)
    for _ in range(many(device, 100, 10)):
        batch, m, k, n = (int(x) for x in random.integers(1, (4, 80, 20, 80)))
        a = strided(random, device, batch, m, k)
        b = strided(random, device, batch, k, n).to(a.dtype)
        assert (jute.matmul(a, b, out_dtype="f32") == a.float() @ b.float()).all()


@pytest.mark.parametrize(
    "text, shapes",
    [("abk,kcd->acdb", [(8, 9, 64), (64, 5, 16)]), ("bqhd,bkhd->bhqk", [(2, 33, 4, 64), (2, 40, 4, 64)]),
     ("ii", [(50, 50)]), ("...ij,...jk", [(3, 2, 20, 30), (2, 30, 8)]), ("ijk->j", [(7, 8, 9)]),
     ("ab,bc,cd->da", [(30, 40), (40, 20), (20, 50)])],
)  # fmt: skip
def test_einstein_means_what_it_means_to_torch(device: str, text: str, shapes: list[tuple[int, ...]]) -> None:
    random = np.random.default_rng(5)
    for _ in range(many(device, 5, 2)):
        operands = [strided(random, device, *shape).float() for shape in shapes]
        wanted = torch.einsum(text, *(operand.double() for operand in operands))
        assert (jute.einsum(text, *operands).double() == wanted).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_convolutions_are_those_of_torch(device: str, dtype: Any) -> None:
    words: dict[str, Any]
    for words in ({}, {"padding": 1}, {"stride": 2, "padding": (1, 2), "groups": 2}, {"dilation": 2}):
        x = torch.randint(-3, 4, (3, 16, 15, 14), device=device).to(dtype)
        w = torch.randint(-2, 3, (8, 16 // words.get("groups", 1), 3, 3), device=device).to(dtype)
        wanted = torch.nn.functional.conv2d(x.double(), w.double(), **words)
        assert (jute.conv2d(x, w, order="NCHW", out_dtype="f32", **words).double() == wanted).all()
        last = [each.permute(0, 2, 3, 1).contiguous() for each in (x, w)]
        found = jute.conv2d(*last, out_dtype="f32", **words)
        assert (found.permute(0, 3, 1, 2).double() == wanted).all()


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float32])
@pytest.mark.parametrize("index", [torch.int32, torch.int64])
def test_groups_are_loops_over_them(device: str, dtype: Any, index: Any) -> None:
    ends = [0, 100, 100, 355, 400]
    parts = [slice(first, end) for first, end in zip([0, *ends[:-1]], ends, strict=True)]
    offs = torch.tensor(ends, device=device, dtype=index)
    whole = lambda *shape: torch.randint(-3, 4, shape, device=device).to(dtype)  # noqa: E731
    a, b = whole(420, 64), whole(5, 48, 64).mT
    rows = torch.zeros(420, 48, device=device, dtype=torch.float64)
    for part, matrix in zip(parts, b, strict=True):
        rows[part] = a[part].double() @ matrix.double()
    assert (jute.grouped_mm(a, b, offs, out_dtype="f32").double() == rows).all()
    out = torch.full((420, 48), 7.0, device=device)
    jute.grouped_mm(a, b, offs, out=out)
    assert (out[:400].double() == rows[:400]).all() and (out[400:] == 7).all()
    columns = jute.grouped_mm(b.mT, a.T, offs, out_dtype="f32")
    assert (columns.double() == rows.T).all()
    x, y = whole(64, 400), whole(400, 48)
    sums = torch.stack([x[:, part].double() @ y[part].double() for part in parts])
    assert (jute.grouped_mm(x, y, offs, out_dtype="f32").double() == sums).all()
    counts = torch.tensor([0, 7, 84], device=device, dtype=index)
    masked = jute.grouped_mm(whole(3, 84, 64), whole(3, 64, 48), counts=counts)
    assert (masked[0] == 0).all() and (masked[1, 7:] == 0).all() and (masked[2] != 0).any()


@pytest.mark.parametrize("activation", list(jute.torch.ACTIVATIONS))
def test_gradients_are_those_of_torch(device: str, activation: str) -> None:
    functions = {"": lambda x: x, "relu": torch.relu, "gelu": torch.nn.functional.gelu,
                 "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
                 "silu": torch.nn.functional.silu}  # fmt: skip
    shapes = ((2, 33, 64), (64, 48), (48,), (2, 33, 48))
    leaves = [torch.randn(s, device=device, requires_grad=True) for s in shapes]
    a, b, bias, residual = leaves
    d = jute.torch.matmul(a, b, bias=bias, residual=residual, activation=activation)
    wanted = functions[activation](a.double() @ b.double() + bias.double()) + residual.double()
    torch.testing.assert_close(d.double(), wanted, rtol=1e-4, atol=1e-4)
    weights = torch.randn_like(d)
    ours = torch.autograd.grad((d * weights).sum(), leaves)
    theirs = torch.autograd.grad((wanted * weights.double()).sum(), leaves)
    for mine, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(mine, other, rtol=1e-3, atol=1e-3)


def slopes(d: Any, weights: Any, leaves: list[Any]) -> list[Any]:
    """Gradients of d's weighted sum, and those of the sum of their squares."""
    first = torch.autograd.grad((d * weights).sum(), leaves, create_graph=True)
    return [*first, *torch.autograd.grad(sum(each.square().sum() for each in first), leaves)]


@pytest.mark.parametrize("activation", [each for each in jute.torch.ACTIVATIONS if each != "relu"])
def test_gradients_have_gradients(device: str, activation: str) -> None:
    functions = {"": lambda x: x * x, "gelu": torch.nn.functional.gelu,
                 "gelu_tanh": lambda x: torch.nn.functional.gelu(x, approximate="tanh"),
                 "silu": torch.nn.functional.silu}  # fmt: skip
    leaves = [torch.randn(s, device=device, requires_grad=True) for s in ((2, 5, 16), (16, 12), (12,))]
    a, b, bias = leaves
    d = jute.torch.matmul(a, b, bias=bias, activation=activation)
    d = d * d if activation == "" else d  # else a product's second gradients would be those of a sum
    x, y, z = others = [each.detach().double().requires_grad_() for each in leaves]
    weights = torch.randn_like(d)
    wanted = slopes(functions[activation](x @ y + z), weights.double(), others)
    for mine, other in zip(slopes(d, weights, leaves), wanted, strict=True):
        torch.testing.assert_close(mine.double(), other, rtol=1e-3, atol=1e-3)


def test_an_activation_without_a_gradient_is_refused_by_name(device: str) -> None:
    with pytest.raises(jute.Error, match="nearest legal: gelu") as refused:
        jute.torch.Linear(8, 8, activation="gleu")
    assert refused.value.code == "unknown_name"


def test_forward_mode_gradients_are_refused_by_the_operand(device: str) -> None:
    x, w = torch.randn(4, 8, device=device), torch.randn(8, 6, device=device)
    images, filters = torch.randn(1, 2, 5, 5, device=device), torch.randn(3, 2, 3, 3, device=device)

    def refused(operand: str, function: Any, of: Any) -> None:
        with pytest.raises(jute.Error, match="no tangent") as caught:
            torch.func.jvp(function, (of,), (torch.ones_like(of),))
        assert (caught.value.code, caught.value.operand) == ("unsupported", operand)

    refused("a", lambda each: jute.torch.matmul(each, w), x)
    refused("b", lambda each: jute.torch.matmul(x, each, activation="gelu"), w)
    refused("w", lambda each: jute.torch.conv2d(images, each), filters)
    with torch.autograd.forward_ad.dual_level():  # where nothing has a tangent nothing is refused
        torch.testing.assert_close(jute.torch.matmul(x, w), x @ w, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("rows", [16, 4096])
def test_a_compiled_mlp_is_right_and_has_no_graph_break(device: str, rows: int) -> None:
    few = many(device, 1, 16)
    rows = max(16, rows // few)
    kind = {"device": device, "dtype": torch.bfloat16}
    mlp = torch.nn.Sequential(
        jute.torch.Linear(1024 // few, 3584 // few, activation="gelu", **kind),
        jute.torch.Linear(3584 // few, 1024 // few, **kind),
    )
    x = torch.randn(rows, 1024 // few, **kind)
    compiled = torch.compile(mlp, fullgraph=True)
    with torch.no_grad():
        torch.testing.assert_close(compiled(x), mlp(x), rtol=2e-2, atol=2e-2)
    compiled(x).float().square().mean().backward()
    assert all(parameter.grad.isfinite().all() for parameter in mlp.parameters())


def test_autocast_multiplies_in_its_type(device: str) -> None:
    layer = jute.torch.Linear(64, 32, device=device)
    with torch.autocast(device, dtype=torch.bfloat16):
        assert layer(torch.randn(8, 64, device=device)).dtype == torch.bfloat16


CONVOLUTIONS: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((2, 4, 7, 6), (6, 4, 3, 3), {"padding": 1}),
    ((2, 4, 9, 8), (6, 2, 3, 2), {"stride": 2, "padding": (1, 0), "groups": 2}),
    ((1, 3, 9, 9), (4, 3, 2, 3), {"stride": (1, 2), "dilation": (2, 1), "padding": 2}),
    ((2, 4, 11), (5, 4, 3), {"stride": 2, "padding": 1}),
    ((1, 2, 5, 4, 6), (3, 2, 2, 3, 2), {"padding": 1}),
]


@pytest.mark.parametrize("x_shape, w_shape, words", CONVOLUTIONS)
@pytest.mark.parametrize("form", ["contiguous", "channels_last"])
def test_gradients_of_convolutions_are_those_of_torch(
    device: str, form: str, x_shape: tuple[int, ...], w_shape: tuple[int, ...], words: dict[str, Any]
) -> None:
    """Whole numbers, whose sums are exact."""
    kind = torch.contiguous_format
    if form == "channels_last":
        kind = {4: torch.channels_last, 5: torch.channels_last_3d}.get(len(x_shape), kind)
    shapes = (x_shape, w_shape, w_shape[:1])
    leaves = [torch.randint(-3, 4, s, device=device).float() for s in shapes]
    leaves[0] = leaves[0].contiguous(memory_format=kind)
    for leaf in leaves:
        leaf.requires_grad_()
    y = jute.torch.conv2d(*leaves, **words)
    function = getattr(torch.nn.functional, f"conv{len(x_shape) - 2}d")
    wanted = function(*(leaf.double() for leaf in leaves), **words)
    assert y.is_contiguous(memory_format=kind) and (y.double() == wanted).all()
    weights = torch.randint(-2, 3, y.shape, device=device)
    ours = torch.autograd.grad((y * weights).sum(), leaves)
    theirs = torch.autograd.grad((wanted * weights).sum(), leaves)
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.shape == other.shape and (mine.double() == other.double()).all()


@pytest.mark.parametrize("form", [torch.contiguous_format, torch.channels_last])
def test_gradients_of_convolutions_have_gradients(device: str, form: Any) -> None:
    """Small whole numbers, of which all sums are exact."""
    words: dict[str, Any] = {"stride": 2, "padding": (1, 0), "groups": 2}
    shapes = ((2, 4, 9, 8), (6, 2, 3, 2), (6,))
    leaves = [torch.randint(-2, 3, s, device=device).float() for s in shapes]
    leaves[0] = leaves[0].contiguous(memory_format=form)
    for leaf in leaves:
        leaf.requires_grad_()
    others = [each.detach().double().requires_grad_() for each in leaves]
    y, z = jute.torch.conv2d(*leaves, **words), torch.nn.functional.conv2d(*others, **words)
    weights = torch.randint(-1, 2, y.shape, device=device)
    wanted = slopes(z * z, weights, others)
    for mine, other in zip(slopes(y * y, weights, leaves), wanted, strict=True):
        assert mine.shape == other.shape
        torch.testing.assert_close(mine.double(), other, rtol=1e-5, atol=1e-5)


def test_operators_keep_what_torch_asks_of_them(device: str) -> None:
    """Schemas, shapes without running, gradients, and dispatch while a compiler traces."""
    x = torch.randn(2, 4, 7, 6, device=device, requires_grad=True)
    w = torch.randn(6, 4, 3, 3, device=device, requires_grad=True)
    b = torch.randn(6, device=device, requires_grad=True)
    for images in (x, x.detach().contiguous(memory_format=torch.channels_last).requires_grad_()):
        torch.library.opcheck(
            torch.ops.jute.convolution.default, (images, w, b, [2, 1], [1, 0], [1, 1], 1)
        )
    rows, cols = (torch.randn(*s, device=device, requires_grad=True) for s in ((9, 8), (8, 6)))
    for activation in ("", "gelu"):
        torch.library.opcheck(
            torch.ops.jute.product.default, (rows, cols, b, None, activation, activation != "")
        )
        plain = (rows.detach(), cols.detach(), b.detach(), None, activation)
        torch.library.opcheck(torch.ops.jute.product_alone.default, plain)
    with pytest.raises(jute.Error, match="gradient"):  # which would be lost
        torch.ops.jute.product_alone(rows, cols, b, None, "")


@pytest.mark.parametrize("activation", list(jute.torch.ACTIVATIONS))
@pytest.mark.parametrize("shape", [(5, 8), (2, 3, 8)])
def test_a_product_without_gradients_is_that_with_them(
    device: str, activation: str, shape: tuple[int, ...]
) -> None:
    a, b = torch.randn(*shape, device=device), torch.randn(8, 6, device=device)
    bias = torch.randn(6, device=device)
    for residual in (None, torch.randn(*shape[:-1], 6, device=device)):
        words: dict[str, Any] = {"residual": residual, "activation": activation}
        recorded = jute.torch.matmul(a, b.requires_grad_(), bias=bias, **words)
        alone = jute.torch.matmul(a, b.detach(), bias=bias, **words)
        assert recorded.requires_grad and not alone.requires_grad
        assert alone.shape == recorded.shape and (alone == recorded).all()
        with torch.no_grad():
            assert (jute.torch.matmul(a, b, bias=bias, **words) == alone).all()


def test_a_residual_alone_has_a_gradient(device: str) -> None:
    a, b = torch.randn(5, 8, device=device), torch.randn(8, 6, device=device)
    residual = torch.randn(5, 6, device=device, requires_grad=True)
    jute.torch.matmul(a, b, residual=residual, activation="gelu").sum().backward()
    assert (residual.grad == 1).all()


def test_a_compiled_convolution_has_no_graph_break(device: str) -> None:
    layer = jute.torch.Conv2d(4, 8, 3, stride=2, padding=1, device=device)
    x = torch.randn(2, 4, 9, 8, device=device)
    compiled = torch.compile(lambda images: torch.relu(layer(images)), fullgraph=True)
    reference = torch.nn.functional.conv2d(x, layer.weight, layer.bias, 2, 1)
    torch.testing.assert_close(compiled(x), torch.relu(reference), rtol=1e-5, atol=1e-5)
    compiled(x).square().mean().backward()
    ours = [each.grad.clone() for each in layer.parameters()]
    layer.zero_grad()
    torch.relu(torch.nn.functional.conv2d(x, layer.weight, layer.bias, 2, 1)).square().mean().backward()
    for mine, each in zip(ours, layer.parameters(), strict=True):
        torch.testing.assert_close(mine, each.grad, rtol=1e-4, atol=1e-5)


def test_a_convolution_that_cannot_be_is_refused_by_name(device: str) -> None:
    x, w = torch.randn(1, 4, 6, 6, device=device), torch.randn(5, 3, 3, 3, device=device)
    with pytest.raises(jute.Error) as refused:
        jute.torch.conv2d(x, w)
    assert (refused.value.code, refused.value.operand) == ("not_compatible", "w")
    with pytest.raises(jute.Error, match="padding"):
        jute.torch.conv2d(x, torch.randn(5, 4, 3, 3, device=device), padding="same")
    with pytest.raises(jute.Error, match="nearest legal: zeros"):
        jute.torch.Conv2d(4, 8, 3, padding_mode="reflect")


def test_results_lie_as_they_are_written_fastest(device: str) -> None:
    # Whole numbers, whose sums are exact in every order.
    q, e = (torch.randint(-8, 9, shape, device=device).float() for shape in ((24, 5, 32), (48, 5, 32)))
    free = jute.einsum("qwa,ewa->qew", q, e)
    assert free.shape == (24, 48, 5) and free.stride() == (48, 1, 24 * 48)
    kept = jute.einsum("qwa,ewa->qew", q, e, order="C")
    assert kept.is_contiguous() and torch.equal(free, kept)
    out = torch.empty(24, 48, 5, device=device)
    assert jute.einsum("qwa,ewa->qew", q, e, out=out) is out
    assert torch.equal(out, kept)
    x, w = torch.randn(2, 8, 9, 7, device=device), torch.randn(16, 8, 3, 3, device=device)
    y = jute.conv2d(x.contiguous(memory_format=torch.channels_last), w, order="NCHW")
    assert y.is_contiguous(memory_format=torch.channels_last)
    assert torch.allclose(y, jute.conv2d(x, w, order="NCHW"), atol=1e-4)
    assert jute.conv2d(x, w, order="NCHW").is_contiguous()
