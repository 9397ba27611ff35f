"""Calls of torch's operators as values: what jute prepares for one, and a line that says it again."""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

from ._products import prepare, prepare_groups, prepare_scaled
from ._refusals import refused

#: In call.hpp's order.
OPERATIONS = ("mm", "addmm", "bmm", "baddbmm", "_scaled_mm", "_grouped_mm")
TENSORS = ("a", "b", "added", "d", "scale_a", "scale_b", "ends")
#: Those whose first axis is M, where an operator has one list of rows.
_BY_ROWS = ("a", "added", "d", "scale_a")
_FACTS = ("beta", "alpha", "dtype", "tf32", "fast_accum")


def _facts(tensor: Any) -> list[Any]:
    """[type, shape, strides, alignment in bytes up to 16]; the stride of one element is as if packed."""
    strides = list(tensor.stride())
    for axis in reversed(range(tensor.dim())):
        if tensor.shape[axis] == 1:
            last = axis + 1 == tensor.dim()
            strides[axis] = 1 if last else strides[axis + 1] * tensor.shape[axis + 1]
    address = tensor.data_ptr()
    return [str(tensor.dtype)[6:], list(tensor.shape), strides, min(address & -address, 16) if address else 16]


def _made(facts: list[Any], device: Any) -> Any:
    """A tensor of such facts, of small numbers."""
    name, shape, strides, aligned = facts
    dtype = getattr(torch, name)
    reach = 1 + sum((extent - 1) * stride for extent, stride in zip(shape, strides, strict=True))
    offset = 0 if aligned == 16 else max(1, aligned // dtype.itemsize)
    numbers = torch.randn(reach + offset, device=device)
    kind = (numbers if dtype.is_floating_point else numbers * 16).to(dtype)
    return kind.as_strided(shape, strides, offset)


@dataclass
class Call:
    """One call of one operator: its tensors, its factors, what torch was told."""

    operation: str
    a: Any
    b: Any
    added: Any = None
    d: Any = None
    scale_a: Any = None
    scale_b: Any = None
    ends: Any = None
    beta: float = 1.0
    alpha: float = 1.0
    dtype: Any = None
    tf32: bool = False
    fast_accum: bool = False

    @classmethod
    def of_line(cls, line: str, device: Any) -> Call:
        """The call that a line says, with tensors of its own."""
        said = json.loads(line)
        tensors = {name: _made(said[name], device) for name in TENSORS if name in said}
        for name in tensors.keys() & {"scale_a", "scale_b"}:
            tensors[name].fill_(0.5)
        call = cls(said["operation"], **tensors, **{name: said[name] for name in _FACTS})
        if call.dtype is not None:
            call.dtype = getattr(torch, call.dtype)
        if call.ends is not None:
            cut = call.b.shape[-1] if call.a.dim() == 3 else call.a.shape[-1 if call.b.dim() == 2 else 0]
            groups = len(call.ends)
            call.ends.copy_(torch.arange(1, groups + 1) * cut // groups)
        return call

    def line(self) -> str:
        """All that decides which kernel serves, as JSON."""
        said: dict[str, Any] = {"operation": self.operation}
        said |= {name: _facts(getattr(self, name)) for name in TENSORS if getattr(self, name) is not None}
        said |= {name: getattr(self, name) for name in _FACTS}
        said["dtype"] = None if self.dtype is None else str(self.dtype)[6:]
        return json.dumps(said)

    def __str__(self) -> str:
        types = str(self.a.dtype)[6:] if self.a.dtype == self.b.dtype else f"{self.a.dtype}·{self.b.dtype}"
        shapes = " · ".join("x".join(map(str, each.shape)) for each in (self.a, self.b))
        return f"{self.operation} {types} {shapes}"

    @functools.cached_property
    def result(self) -> Any:
        """d, or a tensor that lies as the one which torch would make."""
        if self.d is not None:
            return self.d
        shape = [self.a.shape[-2], self.b.shape[-1]]
        if self.ends is not None and self.a.dim() == self.b.dim():
            shape.insert(0, len(self.ends))
        elif self.a.dim() == self.b.dim() == 3:
            shape.insert(0, self.a.shape[0])
        return self.a.new_empty(shape, dtype=self.dtype)

    @property
    def bias(self) -> Any:
        """What is added to every row alike; None: nothing is, or a matrix."""
        added = self.added
        if added is None or self.beta == 0:
            return None
        while added.dim() > 1 and (added.shape[0] == 1 or added.stride(0) == 0):
            added = added[0]
        return added if added.dim() == 1 else None

    def operands(self) -> dict[str, Any]:
        """Words that prepare and a launch have in common."""
        words: dict[str, Any] = {"out": self.result}
        if self.bias is not None:
            words["inputs"] = {"bias": self.bias}
        elif self.added is not None and self.beta != 0:
            words |= {"c": self.added, "beta": self.beta}
        if self.alpha != 1 or (self.bias is not None and self.beta != 1):
            words |= {"alpha": self.alpha, "beta": self.beta}
        for name in ("scale_a", "scale_b"):
            scale = getattr(self, name)
            if scale is not None:
                words[name] = scale.view(-1) if 1 in scale.shape or scale.dim() == 0 else scale
        if self.ends is not None:
            words["offs"] = self.ends
        return words

    def _check_types(self) -> None:
        """What torch refuses is torch's to refuse.   Raises :class:`jute.Error`: types that differ."""
        if self.operation in ("_scaled_mm", "_grouped_mm"):
            return
        types = {each.dtype for each in (self.a, self.b, self.added, self.d) if each is not None}
        if len(types) > 1 or not self.a.dtype.is_floating_point:
            raise refused("wrong_type", "operands", types, "all must be of one type of floating point")

    def product(self, **words: Any) -> Any:
        """What jute prepares for it.   Raises :class:`jute.Error`: jute has no such product."""
        self._check_types()
        if self.bias is not None:
            plain = self.alpha == 1 and self.beta == 1
            words["epilogue"] = "acc + bias[n]" if plain else "alpha*acc + beta*bias[n]"
        words |= self.operands()
        if self.operation == "_scaled_mm":
            return prepare_scaled(self.a, self.b, fast_accum=self.fast_accum, **words)
        if self.operation == "_grouped_mm":
            return prepare_groups(self.a, self.b, **words)
        return prepare(self.a, self.b, precision="tf32" if self.tf32 else "f32", **words)

    def launch(self, product: Any) -> Any:
        """The launch of the product by this call."""
        return product.launch(self.a, self.b, **self.operands())

    def by_torch(self) -> Any:
        """The operator itself."""
        aten = torch.ops.aten
        factors = {"beta": self.beta, "alpha": self.alpha}
        if self.operation in ("addmm", "baddbmm"):
            function = getattr(aten, self.operation)
            if self.d is None:
                return function(self.added, self.a, self.b, **factors)
            return function.out(self.added, self.a, self.b, **factors, out=self.d)
        if self.operation == "_scaled_mm":
            words = {"bias": self.added, "out_dtype": self.dtype, "use_fast_accum": self.fast_accum}
            words |= {} if self.d is None else {"out": self.d}
            return torch._scaled_mm(self.a, self.b, scale_a=self.scale_a, scale_b=self.scale_b, **words)
        if self.operation == "_grouped_mm":
            return torch._grouped_mm(self.a, self.b, offs=self.ends, out_dtype=self.dtype)
        function = getattr(torch, self.operation)
        return function(self.a, self.b) if self.d is None else function(self.a, self.b, out=self.d)


def rows_of(line: str) -> tuple[str, int] | None:
    """The line of all calls that differ from this one in M alone, and its M; None: no range serves it."""
    said = json.loads(line)
    _, shape, strides, _ = said["a"]
    if len(shape) != 2 or "ends" in said or strides[1] != 1:
        return None
    m = shape[0]
    for name in _BY_ROWS:
        _, shape, strides, _ = said.get(name, (None, [], [], None))
        if len(shape) != 2 or shape[0] != m or (name == "added" and strides[0] == 0):
            continue
        if strides[1] != 1 and shape[1] != 1:
            return None  # columns are as far apart as there are rows
        shape[0] = "M"
    return json.dumps(said), m
