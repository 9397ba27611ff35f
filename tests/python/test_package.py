"""The package itself: what importing it costs, its types, its command."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import jute
import pytest
from conftest import ROOT
from jute import _core, _nvrtc

PACKAGE = Path(jute.__file__).parent


def test_importing_it_is_quick_and_loads_neither_numpy_nor_torch() -> None:
    script = """
import sys, time
begun = time.process_time()
import jute
spent = time.process_time() - begun
assert not {"numpy", "torch", "pytest"} & set(sys.modules)
print(spent)
"""
    spent = min(
        float(subprocess.run([sys.executable, "-c", script], check=True, capture_output=True).stdout)
        for _ in range(3)
    )
    assert spent < 0.08


def test_the_stub_has_what_the_module_has() -> None:
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    told = {
        node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)
    }  # fmt: skip
    there = {name for name in dir(_core) if not name.startswith("_")} - {"operations", "problem_keywords"}
    assert told == there
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            members = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            missing = {name for name in members if not hasattr(getattr(_core, node.name), name)}
            assert missing == set(), node.name


def test_every_function_of_the_language_is_there_with_its_words() -> None:
    assert len(_core.operations) > 100
    for name in _core.operations:
        function = getattr(jute, name)
        assert function.__doc__.startswith(name)


def test_names_of_other_libraries_are_the_same_functions() -> None:
    page = (ROOT / "docs" / "from-cute.md").read_text()
    for alias, name in (
        ("compose", "composition"), ("slice_", "slice"), ("tuple_max", "max"), ("MMAAtom", "MmaAtom"),
    ):  # fmt: skip
        assert getattr(jute, alias) is getattr(jute, name)
        assert f"`{alias}" in page


def test_examples_and_package_pass_mypy_strict() -> None:
    examples = sorted(str(path) for path in (ROOT / "examples" / "python").rglob("*.py"))
    assert examples
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary",
         "--cache-dir", "/dev/null", "-p", "jute"],
        capture_output=True, text=True, cwd=PACKAGE.parent,
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", "/dev/null", *examples],
        capture_output=True, text=True, env={"MYPYPATH": str(PACKAGE.parent), "PATH": ""},
    )  # fmt: skip
    assert checked.returncode == 0, checked.stdout


def test_the_command_is_there() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "jute", "eval", "composition((4,8):(8,1),(2,4):(4,1))"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout == "(2,4):(1,8)\n"
    run = subprocess.run([sys.executable, "-m", "jute", "eval", "size("], capture_output=True)
    assert run.returncode == 2


def test_the_doctor_says_what_is_there_and_what_to_do() -> None:
    health = jute.doctor()
    assert health["numpy"].found and health["nvrtc"].found
    assert all(part.what if part.found else part.remedy for part in health.parts)
    assert "nvrtc" in str(health)


def test_a_loaded_nvrtc_comes_before_that_of_a_wheel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def library(folder: str, builtins: str) -> Path:
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"libnvrtc-builtins.so.{builtins}").touch()
        (tmp_path / folder / "libnvrtc.so.13").touch()
        return tmp_path / folder / "libnvrtc.so.13"

    old, new, wheel = library("old", "12.4"), library("new", "12.8"), library("wheel", "13.0")
    monkeypatch.setattr(_nvrtc, "_in_wheels", lambda: iter([wheel]))
    monkeypatch.setattr(_nvrtc, "_loaded", lambda: iter([new]))
    assert _nvrtc.found() == str(new)
    monkeypatch.setattr(_nvrtc, "_loaded", lambda: iter([old]))
    assert _nvrtc.found() == str(wheel)
    monkeypatch.setattr(_nvrtc, "_in_wheels", lambda: iter([]))
    assert _nvrtc.found() == ""
