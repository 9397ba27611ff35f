"""What jute's operators of torch have in common: the library that they are in, autocast, refusals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]
from torch.autograd import forward_ad  # type: ignore[import-not-found, unused-ignore]

from ._refusals import refused

_MAKE: Any = torch.library.Library  # which torch leaves untyped
_LIBRARY = _MAKE("jute", "DEF")
_TAGS = tuple(
    getattr(torch.Tag, tag)
    for tag in ("pt2_compliant_tag", "needs_exact_strides")
    if hasattr(torch.Tag, tag)
)


def define(
    schema: str,
    run: Callable[..., Any],
    shapes: Callable[..., Any],
    gradients: Callable[..., Any] | None = None,
    save: Callable[..., None] | None = None,
) -> None:
    """An operator of torch.ops.jute: what runs, what it gives without running, its gradients."""
    name = schema[: schema.index("(")]
    _LIBRARY.define(schema, tags=_TAGS)
    _LIBRARY.impl(name, run, "CompositeExplicitAutograd")
    torch.library.register_fake(f"jute::{name}", shapes, lib=_LIBRARY)
    if gradients is not None:
        torch.library.register_autograd(
            f"jute::{name}", gradients, setup_context=save, lib=_LIBRARY
        )


def autocast(*tensors: Any) -> list[Any]:
    """The operands in the type that torch.autocast asks for, where it is on."""
    device = tensors[0].device.type
    if not torch.is_autocast_enabled(device):
        return list(tensors)
    dtype = torch.get_autocast_dtype(device)
    return [None if tensor is None else tensor.to(dtype) for tensor in tensors]


def refuse_tangents(**tensors: Any) -> None:
    """Operators have gradients backward alone: a tangent would be lost without a word.

    Raises :class:`jute.Error`: unsupported, of an operand that forward-mode autograd follows.
    """
    if torch.compiler.is_compiling() or forward_ad._current_level < 0:
        return
    for name, tensor in tensors.items():
        if tensor is not None and forward_ad.unpack_dual(tensor).tangent is not None:
            raise refused("unsupported", name, "a dual tensor",
                          "operands must have no tangent: gradients are formed backward alone",
                          "torch.func.vjp")
