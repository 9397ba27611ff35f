"""Products of groups against a loop over the groups, on the emulator."""

from __future__ import annotations

from typing import Any

import jute
import ml_dtypes
import numpy as np
import pytest

random = np.random.default_rng(5)
ENDS = [0, 5, 5, 21, 30]
GROUPS = len(ENDS)
PARTS = [slice(first, end) for first, end in zip([0, *ENDS[:-1]], ENDS, strict=True)]
TOTAL = 37  # more than all groups have


def integers(*shape: int, dtype: object = np.float32) -> np.ndarray:
    """Small whole numbers: their products are exact in every type here."""
    return random.integers(-3, 4, shape).astype(dtype)  # type: ignore[call-overload]


def offs(dtype: object = np.int32) -> np.ndarray:
    return np.array(ENDS, dtype)


def by_rows(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    d = np.zeros((len(a), b.shape[2]), np.float32)
    for part, matrix in zip(PARTS, b, strict=True):
        d[part] = a[part].astype(np.float32) @ matrix.astype(np.float32)
    return d


@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.int8])
def test_rows_are_cut(dtype: object, index: object) -> None:
    a, b = integers(TOTAL, 24, dtype=dtype), integers(GROUPS, 24, 16, dtype=dtype)
    d = jute.grouped_mm(a, b, offs(index))
    assert d.shape == (TOTAL, 16)
    assert d.dtype == (np.int32 if dtype is np.int8 else dtype)
    assert (d.astype(np.float32) == by_rows(a, b)).all()


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_say_their_groups(index: object) -> None:
    a, b = integers(9, 24), integers(4, 24, 16)
    groups = np.array([3, 3, -1, 0, 0, 0, 2, -1, -1], index)
    wanted = np.zeros((9, 16), np.float32)
    for row, group in enumerate(groups):
        if group >= 0:
            wanted[row] = a[row] @ b[group]
    assert (jute.grouped_mm(a, b, row_groups=groups) == wanted).all()
    layer = jute.prepare_groups(a, b, row_groups=groups)
    assert (layer(a, b, row_groups=groups) == wanted).all()
    with pytest.raises(jute.Error, match="prepared for"):
        layer(a, b, np.array([1, 2, 3, 4], index))
    out = np.full((9, 16), 7, np.float32)
    wrong = groups.copy()
    wrong[7] = 3
    with pytest.raises(jute.Error) as refused:
        jute.grouped_mm(a, b, row_groups=wrong, out=out)
    assert (refused.value.operand, refused.value.value) == ("row_groups[7]", "3")
    assert (out == 7).all()
    for given in ({"offs": offs()}, {"counts": offs()}, {"row_groups": groups[:8].copy()}):
        with pytest.raises(jute.Error, match="row_groups|each row"):
            jute.grouped_mm(a, b, **({"row_groups": groups} | given))  # type: ignore[arg-type]
    with pytest.raises(jute.Error, match="whose groups are rows"):
        jute.grouped_mm(integers(2, 9, 24), integers(2, 24, 16), row_groups=groups)


def test_columns_are_cut() -> None:
    a, b = integers(GROUPS, 9, 24), integers(24, TOTAL)
    wanted = np.zeros((9, TOTAL), np.float32)
    for part, matrix in zip(PARTS, a, strict=True):
        wanted[:, part] = matrix @ b[:, part]
    assert (jute.grouped_mm(a, b, offs()) == wanted).all()


def test_sums_are_cut() -> None:
    a, b = integers(9, TOTAL), integers(TOTAL, 16)
    wanted = np.stack([a[:, part] @ b[part] for part in PARTS])
    found = jute.grouped_mm(a, b, offs(np.int64))
    assert found.shape == (GROUPS, 9, 16)
    assert (found == wanted).all()


def test_of_each_matrix_so_many_first_rows() -> None:
    a, b = integers(3, 12, 24), integers(3, 24, 16)
    counts = np.array([12, 0, 5], np.int32)
    wanted = a @ b
    for matrix, count in zip(wanted, counts, strict=True):
        matrix[count:] = 0
    assert (jute.grouped_mm(a, b, counts=counts) == wanted).all()
    out = np.full((3, 12, 16), 7, np.float32)
    jute.grouped_mm(a, b, counts=counts, out=out)
    assert (out[1] == 7).all() and (out[2, 5:] == 7).all() and (out[2, :5] == wanted[2, :5]).all()


def test_what_is_no_groups_stays_in_a_given_result() -> None:
    a, b = integers(TOTAL, 24), integers(GROUPS, 24, 16)
    whole = np.full((TOTAL, 40), 7, np.float32)
    out = whole[:, 8:24]
    assert jute.grouped_mm(a, b, offs(), out=out) is out
    assert (out[: ENDS[-1]] == by_rows(a, b)[: ENDS[-1]]).all()
    assert (out[ENDS[-1] :] == 7).all()
    assert (whole[:, :8] == 7).all() and (whole[:, 24:] == 7).all()


def test_arrays_lie_as_they_are() -> None:
    wide, deep = integers(TOTAL, 50), integers(GROUPS, 16, 30)
    for a in (wide[:, 3:27], integers(24, TOTAL).T):
        for b in (deep[:, :, :24].swapaxes(1, 2), integers(2 * GROUPS, 24, 16)[::2]):
            assert (jute.grouped_mm(a, b, offs()) == by_rows(a, b)).all()
    shared = np.broadcast_to(integers(24, 16), (GROUPS, 24, 16))
    a = wide[:, :24]
    assert (jute.grouped_mm(a, shared, offs()) == by_rows(a, shared)).all()
    with pytest.raises(jute.Error, match="contiguous"):
        jute.grouped_mm(wide[:, ::2], integers(GROUPS, 25, 16), offs())


def test_epilogues_have_values_of_groups_and_of_rows() -> None:
    a, b = integers(TOTAL, 24), integers(GROUPS, 24, 16)
    bias, scale, w = integers(GROUPS, 16), integers(GROUPS), integers(TOTAL)
    c = integers(TOTAL, 16)
    sums = by_rows(a, b)
    wanted, before = np.zeros_like(sums), np.zeros_like(sums)
    for i, part in enumerate(PARTS):
        before[part] = scale[i] * sums[part] + bias[i]
        wanted[part] = w[part, None] * before[part] + c[part]
    found, more = jute.grouped_mm(
        a, b, offs(), c=c, epilogue="y := scale[batch]*acc + bias[batch,n]; d = w[m]*y + c; pre = y",
        inputs={"scale": scale, "bias": bias, "w": w},
    )  # fmt: skip
    assert (found == wanted).all()
    assert more["pre"].shape == before.shape and (more["pre"] == before).all()
    with pytest.raises(jute.Error, match="w"):
        jute.grouped_mm(a, b, offs(), epilogue="w[m]*acc", inputs={"w": integers(GROUPS, TOTAL)})


def test_groups_have_gates() -> None:
    a, b = integers(TOTAL, 24), integers(GROUPS, 24, 32)
    sums = by_rows(a, b)
    assert (jute.grouped_mm(a, b, offs(), epilogue="gate*acc") == sums[:, :16] * sums[:, 16:]).all()
    found = jute.grouped_mm(a, b, offs(), epilogue="gate*acc", gate="pairs")
    assert (found == sums[:, ::2] * sums[:, 1::2]).all()


def test_scale_factors_are_matmuls() -> None:
    a, b, c = integers(TOTAL, 24), integers(GROUPS, 24, 16), integers(TOTAL, 16)
    out = np.zeros((TOTAL, 16), np.float32)
    jute.grouped_mm(a, b, offs(), c=c, alpha=2, beta=0.5, out=out, expected=8)
    assert (out[:30] == (2 * by_rows(a, b) + c / 2)[:30]).all() and (out[30:] == 0).all()


def test_lists_change_and_kernels_stay() -> None:
    a, b = integers(TOTAL, 24), integers(2, 24, 16)
    for end in (0, 1, 17, TOTAL):
        found = jute.grouped_mm(a, b, np.array([end, TOTAL], np.int64))
        assert (found == np.concatenate([a[:end] @ b[0], a[end:] @ b[1]])).all()


def test_nothing_to_sum_and_nothing_to_cut() -> None:
    empty = jute.grouped_mm(integers(0, 24), integers(2, 24, 16), np.zeros(2, np.int32))
    assert empty.shape == (0, 16)
    zeros = jute.grouped_mm(integers(9, 0), integers(2, 0, 16), np.array([4, 9], np.int32))
    assert zeros.shape == (9, 16) and (zeros == 0).all()


@pytest.mark.parametrize(
    "words, code, says",
    [
        ({"offs": None}, "wrong_arity", "offs must be given"),
        ({"counts": offs()}, "wrong_arity", "no counts"),
        ({"offs": offs(np.float32)}, "wrong_type", "32 or 64 bits"),
        ({"offs": offs(np.uint32)}, "wrong_type", "with a sign"),
        ({"offs": offs()[:, None]}, "wrong_arity", "a vector"),
        ({"offs": offs()[::2]}, "unsupported", "follow each other"),
        ({"offs": offs()[:3].copy()}, "not_compatible", "each of the 3 integers of offs"),
        ({"offs": ENDS}, "wrong_type", "it must be an array"),
        ({"a": integers(TOTAL, 23)}, "not_compatible", "as many rows as a has columns"),
        ({"a": integers(24)}, "wrong_arity", "2 axes"),
        ({"b": integers(2, GROUPS, 24, 16)}, "wrong_arity", "2 axes"),
        ({"out": integers(TOTAL, 17)}, "not_compatible", "shape of the product"),
        ({"c": integers(3, 16)}, "not_compatible", "shape of the product"),
        ({"offs": np.array([0, 5, 3, 21, 30], np.int32)}, "out_of_range", "never go down"),
        ({"offs": np.array([0, 5, 6, 21, 38], np.int64)}, "out_of_range", "nor pass 37"),
        ({"expected": -1}, "illegal_problem", "must not be negative"),
        ({"epilogue": "d = acc; top = amax(acc)"}, "illegal_problem", "each element of D"),
    ],
)
def test_what_cannot_be_is_refused(words: dict[str, Any], code: str, says: str) -> None:
    given = {"a": integers(TOTAL, 24), "b": integers(GROUPS, 24, 16), "offs": offs()} | words
    with pytest.raises(jute.Error) as refused:
        jute.grouped_mm(given.pop("a"), given.pop("b"), given.pop("offs"), **given)
    assert refused.value.code == code
    assert says in str(refused.value)


def test_a_wrong_list_says_which_entry_and_leaves_the_result() -> None:
    out = np.full((TOTAL, 16), 7, np.float32)
    with pytest.raises(jute.Error) as refused:
        ends = np.array([0, 5, 3, 21, 30], np.int32)
        jute.grouped_mm(integers(TOTAL, 24), integers(GROUPS, 24, 16), ends, out=out)
    assert (refused.value.operand, refused.value.value) == ("offs[2]", "3")
    assert refused.value.nearest_legal == "5"
    assert (out == 7).all()
    with pytest.raises(jute.Error) as refused:
        counts = np.array([3, 13], np.int64)
        jute.grouped_mm(integers(2, 12, 24), integers(2, 24, 16), counts=counts)
    assert (refused.value.operand, refused.value.nearest_legal) == ("counts[1]", "12")
    with pytest.raises(jute.Error, match="jute.matmul"):
        jute.grouped_mm(integers(2, 12, 24), integers(2, 24, 16))


@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16, np.int8])
def test_lists_of_matrices_have_sizes_of_their_own(dtype: object) -> None:
    sizes = [(9, 16, 24), (1, 1, 1), (30, 7, 33), (4, 5, 0), (0, 8, 16)]
    a = [integers(m, k, dtype=dtype) for m, n, k in sizes]
    b = [integers(k, n, dtype=dtype) for m, n, k in sizes]
    results = jute.grouped_mm(a, b)
    assert len(results) == len(sizes)
    for found, left, right in zip(results, a, b, strict=True):
        assert (found.astype(np.float32) == left.astype(np.float32) @ right.astype(np.float32)).all()


def test_matrices_of_a_list_lie_by_columns_or_in_parts_of_others() -> None:
    a = [integers(24, 9).T, integers(16, 5).T]
    whole = [integers(24, 40), integers(16, 40)]
    b = [one[:, 8:20] for one in whole]
    c = [integers(9, 12), integers(5, 12)]
    out = [np.full((9, 40), 7, np.float32), np.full((5, 40), 7, np.float32)]
    given = [one[:, 4:16] for one in out]
    found = jute.grouped_mm(a, b, out=given, c=c, alpha=2.0, beta=0.5, epilogue="relu(alpha*acc + beta*c)")
    for result, place, left, right, added in zip(found, given, a, b, c, strict=True):
        assert result is place
        assert (result == np.maximum(2 * (left @ right) + 0.5 * added, 0)).all()
    for one in out:
        assert (one[:, :4] == 7).all() and (one[:, 16:] == 7).all()


def test_what_is_no_list_of_groups_is_refused() -> None:
    a, b = [integers(4, 8), integers(6, 8)], [integers(8, 5), integers(8, 5)]
    with pytest.raises(jute.Error, match="offs"):
        jute.grouped_mm(a, b, offs())
    for wrong_a, wrong_b, code in (
        (a, b[:1], "not_compatible"),
        (a, [b[0], integers(7, 5)], "not_compatible"),
        ([a[0], a[1].astype(np.float16)], b, "wrong_type"),
        ([a[0], integers(2, 6, 8)], b, "wrong_arity"),
        ([], [], "wrong_arity"),
        ([a[0], integers(8, 6).T], b, "unsupported"),
    ):
        with pytest.raises(jute.Error) as error:
            jute.grouped_mm(wrong_a, wrong_b)
        assert error.value.code == code


def test_a_prepared_product_of_groups_takes_any_list() -> None:
    a, b = integers(TOTAL, 24), integers(GROUPS, 24, 16)
    layer = jute.prepare_groups(a, b, offs())
    assert (layer(a, b, offs()) == by_rows(a, b)).all()
    assert (layer(a, b, np.full(GROUPS, TOTAL, np.int32)) == a @ b[0]).all()
    assert layer.group_fault() is None
    assert layer.workspace_bytes > 0
    assert "groups" in str(layer.plan)
    with pytest.raises(jute.Error) as error:
        layer(a, b, np.array([5, 4, 9, 9, 9], np.int32))
    assert error.value.code == "out_of_range"
    with pytest.raises(jute.Error) as error:
        layer(a[:30], b, offs())
    assert error.value.code == "not_compatible"
