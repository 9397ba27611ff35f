"""Einstein's notation against numpy's, convolutions against a loop over outputs and taps."""

from __future__ import annotations

import itertools
from typing import Any

import jute
import ml_dtypes
import numpy as np
import pytest
from jute import _core

random = np.random.default_rng(2)


def integers(*shape: int, dtype: object = np.float32) -> np.ndarray:
    """Small whole numbers: their products are exact in every type here."""
    return random.integers(-3, 4, shape).astype(dtype)  # type: ignore[call-overload]


def random_order(*shape: int) -> np.ndarray:
    """Whole numbers that lie in a random order of axes, some of them with gaps."""
    order = random.permutation(len(shape))
    steps = random.integers(1, 3, len(shape))
    wide = integers(*(shape[axis] * steps[axis] for axis in order))
    view = wide.transpose(np.argsort(order))
    return view[tuple(slice(None, None, step) for step in steps)]


@pytest.mark.parametrize(
    "subscripts, shapes",
    [("mk,kn->mn", [(5, 7), (7, 3)]), ("km,kn->mn", [(7, 5), (7, 3)]), ("mk,nk", [(5, 7), (3, 7)]),
     ("bmk,bkn->bmn", [(2, 5, 7), (2, 7, 3)]), ("abk,kcd->acdb", [(2, 3, 7), (7, 4, 2)]),
     ("mk,kn->nm", [(5, 7), (7, 3)]), ("mkl,lkn->mn", [(5, 2, 7), (7, 2, 3)]),
     ("m,n->mn", [(5,), (3,)]), ("mm,mn->mn", [(4, 4), (4, 5)]), ("mk,kn->n", [(4, 4), (4, 5)]),
     ("ii", [(5, 5)]), ("ij->ji", [(5, 3)]), ("ijk->j", [(2, 3, 4)]), ("i,i", [(9,), (9,)]),
     (",ij->i", [(), (3, 4)]), ("...ij,...jk", [(2, 3, 4, 5), (3, 5, 6)]),
     ("Ab,bA->A", [(3, 4), (4, 3)]), ("ab,bc,cd->ad", [(3, 4), (4, 5), (5, 2)]),
     ("ab,cb,dc,de->ae", [(3, 4), (2, 4), (5, 2), (5, 3)]),
     ("bqhd,bkhd->bhqk", [(2, 5, 3, 8), (2, 4, 3, 8)]),
     ("bhqk,bkhd->bqhd", [(2, 3, 5, 4), (2, 4, 3, 8)]),
     ("mk,kn->mn", [(5, 0), (0, 3)]), ("mk,kn->mn", [(0, 5), (5, 3)])],
)  # fmt: skip
def test_einstein_means_what_it_means_to_numpy(
    subscripts: str, shapes: list[tuple[int, ...]]
) -> None:
    for lay in (integers, random_order):
        arrays = [lay(*shape) for shape in shapes]
        found = jute.einsum(subscripts, *arrays)
        wanted = np.einsum(subscripts, *arrays)
        assert found.shape == wanted.shape
        assert (found == wanted).all()


def test_random_letters_mean_what_they_mean_to_numpy() -> None:
    for _ in range(40):
        letters = "abcdef"[: random.integers(2, 7)]
        extent = {letter: int(random.integers(1, 6)) for letter in letters}
        words = []
        for _ in range(random.integers(1, 4)):
            count = random.integers(1, min(len(letters), 4) + 1)
            words.append("".join(random.permutation(list(letters))[:count]))
        there = sorted({letter for word in words for letter in word})
        result = "".join(random.permutation(there)[: random.integers(0, min(len(there), 4) + 1)])
        text = ",".join(words) + "->" + result
        arrays = [random_order(*(extent[letter] for letter in word)) for word in words]
        assert (jute.einsum(text, *arrays) == np.einsum(text, *arrays)).all(), text


def test_a_contraction_goes_where_out_lies_and_takes_types() -> None:
    a, b = integers(2, 3, 8), integers(8, 4)
    whole = np.full((4, 2, 6), 9, np.float32)
    out = whole[:, :, ::2].transpose(1, 2, 0)
    assert jute.einsum("abk,kc->abc", a, b, out=out) is out
    assert (out == np.einsum("abk,kc->abc", a, b)).all() and (whole[:, :, 1::2] == 9).all()
    empty = np.full((4, 6), 9, np.float32)
    jute.einsum("mk,kn->nm", integers(3, 0), integers(0, 4), out=empty[:, ::2])
    assert (empty[:, ::2] == 0).all() and (empty[:, 1::2] == 9).all()
    for dtype in (np.float64, np.float16, ml_dtypes.bfloat16):
        d = jute.einsum("abk,kc->cab", a.astype(dtype), b.astype(dtype))
        assert d.dtype == dtype
        assert (d.astype(np.float32) == np.einsum("abk,kc->cab", a, b)).all()
    bits = [array.astype(ml_dtypes.bfloat16).view(np.uint16) for array in (a, b)]
    d = jute.einsum("abk,kc->acb", *bits, dtype="bf16", out_dtype="f32")
    assert (d == np.einsum("abk,kc->acb", a, b)).all()
    assert jute.einsum("abk,kc->abc", a.astype(np.int8), b.astype(np.int8)).dtype == np.int32


def test_what_is_no_contraction_is_refused() -> None:
    a = integers(4, 4)
    cases = [("mk,kn->mx", (a, a), "syntax"), ("mk,kn", (a, integers(3, 4)), "not_compatible"),
             ("mk,kn", (a,), "wrong_arity"), ("mk", (), "wrong_arity"),
             ("mkl,kn", (a, a), "wrong_arity"), ("mk,kn", (a[:, ::-1], a), "out_of_range"),
             ("ab,bc,cd", (a.astype(np.int8),) * 3, "illegal_problem"),
             ("mk,kn", (a, "b"), "wrong_type")]  # fmt: skip
    for text, arrays, code in cases:
        with pytest.raises(jute.Error) as refused:
            jute.einsum(text, *arrays)
        assert refused.value.code == code, text
    with pytest.raises(jute.Error, match=r"shape of the product.*\(4,4\)"):
        jute.einsum("mk,kn", a, a, out=integers(4, 5))


def looped(
    x: np.ndarray, w: np.ndarray, stride: Any, padding: Any, dilation: Any, groups: int
) -> np.ndarray:
    """Of NHWC and FRSC, by one output after the other."""
    axes = x.ndim - 2
    per_axis = lambda value: (value,) * axes if isinstance(value, int) else tuple(value)
    stride, padding, dilation = map(per_axis, (stride, padding, dilation))
    padded = np.pad(x, [(0, 0), *((p, p) for p in padding), (0, 0)])
    places = [(padded.shape[1 + i] - (w.shape[1 + i] - 1) * dilation[i] - 1) // stride[i] + 1
              for i in range(axes)]  # fmt: skip
    y = np.zeros((x.shape[0], *places, w.shape[0]), np.float64)
    features, channels = w.shape[0] // groups, w.shape[-1]
    for place in itertools.product(*map(range, places)):
        window = padded[(slice(None), *(slice(p * s, p * s + (r - 1) * d + 1, d) for p, s, r, d in
                                        zip(place, stride, w.shape[1:-1], dilation)))]  # fmt: skip
        for group in range(groups):
            filters = w[group * features : (group + 1) * features].reshape(features, -1)
            seen = window[..., group * channels : (group + 1) * channels].reshape(x.shape[0], -1)
            y[(slice(None), *place, slice(group * features, (group + 1) * features))] = (
                seen @ filters.T
            )
    return y


@pytest.mark.parametrize(
    "x, w, words",
    [((2, 6, 5, 4), (3, 3, 2, 4), {}), ((1, 7, 8, 3), (4, 3, 3, 3), {"padding": 1}),
     ((2, 9, 7, 4), (6, 3, 3, 2), {"stride": 2, "padding": (1, 0), "groups": 2}),
     ((1, 9, 9, 2), (3, 2, 3, 2), {"stride": (1, 2), "dilation": (2, 3), "padding": 2}),
     ((3, 11, 4), (5, 3, 4), {"stride": 2, "padding": 1}),
     ((1, 5, 4, 6, 3), (2, 2, 3, 2, 3), {"padding": 1, "stride": (1, 2, 1)}),
     ((2, 5, 5, 8), (8, 1, 1, 8), {})],
)  # fmt: skip
def test_convolutions_are_those_of_a_loop(
    x: tuple[int, ...], w: tuple[int, ...], words: dict[str, Any]
) -> None:
    images, filters = integers(*x), integers(*w)
    wanted = looped(
        images, filters, words.get("stride", 1), words.get("padding", 0), words.get("dilation", 1),
        words.get("groups", 1),
    )  # fmt: skip
    assert (jute.conv2d(images, filters, **words) == wanted).all()
    first = [np.ascontiguousarray(np.moveaxis(array, -1, 1)) for array in (images, filters)]
    found = jute.conv2d(*first, order="NCHW", **words)
    assert (found == np.moveaxis(wanted, -1, 1)).all()


def test_a_convolution_has_an_epilogue_and_goes_into_out() -> None:
    x, w, bias, c = integers(2, 6, 6, 4), integers(5, 3, 3, 4), integers(5), integers(2, 6, 6, 5)
    wanted = looped(x, w, 1, 1, 1, 1)
    out = np.empty((2, 6, 6, 5), np.float32)
    found = jute.conv2d(
        x, w, padding=1, out=out, epilogue="relu(acc + bias[n])", inputs={"bias": bias}
    )
    assert found is out and (out == np.maximum(wanted + bias, 0)).all()
    assert (jute.conv2d(x, w, padding=1, c=c, beta=0.5) == wanted + 0.5 * c).all()
    half = jute.conv2d(x.astype(np.float16), w.astype(np.float16), padding=1)
    assert half.dtype == np.float16 and (half == wanted).all()
    assert _core.traffic()["products"] > 0


def test_what_is_no_convolution_is_refused() -> None:
    x, w = integers(2, 6, 6, 4), integers(5, 3, 3, 4)
    cases: list[tuple[Any, Any, dict[str, Any], str, str]] = [
        (x, integers(5, 3, 3, 3), {}, "not_compatible", "w"),
        (x, integers(5, 3, 4), {}, "wrong_arity", "w"), (x[0, 0], w, {}, "wrong_arity", "x"),
        (x[::-1], w, {}, "unsupported", "x"),
        (x, w, {"stride": (1, 2, 3)}, "wrong_arity", "stride"),
        (x, w, {"order": "NWHC"}, "unknown_name", "order"),
        (x, w, {"out": integers(2, 4, 4, 6)}, "not_compatible", "out"),
        (x, w, {"stride": 0}, "illegal_problem", "H.stride"),
        (x, w, {"c": integers(2, 4, 4, 4)}, "not_compatible", "c"),
        (integers(2, 2, 6, 4), w, {}, "illegal_problem", "H.filter"),
    ]  # fmt: skip
    for images, filters, words, code, operand in cases:
        with pytest.raises(jute.Error) as refused:
            jute.conv2d(images, filters, **words)
        assert (refused.value.code, refused.value.operand) == (code, operand)
