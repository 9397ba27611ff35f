"""jute: CuTe's layouts as values, kernels planned and written from them, an emulator for kernels.

Layouts    Layout, Swizzle, and every function of the algebra under CuTe's name: composition,
           logical_divide, right_inverse, …; also ``a @ b``, ``a / b``, ``a * b``
Atoms      MmaAtom, CopyAtom, TiledMMA, TiledCopy, atoms
Plans      plan, Problem, Plan; planned_for another chip
Weights    pack_weights, packed_layout
Products   matmul, scaled_mm, grouped_mm, einsum, conv2d and its gradients, prepare,
           prepare_groups, prepare_scaled; quantised, rounded_by_seed: epilogues; torch's names mm, bmm,
           addmm, linear; jute.torch, jute.jax
Kernels    emulate, Emulator, unset, tensor_map; check for tests of them
Refusals   Error

Importing it loads neither numpy nor torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import _core
from ._convolutions import conv2d_input, conv2d_weight
from ._core import *
from ._core import MmaAtom, __version__, composition, eval, max, min, slice, sum, zip
from ._named_as_torch import addmm, bmm, linear, mm
from ._packing import pack_weights
from ._plans import plan, planned_for
from ._products import (
    conv2d,
    einsum,
    grouped_mm,
    matmul,
    prepare,
    prepare_groups,
    prepare_scaled,
    quantised,
    rounded_by_seed,
    scaled_mm,
)
from ._strided import strided
from .error import Error

# Names that pycute and tensor-layouts have for the same: docs/from-cute.md.
compose = composition
slice_ = slice
tuple_max = max
MMAAtom = MmaAtom

if TYPE_CHECKING:
    from ._doctor import doctor
    from .emulation import Emulator, Finding, Report, emulate, tensor_map, unset
    from .testing import Findings, check

#: Loaded when they are first named, so that importing jute stays quick.
_LATER = {
    "doctor": "_doctor",
    **dict.fromkeys(("Emulator", "Finding", "Report", "emulate", "tensor_map", "unset"), "emulation"),
    **dict.fromkeys(("Findings", "check"), "testing"),
}


def __getattr__(name: str) -> Any:
    """What `_LATER` names; `jute.torch` and `jute.jax` only where they are imported."""
    if name not in _LATER:
        near = "" if name.startswith("_") else _core.nearest_name(name, __all__)
        told = f": did you mean {near!r}?" if near else ""
        raise AttributeError(f"module 'jute' has no attribute {name!r}{told}")
    from importlib import import_module

    value = getattr(import_module(f".{_LATER[name]}", __name__), name)
    globals()[name] = value
    return value


#: Without what would hide Python's own: eval, max, min, slice, sum and zip are jute.eval, ….
__all__ = [
    "addmm", "bmm", "compose", "conv2d", "conv2d_input", "conv2d_weight", "einsum", "Error", "grouped_mm", "linear",
    "matmul", "mm", "MMAAtom",
    "pack_weights", "plan", "planned_for", "prepare", "prepare_groups", "prepare_scaled", "quantised",
    "rounded_by_seed", "scaled_mm", "slice_", "strided", "tuple_max",
    "check", "doctor", "emulate", "Emulator", "Finding", "Findings", "Report", "tensor_map", "unset",
]  # fmt: skip
__all__ += _core.__all__
