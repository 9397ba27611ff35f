"""torch's own table of operators and samples, forward and gradients, served by jute.

    python3 -m pytest -m gpu tests/python/test_torch_samples.py
    python3 -m pytest -m torch tests/python/test_torch_samples.py
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import types
import unittest
from collections.abc import Callable
from typing import Any

import pytest

torch = pytest.importorskip("torch")
import jute.torch  # noqa: E402
from jute import _torch_install  # noqa: E402
from torch_served import Served  # noqa: E402

OPERATORS = ["mm", "addmm", "bmm", "baddbmm", "matmul", "nn.functional.linear", "einsum"]
#: What a result may be off by, beside its size and alone.
LOOSE = {torch.float32: (1e-4, 1e-4), torch.float64: (1e-4, 1e-4), torch.bfloat16: (4e-2, 0.8)}


def operator_of(name: str) -> Any:
    """A row of torch's table; what its module asks of expecttest is no matter here."""
    if "expecttest" not in sys.modules and importlib.util.find_spec("expecttest") is None:
        unneeded: Any = types.ModuleType("expecttest")
        unneeded.TestCase, unneeded.ACCEPT = unittest.TestCase, False
        sys.modules["expecttest"] = unneeded
    from torch.testing._internal.common_methods_invocations import op_db

    return next(each for each in op_db if each.name == name and not each.variant_test_name)


def results(operator: Any, sample: Any, convert: Callable[[Any], Any]) -> list[Any]:
    """The result and the slopes of its sum, of operands that are converted first."""

    def of(each: Any) -> Any:
        if isinstance(each, torch.Tensor):
            return convert(each.detach()).requires_grad_(each.requires_grad)
        return [of(one) for one in each] if isinstance(each, (list, tuple)) else each

    operands = [of(sample.input), *map(of, sample.args)]
    leaves = [each for each in torch.utils._pytree.tree_leaves(operands) if isinstance(each, torch.Tensor)]
    d = operator(*operands, **sample.kwargs)
    return [d.detach(), *torch.autograd.grad(d.sum(), leaves, allow_unused=True)]


@contextlib.contextmanager
def serving(device: str) -> Any:
    """Everything that jute has serves; gives a function that tells how many calls it served."""
    if device == "cpu":
        with Served() as mode:
            yield mode.served.total
        return
    jute.torch.build()
    with jute.torch.install():
        _torch_install._policy = _torch_install._Expected(always=True)
        yield lambda: sum(count for _, count, reason in jute.torch.report() if not reason)


@pytest.mark.parametrize("device", [
    pytest.param("cpu", marks=pytest.mark.torch),
    pytest.param("cuda", marks=[pytest.mark.gpu, pytest.mark.skipif(not torch.cuda.is_available(), reason="no GPU")]),
])  # fmt: skip
@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize("dtype", list(LOOSE))
def test_torch_s_own_samples(device: str, name: str, dtype: Any) -> None:
    operator = operator_of(name)
    samples = list(operator.sample_inputs(device, dtype, requires_grad=True))
    with serving(device) as served:
        ours = [results(operator, sample, lambda each: each) for sample in samples]
        assert served() > 0
    relative, absolute = LOOSE[dtype]
    for sample, values in zip(samples, ours, strict=True):
        for one, other in zip(values, results(operator, sample, torch.Tensor.double), strict=True):
            if one is not None and other is not None:
                torch.testing.assert_close(one.double(), other, rtol=relative, atol=absolute)
