"""jute in JAX: products that XLA calls, on the GPU that holds them or on the emulator, with gradients and vmap.

    y = jute.jax.matmul(x, w, epilogue="gelu(acc + bias[n])", inputs={"bias": bias})
    z = jute.jax.grouped_mm(tokens, experts, offs)

They are jute.matmul, jute.grouped_mm and jute.scaled_mm without what JAX has no place for: results are made,
and arrays lie packed. jax.jit plans and compiles when it makes its executable; runs launch alone.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]

from . import _products
from ._jax_calls import Form, agreeing, output_names, signature
from ._jax_gradients import differentiable
from ._jax_object import build
from ._refusals import refused, refusing

__all__ = ["build", "grouped_mm", "matmul", "scaled_mm"]

F = TypeVar("F", bound=Callable[..., Any])
_ARRAYS = ("a", "b", "c", "scale_a", "scale_b", "zero_a", "zero_b", "offs", "counts", "row_groups")
_TYPES = ("type_a", "type_b", "stage_as", "out_dtype")


def _is_array(value: Any) -> bool:
    return hasattr(value, "shape") and hasattr(value, "dtype")


def _tell_of_shards(name: str, array: Any) -> None:
    sharding = None if isinstance(array, jax.core.Tracer) else getattr(array, "sharding", None)
    if sharding is not None and not sharding.is_fully_replicated:
        warnings.warn(
            f"jute.jax: {name} is sharded: every device gets all of it and forms the whole product; "
            "under jax.shard_map each forms that of its own shards", stacklevel=5,
        )  # fmt: skip


def _known(name: str, value: Any) -> Any:
    """What is no array's: XLA compiles it into the call."""
    if _is_array(value) and not isinstance(value, jax.core.Tracer) and value.ndim == 0:
        return value.item()
    if _is_array(value) or (name in _ARRAYS and not isinstance(value, int | float)):
        rule = "it must be an array" if name in _ARRAYS else "it must be a number that is known when the call is traced"
        raise refused("wrong_type", name, repr(value), rule)
    return value


def _lies_by_columns(word: str, order: Any) -> bool:
    if order not in ("row", "col"):
        raise refused("unknown_name", word, order, "it must be row or col", "col")
    return bool(order == "col")


def _run(kind: str, words: dict[str, Any]) -> Any:
    """A call's arrays apart from the rest of it, which is the form that XLA compiles."""
    arrays: dict[str, Any] = {}
    rest: dict[str, Any] = {}
    for name, value in words.items():
        if name == "inputs":
            inputs = dict(value or {})
            arrays |= {f".{each}": array for each, array in inputs.items() if _is_array(array)}
            rest[name] = tuple((each, number) for each, number in inputs.items() if not _is_array(number))
        elif name in _ARRAYS and _is_array(value):
            arrays[name] = value
        elif name in _TYPES and not isinstance(value, str | None):
            rest[name] = jnp.dtype(value)
        elif value is not None:
            rest[name] = _known(name, value)
    for name, array in arrays.items():
        _tell_of_shards(name, array)
        arrays[name] = jnp.asarray(array)
    turned = frozenset(name for name in "ab" if _lies_by_columns(f"order_{name}", rest.pop(f"order_{name}", "row")))
    vectors = [axis for name, axis in (("a", -2), ("b", -1)) if kind == "plain" and arrays[name].ndim == 1]
    for name, axis in (("a", -2), ("b", -1)):
        if axis in vectors:
            arrays[name] = jnp.expand_dims(arrays[name], axis)
    form, given = Form(kind, tuple(arrays), tuple(rest.items()), turned), agreeing(tuple(arrays.values()))
    results = dict(zip(output_names(form, given), differentiable(form)(*given), strict=True))
    d = results.pop("d")
    d = jnp.squeeze(d, vectors) if vectors else d
    return (d, results) if results else d


def _door(kind: str, like: Callable[..., Any]) -> Callable[[F], F]:
    """A function of the words of one of jute's products."""

    def of(function: F) -> F:
        takes = signature(like)
        orders = [inspect.Parameter(f"order_{name}", inspect.Parameter.KEYWORD_ONLY, default="row", annotation="str")
                  for name in "ab"]  # fmt: skip
        takes = takes.replace(parameters=[*takes.parameters.values(), *orders])

        @functools.wraps(function)
        def call(*places: Any, **named: Any) -> Any:
            return _run(kind, takes.bind(*places, **named).arguments)

        call.__signature__ = takes  # type: ignore[attr-defined]
        return cast(F, refusing(call))

    return of


@_door("plain", _products.matmul)
def matmul(a: Any, b: Any, **words: Any) -> Any:
    """jute.matmul of JAX's arrays: shapes, words, precision and epilogues are its own.

    a and b have gradients, and so has c; jax.vmap makes a product of one more batch. An epilogue has no gradient:
    where one is recorded, it is written behind the product in JAX.

    Raises :class:`jute.Error` for what cannot be, and what the planner refuses as XLA's error with the same words.
    """


@_door("groups", _products.grouped_mm)
def grouped_mm(a: Any, b: Any, offs: Any = None, **words: Any) -> Any:
    """jute.grouped_mm of JAX's arrays, with gradients of a and b; of b not by row_groups.

    Lists are arrays on the device. Under jax.vmap calls follow each other. A list that is wrong is XLA's error on
    the CPU; on a GPU nothing is computed, and the result is 0.
    """


@_door("scaled", _products.scaled_mm)
def scaled_mm(a: Any, b: Any, **words: Any) -> Any:
    """jute.scaled_mm of JAX's arrays, with the gradient of an operand of 16 bits or more that is not quantised.

    That is formed with the other operand's elements as what they count as. Under jax.vmap calls follow each other.
    """
