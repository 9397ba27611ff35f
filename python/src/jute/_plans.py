"""Plans: every decision about a kernel, as a value."""

from __future__ import annotations

from typing import Any

from ._core import Plan, Problem, make_plan


def plan(
    m: int | str | Problem,
    n: int = 0,
    k: int = 0,
    *,
    device: str = "h200",
    config: str = "",
    **problem: Any,
) -> Plan:
    """What would be built for D = A·B with A (m,k), B (k,n) and D (m,n); needs no GPU.

    m        or the whole problem: a :class:`jute.Problem`, or its text
    device   a chip's name (``jute.devices()``) or an architecture, ``"sm_80"``
    config   choices of the plan in one line, the rest is the planner's:
             ``"tile=128x128x32 stages=4"``
    problem  what :class:`jute.Problem` takes: dtype, dtype_a, dtype_b, out_dtype, batch, order_a,
             order_b, order_d (``"row"`` or ``"col"``), lda, ldb, ldd (elements), acc, precision,
             epilogue, gate, m_range

    Raises :class:`jute.Error`: illegal_problem, illegal_config with every broken rule and the
    nearest legal value; unsupported.

    >>> import jute
    >>> plan = jute.plan(1024, 1024, 512, dtype="bf16")
    >>> "wgmma" in plan.source
    True
    """
    if isinstance(m, str):
        m = Problem(m)
    whole = m if isinstance(m, Problem) else Problem(m, n, k, **problem)
    return make_plan(whole, device, config)
