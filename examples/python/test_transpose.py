"""A kernel of one's own under test, without a GPU:  python3 -m pytest examples/python/test_transpose.py"""

from __future__ import annotations

import numpy as np

import jute
from jute.testing import CheckedEmulator

TRANSPOSE = """
extern "C" __global__ void transpose(const float* in, float* out, int rows, int cols) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  if (x < cols && y < rows) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  if (x < rows && y < cols) out[y * rows + x] = tile[threadIdx.x][threadIdx.y];
}
"""


@jute.check
def test_a_matrix_is_transposed(jute_emulator: CheckedEmulator) -> None:
    matrix = np.arange(40 * 50, dtype=np.float32).reshape(40, 50)
    out = np.empty((50, 40), np.float32)
    jute_emulator.run(TRANSPOSE, (2, 2), (32, 32), [matrix, jute.unset(out), 40, 50])
    assert (out == matrix.T).all()
