"""Convolutions in torch: an operator with gradients, each a convolution's own of jute's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

from ._convolutions import conv2d_input, conv2d_weight
from ._products import conv2d as convolve
from ._refusals import refused
from ._torch_library import autocast, define, refuse_tangents

_FORMATS = {4: torch.channels_last, 5: torch.channels_last_3d}


def _is_last(x: Any) -> bool:
    """Do its channels lie fastest?"""
    form = _FORMATS.get(x.dim())
    return form is not None and not x.is_contiguous() and bool(x.is_contiguous(memory_format=form))


def _turned(tensor: Any, is_last: bool) -> Any:
    """As jute takes it: packed, channels last or first."""
    if is_last:
        tensor = tensor.permute(0, *range(2, tensor.dim()), 1)
    return tensor.contiguous()


def _turned_back(tensor: Any, is_last: bool) -> Any:
    return tensor.permute(0, tensor.dim() - 1, *range(1, tensor.dim() - 1)) if is_last else tensor


def _turned_size(size: Sequence[int], is_last: bool) -> tuple[int, ...]:
    return (size[0], *size[2:], size[1]) if is_last else tuple(size)


def _words(
    stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], groups: int, is_last: bool
) -> dict[str, Any]:
    return {"stride": tuple(stride), "padding": tuple(padding), "dilation": tuple(dilation),
            "groups": groups, "order": "NHWC" if is_last else "NCHW"}  # fmt: skip


def _run(
    x: Any, w: Any, bias: Any, stride: list[int], padding: list[int], dilation: list[int], groups: int
) -> Any:
    last = _is_last(x)
    words = _words(stride, padding, dilation, groups, last)
    if bias is not None:
        at = "n" if groups == 1 else "batch,n"
        bias = bias.contiguous() if groups == 1 else bias.reshape(groups, -1)
        words |= {"epilogue": f"acc + bias[{at}]", "inputs": {"bias": bias}}
    with torch.no_grad():  # gradients are recorded above the operator
        return _turned_back(convolve(_turned(x, last), _turned(w, last), **words), last)


def _empty(like: Any, size: Sequence[Any], is_last: bool) -> Any:
    form = _FORMATS[len(size)] if is_last else torch.contiguous_format
    return torch.empty(tuple(size), dtype=like.dtype, device=like.device, memory_format=form)


def _shapes(
    x: Any, w: Any, bias: Any, stride: list[int], padding: list[int], dilation: list[int], groups: int
) -> Any:
    places = [
        (x.shape[2 + i] + 2 * padding[i] - (w.shape[2 + i] - 1) * dilation[i] - 1) // stride[i] + 1
        for i in range(x.dim() - 2)
    ]
    return _empty(x, (x.shape[0], w.shape[0], *places), _is_last(x))


def _run_input(
    dy: Any, w: Any, size: list[int], stride: list[int], padding: list[int], dilation: list[int],
    groups: int, is_last: bool,
) -> Any:  # fmt: skip
    with torch.no_grad():
        return _turned_back(
            conv2d_input(_turned_size(size, is_last), _turned(w, is_last), _turned(dy, is_last),
                         **_words(stride, padding, dilation, groups, is_last)),
            is_last,
        )  # fmt: skip


def _run_weight(
    dy: Any, x: Any, size: list[int], stride: list[int], padding: list[int], dilation: list[int],
    groups: int, is_last: bool,
) -> Any:  # fmt: skip
    with torch.no_grad():
        return _turned_back(
            conv2d_weight(_turned(x, is_last), _turned_size(size, is_last), _turned(dy, is_last),
                          **_words(stride, padding, dilation, groups, is_last)),
            is_last,
        )  # fmt: skip


def _gradient_shapes(
    dy: Any, other: Any, size: list[int], stride: list[int], padding: list[int],
    dilation: list[int], groups: int, is_last: bool,
) -> Any:  # fmt: skip
    return _empty(dy, size, is_last)


def _save(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    x, w, bias, *ctx.words = inputs
    ctx.has_bias, ctx.is_last = bias is not None, _is_last(x)
    ctx.save_for_backward(x, w)


def _gradients(ctx: Any, grad: Any) -> tuple[Any, ...]:
    """Of x, w and bias; the first two by jute."""
    x, w = ctx.saved_tensors
    needed = ctx.needs_input_grad
    ops, words = torch.ops.jute, (*ctx.words, ctx.is_last)
    of_x = ops.convolution_input(grad, w, list(x.shape), *words) if needed[0] else None
    of_w = ops.convolution_weight(grad, x, list(w.shape), *words) if needed[1] else None
    axes = (0, *range(2, grad.dim()))
    of_bias = grad.sum(axes) if ctx.has_bias and needed[2] else None
    return of_x, of_w, of_bias, None, None, None, None


def _save_gradient(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
    dy, other, _, *ctx.words, ctx.is_last = inputs
    ctx.save_for_backward(dy, other)


def _gradients_of_input(ctx: Any, grad: Any) -> tuple[Any, ...]:
    """Of dy and w, of which x's gradient is a product: both are convolutions again."""
    dy, w = ctx.saved_tensors
    needed = ctx.needs_input_grad
    ops, words = torch.ops.jute, ctx.words
    of_dy = ops.convolution(grad, w, None, *words) if needed[0] else None
    of_w = (
        ops.convolution_weight(dy, grad, list(w.shape), *words, ctx.is_last) if needed[1] else None
    )
    return of_dy, of_w, *[None] * 6


def _gradients_of_weight(ctx: Any, grad: Any) -> tuple[Any, ...]:
    """Of dy and x, likewise."""
    dy, x = ctx.saved_tensors
    needed = ctx.needs_input_grad
    ops, words = torch.ops.jute, ctx.words
    of_dy = ops.convolution(x, grad, None, *words) if needed[0] else None
    of_x = (
        ops.convolution_input(dy, grad, list(x.shape), *words, ctx.is_last) if needed[1] else None
    )
    return of_dy, of_x, *[None] * 6


_GEOMETRY = "int[] stride, int[] padding, int[] dilation, int groups"
define(
    f"convolution(Tensor x, Tensor w, Tensor? bias, {_GEOMETRY}) -> Tensor",
    _run, _shapes, _gradients, _save,
)  # fmt: skip
define(
    f"convolution_input(Tensor dy, Tensor w, SymInt[] size, {_GEOMETRY}, bool is_last) -> Tensor",
    _run_input, _gradient_shapes, _gradients_of_input, _save_gradient,
)  # fmt: skip
define(
    f"convolution_weight(Tensor dy, Tensor x, SymInt[] size, {_GEOMETRY}, bool is_last) -> Tensor",
    _run_weight, _gradient_shapes, _gradients_of_weight, _save_gradient,
)  # fmt: skip


def _per_axis(given: int | Sequence[int], axes: int) -> list[int]:
    return [given] * axes if isinstance(given, int) else list(given)


def conv2d(
    x: Any, w: Any, bias: Any = None, stride: int | Sequence[int] = 1, padding: int | Sequence[int] | str = 0,
    dilation: int | Sequence[int] = 1, groups: int = 1,
) -> Any:  # fmt: skip
    """torch.nn.functional.conv2d by jute, with both gradients; bias is added in the kernel.

    x (N,C,H,W), w (F,C/groups,R,S), bias (F), the result (N,F,P,Q); one axis or three in place of H
    and W do, too. Where x is in torch's channels_last format channels lie last in all of them: keep
    w in it, or it is copied each time. Under torch.autocast operands are converted first.

    Raises :class:`jute.Error`: what :func:`jute.conv2d` refuses, words of padding among it;
    unsupported, of an operand that forward-mode autograd follows.
    """
    refuse_tangents(x=x, w=w, bias=bias)
    x, w, bias = autocast(x, w, bias)
    axes = x.dim() - 2
    if isinstance(padding, str):
        raise refused("wrong_type", "padding", padding, "it must be a number of zeros, or one for each axis", "0")
    return torch.ops.jute.convolution(
        x, w, bias, _per_axis(stride, axes), _per_axis(padding, axes), _per_axis(dilation, axes), groups
    )  # fmt: skip


class Conv2d(torch.nn.Conv2d):  # type: ignore[misc, unused-ignore]
    """torch.nn.Conv2d whose convolution and bias are one kernel of jute's; zeros are all it pads with."""

    def __init__(self, *words: Any, **named: Any) -> None:
        super().__init__(*words, **named)
        if self.padding_mode != "zeros":
            raise refused("unsupported", "padding_mode", self.padding_mode, "it must be zeros", "zeros")

    def forward(self, input: Any) -> Any:
        """As torch.nn.Conv2d's."""
        return conv2d(
            input, self.weight, self.bias, self.stride, self.padding, self.dilation, self.groups
        )  # fmt: skip
