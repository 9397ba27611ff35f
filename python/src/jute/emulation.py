"""Kernels of one's own on the emulator, with numpy's arrays as their memory."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _core
from ._core import Finding, Report
from .error import Error

#: Grid, block and cluster: one number counts along x.
Extent = int | Sequence[int]

#: How struct packs a number for each kind of parameter.
_PACKED = {
    "i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q", "f32": "<f", "f64": "<d",
    "u8": "<B", "u16": "<H", "pointer": "<Q",
}  # fmt: skip


@dataclass(frozen=True)
class unset:
    """An argument whose memory begins unwritten: a kernel that reads it first is found out.

    ``array`` gets what the kernel leaves there; what it never writes becomes 0.
    """

    array: Any


@dataclass(frozen=True)
class tensor_map:
    """An argument that is a TMA tensor map over an array, which must be another argument too.

    box      extents of one transfer, outermost first, as the array's axes
    swizzle  ``"none"``, ``"32B"``, ``"64B"`` or ``"128B"``
    dtype    of the elements, where the array only holds their bits
    """

    array: Any
    box: Sequence[int]
    swizzle: str = "none"
    dtype: Any = None


def _three(extent: Extent) -> list[int]:
    given = [extent] if isinstance(extent, int) else list(extent)
    return [int(each) for each in given] + [1] * (3 - len(given))


def _address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


def _read_source(source: str | Path) -> tuple[str, str]:
    """(text, file) of a path, or of a text that is none."""
    if isinstance(source, Path) or "\n" not in source:
        path = Path(source)
        try:
            return path.read_text(encoding="utf-8"), str(path)
        except OSError as error:
            raise Error(
                "file_not_found",
                operand="source",
                value=str(path),
                violated_rules=(f"it must be a file or a text of several lines: {error.strerror}",),
            ) from None
    return source, "kernel.ptx" if ".entry" in source else "kernel.cu"


class Emulator:
    """An emulator with memory of its own; every launch is checked while it runs.

    check     ``"full"`` (races, barriers, proxies), ``"memory"`` (uninitialised reads) or ``"none"``
    schedule  when warps run and asynchronous work lands: ``"fixed"``, ``"random"`` (by ``seed``),
              ``"late"`` or ``"early"``
    device    the chip that it stands for
    """

    def __init__(
        self,
        *,
        check: str = "full",
        schedule: str = "fixed",
        seed: int = 0,
        device: str = "h200",
        resident_blocks: int = 0,
    ) -> None:
        self.schedule = schedule
        self._core = _core.Emulator(check, schedule, seed, device, resident_blocks)

    def launch(
        self,
        source: str | Path,
        grid: Extent,
        block: Extent,
        args: Iterable[Any] = (),
        *,
        kernel: str = "",
        cluster: Extent = 1,
        shared_bytes: int = 0,
        cooperative: bool = False,
        arch: str = "sm_90a",
        options: Sequence[str] = (),
    ) -> Report:
        """Runs one kernel and gives what was found; see :func:`emulate` for the arguments."""
        text, file = _read_source(source)
        ptx, symbol = _ptx(text, file, kernel, arch, tuple(options))
        parameters = _parameters(ptx, symbol)
        memory = _Memory(self._core)
        packed = memory.pack(list(args), parameters)
        self._core.launch(
            ptx, symbol, _three(grid), _three(block), _three(cluster), shared_bytes, cooperative,
            packed,
        )  # fmt: skip
        report = self._core.report()
        memory.fetch()
        return report


class _Memory:
    """The arrays of one launch, each once however often it is an argument."""

    def __init__(self, core: _core.Emulator) -> None:
        self._core = core
        self._places: dict[int, tuple[Any, int]] = {}

    def _place(self, array: Any, *, filled: bool = True) -> int:
        if not array.flags["C_CONTIGUOUS"]:
            raise Error(
                "unsupported",
                operand="args",
                value=f"strides {array.strides}",
                violated_rules=("an array must be contiguous: numpy.ascontiguousarray makes it so",),
            )
        host = _address(array)
        if host not in self._places:
            place = self._core.allocate(array.nbytes)
            if filled:
                self._core.write(place, host, array.nbytes)
            self._places[host] = (array, place)
        return self._places[host][1]

    def _map(self, wanted: tensor_map) -> bytes:
        array = wanted.array
        dtype = str(wanted.dtype or array.dtype)
        return self._core.tensor_map(
            self._place(array), _core.dtype_name(dtype), list(reversed(array.shape)),
            list(reversed(array.strides[:-1])), list(reversed(wanted.box)), wanted.swizzle,
        )  # fmt: skip

    def _bytes(self, argument: Any, kind: str) -> bytes:
        if isinstance(argument, unset):
            return struct.pack("<Q", self._place(argument.array, filled=False))
        if isinstance(argument, tensor_map):
            return self._map(argument)
        if isinstance(argument, bytes | bytearray):
            return bytes(argument)
        if argument is None:
            return struct.pack("<Q", 0)
        if hasattr(argument, "__array_interface__") and getattr(argument, "ndim", 0) > 0:
            return struct.pack("<Q", self._place(argument))
        if hasattr(argument, "tobytes"):  # a number of numpy's has its own size
            return bytes(argument.tobytes())
        return struct.pack(_PACKED.get(kind, "<q"), argument)

    def pack(self, args: list[Any], parameters: list[tuple[str, str, int]]) -> list[bytes]:
        """One text of bytes for each parameter; a number takes the parameter's type."""
        # Arrays come before the maps over them, whichever stands first.
        for argument in args:
            if isinstance(argument, unset):
                self._bytes(argument, "pointer")
        kinds = [kind for _, kind, _ in parameters]
        kinds += ["pointer"] * (len(args) - len(kinds))
        packed = []
        for place, (argument, kind) in enumerate(zip(args, kinds, strict=False)):
            try:
                packed.append(self._bytes(argument, kind))
            except (struct.error, TypeError) as error:
                name = parameters[place][0] if place < len(parameters) else ""
                raise Error(
                    "signature_mismatch",
                    operand=f"argument {place + 1}, {name}",
                    value=repr(argument),
                    violated_rules=(f"it must fit a parameter of kind {kind}: {error}",),
                ) from None
        return packed

    def fetch(self) -> None:
        """What kernels left, into arrays that may be written."""
        for array, place in self._places.values():
            if array.flags.writeable:
                self._core.read(_address(array), place, array.nbytes)
        self._core.release()


def _ptx(
    text: str, file: str, kernel: str, arch: str, options: tuple[str, ...]
) -> tuple[str, str]:
    """(PTX, symbol) of a kernel in a text of CUDA or PTX."""
    if not file.endswith(".cu"):
        return text, _core.find_kernel(text, kernel)
    instances = [kernel] if "<" in kernel and "(" not in kernel else []
    ptx, symbols = _core.ptx_of(text, file, arch, list(options), instances)
    return ptx, symbols[0] if symbols else _core.find_kernel(ptx, kernel)


def _parameters(ptx: str, symbol: str) -> list[tuple[str, str, int]]:
    for name, _, parameters in _core.kernels_of(ptx):
        if name == symbol:
            return parameters
    return []


def emulate(
    source: str | Path,
    grid: Extent,
    block: Extent,
    args: Iterable[Any] = (),
    *,
    kernel: str = "",
    cluster: Extent = 1,
    shared_bytes: int = 0,
    cooperative: bool = False,
    check: str = "full",
    schedule: str = "fixed",
    seed: int = 0,
    device: str = "h200",
    arch: str = "sm_90a",
    options: Sequence[str] = (),
) -> Report:
    """Runs a kernel on the CPU, checks it, and leaves in the arrays what it left in memory.

    source        a file (.ptx, .cu) or a text of several lines; CUDA is compiled by NVRTC, and host
                  code in it is left out
    grid, block   blocks, and threads of a block: a number, or up to three
    args          one for each parameter: arrays of numpy (contiguous; those that may be written are
                  written back), numbers, None (a null pointer), bytes (a structure),
                  :class:`unset`, :class:`tensor_map`
    kernel        its symbol, C++ name or short name; of a template with arguments,
                  ``"scale<float>"``; not needed where the text has one
    shared_bytes  of dynamic shared memory
    cooperative   all blocks are on the chip together
    arch          what CUDA text is compiled for

    The result has ``findings`` (each with code, message, parties), ``counters``, ``printed``.

    >>> import numpy, jute
    >>> x = numpy.arange(4, dtype=numpy.float32)
    >>> text = '''
    ... extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }
    ... '''
    >>> jute.emulate(text, 1, 4, [x]).clean, x.tolist()
    (True, [0.0, 2.0, 4.0, 6.0])
    """
    emulator = Emulator(check=check, schedule=schedule, seed=seed, device=device)
    return emulator.launch(
        source, grid, block, args, kernel=kernel, cluster=cluster, shared_bytes=shared_bytes,
        cooperative=cooperative, arch=arch, options=options,
    )  # fmt: skip


__all__ = ["Emulator", "Finding", "Report", "emulate", "tensor_map", "unset"]
