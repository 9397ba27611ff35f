"""jute behind torch's own operators: what is decided, what runs, what torch still serves.

    python3 -m pytest -m gpu tests/python/test_torch_operators.py
    python3 -m pytest -m torch tests/python/test_torch_operators.py
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")
import jute  # noqa: E402
import jute.torch  # noqa: E402
from jute import _torch_install, _torch_object  # noqa: E402
from jute._torch_calls import Call, rows_of  # noqa: E402
from torch_calls import calls  # noqa: E402
from torch_cases import PARTS  # noqa: E402
from torch_served import Served  # noqa: E402

on_gpu = [pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")]


def gpu(test: Any) -> Any:
    for mark in on_gpu:
        test = mark(test)
    return test


@pytest.mark.torch
def test_a_call_s_line_says_it_again() -> None:
    for each in calls(50, 3, "cpu"):
        if 0 in (*each.a.shape, *each.b.shape):
            continue
        call = Call(each.operation, each.a, each.b, each.added, alpha=each.alpha, beta=each.beta)
        again = Call.of_line(call.line(), "cpu")
        assert again.line() == call.line()
        assert again.a.shape == call.a.shape and again.b.shape == call.b.shape


@pytest.mark.torch
def test_calls_that_differ_in_rows_alone_have_one_range() -> None:
    def line(m: int, k: int = 8, turned: bool = False) -> str:
        a = torch.ones(k, m).t() if turned else torch.ones(m, k)
        return Call("addmm", a, torch.ones(k, 4), torch.ones(4)).line()

    one, other, single = rows_of(line(5)), rows_of(line(7)), rows_of(line(1))
    assert one is not None and other is not None and single is not None
    assert one[0] == other[0] == single[0] and (one[1], other[1], single[1]) == (5, 7, 1)
    assert rows_of(line(5, k=16)) != one
    assert rows_of(line(5, turned=True)) is None  # columns are as far apart as there are rows


@pytest.mark.torch
def test_what_is_added_is_a_bias_or_a_matrix() -> None:
    a, b = torch.ones(3, 8), torch.ones(8, 4)
    for added, is_bias in ((torch.ones(4), True), (torch.ones(1, 4), True), (torch.ones(4).expand(3, 4), True),
                           (torch.ones(3, 4), False)):  # fmt: skip
        call = Call("addmm", a, b, added)
        assert (call.bias is not None) == is_bias
        assert "bias[n]" in str(call.product().plan) or not is_bias


@pytest.mark.torch
def test_two_ways_to_install_are_refused() -> None:
    with pytest.raises(jute.Error, match="one of them must be said"):
        jute.torch.install("a file", record="a log")


@pytest.mark.torch
def test_an_object_that_nobody_built_is_refused_by_its_line(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(_torch_object, "path", lambda: tmp_path / "none.so")
    monkeypatch.delitem(_torch_object.sys.modules, "_torch_operators", raising=False)
    with pytest.raises(jute.Error, match=r"jute\.torch\.build\(\)"):
        jute.torch.install()


@pytest.mark.torch
def test_an_object_that_others_may_write_is_refused(monkeypatch: Any, tmp_path: Path) -> None:
    file = tmp_path / "object.so"
    file.touch(mode=0o666)
    file.chmod(0o666)
    monkeypatch.setattr(_torch_object, "path", lambda: file)
    monkeypatch.delitem(_torch_object.sys.modules, "_torch_operators", raising=False)
    with pytest.raises(jute.Error, match="nobody else may write"):
        jute.torch.install()


@pytest.fixture
def serving() -> Iterator[None]:
    """Everything that jute has serves, whatever it is expected to take."""
    jute.torch.build()
    with jute.torch.install():
        _torch_install._policy = _torch_install._Expected(always=True)
        yield


def served() -> int:
    return sum(count for _, count, reason in jute.torch.report() if not reason)


@pytest.mark.torch
def test_random_calls_are_right_on_the_emulator() -> None:
    mode = Served()
    for call in calls(100, 1, "cpu"):
        with mode:
            d = call.run()
        call.judge(d)
    assert mode.served.total() > 80 and mode.refused.total() < 10


@gpu
@pytest.mark.parametrize("part", range(PARTS))
def test_random_calls_are_right(serving: None, part: int) -> None:
    for call in calls(1000 // PARTS, part):
        call.judge(call.run())
        call.judge(call.run())  # by what was decided the first time
    assert served() > 1000 // PARTS


@gpu
def test_empty_calls_and_wrong_ones_are_torch_s(serving: None) -> None:
    a = torch.ones(4, 8, device="cuda")
    assert torch.mm(a[:0], a.t()).shape == (0, 4)
    with pytest.raises(RuntimeError, match="cannot be multiplied"):
        torch.mm(a, a)
    with pytest.raises(RuntimeError):
        torch.mm(a, a.t().half())
    out = torch.empty(0, device="cuda")
    assert torch.mm(a, a.t(), out=out).shape == (4, 4)


@gpu
def test_a_result_that_lies_in_an_operand_is_torch_s(serving: None) -> None:
    whole = torch.randn(16, 8, device="cuda")
    a, b, out = whole[:8], torch.randn(8, 8, device="cuda"), whole[8:]
    torch.mm(a, b, out=out)
    assert served() == 0
    torch.testing.assert_close(out.double(), a.double() @ b.double(), rtol=1e-5, atol=1e-5)


@gpu
def test_gradients_are_those_of_torch(serving: None) -> None:
    layer = torch.nn.Linear(96, 64, device="cuda")
    x = torch.randn(5, 7, 96, device="cuda", requires_grad=True)
    weights = torch.randn(5, 7, 64, device="cuda")
    slopes = torch.autograd.grad((layer(x) * weights).sum(), (x, *layer.parameters()))
    exact = layer.double()
    expected = torch.autograd.grad((exact(x.double()) * weights).sum(), (x, *exact.parameters()))
    for slope, other in zip(slopes, expected, strict=True):
        torch.testing.assert_close(slope.double(), other.double(), rtol=1e-4, atol=1e-4)
    assert served() >= 3


@gpu
def test_tf32_is_used_where_torch_is_told_so(serving: None) -> None:
    a, b = torch.randn(256, 2048, device="cuda"), torch.randn(2048, 256, device="cuda")
    exact = a.double() @ b.double()

    def error() -> float:
        return float((torch.mm(a, b).double() - exact).abs().max())

    full = error()
    torch.backends.cuda.matmul.allow_tf32 = True
    try:
        rounded = error()
    finally:
        torch.backends.cuda.matmul.allow_tf32 = False
    assert full < 1e-3 < rounded and error() == full


@gpu
def test_graphs_and_streams(serving: None) -> None:
    some = [call for call in calls(100, 11) if not call.needs_grad and call.kind == ""]
    first = [call.run() for call in some]
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        captured = [call.run() for call in some]
    side = torch.cuda.Stream()
    for _ in range(3):
        graph.replay()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            beside = [call.run() for call in some]
        torch.cuda.synchronize()
        for call, one, two, three in zip(some, first, captured, beside, strict=True):
            call.judge(two)
            assert torch.equal(one, two) and torch.equal(one, three)


@gpu
def test_a_new_call_in_a_capture_is_torch_s(serving: None) -> None:
    a, b = (torch.randn(136, 136, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    side = torch.cuda.Stream()
    with torch.cuda.graph(graph, stream=side):
        d = torch.mm(a, b)
    graph.replay()
    torch.testing.assert_close(d, (a.float() @ b.float()).bfloat16(), rtol=2e-2, atol=2e-2)
    assert [reason for _, _, reason in jute.torch.report()] == ["", "a graph was being captured"]  # that of the check is f32


@gpu
def test_threads_multiply_beside_each_other(serving: None) -> None:
    faults: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            with torch.cuda.stream(torch.cuda.Stream()):
                for call in calls(50, seed):
                    call.judge(call.run())
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in (1, 1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults


@gpu
@pytest.mark.parametrize("by", ["tensor", "row", "block"])
def test_scaled_products_are_those_of_torch(serving: None, by: str) -> None:
    m, n, k = 256, 384, 512
    a = torch.randn(m, k, device="cuda").to(torch.float8_e4m3fn)
    b = torch.randn(n, k, device="cuda").to(torch.float8_e4m3fn).t()
    shapes = {"tensor": ((), ()), "row": ((m, 1), (1, n)), "block": ((k // 128, m), (k // 128, n // 128))}[by]
    scale_a, scale_b = (torch.rand(shape, device="cuda") + 0.5 for shape in shapes)
    if by == "block":
        scale_a = scale_a.t()
        scale_b = scale_b.t().contiguous().t()
        whole_a = a.double() * scale_a.double().repeat_interleave(128, 1)
        whole_b = b.double() * scale_b.double().repeat_interleave(128, 0).repeat_interleave(128, 1)
    else:
        whole_a, whole_b = a.double() * scale_a, b.double() * scale_b
    d = torch._scaled_mm(a, b, scale_a, scale_b, out_dtype=torch.bfloat16)
    assert served() == 1
    torch.testing.assert_close(d.double(), whole_a @ whole_b, rtol=1e-2, atol=0.3)


@gpu
def test_groups_are_those_of_torch(serving: None) -> None:
    a = torch.randn(384, 256, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(3, 256, 128, device="cuda", dtype=torch.bfloat16)
    ends = torch.tensor([100, 100, 384], device="cuda", dtype=torch.int32)
    d = torch._grouped_mm(a, b, offs=ends)
    assert served() == 1
    exact = torch.cat([a[:100].double() @ b[0].double(), a[100:].double() @ b[2].double()])
    torch.testing.assert_close(d.double(), exact, rtol=1e-2, atol=0.1)


@gpu
def test_the_compiler_s_products_are_served(serving: None) -> None:
    layer = torch.nn.Linear(256, 128, device="cuda", dtype=torch.bfloat16)
    x = torch.randn(64, 256, device="cuda", dtype=torch.bfloat16)
    with torch.no_grad():
        d = torch.compile(layer)(x)
        torch.testing.assert_close(d, layer(x), rtol=2e-2, atol=2e-2)
    assert served() >= 1


@gpu
def test_what_is_recorded_is_measured_and_served(tmp_path: Path) -> None:
    jute.torch.build()
    weight = torch.randn(4104, 4100, device="cuda", dtype=torch.bfloat16)  # rows that cuBLAS is slow with

    def step(m: int) -> Any:
        return torch.nn.functional.linear(torch.ones(m, 4100, device="cuda", dtype=torch.bfloat16), weight)

    with jute.torch.install(record=tmp_path / "log"):
        for m in (1, 16, 64, 16):
            step(m)
    assert len((tmp_path / "log").read_text().splitlines()) == 3
    words: list[str] = []
    file = jute.torch.prepare(tmp_path / "log", tmp_path / "file", progress=words.append)
    assert words and json.loads(file.read_text())["calls"], words
    with jute.torch.install(file):
        ahead = served()
        torch.testing.assert_close(step(33), torch.ones(33, 1, device="cuda").bfloat16() * weight.float().sum(1).bfloat16(),
                                   rtol=2e-2, atol=1.0)  # fmt: skip
        assert served() == ahead + 1  # a length that nobody recorded
        torch.mm(weight[:8, :16], weight[:16, :8])
        assert served() == ahead + 1


@gpu
def test_rows_do_not_depend_on_the_batch() -> None:
    jute.torch.build()
    x = torch.randn(4096, 2048, device="cuda", dtype=torch.bfloat16)
    weight = torch.randn(1536, 2048, device="cuda", dtype=torch.bfloat16)
    with jute.torch.install(batch_invariant=True):
        whole = torch.nn.functional.linear(x, weight)
        for m in (1, 2, 17, 64, 300, 1000, 4096):
            assert torch.equal(torch.nn.functional.linear(x[:m], weight), whole[:m])
        assert served() == 8, jute.torch.report()


@gpu
def test_operators_are_torch_s_again() -> None:
    jute.torch.build()
    a = torch.randn(64, 64, device="cuda")
    with jute.torch.install():
        torch.mm(a, a)
        assert jute.torch.report()
    torch.mm(a, a)
    assert jute.torch.report() == []


class Block(torch.nn.Module):  # type: ignore[misc, unused-ignore]
    """A gated layer with a residual, a bias, and an activation that has a name."""

    def __init__(self, approximate: str) -> None:
        super().__init__()
        self.gate, self.up = torch.nn.Linear(64, 96, bias=False), torch.nn.Linear(64, 96)
        self.down, self.approximate = torch.nn.Linear(96, 64), approximate

    def forward(self, x: Any) -> Any:
        y = torch.nn.functional.silu(self.gate(x)) * torch.nn.functional.gelu(self.up(x), approximate=self.approximate)
        return x + self.down(y)


class Seen(jute.torch.ProductPass):  # type: ignore[misc, unused-ignore]
    """The pass, with the epilogues that it and its copies wrote; no graph comes from the compiler's cache."""

    texts: list[str] = []

    def uuid(self) -> Any:
        return None

    def __call__(self, graph: Any) -> None:
        super().__call__(graph)
        Seen.texts += [node.args[3] for node in graph.nodes if node.target is torch.ops.jute.fused.default]


@pytest.mark.parametrize("on", [pytest.param("cpu", marks=pytest.mark.torch), pytest.param("cuda", marks=on_gpu)])
@pytest.mark.parametrize("approximate", ["none", "tanh"])
def test_the_compiler_s_pointwise_work_is_an_epilogue(on: str, approximate: str) -> None:
    torch._dynamo.reset()
    model, seen = Block(approximate).to(on), Seen(always=True)
    Seen.texts.clear()
    with torch.no_grad():
        compiled = torch.compile(model, options={"post_grad_custom_post_pass": seen}, fullgraph=True)
        for shape in ((8, 64), (2, 5, 64)):
            x = torch.randn(shape, device=on)
            torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)
            words = " ".join(Seen.texts)
            assert {"none": "gelu(", "tanh": "gelu_tanh("}[approximate] in words and "silu(" in words, words
        before = len(Seen.texts)
        x = torch.randn(3, 7, 64, device=on)  # rows are a symbol by now, or one more graph
        torch.testing.assert_close(compiled(x), model(x), rtol=1e-4, atol=1e-4)
        assert before >= 3


@pytest.mark.parametrize("on", [pytest.param("cpu", marks=pytest.mark.torch), pytest.param("cuda", marks=on_gpu)])
def test_compiled_gradients_are_those_of_torch(on: str) -> None:
    torch._dynamo.reset()
    model, x = Block("none").to(on), torch.randn(16, 64, device=on)
    expected = torch.autograd.grad(model(x).square().sum(), tuple(model.parameters()))
    compiled = torch.compile(model, options={"post_grad_custom_post_pass": Seen(always=True)})
    for slope, other in zip(torch.autograd.grad(compiled(x).square().sum(), tuple(model.parameters())), expected, strict=True):
        torch.testing.assert_close(slope, other, rtol=1e-3, atol=1e-3)


def loads_in_a_child(package: str) -> bool:
    """Of torch 2.11 on some machines a process that loads a package for a GPU ends."""
    script = f"import torch; torch.zeros(1, device='cuda'); torch._inductor.aoti_load_package({package!r})"
    return subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=120, check=False).returncode >= 0


@pytest.mark.parametrize("on", [pytest.param("cpu", marks=pytest.mark.torch), pytest.param("cuda", marks=on_gpu)])
def test_a_package_of_the_compiler_s_has_the_epilogues(on: str, tmp_path: Path) -> None:
    model, seen = Block("none").to(on).eval(), Seen(always=True)
    Seen.texts.clear()
    rows = ({0: torch.export.Dim("rows", min=2, max=512)},)

    def package(name: str, **configs: Any) -> str:
        program = torch.export.export(model, (torch.randn(8, 64, device=on),), dynamic_shapes=rows)
        return str(torch._inductor.aoti_compile_and_package(
            program, package_path=str(tmp_path / f"{name}.pt2"), inductor_configs=configs
        ))  # fmt: skip

    with torch.no_grad():
        if on == "cuda" and not loads_in_a_child(package("plain")):
            pytest.skip("a package of torch's own ends the process that loads it")
        made = package("model", post_grad_custom_post_pass=seen)
        assert len(Seen.texts) >= 2
        packaged = torch._inductor.aoti_load_package(made)
        for m in (8, 2, 33):
            x = torch.randn(m, 64, device=on)
            torch.testing.assert_close(packaged(x), model(x), rtol=1e-4, atol=1e-4)


@gpu
def test_a_fork_and_the_end_of_a_process(tmp_path: Path) -> None:
    """Workers of a DataLoader are forks, which never touch the GPU; the end of all of them is quiet."""
    script = tmp_path / "script.py"
    script.write_text(
        "import torch, jute.torch\n"
        "jute.torch.build(); jute.torch.install()\n"
        "a = torch.ones(64, 64, device='cuda'); torch.mm(a, a)\n"
        "class Some(torch.utils.data.Dataset):\n"
        "    def __len__(self): return 8\n"
        "    def __getitem__(self, i): return torch.mm(torch.ones(4, 4), torch.full((4, 4), float(i)))\n"
        "for batch in torch.utils.data.DataLoader(Some(), num_workers=2, batch_size=2): torch.mm(batch[0].cuda(), a[:4, :4])\n"
        "torch.cuda.synchronize(); print('done')\n"
    )
    ended = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stdout.strip()) == (0, "done"), ended.stderr
