"""What a cover's kernels and a batch-invariant choice lose on a GPU against a plan for each M:

    jute bench --cases bench/cover.csv --no-peers --m-range 1:8192 --csv cover_times.csv \
      --try "main_loop=warp_specialised split_k=1 whole_tiles=0 k_starts=1"
    python3 bench/cover.py cover_times.csv

The choices of --try are those that `jute plan --batch-invariant` names. Forty M between 1 and 8192,
drawn once, by four products of a model.
"""

from __future__ import annotations

import csv
import math
import sys


def main(path: str) -> None:
    times: dict[str, dict[str, float]] = {}
    with open(path, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["mode"] == "cool" and row["side"] == "jute" and float(row["us"] or 0) > 0:
                times.setdefault(row["contestant"], {})[row["case"]] = float(row["us"])
    planned = next(cases for name, cases in times.items() if name.endswith("planned"))
    for name, cases in times.items():
        if cases is planned:
            continue
        ratios = {case: planned[case] / us for case, us in cases.items() if case in planned}
        mean = math.exp(sum(map(math.log, ratios.values())) / len(ratios))
        print(f"{name}: {len(ratios)} M, {mean:.4f} of the plans' own speed in geometric mean")
        for case, ratio in sorted(ratios.items(), key=lambda item: item[1])[:6]:
            print(f"  {case}: {ratio:.3f} ({planned[case]:.2f} us alone, {cases[case]:.2f} us)")


if __name__ == "__main__":
    main(*sys.argv[1:])
