"""Tensors of torch's kind, without torch: what jute asks of one, and what it makes."""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from typing import Any

import jute
import numpy as np
import pytest


class Tensor:
    """As much of torch.Tensor as jute uses, over numpy's memory."""

    def __init__(self, array: np.ndarray, requires_grad: bool = False) -> None:
        self.array, self.requires_grad = array, requires_grad
        self.asked = 0

    @property
    def shape(self) -> tuple[int, ...]:
        return self.array.shape

    @property
    def dtype(self) -> types.SimpleNamespace:
        return DTYPES[self.array.dtype.name]

    def stride(self) -> tuple[int, ...]:
        return tuple(step // self.array.itemsize for step in self.array.strides)

    def data_ptr(self) -> int:
        return int(self.array.__array_interface__["data"][0])

    def get_device(self) -> int:
        return -1

    def new_empty(self, shape: tuple[int, ...], dtype: Any = None) -> Tensor:
        return Tensor(np.empty(shape, dtype.numpy if dtype else self.array.dtype))


class Dtype(types.SimpleNamespace):
    """Prints as torch's do."""

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    __hash__ = object.__hash__


DTYPES = {name: Dtype(name=name, numpy=np.dtype(name)) for name in ("float32", "int8", "int32")}


@pytest.fixture(autouse=True)
def torch(monkeypatch: pytest.MonkeyPatch) -> Iterator[types.ModuleType]:
    module = types.ModuleType("torch")
    vars(module).update(Tensor=Tensor, is_grad_enabled=lambda: True, **DTYPES)
    monkeypatch.setitem(sys.modules, "torch", module)
    yield module


def test_a_tensor_is_read_by_its_methods_and_the_result_is_one() -> None:
    a, b = np.ones((4, 8), np.float32), np.arange(24, dtype=np.float32).reshape(3, 8)
    d = jute.matmul(Tensor(a), Tensor(b.T))
    assert isinstance(d, Tensor)
    assert (d.array == a @ b.T).all()
    assert (jute.matmul(Tensor(a[::2, :4]), Tensor(b.T[:4])).array == a[::2, :4] @ b.T[:4]).all()


def test_a_result_of_another_type_is_made_by_torchs_name() -> None:
    a = np.ones((16, 32), np.int8)
    d = jute.matmul(Tensor(a), Tensor(a.T))
    assert d.array.dtype == np.int32 and (d.array == 32).all()


def test_who_records_gradients_is_sent_to_jute_torch(torch: types.ModuleType) -> None:
    a = np.ones((4, 4), np.float32)
    with pytest.raises(jute.Error, match="jute.torch.matmul"):
        jute.matmul(Tensor(a, requires_grad=True), Tensor(a))
    vars(torch)["is_grad_enabled"] = lambda: False
    assert (jute.matmul(Tensor(a, requires_grad=True), Tensor(a)).array == 4).all()


def test_layouts_of_tensors_count_elements() -> None:
    assert jute.strided(Tensor(np.ones((4, 6), np.float32).T)) == jute.Layout("(6,4):(1,6)")


class Exported:
    """An array that offers DLPack and nothing else."""

    def __init__(self, array: np.ndarray) -> None:
        self._array, self.dtype, self.shape = array, array.dtype, array.shape

    def __dlpack__(self, **more: Any) -> Any:
        return self._array.__dlpack__(**more)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._array.__dlpack_device__()


def test_dlpack_is_enough() -> None:
    a, b = np.ones((4, 8), np.float32), np.arange(24, dtype=np.float32).reshape(3, 8)
    assert (jute.matmul(Exported(a), Exported(b.T)) == a @ b.T).all()
    assert (jute.einsum("mk,nk->mn", Exported(a), Exported(b)) == a @ b.T).all()
