"""Gradients of convolutions on the emulator: against loops of numpy that share no code with jute."""

from __future__ import annotations

import itertools
from typing import Any

import jute
import ml_dtypes
import numpy as np
import pytest
from jute import _core

random = np.random.default_rng(7)


def integers(*shape: int) -> np.ndarray:
    """Small whole numbers, whose sums are exact in every type here."""
    return random.integers(-3, 4, shape).astype(np.float32)


def per_axis(value: Any, axes: int) -> tuple[int, ...]:
    return (value,) * axes if isinstance(value, int) else tuple(value)


def meetings(x: tuple[int, ...], w: tuple[int, ...], words: dict[str, Any]) -> Any:
    """Every place of an output and tap with the place of the input that they meet, none outside."""
    axes = len(x) - 2
    stride, padding, dilation = (
        per_axis(words.get(name, usual), axes)
        for name, usual in (("stride", 1), ("padding", 0), ("dilation", 1))
    )
    outputs = [(x[1 + i] + 2 * padding[i] - (w[1 + i] - 1) * dilation[i] - 1) // stride[i] + 1
               for i in range(axes)]  # fmt: skip
    for place in itertools.product(*map(range, outputs)):
        for tap in itertools.product(*map(range, w[1:-1])):
            met = tuple(p * s + t * d - q
                        for p, t, s, d, q in zip(place, tap, stride, dilation, padding))  # fmt: skip
            if all(0 <= m < extent for m, extent in zip(met, x[1:-1])):
                yield place, tap, met


def looped(
    x: np.ndarray, w: np.ndarray, dy: np.ndarray, words: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray]:
    """dx and dw in float64; all are NHWC."""
    dx, dw = np.zeros(x.shape), np.zeros(w.shape)
    groups = words.get("groups", 1)
    features, channels = w.shape[0] // groups, w.shape[-1]
    every = slice(None)
    for place, tap, met in meetings(x.shape, w.shape, words):
        for group in range(groups):
            f = slice(group * features, (group + 1) * features)
            c = slice(group * channels, (group + 1) * channels)
            of_y = dy[(every, *place, f)].astype(np.float64)
            dx[(every, *met, c)] += of_y @ w[(f, *tap)]
            dw[(f, *tap)] += of_y.T @ x[(every, *met, c)]
    return dx, dw


def first(array: np.ndarray) -> np.ndarray:
    """Channels first."""
    return np.ascontiguousarray(np.moveaxis(array, -1, 1))


CASES: list[tuple[tuple[int, ...], tuple[int, ...], dict[str, Any]]] = [
    ((2, 6, 5, 4), (3, 3, 2, 4), {}),
    ((1, 7, 8, 3), (4, 3, 3, 3), {"padding": 1}),
    ((2, 9, 7, 4), (6, 3, 3, 2), {"stride": 2, "padding": (1, 0), "groups": 2}),
    ((1, 9, 9, 2), (3, 2, 3, 2), {"stride": (1, 2), "dilation": (2, 3), "padding": 2}),
    ((2, 8, 8, 3), (4, 1, 1, 3), {"stride": 3}),  # most inputs are seen by nothing
    ((3, 11, 4), (5, 3, 4), {"stride": 2, "padding": 1}),
    ((1, 5, 4, 6, 3), (2, 2, 3, 2, 3), {"padding": 1, "stride": (1, 2, 1)}),
]


@pytest.mark.parametrize("x_shape, w_shape, words", CASES)
def test_gradients_are_those_of_a_loop(
    x_shape: tuple[int, ...], w_shape: tuple[int, ...], words: dict[str, Any]
) -> None:
    x, w = integers(*x_shape), integers(*w_shape)
    dy = integers(*jute.conv2d(x, w, **words).shape)
    dx, dw = looped(x, w, dy, words)
    assert (jute.conv2d_input(x.shape, w, dy, **words) == dx).all()
    assert (jute.conv2d_weight(x, w.shape, dy, **words) == dw).all()
    turned = {**words, "order": "NCHW"}
    of_x, of_w, of_y = first(x), first(w), first(dy)
    assert (jute.conv2d_input(of_x.shape, of_w, of_y, **turned) == first(dx)).all()
    assert (jute.conv2d_weight(of_x, of_w.shape, of_y, **turned) == first(dw)).all()


def test_gradients_go_into_out_in_its_type() -> None:
    x, w, words = integers(2, 9, 9, 4), integers(6, 3, 3, 4), {"stride": 2, "padding": 1}
    dy = integers(2, 5, 5, 6)
    dx, dw = looped(x, w, dy, words)
    half = [array.astype(ml_dtypes.bfloat16) for array in (x, w, dy)]
    out = np.full(x.shape, np.nan, np.float32)
    before = _core.traffic()["products"]
    assert jute.conv2d_input(x.shape, half[1], half[2], out=out, **words) is out
    assert _core.traffic()["products"] == before + 1  # of four parts
    assert (out == dx).all()
    found = jute.conv2d_weight(half[0], w.shape, half[2], out_dtype="f32", **words)
    assert found.dtype == np.float32 and (found == dw).all()
    usual = jute.conv2d_input(x.shape, half[1], half[2], **words)
    assert usual.dtype == ml_dtypes.bfloat16
    assert (usual == dx.astype(ml_dtypes.bfloat16)).all()


def test_images_filters_and_results_lie_by_any_strides() -> None:
    x, w, dy = integers(2, 6, 6, 4), integers(5, 3, 3, 4), integers(2, 4, 4, 5)
    y, (dx, dw) = jute.conv2d(x, w), looped(x, w, dy, {})
    wide = np.full((3, 9, 13, 10), 77, np.float32)
    crop = wide[1:, 2:8, 1::2, 3:7]
    crop[...] = x
    assert (jute.conv2d(crop, w) == y).all()
    first = [array.transpose(0, 3, 1, 2) for array in (x, w, y)]  # as torch's channels_last lies
    assert (jute.conv2d(first[0], first[1], order="NCHW") == first[2]).all()
    assert (jute.conv2d(crop.transpose(0, 3, 1, 2), first[1].copy(), order="NCHW") == first[2]).all()
    repeated = np.broadcast_to(w[:1], w.shape)
    assert (jute.conv2d(x, repeated) == jute.conv2d(x, repeated.copy())).all()
    out = np.full((2, 4, 8, 7), 9, np.float32)
    assert jute.conv2d(crop, w, out=out[:, :, ::2, 1:6]) is not None
    assert (out[:, :, ::2, 1:6] == y).all() and (out[:, :, 1::2] == 9).all() and (out[..., 0] == 9).all()
    c = integers(5, 2, 4, 4).transpose(1, 2, 3, 0)
    assert (jute.conv2d(x, w, c=c, beta=2) == y + 2 * c).all()
    turned = np.ascontiguousarray(dy.transpose(3, 0, 1, 2)).transpose(1, 2, 3, 0)
    assert (jute.conv2d_input(x.shape, w, turned, out=crop) == dx).all()
    assert (wide[0] == 77).all() and (wide[1:, 2:8, ::2] == 77).all()
    crop[...] = x
    assert (jute.conv2d_weight(crop, w.shape, turned) == dw).all()


def test_what_is_no_gradient_is_refused() -> None:
    x, w, dy = integers(2, 6, 6, 4), integers(5, 3, 3, 4), integers(2, 4, 4, 5)
    cases: list[tuple[Any, str, str]] = [
        (lambda: jute.conv2d_input((2, 6, 6, 3), w, dy), "not_compatible", "w"),
        (lambda: jute.conv2d_input((2, 6, 6), w, dy), "wrong_arity", "w"),
        (lambda: jute.conv2d_input((2, 6, -6, 4), w, dy), "out_of_range", "input_size"),
        (lambda: jute.conv2d_input(x.shape, w, dy[:, :3].copy()), "not_compatible", "dy"),
        (lambda: jute.conv2d_input(x.shape, w, dy[:, :, ::-1]), "unsupported", "dy"),
        (lambda: jute.conv2d_input(x.shape, w[..., ::2], dy), "not_compatible", "w"),
        (lambda: jute.conv2d_input(x.shape, w[::-1], dy), "unsupported", "w"),
        (lambda: jute.conv2d_input(x.shape, w, dy, out=dy), "not_compatible", "out"),
        (lambda: jute.conv2d_weight(x, (5, 3, 3, 3), dy), "not_compatible", "w"),
        (lambda: jute.conv2d_weight(x, w.shape, dy, stride=0), "illegal_problem", "H.stride"),
        (lambda: jute.conv2d_input((2, 6, "6", 4), w, dy), "wrong_type", "input_size"),
        (lambda: jute.conv2d(x, w, padding="same"), "wrong_type", "padding"),
        (lambda: jute.conv2d(x, w, stride=1.5), "wrong_type", "stride"),
        (lambda: jute.conv2d(x, w, dilation=(1, 2**64)), "wrong_type", "dilation"),
        (lambda: jute.conv2d_weight(x, w.shape, dy, order="x"), "unknown_name", "order"),
        (lambda: jute.conv2d_weight(x, w.shape, dy, padding=(1,)), "wrong_arity", "padding"),
    ]  # fmt: skip
    for call, code, operand in cases:
        with pytest.raises(jute.Error) as refused:
            call()
        assert (refused.value.code, refused.value.operand) == (code, operand)


def test_numpys_integers_are_integers() -> None:
    x, w = integers(1, 6, 6, 4), integers(5, 3, 3, 4)
    found = jute.conv2d(x, w, stride=np.int64(2), padding=np.array([1, 1]))
    assert (found == jute.conv2d(x, w, stride=2, padding=1)).all()
