"""jute in torch: products and convolutions with gradients, layers, operators that torch.compile keeps whole.

    y = jute.torch.matmul(x, w, bias=b, activation="gelu")
    layer = jute.torch.Linear(4096, 14336, activation="gelu", device="cuda", dtype=torch.bfloat16)
    z = jute.torch.conv2d(images, filters, bias, stride=2, padding=1)

Operators, ``torch.ops.jute.product`` and ``convolution``, are opaque to the compiler and have shapes
without running, so there is no break in a graph. Both gradients of each are jute's, too, and have
gradients themselves. ``product_alone`` is the product where none is recorded, at less of the host's time.
"""

from __future__ import annotations

import functools
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

from ._core import nearest_name
from ._products import matmul as multiply
from ._refusals import refused
from ._torch_compile import ProductPass
from ._torch_convolutions import Conv2d, conv2d
from ._torch_install import install, report, uninstall
from ._torch_library import autocast, define, refuse_tangents
from ._torch_object import build
from ._torch_prepare import prepare

__all__ = [
    "ACTIVATIONS", "Conv2d", "Linear", "ProductPass", "build", "conv2d", "install", "matmul", "prepare",
    "report", "uninstall",
]  # fmt: skip


def _silu_backward(grad: Any, pre: Any) -> Any:
    """torch's own, which has no gradient itself: where one is recorded it is written out."""
    if not torch.is_grad_enabled():
        return torch.ops.aten.silu_backward(grad, pre)
    gate = torch.sigmoid(pre)
    return grad * gate * (1 + pre * (1 - gate))


#: What becomes of a sum: jute's text of a value, and its gradient by torch's own operators.
ACTIVATIONS: dict[str, tuple[str, Any]] = {
    "": ("y", lambda grad, pre: grad),
    "relu": ("relu(y)", lambda grad, pre: torch.ops.aten.threshold_backward(grad, pre, 0)),
    "gelu": ("gelu(y)", lambda grad, pre: torch.ops.aten.gelu_backward(grad, pre)),
    "gelu_tanh": (
        "gelu_tanh(y)",
        lambda grad, pre: torch.ops.aten.gelu_backward(grad, pre, approximate="tanh"),
    ),
    "silu": ("silu(y)", _silu_backward),
}


def _check_activation(activation: str) -> None:
    if activation not in ACTIVATIONS:
        known = [name for name in ACTIVATIONS if name]
        raise refused("unknown_name", "activation", activation,
                      "it must be one whose gradient jute knows: " + ", ".join(known),
                      nearest_name(activation, known))  # fmt: skip


@functools.cache
def _epilogue(activation: str, has_bias: bool, has_residual: bool, keep: bool) -> str:
    """``y := acc + bias[n]; d = gelu(y) + residual[m,n]; pre = y``; empty: nothing is done."""
    value = ACTIVATIONS[activation][0]
    if has_residual:
        value += " + residual[m,n]"
    text = f"y := acc{' + bias[n]' if has_bias else ''}; d = {value}"
    if keep:
        text += "; pre = y"
    return "" if text == "y := acc; d = y" else text


def _rows(tensor: Any) -> Any:
    """(…, N) as (rows, N): a view wherever there is one."""
    return tensor if tensor.dim() <= 2 else tensor.flatten(0, -2)


def _multiplied(a: Any, b: Any, bias: Any, residual: Any, activation: str, keep: bool = False) -> Any:
    """d of a's rows, or with ``keep`` (d, the epilogue's other outputs)."""
    inputs = {}
    if bias is not None:
        inputs["bias"] = bias
    if residual is not None:
        inputs["residual"] = _rows(residual)
    text = _epilogue(activation, bias is not None, residual is not None, keep)
    return multiply(_rows(a), b, epilogue=text, inputs=inputs)


def _run_alone(a: Any, b: Any, bias: Any, residual: Any, activation: str) -> Any:
    """The operator where no gradient is recorded; jute refuses operands that need one."""
    d = _multiplied(a, b, bias, residual, activation)
    return d if a.dim() == 2 else d.view((*a.shape[:-1], b.shape[-1]))


def _shape_alone(a: Any, b: Any, bias: Any, residual: Any, activation: str) -> Any:
    return a.new_empty((*a.shape[:-1], b.shape[-1]))


def _run(a: Any, b: Any, bias: Any, residual: Any, activation: str, keep: bool) -> tuple[Any, Any]:
    """The operator itself: (d, what the activation saw, or nothing)."""
    with torch.no_grad():  # gradients are recorded above the operator
        result = _multiplied(a, b, bias, residual, activation, keep)
    shape = (*a.shape[:-1], b.shape[-1])
    if keep:
        d, others = result
        return d.view(shape), others["pre"].view(shape)
    return result.view(shape), a.new_empty(0)


def _shapes(a: Any, b: Any, bias: Any, residual: Any, activation: str, keep: bool) -> tuple[Any, Any]:
    """What the operator gives, without running it."""
    shape = (*a.shape[:-1], b.shape[-1])
    return a.new_empty(shape), a.new_empty(shape if keep else 0)


def _save(ctx: Any, inputs: tuple[Any, ...], output: tuple[Any, Any]) -> None:
    a, b, bias, residual, activation, keep = inputs
    ctx.activation, ctx.has_bias, ctx.has_residual = (
        activation, bias is not None, residual is not None,
    )  # fmt: skip
    ctx.set_materialize_grads(False)
    ctx.save_for_backward(a, b, output[1] if keep else None)


def _gradients(ctx: Any, grad: Any, grad_of_pre: Any) -> tuple[Any, ...]:
    """Of a, b, bias and residual; the first two are products of jute's.

    What the activation saw has a gradient where these gradients are differentiated themselves.
    """
    a, b, pre = ctx.saved_tensors
    needed = ctx.needs_input_grad
    inner = grad_of_pre if ctx.activation else None
    if grad is not None and any(needed[:3]):
        through = ACTIVATIONS[ctx.activation][1](grad, pre)
        inner = through if inner is None else inner + through
    of_a = of_b = of_bias = None
    if inner is not None:
        inner = inner.contiguous()
        of_a = matmul(inner, b.t()) if needed[0] else None
        of_b = matmul(_rows(a).t(), _rows(inner)) if needed[1] else None
        of_bias = _rows(inner).sum(0) if ctx.has_bias and needed[2] else None
    return of_a, of_b, of_bias, grad if ctx.has_residual and needed[3] else None, None, None


define(
    "product(Tensor a, Tensor b, Tensor? bias, Tensor? residual, str activation, bool keep)"
    " -> (Tensor, Tensor)",
    _run, _shapes, _gradients, _save,
)  # fmt: skip
# An operator with gradients is called by way of Python twice, which costs more than what it does.
define(
    "product_alone(Tensor a, Tensor b, Tensor? bias, Tensor? residual, str activation) -> Tensor",
    _run_alone, _shape_alone,
)  # fmt: skip


def _is_recorded(*tensors: Any) -> bool:
    """Does autograd follow any of them?"""
    return torch.is_grad_enabled() and any(
        each is not None and each.requires_grad for each in tensors
    )


def matmul(a: Any, b: Any, *, bias: Any = None, residual: Any = None, activation: str = "") -> Any:
    """activation(A·B + bias) + residual, in one kernel, with gradients.

    a           (…, K); its leading axes are rows
    b           (K, N); a transposed weight, ``weight.t()``, is read as it lies
    bias        (N), contiguous
    residual    shaped as the result
    activation  ``""``, ``"relu"``, ``"gelu"``, ``"gelu_tanh"`` or ``"silu"``

    Where gradients are recorded the kernel also stores what the activation saw. The result has a's
    element type; under torch.autocast operands are converted first.

    Raises :class:`jute.Error`: unknown_name, of an activation without a gradient here; unsupported,
    of an operand that forward-mode autograd follows; what jute.matmul refuses.
    """
    _check_activation(activation)
    refuse_tangents(a=a, b=b, bias=bias, residual=residual)
    a, b, bias, residual = autocast(a, b, bias, residual)
    if not _is_recorded(a, b, bias, residual):
        return torch.ops.jute.product_alone(a, b, bias, residual, activation)
    keep = activation != "" and _is_recorded(a, b, bias)
    return torch.ops.jute.product(a, b, bias, residual, activation, keep)[0]


class Linear(torch.nn.Linear):  # type: ignore[misc, unused-ignore]
    """torch.nn.Linear whose product, bias, activation and residual are one kernel of jute's."""

    def __init__(
        self, in_features: int, out_features: int, bias: bool = True, *, activation: str = "", device: Any = None,
        dtype: Any = None,
    ) -> None:  # fmt: skip
        _check_activation(activation)
        super().__init__(in_features, out_features, bias, device=device, dtype=dtype)
        self.activation = activation

    def forward(self, input: Any, residual: Any = None) -> Any:
        """activation(input · weightᵀ + bias) + residual."""
        return matmul(
            input, self.weight.t(), bias=self.bias, residual=residual, activation=self.activation
        )

    def extra_repr(self) -> str:
        """What printing a model says of it."""
        return f"{super().extra_repr()}, activation={self.activation!r}"
