"""Plans: every decision about a kernel, as a value."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ._core import Plan, Problem, make_plan, plan_for, problem_keywords
from ._refusals import refused, refusing, unknown_keyword


@refusing
def plan(
    m: int | str | Problem,
    n: int | None = None,
    k: int | None = None,
    *,
    device: str = "h200",
    config: str = "",
    **problem: Any,
) -> Plan:
    """What would be built for D = A·B with A (m,k), B (k,n) and D (m,n); needs no GPU.

    m        or the whole problem: a :class:`jute.Problem`, or its text, beside which neither n, k nor
             what Problem takes may stand
    device   a chip's name (``jute.devices()``), an architecture, ``"sm_80"``, or the text of a file
             that `jute tune --chip` keeps
    config   choices of the plan in one line, the rest is the planner's:
             ``"tile=128x128x32 stages=4"``
    problem  what :class:`jute.Problem` takes, each word of docs/problem-text.md: dtype, out_dtype,
             batch, order_a, order_d (``"row"`` or ``"col"``), lda, layout_a, align_a, rows_a, acc,
             precision, scale_a, block_a, stage_as, epilogue, gate, groups, count, m_range and others

    Raises :class:`jute.Error`: illegal_problem, illegal_config with every broken rule and the
    nearest legal value; unsupported.

    >>> import jute
    >>> plan = jute.plan(1024, 1024, 512, dtype="bf16")
    >>> "wgmma" in plan.source
    True
    """
    for name in problem:
        if name not in problem_keywords:
            raise unknown_keyword(name, ("device", "config", *problem_keywords), "plan")
    if not isinstance(m, Problem):
        return make_plan(Problem(m, n, k, **problem), device, config)
    for name, value in {"n": n, "k": k, **problem}.items():
        if value is not None:
            raise refused("unsupported", name, value, "the Problem must say it: beside one it must be left out")
    return make_plan(m, device, config)


@contextmanager
def planned_for(chip: str | os.PathLike[str]) -> Iterator[None]:
    """Products in its block are planned for another chip than they run on, as if that were here.

    chip   a chip's name (``jute.devices()``), an architecture, ``"sm_80"``, or the path of a file that
           `jute tune --chip` keeps. The GPU, or the emulated H200, must run its code and have what it
           has: SMs, and an SM's shared memory, registers and threads

    What was prepared in the block stays planned for the chip. All threads are meant.

    Raises :class:`jute.Error`: unknown_name; bad_file; a product illegal_config, with what the device
    lacks.

    >>> import jute, numpy
    >>> a = numpy.ones((16, 32), numpy.float32)
    >>> with jute.planned_for("a100"):
    ...     product = jute.Product(a, a.T)
    >>> "device a100 sm_80" in str(product.plan)
    True
    """
    said = Path(chip).read_text(encoding="utf-8") if isinstance(chip, os.PathLike) else chip
    before = plan_for(said)
    try:
        yield
    finally:
        plan_for(before)
