"""Several threads that multiply in one process."""

from __future__ import annotations

import subprocess
import sys

#: Opening a device asks Python for NVRTC; the pause lets every thread come that far.
SCRIPT = """
import threading, time
import numpy
import jute
from jute import _nvrtc

found, gate = _nvrtc.found, threading.Barrier(6)
def slowly():
    path = found()
    time.sleep(0.2)
    return path
_nvrtc.found = slowly
a, results = numpy.ones((8, 8), numpy.float32), []
def work(i):
    gate.wait()
    for n in range(1, 5):
        results.append((jute.matmul(a, a[:, :n + i % 3]) == 8).all())
threads = [threading.Thread(target=work, args=(i,)) for i in range(6)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(results), all(results))
"""


def test_first_products_of_many_threads() -> None:
    ended = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stdout.strip()) == (0, "24 True"), ended.stderr
