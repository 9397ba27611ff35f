"""The object by which torch's operators ask jute: compiled once against the torch that loads it."""

from __future__ import annotations

import hashlib
import importlib.machinery
import importlib.util
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from types import ModuleType

import torch  # type: ignore[import-not-found, unused-ignore]

from ._core import cache_folder
from ._refusals import refused

_SOURCES = Path(__file__).parent / "torch_operators"
_NAME = "_torch_operators"


def path() -> Path:
    """Where the object lies: by the versions of torch and Python, and by its own text.

    Raises :class:`jute.Error`: unwritable, where jute has no folder of its own.
    """
    folder = cache_folder()
    if not folder:
        rule = "torch's operators are kept in jute's folder: it must be named"
        raise refused("unwritable", "JUTE_CACHE_DIR", "", rule)
    text = b"".join(file.read_bytes() for file in sorted(_SOURCES.iterdir()))
    words = f"{torch.__version__} {sys.implementation.cache_tag}".encode() + text
    return Path(folder) / "torch" / f"{_NAME}-{hashlib.sha256(words).hexdigest()[:16]}.so"


def build() -> Path:
    """Compiles it by $CXX, else c++, in half a minute, unless it is there.

    Needs headers of Python. Raises :class:`jute.Error`: compile_failed, with the compiler's first error.
    """
    target = path()
    if target.exists():
        return target
    include = Path(torch.__file__).parent / "include"
    folders = [include, include / "torch/csrc/api/include", Path(sysconfig.get_path("include"))]
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = target.with_suffix(f".{os.getpid()}")
    line = [
        *shlex.split(os.environ.get("CXX", "c++")), "-std=c++20", "-O2", "-fPIC", "-shared", "-fvisibility=hidden",
        f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}",
        *(word for folder in folders for word in ("-isystem", str(folder))),
        str(_SOURCES / "operators.cpp"), "-o", str(unfinished), f"-L{Path(torch.__file__).parent / 'lib'}",
        "-lc10", "-ltorch_cpu", "-ltorch_cuda", "-ltorch_python",
    ]  # fmt: skip
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        words = next((each for each in done.stderr.splitlines() if "error" in each), done.stderr[:200])
        failed = done.returncode != 0
    except OSError as error:
        failed, words = True, str(error)
    if failed:
        unfinished.unlink(missing_ok=True)
        raise refused("compile_failed", "torch's operators", line[0], f"they must compile: {words}")
    unfinished.replace(target)
    return target


def loaded() -> ModuleType:
    """The object.

    Raises :class:`jute.Error`: file_not_found, where nobody has built it for this torch; unsupported, where
    others may write what would be loaded.
    """
    if _NAME in sys.modules:
        return sys.modules[_NAME]
    file = path()
    if not file.exists():
        raise refused("file_not_found", "torch's operators", torch.__version__,
                      "they must be built for this torch once, which takes a compiler half a minute",
                      "jute.torch.build()")  # fmt: skip
    if any(each.stat().st_mode & 0o022 for each in (file, file.parent)):
        raise refused("unsupported", "torch's operators", file, "nobody else may write what is loaded",
                      f"chmod go-w {file.parent} {file}")  # fmt: skip
    loader = importlib.machinery.ExtensionFileLoader(_NAME, str(file))
    spec = importlib.util.spec_from_file_location(_NAME, file, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    sys.modules[_NAME] = module
    return module
