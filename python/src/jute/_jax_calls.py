"""Calls of XLA's: what one says besides its arrays, and how it is mapped over a batch."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import jax  # type: ignore[import-not-found, unused-ignore]
import jax.numpy as jnp  # type: ignore[import-not-found, unused-ignore]
import numpy as np

from ._arrays import numpy_dtype
from ._core import describe, describe_groups, describe_scaled
from ._jax_object import target

Arrays = tuple[Any, ...]
#: Words that have no meaning where results are made, and arrays are packed and on XLA's stream.
_LEFT_OUT = ("out", "outputs", "dtype", "stream", "rows_a", "rows_d", "store")


def signature(function: Callable[..., Any]) -> inspect.Signature:
    """The words of one of jute's products that it has here, too."""
    whole = inspect.signature(function)
    return whole.replace(parameters=[each for each in whole.parameters.values() if each.name not in _LEFT_OUT])


def agreeing(arrays: Arrays) -> Arrays:
    """The arrays; of a jax.shard_map's, all as ones that differ from shard to shard where one does."""
    axes = [frozenset(getattr(each, "vma", ()) or getattr(getattr(each, "mat", None), "varying", ()))
            for each in map(jax.typeof, arrays)]  # fmt: skip
    whole = frozenset[Any]().union(*axes)
    cast = functools.partial(jax.lax.pcast, to="varying") if hasattr(jax.lax, "pcast") else jax.lax.pvary
    return tuple(cast(array, tuple(whole - own)) if whole - own else array
                 for array, own in zip(arrays, axes, strict=True))  # fmt: skip


#: What reads a call's words, by the kind of product.
_DESCRIBE: dict[str, Callable[..., Any]] = {
    "plain": describe, "groups": describe_groups, "scaled": describe_scaled,
}  # fmt: skip


@dataclass(frozen=True)
class Form:
    """All of a call but its arrays."""

    kind: str  # "plain", "groups" or "scaled"
    names: tuple[str, ...]  # of its arrays; those of an epilogue's inputs begin with a dot
    words: tuple[tuple[str, Any], ...] = ()
    turned: frozenset[str] = frozenset()  # operands that lie by columns, as order_b="col" says

    def word(self, name: str, usual: Any) -> Any:
        """What the call says for a word."""
        return dict(self.words).get(name, usual)


def _order(form: Form, name: str, of: Iterable[int]) -> tuple[int, ...]:
    """What each axis has, in the order in which the array lies."""
    axes = tuple(of)
    return (*axes[:-2], axes[-1], axes[-2]) if name in form.turned and len(axes) > 1 else axes


@functools.lru_cache(4096)
def _described(form: Form, lies: tuple[tuple[tuple[int, ...], Any], ...]) -> Any:
    """The call's description, by arrays of numpy's whose memory nobody touches.   Raises :class:`jute.Error`."""
    words = dict(form.words)
    inputs = dict(words.pop("inputs", ()))
    for name, (shape, dtype) in zip(form.names, lies, strict=True):
        array = np.empty(_order(form, name, shape), dtype)
        if name in form.turned:
            array = array.swapaxes(-1, -2)
        if name.startswith("."):
            inputs[name[1:]] = array
        else:
            words[name] = array
    if inputs:
        words["inputs"] = inputs
    return _DESCRIBE[form.kind](**words)


def _description(form: Form, arrays: Arrays) -> Any:
    return _described(form, tuple((each.shape, each.dtype) for each in arrays))


def output_names(form: Form, arrays: Arrays) -> list[str]:
    """Of the results: the product's, ``d``, and the epilogue's further ones."""
    return [name for name, *_ in _description(form, arrays)[-1]]


def _call(form: Form, arrays: Arrays) -> Arrays:
    problem, choices, operands, numbers, results = _description(form, arrays)
    by_name = dict(zip(form.names, arrays, strict=True))
    roles = [role for _, role in operands] + [role for _, role, *_ in results]
    shapes = [jax.ShapeDtypeStruct(shape, numpy_dtype(dtype)) for _, _, shape, dtype in results]
    given = [by_name[name] for name, _ in operands]
    layouts = [_order(form, name, range(each.ndim)) for (name, _), each in zip(operands, given, strict=True)]
    call = jax.ffi.ffi_call(target(), shapes, input_layouts=layouts)
    words = {"roles": np.array(roles, np.int32), "numbers": np.array(numbers, np.float64)}
    made = call(*given, problem=problem, choices=choices, **words)
    return agreeing((*given, *made))[len(given) :]  # since jax 0.8 results are taken for equal ones


def _rank(form: Form, arrays: Arrays) -> int:
    """Axes of a matmul's result ahead of its rows."""
    by_name = dict(zip(form.names, arrays, strict=True))
    return int(max(by_name["a"].ndim, by_name["b"].ndim) - 2)


def _is_batch(form: Form, is_mapped: list[bool], rank: int, arrays: Arrays) -> bool:
    """Is one more axis of the arrays one more of a batch? Else calls follow each other."""
    inputs = [(mapped, array) for name, mapped, array in zip(form.names, is_mapped, arrays, strict=True)
              if name.startswith(".")]  # fmt: skip
    return form.kind == "plain" and all(not mapped and array.ndim < 2 for mapped, array in inputs)


@functools.cache
def mapped(form: Form) -> Callable[..., Arrays]:
    """The call, which jax.vmap makes one of a batch: of matmul, but for inputs of an epilogue that are mapped."""

    @jax.custom_batching.custom_vmap  # type: ignore[untyped-decorator, unused-ignore]
    def run(*arrays: Any) -> Arrays:
        return _call(form, arrays)

    @run.def_vmap  # type: ignore[untyped-decorator, unused-ignore]
    def _(size: int, is_mapped: list[bool], *arrays: Any) -> Any:
        one = tuple(array[0] if is_one else array for array, is_one in zip(arrays, is_mapped, strict=True))
        rank = _rank(form, one)
        if not _is_batch(form, is_mapped, rank, one):
            moving = [array for array, is_one in zip(arrays, is_mapped, strict=True) if is_one]

            def step(some: list[Any]) -> Any:
                rest = iter(some)
                return run(*(next(rest) if is_one else array for array, is_one in zip(arrays, is_mapped, strict=True)))

            results = jax.lax.map(step, moving)
        else:
            lifted = []
            for name, array, is_one in zip(form.names, arrays, is_mapped, strict=True):
                if is_one:  # behind the new axis all others of the batch
                    array = array.reshape(size, *(1,) * (rank + 3 - array.ndim), *array.shape[1:])
                elif name == "c":
                    array = jnp.broadcast_to(array, (size, *array.shape))
                lifted.append(array)
            results = run(*lifted)
        return results, (True,) * len(results)

    return run  # type: ignore[no-any-return, unused-ignore]
