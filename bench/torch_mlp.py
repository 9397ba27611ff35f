"""A layer pair of a model under torch.compile, jute's operator against torch's:  python3 bench/torch_mlp.py

Linear(4096, 14336), gelu, Linear(14336, 4096) in bf16, compiled in default mode, without gradients.
Both have the same weights, run in turns, and are judged by float64. A turn queues calls until the GPU
is busy for some milliseconds; the median of turns is printed, of the GPU's time and of the host's.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

import jute.torch
from jute import _core

MODEL, INNER, TURNS = 4096, 14336, 21


def networks() -> tuple[Any, Any]:
    """jute's and torch's, with weights in common."""
    kind: dict[str, Any] = {"device": "cuda", "dtype": torch.bfloat16}
    first = jute.torch.Linear(MODEL, INNER, activation="gelu", **kind)
    second = jute.torch.Linear(INNER, MODEL, **kind)
    plain = [torch.nn.Linear(MODEL, INNER, **kind), torch.nn.Linear(INNER, MODEL, **kind)]
    for mine, other in zip((first, second), plain, strict=True):
        other.load_state_dict(mine.state_dict())
    return (
        torch.nn.Sequential(first, second),
        torch.nn.Sequential(plain[0], torch.nn.GELU(), plain[1]),
    )


def exact(network: Any, x: Any) -> Any:
    """float64's result, with what lies between the products rounded to bf16."""
    first, _, second = network
    between = torch.nn.functional.gelu(x.double() @ first.weight.double().t() + first.bias.double())
    return between.bfloat16().double() @ second.weight.double().t() + second.bias.double()


def milliseconds(call: Callable[[], object], count: int) -> tuple[float, float]:
    """Of one call among queued ones: until the GPU is done, and until the host is."""
    event: Any = torch.cuda.Event
    start, end = event(enable_timing=True), event(enable_timing=True)
    torch.cuda.synchronize()
    begun = time.perf_counter_ns()
    start.record()
    for _ in range(count):
        call()
    end.record()
    spent = time.perf_counter_ns() - begun
    torch.cuda.synchronize()
    return start.elapsed_time(end) / count, spent * 1e-6 / count


@torch.no_grad()
def race(rows: int, ours: Any, theirs: Any) -> None:
    x = torch.randn(rows, MODEL, device="cuda", dtype=torch.bfloat16)
    wanted = exact(theirs, x)
    calls: dict[str, Any] = {}
    errors = {}
    for name, network in (("jute", ours), ("torch", theirs)):
        compiled = torch.compile(network, fullgraph=True)
        found = compiled(x).double()
        errors[name] = float((found - wanted).norm() / wanted.norm())
        assert errors[name] < 2.0**-7, (name, errors[name])
        calls[name] = lambda compiled=compiled: compiled(x)
    count = max(10, 40_000 // (100 + rows * 2))
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in calls}
    for _ in range(TURNS):
        for name, call in calls.items():
            times[name].append(milliseconds(call, count))
    gpu, host = ({name: statistics.median(t[i] for t in times[name]) for name in calls} for i in (0, 1))
    ratio = statistics.median(b[0] / a[0] for a, b in zip(times["jute"], times["torch"], strict=True))
    print(
        f"| {rows} | {gpu['jute']:.4f} ms | {gpu['torch']:.4f} ms | {ratio:.3f} |"
        f" {host['jute']:.4f} ms | {host['torch']:.4f} ms | {errors['jute']:.2e} | {errors['torch']:.2e} |",
        flush=True,
    )


def main() -> None:
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, jute {_core.__version__}")
    print("| rows | jute | torch | torch/jute | host, jute | host, torch | error, jute | error, torch |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    ours, theirs = networks()
    for rows in (16, 4096):
        torch._dynamo.reset()
        race(rows, ours, theirs)


if __name__ == "__main__":
    main()
