"""Kernels of one's own on the emulator, with numpy's arrays as their memory."""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _core
from ._core import Finding, Report
from ._refusals import refused, refusing
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
    given = [extent] if hasattr(extent, "__index__") else list(extent)
    return [int(each) for each in given] + [1] * (3 - len(given))


def _address(array: Any) -> int:
    return int(array.__array_interface__["data"][0])


#: What a text is called where findings name lines: no file has the name.
_TEXT = "<text>"


def _read_source(source: str | Path) -> tuple[str, str]:
    """(text, file) of a path, or of a text, which has lines or braces."""
    if not isinstance(source, Path) and ("\n" in source or "{" in source):
        return source, _TEXT
    path = Path(source)
    try:
        return path.read_text(encoding="utf-8"), str(path)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise refused("file_not_found", "source", path,
                      f"it must be a file, or the text of a kernel: {reason}") from None  # fmt: skip


def _is_ptx(text: str, file: str) -> bool:
    return file.endswith(".ptx") or (".entry" in text and "__global__" not in text)


class Emulator:
    """An emulator with memory of its own; every launch is checked while it runs.

    check     ``"full"`` (races, barriers, proxies), ``"memory"`` (uninitialised reads) or ``"none"``
    schedule  when warps run and asynchronous work lands: ``"fixed"``, ``"random"`` (by ``seed``),
              ``"late"`` or ``"early"``
    device    the chip that it stands for
    """

    @refusing
    def __init__(
        self, *, check: str = "full", schedule: str = "fixed", seed: int = 0, device: str = "h200",
        resident_blocks: int = 0,
    ) -> None:  # fmt: skip
        if seed != 0 and schedule != "random":
            raise refused("unsupported", "seed", seed, 'it must be left out but of schedule="random"', "0")
        self.schedule = schedule
        self._core = _core.Emulator(check, schedule, seed, device, resident_blocks)

    @refusing
    def launch(
        self, source: str | Path, grid: Extent, block: Extent, args: Iterable[Any] = (), *, kernel: str = "",
        cluster: Extent = 1, shared_bytes: int = 0, cooperative: bool = False, arch: str | None = None,
        options: Sequence[str] = (),
    ) -> Report:  # fmt: skip
        """Runs one kernel and gives what was found; see :func:`emulate` for the arguments."""
        text, file = _read_source(source)
        ptx, symbol = _ptx(text, file, kernel, arch, tuple(options))
        parameters = _parameters(ptx, symbol)
        pointers = _pointers(ptx, symbol, parameters)
        memory = _Memory(self._core)
        packed = memory.pack(list(args), parameters, pointers)
        self._core.launch(
            ptx, symbol, _three(grid), _three(block), _three(cluster), shared_bytes, cooperative,
            packed,
        )  # fmt: skip
        report = self._core.report()
        memory.fetch()
        return report


class _Memory:
    """The arrays of one launch, each once however often it, or a part of it, is an argument."""

    def __init__(self, core: _core.Emulator) -> None:
        self._core = core
        self._places: dict[int, tuple[Any, int]] = {}

    def _place(self, array: Any, *, filled: bool = True) -> int:
        _check_array(array)
        begin = _address(array)
        for first, (known, place) in self._places.items():
            if first <= begin and begin + array.nbytes <= first + known.nbytes:
                return place + begin - first
            if begin < first + known.nbytes and first < begin + array.nbytes:
                raise refused("unsupported", "args", f"arrays of {known.nbytes} and {array.nbytes} bytes",
                              "of arrays that share memory the first must have all of it")  # fmt: skip
        place = self._core.allocate(array.nbytes)
        if filled:
            self._core.write(place, begin, array.nbytes)
        self._places[begin] = (array, place)
        return place

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
            return bytes(argument.astype(argument.dtype.newbyteorder("=")).tobytes())
        return struct.pack(_PACKED.get(kind, "<q"), argument)

    def pack(self, args: list[Any], parameters: list[tuple[str, str, int]], pointers: set[str]) -> list[bytes]:
        """One text of bytes for each parameter; a number takes the parameter's type."""
        # Arrays come before the maps over them, whichever stands first.
        for argument in args:
            if isinstance(argument, unset):
                self._bytes(argument, "pointer")
        kinds = [kind for _, kind, _ in parameters]
        kinds += ["pointer"] * (len(args) - len(kinds))
        packed = []
        for place, (argument, kind) in enumerate(zip(args, kinds, strict=False)):
            name = parameters[place][0] if place < len(parameters) else ""
            try:
                if name in pointers and hasattr(argument, "__index__") and getattr(argument, "ndim", 0) == 0:
                    raise TypeError("a pointer must be an array, or None, which is null")
                packed.append(self._bytes(argument, kind))
            except Error:
                raise
            except (struct.error, TypeError) as error:
                # CUDA's own names of parameters say no more than the place.
                told = f"argument {place + 1}" + ("" if name.endswith(f"_param_{place}") else f", {name}")
                raise refused("signature_mismatch", told, _shown(argument),
                              f"it must fit a parameter of kind {kind}: {error}") from None  # fmt: skip
        return packed

    def fetch(self) -> None:
        """What kernels left, into the arrays; what cannot be written there is refused behind that."""
        lost = None
        for array, place in self._places.values():
            left = array if array.flags.writeable else array.copy()
            self._core.read(_address(left), place, left.nbytes)
            if left is not array and left.tobytes() != array.tobytes():
                lost = array
        self._core.release()
        if lost is not None:
            raise refused("unsupported", "args", f"a read-only array of shape {lost.shape}",
                          "an array that the kernel stores to must be one that may be written")  # fmt: skip


def _shown(argument: Any) -> str:
    """An argument in a refusal: of an array what it is, not its elements."""
    shape = getattr(argument, "shape", None)
    return repr(argument) if shape is None else f"an array of {argument.dtype} of shape {tuple(shape)}"


def _check_array(array: Any) -> None:
    """A kernel reads bytes as they lie."""
    if not array.flags["C_CONTIGUOUS"]:
        raise refused("unsupported", "args", f"strides {array.strides}",
                      "an array must be contiguous: numpy.ascontiguousarray makes it so")  # fmt: skip
    if not array.dtype.isnative:
        raise refused("wrong_type", "args", array.dtype,
                      "the bytes of its elements must be in this machine's order: "
                      "a.astype(a.dtype.newbyteorder('=')) is a copy that has them so")  # fmt: skip
    if array.dtype.hasobject or hasattr(array, "mask"):
        raise refused("wrong_type", "args", array.dtype, "an array must be of numbers, and have no mask")


def _ptx(text: str, file: str, kernel: str, arch: str | None, options: tuple[str, ...]) -> tuple[str, str]:
    """(PTX, symbol) of a kernel in a text of CUDA or PTX."""
    if _is_ptx(text, file):
        for name, said in (("arch", arch), ("options", options or None)):
            if said is not None:
                raise refused("unsupported", name, said, "it must be left out of PTX, which is not compiled")
        return text, _core.find_kernel(text, kernel)
    instances = [kernel] if "<" in kernel and "(" not in kernel else []
    ptx, symbols = _core.ptx_of(text, file, arch or "sm_90a", list(options), instances)
    ptx = ptx.replace(f'"{os.getcwd()}/{_TEXT}"', f'"{_TEXT}"')
    return ptx, symbols[0] if symbols else _core.find_kernel(ptx, kernel)


def _parameters(ptx: str, symbol: str) -> list[tuple[str, str, int]]:
    for name, _, parameters in _core.kernels_of(ptx):
        if name == symbol:
            return parameters
    return []


def _pointers(ptx: str, symbol: str, parameters: list[tuple[str, str, int]]) -> set[str]:
    """The parameters that are pointers for certain: those that are marked, or read as an address.

    A text without marks has numbers of 64 bits that look like pointers.
    """
    names = {name for name, kind, _ in parameters if kind == "pointer"}
    if ".ptr" in ptx:
        return names
    body = ptx[ptx.find(symbol) :].partition("\n}")[0]
    loads = re.findall(r"ld\.param\.[ub]64\s+(%\w+), \[(\w+)\];", body)
    return {name for register, name in loads if name in names
            and re.search(rf"cvta[.\w]*\s+%\w+, {register};|\[{register}[\]+]", body)}  # fmt: skip


@refusing
def emulate(
    source: str | Path, grid: Extent, block: Extent, args: Iterable[Any] = (), *, kernel: str = "",
    cluster: Extent = 1, shared_bytes: int = 0, cooperative: bool = False, check: str = "full",
    schedule: str = "fixed", seed: int = 0, device: str = "h200", arch: str | None = None,
    options: Sequence[str] = (),
) -> Report:  # fmt: skip
    """Runs a kernel on the CPU, checks it, and leaves in the arrays what it left in memory.

    source        a file or a text, of CUDA or PTX; CUDA is compiled by NVRTC, and host code in it is
                  left out
    grid, block   blocks, and threads of a block: a number, or up to three
    args          one for each parameter: arrays of numpy (contiguous, in the machine's byte order; one
                  that is read-only must stay as it is), numbers, None (a null pointer), bytes (a
                  structure), :class:`unset`, :class:`tensor_map`
    kernel        its symbol, C++ name or short name; of a template with arguments,
                  ``"scale<float>"``; not needed where the text has one
    shared_bytes  of dynamic shared memory
    cooperative   all blocks are on the chip together
    seed          of schedule ``"random"``
    arch, options   what CUDA text is compiled for, ``"sm_90a"`` where nothing is said, and with

    The result has ``findings`` (each with code, message, parties), ``counters``, ``printed``.

    >>> import numpy, jute
    >>> x = numpy.arange(4, dtype=numpy.float32)
    >>> text = '''
    ... extern "C" __global__ void twice(float* x) { x[threadIdx.x] *= 2; }
    ... '''
    >>> jute.emulate(text, 1, 4, [x]).clean, x.tolist()
    (True, [0.0, 2.0, 4.0, 6.0])
    """
    words = locals()
    chip = {name: words.pop(name) for name in ("check", "schedule", "seed", "device")}
    return Emulator(**chip).launch(**words)


__all__ = ["Emulator", "Finding", "Report", "emulate", "tensor_map", "unset"]
