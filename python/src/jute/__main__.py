"""The ``jute`` command: the same program as the C++ build's, in this process."""

from __future__ import annotations

import os
import sys

from . import _core, _nvrtc


def main() -> int:
    """Runs ``jute WORD…`` with the words of the command line; the exit status."""
    if nvrtc := "" if os.environ.get("JUTE_NVRTC") else _nvrtc.found():
        os.environ["JUTE_NVRTC"] = nvrtc
    return _core.command(["jute", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
