#!/usr/bin/env python3
"""Writes bench/RESULTS.md: how the newest runs stand, what loses first, and where the older ones are.

    python3 bench/results_page.py > bench/RESULTS.md

`runs.csv` names the runs, a file of ratios each; `results/` holds what was measured on a day, one subject a file.
"""
import collections
import csv
import math
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
Case = collections.namedtuple("Case", "run name ratio")
MOST_SHOWN = 60  # of what loses
SIZES = ((1e8, "up to 10⁸"), (1e9, "up to 10⁹"), (1e10, "up to 10¹⁰"), (math.inf, "beyond"))

INTRODUCTION = """# Results

How many times as fast as the fastest peer jute is: the peer's time divided by jute's, both in one process, taking
turns ([how](README.md)). Below 1 jute loses. Ratios are comparable inside one run only. `bench/results_page.py` writes
this page from the files that `bench/runs.csv` names.
"""
ARCHIVE = """## What was measured when

A day's measurements, a subject each, as they were written down then, with machine, command and commit. They were one
page once, the newest first: what they call *below* is older. `x best` and `ratio` are such ratios, `err/bnd` is the
largest error over its bound. Until 2026-11-21 a program named `jute_bench` raced the fastest of 16 candidates of
cuBLASLt with 64 MiB of workspace; the peers of `jute bench`, which replaced it, are stronger.
"""


def rows(name):
    """The rows of a CSV file beside this program; lines that begin with # say something about it."""
    with open(HERE / name, newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def cases_of(run):
    """What a run raced, the slowest beside its peer first."""
    found = [Case(run, row["case"], float(row["ratio"])) for row in rows(run["file"])
             if row["side"] == "jute" and row["mode"] == run["mode"]]
    return sorted(found, key=lambda case: (case.ratio, case.name))


def mean(cases):
    """The geometric mean of their ratios."""
    return math.exp(sum(math.log(case.ratio) for case in cases) / len(cases))


def shown(ratio):
    return f"**{ratio:.3f}**" if ratio < 0.95 else f"{ratio:.3f}"


def table(heading, body):
    cells = [heading, ["---"] * len(heading), *body]
    return "".join("| " + " | ".join(map(str, line)) + " |\n" for line in cells)


def grouped(cases, group_of, order):
    """A line for each group: how many cases, their mean, and the lowest."""
    groups = collections.defaultdict(list)
    for case in cases:
        groups[group_of(case)].append(case)
    return [[name, len(groups[name]), f"{mean(groups[name]):.3f}", f"{groups[name][0].ratio:.3f} {groups[name][0].name}"]
            for name in order if groups[name]]


def multiply_adds(case):
    extents = re.search(r"(\d+)x(\d+)x(\d+)(?:_b(\d+))?", case.name)
    return math.prod(int(extent or 1) for extent in extents.groups())


def overview(runs):
    lines = []
    for run, cases in runs:
        below = [sum(case.ratio < bound for case in cases) for bound in (1, 0.95, 0.9)]
        lines.append([f"[{run['name']}]({run['file']}), {run['device']}, {run['date']}", len(cases),
                      f"**{mean(cases):.3f}**", *below])
    return table(["run", "cases", "geometric mean", "below 1", "below 0.95", "below 0.9"], lines)


def losers(runs):
    lost = sorted((case for _, cases in runs for case in cases if case.ratio < 1), key=lambda case: case.ratio)
    body = [[case.name, shown(case.ratio), case.run["name"]] for case in lost[:MOST_SHOWN]]
    left = len(lost) - len(body)
    return table(["case", "ratio", "run"], body) + (f"\nAnd {left} more, of {lost[-left].ratio:.3f} and above.\n" if left > 0 else "")


def suite(cases):
    families = {row["id"]: row["family"] for row in rows("cases.csv")}
    by_family = grouped(cases, lambda case: families[case.name], dict.fromkeys(families.values()))
    rest = [[case.name, f"{case.ratio:.3f}"] for case in cases if case.ratio >= 1]
    return (table(["family", "cases", "geometric mean", "lowest"], by_family) +
            "\nThose that do not lose:\n\n" + table(["case", "ratio"], rest))


def by_size(cases):
    def size_of(case):
        return next(name for most, name in SIZES if multiply_adds(case) <= most)
    return table(["multiply-adds", "cases", "geometric mean", "lowest"],
                 grouped(cases, size_of, [name for _, name in SIZES]))


def archive():
    """A line a day, the newest first."""
    days = collections.defaultdict(list)
    for file in sorted((HERE / "results").glob("*.md")):
        day, topic = file.stem[:10], file.stem[11:].replace("-", " ")
        days[day].append(f"[{topic}](results/{file.name})")
    return "".join(f"- {day}: {', '.join(days[day])}\n" for day in sorted(days, reverse=True))


def page():
    runs = [(run, cases_of(run)) for run in rows("runs.csv")]
    named = {run["name"]: cases for run, cases in runs}
    return "\n".join([INTRODUCTION, overview(runs), "## What loses\n", losers(runs), "## The open suite\n",
                      suite(named["suite"]), "## Random problems, bf16\n", by_size(named["random"]),
                      ARCHIVE, archive()])


if __name__ == "__main__":
    print(page(), end="")
