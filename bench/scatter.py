#!/usr/bin/env python3
"""Draws how jute stands on many problems: a point for each case that `jute bench --csv` timed beside a peer.

    python3 bench/scatter.py bench/random_h200.csv > docs/images/random.svg
    python3 bench/scatter.py bench/suite_h200.csv bench/random_h200.csv > docs/images/h200.svg

Across: multiply-adds of the problem; up: the fastest peer's time divided by jute's, both on scales of factors. Cases
that lose more than 5 % have their names.
"""
import csv
import math
import re
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 860, 470, 76, 48, 66, 20
LEAST, MOST = 0.5, 10.0  # of the ratio
NAMED = 0.95  # what is slower than this has its name
SUITE, ALIGNED, UNALIGNED = "suite", "random, rows of 16 bytes", "random, odd rows"
COLOURS = {SUITE: "#1b1f24", ALIGNED: "#3b6fb6", UNALIGNED: "#d9822b"}
NAME_LINE, NAME_CHARACTER = 15, 6.2


def points(paths):
    """(id, shape, multiply-adds, ratio, group) of every case."""
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(line for line in file if not line.startswith("#")):
                extents = re.search(r"(\d+)x(\d+)x(\d+)(?:_b(\d+))?", row["case"])
                if row["side"] == "jute" and row["mode"] == "cool" and float(row["ratio"]) > 0 and extents:
                    m, n, k, batch = (int(extent or 1) for extent in extents.groups())
                    yield (row["case"], f"{m}x{n}x{k}", m * n * k * batch, float(row["ratio"]),
                           group_of(row["case"], m, n, k))


def group_of(case, m, n, k):
    """By the rows of A, B and D: the id names the orders as BLAS does, n for rows along K of A and along N of B."""
    if not re.match(r"r\d+_", case):
        return SUITE
    a, b = re.search(r"_([nt])([nt])_", case).groups()
    inner = [n, k if a == "n" else m, n if b == "n" else k]
    return ALIGNED if all(extent % 8 == 0 for extent in inner) else UNALIGNED


def mean(ratios):
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def title_of(data):
    parts = []
    for name, is_suite in (("cases of the suite", True), ("random problems", False)):
        ratios = [ratio for _, _, _, ratio, group in data if (group == SUITE) == is_suite]
        if ratios:
            parts.append(f"{mean(ratios):.2f} for {len(ratios)} {name}")
    return "Times as fast as the fastest peer, in the mean: " + ", ".join(parts)


def text(x, y, words, anchor="start", more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{words}</text>'


def names(losers, across, up):
    """A name to the left below each point that loses, in as few lines as keep them apart: no leader crosses a name."""
    ends, out = [], []
    for case, shape, work, ratio, group in sorted(losers, key=lambda point: point[2]):
        words = f"{shape}: {ratio:.2f}"
        x, width = across(work), NAME_CHARACTER * len(words)
        line = next((i for i, end in enumerate(ends) if end < x - width), len(ends))
        ends[line:line + 1] = [x + 8]
        y = up(0.78) + NAME_LINE * line
        out.append(f'<line x1="{x:.1f}" y1="{up(ratio) + 4:.1f}" x2="{x:.1f}" y2="{y + 2:.1f}" stroke="#777"/>')
        out.append(text(x - 4, y, words, "end", ' font-size="11"'))
    return out


def axes(across, up, powers):
    out = []
    for ratio in (0.5, 1, 2, 4, 8):
        strong = ' stroke-width="2" stroke-dasharray="6 3"' if ratio == 1 else ""
        colour = "#b03030" if ratio == 1 else "#d5d9de"
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(ratio):.1f}" y2="{up(ratio):.1f}" stroke="{colour}"{strong}/>')
        out.append(text(LEFT - 8, up(ratio) + 4, f"{ratio}x", "end"))
    for power in range(0, powers + 1, 2):
        label = f'10<tspan dy="-5" font-size="9">{power}</tspan>' if power else "1"
        out.append(text(across(10 ** power), HEIGHT - BOTTOM + 18, label, "middle"))
    out.append(text((LEFT + WIDTH) / 2, HEIGHT - 8, "multiply-adds of the problem (M N K)", "middle"))
    middle = (TOP + HEIGHT - BOTTOM) / 2
    out.append(text(18, middle, "fastest peer's time / jute's", "middle", f' transform="rotate(-90 18 {middle:.1f})"'))
    out.append(text(LEFT + 4, up(1) - 6, "above: faster than every peer", "start", ' fill="#b03030" font-size="11"'))
    return out


def main():
    data = list(points(sys.argv[1:]))
    if not data:
        sys.exit("scatter.py: no case was timed beside a peer")
    powers = math.ceil(max(math.log10(point[2]) for point in data))

    def across(work):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(max(work, 1)) / powers

    def up(ratio):
        part = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part

    title = title_of(data)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
           f' role="img" font-family="system-ui, \'DejaVu Sans\', sans-serif" font-size="12" fill="#1b1f24"><title>{title}</title>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', text(16, 24, title, more=' font-size="15"')]
    x = LEFT
    for group in COLOURS:
        if any(point[4] == group for point in data):
            out.append(f'<circle cx="{x + 5}" cy="44" r="5" fill="{COLOURS[group]}"/>' + text(x + 16, 48, group))
            x += 46 + 7 * len(group)
    out += axes(across, up, powers)
    for case, _, work, ratio, group in sorted(data, key=lambda point: point[4] == SUITE):
        out.append(f'<circle cx="{across(work):.1f}" cy="{up(ratio):.1f}" r="3.5" fill="{COLOURS[group]}" fill-opacity="0.75">'
                   f"<title>{case}: {ratio:.2f}</title></circle>")
    out += names([point for point in data if point[3] < NAMED], across, up)
    print("\n".join(out) + "\n</svg>")


if __name__ == "__main__":
    main()
