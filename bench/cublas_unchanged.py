#!/usr/bin/env python3
"""torch's products with jute in front of cuBLAS, and without: the same program, process by process in turns.

    python3 bench/cublas_unchanged.py --jute build/release/tools/jute/jute --csv FILE    # on a GPU

Sixty products of layers that are served and trained (bf16, weights as torch's Linear has them) in CUDA graphs, and
what one call costs the host: of a product that the file serves, and of one that goes through. Of five turns the median
counts; above 1 the served program is faster."""
import argparse
import csv
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LAYERS = [(4096, 4096), (6144, 4096), (14336, 4096), (4096, 14336), (8192, 8192), (10240, 8192), (5120, 5120), (13824, 5120),
          (5120, 13824), (2560, 9728)]
ROWS = [1, 16, 64, 256, 1024, 4096]
SERVED, THROUGH = (64, 96, 128), (64, 96, 136)  # M, N, K whose calls are timed on the host


def timed() -> None:
    """The program: prints {name: us}."""
    import torch

    def operands(m, n, k):
        return (torch.randn(m, k, device="cuda", dtype=torch.bfloat16), torch.randn(n, k, device="cuda", dtype=torch.bfloat16),
                torch.empty(m, n, device="cuda", dtype=torch.bfloat16))

    made = {}
    for n, k in LAYERS:
        for m in ROWS:
            x, w, d = operands(m, n, k)
            torch.mm(x, w.t(), out=d)
            torch.cuda.synchronize()
            graph = torch.cuda.CUDAGraph()
            count = 10 if m * n * k < 2**36 else 3
            with torch.cuda.graph(graph):
                for _ in range(count):
                    torch.mm(x, w.t(), out=d)
            graph.replay()
            begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
            torch.cuda.synchronize()
            begin.record()
            for _ in range(5):
                graph.replay()
            end.record()
            end.synchronize()
            made[f"{m}x{n}x{k}"] = begin.elapsed_time(end) * 1e3 / (5 * count)
    for name, shape in (("served", SERVED), ("through", THROUGH)):
        x, w, d = operands(*shape)
        w = w.t()
        best = []
        for _ in range(9):
            torch.mm(x, w, out=d)
            torch.cuda.synchronize()
            begin = time.perf_counter()
            for _ in range(500):
                torch.mm(x, w, out=d)
            best.append((time.perf_counter() - begin) * 1e6 / 500)
            torch.cuda.synchronize()
        made[f"host {name}"] = statistics.median(best)
    print(json.dumps(made))


def recorded() -> None:
    """What the file is to serve: each call once."""
    import torch

    for m, n, k in [(m, n, k) for n, k in LAYERS for m in ROWS] + [SERVED]:
        x, w = (torch.zeros(shape, device="cuda", dtype=torch.bfloat16) for shape in ((m, k), (n, k)))
        torch.mm(x, w.t(), out=torch.empty(m, n, device="cuda", dtype=torch.bfloat16))
    torch.cuda.synchronize()


def race(asked) -> None:
    folder = pathlib.Path(tempfile.mkdtemp())
    log, file = folder / "log", folder / "file.json"
    program = [sys.executable, __file__]

    def said(*words):
        return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True).stdout

    said(asked.jute, "shim", "record", log, "--", *program, "--record")
    print(said(asked.jute, "shim", "prepare", log, "-o", file, "--race", asked.race).strip(), flush=True)
    turns = []
    for _ in range(asked.turns):
        plain = json.loads(said(*program, "--time"))
        turns.append((plain, json.loads(said(asked.jute, "shim", "serve", file, "--", *program, "--time"))))
    print(said(asked.jute, "shim", "report", file).splitlines()[-1])
    rows = []
    for name in turns[0][0]:
        plain, served = (statistics.median(turn[side][name] for turn in turns) for side in range(2))
        ratio = statistics.median(turn[0][name] / turn[1][name] for turn in turns)
        rows.append((name, round(plain, 2), round(served, 2), round(ratio, 3)))
        print(*rows[-1], flush=True)
    ratios = [row[-1] for row in rows if not row[0].startswith("host")]
    print(f"geometric mean {statistics.geometric_mean(ratios):.3f}, least {min(ratios)}")
    if asked.csv:
        with open(asked.csv, "w", newline="") as out:
            csv.writer(out).writerows([("product", "cublas_us", "served_us", "ratio"), *rows])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jute", type=pathlib.Path, default="jute")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--race", type=int, default=8, help="candidates of a call, when it is prepared")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--time", action="store_true", help="be the program that is timed")
    parser.add_argument("--record", action="store_true", help="be the program that is recorded")
    asked = parser.parse_args()
    if asked.time:
        timed()
    elif asked.record:
        recorded()
    else:
        race(asked)


if __name__ == "__main__":
    main()
