"""The object by which XLA calls jute: compiled once against the jaxlib that loads it."""

from __future__ import annotations

import ctypes
import functools
from pathlib import Path
from typing import Any

import jax  # type: ignore[import-not-found, unused-ignore]
import jaxlib  # type: ignore[import-not-found, unused-ignore]

from . import _objects
from ._core import jax_functions

_SOURCES = Path(__file__).parent / "jax_calls"
_WHAT = "jute's calls for XLA"
#: The name by which XLA knows products, on every platform.
TARGET = "jute_product"
#: jaxlib asks for a type's functions since 0.8, before that for its number.
_HAS_TYPES = hasattr(jax.ffi, "register_ffi_type")


def path() -> Path:
    """Where the object lies: by jaxlib's version, and by its own text.

    Raises :class:`jute.Error`: unwritable, where jute has no folder of its own.
    """
    return _objects.path("jax", "_jax_calls", _SOURCES, jaxlib.__version__)


def build() -> Path:
    """Compiles it by $CXX, else c++, in some seconds, unless it is there; the first product does so, too.

    Raises :class:`jute.Error`: compile_failed, with the compiler's first error.
    """
    words = ["-DJUTE_WITH_TYPE_INFO"] if _HAS_TYPES else []
    return _objects.compiled(path(), _WHAT, _SOURCES / "calls.cpp", [Path(jax.ffi.include_dir())], words)


def _register(library: Any, platform: str, stages: tuple[str, ...]) -> None:
    def told(what: str) -> Any:
        function = library[f"jute_{platform.lower()}_{what}"]
        function.restype = ctypes.c_void_p
        return jax.ffi.pycapsule(function())

    name = f"{TARGET}_{platform.lower()}"
    if _HAS_TYPES:
        types = {each: told(each) for each in ("type_id", "type_info")}
        jax.ffi.register_ffi_type(name, types, platform=platform)
    else:
        jax.ffi.register_ffi_type_id(name, told("type_id"), platform=platform)
    handlers = {each: jax.ffi.pycapsule(library[f"jute_{platform.lower()}_{each}"]) for each in stages}
    jax.ffi.register_ffi_target(TARGET, handlers, platform=platform)


@functools.cache
def target() -> str:
    """XLA's name for products, which it knows from now on.

    Raises :class:`jute.Error`: what :func:`build` raises; unsupported, where others may write what would be
    loaded.
    """
    library = ctypes.CDLL(str(_objects.checked(build(), _WHAT)))
    # Back ends first: what is registered ahead of them comes to them in another order.
    gpus = [each for each in jax.local_devices() if each.platform == "gpu"]
    jax.local_devices(backend="cpu")
    library.jute_start(ctypes.c_void_p(jax_functions()), gpus[0].local_hardware_id if gpus else 0)
    _register(library, "cpu", ("instantiate", "execute"))
    if gpus:
        _register(library, "CUDA", ("instantiate", "initialize", "execute"))
    return TARGET
