"""jute behind torch's own operators: no model changes."""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

from . import _core
from ._refusals import refused
from ._torch_calls import OPERATIONS, TENSORS, Call, rows_of
from ._torch_object import loaded
from .error import Error

#: Microseconds of a launch of cuBLAS's, and what its products take of their bound: of 40 bf16 problems on
#: an H200 (bench/results) it took 1.21 to 1.30 of the bound where that is long.
_LAUNCH_US, _OF_BOUND = 2.0, 1.2
_ROW_BYTES = 16  #: that rows must begin at for cuBLAS to be quick


def is_worth_it(operands: Iterable[Any], plan: Any) -> bool:
    """Is the plan expected to be as fast as cuBLAS? Of rows that do not begin at 16 bytes it always is."""
    for each in operands:
        steps = (stride * each.element_size() for stride in each.stride() if isinstance(stride, int) and stride > 1)
        if any(step % _ROW_BYTES != 0 for step in steps):
            return True
    return bool(plan.expected_us <= _LAUNCH_US + _OF_BOUND * plan.bound_us)


class _Policy:
    """Decides about calls; answers are (the call's text, a launch or why torch serves), or None: not yet."""

    def decide(self, call: Call, is_capturing: bool) -> Any:
        raise NotImplementedError


class _Record(_Policy):
    """Each different call is a line of a file; torch serves them all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.touch()
        self.known = set(path.read_text().splitlines())

    def decide(self, call: Call, is_capturing: bool) -> Any:
        line = call.line()
        if line not in self.known:
            self.known.add(line)
            with open(self.path, "a", encoding="utf-8") as log:
                log.write(line + "\n")
        return str(call), "it is recorded"


class _Expected(_Policy):
    """Where jute expects to be as fast; compiles at a first call."""

    def __init__(self, always: bool = False, **words: Any) -> None:
        self.always = always
        self.words = words

    def decide(self, call: Call, is_capturing: bool) -> Any:
        if is_capturing:
            return None
        product = call.product(**self.words)
        if not self.always and not is_worth_it((call.a, call.b), product.plan):
            return str(call), f"torch is expected to be faster than {product.plan.expected_us:.1f} us"
        return str(call), call.launch(product)


class _Kept(_Policy):
    """What a file of measured problems has; compiles nothing, so it may decide in a capture."""

    def __init__(self, path: Path) -> None:
        try:
            self.kept = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise refused("file_not_found", "install", path, "it must be a file of jute.torch.prepare's") from None
        except ValueError as error:
            raise refused("bad_file", "install", path, f"it must be a file of jute.torch.prepare's: {error}") from None
        name = torch.cuda.get_device_name()
        if self.kept["device"] != name:
            raise refused("not_compatible", "install", self.kept["device"],
                          f"what was measured on it says nothing of this device: {name}")  # fmt: skip
        self.alone = {row["line"]: row for row in self.kept["calls"] if "range" not in row}
        self.ranges: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for row in self.kept["calls"]:
            if "range" in row:
                self.ranges[row["range"]].append(row)
        self.products: dict[str, Any] = {}

    def serve_ahead(self) -> None:
        """Prepares all, and decides about each by calling it once."""
        for row in self.kept["calls"]:
            Call.of_line(row["line"], "cuda").by_torch()
        torch.cuda.synchronize()

    def _found(self, call: Call) -> tuple[str, dict[str, Any]] | None:
        """The product that serves it, by its name here, and how it is prepared."""
        line = call.line()
        if line in self.alone:
            return line, {}
        name, m = rows_of(line) or ("", 0)
        for row in self.ranges.get(name, ()):
            if row["first"] <= m <= row["last"]:
                return name, {"m_range": tuple(row["over"])}
        return None

    def decide(self, call: Call, is_capturing: bool) -> Any:
        found = self._found(call)
        if found is None:
            return str(call), "the file has none like it that is faster"
        name, words = found
        if name not in self.products:
            if is_capturing:
                return None
            self.products[name] = call.product(**words)
        return str(call), call.launch(self.products[name])


_policy: _Policy | None = None
#: Calls that could not be decided about, as a graph was being captured.
_captured: Counter[str] = Counter()


def _decide(*words: Any) -> Any:
    """What the object asks, of tensors by TENSORS and the rest of a call."""
    tensors = dict(zip(TENSORS, words, strict=False))
    operation, beta, alpha, dtype, tf32, fast, is_capturing = words[len(TENSORS) :]
    call = Call(
        OPERATIONS[operation], **tensors, beta=beta, alpha=alpha, dtype=dtype, tf32=tf32, fast_accum=fast
    )
    if _policy is None:
        return None
    try:
        with torch.no_grad():
            decided = _policy.decide(call, is_capturing)
        if decided is None:
            _captured[str(call)] += 1
        return decided
    except Error as error:
        return str(call), f"jute refuses it: {error}"
    except torch.cuda.OutOfMemoryError as error:
        return str(call), str(error)


class Installed:
    """Operators are jute's until uninstall(), or the end of a with statement."""

    def __enter__(self) -> Installed:
        return self

    def __exit__(self, *_: Any) -> None:
        uninstall()


def install(
    file: str | os.PathLike[str] | None = None, *, record: str | os.PathLike[str] | None = None,
    batch_invariant: bool = False,
) -> Installed:  # fmt: skip
    """From now on jute serves torch's mm, addmm, bmm, baddbmm, _scaled_mm and _grouped_mm on GPUs where it is faster.

    linear and matmul come to these by themselves, in every thread, under CUDA graphs and torch.compile.
    What jute refuses, or expects to be slower, goes on to torch; :func:`report` counts both.

    file             of :func:`prepare`: serves what was measured to be faster, from the first call on, and
                     compiles nothing. Without one jute's cost model decides, and kernels are compiled at a first
                     call, never while a graph is captured
    record           writes each different call to this file, and serves none
    batch_invariant  one order of sums for any number of rows: the bits of a row do not depend on the others.
                     Serves whatever jute has, faster or not

    f32 becomes tf32 where torch is told so (``torch.backends.cuda.matmul``) and nowhere else; sums are f32,
    and the same bits in every run.

    Raises :class:`jute.Error`: file_not_found, of the object (:func:`build`) or the file; bad_file;
    not_compatible: measured on another device; unsupported: two of these at once.
    """
    global _policy
    if sum((file is not None, record is not None, batch_invariant)) > 1:
        raise refused("unsupported", "install", "two of file, record, batch_invariant", "one of them must be said")
    module = loaded()
    uninstall()
    if record is not None:
        _policy = _Record(Path(record))
    elif file is not None:
        _policy = _Kept(Path(file))
    else:
        _policy = _Expected(always=True, batch_invariant=True) if batch_invariant else _Expected()
    module.start(_core.torch_functions(), _decide)
    if isinstance(_policy, _Kept):
        _policy.serve_ahead()
    return Installed()


def uninstall() -> None:
    """torch's operators are its own again; what was decided is forgotten."""
    global _policy
    if _policy is None:
        return
    loaded().stop()
    _policy = None
    _core.forget_torch_decisions()
    _captured.clear()


def report() -> list[tuple[str, int, str]]:
    """Each different call since install(): (what, how often, why torch served it; empty: jute did)."""
    rows = _core.torch_decisions()
    rows += [(text, count, "a graph was being captured") for text, count in _captured.items()]
    return sorted(rows, key=lambda row: -row[1])
