#!/usr/bin/env python3
"""What whole `jute` processes cost, from start to exit: medians of wall time and of processor time.

    bench/commands.py build/release/tools/jute/jute [--rounds 11] [--device cuda]
"""
import argparse
import os
import resource
import statistics
import subprocess
import tempfile
import time


def spent_on_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(command, rounds, text=None, prepare=lambda: None):
    """Medians in milliseconds over `rounds` runs; `prepare` runs before each and is not counted."""
    wall, processor = [], []
    for _ in range(rounds):
        prepare()
        spent, start = spent_on_children(), time.perf_counter()
        subprocess.run(command, input=text, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wall.append(1e3 * (time.perf_counter() - start))
        processor.append(1e3 * (spent_on_children() - spent))
    return statistics.median(wall), statistics.median(processor)


def cases(jute, device):
    """(what, arguments, standard input, what happens before each run)"""
    # A process plans, compiles or reads, loads, and multiplies so little that nothing else shows.
    first = ["gemm", "--m", "64", "--n", "64", "--k", "64", "--type", "bf16", "--random", "1", "--device", device]
    square = ["--m", "256", "--n", "256", "--k", "256"]
    gemm = ["gemm", *square, "--random", "1", "--device", "emulator"]
    lines = "".join(f"composition((4,8):(8,1),(2,{1 << i % 3}):(4,1))\n" for i in range(100_000))

    def empty_cache():
        subprocess.run([jute, "cache", "clear"], stdout=subprocess.DEVNULL, check=True)

    yield "jute --version", ["--version"], None, None
    yield "jute source, f32 256^3", ["source", *square], None, None
    yield "jute source, bf16 4096^3", ["source", "--m", "4096", "--n", "4096", "--k", "4096",
                                       "--type", "bf16"], None, None
    yield "jute atom list --json", ["atom", "list", "--json"], None, None
    yield "jute eval --batch, 10^5 lines", ["eval", "--batch"], lines.encode(), None
    yield "jute eval --batch, 10^6 brackets", ["eval", "--batch"], b"(" * 1_000_000 + b"\n", None
    yield f"a process's first product, {device}, compiled", first, None, empty_cache
    yield f"a process's first product, {device}, cached", first, None, None
    yield "jute gemm f32 256^3, emulator, empty cache", gemm, None, empty_cache
    yield "jute gemm f32 256^3, emulator, filled cache", gemm, None, None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jute")
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--device", default="emulator", help="of a process's first product")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        os.environ["JUTE_CACHE_DIR"] = os.path.join(cache, "kernels")
        print(f"{'':44} {'wall ms':>9} {'cpu ms':>9}")
        for what, arguments, text, prepare in cases(options.jute, options.device):
            wall, processor = measure([options.jute, *arguments], options.rounds, text,
                                      prepare or (lambda: None))
            print(f"{what:44} {wall:9.1f} {processor:9.1f}", flush=True)


if __name__ == "__main__":
    main()
