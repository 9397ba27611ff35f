"""What of torch only a GPU has: streams, graphs, launches that fail.

    python3 -m pytest -m gpu tests/python/test_gpu.py        # -n 12, where pytest-xdist is installed
"""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.gpu

torch = pytest.importorskip("torch")
import jute  # noqa: E402
from torch_cases import PARTS, cases, multiplied  # noqa: E402

if not torch.cuda.is_available():
    pytest.skip("no GPU", allow_module_level=True)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_products_on_a_side_stream_are_right(part: int) -> None:
    side = torch.cuda.Stream()
    for case in cases(500 // PARTS, part):
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            d = multiplied(case)
        torch.cuda.current_stream().wait_stream(side)
        case.judge(d)


@pytest.mark.parametrize("part", range(PARTS))
def test_random_products_in_graphs_are_right(part: int) -> None:
    """Captured together, replayed twice with other numbers, while eager calls go on."""
    some = cases(500 // PARTS, part)
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


def test_calls_like_the_one_before_take_what_is_new() -> None:
    """Addresses, values, results, streams and factors; and whatever lies otherwise in between."""
    whole = lambda *shape: torch.randint(-3, 4, shape, device="cuda").float()  # noqa: E731
    product = jute.prepare(whole(48, 64), whole(64, 40))
    side = torch.cuda.Stream()
    for turn in range(12):
        a, b = whole(48, 64), whole(64, 40)
        if turn % 3 == 1:
            a = whole(64, 48).t() if turn == 4 else whole(48, 72)[:, :64]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side if turn % 2 else torch.cuda.current_stream()):
            out = torch.empty(48, 40, device="cuda") if turn % 4 == 3 else None
            alpha = 2.0 if turn % 5 == 4 else 1.0
            d = jute.matmul(a, b, out=out, alpha=alpha)
            prepared = product(a, b, out=None) if a.is_contiguous() else None
            wanted = alpha * (a.double() @ b.double())
            assert out is None or d is out
            assert (d.double() == wanted).all()
            assert prepared is None or (prepared.double() * alpha == wanted).all()
        torch.cuda.current_stream().wait_stream(side)
    a = whole(48, 64).requires_grad_()
    with pytest.raises(jute.Error, match="gradient"):
        product(a, whole(64, 40))
    with pytest.raises(jute.Error):
        product(whole(64, 48).t(), whole(64, 40))


def test_calls_with_an_epilogue_like_the_one_before_take_what_is_new() -> None:
    """Of inputs, too: other arrays, numbers in their place, and ones that lie otherwise."""
    whole = lambda *shape: torch.randint(-3, 4, shape, device="cuda").float()  # noqa: E731
    inputs: dict[str, object] = {"bias": whole(40), "s": whole(48, 40)}
    product = jute.prepare(whole(48, 64), whole(64, 40), epilogue="relu(acc + bias[n]) + s[m,n]", inputs=inputs)
    for turn in range(12):
        a, b, bias = whole(48, 64), whole(64, 40), whole(40)
        s = whole(48, 44)[:, :40] if turn % 5 == 4 else whole(48, 40)
        for text in ("relu(acc + bias[n]) + s[m,n]", "acc + bias[n] - s[m,n]"):
            summed = a.double() @ b.double() + bias.double()
            wanted = summed.relu() + s.double() if "relu" in text else summed - s.double()
            d = jute.matmul(a, b, epilogue=text, inputs={"s": s, "bias": bias})
            assert (d.double() == wanted).all()
            if "relu" in text and s.is_contiguous():
                d = product(a, b, inputs={"bias": bias, "s": s})
                assert (d.double() == wanted).all()
    by_number = jute.matmul(a, b, epilogue="x*acc", inputs={"x": 2.0})
    by_another = jute.matmul(a, b, epilogue="x*acc", inputs={"x": 3.0})
    assert (by_number * 3 == by_another * 2).all()


def test_a_packed_operand_stands_in_for_its_array() -> None:
    whole = lambda *shape: torch.randint(-3, 4, shape, device="cuda").bfloat16()  # noqa: E731
    odd = whole(64 * 41 + 1)[1:].view(64, 41)[:, :40]
    product = jute.prepare(whole(48, 64), odd, config="pad=on", out_dtype="f32")
    if product.packed_bytes("b") == 0:
        pytest.skip("this plan reads b as it lies")
    packed = product.pack("b", odd)
    for _ in range(3):
        a = whole(48, 64)
        assert (product(a, packed).double() == a.double() @ odd.double()).all()
    assert (product(a, odd).double() == a.double() @ odd.double()).all()


def test_operands_of_two_devices_are_refused() -> None:
    with pytest.raises(jute.Error, match="cuda:0"):
        jute.matmul(torch.ones(4, 4, device="cuda"), torch.ones(4, 4))


def test_a_failed_launch_reaches_a_later_call() -> None:
    """In a process of its own: its context is lost."""
    import subprocess
    import sys

    script = """
import os, time, torch, jute
a = torch.ones(64, 64, device="cuda")
out = jute.matmul(a, a)
torch.cuda.synchronize()
torch._assert_async(torch.zeros((), device="cuda", dtype=torch.bool))
end = time.monotonic() + 20  # the driver learns of a trap when it is told
try:
    while time.monotonic() < end:
        jute.matmul(a, a, out=out)
except jute.Error as error:
    assert error.code in ("driver_failed", "launch_failed"), error
    os._exit(0)  # what torch still holds in the lost context cannot be freed
else:
    raise SystemExit("nothing was raised")
"""
    subprocess.run([sys.executable, "-c", script], check=True)
