"""jute's layout algebra beside pycute, on the recorded arguments, in one run. pycute comes with the
package nvidia-cutlass (or stands in NVIDIA/cutlass, python/); layout_bench with -DJUTE_BUILD_BENCH=ON:

    python3 bench/pycute_layout_bench.py tests/golden/layout_algebra.jsonl build/bench/layout_bench
"""
import json
import statistics
import subprocess
import sys
import time

try:
    import pycute
except ImportError:
    sys.exit("pycute is not on PYTHONPATH; nothing to compare with")


def tuple_of(text):
    """`(4,(2,8))` as Python writes it: `(4)` is a tuple of one mode."""
    return eval(text.replace(")", ",)"), {})  # digits, commas and brackets only: checked below


def layout_of(text):
    shape, stride = text.split(":")
    return pycute.Layout(tuple_of(shape), tuple_of(stride))


OPERATIONS = {
    "composition": pycute.composition,
    "complement": pycute.complement,
    "logical_divide": pycute.logical_divide,
    "zipped_divide": pycute.zipped_divide,
    "logical_product": pycute.logical_product,
}


def nanoseconds(call, *arguments):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter_ns()
        for _ in range(10):
            call(*arguments)
        best = min(best, (time.perf_counter_ns() - start) / 10)
    return best


def pycute_times(golden):
    """For each operation the time on every argument that pycute takes."""
    times = {name: [] for name in OPERATIONS}
    for line in open(golden):
        record = json.loads(line)
        name, args = record["op"], record["args"]
        if name not in OPERATIONS or len(args) != 2 or set("".join(args)) - set("0123456789(),:"):
            continue
        if args[0].count(":") != 1 or (name != "complement" and args[1].count(":") != 1):
            continue
        try:
            left = layout_of(args[0])
            right = tuple_of(args[1]) if name == "complement" else layout_of(args[1])
            times[name].append(nanoseconds(OPERATIONS[name], left, right))
        except (AssertionError, SyntaxError, TypeError, ValueError):
            continue  # pycute refuses, or a tiler of several layouts
    return times


def jute_rows(program):
    wanted = "^(" + "|".join(OPERATIONS) + "|offsets.*)$"
    run = subprocess.run([program, "--benchmark_format=json", "--benchmark_filter=" + wanted],
                         capture_output=True, text=True, check=True)
    return {row["name"]: row for row in json.loads(run.stdout)["benchmarks"]}


def main(golden, program):
    jute = jute_rows(program)
    print("| operation | arguments | jute p50 | p99 | pycute arguments | p50 | p99 |")
    print("|---|---|---|---|---|---|---|")
    for name, measured in pycute_times(golden).items():
        measured.sort()
        row = jute[name]
        print(f"| {name} | {row['arguments']:.0f} | {row['p50_ns']:.0f} ns | {row['p99_ns']:.0f} ns"
              f" | {len(measured)} | {statistics.median(measured) / 1000:.1f} us"
              f" | {measured[len(measured) * 99 // 100] / 1000:.1f} us |")
    print("\n| bulk table | offsets each second |\n|---|---|")
    for name, row in jute.items():
        if name.startswith("offsets "):
            print(f"| `{name[8:]}` | {row['items_per_second'] / 1e9:.1f} G |")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
