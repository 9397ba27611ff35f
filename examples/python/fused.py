"""A layer's product with bias and activation in one kernel, from numpy's arrays on the emulator.

    python3 examples/python/fused.py
"""

from __future__ import annotations

import numpy as np

import jute


def main() -> None:
    random = np.random.default_rng(0)
    x = random.standard_normal((32, 64), dtype=np.float32)
    weight = random.standard_normal((48, 64), dtype=np.float32)
    bias = random.standard_normal(48, dtype=np.float32)

    y = jute.matmul(x, weight.T, epilogue="relu(acc + bias[n])", inputs={"bias": bias})
    print(f"largest difference from numpy: {abs(y - np.maximum(x @ weight.T + bias, 0)).max():.1e}")

    layer = jute.prepare(x, weight.T, epilogue="relu(acc + bias[n])", inputs={"bias": bias})
    assert (layer(x, weight.T, inputs={"bias": bias}) == y).all()
    print(str(layer.plan).splitlines()[0])


if __name__ == "__main__":
    main()
