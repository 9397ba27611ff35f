"""What arrays hold: every element type of numpy and ml_dtypes, every order and view, is read right or refused by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jute
import ml_dtypes
import numpy as np
import pytest

random = np.random.default_rng(5)

#: All of ml_dtypes' and numpy's that an array may have.
NAMES_OF_ML_DTYPES = [name for name in dir(ml_dtypes) if isinstance(getattr(ml_dtypes, name), type)
                      and not name.endswith("info")]  # fmt: skip
DTYPES = [np.dtype(code) for code in np.typecodes["All"] if code not in "OSUVMm"]
DTYPES += [np.dtype(getattr(ml_dtypes, name)) for name in NAMES_OF_ML_DTYPES]
DTYPES += [np.dtype("M8[s]"), np.dtype("m8[s]"), np.dtype("S4"), np.dtype("U2"), np.dtype("V4"), np.dtype("O"),
           np.dtype([("x", "f4")])]  # fmt: skip
DTYPES += [dtype.newbyteorder() for dtype in DTYPES if dtype.itemsize > 1 and dtype.kind in "biufc"]
DTYPES = list(dict.fromkeys(DTYPES))

#: Those that products take.
READ = {np.dtype(each) for each in (np.float16, np.float32, np.float64, np.int8, ml_dtypes.bfloat16,
                                    ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2)}  # fmt: skip


def filled(dtype: np.dtype[Any], *shape: int) -> np.ndarray:
    """Small whole numbers as far as the type has them."""
    values = random.integers(0, 3, shape)
    if dtype.kind in "OSUMm" or dtype.names:
        return np.zeros(shape, dtype)
    return values.astype(np.float32).astype(dtype) if dtype.kind != "V" or dtype.type is not np.void \
        else np.zeros(shape, dtype)


def product_of(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    b = filled(a.dtype, a.shape[1], 4)
    return b, np.asarray(a).astype(np.float64) @ b.astype(np.float64)


Door = Callable[[np.ndarray], tuple[Any, Any]]


def by_matmul(a: np.ndarray) -> tuple[Any, Any]:
    b, wanted = product_of(a)
    return jute.matmul(a, b), wanted


def by_einsum(a: np.ndarray) -> tuple[Any, Any]:
    b, wanted = product_of(a)
    return jute.einsum("ik,kj->ij", a, b), wanted


def by_prepare(a: np.ndarray) -> tuple[Any, Any]:
    b, wanted = product_of(a)
    return jute.prepare(a, b)(a, b), wanted


def by_groups(a: np.ndarray) -> tuple[Any, Any]:
    b, wanted = product_of(a)
    return jute.grouped_mm(a, b[None], np.array([a.shape[0]], np.int32)), wanted


def by_lists(a: np.ndarray) -> tuple[Any, Any]:
    b, wanted = product_of(a)
    return jute.grouped_mm([a], [b])[0], wanted


def by_scaled(a: np.ndarray) -> tuple[Any, Any]:
    b, wanted = product_of(a)
    return jute.scaled_mm(a, b, out_dtype="f32", stage_as="f32" if a.dtype != np.float64 else None), wanted


def by_convolution(a: np.ndarray) -> tuple[Any, Any]:
    w = filled(a.dtype, 4, 1, 1, a.shape[1])
    wanted = np.asarray(a).astype(np.float64) @ w.reshape(4, -1).T.astype(np.float64)
    return jute.conv2d(a.reshape(1, 1, *a.shape), w)[0, 0], wanted


def by_epilogue(a: np.ndarray) -> tuple[Any, Any]:
    one = np.ones((a.shape[0], 2), np.float32)
    ones = np.ones((2, a.shape[1]), np.float32)
    wanted = np.asarray(a).astype(np.float64) + 2
    return jute.matmul(one, ones, epilogue="acc + rest[m,n]", inputs={"rest": a}), wanted


DOORS: list[Door] = [by_matmul, by_einsum, by_prepare, by_groups, by_lists, by_scaled, by_convolution, by_epilogue]


@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_type_is_multiplied_or_refused_by_its_name(dtype: np.dtype[Any]) -> None:
    for door in DOORS:
        a = filled(dtype, 8, 16)
        try:
            found, wanted = door(a)
        except jute.Error as error:
            assert error.operand and (error.value or error.violated_rules), error
            if door is by_matmul:
                assert dtype not in READ, error
                assert error.operand in ("a", "type", "A.type"), error
            continue
        except (TypeError, ValueError):
            # numpy itself cannot say what the product would be; then jute has not been asked.
            assert dtype.kind in "OSUMmV", door
            continue
        assert (np.asarray(found, np.float64) == wanted).all(), door


@pytest.mark.parametrize("dtype", sorted(READ, key=str), ids=str)
def test_values_that_are_no_numbers_go_through(dtype: np.dtype[Any]) -> None:
    if dtype.kind == "i":
        return
    a = np.zeros((8, 16), np.float32).astype(dtype)
    eye = np.eye(16, dtype=np.float32).astype(dtype)
    a[1, 0], a[2, 0] = np.float32("nan"), 1
    a[3, 0] = np.float32("inf")  # e4m3fn has none: it becomes its NaN
    for found in (jute.matmul(a, eye[:, :1]), jute.einsum("ik,kj->ij", a, eye[:, :1])):
        wanted = a[:, :1].astype(np.float32)
        assert np.array_equal(found.astype(np.float32), wanted, equal_nan=True)


def test_infinities_of_a_type_that_looks_alike_are_no_numbers_of_jutes() -> None:
    a = np.full((8, 16), np.inf, np.float32).astype(ml_dtypes.float8_e4m3)
    for given in ({"a": a, "b": a.T}, {"a": a, "b": a.T, "dtype": ml_dtypes.float8_e4m3}):
        with pytest.raises(jute.Error) as refused:
            jute.matmul(**given)
        assert refused.value.value == "float8_e4m3"
        assert refused.value.nearest_legal == "float8_e4m3fn"


def views_of(a: np.ndarray) -> dict[str, np.ndarray]:
    """The numbers of a, lying in every way; some are refused by name."""
    rows, columns = a.shape
    big = np.zeros((2 * rows, 3 * columns), a.dtype)
    big[::2, ::3] = a
    cut = np.zeros((rows, columns + 3), a.dtype)
    cut[:, 2:-1] = a
    read_only = a.copy()
    read_only.flags.writeable = False
    odd = np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view(a.dtype).reshape(a.shape)
    lines = np.broadcast_to(a[:1], a.shape)
    return {
        "rows": a, "columns": np.asfortranarray(a), "steps": big[::2, ::3], "cut": cut[:, 2:-1],
        "backwards": a[::-1].copy()[::-1], "mirrored": a[:, ::-1].copy()[:, ::-1], "read-only": read_only,
        "odd address": odd, "repeated": lines, "one repeated": np.broadcast_to(a[:1, :1], a.shape),
        "foreign": a.astype(a.dtype.newbyteorder()), "matrix": np.matrix(a), "masked": np.ma.masked_array(a),
    }  # fmt: skip


REFUSED = ("backwards", "mirrored", "foreign", "masked")


@pytest.mark.parametrize("dtype", [np.float32, np.float16, np.int8, ml_dtypes.bfloat16])
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_every_order_and_view_is_read_right_or_refused(door: Door, dtype: Any) -> None:
    a = filled(np.dtype(dtype), 8, 16)
    for name, view in views_of(a).items():
        try:
            found, wanted = door(view)
        except jute.Error as error:
            assert error.operand and error.violated_rules
            if door in (by_matmul, by_einsum, by_prepare):
                assert name in REFUSED, (name, error)
            continue
        assert name not in REFUSED[2:] or (name == "foreign" and np.dtype(dtype).isnative
                                           and view.dtype.isnative), name  # fmt: skip
        assert (np.asarray(found, np.float64) == wanted).all(), name


def test_numbers_and_arrays_of_numpys_scale_and_stand_in_epilogues() -> None:
    a = filled(np.dtype(np.float32), 8, 16)
    wanted = 2 * (a @ a.T)
    for two in (2, 2.0, np.float32(2), np.float64(2), np.int64(2), np.float16(2), ml_dtypes.bfloat16(2),
                np.array(2, np.float32)):  # fmt: skip
        assert (jute.matmul(a, a.T, epilogue="s*acc", inputs={"s": two}) == wanted).all()
        assert (jute.matmul(a, a.T, alpha=two) == wanted).all()
        assert (jute.prepare(a, a.T, alpha=two)(a, a.T, alpha=two) == wanted).all()
    with pytest.raises(jute.Error, match="numpy.asarray"):
        jute.scaled_mm(a, a.T, scale_a=np.float32(2))


def test_elements_below_a_byte_are_refused_even_where_their_bits_are_asked_for() -> None:
    x = np.eye(8).astype(ml_dtypes.bfloat16)
    for kind in (ml_dtypes.int4, ml_dtypes.uint4, ml_dtypes.float4_e2m1fn, ml_dtypes.int2,
                 ml_dtypes.float6_e2m3fn):  # fmt: skip
        q = np.arange(16).reshape(8, 2).astype(kind)
        for call in (
            lambda q=q: jute.scaled_mm(x, q, type_b="s4"),
            lambda q=q: jute.scaled_mm(x, q, type_b="u8"),
            lambda q=q: jute.matmul(x, q, dtype="s8"),
            lambda q=q: jute.scaled_mm(x, q),
            lambda q=q: jute.matmul(x, x, out=q),
        ):
            with pytest.raises(jute.Error) as refused:
                call()
            assert np.dtype(kind).name in str(refused.value) or "bfloat16" in str(refused.value)
