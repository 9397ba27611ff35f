"""Kernels that other compilers wrote, on jute's emulator:  python3 examples/python/foreign/run.py

Each .ptx is as its compiler left it; the .json beside it says which one, of which version, and from
what source. A launch gives what that compiler's own launcher would.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import jute

HERE = Path(__file__).parent
Floats = np.ndarray[Any, np.dtype[np.float32]]


def numba_array(array: Any) -> list[Any]:
    """An array as Numba passes it: owner, parent, elements, bytes of one, data, shape, strides."""
    return [None, None, array.size, array.itemsize, array, *array.shape, *array.strides]


def softmax(ptx: Path, told: dict[str, Any]) -> jute.Report:
    """Triton: pointers and numbers, then two pointers to scratch memory that it may not need."""
    x = np.random.default_rng(0).standard_normal((6, 200)).astype(np.float32)
    out = np.empty_like(x)
    arguments = [x, jute.unset(out), x.shape[1], None, None]
    report = jute.emulate(
        ptx, len(x), told["block"], arguments, shared_bytes=told["shared_bytes"]
    )
    powers = np.exp(x - x.max(1, keepdims=True))
    assert abs(out - powers / powers.sum(1, keepdims=True)).max() < 1e-6
    return report


def histogram(ptx: Path, told: dict[str, Any]) -> jute.Report:
    """Numba: every array is several parameters."""
    values = np.random.default_rng(0).integers(0, 1000, 500, dtype=np.int32)
    counts = np.zeros(16, np.int32)
    arguments = numba_array(values) + numba_array(counts)
    report = jute.emulate(ptx, 4, told["block"], arguments)
    assert (counts == np.bincount(values % 16, minlength=16)).all()
    return report


LAUNCHES: dict[str, Callable[[Path, dict[str, Any]], jute.Report]] = {
    "triton_softmax": softmax,
    "numba_histogram": histogram,
}


def run(record: Path) -> jute.Report:
    """Launches the kernel that a .json tells of, checks what it computes, gives what was found."""
    told = json.loads(record.read_text(encoding="utf-8"))
    return LAUNCHES[record.stem](record.with_suffix(".ptx"), told)


if __name__ == "__main__":
    for each in sorted(HERE.glob("*.json")):
        print(f"{each.stem}: {'clean' if (report := run(each)).clean else report}")
