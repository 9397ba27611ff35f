"""The examples run and say what they promise; what the pages show is what Python prints."""

from __future__ import annotations

import ast
import doctest
import importlib
import json
import os
import runpy
from pathlib import Path
from typing import Any

import pytest
from conftest import NAMED, ROOT

EXAMPLES = ROOT / "examples" / "python"
PAGES = sorted(
    path for path in (ROOT / "docs").rglob("*.md") if "\n>>> " in path.read_text(encoding="utf-8")
)


@pytest.mark.parametrize("name", ["layouts", "fused"])
def test_an_example_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(EXAMPLES / f"{name}.py"), run_name="__main__")
    said = capsys.readouterr().out
    if name == "layouts":
        assert said.startswith("(32,32):(32,1): 32 cycles")
        assert (tmp_path / "swizzled.svg").read_text().startswith("<svg")
    else:
        assert "largest difference from numpy" in said


def test_the_example_of_a_users_test_passes(pytester: pytest.Pytester) -> None:
    pytester.makepyfile((EXAMPLES / "test_transpose.py").read_text())
    pytester.runpytest_subprocess(*NAMED).assert_outcomes(passed=3)


def run_cell(text: str, name: str, names: dict[str, Any]) -> None:
    """As Jupyter runs it: the value of a last expression is shown."""
    tree = ast.parse(text, name)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), names)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), name, "eval"), names)
        for way in ("_repr_svg_", "_repr_html_"):
            assert not hasattr(value, way) or "<" in getattr(value, way)()


@pytest.mark.parametrize("notebook", sorted((EXAMPLES / "notebooks").glob("*.ipynb")), ids=str)
def test_the_cells_of_a_notebook_run(
    notebook: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One after the other, as Jupyter does; what a cell ends with must have something to show."""
    monkeypatch.chdir(tmp_path)
    book = json.loads(notebook.read_text(encoding="utf-8"))
    if "torch" in notebook.name:
        torch = pytest.importorskip("torch")
        if not torch.cuda.is_available():
            pytest.skip("no GPU")
    names: dict[str, Any] = {}
    for number, cell in enumerate(book["cells"]):
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == [], "notebooks are kept without what they showed"
        run_cell("".join(cell["source"]), f"{notebook.name}, cell {number}", names)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_shows_what_python_prints(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.parametrize("name", ["emulation", "_packing", "_plans", "_strided", "_doctor"])
def test_docstrings_show_what_python_prints(name: str) -> None:
    found = doctest.testmod(importlib.import_module(f"jute.{name}"), optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.parametrize("record", sorted((EXAMPLES / "foreign").glob("*.json")), ids=str)
def test_kernels_of_other_compilers_run(record: Path) -> None:
    """PTX of Triton and Numba as they wrote it; the record says by whom and how it is launched."""
    module = runpy.run_path(str(EXAMPLES / "foreign" / "run.py"))
    told = json.loads(record.read_text(encoding="utf-8"))
    assert told["compiler"] and told["version"] and told["source"]
    assert os.path.exists(record.with_suffix(".ptx"))
    report = module["run"](record)
    assert report.clean, str(report)


