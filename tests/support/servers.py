"""What docs/how-to/torch-unchanged.md says of vLLM and SGLang, held against their newest sources from PyPI:
    servers.py PAGE
Their modules are read by ast and never imported. Status 77: PyPI cannot be reached.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tarfile
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from collections.abc import Iterator

Sources = dict[str, ast.Module]


def newest(project: str, ending: str) -> bytes:
    """The last archive of the project's index that ends so."""
    index = f"https://pypi.org/simple/{project}/"
    with urllib.request.urlopen(index, timeout=60) as page:
        links = re.findall(rf'href="([^"#]+{re.escape(ending)})["#]', page.read().decode())
    with urllib.request.urlopen(urllib.parse.urljoin(index, links[-1]), timeout=600) as archive:
        print(f"{project}: {links[-1].rsplit('/', 1)[-1]}")
        return bytes(archive.read())


def texts_of_sdist(archive: bytes) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            content = files.extractfile(member) if member.name.endswith(".py") else None
            if content is not None:
                yield member.name.split("/", 1)[1], content.read()


def texts_of_wheel(archive: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        for name in files.namelist():
            if name.endswith(".py"):
                yield name, files.read(name)


def read(texts: Iterator[tuple[str, bytes]], *names: str) -> Sources:
    found = {name: ast.parse(text) for name, text in texts if name in names}
    missing = set(names) - set(found)
    assert not missing, f"these files are gone: {sorted(missing)}"
    return found


def function(tree: ast.Module, *path: str) -> ast.FunctionDef:
    """A function by its name, a method by its class's name ahead of it."""
    body: list[ast.stmt] = tree.body
    for name in path[:-1]:
        body = next(each.body for each in body if isinstance(each, ast.ClassDef) and each.name == name)
    return next(each for each in body if isinstance(each, ast.FunctionDef) and each.name == path[-1])


def texts(tree: ast.Module) -> set[str]:
    return {each.value for each in ast.walk(tree) if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def calls(tree: ast.Module) -> set[str]:
    return {ast.unparse(each.func) for each in ast.walk(tree) if isinstance(each, ast.Call)}


def check_vllm(page: str) -> None:
    plugins, layers, scaled = "vllm/plugins/__init__.py", "vllm/model_executor/custom_op.py", (
        "vllm/model_executor/kernels/linear/scaled_mm/pytorch.py")  # fmt: skip
    sources = read(texts_of_sdist(newest("vllm", ".tar.gz")), plugins, layers, scaled)
    assert "vllm.general_plugins" in page and "vllm.general_plugins" in texts(sources[plugins])
    function(sources[plugins], "load_general_plugins")
    assert "CustomOp.register_oot" in page and "forward_cuda" in page
    register = function(sources[layers], "CustomOp", "register_oot")
    assert [ast.unparse(each) for each in register.decorator_list] == ["classmethod"]
    assert [each.arg for each in register.args.args][2:] == ["name"], ast.unparse(register.args)
    assert not register.args.kwonlyargs and len(register.args.defaults) == 2  # as decorator, with and without a name
    function(sources[layers], "CustomOp", "forward_cuda")
    assert "torch._scaled_mm" in page and "torch._scaled_mm" in calls(sources[scaled])


def check_sglang(page: str) -> None:
    plugins = "sglang/srt/plugins/__init__.py"
    sources = read(texts_of_wheel(newest("sglang", "x86_64.whl")), plugins)
    assert "sglang.srt.plugins" in page and "sglang.srt.plugins" in texts(sources[plugins])
    assert not function(sources[plugins], "load_plugins").args.args


def main() -> int:
    with open(sys.argv[1], encoding="utf-8") as file:
        page = file.read()
    try:
        check_vllm(page)
        check_sglang(page)
    except (urllib.error.URLError, TimeoutError) as error:
        print(f"SKIPPED: PyPI cannot be reached: {error}")
        return 77
    return 0


if __name__ == "__main__":
    sys.exit(main())
