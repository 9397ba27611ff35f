"""torch's names for products mean what they mean there, for arrays of numpy too."""

from __future__ import annotations

import jute
import numpy as np
import pytest

RANDOM = np.random.default_rng(8)


def numbers(*shape: int) -> np.ndarray:
    return RANDOM.integers(-4, 5, shape).astype(np.float32)


A, B, C, BIAS = numbers(6, 8), numbers(8, 5), numbers(6, 5), numbers(5)


def test_matrices_and_batches() -> None:
    assert (jute.mm(A, B) == A @ B).all()
    a, b = numbers(3, 6, 8), numbers(3, 8, 5)
    assert (jute.bmm(a, b) == a @ b).all()


@pytest.mark.parametrize("alpha, beta", [(1.0, 1.0), (2.0, -3.0), (0.5, 0.0), (0.0, 2.0)])
@pytest.mark.parametrize("added", [C, BIAS], ids=["matrix", "bias"])
def test_what_is_added_is_scaled(added: np.ndarray, alpha: float, beta: float) -> None:
    out = np.full((6, 5), np.nan, np.float32)
    assert jute.addmm(added, A, B, alpha=alpha, beta=beta, out=out) is out
    assert (out == alpha * (A @ B) + beta * added).all()


def test_a_layer_has_leading_axes_and_a_bias() -> None:
    x, weight = numbers(2, 3, 8), numbers(5, 8)
    assert (jute.linear(x, weight) == x @ weight.T).all()
    assert (jute.linear(x, weight, BIAS) == x @ weight.T + BIAS).all()


def test_other_axes_are_refused() -> None:
    for call in (lambda: jute.mm(A[0], B), lambda: jute.bmm(A, B), lambda: jute.linear(A, BIAS)):
        with pytest.raises(jute.Error, match=r"must have \d axes"):
            call()


def test_a_name_that_is_none_is_told_the_nearest() -> None:
    with pytest.raises(AttributeError, match="did you mean 'linear'"):
        jute.linaer  # noqa: B018
