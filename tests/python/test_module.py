"""The compiled module in a process: what it shows to others, forks, and Ctrl-C."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import jute
import numpy as np
import pytest
from jute import _core


def names_of(library: str) -> list[tuple[str, str]]:
    """(kind, name) of whatever another library of the process could be bound to."""
    listed = subprocess.run(
        ["nm", "-D", "--defined-only", library], capture_output=True, text=True, check=True
    ).stdout
    return [(line.split()[-2], line.split()[-1]) for line in listed.splitlines()]


@pytest.mark.skipif(shutil.which("nm") is None, reason="nm reads what is exported")
def test_the_module_offers_one_function() -> None:
    assert _core.__file__ is not None
    assert names_of(_core.__file__) == [("T", "PyInit__core")]


READER = """
#include <sstream>
extern "C" long read_number(const char* text) {
  std::istringstream in(text);
  long number = 0;
  in >> number;
  return number;
}
"""


@pytest.mark.parametrize("first", ["jute", "reader"])
def test_it_lives_beside_a_library_with_a_libstdcxx_of_its_own(tmp_path: Path, first: str) -> None:
    compiler = shutil.which("c++")
    if compiler is None:
        pytest.skip("no C++ compiler")
    (tmp_path / "reader.cpp").write_text(READER)
    reader = tmp_path / "libreader.so"
    (tmp_path / "exports.map").write_text("{ global: read_number; local: *; };")
    made = subprocess.run(
        [compiler, "-shared", "-fPIC", "-static-libstdc++", "-static-libgcc", "-o", reader,
         tmp_path / "reader.cpp", f"-Wl,--version-script={tmp_path / 'exports.map'}"],
        capture_output=True, text=True,
    )  # fmt: skip
    if made.returncode != 0:
        pytest.skip("no static libstdc++: " + made.stderr[-200:])
    loads = ["import jute", f"reader = ctypes.CDLL({str(reader)!r}, ctypes.RTLD_GLOBAL)"]
    script = "\n".join([
        "import ctypes, numpy",
        *(loads if first == "jute" else loads[::-1]),
        "a = numpy.ones((8, 16), numpy.float32)",
        "assert reader.read_number(b'42') == 42",
        "assert (jute.matmul(a, a.T) == 16).all()",
        "assert str(jute.plan('M=8 N=8 K=8').problem).startswith('M=8')",
        "assert reader.read_number(b'42') == 42",
    ])  # fmt: skip
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_a_child_forked_while_threads_multiply_multiplies() -> None:
    b = np.ones((32, 16), np.float32)
    goes_on = threading.Event()
    goes_on.set()
    wrong: list[object] = []

    def multiply(first: int) -> None:
        turn = first
        while goes_on.is_set():
            turn += 1
            a = np.ones((8 + turn % 4, 32), np.float32)
            if not (jute.matmul(a, b) == 32).all():
                wrong.append(turn)

    assert (jute.matmul(np.ones((8, 32), np.float32), b) == 32).all()
    threads = [threading.Thread(target=multiply, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    statuses = []
    for _ in range(20):
        child = os.fork()
        if child == 0:
            signal.alarm(60)
            right = bool((jute.matmul(np.ones((9, 32), np.float32), b) == 32).all())
            os._exit(0 if right else 1)
        statuses.append(os.waitpid(child, 0)[1])
    goes_on.clear()
    for thread in threads:
        thread.join()
    assert statuses == [0] * 20 and wrong == []


ENDLESS = """
extern "C" __global__ void turn(volatile int* x) {
  while (x[0] == 0) x[threadIdx.x + 1] += 1;
}
"""


def test_ctrl_c_ends_a_kernel_that_runs() -> None:
    """Of an own kernel and of a product; the emulators serve on."""
    x = np.zeros(64, np.int32)
    emulator = jute.Emulator(check="none")
    begun = time.monotonic()
    timer = threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        emulator.launch(ENDLESS, 1, 32, [x])
    assert time.monotonic() - begun < 10
    a = np.ones((1024, 512), np.float32)
    jute.matmul(a[:16], a.T[:, :16])  # what is slow once
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            jute.matmul(a, a.T)
    assert (jute.matmul(a[:16], a.T[:, :16]) == 512).all()
