"""Layout algebra through Python beside pycute, on the recorded arguments, in turns in one process.

    PYTHONPATH=build/dev/python:WHERE_PYCUTE_IS python3 bench/python_layouts.py

pycute comes with the package nvidia-cutlass. A row is one operation: the median over its recorded
arguments of pycute's time divided by jute's; the last line is the geometric mean over all arguments.
Both are given objects that are there already; where both answer, the answers are compared.
"""

from __future__ import annotations

import json
import math
import statistics
import sys
import time
from functools import lru_cache
from pathlib import Path
from typing import Any

import jute

try:
    import pycute
except ImportError:
    sys.exit("pycute is not on PYTHONPATH: nothing to compare with")

GOLDEN = Path(__file__).resolve().parents[1] / "tests/golden/layout_algebra.jsonl"
#: Recorded operations that pycute has under the same name and meaning.
OPERATIONS = [
    "coalesce", "filter", "composition", "complement", "right_inverse", "left_inverse",
    "logical_divide", "logical_product", "zipped_divide", "tiled_divide", "zipped_product",
    "tiled_product", "crd2idx", "idx2crd", "slice_and_offset", "size", "cosize",
]  # fmt: skip


def pycute_of(value: Any) -> Any:
    """The same object of pycute's; raises TypeError where it has none."""
    if isinstance(value, jute.Layout):
        if value.swizzle.bits or "@" in str(value) or value.offset:
            raise TypeError("pycute has no such layout")
        return pycute.Layout(value.shape, value.stride)
    if isinstance(value, int) or value is None:
        return value
    if isinstance(value, tuple):
        return tuple(map(pycute_of, value))
    raise TypeError(f"pycute has no {type(value)}")


def pycute_call(name: str) -> Any:
    """pycute's function: sizes are methods there."""
    if name in ("size", "cosize"):
        return lambda layout: getattr(layout, name)()
    return getattr(pycute, name, None)


CALLS, TURNS = 20, 7


@lru_cache
def turn(arity: int) -> Any:
    """A function of a call's arity that times CALLS of it, one after the other without a loop."""
    names = ", ".join(f"x{i}" for i in range(arity))
    calls = f"    call({names})\n" * CALLS
    text = f"def turn(call, {names}):\n    begun = now()\n{calls}    return now() - begun\n"
    scope: dict[str, Any] = {"now": time.perf_counter_ns}
    exec(text, scope)
    return scope["turn"]


def nanoseconds(call: Any, arguments: list[Any]) -> float:
    """Of a call in the fastest turn."""
    timed = turn(len(arguments))
    return min(timed(call, *arguments) for _ in range(TURNS)) / CALLS


def main() -> None:
    ratios: dict[str, list[float]] = {name: [] for name in OPERATIONS}
    times: dict[str, list[float]] = {name: [] for name in OPERATIONS}
    for line in GOLDEN.read_text().splitlines():
        record = json.loads(line)
        name = record["op"]
        theirs = pycute_call(name) if name in ratios else None
        if theirs is None or "args" not in record:
            continue
        arguments = [jute.eval(text) for text in record["args"]]
        try:
            others = [pycute_of(argument) for argument in arguments]
            theirs(*others)
        except Exception:  # refused, or no such object: there is nothing to time
            continue
        ours = getattr(jute, name)
        mine = nanoseconds(ours, arguments)
        times[name].append(mine)
        ratios[name].append(nanoseconds(theirs, others) / mine)
    print("| operation | arguments | jute, median | pycute's time / jute's |\n|---|---|---|---|")
    for name in OPERATIONS:
        if ratios[name]:
            print(
                f"| {name} | {len(ratios[name])} | {statistics.median(times[name]) / 1000:.2f} us"
                f" | {statistics.median(ratios[name]):.1f} |"
            )
    every = [ratio for all_of_one in ratios.values() for ratio in all_of_one]
    mean = math.exp(statistics.fmean(map(math.log, every)))
    print(f"\ngeometric mean over {len(every)} arguments: {mean:.1f}")


if __name__ == "__main__":
    main()
