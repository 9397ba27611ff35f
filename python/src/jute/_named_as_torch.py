"""Products under torch's names, of arrays of any library: what they take and give is torch's."""

from __future__ import annotations

from typing import Any

from ._products import matmul
from ._refusals import refused, refusing


def _check_axes(count: int, **arrays: Any) -> None:
    for name, array in arrays.items():
        shape = tuple(array.shape)
        if len(shape) != count:
            rule = f"it must have {count} axes: jute.matmul takes any"
            raise refused("wrong_arity", name, shape, rule, "jute.matmul")


@refusing
def mm(a: Any, b: Any, *, out: Any = None) -> Any:
    """a·b of two matrices, (M,K) and (K,N), as torch.mm.

    Raises :class:`jute.Error`: wrong_arity, of other axes; what jute.matmul refuses.
    """
    _check_axes(2, a=a, b=b)
    return matmul(a, b, out=out)


@refusing
def bmm(a: Any, b: Any, *, out: Any = None) -> Any:
    """a·b of two batches of matrices, (batch,M,K) and (batch,K,N), as torch.bmm.

    Raises :class:`jute.Error`: wrong_arity, of other axes; what jute.matmul refuses.
    """
    _check_axes(3, a=a, b=b)
    return matmul(a, b, out=out)


@refusing
def addmm(input: Any, a: Any, b: Any, *, beta: float = 1.0, alpha: float = 1.0, out: Any = None) -> Any:
    """beta·input + alpha·a·b, as torch.addmm: input (M,N), or (N), which is added to every row.

    Raises :class:`jute.Error`: wrong_arity, of other axes; what jute.matmul refuses.
    """
    _check_axes(2, a=a, b=b)
    if beta == 0:
        return matmul(a, b, alpha=alpha, out=out)
    if len(input.shape) == 2:
        return matmul(a, b, c=input, alpha=alpha, beta=beta, out=out)
    _check_axes(1, input=input)
    return matmul(a, b, epilogue="alpha*acc + beta*bias[n]", inputs={"bias": input}, alpha=alpha, beta=beta, out=out)


@refusing
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input·weightᵀ + bias, as torch.nn.functional.linear: (…,K), (N,K) and (N); jute.torch.Linear has gradients.

    Raises :class:`jute.Error`: wrong_arity, of a weight that is no matrix; what jute.matmul refuses.
    """
    _check_axes(2, weight=weight)
    turned = weight.T
    if bias is None:
        return matmul(input, turned)
    return matmul(input, turned, epilogue="acc + bias[n]", inputs={"bias": bias})
