#!/usr/bin/env python3
"""Writes how each kind of product stands beside its floor, what loses first, or a picture of that.

    python3 bench/kinds_page.py > bench/KINDS.md
    python3 bench/kinds_page.py --svg > docs/images/kinds.svg

`floors.csv` names the kinds, `kinds_h200.csv` is what `torch_race.py --kinds --csv` wrote: runs of some kinds each may be
put one behind the other, with the comments that say where they come from."""
import csv
import math
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
FIGURES, WORST = "kinds_h200.csv", 10
MODES = (("graph", "in graphs", "floor_graphs"), ("cold", "cold", "floor_cold"))
WIDTH, ROW, LEFT, TOP, BOTTOM, RIGHT = 860, 26, 190, 56, 40, 90
LEAST, MOST = 0.25, 8.0  # of the ratio in the picture
WINS, LOSES = "#3b6fb6", "#c0392b"


def lines_of(name):
    with open(HERE / name, newline="") as file:
        return list(file)


def rows_of(name):
    return list(csv.DictReader(line for line in lines_of(name) if not line.startswith("#")))


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def raced():
    """The rows of floors.csv, and of each kind its cases: mode -> [(ratio, case)], the slowest first."""
    figures = [row for row in rows_of(FIGURES) if row["kind"] != "kind"]  # files that were put together repeat their heads
    for kind in rows_of("floors.csv"):
        own = [row for row in figures if row["kind"] == kind["kind"]]
        yield kind, {mode: sorted((float(row["ratio"]), row["case"]) for row in own if row["mode"] == mode) for mode, *_ in MODES}, own


def cell(ratios, floor):
    if not ratios:
        return "–"
    found = mean([ratio for ratio, _ in ratios])
    text = f"{found:.2f}" + (f" of {float(floor):.2f}" if floor else "")
    return f"**{text}**" if found < float(floor or 1) else text


def page():
    yield "# Kinds of products, and what each must reach\n"
    yield ("How many times as fast as its peer jute is, in the geometric mean of problems that nobody tuned for: `bench/torch_race.py --kinds`\n"
           "draws them by a seed and races them, each in graphs and behind a swept cache. `of` is the kind's floor (`floors.csv`); below it, or\n"
           "below 1 without one, the mean is bold. `bench/kinds_page.py` writes this page from `kinds_h200.csv`:\n")
    for line in lines_of(FIGURES):
        if line.startswith("#"):
            yield "- " + line[1:].strip()
    yield "\n| kind | peer | problems | in graphs | cold | least, in graphs and cold |\n| --- | --- | --- | --- | --- | --- |"
    everything = list(raced())
    for kind, cases, _ in everything:
        least = ", ".join(f"{cases[mode][0][0]:.2f}" for mode, *_ in MODES if cases[mode]) or "not raced yet"
        yield (f"| {kind['kind']} | {kind['peer']} | {len(cases['graph'])} | "
               + " | ".join(cell(cases[mode], kind[floor]) for mode, _, floor in MODES) + f" | {least} |")
    yield f"\n## The worst {WORST} of each\n"
    for kind, cases, own in everything:
        if not cases["graph"]:
            continue
        yield f"### {kind['kind'][0].upper() + kind['kind'][1:]}\n\n| problem | in graphs | cold |\n| --- | --- | --- |"
        in_cold = {case: ratio for ratio, case in cases["cold"]}
        for ratio, case in cases["graph"][:WORST]:
            shown = [f"**{one:.3f}**" if one < 0.95 else f"{one:.3f}" for one in (ratio, in_cold.get(case, math.nan))]
            yield f"| {case} | {shown[0]} | {shown[1]} |"
        for row in own:
            if row["note"] and not row["ratio"]:
                yield f"| {row['case']} | {row['note']} | |"
        yield ""


def text(x, y, words, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{words}</text>'


def picture():
    """A line a kind, the slowest first: a point a problem, in graphs, and a bar where their mean is."""
    rows = sorted((mean([ratio for ratio, _ in cases["graph"]]), kind["kind"], cases["graph"]) for kind, cases, _ in raced() if cases["graph"])
    height = TOP + ROW * len(rows) + BOTTOM
    across = lambda ratio: LEFT + (WIDTH - LEFT - RIGHT) * math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
           'font-family="sans-serif" font-size="12">')
    yield f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>'
    yield text(LEFT, 22, "Times as fast as the peer, by kinds of products: a point a problem, the mean of each", more=' font-size="14"')
    for ratio in (0.25, 0.5, 1, 2, 4, 8):
        x = across(ratio)
        dashed = ' stroke-dasharray="4 3" stroke="#1b1f24"' if ratio == 1 else ' stroke="#d0d7de"'
        yield f'<line x1="{x:.1f}" y1="{TOP - 12}" x2="{x:.1f}" y2="{height - BOTTOM + 4}"{dashed}/>'
        yield text(x, height - BOTTOM + 20, f"{ratio:g}", "middle")
    for at, (of_all, kind, cases) in enumerate(rows):
        y = TOP + ROW * at + ROW / 2
        yield text(LEFT - 10, y + 4, kind, "end")
        for ratio, case in cases:
            yield (f'<circle cx="{across(ratio):.1f}" cy="{y:.1f}" r="3" fill="{WINS if ratio >= 1 else LOSES}" fill-opacity="0.55">'
                   f'<title>{case.replace("&", "&amp;").replace(">", "&gt;")}: {ratio:.2f}</title></circle>')
        yield f'<line x1="{across(of_all):.1f}" y1="{y - 9:.1f}" x2="{across(of_all):.1f}" y2="{y + 9:.1f}" stroke="#1b1f24" stroke-width="3"/>'
        yield text(WIDTH - RIGHT + 14, y + 4, f"{of_all:.2f}", more=' font-weight="bold"' if of_all < 1 else "")
    yield "</svg>"


if __name__ == "__main__":
    print("\n".join(picture() if sys.argv[1:] == ["--svg"] else page()))
