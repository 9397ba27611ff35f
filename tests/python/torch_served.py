"""What jute.torch.install() does at the CUDA key, for tensors of the CPU: kernels run on the emulator."""

from __future__ import annotations

from collections import Counter
from typing import Any

import torch
from jute import Error
from jute._torch_calls import OPERATIONS, Call
from torch.utils._python_dispatch import TorchDispatchMode

#: The places of an operator's tensors.
_PLACES = {
    "mm": ("a", "b"), "bmm": ("a", "b"), "addmm": ("added", "a", "b"), "baddbmm": ("added", "a", "b"),
}  # fmt: skip


class Served(TorchDispatchMode):  # type: ignore[misc, unused-ignore]
    """Below autograd each product becomes a Call, as the operators' object makes one.

    ``served`` and ``refused`` count them by name and reason.
    """

    def __init__(self) -> None:
        super().__init__()
        self.served: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def __torch_dispatch__(self, function: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        name = function._schema.name.removeprefix("aten::")
        in_place = name.endswith("_") and not name.startswith("_")
        operation = name.rstrip("_")
        if operation not in OPERATIONS or operation not in _PLACES or function._overloadname not in ("default", "out"):
            return function(*args, **kwargs)
        tensors = dict(zip(_PLACES[operation], args, strict=True))
        out = args[0] if in_place else kwargs.get("out")
        if not all(each.numel() and each.dim() <= 3 for each in tensors.values()):
            return function(*args, **kwargs)
        call = Call(operation, **tensors, d=out, beta=float(kwargs.get("beta", 1)), alpha=float(kwargs.get("alpha", 1)))
        try:
            with torch.no_grad():
                call.product()(call.a, call.b, **call.operands())
        except Error as error:
            self.refused[str(error).split(": ", 1)[0]] += 1
            return function(*args, **kwargs)
        self.served[operation] += 1
        return call.result
