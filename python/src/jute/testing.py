"""Kernels under test: findings as failures, with the lines of source that they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar, overload

from ._core import Finding, Report
from .emulation import Emulator, Extent

Test = TypeVar("Test", bound=Callable[..., Any])

#: What a checked test runs under: work in order, at random, and as late as waits allow.
SCHEDULES = ("fixed", "random", "late")


class Findings(AssertionError):
    """A kernel broke rules; ``findings`` has them as objects."""

    def __init__(self, findings: Sequence[Finding], text: str) -> None:
        super().__init__(text)
        self.findings = list(findings)


@lru_cache(maxsize=64)
def _lines(file: str) -> tuple[str, ...]:
    try:
        return tuple(Path(file).read_text(encoding="utf-8").splitlines())
    except OSError:
        return ()


def _quoted(source: str) -> str:
    """``file:line: what stands there``."""
    file, _, number = source.rpartition(":")
    lines = _lines(file)
    if not number.isdigit() or not 0 < int(number) <= len(lines):
        return source
    return f"{source}: {lines[int(number) - 1].strip()}"


def _text(finding: Finding) -> str:
    text = f"{finding.code}: {finding.message}"
    if finding.count > 1:
        text += f" ({finding.count} times)"
    seen: list[str] = []
    for party in finding.parties:
        line = _quoted(party.source) if party.source else f"PTX line {party.ptx_line}: {party.text}"
        if line not in seen:
            seen.append(line)
            text += f"\n    {line}"
    return text


def explained(report: Report, schedule: str) -> str:
    """The findings in words, each with its lines of source."""
    head = f"{len(report.findings)} finding{'s' if len(report.findings) > 1 else ''}"
    return "\n".join([f"{head} under schedule {schedule}", *map(_text, report.findings)])


class CheckedEmulator(Emulator):
    """What the fixture ``jute_emulator`` gives: a launch that is found out fails the test."""

    def run(
        self, source: str | Path, grid: Extent, block: Extent, args: Iterable[Any] = (), **more: Any
    ) -> Report:
        """``launch``; raises :class:`Findings` where the report is not clean."""
        report = self.launch(source, grid, block, args, **more)
        if not report.clean:
            raise Findings(report.findings, explained(report, self.schedule))
        return report


@overload
def check(test: Test) -> Test: ...
@overload
def check(*, schedules: Sequence[str]) -> Callable[[Test], Test]: ...
def check(test: Any = None, *, schedules: Sequence[str] = SCHEDULES) -> Any:
    """Marks a test that takes ``jute_emulator``: pytest runs it once under each schedule.

    >>> import jute
    >>> @jute.check
    ... def test_twice(jute_emulator):
    ...     jute_emulator.run("twice.cu", grid=1, block=32, args=[...])
    """

    def marked(function: Any) -> Any:
        function.jute_schedules = tuple(schedules)
        return function

    return marked if test is None else marked(test)
