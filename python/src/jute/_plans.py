"""Plans: every decision about a kernel, as a value."""

from __future__ import annotations

from typing import Any

from ._core import Plan, Problem, make_plan


def plan(
    m: int,
    n: int,
    k: int,
    *,
    device: str = "h200",
    config: str = "",
    **problem: Any,
) -> Plan:
    """What would be built for D = A·B with A (m,k), B (k,n) and D (m,n); needs no GPU.

    device   a chip's name (``jute.devices()``) or an architecture, ``"sm_80"``
    config   choices of the plan in one line, the rest is the planner's:
             ``"tile=128x128x32 stages=4"``
    problem  what :class:`jute.Problem` takes: dtype, dtype_a, dtype_b, out_dtype, batch, order_a,
             order_b, order_d (``"row"`` or ``"col"``), lda, ldb, ldd (elements), acc, precision,
             epilogue, m_range

    Raises :class:`jute.Error`: illegal_problem, illegal_config with every broken rule and the
    nearest legal value; unsupported.

    >>> import jute
    >>> plan = jute.plan(1024, 1024, 512, dtype="bf16")
    >>> "wgmma" in plan.source
    True
    """
    return make_plan(Problem(m, n, k, **problem), device, config)
