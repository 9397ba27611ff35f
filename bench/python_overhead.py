"""What Python adds to a product's host time, on a GPU with torch:  python3 bench/python_overhead.py

The host times of jute.matmul and of a prepared product per call, over that of the C++ run alone: the
prepared kernels, launched from C++ so many times in one call. Launches are queued, never waited for,
in turns; the median of turns is printed. torch.matmul stands beside them.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import torch  # type: ignore[import-not-found, unused-ignore]

import jute
from jute import _core

CALLS, TURNS = 200, 30


def microseconds(call: Callable[[], object]) -> float:
    """Host time of a call; the queue is empty when it begins and never full."""
    torch.cuda.synchronize()
    begun = time.perf_counter_ns()
    for _ in range(CALLS):
        call()
    spent = time.perf_counter_ns() - begun
    torch.cuda.synchronize()
    return spent / CALLS / 1000


def main() -> None:
    print(f"{torch.cuda.get_device_name()}, torch {torch.__version__}, jute {_core.__version__}")
    print("| bf16 | C++ run | prepared | matmul, out | matmul | torch.matmul |\n|---|---|---|---|---|---|")
    for m, n, k in ((16, 256, 256), (64, 64, 64), (128, 512, 128)):
        a = torch.randn(m, k, device="cuda", dtype=torch.bfloat16)
        b = torch.randn(k, n, device="cuda", dtype=torch.bfloat16)
        out = torch.empty(m, n, device="cuda", dtype=torch.bfloat16)
        product = jute.prepare(a, b)
        ways: dict[str, Callable[[], object]] = {
            "prepared": lambda: product(a, b, out=out),
            "out": lambda: jute.matmul(a, b, out=out),
            "matmul": lambda: jute.matmul(a, b),
            "torch": lambda: torch.matmul(a, b),
        }
        times: dict[str, list[float]] = {name: [] for name in ("run", *ways)}
        for call in ways.values():
            call()
        for _ in range(TURNS):
            torch.cuda.synchronize()
            times["run"].append(product.time_runs(a, b, out, CALLS))
            for name, call in ways.items():
                times[name].append(microseconds(call))
        median = {name: statistics.median(each) for name, each in times.items()}
        run = median["run"]
        print(
            f"| {m}x{n}x{k} | {run:.2f} us | +{median['prepared'] - run:.2f} |"
            f" +{median['out'] - run:.2f} | +{median['matmul'] - run:.2f} | {median['torch']:.2f} us |"
        )


if __name__ == "__main__":
    main()
