"""Random products in JAX, and what float64 makes of them."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import jute.jax
import numpy as np
from judge import error_bound

#: Half a unit in the last place of a result.
ROUNDOFF = {"float32": 2.0**-24, "bfloat16": 2.0**-8, "float16": 2.0**-11, "float64": 2.0**-53, "int32": 0.0}
TYPES = ["float32", "bfloat16", "float16", "float64", "float8_e4m3fn", "float8_e5m2", "int8"]
#: Whose sums are those of whole numbers here, so that they are exact.
WHOLE = ("float8_e4m3fn", "float8_e5m2", "int8")


def exactly(array: Any) -> np.ndarray:
    return np.asarray(array).astype(np.float64)


class JaxCall:
    """One product: its function of arrays, the arrays, and what comes out."""

    def __init__(self, random: np.random.Generator) -> None:
        self.random = random
        self.said: dict[str, Any] = {}
        self.dtype = str(random.choice(TYPES))
        self.sizes = [int(2 ** random.uniform(0, 6.5)) for _ in range(3)]
        kind = str(random.choice(["matmul", "matmul", "matmul", "vmap", "groups", "scaled"]))
        self.said |= {"kind": kind, "dtype": self.dtype, "sizes": self.sizes}
        getattr(self, kind)()

    def one(self, choices: Any) -> Any:
        return choices[int(self.random.integers(len(choices)))]

    def numbers(self, *shape: int, dtype: str = "") -> Any:
        dtype = dtype or self.dtype
        drawn = self.random.integers(-2, 3, shape) if dtype in WHOLE else self.random.standard_normal(shape)
        return jnp.asarray(drawn.astype(np.float32)).astype(dtype)

    def matmul(self) -> None:
        """Batches, orders, c with its factors, an epilogue."""
        m, n, k = self.sizes
        lead = self.one([(), (), (), (3,), (2, 2)])
        a, b = self.numbers(*lead, m, k), self.numbers(*self.one([(), lead]), k, n)
        self.arrays = {"a": a, "b": b}
        words: dict[str, Any] = {"order_b": self.one(["row", "col"])}
        self.exact, self.size = exactly(a) @ exactly(b), abs(exactly(a)) @ abs(exactly(b))
        if self.dtype not in WHOLE and self.dtype != "float64" and self.random.random() < 0.3:
            words["epilogue"] = "relu(acc + bias[n])"
            self.arrays["bias"] = self.numbers(n)
            self.size = self.size + abs(exactly(self.arrays["bias"]))
            self.exact = np.maximum(self.exact + exactly(self.arrays["bias"]), 0)
        elif self.dtype not in WHOLE and self.random.random() < 0.4:
            words |= {"alpha": 2.0, "beta": -0.5}
            self.arrays["c"] = self.numbers(*self.exact.shape)
            self.exact = 2 * self.exact - exactly(self.arrays["c"]) / 2
            self.size = 2 * self.size + abs(exactly(self.arrays["c"])) / 2
        self.said |= words

        def product(a: Any, b: Any, bias: Any = None, c: Any = None) -> Any:
            return jute.jax.matmul(a, b, c=c, inputs=None if bias is None else {"bias": bias}, **words)

        self.product = product

    def vmap(self) -> None:
        m, n, k = self.sizes
        mapped = self.one([(0, None), (None, 0), (0, 0)])
        shapes = [((3,) if axis == 0 else ()) + shape for axis, shape in zip(mapped, ((m, k), (k, n)), strict=True)]
        a, b = (self.numbers(*shape) for shape in shapes)
        self.arrays = {"a": a, "b": b}
        self.exact, self.size = exactly(a) @ exactly(b), abs(exactly(a)) @ abs(exactly(b))
        self.product = lambda a, b: jax.vmap(jute.jax.matmul, mapped)(a, b)

    def groups(self) -> None:
        """Rows cut by ends; of types whose results are those of the sums."""
        self.dtype = "float32" if self.dtype in (*WHOLE, "float64") else self.dtype
        m, n, k = self.sizes
        ends = np.sort(self.random.integers(0, m + 1, 3)).astype(np.int32)
        a, b = self.numbers(m, k), self.numbers(3, k, n)
        self.arrays = {"a": a, "b": b, "offs": jnp.asarray(ends)}
        group = np.searchsorted(ends, np.arange(m), side="right")
        several = np.concatenate([exactly(b), np.zeros((1, k, n))])[group]
        self.exact = np.einsum("mk,mkn->mn", exactly(a), several)
        self.size = np.einsum("mk,mkn->mn", abs(exactly(a)), abs(several))
        self.product = jute.jax.grouped_mm

    def scaled(self) -> None:
        """8-bit weights in blocks, by whole numbers and powers of two, whose sums are exact."""
        m, n, _ = self.sizes
        block, k = 32, 64
        self.dtype = self.one(["float32", "bfloat16", "float16"])
        a = jnp.asarray(self.random.integers(-2, 3, (m, k)).astype(np.float32)).astype(self.dtype)
        b = self.numbers(k, n, dtype=self.one(["int8", "float8_e4m3fn"]))
        scale = 2.0 ** self.random.integers(-1, 2, (k // block, n)).astype(np.float32)
        self.arrays = {"a": a, "b": b, "scale": jnp.asarray(scale)}
        whole = exactly(b) * np.repeat(scale, block, 0)
        self.exact, self.size = exactly(a) @ whole, abs(exactly(a)) @ abs(whole)
        self.product = lambda a, b, scale: jute.jax.scaled_mm(a, b, scale_b=scale)

    def run(self) -> Any:
        """As JAX runs it: compiled with the rest of a function."""
        return jax.jit(self.product)(**self.arrays)

    def judge(self, d: Any) -> None:
        assert d.shape == self.exact.shape, self.said
        bound = error_bound(self.exact, self.size, self.sizes[2], ROUNDOFF[str(d.dtype)])
        error = abs(exactly(d) - self.exact)
        assert (error <= bound).all(), (self.said, float((error - bound).max()))


def calls(count: int, seed: int) -> list[JaxCall]:
    random = np.random.default_rng(seed)
    return [JaxCall(random) for _ in range(count)]
