"""Operands that stay: packed once by a prepared product, taken by its calls, on the emulator."""

from __future__ import annotations

import jute
import numpy as np
import pytest
from jute import _core

random = np.random.default_rng(3)


def integers(*shape: int) -> np.ndarray:
    return random.integers(-3, 4, shape).astype(np.int8)


def exact(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.asarray(a.astype(np.int64) @ b.astype(np.int64))


def test_a_packed_operand_stands_in_for_its_array() -> None:
    """8-bit matrices that lie along N are transposed for wgmma: once, in place of in every call."""
    a, b = integers(64, 96), integers(96, 80)
    product = jute.prepare(a, b, config="transpose=on")
    assert product.packed_bytes("b") >= b.size and product.packed_bytes("a") == 0
    packed = product.pack("b", b)
    assert (packed.operand, packed.bytes) == ("b", product.packed_bytes("b"))
    for _ in range(2):
        a = integers(64, 96)
        before = _core.traffic()["bytes_in"]
        d = product(a, packed)
        assert (d == exact(a, b)).all()
        assert _core.traffic()["bytes_in"] - before == a.size  # and nothing of b
    assert (product(a, b) == exact(a, b)).all()


def test_what_was_packed_is_a_copy() -> None:
    a, b = integers(64, 96), integers(96, 80)
    product = jute.prepare(a, b, config="transpose=on")
    packed, wanted = product.pack("b", b), exact(a, b)
    b[:] = 0
    assert (product(a, packed) == wanted).all()
    assert (product(a, product.pack("b", b)) == 0).all()


def test_both_operands_may_be_packed() -> None:
    a, b = integers(96, 64).T, integers(96, 80)
    product = jute.prepare(a, b, config="transpose=on")
    d = product(product.pack("a", a), product.pack("b", b))
    assert d.dtype == np.int32 and (d == exact(a, b)).all()


def test_rows_of_a_range_share_a_packed_operand() -> None:
    a, b = integers(64, 96), integers(96, 80)
    product = jute.prepare(a, b, config="transpose=on", m_range=(1, 128))
    packed = product.pack("b", b)
    for rows in (1, 17, 64):
        assert (product(a[:rows], packed) == exact(a[:rows], b)).all()


def test_what_cannot_be_packed_is_refused() -> None:
    a, b = integers(64, 96), integers(96, 80)
    product, other = (jute.prepare(a, b, config=f"transpose={way}") for way in ("on", "off"))
    with pytest.raises(jute.Error, match="packed_bytes says 0") as refused:
        product.pack("a", a)
    assert refused.value.code == "illegal_problem"
    with pytest.raises(jute.Error, match="it must be a or b"):
        product.pack("d", a)
    with pytest.raises(jute.Error, match="prepared for"):
        product.pack("b", integers(96, 88))
    packed = product.pack("b", b)
    with pytest.raises(jute.Error, match="packed as a"):
        product(packed, b)
    with pytest.raises(jute.Error, match="the product that it is given to"):
        other(a, packed)
