"""Random calls of torch's operators, and what float64 makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from judge import error_bound

#: Half a unit in the last place of a result.
ROUNDOFF = {torch.float16: 2.0**-11, torch.bfloat16: 2.0**-8, torch.float32: 2.0**-24,
            torch.float64: 2.0**-53}  # fmt: skip
#: What an operator adds: a bias of columns, a matrix, one row that is repeated, numbers of rows.
_ADDED = {"bias": lambda m, n: (n,), "matrix": lambda m, n: (m, n), "row": lambda m, n: (1, n),
          "column": lambda m, n: (m, 1)}  # fmt: skip


class TorchCall:
    """One call: mm, addmm, bmm, baddbmm, with out=, in place, or neither."""

    def __init__(self, random: np.random.Generator, device: str) -> None:
        self.device = device
        pick = random.choice
        self.dtype = pick(list(ROUNDOFF))
        self.operation = str(pick(["mm", "addmm", "bmm", "baddbmm"]))
        m, n, k = (int(2 ** random.uniform(0, 9)) * int(random.random() > 0.02) for _ in range(3))
        lead = (int(random.integers(1, 5)),) if "b" in self.operation[:2] else ()
        self.a, self.b = self._operand(random, *lead, m, k), self._operand(random, *lead, k, n)
        self.kind = str(pick(["", "out", "in place"]))
        self.alpha, self.beta = (float(pick([1, 1, 0.5, -2, 0])) for _ in range(2))
        self.added = None
        if "add" in self.operation:
            name = "matrix" if self.kind == "in place" else str(pick(list(_ADDED)))
            shape = (*(lead if name == "matrix" else ()), *_ADDED[name](m, n))
            self.added = torch.randn(shape, device=device).to(self.dtype)
        elif self.kind == "in place":
            self.kind = ""
        self.needs_grad = self.kind == "" and bool(random.integers(2))

    def _operand(self, random: np.random.Generator, *shape: int) -> Any:
        """Contiguous, transposed, or a slice of something larger that begins anywhere."""
        *lead, rows, cols = shape
        turned = bool(random.integers(2))
        rows, cols = (cols, rows) if turned else (rows, cols)
        room, start = (int(x) for x in random.integers(0, 9, 2)) if random.integers(2) else (0, 0)
        whole = torch.randn((*lead, rows, cols + room + start), device=self.device).to(self.dtype)
        view = whole[..., start : start + cols]
        return view.transpose(-1, -2) if turned else view

    def run(self) -> Any:
        a, b = self.a.detach(), self.b.detach()
        if self.needs_grad:
            a.requires_grad_()
        words: dict[str, Any] = {}
        if self.kind == "out":
            words["out"] = torch.empty((*a.shape[:-1], b.shape[-1]), device=self.device, dtype=self.dtype)
        if self.added is None:
            return getattr(torch, self.operation)(a, b, **words)
        factors = {"alpha": self.alpha, "beta": self.beta}
        if self.kind == "in place":
            return getattr(self.added.clone(), self.operation + "_")(a, b, **factors)
        return getattr(torch, self.operation)(self.added, a, b, **factors, **words)

    def judge(self, d: Any) -> None:
        """On the host: whoever stands in front of torch's products has no part in it."""
        assert d.dtype == self.dtype
        a, b, d = (each.double().cpu() for each in (self.a, self.b, d))
        alpha, beta = (self.alpha, self.beta) if self.added is not None else (1.0, 0.0)
        exact, size = alpha * (a @ b), abs(alpha) * (a.abs() @ b.abs())
        if self.added is not None:
            exact = exact + beta * self.added.double().cpu()
            size = size + (beta * self.added.double().cpu()).abs()
        bound = error_bound(exact, size, a.shape[-1], ROUNDOFF[self.dtype])
        assert d.shape == exact.shape
        error = (d - exact).abs()
        assert (error <= bound).all(), (self.operation, self.kind, self.a.shape, self.a.stride(), self.b.stride(),
                                        self.dtype, self.alpha, self.beta, float((error - bound).max()))  # fmt: skip


def calls(count: int, seed: int, device: str = "cuda") -> list[TorchCall]:
    random = np.random.default_rng(seed)
    torch.manual_seed(seed)
    return [TorchCall(random, device) for _ in range(count)]
