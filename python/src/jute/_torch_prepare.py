"""Recorded calls, measured: what jute does faster is kept in a file that install() takes."""

from __future__ import annotations

import json
import os
import statistics
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch  # type: ignore[import-not-found, unused-ignore]

from ._core import cache_folder
from ._torch_calls import Call, rows_of
from .error import Error

_CALLS, _ROUNDS, _REPLAYS = 10, 7, 3


def _graph(run: Callable[[], Any]) -> Any:
    """A CUDA graph of some calls."""
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        for _ in range(_CALLS):
            run()
    return graph


def _us(graph: Any) -> float:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    graph.replay()
    begin.record()
    for _ in range(_REPLAYS):
        graph.replay()
    end.record()
    end.synchronize()
    return float(begin.elapsed_time(end)) * 1e3 / (_REPLAYS * _CALLS)


def _ratio(call: Call, product: Any) -> float:
    """torch's time over jute's, in graphs that take turns: the median of the rounds."""
    words = call.operands()
    graphs = [_graph(call.by_torch), _graph(lambda: product(call.a, call.b, **words))]
    ratios = []
    for _ in range(_ROUNDS):
        theirs, ours = map(_us, graphs)
        ratios.append(theirs / ours)
    return statistics.median(ratios)


def default_file() -> Path:
    """Beside what jute measures itself: a file a device."""
    name = "".join(each if each.isalnum() else "-" for each in torch.cuda.get_device_name())
    return Path(cache_folder() or ".") / "torch" / f"{name}.json"


def prepare(
    log: str | os.PathLike[str], file: str | os.PathLike[str] | None = None, *, least: float = 1.02,
    progress: Callable[[str], None] = print,
) -> Path:  # fmt: skip
    """Compiles and measures what install(record=log) wrote, and keeps what is faster: for install(file).

    Of each call eight candidates race (docs/tuning.md), and the fastest takes turns with torch's operator,
    in CUDA graphs. Calls that differ in M alone are one range, measured at every recorded M; it serves the
    lengths between two neighbours that both won.

    file      else one a device, in jute's cache
    least     torch's time over jute's that a call must reach
    progress  gets a line for each

    Returns the file. Nothing else should use the GPU meanwhile. Raises :class:`jute.Error`: file_not_found.
    """
    lines = list(dict.fromkeys(Path(log).read_text(encoding="utf-8").splitlines()))
    target = default_file() if file is None else Path(file)
    ranges: dict[str, list[tuple[int, str]]] = defaultdict(list)
    alone = []
    for line in lines:
        by_rows = rows_of(line)
        if by_rows is None:
            alone.append(line)
        else:
            ranges[by_rows[0]].append((by_rows[1], line))
    kept: list[dict[str, Any]] = []
    for name, members in ranges.items():
        if len(members) == 1:
            alone.append(members[0][1])
        else:
            kept += _of_range(name, sorted(members), least, progress)
    for line in alone:
        kept += _alone(line, least, progress)
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = target.with_suffix(f".{os.getpid()}")
    said = {"device": torch.cuda.get_device_name(), "torch": torch.__version__, "calls": kept}
    unfinished.write_text(json.dumps(said, indent=1), encoding="utf-8")
    unfinished.replace(target)
    return target


def _alone(line: str, least: float, progress: Callable[[str], None]) -> list[dict[str, Any]]:
    call = Call.of_line(line, "cuda")
    try:
        ratio = _ratio(call, call.product(race=8))
    except Error as error:
        progress(f"{call}: jute refuses it: {error}")
        return []
    progress(f"{call}: {ratio:.3f}")
    return [{"line": line, "ratio": round(ratio, 4)}] if ratio >= least else []


def _of_range(
    name: str, members: list[tuple[int, str]], least: float, progress: Callable[[str], None]
) -> list[dict[str, Any]]:  # fmt: skip
    calls = [(m, line, Call.of_line(line, "cuda")) for m, line in members]
    first, last = calls[0][0], calls[-1][0]
    try:
        product = calls[0][2].product(m_range=(first, last))
        ratios = [_ratio(call, product) for _, _, call in calls]
    except Error as error:
        progress(f"{calls[0][2]}: jute refuses M={first}:{last}: {error}")
        return [row for _, line in members for row in _alone(line, least, progress)]
    progress(f"{calls[0][2]}, M={first}:{last}: " + ", ".join(f"{ratio:.3f}" for ratio in ratios))
    rows = []
    won = [ratio >= least for ratio in ratios]
    at = 0
    while at < len(won):
        end = at
        while end + 1 < len(won) and won[at] and won[end + 1]:
            end += 1
        if won[at]:
            row = {"line": calls[at][1], "ratio": round(min(ratios[at : end + 1]), 4), "range": name}
            rows.append(row | {"first": calls[at][0], "last": calls[end][0], "over": [first, last]})
        at = end + 1
    return rows
