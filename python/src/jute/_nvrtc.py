"""Where NVRTC is: one that this process has loaded already (torch's), else the wheel's."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

#: Older ones lack what kernels for new chips need.
LEAST = (12, 8)


def _loaded() -> Iterator[Path]:
    """Files of this process's memory that are an NVRTC."""
    try:
        lines = Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return
    for line in lines:
        path = line.split(maxsplit=5)[-1]
        if re.fullmatch(r"libnvrtc\.so\.[0-9.]+", Path(path).name):
            yield Path(path)


def _in_wheels() -> Iterator[Path]:
    """Those of nvidia-cuda-nvrtc, beside this package or wherever Python finds it."""
    spec = importlib.util.find_spec("nvidia")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        yield from sorted(Path(folder).glob("*/lib/libnvrtc.so.*"), reverse=True)


def version(library: Path) -> tuple[int, ...]:
    """(13, 0) of a library beside libnvrtc-builtins.so.13.0; () where that is missing."""
    for builtins in library.parent.glob("libnvrtc-builtins.so.*"):
        numbers = builtins.name.rpartition(".so.")[2].split(".")
        if all(number.isdigit() for number in numbers):
            return tuple(int(number) for number in numbers[:2])
    return ()


def found() -> str:
    """The path of the NVRTC to use; empty: jute looks in its usual places."""
    for library in (*_loaded(), *_in_wheels()):
        if version(library) >= LEAST:
            return str(library)
    return ""
