"""pytest's side of :mod:`jute.testing`: the fixture ``jute_emulator``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from .testing import CheckedEmulator


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test marked by ``@jute.check`` runs once under each of its schedules."""
    schedules = getattr(metafunc.function, "jute_schedules", None)
    if schedules and "jute_emulator" in metafunc.fixturenames:
        metafunc.parametrize("jute_emulator", schedules, indirect=True)


@pytest.fixture
def jute_emulator(request: pytest.FixtureRequest) -> CheckedEmulator:
    """An emulator with every check on; its ``run`` fails the test where a kernel breaks a rule."""
    from .testing import CheckedEmulator

    return CheckedEmulator(schedule=getattr(request, "param", "fixed"))
