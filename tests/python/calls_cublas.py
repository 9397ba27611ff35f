"""A program that knows nothing of jute: products by torch or CuPy, judged on the host in float64.

    python3 tests/python/calls_cublas.py torch|cupy SAME OTHERS [--fork] [--graph]

SAME products are always the same ones, of OTHERS the shapes are those of no other run. With `--graph` the former are
captured and replayed as well; with `--fork` children are made that multiply nothing and end."""

from __future__ import annotations

import os
import sys

import numpy as np
from judge import error_bound

TIMES = 3


def of_torch(same: int, others: int, words: list[str]) -> int:
    import torch
    from torch_calls import calls

    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = False
    torch.backends.cuda.matmul.allow_bf16_reduced_precision_reduction = False
    count = 0
    for call in [*calls(same, 1), *calls(others, os.getpid())]:
        for _ in range(TIMES if count < TIMES * same else 1):
            call.judge(call.run())
            count += 1
    if "--fork" in words:
        loader = torch.utils.data.DataLoader(torch.arange(64), batch_size=8, num_workers=4)
        assert sum(int(each.sum()) for each in loader) == 2016
        call.judge(call.run())
    if "--graph" in words:
        kept = [call for call in calls(same, 1) if call.kind != "in place" and not call.needs_grad]
        for call in kept:
            call.run()
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            results = [call.run() for call in kept]
        for _ in range(TIMES):
            for d in results:
                d.fill_(float("nan"))
            graph.replay()
        for call, d in zip(kept, results):
            call.judge(d)
            count += 1
    return count


def of_cupy(same: int, others: int, words: list[str]) -> int:
    import cupy

    count = 0
    for part, seed in ((same, 1), (others, os.getpid())):
        random = np.random.default_rng(seed)
        for _ in range(part):
            kind = str(random.choice(["e", "f", "d"]))
            m, n, k = (int(2 ** random.uniform(0, 9)) for _ in range(3))
            a, b = (random.standard_normal(shape).astype(kind) for shape in ((m, k), (k, n)))
            turned = bool(random.integers(2))
            on_device = cupy.asarray(a.T.copy()).T if turned else cupy.asarray(a)
            for _ in range(TIMES if part is same else 1):
                d = cupy.matmul(on_device, cupy.asarray(b)).get()
                exact = a.astype("d") @ b.astype("d")
                size = np.abs(a).astype("d") @ np.abs(b).astype("d")
                sums = 2.0**-53 if kind == "d" else 2.0**-23
                bound = error_bound(exact, size, k, np.finfo(kind).eps, sums)
                assert d.dtype == kind and (np.abs(d - exact) <= bound).all(), (kind, m, n, k, turned)
                count += 1
    if "--fork" in words and os.fork() == 0:
        os._exit(0)
    return count


if __name__ == "__main__":
    made = {"torch": of_torch, "cupy": of_cupy}[sys.argv[1]](int(sys.argv[2]), int(sys.argv[3]), sys.argv[4:])
    print(f"{made} products are right")
