"""Where recorded results lie, and who may use a GPU."""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
#: An installed package is a plug-in by itself, one on PYTHONPATH has to be named.
PLUGIN = () if entry_points(group="pytest11", name="jute") else ("jute.pytest_plugin",)
NAMED = tuple(word for name in PLUGIN for word in ("-p", name))
pytest_plugins = ("pytester", *PLUGIN)


def golden(name: str) -> Iterator[dict[str, Any]]:
    """The records of a file of tests/golden."""
    with open(ROOT / "tests" / "golden" / name, encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "gpu: needs a GPU and torch or JAX; run with -m gpu")
    config.addinivalue_line("markers", "torch: torch on the emulator; run with -m torch")
    config.addinivalue_line("markers", "jax: JAX on the emulator; run with -m jax")
    config.addinivalue_line("markers", "soak: takes minutes; run with -m soak")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What needs a GPU, torch, JAX or minutes runs where it is asked for, and nowhere else."""
    asked = config.getoption("-m") or ""
    kept = [name for name in ("gpu", "torch", "jax", "soak") if name not in asked]
    wanted, left = [], []
    for item in items:
        (left if any(map(item.get_closest_marker, kept)) else wanted).append(item)
    items[:] = wanted
    config.hook.pytest_deselected(items=left)
