"""Products of quantised operands against float64, on the emulator."""

from __future__ import annotations

from typing import Any

import jute
import ml_dtypes
import numpy as np
import pytest

random = np.random.default_rng(7)


def integers(low: int, high: int, *shape: int, dtype: object = np.float32) -> np.ndarray:
    return random.integers(low, high, shape).astype(dtype)  # type: ignore[call-overload]


def halves(q: np.ndarray) -> np.ndarray:
    """(N,K) whole numbers of 4 bits as bytes, two along K, the first in the low half."""
    even = np.pad(q, ((0, 0), (0, q.shape[1] % 2))).astype(np.uint8) & 15
    return (even[:, ::2] | even[:, 1::2] << 4).astype(np.uint8)


def spread(numbers: np.ndarray, shape: tuple[int, int], block: tuple[int, int]) -> np.ndarray:
    """A number for each block as one for each element."""
    wide = numbers.astype(np.float64).repeat(block[0], 0).repeat(block[1], 1)
    return wide[: shape[0], : shape[1]]


@pytest.mark.parametrize("m", [1, 5, 33])
@pytest.mark.parametrize(("type_b", "low", "zero"), [("s4", -8, 0), ("u4", 0, 8)])
def test_weights_of_four_bits(m: int, type_b: str, low: int, zero: int) -> None:
    q = integers(low, low + 16, 24, 64, dtype=np.int64)
    scales = 2.0 ** integers(-2, 3, 24, 2)
    x = integers(-3, 4, m, 64, dtype=ml_dtypes.bfloat16)
    wanted = x.astype(np.float64) @ ((q - zero) * spread(scales, q.shape, (1, 32))).T
    found = jute.scaled_mm(
        x, halves(q).T, type_b=type_b, zero_b=zero, scale_b=scales.T.astype(ml_dtypes.bfloat16),
        out_dtype="f32",
    )  # fmt: skip
    assert found.dtype == np.float32 and found.shape == (m, 24)
    assert (found == wanted).all()


def test_weights_become_fragments_of_wgmma() -> None:
    words = "N=136 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=8 D=bf16"
    assert "BF16_RS" in str(jute.plan("M=40 " + words))
    q, scales = integers(0, 16, 136, 128, dtype=np.int64), 2.0 ** integers(-2, 1, 136, 2)
    x = integers(-1, 2, 40, 128, dtype=ml_dtypes.bfloat16)
    wanted = x.astype(np.float64) @ ((q - 8) * spread(scales, q.shape, (1, 64))).T
    found = jute.scaled_mm(
        x, halves(q).T, type_b="u4", zero_b=8, scale_b=scales.T.astype(ml_dtypes.bfloat16),
        out_dtype="bf16",
    )  # fmt: skip
    assert (found == wanted.astype(ml_dtypes.bfloat16)).all()


def test_sums_of_mma_sync_are_scaled() -> None:
    a = integers(-3, 4, 70, 256, dtype=ml_dtypes.float8_e4m3fn)
    b = integers(-3, 4, 136, 256, dtype=ml_dtypes.float8_e4m3fn)
    scale_a, scale_b = 2.0 ** integers(-2, 3, 70, 2), 2.0 ** integers(-2, 3, 2, 2)
    wanted = (a.astype(np.float64) * spread(scale_a, a.shape, (1, 128))) @ (
        b.astype(np.float64) * spread(scale_b, b.shape, (128, 128))
    ).T
    atom = "main_loop=multistage mma_atom=SM89_16x8x32_F32E4M3E4M3F32_TN"
    with jute.planned_for("rtx4090"):
        found = jute.scaled_mm(
            a, b.T, scale_a=scale_a, scale_b=scale_b.T, block_b="128x128", config=atom
        )
    assert (found == wanted).all()


@pytest.mark.parametrize(("type_a", "many"), [("bf16", False), ("e4m3", True), ("s8", False)])
def test_groups_of_rows_have_weights_and_scales_of_their_own(type_a: str, many: bool) -> None:
    ends, n, k = [0, 33, 33, 60], 40, 64
    dtype = {"bf16": ml_dtypes.bfloat16, "e4m3": ml_dtypes.float8_e4m3fn, "s8": np.int8}[type_a]
    x, q = integers(-2, 3, 70, k, dtype=dtype), integers(0, 16, 4, n, k, dtype=np.int64)
    of_rows, scales = 2.0 ** integers(-2, 2, 70, k // 32), 2.0 ** integers(-2, 2, 4, n, k // 32)
    more: dict[str, Any] = {"scale_a": of_rows} if many else {}
    wide = x.astype(np.float64) * (spread(of_rows, x.shape, (1, 32)) if many else 1)
    wanted, begin = np.zeros((70, n)), 0
    for group, end in enumerate(ends):
        weights = (q[group] - 8) * spread(scales[group], (n, k), (1, 32))
        wanted[begin:end] = wide[begin:end] @ weights.T
        begin = end
    stored = np.stack([halves(one) for one in q]).transpose(0, 2, 1)
    found = jute.scaled_mm(
        x, stored, type_b="u4", zero_b=8, scale_b=scales.transpose(0, 2, 1), stage_as="bf16",
        out_dtype="f32", offs=np.array(ends, np.int32), **more,
    )  # fmt: skip
    assert (found == wanted).all()
    rows = np.repeat([0, 1, 2, 3, -1], [0, 33, 0, 27, 10]).astype(np.int32)
    again = jute.scaled_mm(
        x, stored, type_b="u4", zero_b=8, scale_b=scales.transpose(0, 2, 1), stage_as="bf16",
        out_dtype="f32", row_groups=rows, **more,
    )  # fmt: skip
    assert (again == wanted).all()


def test_counts_of_groups_and_numbers_that_all_share() -> None:
    x, q = integers(-2, 3, 3, 9, 32, dtype=np.int8), integers(-8, 8, 16, 32, dtype=np.int64)
    b = np.stack([halves(q)] * 3).transpose(0, 2, 1)
    counts = np.array([4, 0, 9], np.int32)
    found = jute.scaled_mm(
        x, b, type_b="s4", scale_b=np.array([0.5], np.float32), stage_as="bf16", counts=counts
    )
    for group, count in enumerate(counts):
        assert (found[group, :count] == x[group, :count].astype(np.float64) @ q.T / 2).all()
        assert (found[group, count:] == 0).all()
    words: dict[str, Any] = {"type_b": "s4", "counts": counts, "stage_as": "bf16"}
    with pytest.raises(jute.Error, match="3 axes, or be one for all"):
        jute.scaled_mm(x, b, scale_b=np.ones(16, np.float32), **words)
    with pytest.raises(jute.Error, match="numbers for each group"):
        jute.scaled_mm(x, b, scale_b=np.ones((2, 1, 16), np.float32), **words)


def test_groups_that_cut_k_have_blocks_across_them() -> None:
    ends, x = [3, 3, 50, 61], integers(-2, 3, 9, 61, dtype=ml_dtypes.bfloat16)
    q, scales = integers(-8, 8, 16, 61, dtype=np.int64), 2.0 ** integers(-2, 2, 16, 4)
    wide = q * spread(scales, q.shape, (1, 16))
    found = jute.scaled_mm(
        x, halves(q).T, type_b="s4", scale_b=scales.T, block_b="1x16", out_dtype="f32",
        offs=np.array(ends, np.int32),
    )  # fmt: skip
    assert found.shape == (4, 9, 16)
    for group, (begin, end) in enumerate(zip([0, *ends], ends, strict=False)):
        wanted = x[:, begin:end].astype(np.float64) @ wide[:, begin:end].T
        assert (found[group] == wanted).all()


def test_whole_numbers_of_groups_are_multiplied_as_s8() -> None:
    x, q = integers(-128, 128, 20, 40, dtype=np.int8), integers(-8, 8, 3, 24, 40, dtype=np.int64)
    stored = np.stack([halves(one) for one in q]).transpose(0, 2, 1)
    found = jute.scaled_mm(x, stored, type_b="s4", offs=np.array([5, 5, 20], np.int32))
    assert found.dtype == np.int32
    assert (found[:5] == x[:5].astype(np.int64) @ q[0].T).all()
    assert (found[5:] == x[5:].astype(np.int64) @ q[2].T).all()


SIZES = [(5, 24, 64), (0, 8, 32), (17, 1, 40), (3, 129, 0), (1, 33, 7)]


@pytest.mark.parametrize("with_zeros", [False, True])
def test_lists_of_matrices_have_lists_of_scales(with_zeros: bool) -> None:
    a, b, scales, zeros, wanted = [], [], [], [], []
    for m, n, k in SIZES:
        x, q = integers(-2, 3, m, k, dtype=ml_dtypes.bfloat16), integers(0, 16, n, k, dtype=np.int64)
        blocks = -(-k // 16)
        scale = 2.0 ** integers(-2, 2, n, blocks)
        zero = integers(0, 16, n, blocks, dtype=np.uint8)
        lost = spread(zero, q.shape, (1, 16)) if with_zeros else 8
        a.append(x), b.append(halves(q).T), scales.append(scale.T), zeros.append(zero.T)
        wanted.append(x.astype(np.float64) @ ((q - lost) * spread(scale, q.shape, (1, 16))).T)
    found = jute.scaled_mm(
        a, b, type_b="u4", scale_b=scales, zero_b=zeros if with_zeros else 8, block_b="1x16",
        out_dtype="f32",
    )  # fmt: skip
    for one, (m, n, _), right in zip(found, SIZES, wanted, strict=True):
        assert one.shape == (m, n) and (one == right).all()


def test_lists_of_whole_numbers_and_of_vectors_of_scales() -> None:
    a = [integers(-128, 128, m, k, dtype=np.int8) for m, _, k in SIZES]
    b = [integers(-128, 128, k, n, dtype=np.int8) for _, n, k in SIZES]
    of_rows = [2.0 ** integers(-2, 2, m) for m, _, _ in SIZES]
    for one, x, w in zip(jute.scaled_mm(a, b), a, b, strict=True):
        assert one.dtype == np.int32 and (one == x.astype(np.int64) @ w).all()
    some = jute.scaled_mm(a, b, scale_a=of_rows, stage_as="f32")
    for one, x, w, scale in zip(some, a, b, of_rows, strict=True):
        assert (one == (x * scale[:, None]) @ w.astype(np.float64)).all()
    with pytest.raises(jute.Error, match="an array for each group"):
        jute.scaled_mm(a, b, scale_a=of_rows[1:])
    with pytest.raises(jute.Error, match="number for each block"):
        jute.scaled_mm(a, b, scale_a=[*of_rows[:-1], np.ones(2, np.float32)])
    with pytest.raises(jute.Error, match="offs"):
        jute.scaled_mm(a, b, offs=np.array([1, 2, 3, 4, 5], np.int32))


@pytest.mark.parametrize("from_", ["gptq", "gptq_v2", "awq", "marlin", "jute-kn", "jute-row"])
def test_weights_of_checkpoints_are_packed_once_with_scales_and_zeros(from_: str) -> None:
    n, k, groups = 64, 128, 2
    q = integers(0, 16, n, k, dtype=np.uint8)
    scale = (2.0 ** integers(-2, 2, n, groups)).astype(np.float16)
    zero = integers(1, 16, n, groups, dtype=np.uint8)
    qweight, qscales, qzeros = jute.pack_weights(q, "bytes", from_, scales=scale, zeros=zero)
    w, s, z = jute.pack_weights(qweight, from_, "jute", scales=qscales, zeros=qzeros)
    b = w.T
    wide = (q - spread(zero, q.shape, (1, 64))) * spread(scale, q.shape, (1, 64))
    many, few = integers(-2, 3, 200, k), integers(-2, 3, 1, k)
    layer = jute.prepare_scaled(
        many, b, type_b="u4", scale_b=s.T, zero_b=z.T, m_range=(1, 200), stage_as="tf32"
    )
    assert layer.packed_bytes("b") >= 4 * n * k
    packed = layer.pack("b", b, scale=s.T, zero=z.T)
    assert packed.operand == "b" and packed.bytes == layer.packed_bytes("b")
    for x in (many, few):
        wanted = x.astype(np.float64) @ wide.T
        assert (layer(x, packed) == wanted).all()
        assert (layer(x, b, scale_b=s.T, zero_b=z.T) == wanted).all()


def test_what_a_prepared_product_is_not_given_is_refused() -> None:
    x, q = integers(-2, 3, 300, 64), integers(-8, 8, 16, 64, dtype=np.int8)
    scales = 2.0 ** integers(-2, 2, 2, 16)
    layer = jute.prepare_scaled(x, q.T, scale_b=scales, zero_b=3)
    packed = layer.pack("b", q.T, scale=scales)
    wanted = x @ ((q - 3.0) * spread(scales.T, q.shape, (1, 32))).T
    assert (layer(x, packed) == wanted).all()
    with pytest.raises(jute.Error, match="numbers of its blocks"):
        layer.pack("b", q.T)
    with pytest.raises(jute.Error, match="lie as what the product was prepared for"):
        layer.pack("b", q.T, scale=scales[:1])
    with pytest.raises(jute.Error, match="as those that it was prepared for"):
        layer(x, q.T)
    with pytest.raises(jute.Error, match="packed as a"):
        layer(packed, q.T, scale_b=scales)
    other = jute.prepare_scaled(x, q.T, scale_b=scales, zero_b=4)
    with pytest.raises(jute.Error, match="by the product"):
        other(x, packed)


def test_experts_of_a_prepared_product_are_packed() -> None:
    x, q = integers(-2, 3, 70, 33), integers(-8, 8, 3, 33, 24, dtype=np.int8)
    scales, ends = 2.0 ** integers(-2, 2, 3, 1, 24), np.array([33, 33, 60], np.int32)
    layer = jute.prepare_scaled(x, q, scale_b=scales, offs=ends)
    packed = layer.pack("b", q, scale=scales)
    found = layer(x, packed, offs=ends)
    assert (found[:33] == x[:33] @ (q[0] * scales[0])).all() and (found[60:] == 0).all()
    assert (found[33:60] == x[33:60] @ (q[2] * scales[2])).all()


def test_an_odd_k_leaves_a_half_unread() -> None:
    q = integers(-8, 8, 16, 33, dtype=np.int64)
    x = integers(-3, 4, 7, 33)
    assert (jute.scaled_mm(x, halves(q).T, type_b="s4") == x @ q.T).all()


def test_elements_of_e2m1() -> None:
    values = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])
    q = integers(0, 16, 8, 32, dtype=np.int64)
    held = np.where(q < 8, 1, -1) * values[q % 8]
    x = integers(-3, 4, 4, 32)
    assert (jute.scaled_mm(x, halves(q).T, type_b="e2m1") == x @ held.T).all()


@pytest.mark.parametrize("block", [(1, 32), (8, 32), (16, 64)])
def test_both_operands_have_blocks(block: tuple[int, int]) -> None:
    a = integers(-3, 4, 16, 64, dtype=ml_dtypes.float8_e4m3fn)
    b = integers(-3, 4, 16, 64, dtype=ml_dtypes.float8_e4m3fn)
    scale_a = 2.0 ** integers(-2, 3, 16, 2)
    scale_b = 2.0 ** integers(-2, 3, 16 // block[0], 64 // block[1])
    wanted = (a.astype(np.float64) * spread(scale_a, a.shape, (1, 32))) @ (
        b.astype(np.float64) * spread(scale_b, b.shape, block)
    ).T
    found = jute.scaled_mm(a, b.T, scale_a=scale_a, scale_b=scale_b.T)
    assert found.dtype == np.float32
    assert (found == wanted).all()


def test_sums_of_8_bit_floats_are_scaled() -> None:
    a = integers(-3, 4, 48, 256, dtype=ml_dtypes.float8_e4m3fn)
    b = integers(-3, 4, 136, 256, dtype=ml_dtypes.float8_e4m3fn)
    scale_a, scale_b = 2.0 ** integers(-2, 3, 48, 2), 2.0 ** integers(-2, 3, 2, 2)
    wanted = (a.astype(np.float64) * spread(scale_a, a.shape, (1, 128))) @ (
        b.astype(np.float64) * spread(scale_b, b.shape, (128, 128))
    ).T
    found = jute.scaled_mm(a, b.T, scale_a=scale_a, scale_b=scale_b.T, block_b="128x128")
    assert (found == wanted).all()
    rows, columns = 2.0 ** integers(-2, 3, 48), 2.0 ** integers(-2, 3, 136)
    wanted = (a.astype(np.float64) * rows[:, None]) @ (b.astype(np.float64).T * columns)
    assert (jute.scaled_mm(a, b.T, scale_a=rows, scale_b=columns) == wanted).all()


def test_rows_columns_and_all_share_a_scale() -> None:
    a, b = integers(-3, 4, 9, 32, dtype=np.int8), integers(-3, 4, 32, 16, dtype=np.int8)
    rows, columns = 2.0 ** integers(-2, 3, 9), 2.0 ** integers(-2, 3, 16)
    found = jute.scaled_mm(a, b, scale_a=rows, scale_b=columns)
    wanted = (a * rows[:, None]).astype(np.float64) @ (b * columns)
    assert (found == wanted).all()
    one = np.array([0.25], np.float32)
    assert (jute.scaled_mm(a, b, scale_a=one) == a.astype(np.float64) @ b / 4).all()
    whole = jute.scaled_mm(a, b)
    assert whole.dtype == np.int32
    assert (whole == a.astype(np.int32) @ b.astype(np.int32)).all()


def test_zero_points_of_blocks_and_short_blocks() -> None:
    q = integers(0, 256, 8, 40, dtype=np.uint8)
    zeros, scales = integers(100, 150, 8, 2, dtype=np.uint8), 2.0 ** integers(-2, 3, 8, 2)
    x = integers(-1, 2, 3, 40)
    wide = spread(zeros, q.shape, (1, 32)), spread(scales, q.shape, (1, 32))
    found = jute.scaled_mm(
        x, q.T, scale_b=scales.T, zero_b=zeros.T, block_b="1x32", stage_as="f32"
    )
    assert (found == x @ ((q - wide[0]) * wide[1]).T).all()


def test_epilogues_and_c_are_matmuls() -> None:
    x, q = integers(-3, 4, 5, 32), integers(-8, 8, 16, 32, dtype=np.int8)
    bias, c = integers(-3, 4, 16), integers(-3, 4, 5, 16)
    found = jute.scaled_mm(x, q.T, c=c, epilogue="relu(acc + bias[n]) + c", inputs={"bias": bias})
    assert (found == np.maximum(x @ q.T + bias, 0) + c).all()
    out = np.zeros((5, 16), np.float32)
    assert jute.scaled_mm(x, q.T, c=c, alpha=2, beta=0.5, out=out) is out
    assert (out == 2 * (x @ q.T) + c / 2).all()


def test_another_zero_point_is_another_kernel() -> None:
    x, q = integers(-3, 4, 5, 32), integers(-8, 8, 16, 32, dtype=np.int8)
    for zero in (0, 3, -5):
        assert (jute.scaled_mm(x, q.T, zero_b=zero) == x @ (q.astype(np.float32) - zero).T).all()


X, Q = np.ones((4, 33), np.float32), np.ones((33, 8), np.int8)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"scale_b": np.ones((2, 8), np.float32)}, "block_a or block_b"),
        ({"scale_b": np.ones((2, 8), np.float32), "block_b": "1x16"}, "block of 16"),
        ({"scale_b": np.ones((2, 2, 8), np.float32)}, "3 axes"),
        ({"scale_b": np.ones(7, np.float32)}, "along N"),
        ({"scale_b": np.ones(8, np.int32)}, "scale_b"),
        ({"b": Q[None]}, "2 axes"),
        ({"b": Q[:32]}, "33"),
        ({"b": np.ones((17, 8), np.uint8), "type_b": "u4"}, "lie along K"),
        ({"b": Q.astype(ml_dtypes.int4)}, "type_b"),
        ({"block_b": "1by2", "scale_b": np.ones((2, 8), np.float32)}, "1by2"),
    ],
)
def test_refusals_say_what_would_do(words: dict[str, Any], said: str) -> None:
    b = words.pop("b", Q) if "b" in words else Q
    with pytest.raises(jute.Error, match=said):
        jute.scaled_mm(X, b, **words)


def test_results_have_a_scale_a_block() -> None:
    a, b = integers(-3, 4, 40, 64).astype(np.float32), integers(-3, 4, 64, 200).astype(np.float32)
    y = np.maximum(a @ b, 0)
    d, more = jute.matmul(a, b, epilogue=jute.quantised("relu(acc)"), out_dtype="e4m3")
    assert d.dtype == ml_dtypes.float8_e4m3fn and more["scale_d"].shape == (40, 2)
    most = np.stack([y[:, :128].max(1), y[:, 128:].max(1)], 1)
    assert (more["scale_d"] == most / np.float32(448)).all()
    scales = np.repeat(more["scale_d"], 128, 1)[:, :200]
    scaled = np.divide(y, scales, where=scales != 0, out=y.copy())
    assert (d.astype(np.float32) == scaled.astype(d.dtype).astype(np.float32)).all()
    squares = jute.quantised(block=(128, 128), dtype="s8")
    d, more = jute.matmul(a, b, epilogue=squares, out_dtype="s8")
    assert more["scale_d"].shape == (1, 2) and np.abs(d).max() == 127
    for block, most in (("row", np.abs(y).max(1)), ("tensor", np.abs(y).max())):
        d, more = jute.matmul(a, b, epilogue=jute.quantised("relu(acc)", block), out_dtype="e4m3")
        assert (more["scale_d"].ravel() == most / np.float32(448)).all()
        scaled = (y / more["scale_d"]).astype(d.dtype)
        assert (d.astype(np.float32) == scaled.astype(np.float32)).all()
    with pytest.raises(jute.Error, match="64 or 128 columns"):
        jute.quantised(block=(3, 5))


def test_results_are_rounded_by_a_seed() -> None:
    a, b = integers(-3, 4, 16, 64).astype(np.float32), integers(-300, 300, 64, 32).astype(np.float32)
    seed = np.array([7], np.int32)
    words = {"epilogue": jute.rounded_by_seed(), "inputs": {"seed": seed}, "out_dtype": "bf16"}
    d, again = jute.matmul(a, b, **words), jute.matmul(a, b, **words)
    assert (d == again).all() and d.dtype == ml_dtypes.bfloat16
    error = np.abs(d.astype(np.float32) - a @ b)
    assert (error <= np.abs(a @ b) / 64).all() and (d != (a @ b).astype(d.dtype)).any()
