"""What this Python has of what jute can use, and what to do about what is missing."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import dataclass

from . import _core
from .error import Error


@dataclass(frozen=True)
class Part:
    """One thing that jute can use: ``what`` it is, or the ``remedy`` where it is not found."""

    name: str
    found: bool
    what: str
    remedy: str = ""


@dataclass(frozen=True)
class Health:
    """All parts; prints as a line each."""

    parts: tuple[Part, ...]

    def __getitem__(self, name: str) -> Part:
        return next(part for part in self.parts if part.name == name)

    def __str__(self) -> str:
        width = max(len(part.name) for part in self.parts)
        return "\n".join(
            f"{part.name:{width}}  {part.what if part.found else 'missing: ' + part.remedy}"
            for part in self.parts
        )

    __repr__ = __str__


def _module(name: str, remedy: str) -> Part:
    """A module by its metadata: nothing is imported that is not there already."""
    if importlib.util.find_spec(name) is None:
        return Part(name, False, "", remedy)
    from importlib.metadata import PackageNotFoundError, version

    try:
        return Part(name, True, version(name))
    except PackageNotFoundError:
        return Part(name, True, "installed")


def doctor() -> Health:
    """What was found: the driver's devices, NVRTC, numpy, ml_dtypes, torch.

    >>> import jute
    >>> jute.doctor()["python"].found
    True
    """
    try:
        devices = _core.driver_devices()
    except Error:  # a driver that does not answer is as good as none
        devices = []
    try:
        nvrtc = _core.compiler_path()
    except Error:
        nvrtc = ""
    return Health(
        (
            Part("jute", True, f"{_core.__version__} in {_core.__file__}"),
            Part("python", True, sys.version.split()[0]),
            Part(
                "gpu",
                bool(devices),
                ", ".join(devices),
                "products of numpy arrays run on the emulator; an NVIDIA driver and GPU run others",
            ),
            Part("nvrtc", bool(nvrtc), nvrtc, "pip install nvidia-cuda-nvrtc"),
            _module("numpy", "pip install numpy, for arrays on the emulator"),
            _module("ml_dtypes", "pip install ml_dtypes, for bf16 and 8-bit floats of numpy"),
            _module("torch", "pip install torch, for jute.torch"),
        )
    )
