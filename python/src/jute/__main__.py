"""The ``jute`` command: the same program as the C++ build's, in this process."""

from __future__ import annotations

import os
import sys

from . import _core, _nvrtc


def main(*first: str) -> int:
    """Runs ``jute WORD…`` with the words of the command line; the exit status."""
    if nvrtc := "" if os.environ.get("JUTE_NVRTC") else _nvrtc.found():
        os.environ["JUTE_NVRTC"] = nvrtc
    return _core.command(["jute", *first, *sys.argv[1:]])


def bench() -> int:
    """``jute-bench WORD…`` is ``jute bench WORD…``."""
    return main("bench")


if __name__ == "__main__":
    sys.exit(main())
