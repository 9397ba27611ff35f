"""Products of numpy's arrays on the emulator: what they give, how arrays may lie, what is refused."""

from __future__ import annotations

import subprocess
import sys
import threading

import jute
import ml_dtypes
import numpy as np
import pytest
from jute import _core

random = np.random.default_rng(1)


def integers(*shape: int, dtype: object = np.float32) -> np.ndarray:
    """Small whole numbers: their products are exact in every type here."""
    return random.integers(-4, 5, shape).astype(dtype)  # type: ignore[call-overload]


def as_f32(array: np.ndarray) -> np.ndarray:
    return np.asarray(array, dtype=np.float32)


@pytest.mark.parametrize(
    "dtype, result",
    [
        (np.float32, np.float32),
        (np.float64, np.float64),
        (np.float16, np.float16),
        (ml_dtypes.bfloat16, ml_dtypes.bfloat16),
        (ml_dtypes.float8_e4m3fn, np.float32),
        (ml_dtypes.float8_e5m2, np.float32),
        (np.int8, np.int32),
    ],
)
def test_every_type_multiplies(dtype: object, result: object) -> None:
    a, b = integers(16, 32, dtype=dtype), integers(32, 8, dtype=dtype)
    d = jute.matmul(a, b)
    assert d.dtype == result
    assert (as_f32(d) == as_f32(a) @ as_f32(b)).all()


@pytest.mark.parametrize(
    "a, b",
    [((5, 7), (7, 3)), ((7,), (7, 3)), ((5, 7), (7,)), ((7,), (7,)), ((2, 5, 7), (7, 3)),
     ((5, 7), (4, 7, 3)), ((2, 4, 5, 7), (2, 4, 7, 3)),
     ((2, 5, 7), (7,)), ((1, 1, 7), (3, 7, 2))],
)  # fmt: skip
def test_shapes_are_those_of_numpys_matmul(a: tuple[int, ...], b: tuple[int, ...]) -> None:
    left, right = integers(*a), integers(*b)
    wanted = left @ right
    found = jute.matmul(left, right)
    assert found.shape == wanted.shape
    assert (found == wanted).all()


def test_arrays_lie_as_they_are() -> None:
    wide = integers(40, 64)
    for a in (wide[:16, :32], wide[:16, 4:36], wide.T[:32, :16].T, wide[::2][:16, :32]):
        for b in (wide[:32, 40:48], wide[:8, 32:64].T):
            assert (jute.matmul(a, b) == a @ b).all()


def test_other_strides_are_views_and_nothing_is_copied_in_python() -> None:
    wide, deep = integers(40, 64), integers(6, 5, 4, 9)
    for a in (wide[:16, ::3], wide[::2, ::2][:16], wide.reshape(20, 2, 64)[:, :, ::8].T[1, 0][:, None],
              np.lib.stride_tricks.sliding_window_view(wide[0], 12)[:20]):  # fmt: skip
        b = integers(a.shape[1], 7)
        before = _core.traffic()["bytes_in"]
        assert (jute.matmul(a, b) == a @ b).all()
        span = 4 + sum((n - 1) * step for n, step in zip(a.shape, a.strides, strict=True))
        assert _core.traffic()["bytes_in"] - before == span + b.nbytes
    for axes in ((0, 1, 2, 3), (1, 0, 3, 2), (3, 2, 0, 1), (2, 3, 1, 0)):
        a = deep.transpose(axes)
        b = integers(*a.shape[:-2], a.shape[-1], 3)
        assert (jute.matmul(a, b) == a @ b).all()
        assert (jute.matmul(b.swapaxes(-1, -2), a.swapaxes(-1, -2)) == (a @ b).swapaxes(-1, -2)).all()
    a, b = integers(4, 5, 7), integers(2, 4, 7, 3)
    assert (jute.matmul(a, b) == a @ b).all()
    whole = np.full((5, 2, 4, 6), 9, np.float32)
    out = whole.transpose(1, 2, 0, 3)[..., ::2]
    assert jute.matmul(a, b, out=out) is out
    assert (out == a @ b).all() and (whole[..., 1::2] == 9).all()
    c = integers(3, 5, 2, 4).transpose(2, 3, 1, 0)
    assert (jute.matmul(a, b, c=c, beta=2) == a @ b + 2 * c).all()


def test_out_keeps_what_lies_between_its_rows() -> None:
    a, b = integers(8, 16), integers(16, 4)
    whole = np.full((8, 10), 7, np.float32)
    out = whole[:, 3:7]
    assert jute.matmul(a, b, out=out) is out
    assert (out == a @ b).all()
    assert (whole[:, :3] == 7).all() and (whole[:, 7:] == 7).all()
    turned = np.zeros((4, 8), np.float32).T
    assert (jute.matmul(a, b, out=turned) == a @ b).all()


def test_c_is_added_and_scaled() -> None:
    a, b, c = integers(8, 16), integers(16, 4), integers(8, 4)
    assert (jute.matmul(a, b, c=c) == a @ b + c).all()
    assert (jute.matmul(a, b, c=c, alpha=2, beta=-0.5) == 2 * (a @ b) - 0.5 * c).all()


def test_an_epilogue_reads_vectors_matrices_and_numbers() -> None:
    a, b = integers(8, 16), integers(16, 4)
    bias, rest = integers(4), integers(8, 4)
    d = jute.matmul(
        a, b, epilogue="s*relu(acc + bias[n]) + rest[m,n]",
        inputs={"bias": bias, "rest": rest, "s": 2.0},
    )  # fmt: skip
    assert (d == 2 * np.maximum(a @ b + bias, 0) + rest).all()


def test_a_gate_has_half_of_the_columns() -> None:
    a, b, bias = integers(5, 7), integers(7, 12), integers(6)
    sums = a @ b
    wanted = np.maximum(sums[:, :6], 0) * (sums[:, 6:] + bias)
    text, inputs = "relu(gate)*(acc + bias[n])", {"bias": bias}
    assert (jute.matmul(a, b, epilogue=text, inputs=inputs) == wanted).all()
    found = jute.matmul(a, b, epilogue=text, inputs=inputs, gate="pairs")
    assert (found == np.maximum(sums[:, ::2], 0) * (sums[:, 1::2] + bias)).all()
    assert (jute.prepare(a, b, epilogue=text, inputs=inputs)(a, b, inputs=inputs) == wanted).all()
    plan = jute.plan(m=5, n=6, k=7, epilogue="gate*acc", gate="pairs")
    assert "gate=pairs" in str(plan.problem)
    with pytest.raises(jute.Error, match="two columns"):
        jute.matmul(a, b[:, :11], epilogue="gate*acc")
    with pytest.raises(jute.Error, match="halves"):
        jute.matmul(a, b, epilogue="gate*acc", gate="half")


def test_an_epilogue_has_further_outputs() -> None:
    a, b = integers(8, 16), integers(16, 4)
    text = "y := acc + bias[n]; d = relu(y); pre = y; top = amax(y); rows = row_sum[m](y)"
    d, others = jute.matmul(a, b, epilogue=text, inputs={"bias": integers(4) * 0 + 1})
    pre = a @ b + 1
    assert (d == np.maximum(pre, 0)).all()
    assert (others["pre"] == pre).all()
    assert others["top"] == np.abs(pre).max()
    assert (others["rows"] == pre.sum(1)).all()
    mine = np.empty_like(pre)
    d, others = jute.matmul(
        a, b, epilogue="d = acc; pre = acc", outputs={"pre": mine}
    )  # fmt: skip
    assert others["pre"] is mine and (mine == a @ b).all()


def test_bits_are_read_as_another_type() -> None:
    a, b = integers(8, 16, dtype=ml_dtypes.bfloat16), integers(16, 8, dtype=ml_dtypes.bfloat16)
    d = jute.matmul(a.view(np.uint16), b.view(np.uint16), dtype="bf16")
    assert (as_f32(d) == as_f32(a) @ as_f32(b)).all()
    assert jute.matmul(a, b, out_dtype="f32").dtype == np.float32


def test_f32_by_tensor_cores_is_asked_for() -> None:
    a, b = random.random((32, 64)), random.random((64, 16))
    exact = a @ b
    for precision in ("f32", "tf32x3", "bf16x6"):
        d = jute.matmul(a.astype(np.float32), b.astype(np.float32), precision=precision)
        assert abs(d - exact).max() < 1e-4


def test_f32_is_multiplied_as_tf32_within_the_bound_that_says_so() -> None:
    a, b = (random.normal(size=shape).astype(np.float32) for shape in ((48, 96), (96, 40)))
    exact = a.astype(float) @ b
    bound = 2.0**-9 * (abs(a).astype(float) @ abs(b)) + 1e-4
    x, w = (random.normal(size=shape).astype(np.float32) for shape in ((1, 6, 6, 16), (8, 3, 3, 16)))
    for d, plain in (
        (jute.matmul(a, b, precision="tf32"), jute.matmul(a, b)),
        (jute.einsum("ik,kj->ij", a, b, precision="tf32"), jute.einsum("ik,kj->ij", a, b)),
        (jute.prepare(a, b, precision="tf32")(a, b), jute.prepare(a, b)(a, b)),
    ):
        assert (abs(d - exact) <= bound).all()
        assert (d != plain).any()
    y, plain = jute.conv2d(x, w, precision="tf32"), jute.conv2d(x, w)
    assert (y != plain).any() and abs(y - plain).max() < 2.0**-9 * 144 * 8
    with pytest.raises(jute.Error, match="A and B must be f32, and accumulated in f32, to be multiplied as tf32"):
        jute.matmul(a.astype(np.float16), b.astype(np.float16), precision="tf32")


def test_sums_of_8_bit_floats_stay_with_the_tensor_cores_where_that_is_asked_for() -> None:
    a, b = (integers(64, 256, dtype=ml_dtypes.float8_e4m3fn) for _ in range(2))
    words = {"out_dtype": "bf16", "config": "main_loop=warp_specialised"}
    fast = jute.prepare(a, b.T, fast_accum=True, **words)
    assert "promote_every_k 0" in str(fast.plan)
    assert "promote_every_k 128" in str(jute.prepare(a, b.T, **words).plan)
    assert (as_f32(jute.matmul(a, b.T, fast_accum=True, out_dtype="f32")) == as_f32(a) @ as_f32(b).T).all()
    with pytest.raises(jute.Error, match="a and b must be of 8-bit floats"):
        jute.matmul(integers(8, 16), integers(16, 4), fast_accum=True)
    with pytest.raises(jute.Error, match="it must be True or False"):
        jute.matmul(a, b.T, fast_accum=1)


def test_a_race_needs_a_gpu() -> None:
    with pytest.raises(jute.Error, match="what the emulator takes says nothing of a chip"):
        jute.prepare(integers(8, 16), integers(16, 4), race=8)
    with pytest.raises(jute.Error, match="from none to 100 candidates must race"):
        jute.prepare(integers(8, 16), integers(16, 4), race=101)


def test_refusals_name_the_operand_its_value_and_what_would_do() -> None:
    a, b = integers(8, 16), integers(16, 4)
    read_only = integers(8, 4)
    read_only.flags.writeable = False
    square, rows = integers(4, 4), integers(16, 4)
    cases = [
        ({"a": a, "b": integers(15, 4)}, "not_compatible", "b", "(16,4)"),
        ({"a": a, "b": b, "out": integers(8, 5)}, "not_compatible", "out", "(8,4)"),
        ({"a": a[:, ::-1], "b": b}, "unsupported", "a", "(16,1)"),
        ({"a": a, "b": b, "out": integers(8, 4)[::-1]}, "unsupported", "out", "(4,1)"),
        ({"a": a, "b": b, "epilogue": "acc + rest[m,n]",
          "inputs": {"rest": integers(16, 8)[::2, ::2]}}, "unsupported", "rest", "(4,1)"),
        ({"a": a, "b": b, "epilogue": "acc + bais[n]", "inputs": {"bias": b[0]}},
         "unknown_name", "inputs", "bais"),
        ({"a": a, "b": b, "epilogue": "acc + bias[n]", "inputs": {"bias": b[:, 0]}},
         "not_compatible", "bias", "(4)"),
        ({"a": a, "b": b, "epilogue": "acc + bias[n]", "inputs": {"bias": integers(2, 4)}},
         "not_compatible", "bias", "(4)"),
        ({"a": integers(4, 8, 16), "b": b, "epilogue": "acc + bias[batch,n]",
          "inputs": {"bias": integers(2, 4)}}, "not_compatible", "bias", "(4,4)"),
        ({"a": a, "b": b, "epilogue": "d = acc; most = amax(acc)",
          "outputs": {"most": integers(3)}}, "not_compatible", "most", "()"),
        ({"a": a, "b": b, "epilogue": "acc + c"}, "wrong_arity", "c", None),
        ({"a": a, "b": [1, 2]}, "wrong_type", "b", None),
        ({"a": a.astype(">f4"), "b": b}, "wrong_type", "a", None),
        ({"a": a, "b": b, "out": read_only}, "unsupported", "out", None),
        ({"a": a, "b": b, "dtype": "s8"}, "wrong_type", "a", None),
        ({"a": a, "b": b, "beta": 2.0}, "wrong_arity", "c", None),
        ({"a": square, "b": square.T, "out": square}, "unsupported", "out", None),
        ({"a": rows[:4], "b": rows[8:12], "out": rows[10:14]}, "unsupported", "out", None),
    ]  # fmt: skip
    for arguments, code, operand, nearest in cases:
        with pytest.raises(jute.Error) as refused:
            jute.matmul(**arguments)  # type: ignore[arg-type]
        error = refused.value
        assert (error.code, error.operand, error.nearest_legal) == (code, operand, nearest)


def test_out_may_lie_between_what_is_read_and_where_c_lies() -> None:
    memory, b = integers(8, 4), integers(4, 4)
    wanted = memory[::2] @ b
    for _ in range(2):  # prepared, and again
        assert jute.matmul(memory[::2], b, out=memory[1::2]) is not None
        assert (memory[1::2] == wanted).all()
    with pytest.raises(jute.Error, match="lie where a lies"):
        jute.matmul(memory[::2], b, out=memory[::2])
    c = memory[1::2].copy()
    assert jute.matmul(memory[::2], b, out=c, c=c) is not None
    assert (c == 2 * wanted).all()


def test_a_prepared_product_takes_arrays_that_lie_alike() -> None:
    a, b = integers(8, 16), integers(16, 4)
    product = jute.prepare(a, b, epilogue="relu(acc + bias[n])", inputs={"bias": integers(4)})
    for _ in range(3):
        a, b, bias = integers(8, 16), integers(16, 4), integers(4)
        assert (product(a, b, inputs={"bias": bias}) == np.maximum(a @ b + bias, 0)).all()
    assert "M=8" in str(product.plan)
    with pytest.raises(jute.Error, match="must lie as those"):
        product(a, integers(4, 16).T, inputs={"bias": bias})


def test_a_range_of_rows_is_two_integers() -> None:
    a, b = integers(8, 16), integers(16, 4)
    for m_range in (8, "1:8", (1,), (1, 8.5)):
        with pytest.raises(jute.Error) as refused:
            jute.prepare(a, b, m_range=m_range)  # type: ignore[arg-type]
        assert (refused.value.code, refused.value.operand) == ("wrong_type", "m_range")


def test_rows_of_a_prepared_range_differ() -> None:
    b = integers(16, 4)
    product = jute.prepare(integers(32, 16), b, m_range=(1, 32))
    for rows in (1, 7, 32):
        a = integers(rows, 16)
        assert (product(a, b) == a @ b).all()


def by_columns(*shape: int) -> np.ndarray:
    return np.ascontiguousarray(np.swapaxes(integers(*shape), -1, -2)).swapaxes(-1, -2)


@pytest.mark.parametrize("batch", [(), (3,)])
def test_rows_of_a_range_lie_as_they_are_given(batch: tuple[int, ...]) -> None:
    b, bias, most = integers(*batch, 16, 4), integers(4), 40

    def said(rows: int) -> dict[str, Any]:
        return {"out": by_columns(*batch, rows, 4), "c": integers(*batch, rows, 4),
                "inputs": {"bias": bias, "w": integers(*batch, rows)}}  # fmt: skip

    product = jute.prepare(
        by_columns(*batch, 7, 16), b, epilogue="acc + bias[n] + w[m] + c", m_range=(1, most), **said(7)
    )
    for rows in (1, 3, 8, 13, most):
        a, words = by_columns(*batch, rows, 16), said(rows)
        wanted = a @ b + bias + words["inputs"]["w"][..., None] + words["c"]
        assert product(a, b, **words) is words["out"]
        assert (words["out"] == wanted).all(), rows
    with pytest.raises(jute.Error, match="must lie as those"):
        product(by_columns(*batch, 3, 16), by_columns(*batch, 16, 4), **said(3))
    with pytest.raises(jute.Error, match="must lie as those"):
        product(integers(*batch, 3, 16), b, **said(3))


def test_steps_between_columns_of_a_range_stay_as_aligned_as_they_were() -> None:
    b = integers(16, 4)
    product = jute.prepare(by_columns(8, 16), b, m_range=(1, 32))
    for rows in (8, 16, 32):
        a = by_columns(rows, 16)
        assert (product(a, b) == a @ b).all()
    with pytest.raises(jute.Error, match="lda must be a multiple"):
        product(by_columns(3, 16), b)


def test_empty_products_are_empty_or_zero() -> None:
    assert jute.matmul(integers(0, 16), integers(16, 4)).shape == (0, 4)
    assert (jute.matmul(integers(3, 0), integers(0, 4)) == 0).all()


def test_threads_may_multiply_at_once() -> None:
    results: list[bool] = []

    def work(size: int) -> None:
        a, b = np.ones((size, 16), np.float32), np.ones((16, 8), np.float32)
        results.append(bool((jute.matmul(a, b) == 16).all()))

    threads = [threading.Thread(target=work, args=(8 + i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_arrays_cross_once_and_no_process_is_started() -> None:
    script = """
import sys
started = []
sys.addaudithook(lambda event, args: started.append(event)
                 if event in ("subprocess.Popen", "os.fork", "os.posix_spawn", "os.exec") else None)
import jute, numpy as np
from jute import _core
a, b = np.ones((8, 16), np.float32), np.ones((16, 4), np.float32)
out = np.empty((8, 4), np.float32)
jute.matmul(a, b, out=out)
crossed = _core.traffic()
assert crossed == {"products": 1, "bytes_in": a.nbytes + b.nbytes, "bytes_out": out.nbytes}, crossed
assert started == [], started
"""
    subprocess.run([sys.executable, "-c", script], check=True)
    assert _core.traffic()["products"] > 0


def strided_cases() -> list[np.ndarray]:
    """Matrices of 16 rows and 12 columns that lie in many ways."""
    big = integers(48, 64)
    lines = integers(64)
    return [
        big[:16, :12], big[1:33:2, 5:41:3], big.T[:16, 3:15], integers(12, 16).T,
        big[3:19, ::5][:, :12], np.broadcast_to(lines[:12], (16, 12)),
        np.lib.stride_tricks.as_strided(lines, (16, 12), (4, 4)),
    ]  # fmt: skip


def test_one_kernel_serves_arrays_of_any_strides() -> None:
    cases = strided_cases()
    w = integers(12, 10)
    product = jute.prepare(cases[0], w, numbers="run-time")
    for a in cases:
        for b in (w, integers(10, 12).T, integers(24, 30)[::2, ::3]):
            out = np.full((40, 30), 99, np.float32)
            assert (product(a, b) == a @ b).all()
            assert product(a, b, out=out[1:33:2, ::3]) is not None
            assert (out[1:33:2, ::3] == a @ b).all()
            assert (out[::2] == 99).all() and (out[33:] == 99).all()


def test_a_batch_of_any_strides_and_what_beta_scales() -> None:
    a, b, c = integers(3, 16, 12), integers(3, 12, 10), integers(3, 16, 10)
    product = jute.prepare(a, b, c=c, beta=2.0, numbers="run-time")
    for other in (c, integers(3, 10, 16).transpose(0, 2, 1), integers(6, 16, 20)[::2, :, ::2]):
        turned = integers(12, 3, 16).transpose(1, 2, 0)
        found = product(turned, b, c=other, beta=2.0)
        assert (found == turned @ b + 2 * other).all()


def test_extents_of_a_run_where_none_is_a_literal() -> None:
    product = jute.prepare(
        integers(32, 24), integers(24, 16), numbers="run-time", config="specialize=none"
    )
    for m, k, n in [(32, 24, 16), (7, 24, 16), (32, 5, 16), (1, 1, 1), (20, 9, 11)]:
        a, b = integers(2 * m, k)[::2], integers(n, k).T
        assert (product(a, b) == a @ b).all(), (m, k, n)


def test_run_time_numbers_are_refused_by_name() -> None:
    a, b = integers(16, 12), integers(12, 10)
    product = jute.prepare(a, b, numbers="run-time")
    with pytest.raises(jute.Error) as refused:
        product(a.astype(np.float64), b.astype(np.float64))
    assert refused.value.code == "not_compatible"
    with pytest.raises(jute.Error):
        product(integers(16, 8), integers(8, 10))  # K is a literal
    with pytest.raises(jute.Error) as refused:
        product(a[::-1], b)
    assert refused.value.operand == "a"
    with pytest.raises(jute.Error) as refused:
        jute.prepare(a, b, numbers="whatever")
    assert refused.value.nearest_legal == "run-time"
