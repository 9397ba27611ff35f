"""Products in JAX: jitted, mapped, differentiated, on the emulator and on a GPU.

    python3 -m pytest -m jax tests/python/test_jax.py
    python3 -m pytest -m gpu tests/python/test_jax.py
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

os.environ["XLA_FLAGS"] = f"{os.environ.get('XLA_FLAGS', '')} --xla_force_host_platform_device_count=4"
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # others use the GPU, too
jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import jute.jax  # noqa: E402
from jax_calls import calls  # noqa: E402
from jute import _jax_calls, _jax_object  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")  # of JAX's own products, beside jute's f32
#: Random products are so many tests, of a seed each.
PARTS = 10
ENDS = np.array([5, 5, 20], np.int32)
CPU, GPU = pytest.param("cpu", marks=pytest.mark.jax), pytest.param("gpu", marks=pytest.mark.gpu)
on_both = pytest.mark.parametrize("on", [CPU, GPU], indirect=True)


@pytest.fixture
def on(request: Any) -> Iterator[str]:
    """Where arrays are made."""
    try:
        device = jax.local_devices(backend=request.param)[0]
    except RuntimeError:
        pytest.skip("JAX has no GPU here")
    with jax.default_device(device):
        yield request.param


def drawn(*shape: int, seed: int = 0, dtype: Any = np.float32) -> Any:
    return jnp.asarray(np.random.default_rng([seed, *shape]).standard_normal(shape).astype(dtype))


def close(one: Any, other: Any) -> bool:
    return all(np.allclose(x, y, rtol=1e-4, atol=1e-3)
               for x, y in zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True))  # fmt: skip


def alike(ours: Callable[..., Any], theirs: Callable[..., Any], *arrays: Any) -> bool:
    """The values of two functions, and the gradients of a weighted sum of them."""
    weights = drawn(*theirs(*arrays).shape, seed=9)
    places = tuple(range(len(arrays)))
    slopes = [jax.jit(jax.grad(lambda *x, f=f: (f(*x) * weights).sum(), places))(*arrays) for f in (ours, theirs)]
    return close(ours(*arrays), theirs(*arrays)) and close(*slopes)


@on_both
@pytest.mark.parametrize("part", range(PARTS))
def test_random_products_are_right(on: str, part: int) -> None:
    for call in calls((200 if on == "cpu" else 100) // PARTS, part):
        call.judge(call.run())


@on_both
def test_gradients_are_those_of_jax(on: str) -> None:
    a, b, c = drawn(16, 32), drawn(32, 8), drawn(16, 8)
    many = drawn(3, 16, 32)
    assert alike(jute.jax.matmul, jnp.matmul, a, b)
    assert alike(jute.jax.matmul, jnp.matmul, many, b)
    assert alike(jute.jax.matmul, jnp.matmul, many, drawn(3, 32, 8))
    assert alike(jute.jax.matmul, jnp.matmul, a[0], b)
    assert alike(lambda a, b, c: jute.jax.matmul(a, b, c=c, alpha=2.0, beta=0.5), lambda a, b, c: 2 * (a @ b) + c / 2, a, b, c)
    assert alike(lambda a, w: jute.jax.matmul(a, w.T, order_b="col"), lambda a, w: a @ w.T, a, drawn(8, 32))
    assert alike(lambda a, w: jute.jax.matmul(a.T, w, order_a="col"), lambda a, w: a.T @ w, drawn(32, 16), b)


@on_both
def test_gradients_have_gradients(on: str) -> None:
    a, b = drawn(2, 4), drawn(4, 3)
    second = [jax.jacrev(jax.grad(lambda a, f=f: (f(a, b) ** 3).sum()))(a) for f in (jute.jax.matmul, jnp.matmul)]
    assert close(*second)


@on_both
def test_gradients_of_eight_bits_are_formed_in_sixteen(on: str) -> None:
    a, b = (drawn(*shape).astype(jnp.float8_e4m3fn) for shape in ((16, 32), (32, 8)))
    slope = jax.grad(lambda a: jute.jax.matmul(a, b).sum())(a)
    assert slope.dtype == a.dtype
    wanted = np.broadcast_to(np.asarray(b, np.float64).sum(1), (16, 32))
    assert np.allclose(np.asarray(slope, np.float64), wanted, rtol=0.07, atol=0.1)


def by_groups(kind: str) -> tuple[Callable[..., Any], tuple[Any, Any]]:
    """What grouped_mm says in numpy's words, of ends; and operands."""
    parts = list(zip([0, *ENDS[:-1]], ENDS, strict=True))

    def rows(a: Any, b: Any) -> Any:
        each = [a[begin:end] @ b[i] for i, (begin, end) in enumerate(parts)]
        return jnp.concatenate([*each, jnp.zeros((a.shape[0] - ENDS[-1], b.shape[2]), a.dtype)])

    def columns(a: Any, b: Any) -> Any:
        each = [a[i] @ b[:, begin:end] for i, (begin, end) in enumerate(parts)]
        return jnp.concatenate([*each, jnp.zeros((a.shape[1], b.shape[1] - ENDS[-1]), a.dtype)], 1)

    def summed(a: Any, b: Any) -> Any:
        return jnp.stack([a[:, begin:end] @ b[begin:end] for begin, end in parts])

    return {
        "rows": (rows, (drawn(24, 32), drawn(3, 32, 16))), "columns": (columns, (drawn(3, 8, 32), drawn(32, 24))),
        "sums": (summed, (drawn(8, 24), drawn(24, 16))),
    }[kind]  # fmt: skip


@on_both
@pytest.mark.parametrize("kind", ["rows", "columns", "sums"])
def test_groups_and_their_gradients(on: str, kind: str) -> None:
    theirs, operands = by_groups(kind)
    offs = jnp.asarray(ENDS)
    assert alike(lambda a, b: jute.jax.grouped_mm(a, b, offs), theirs, *operands)


@on_both
def test_counted_groups_and_their_gradients(on: str) -> None:
    counts = jnp.asarray(np.array([3, 0, 8], np.int32))

    def theirs(a: Any, b: Any) -> Any:
        return jnp.where((jnp.arange(8) < counts[:, None])[..., None], a @ b, 0)

    assert alike(lambda a, b: jute.jax.grouped_mm(a, b, counts=counts), theirs, drawn(3, 8, 32), drawn(3, 32, 16))


@on_both
def test_groups_by_rows_have_a_gradient_of_their_rows(on: str) -> None:
    theirs, (a, b) = by_groups("rows")
    groups = jnp.asarray(np.searchsorted(ENDS, np.arange(24), side="right").clip(0, 3) % 3 - (np.arange(24) >= 20), jnp.int32)
    groups = jnp.where(jnp.arange(24) >= 20, -1, groups)
    assert alike(lambda a: jute.jax.grouped_mm(a, b, row_groups=groups), lambda a: theirs(a, b), a)
    with pytest.raises(jute.Error, match="by row_groups a alone has a gradient"):
        jax.grad(lambda b: jute.jax.grouped_mm(a, b, row_groups=groups).sum())(b)


@on_both
def test_quantised_weights_and_the_gradient_of_what_they_multiply(on: str) -> None:
    q = jnp.asarray(np.random.default_rng(1).integers(-9, 9, (256, 32)), jnp.int8)
    scale = abs(drawn(2, 32)) + 0.5

    def theirs(x: Any) -> Any:
        return x @ ((q.astype(jnp.float32) - 3) * jnp.repeat(scale, 128, 0))

    x = drawn(16, 256)
    assert alike(lambda x: jute.jax.scaled_mm(x, q, scale_b=scale, zero_b=3, stage_as="f32"), theirs, x)
    with pytest.raises(jute.Error, match="a and b alone have gradients"):
        jax.grad(lambda s: jute.jax.scaled_mm(x, q, scale_b=s).sum())(scale)


@on_both
def test_weights_of_four_bits_lie_by_columns(on: str) -> None:
    rows = np.random.default_rng(1).integers(0, 256, (32, 128)).astype(np.uint8)
    whole = np.stack([rows & 15, rows >> 4], -1).reshape(32, 256).T.astype(np.float32) - 8
    x = jnp.asarray(np.random.default_rng(2).integers(-2, 3, (16, 256)), jnp.bfloat16)
    d = jute.jax.scaled_mm(x, jnp.asarray(rows).T, type_b="u4", zero_b=8, order_b="col", out_dtype=jnp.float32)
    assert np.array_equal(d, np.asarray(x, np.float32) @ whole)


@on_both
def test_whole_numbers_are_summed_exactly(on: str) -> None:
    a, b = (jnp.asarray(np.random.default_rng(3).integers(-128, 128, shape), jnp.int8) for shape in ((16, 64), (64, 32)))
    d = jute.jax.matmul(a, b)
    assert d.dtype == jnp.int32 and np.array_equal(d, np.asarray(a, np.int32) @ np.asarray(b, np.int32))


@on_both
def test_an_epilogue_has_inputs_outputs_and_numbers(on: str) -> None:
    a, b, bias = drawn(16, 32), drawn(32, 8), drawn(8)
    d, more = jute.jax.matmul(a, b, epilogue="y := s*acc + bias[n]; d = relu(y); pre = y", inputs={"bias": bias, "s": 2.0})
    assert close((d, more["pre"]), (jax.nn.relu(2 * (a @ b) + bias), 2 * (a @ b) + bias))


@on_both
def test_mapped_calls_are_one_of_a_batch_or_follow_each_other(on: str) -> None:
    a, b, bias = drawn(5, 3, 16, 32), drawn(5, 32, 8), drawn(5, 8)
    twice = jax.vmap(jax.vmap(jute.jax.matmul, (0, None)))
    assert close(twice(a, b), jnp.einsum("gbmk,gkn->gbmn", a, b))
    assert "while" not in jax.jit(twice).lower(a, b).as_text()
    assert close(jax.vmap(lambda a, b, c: jute.jax.matmul(a, b, c=c), (0, 0, None))(a[:, 0], b, a[0, 0, :, :8]),
                 a[:, 0] @ b + a[0, 0, :, :8])  # fmt: skip

    def biased(a: Any, b: Any, bias: Any) -> Any:
        return jute.jax.matmul(a, b, epilogue="acc + bias[n]", inputs={"bias": bias})

    assert close(jax.vmap(biased)(a[:, 0], b, bias), a[:, 0] @ b + bias[:, None])
    assert close(jax.vmap(biased, (0, 0, None))(a[:, 0], b, bias[0]), a[:, 0] @ b + bias[0])


@on_both
def test_gradients_of_mapped_calls(on: str) -> None:
    a, b = drawn(5, 16, 32), drawn(32, 8)
    assert alike(jax.vmap(jute.jax.matmul, (0, None)), jax.vmap(jnp.matmul, (0, None)), a, b)


@on_both
def test_what_was_compiled_serves_again(on: str) -> None:
    a, b = drawn(7, 32), drawn(32, 8)
    step = jax.jit(lambda a, b: jute.jax.matmul(jute.jax.matmul(a, b), b.T))
    first = step(a, b)
    jute.jax.matmul(a, b)
    misses = _jax_calls._described.cache_info().misses
    for _ in range(3):
        assert np.array_equal(step(a, b), first)
        jute.jax.matmul(a, b)
    assert _jax_calls._described.cache_info().misses == misses and step._cache_size() == 1


@on_both
def test_loops_and_donated_arrays(on: str) -> None:
    a, b = drawn(32, 32) / 8, drawn(32, 32, seed=1) / 8

    def loop(multiply: Callable[..., Any]) -> Any:
        return lambda a: jax.lax.fori_loop(0, 5, lambda _, x: multiply(x, b) + a, a)

    assert close(jax.jit(loop(jute.jax.matmul))(a), loop(jnp.matmul)(a))
    kept = np.array(a)
    once = jax.jit(lambda a: jute.jax.matmul(a, b), donate_argnums=0)
    assert close(once(jnp.array(kept)), kept @ np.asarray(b))


@on_both
def test_what_jute_refuses_is_told_in_its_words(on: str) -> None:
    a, b = drawn(16, 32), drawn(32, 8)
    with pytest.raises(jute.Error, match="as many rows as a has columns"):
        jute.jax.matmul(a, a)
    with pytest.raises(jute.Error, match="nearest legal: config"):
        jute.jax.matmul(a, b, confg="")
    with pytest.raises(jute.Error, match="b = .*it must be an array"):
        jute.jax.matmul(a, [1, 2])
    with pytest.raises(jute.Error, match="known when the call is traced"):
        jax.jit(lambda s: jute.jax.matmul(a, b, alpha=s))(2.0)
    with pytest.raises(jute.Error, match="config = .*it must be a text"):
        jute.jax.matmul(a, b, config={"tile": "64x64x16"})
    with pytest.raises(jute.Error, match="it must be row or col"):
        jute.jax.matmul(a, b, order_a="rows")
    with pytest.raises(jute.Error, match="an epilogue has no gradient here"):
        jax.grad(lambda a: jute.jax.matmul(a, b, epilogue="relu(acc)").sum())(a)
    with pytest.raises(Exception, match=r"illegal_config: tile = 1x1x1: .*nearest legal"):
        jute.jax.matmul(a, b, config="tile=1x1x1")
    assert close(jute.jax.matmul(a, b, alpha=np.float32(2), out_dtype=np.float32), 2 * (a @ b))


@pytest.mark.jax
def test_a_wrong_list_is_an_error_of_xla_s() -> None:
    with pytest.raises(Exception, match="ends must never go down"):
        np.asarray(jute.jax.grouped_mm(drawn(24, 32), drawn(3, 32, 16), jnp.asarray([5, 3, 20], jnp.int32)))


@pytest.mark.parametrize("on", [GPU], indirect=True)
def test_a_wrong_list_computes_nothing(on: str) -> None:
    d = jute.jax.grouped_mm(drawn(24, 32), drawn(3, 32, 16), jnp.asarray([5, 3, 20], jnp.int32))
    assert not np.asarray(d).any()


@pytest.mark.jax
def test_shards_are_replicated_with_a_word_or_each_is_a_product() -> None:
    mesh = jax.make_mesh((4,), ("x",), axis_types=(jax.sharding.AxisType.Auto,), devices=jax.devices("cpu"))
    split, whole = jax.sharding.PartitionSpec("x"), jax.sharding.PartitionSpec()
    a, b = drawn(48, 32), drawn(32, 8)
    shards = jax.device_put(a, jax.sharding.NamedSharding(mesh, split))
    with pytest.warns(UserWarning, match="a is sharded: every device gets all of it"):
        d = jute.jax.matmul(shards, b)
    assert close(d, a @ b) and d.sharding.is_fully_replicated
    each = jax.jit(jax.shard_map(jute.jax.matmul, mesh=mesh, in_specs=(split, whole), out_specs=split))(shards, b)
    assert close(each, a @ b) and not each.sharding.is_fully_replicated
    slopes = jax.shard_map(jax.grad(lambda a, b: jute.jax.matmul(a, b).sum(), (0, 1)), mesh=mesh,
                           in_specs=(split, whole), out_specs=(split, whole))  # fmt: skip
    assert close(jax.jit(slopes)(shards, b), jax.grad(lambda a, b: (a @ b).sum(), (0, 1))(a, b))


@pytest.mark.jax
def test_the_object_is_refused_where_others_may_write_it(monkeypatch: Any, tmp_path: Path) -> None:
    file = tmp_path / "object.so"
    file.touch()
    file.chmod(0o666)
    monkeypatch.setattr(_jax_object, "path", lambda: file)
    with pytest.raises(jute.Error, match="nobody else may write"):
        _jax_object.target.__wrapped__()


@pytest.mark.jax
def test_a_compiler_that_fails_is_told(monkeypatch: Any, tmp_path: Path) -> None:
    monkeypatch.setattr(_jax_object, "path", lambda: tmp_path / "folder" / "object.so")
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(jute.Error, match="compile_failed.*no-such-compiler"):
        jute.jax.build()
