"""What an installed wheel has to do where no sources are: types, products, kernels with headers, command, stand-in."""

import subprocess
import sys
from pathlib import Path

import jute
import numpy as np


def output(*words: str) -> str:
    run = subprocess.run(words, capture_output=True, text=True)
    assert run.returncode == 0, (words, run.stdout, run.stderr)
    return run.stdout + run.stderr


a, b = np.ones((8, 16), np.float32), np.ones((16, 4), np.float32)
assert (jute.matmul(a, b) == 16).all()

KERNEL = """#include <cuda_fp16.h>
__global__ void twice(__half* x) { x[threadIdx.x] = __hadd(x[threadIdx.x], x[threadIdx.x]); }
"""
x = np.arange(4, dtype=np.float16)
assert jute.emulate(KERNEL, 1, 4, [x]).clean and x.tolist() == [0, 2, 4, 6]

assert output("jute", "eval", "size((4,8):(8,1))") == "32\n"
product = ("--m", "32", "--n", "32", "--k", "32", "--random", "1", "--verify", "--device", "emulator")
assert "check    ok" in output("jute", "gemm", *product)
race = ("--ranks", "2", "--m", "64", "--n", "64", "--k", "64", "--rounds", "1", "--device", "emulator")
assert "exchanges alone" in output("jute", "bench", *race) and "exchanges alone" in output("jute-bench", *race)

Path("twice.cu").write_text(KERNEL)
output("jute", "emulate", "twice.cu", "--grid", "1", "--block", "4", "--arg", "f16[4]=iota")

# The stand-in for a driver, by a program that loads one.
Path("driver.py").write_text("""
import ctypes
cuda, count = ctypes.CDLL("libcuda.so.1"), ctypes.c_int()
assert cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0 and count.value == 1
print("one device")
""")
assert "one device" in output("jute", "run", "--", sys.executable, "driver.py")

Path("typed.py").write_text("""
import jute

layout: jute.Layout = jute.coalesce("(4,8):(8,1)")
size: int = jute.size(layout @ "(2,4):(4,1)")
product: type[jute.Product] = jute.Product
""")
output(sys.executable, "-m", "mypy", "--strict", "typed.py")
print("the wheel does what it is for")
