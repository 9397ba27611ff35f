"""Programs that call cuBLAS, with jute in front of it: recorded, measured and served.

    python3 -m pytest -m gpu tests/python/test_cublas_unchanged.py
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

SAME, OTHERS = 60, 1200


def command() -> Path:
    """Of the build folder whose package is imported."""
    import jute

    return Path(jute.__file__).parents[2] / "tools" / "jute" / "jute"


def run(*words: Any) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, env=os.environ)
    assert done.returncode == 0, (words, done.returncode, done.stdout[-2000:], done.stderr[-4000:])
    return done.stdout


@pytest.mark.gpu
@pytest.mark.parametrize("library", ["torch", "cupy"])
def test_a_program_is_served_unchanged(library: str, tmp_path: Path) -> None:
    pytest.importorskip(library)
    program = [sys.executable, ROOT / "tests" / "python" / "calls_cublas.py", library]
    jute, log, file = command(), tmp_path / "log", tmp_path / "file.json"
    run(jute, "shim", "record", log, "--", *program, SAME, 0)
    assert len(log.read_text().splitlines()) > SAME // 2
    run(jute, "shim", "prepare", log, "-o", file, "--race", 3)
    said = run(jute, "shim", "serve", file, "--", *program, SAME, OTHERS, "--fork", "--graph")
    assert "products are right" in said and int(said.split()[0]) >= 3 * SAME + OTHERS
    report = json.loads(run(jute, "shim", "report", file, "--json"))
    assert sum(call["calls"] for call in report["calls"]) > 0, report
