"""torch.compile: products and the pointwise work behind them become one operator of jute's."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]
from torch._inductor.custom_graph_pass import CustomGraphPass  # type: ignore[import-not-found, unused-ignore]
from torch.fx.experimental.symbolic_shapes import (  # type: ignore[import-not-found, unused-ignore]
    statically_known_true,
)

from ._core import Problem, __version__, make_plan
from ._products import matmul
from ._torch_install import is_worth_it
from ._torch_library import define
from .error import Error

aten = torch.ops.aten

#: How an operator of a graph is written in an epilogue, its tensors by places.
_WORDS: dict[Any, str] = {
    aten.add.Tensor: "({0} + {1})", aten.sub.Tensor: "({0} - {1})", aten.mul.Tensor: "({0}*{1})",
    aten.div.Tensor: "({0}/{1})", aten.neg.default: "(-{0})", aten.abs.default: "abs({0})",
    aten.relu.default: "relu({0})",
    aten.exp.default: "exp({0})", aten.sqrt.default: "sqrt({0})", aten.tanh.default: "tanh({0})",
    aten.sigmoid.default: "sigmoid({0})", aten.erf.default: "erf({0})",
}  # fmt: skip
#: What the compiler has taken apart, written in full, and the function that it is.
_FUNCTIONS = [
    (re.compile(rf"\(\((.+)\*0\.5\)\*\({inner} \+ 1\.0\)\)"), name)
    for inner, name in (
        (r"erf\(\(\1\*0\.7071067811865476\)\)", "gelu"),
        (r"tanh\(\(\(\1 \+ \(\(\(\1\*\1\)\*\1\)\*0\.044715\)\)\*0\.7978845608028654\)\)", "gelu_tanh"),
    )
] + [(re.compile(r"\((.+)/\(exp\(\(-\1\)\) \+ 1\.0\)\)"), "silu")]
#: What changes neither an element nor its column.
_VIEWS = {aten.view.default, aten.reshape.default, aten._unsafe_view.default}
_SAME = {*_VIEWS, torch.ops.prims.convert_element_type.default}
#: Of the host for an operator in Python: a kernel that takes less would wait for it, but in a CUDA graph.
_HOST_US = 30.0
_FLOATS = {torch.float16, torch.bfloat16, torch.float32}


def _value(node: Any) -> Any:
    value = node.meta.get("val") if isinstance(node, torch.fx.Node) else None
    return value if isinstance(value, torch.Tensor) else None


def _are_same(some: Any, others: Any) -> bool:
    """Equal extents, whatever the symbols among them stand for."""
    return len(some) == len(others) and all(
        statically_known_true(one == other) for one, other in zip(some, others, strict=True)
    )


def _hint(extent: Any) -> int:
    """An extent, or what its symbol stood for where the graph was made."""
    return extent if isinstance(extent, int) else int(extent.node.hint)


class _Chain:
    """A product and what is computed of it element by element, as an epilogue."""

    def __init__(self, product: Any, a: Any, b: Any) -> None:
        self.product, self.a, self.b = product, a, b
        self.m, self.n = _value(product).shape[-2:]
        self.is_batch = _value(product).dim() == 3
        self.names = {product: "acc"}
        self.statements: dict[str, str] = {}  # what a name stands for
        self.whole = {"acc": "acc"}  # the same without names
        self.inputs: dict[str, tuple[Any, Any]] = {}  # by name: the node, and another shape that kernels see
        self.views: list[Any] = []
        self.best: tuple[Any, str, int] | None = None  # the last node, the epilogue's text, how many inputs it has

    def add(self, bias: Any) -> bool:
        """addmm's self: part of the sum."""
        word = self._external(bias, _value(self.product))
        if word is None:
            return False
        self.names[self.product] = sum = f"(acc + {word})"
        self.whole[sum] = sum
        return True

    def _external(self, node: Any, like: Any) -> str | None:
        """An operand from outside: a number, or an input of the epilogue."""
        if isinstance(node, (int, float)) and not isinstance(node, bool):
            return f"({float(node)!r})" if node < 0 else repr(float(node))
        value = _value(node)
        if value is None or value.dtype not in _FLOATS or value.device != _value(self.product).device:
            return None
        shape, whole = tuple(value.shape), tuple(like.shape)
        lies: tuple[Any, ...] | None
        if _are_same(shape, whole):
            index, lies = "[m,n]", None if len(shape) == _value(self.product).dim() else (-1, self.n)
        elif not self.is_batch and _are_same(shape[-1:], whole[-1:]) and _are_same(shape[:-1], [1] * (len(shape) - 1)):
            index, lies = "[n]", (self.n,)
        elif not self.is_batch and _are_same(shape, (*whole[:-1], 1)):
            index, lies = "[m]", (-1,)
        else:
            return None
        for name, (known, _) in self.inputs.items():
            if known is node:
                return name + index
        name = f"x{len(self.inputs)}"
        self.inputs[name] = (node, lies)
        return name + index

    def _has_elements(self, value: Any) -> bool:
        """As many as the product."""
        return _are_same([value.numel()], [_value(self.product).numel()])

    def take(self, node: Any) -> bool:
        """The node as a part of the epilogue; False: it is none."""
        value = _value(node)
        if node.op != "call_function" or value is None or value.dtype not in _FLOATS:
            return False
        if node.target in _SAME:
            if not self._has_elements(value) or not _are_same(value.shape[-1:], (self.n,)):
                return False
            if node.target in _VIEWS:
                self.views.append(node)
            self.names[node] = self.names[node.args[0]]
            return True
        text = _WORDS.get(node.target)
        if text is None or node.kwargs or not self._has_elements(value):
            return False
        before = dict(self.inputs)
        words = [self.names.get(each) or self._external(each, value) for each in node.args]
        written = [word for word in words if word is not None]
        if len(written) < len(words):
            self.inputs = before
            return False
        name = f"y{len(self.statements)}"
        self.whole[name] = whole = text.format(*(self.whole.get(word, word) for word in written))
        self.statements[name] = text.format(*written)
        for pattern, function in _FUNCTIONS:
            if found := pattern.fullmatch(whole):
                of = next((word for word, each in self.whole.items() if each == found[1]), None)
                if of is not None:
                    self.statements[name] = f"{function}({of})"
        self.names[node] = name
        return True

    def text(self, node: Any) -> str:
        """The epilogue whose d is this node's value, of the statements that it needs."""
        needed: list[str] = []
        words = [self.names[node]]
        while words:
            for name in re.findall(r"\by\d+\b", words.pop()):
                if name not in needed:
                    needed.append(name)
                    words.append(self.statements[name])
        locals = [f"{name} := {text}" for name, text in self.statements.items() if name in needed]
        return "; ".join((*locals, f"d = {self.names[node]}"))

    def grow(self, nodes: list[Any]) -> None:
        """Takes what follows, and remembers the last place at which one value alone leaves."""
        for node in nodes:
            if not any(each in self.names for each in node.all_input_nodes):
                continue
            if not self.take(node):
                continue
            leaving = [each for each in self.names if any(user not in self.names for user in each.users)]
            if leaving == [node] and node.target not in _VIEWS:
                self.best = node, self.text(node), len(self.inputs)


def _run(a: Any, b: Any, inputs: list[Any], text: str, dtype: str) -> Any:
    named = {f"x{i}": each for i, each in enumerate(inputs)}
    return matmul(a, b, epilogue=text, inputs=named, out_dtype=dtype)


def _shape(a: Any, b: Any, inputs: list[Any], text: str, dtype: str) -> Any:
    return a.new_empty((*a.shape[:-1], b.shape[-1]), dtype=getattr(torch, dtype))


# The type goes by its name: AOTInductor's packages hand a ScalarType on by another numbering than they keep it in.
define("fused(Tensor a, Tensor b, Tensor[] inputs, str text, str dtype) -> Tensor", _run, _shape)

_PRODUCTS: dict[Any, Callable[..., tuple[Any, Any, Any]]] = {
    aten.mm.default: lambda a, b: (a, b, None),
    aten.bmm.default: lambda a, b: (a, b, None),
    aten.addmm.default: lambda bias, a, b: (a, b, bias),
}


class ProductPass(CustomGraphPass):  # type: ignore[misc, unused-ignore]
    """A pass of torch.compile: mm, addmm, bmm and what follows element by element run as one kernel of jute's.

    ``torch.compile(model, options={"post_grad_custom_post_pass": jute.torch.ProductPass()})``

    Where the kernel alone is expected to be slower than cuBLAS, or to take less than the host needs to queue
    it (30 us; with ``"triton.cudagraphs"`` a graph queues it), the compiler's graph stays as it is. Values between
    a product and what follows are f32, not rounded. There is no further break of a graph.
    """

    def __init__(self, always: bool = False) -> None:
        self.always = always  # whatever it is expected to take

    def __call__(self, graph: Any) -> None:
        nodes = list(graph.nodes)
        replaced: set[Any] = set()
        for at, node in enumerate(nodes):
            if node.op == "call_function" and node.target in _PRODUCTS and node not in replaced and not node.kwargs:
                self._replace(graph, node, nodes[at + 1 :], replaced)
        graph.eliminate_dead_code()

    def uuid(self) -> Any:
        text = b"".join(file.read_bytes() for file in sorted(Path(__file__).parent.glob("*.py")))
        return hashlib.sha256(text + __version__.encode() + bytes([self.always])).hexdigest()

    def _replace(self, graph: Any, product: Any, after: list[Any], replaced: set[Any]) -> None:
        a, b, bias = _PRODUCTS[product.target](*product.args)
        value = _value(product)
        if value.dtype not in _FLOATS or not value.is_cuda and not self.always:
            return
        if not all(isinstance(number, int) for number in _value(b).shape):
            return  # M alone may be a symbol
        chain = _Chain(product, a, b)
        if bias is not None and not chain.add(bias):
            return
        chain.grow([node for node in after if node not in replaced])
        if chain.best is None:
            return
        last, text, count = chain.best
        if not self.always and not self._is_worth_it(chain):
            return
        with graph.inserting_before(last):
            inputs = []
            for node, shape in list(chain.inputs.values())[:count]:
                if shape is not None and len(shape) != _value(node).dim():
                    viewed = graph.call_function(aten.reshape.default, (node, list(shape)))
                    viewed.meta["val"] = _value(node).reshape(shape)
                    node = viewed
                inputs.append(node)
            fused = graph.call_function(torch.ops.jute.fused.default, (a, b, inputs, text, str(_value(last).dtype)[6:]))
            fused.meta["val"] = value.new_empty(value.shape, dtype=_value(last).dtype)
            result = fused
            if not _are_same(_value(last).shape, value.shape):
                view = next(each for each in chain.views if _are_same(_value(each).shape, _value(last).shape))
                result = graph.call_function(aten.reshape.default, (fused, view.args[1]))
                result.meta["val"] = _value(last)
        last.replace_all_uses_with(result)
        replaced.update(node for node in chain.names if node is not result)

    @staticmethod
    def _is_worth_it(chain: _Chain) -> bool:
        """By the plan of the product alone: what follows it costs a kernel less."""
        a, b = _value(chain.a), _value(chain.b)
        words: dict[str, Any] = {"dtype": str(a.dtype)[6:], "batch": a.shape[0] if chain.is_batch else 1}
        for name, each in (("a", a), ("b", b)):
            *_, row, column = each.stride()
            is_row = statically_known_true(column == 1)
            words |= {f"order_{name}": "row" if is_row else "col", f"ld{name}": _hint(row if is_row else column)}
        try:
            chip = "sm_%d%d" % torch.cuda.get_device_capability()
            plan = make_plan(Problem(_hint(chain.m), chain.n, a.shape[-1], **words), chip)
        except Error:
            return False
        is_recorded = torch._inductor.config.triton.cudagraphs
        return is_worth_it((a, b), plan) and (is_recorded or plan.expected_us >= _HOST_US)
