"""Tensors of torch's kind, without torch: what jute asks of one, and what it makes."""

from __future__ import annotations

import ctypes
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

    device = types.SimpleNamespace(type="cpu")
    is_negative = False

    def get_device(self) -> int:
        return -1

    def is_neg(self) -> bool:
        return self.is_negative

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


def test_a_tensor_that_is_elsewhere_or_negated_when_read_is_refused() -> None:
    a = np.ones((4, 8), np.float32)
    elsewhere = Tensor(a)
    elsewhere.device = types.SimpleNamespace(type="meta")
    with pytest.raises(jute.Error, match="a tensor on meta"):
        jute.matmul(elsewhere, Tensor(a.T))
    imaginary = Tensor(np.ones((4, 8, 2), np.float32)[..., 1])
    imaginary.is_negative = True
    with pytest.raises(jute.Error, match="resolve_neg"):
        jute.matmul(imaginary, Tensor(a.T))


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


class DLTensor(ctypes.Structure):
    """dlpack.h, version 1.2."""

    _fields_ = (
        ("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
    )  # fmt: skip


FromObject = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.POINTER(DLTensor))


class ExchangeApi(ctypes.Structure):
    _fields_ = (
        ("major", ctypes.c_uint32), ("minor", ctypes.c_uint32), ("previous", ctypes.c_void_p),
        ("allocate", ctypes.c_void_p), ("managed_from", ctypes.c_void_p),
        ("managed_to", ctypes.c_void_p), ("tensor_from", FromObject), ("stream", ctypes.c_void_p),
    )  # fmt: skip


def test_a_tensor_with_c_functions_is_asked_by_them_alone(torch: types.ModuleType) -> None:
    asked: list[Any] = []

    def fill(tensor: Any, out: Any) -> int:
        asked.append(tensor)
        array = tensor.array
        if array.dtype == np.int8:  # as a library refuses what it has no code for
            return -1
        numbers = ctypes.c_int64 * max(array.ndim, 1)
        tensor.kept = numbers(*array.shape), numbers(*Tensor.stride(tensor))
        out[0] = DLTensor(
            array.ctypes.data - 4, 1, 0, array.ndim, 2, 32, 1,
            ctypes.cast(tensor.kept[0], ctypes.POINTER(ctypes.c_int64)),
            ctypes.cast(tensor.kept[1], ctypes.POINTER(ctypes.c_int64)), 4,
        )  # fmt: skip
        return 0

    api = ExchangeApi(1, 2, None, None, None, None, FromObject(fill), None)
    later = ExchangeApi(2, 0, ctypes.addressof(api))  # whose earlier functions are known
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)

    class Quick(Tensor):
        __dlpack_c_exchange_api__ = capsule(ctypes.addressof(later), b"dlpack_exchange_api", None)

        def get_device(self) -> int:
            if self.array.dtype == np.int8:
                return -1
            raise AssertionError("attributes are not asked")

        def new_empty(self, shape: tuple[int, ...], dtype: Any = None) -> Tensor:
            return Quick(super().new_empty(shape, dtype).array)

    wide = np.arange(24, dtype=np.float32).reshape(4, 6)
    a, b = Quick(wide[:, ::2]), Quick(np.ones((3, 2), np.float32))
    d = jute.matmul(a, b)
    assert (d.array == wide[:, ::2] @ b.array).all()
    assert asked == [a, b, d]
    small = Quick(np.ones((4, 16), np.int8)), Quick(np.ones((16, 4), np.int8))
    assert (jute.matmul(*small).array == 16).all()
