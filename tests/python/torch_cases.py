"""Random products in torch, on any device, and what float64 makes of them."""

from __future__ import annotations

from typing import Any

import jute
import numpy as np
import torch
from torch_calls import ROUNDOFF

EPILOGUES = {
    "": lambda acc, x: acc,
    "acc + bias[n]": lambda acc, x: acc + x["bias"],
    "relu(acc + bias[n])": lambda acc, x: torch.relu(acc + x["bias"]),
    "gelu(acc)": lambda acc, x: torch.nn.functional.gelu(acc),
    "silu(acc) + rest[m,n]": lambda acc, x: torch.nn.functional.silu(acc) + x["rest"],
    "acc*scale[m]": lambda acc, x: acc * x["scale"][..., :, None],
}

#: Random products are so many tests, of a seed each, that processes may run beside each other.
PARTS = 10


class Case:
    """A random product: operands as views, and what float64 makes of it."""

    def __init__(self, random: np.random.Generator, device: str) -> None:
        self.device = device
        pick = random.choice
        self.dtype = pick(list(ROUNDOFF))
        m, n, k = (int(2 ** random.uniform(0, 9.5)) for _ in range(3))
        batch = int(pick([1, 1, 1, 2, 5]))
        self.a = self._operand(random, batch, m, k)
        self.b = self._operand(random, int(pick([1, batch])), k, n)
        self.text = str(pick(list(EPILOGUES)))
        if self.dtype == torch.float64:
            self.text = ""
        self.inputs = {}
        for name, shape in (("bias", (n,)), ("scale", (m,)), ("rest", (*self.shape[:-2], m, n))):
            if name in self.text:
                self.inputs[name] = torch.randn(shape, device=device, dtype=self.dtype)

    @property
    def shape(self) -> tuple[int, ...]:
        return tuple(torch.broadcast_shapes(self.a.shape[:-2], self.b.shape[:-2])) + (
            self.a.shape[-2], self.b.shape[-1],
        )  # fmt: skip

    def _operand(self, random: np.random.Generator, batch: int, rows: int, cols: int) -> Any:
        """Contiguous, transposed, or a slice of something larger that begins anywhere."""
        turned = bool(random.integers(2))
        shape = [cols, rows] if turned else [rows, cols]
        room, start = (int(x) for x in random.integers(0, 9, 2)) if random.integers(2) else (0, 0)
        whole = torch.randn(
            (batch, shape[0], shape[1] + room + start), device=self.device, dtype=torch.float32
        ).to(self.dtype)
        view = whole[..., start : start + shape[1]]
        view = view.transpose(-1, -2) if turned else view
        return view if batch > 1 else view[0]

    def judge(self, d: Any) -> None:
        a, b = self.a.double(), self.b.double()
        inputs = {name: each.double() for name, each in self.inputs.items()}
        exact = EPILOGUES[self.text](a @ b, inputs)
        k = self.a.shape[-1]
        sums = 2.0**-53 if self.dtype == torch.float64 else 2.0**-23
        # No activation here steepens an error by more than a fifth; scales do by themselves.
        steep = 1.2 * (inputs["scale"].abs()[..., :, None] if "scale" in inputs else 1)
        bound = steep * (k + 2) * sums * (a.abs() @ b.abs())
        bound = bound + 2 * ROUNDOFF[self.dtype] * exact.abs() + 2.0**-11 * 1e-2 + 4 * sums
        if "gelu(" in self.text or "silu(" in self.text:  # docs/epilogues.md: of 16-bit results
            bound = bound + 2.0**-11 * (a @ b).abs()
        error = (d.double() - exact).abs()
        assert (error <= bound).all(), (self.text, self.a.shape, self.a.stride(), self.dtype,
                                        float((error - bound).max()))  # fmt: skip


def cases(count: int, seed: int, device: str = "cuda") -> list[Case]:
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    return [Case(random, device) for _ in range(count)]


def multiplied(case: Case, out: Any = None) -> Any:
    return jute.matmul(case.a, case.b, epilogue=case.text, inputs=case.inputs, out=out)


def strided(random: np.random.Generator, device: str, *shape: int) -> Any:
    """A tensor that lies in a random order of axes, with gaps."""
    order = random.permutation(len(shape))
    steps = [int(step) for step in random.integers(1, 4, len(shape))]
    whole = torch.randint(-3, 4, [shape[axis] * steps[axis] for axis in order], device=device)
    view = whole.to(torch.bfloat16 if random.integers(2) else torch.float32)
    view = view.permute(*np.argsort(order).tolist())
    return view[tuple(slice(None, None, step) for step in steps)]
