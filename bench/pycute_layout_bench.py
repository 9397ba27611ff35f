"""Times pycute on the arguments that layout_bench uses. Needs pycute (NVIDIA/cutlass, python/) on
PYTHONPATH:  python3 bench/pycute_layout_bench.py tests/golden/layout_algebra.jsonl"""
import json
import statistics
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
    "composition": lambda a, b: pycute.composition(a, b),
    "complement": lambda a, n: pycute.complement(a, n),
    "logical_divide": lambda a, b: pycute.logical_divide(a, b),
}


def nanoseconds(call, *arguments):
    best = float("inf")
    for _ in range(3):
        start = time.perf_counter_ns()
        for _ in range(10):
            call(*arguments)
        best = min(best, (time.perf_counter_ns() - start) / 10)
    return best


times = {name: [] for name in OPERATIONS}
for line in open(sys.argv[1]):
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
for name, measured in times.items():
    measured.sort()
    if measured:
        print(f"{name:16} arguments {len(measured):5}  p50 {statistics.median(measured):9.0f} ns"
              f"  p99 {measured[len(measured) * 99 // 100]:9.0f} ns")
