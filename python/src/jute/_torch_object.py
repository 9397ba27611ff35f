"""The object by which torch's operators ask jute: compiled once against the torch that loads it."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import torch  # type: ignore[import-not-found, unused-ignore]

from . import _objects
from ._refusals import refused

_SOURCES = Path(__file__).parent / "torch_operators"
_NAME = "_torch_operators"
_WHAT = "torch's operators"


def path() -> Path:
    """Where the object lies: by the versions of torch and Python, and by its own text.

    Raises :class:`jute.Error`: unwritable, where jute has no folder of its own.
    """
    return _objects.path("torch", _NAME, _SOURCES, f"{torch.__version__} {sys.implementation.cache_tag}")


def build() -> Path:
    """Compiles it by $CXX, else c++, in half a minute, unless it is there.

    Needs headers of Python. Raises :class:`jute.Error`: compile_failed, with the compiler's first error.
    """
    include = Path(torch.__file__).parent / "include"
    folders = [include, include / "torch/csrc/api/include", Path(sysconfig.get_path("include"))]
    return _objects.compiled(
        path(), _WHAT, _SOURCES / "operators.cpp", folders,
        ["-fvisibility=hidden", f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
         f"-L{Path(torch.__file__).parent / 'lib'}", "-lc10", "-ltorch_cpu", "-ltorch_cuda", "-ltorch_python"],
    )  # fmt: skip


def loaded() -> ModuleType:
    """The object.

    Raises :class:`jute.Error`: file_not_found, where nobody has built it for this torch; unsupported, where
    others may write what would be loaded.
    """
    if _NAME in sys.modules:
        return sys.modules[_NAME]
    file = path()
    if not file.exists():
        raise refused("file_not_found", _WHAT, torch.__version__,
                      "they must be built for this torch once, which takes a compiler half a minute",
                      "jute.torch.build()")  # fmt: skip
    loader = importlib.machinery.ExtensionFileLoader(_NAME, str(_objects.checked(file, _WHAT)))
    spec = importlib.util.spec_from_file_location(_NAME, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[_NAME] = module
    return module
