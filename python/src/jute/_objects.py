"""Objects that another library loads: compiled once against its headers, kept in jute's folder."""

from __future__ import annotations

import hashlib
import os
import shlex
import subprocess
from collections.abc import Iterable
from pathlib import Path

from ._core import cache_folder
from ._refusals import refused


def path(library: str, name: str, sources: Path, version: str) -> Path:
    """Where the object for a library lies: by the library's version and by the object's own text.

    Raises :class:`jute.Error`: unwritable, where jute has no folder of its own.
    """
    folder = cache_folder()
    if not folder:
        rule = f"what {library} loads is kept in jute's folder: it must be named"
        raise refused("unwritable", "JUTE_CACHE_DIR", "", rule)
    text = b"".join(file.read_bytes() for file in sorted(sources.iterdir()))
    words = version.encode() + text
    return Path(folder) / library / f"{name}-{hashlib.sha256(words).hexdigest()[:16]}.so"


def compiled(target: Path, what: str, source: Path, includes: Iterable[Path], words: Iterable[str]) -> Path:
    """Compiles it by $CXX, else c++, unless it is there.

    Raises :class:`jute.Error`: compile_failed, with the compiler's first error.
    """
    if target.exists():
        return target
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unfinished = target.with_suffix(f".{os.getpid()}")
    line = [
        *shlex.split(os.environ.get("CXX", "c++")), "-std=c++20", "-O2", "-fPIC", "-shared",
        *(word for folder in includes for word in ("-isystem", str(folder))),
        str(source), "-o", str(unfinished), *words,
    ]  # fmt: skip
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        said = next((each for each in done.stderr.splitlines() if "error" in each), done.stderr[:200])
        failed = done.returncode != 0
    except OSError as error:
        failed, said = True, str(error)
    if failed:
        unfinished.unlink(missing_ok=True)
        raise refused("compile_failed", what, line[0], f"they must compile: {said}")
    unfinished.replace(target)
    return target


def checked(file: Path, what: str) -> Path:
    """The file, which is code.   Raises :class:`jute.Error`: unsupported, where others may write it."""
    if any(each.stat().st_mode & 0o022 for each in (file, file.parent)):
        raise refused("unsupported", what, file, "nobody else may write what is loaded",
                      f"chmod go-w {file.parent} {file}")  # fmt: skip
    return file
