"""Gradients of products in JAX: products of the same kind, with one operand read the other way round."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
import numpy as np

from ._jax_calls import Arrays, Form, mapped
from ._refusals import refused

def _turned(array: Any) -> Any:
    return array.swapaxes(-1, -2)


def _wide(dtype: Any) -> Any:
    """The type that gradients of operands of a type are formed in."""
    return dtype if dtype.itemsize > 1 else np.dtype(jnp.bfloat16)


def _product(form: Form, a: Any, b: Any, turned: frozenset[str], dtype: Any, **more: Any) -> Any:
    """A product of the form's kind, of a type, in that type."""
    words = [each for each in form.words if each[0] in ("alpha", "precision", "expected")]
    arrays = {"a": a.astype(dtype), "b": b.astype(dtype)} | more
    made = Form(form.kind, tuple(arrays), (*words, ("out_dtype", dtype)), turned)
    return differentiable(made)(*arrays.values())[0]


def _summed(gradient: Any, like: Any) -> Any:
    """Over the axes along which the operand was repeated."""
    ahead = gradient.ndim - like.ndim
    axes = [ahead + i for i in range(like.ndim) if like.shape[i] != gradient.shape[ahead + i]]
    return gradient.sum((*range(ahead), *axes)).reshape(like.shape).astype(like.dtype)


def _both(form: Form, arrays: dict[str, Any], d: Any, **more: Any) -> dict[str, Any]:
    """d·Bᵀ and Aᵀ·d: an operand that lay by rows is read where it is, by columns."""
    a, b = arrays["a"], arrays["b"]
    dtype = _wide(a.dtype)
    of_a = _product(form, d, _turned(b), frozenset({"b"}) - form.turned, dtype, **more)
    rows = a
    if form.kind == "plain" and b.ndim == 2 < a.ndim:  # rows of all matrices are rows of one
        rows, d = a.reshape(-1, a.shape[-1]), d.reshape(-1, d.shape[-1])
    of_b = _product(form, _turned(rows), d, frozenset({"a"}) - form.turned, dtype, **more)
    return {"a": _summed(of_a, a), "b": _summed(of_b, b)}


def _of_matmul(form: Form, arrays: dict[str, Any], d: Any) -> dict[str, Any]:
    gradients = _both(form, arrays, d)
    if "c" in arrays:
        gradients["c"] = (form.word("beta", 1.0) * d).astype(arrays["c"].dtype)
    return gradients


def _of_groups(form: Form, arrays: dict[str, Any], d: Any) -> dict[str, Any]:
    (name, several) = next((each, arrays[each]) for each in ("offs", "counts", "row_groups") if each in arrays)
    if name == "offs":
        return _both(form, arrays, d, offs=several)
    if name == "counts":  # rows behind them count as zeros, whatever they hold
        is_row = (jnp.arange(d.shape[1]) < several[:, None])[..., None]
        counted = arrays | {"a": jnp.where(is_row, arrays["a"], 0)}
        plain = Form("plain", (), tuple(each for each in form.words if each[0] == "alpha"), form.turned)
        return _both(plain, counted, jnp.where(is_row, d, 0))
    a = arrays["a"]
    turned = frozenset({"b"}) - form.turned
    of_a = _product(form, d, _turned(arrays["b"]), turned, _wide(a.dtype), row_groups=several)
    return {"a": of_a.astype(a.dtype)}


def _spread(numbers: Any, name: str, shape: tuple[int, int], block: str) -> Any:
    """Numbers of blocks as one for each element, or as they are repeated."""
    if numbers.ndim < 2:
        numbers = numbers.reshape((-1, 1) if name == "a" else (1, -1))
    steps = [-(-extent // count) for extent, count in zip(shape, numbers.shape, strict=True)]
    if "x" in block:
        said = [extent if word == "all" else int(word) for word, extent in
                zip(block.split("x"), shape if name == "a" else shape[::-1], strict=True)]  # fmt: skip
        steps = said if name == "a" else said[::-1]
    for axis, step in enumerate(steps):
        numbers = jnp.repeat(numbers, step, axis)[(slice(None),) * axis + (slice(shape[axis]),)]
    return numbers.astype(jnp.float32)


def _meaning(form: Form, arrays: dict[str, Any], name: str) -> Any:
    """What an operand's elements count as: (q - zero) * scale."""
    array = arrays[name]
    whole, block = array.astype(jnp.float32), form.word(f"block_{name}", "")
    zero = arrays.get(f"zero_{name}", form.word(f"zero_{name}", None))
    if zero is not None:
        whole = whole - (_spread(zero, name, array.shape, block) if hasattr(zero, "ndim") else zero)
    if f"scale_{name}" in arrays:
        whole = whole * _spread(arrays[f"scale_{name}"], name, array.shape, block)
    return whole


def _of_scaled(form: Form, arrays: dict[str, Any], d: Any) -> dict[str, Any]:
    plain = Form("plain", (), tuple(each for each in form.words if each[0] == "alpha"))
    gradients = {}
    for name, other in (("a", "b"), ("b", "a")):
        if _rule(form, name, arrays):
            continue
        both = {name: d, other: _turned(_meaning(form, arrays, other))}  # d stands where the operand stood
        gradients[name] = _product(plain, both["a"], both["b"], frozenset({other}) - form.turned, arrays[name].dtype)
    return gradients


_OF = {"plain": _of_matmul, "groups": _of_groups, "scaled": _of_scaled}


def _rule(form: Form, name: str, arrays: dict[str, Any]) -> str:
    """What keeps an array of a call from having a gradient; empty: nothing."""
    if form.word("epilogue", ""):
        return "an epilogue has no gradient here: it must be written behind the product, in JAX"
    if name not in {"plain": ("a", "b", "c")}.get(form.kind, ("a", "b")):
        return "a and b alone have gradients here, and c of matmul"
    if form.kind == "groups" and name == "b" and "row_groups" in arrays:
        return "by row_groups a alone has a gradient: groups must follow each other, by offs"
    if form.kind == "scaled":
        if any(each in arrays or form.word(each, None) is not None for each in ("offs", "counts", "row_groups")):
            return "of scaled groups nothing has a gradient"
        if any(form.word(f"type_{each}", None) is not None for each in "ab"):
            return "the other operand's elements must be bytes or more each, by their own type"
        own = [f"scale_{name}", f"zero_{name}"]
        if arrays[name].dtype.itemsize < 2 or any(each in arrays or form.word(each, None) is not None for each in own):
            return "an operand that is quantised has no gradient: its numbers must be made of one that has"
    return ""


@functools.cache
def differentiable(form: Form) -> Callable[..., Arrays]:
    """The call with gradients, compiled by XLA once for each shape."""

    @jax.custom_vjp  # type: ignore[untyped-decorator, unused-ignore]
    def product(*arrays: Any) -> Arrays:
        return mapped(form)(*arrays)

    def forward(*primals: Any) -> tuple[Arrays, Arrays]:
        arrays = tuple(each.value for each in primals)
        by_name = dict(zip(form.names, arrays, strict=True))
        for name, each in zip(form.names, primals, strict=True):
            rule = _rule(form, name, by_name) if each.perturbed else ""
            if rule:
                raise refused("unsupported", name.lstrip("."), "differentiated", rule, f"jax.lax.stop_gradient({name})")
        return product(*arrays), arrays  # which has gradients itself

    def backward(arrays: Arrays, cotangents: Arrays) -> Arrays:
        d = cotangents[0]
        by_name = dict(zip(form.names, arrays, strict=True))
        gradients = _OF[form.kind](form, by_name, d)
        return tuple(gradients.get(name) if jnp.issubdtype(array.dtype, jnp.floating) else None
                     for name, array in by_name.items())  # fmt: skip

    product.defvjp(forward, backward, symbolic_zeros=True)
    return jax.jit(product)  # type: ignore[no-any-return, unused-ignore]
