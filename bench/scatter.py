#!/usr/bin/env python3
"""Draws how jute stands on many problems: a point for each case that `jute bench --csv` timed beside a peer.

    python3 bench/scatter.py random.csv > random.svg

Across: multiply-adds of the problem; up: the fastest peer's time divided by jute's, both on scales of factors.
"""
import csv
import math
import re
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 860, 420, 56, 44, 40, 16
LEAST, MOST = 0.4, 16.0  # of the ratio
COLOURS = {"aligned": "#3b6fb6", "unaligned": "#d9822b"}


def points(paths):
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                extents = re.search(r"(\d+)x(\d+)x(\d+)", row["case"])
                if row["side"] == "jute" and row["mode"] == "cool" and float(row["ratio"]) > 0 and extents:
                    m, n, k = map(int, extents.groups())
                    yield row["case"], m * n * k, float(row["ratio"]), kind(row["case"], m, n, k)


def kind(case, m, n, k):
    """By the rows of A, B and D: the id names the orders as BLAS does, n for rows along K of A and along N of B."""
    a, b = re.search(r"_([nt])([nt])_", case).groups()
    inner = [n, k if a == "n" else m, n if b == "n" else k]
    return "aligned" if all(extent % 8 == 0 for extent in inner) else "unaligned"


def main():
    data = list(points(sys.argv[1:]))
    if not data:
        sys.exit("scatter.py: no case was timed beside a peer")
    most_work = max(math.log10(work) for _, work, _, _ in data)

    def across(work):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log10(max(work, 1)) / math.ceil(most_work)

    def up(ratio):
        part = math.log(min(max(ratio, LEAST), MOST) / LEAST) / math.log(MOST / LEAST)
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * part

    mean = math.exp(sum(math.log(ratio) for _, _, ratio, _ in data) / len(data))
    title = f"{len(data)} random problems: geometric mean {mean:.2f} of the fastest peer"
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
           f' role="img" font-family="sans-serif" font-size="12"><title>{title}</title>',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
           f'<text x="{LEFT}" y="22" font-size="15">{title}</text>']
    for ratio in (0.5, 1, 2, 4, 8, 16):
        strong = ' stroke-width="2"' if ratio == 1 else ""
        out.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{up(ratio):.1f}" y2="{up(ratio):.1f}" stroke="#bbb"{strong}/>')
        out.append(f'<text x="{LEFT - 8}" y="{up(ratio) + 4:.1f}" text-anchor="end">{ratio}x</text>')
    for power in range(0, math.ceil(most_work) + 1, 2):
        out.append(f'<text x="{across(10 ** power):.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">1e{power}</text>')
    out.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 8}" text-anchor="middle">multiply-adds; above 1x jute is faster</text>')
    for case, work, ratio, group in data:
        out.append(f'<circle cx="{across(work):.1f}" cy="{up(ratio):.1f}" r="3.5" fill="{COLOURS[group]}" fill-opacity="0.75">'
                   f"<title>{case}: {ratio:.2f}</title></circle>")
    for place, (group, colour) in enumerate(COLOURS.items()):
        x = WIDTH - 230 + 110 * place
        out.append(f'<circle cx="{x}" cy="18" r="5" fill="{colour}"/><text x="{x + 10}" y="22">{group}</text>')
    print("\n".join(out) + "\n</svg>")


if __name__ == "__main__":
    main()
