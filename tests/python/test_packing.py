"""Weights from one format's order to another's: what arrays hold, and what is refused."""

from __future__ import annotations

import jute
import numpy as np
import pytest

random = np.random.default_rng(67)
FORMATS = ["gptq", "gptq_v2", "awq", "marlin", "jute", "jute-kn", "jute-row", "bytes"]


def gptq_words(q: np.ndarray) -> np.ndarray:
    """(N,K) as AutoGPTQ packs it: eight of K a word, the first lowest."""
    n, k = q.shape
    words = np.zeros((k // 8, n), np.uint32)
    for i in range(8):
        words |= q.T[i::8].astype(np.uint32) << np.uint32(4 * i)
    return words.view(np.int32)


def awq_words(q: np.ndarray) -> np.ndarray:
    n, k = q.shape
    words = np.zeros((k, n // 8), np.uint32)
    for i, column in enumerate([0, 2, 4, 6, 1, 3, 5, 7]):
        words |= q.T[:, column::8].astype(np.uint32) << np.uint32(4 * i)
    return words.view(np.int32)


def test_weights_are_packed_as_the_formats_say() -> None:
    q = random.integers(0, 16, (64, 48), dtype=np.uint8)
    assert (jute.pack_weights(q, "bytes", "gptq") == gptq_words(q)).all()
    assert (jute.pack_weights(q, "bytes", "awq") == awq_words(q)).all()
    halves = jute.pack_weights(gptq_words(q), "gptq", "jute")
    assert halves.dtype == np.uint8 and halves.shape == (64, 24)
    assert (halves & 15 == q[:, ::2]).all() and (halves >> 4 == q[:, 1::2]).all()


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("part", ["weights", "scales", "zeros"])
def test_every_format_gives_back_what_it_was_given(to: str, part: str) -> None:
    array = {
        "weights": gptq_words(random.integers(0, 16, (128, 32), dtype=np.uint8)),
        "scales": random.standard_normal((3, 128)).astype(np.float16),
        # From 1 to 15: what all of them hold.
        "zeros": awq_words(random.integers(1, 16, (128, 3), dtype=np.uint8)),
    }[part]
    packed = jute.pack_weights(array, "gptq_v2", to, part=part)
    back = jute.pack_weights(packed, to, "gptq_v2", part=part)
    assert back.dtype == array.dtype and (back == array).all()


def test_zero_points_of_gptq_count_from_one() -> None:
    words = np.array([[0x77777770]], np.int32)
    zeros = jute.pack_weights(words, "gptq", "jute", part="zeros")
    assert zeros.tolist() == [[1]] + [[8]] * 7


def test_signed_bytes() -> None:
    q = np.array([[-1, 7], [-8, 0]], np.int8)
    halves = jute.pack_weights(q, "bytes", "jute", dtype="s4")
    assert halves.tolist() == [[0x7F], [0x08]]
    back = jute.pack_weights(halves, "jute", "bytes", dtype="s4")
    assert back.dtype == np.int8 and (back == q).all()


def test_a_packing_is_a_layout() -> None:
    layout = jute.packed_layout("gptq", 64, 128)
    assert str(layout) == "((1,64),(8,16)):((0,8),(1,512))"
    way = jute.composition(jute.packed_layout("awq", 64, 128), jute.left_inverse(layout))
    assert way(layout(5, 9)) == jute.packed_layout("awq", 64, 128)(5, 9)
    assert jute.packed_layout("marlin", 64, 1, "scales")(8) == 2


@pytest.mark.parametrize(
    "array, arguments, code",
    [
        (np.zeros((4, 8), np.int32), ("gtpq", "awq"), "unknown_name"),
        (np.zeros((4, 8), np.uint8), ("gptq", "awq"), "wrong_type"),
        (np.zeros((4, 8, 1), np.int32), ("gptq", "awq"), "wrong_type"),
        (np.zeros((4, 8), np.int32), ("gptq", "marlin"), "not_divisible"),
        (np.full((8, 1), 16, np.uint8), ("bytes", "awq"), "out_of_range"),
    ],
)
def test_what_cannot_be_packed_is_refused(
    array: np.ndarray, arguments: tuple[str, str], code: str
) -> None:
    with pytest.raises(jute.Error) as refusal:
        jute.pack_weights(array, *arguments)
    assert refusal.value.code == code


def test_scales_and_zeros_go_with_weights() -> None:
    q = random.integers(0, 16, (64, 32), dtype=np.uint8)
    scales, zeros = random.standard_normal((64, 2)), random.integers(1, 16, (64, 2), dtype=np.uint8)
    packed = jute.pack_weights(q, "bytes", "marlin", scales=scales, zeros=zeros)
    assert all(
        (one == jute.pack_weights(given, "bytes", "marlin", part=part)).all()
        for one, given, part in zip(
            packed, (q, scales, zeros), ("weights", "scales", "zeros"), strict=True
        )
    )
    assert jute.pack_weights(q, "bytes", "awq", scales=scales)[2] is None
    with pytest.raises(jute.Error, match="beside weights"):
        jute.pack_weights(scales, "bytes", "awq", part="scales", zeros=zeros)


def test_arrays_of_torch_stay_so() -> None:
    torch = pytest.importorskip("torch")
    q = random.integers(0, 16, (64, 32), dtype=np.uint8)
    scales = torch.randn(64, 2).to(torch.bfloat16)
    words, moved, none = jute.pack_weights(torch.from_numpy(q), "bytes", "gptq", scales=scales)
    assert words.dtype == torch.int32 and none is None
    assert (words.numpy() == jute.pack_weights(q, "bytes", "gptq")).all()
    assert moved.dtype == torch.bfloat16 and (moved == scales.T).all()
