#!/usr/bin/env python3
"""Turns what `jute bench --csv` wrote into a table in Markdown: jute as planned against its fastest peer.

    bench/report.py results.csv                # every mode
    bench/report.py results.csv --mode cool    # one
    bench/report.py results.csv --mode cool --sweep sweep.svg    # cases that differ in M: time over M instead
"""
import argparse
import csv
import math
import re
import statistics


def read_races(path):
    """[(case, mode, jute's rows, the fastest peer's row or None)], in the order of the file."""
    races = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            races.setdefault((row["case"], row["mode"]), []).append(row)
    for (case, mode), rows in races.items():
        timed = [row for row in rows if float(row["us"]) > 0]
        peers = [row for row in timed if row["side"] == "peer" and float(row["error"]) <= 1]
        jute = [row for row in timed if row["side"] == "jute"]
        yield case, mode, jute, min(peers, key=lambda row: float(row["us"]), default=None)


def cell(text, digits):
    return f"{float(text):.{digits}f}" if float(text) > 0 else ""


def print_table(races):
    print("| case | mode | jute | us | TFLOP/s | fastest peer | us | ratio | least-most | MHz | W "
          "| err/bnd | registers | spill bytes |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
    for case, mode, jute, peer in races:
        for row in jute:
            name, us = (peer["contestant"], cell(peer["us"], 2)) if peer else ("", "")
            spread = f"{float(row['least']):.3f}-{float(row['most']):.3f}" if peer else ""
            error = f"{float(row['error']):.1e}" if float(row["error"]) >= 0 else ""
            print(f"| {case} | {mode} | {row['contestant']} | {cell(row['us'], 2)} | "
                  f"{cell(row['tflops'], 1)} | {name} | {us} | {cell(row['ratio'], 3)} | {spread} | "
                  f"{cell(row['mhz'], 0)} | {cell(row['watts'], 0)} | {error} | {row['registers']} | "
                  f"{row['spill_bytes']} |")


def read_sweep(races):
    """{contestant: {M: us}}; the fastest peer of each M is one contestant."""
    lines = {}
    for case, _, jute, peer in races:
        m = int(re.search(r"(\d+)x\d+x\d+", case)[1])
        for row in jute:
            if float(row["us"]) > 0:
                lines.setdefault(row["contestant"], {})[m] = float(row["us"])
        if peer:
            lines.setdefault("fastest peer", {})[m] = float(peer["us"])
    return lines


def sweep_text(lines):
    """What each line loses against `planned`, and by how much an M is slower than a greater one."""
    for name, times in lines.items():
        slower = {m: us / min(other for n, other in times.items() if n >= m) for m, us in times.items()}
        worst = max(slower, key=slower.get)
        text = f"{name}: {len(times)} M, at worst {slower[worst]:.3f} of a greater M's time (M = {worst})"
        ratios = {m: us / lines["planned"][m] for m, us in times.items() if m in lines.get("planned", {})}
        if name != "planned" and ratios:
            most = max(ratios, key=ratios.get)
            text += (f"; of planned {statistics.geometric_mean(ratios.values()):.3f} in the mean, "
                     f"{ratios[most]:.3f} at most (M = {most})")
        yield text


def sweep_svg(lines, title):
    """Time over M, both by octaves."""
    width, height, left, top = 860, 480, 70, 50
    points = [(m, us) for times in lines.values() for m, us in times.items()]
    low_m, high_m = (math.log2(end(m for m, _ in points)) for end in (min, max))
    low, high = math.floor(math.log2(min(us for _, us in points))), math.ceil(math.log2(max(us for _, us in points)))

    def place(m, us):
        return (left + (math.log2(m) - low_m) / max(high_m - low_m, 1e-9) * (width - left - 30),
                height - 50 - (math.log2(us) - low) / max(high - low, 1e-9) * (height - top - 60))

    def words(x, y, text, anchor="middle", fill="#222222"):
        return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}" stroke="#ffffff" stroke-width="4" '
                f'paint-order="stroke">{text}</text>')

    svg = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="#ffffff"/>', words(left, 24, title, "start")]
    for octave in range(low, high + 1):
        y = place(2**low_m, 2**octave)[1]
        svg += [f'<line x1="{left}" y1="{y:.1f}" x2="{width - 30}" y2="{y:.1f}" stroke="#dddddd"/>',
                words(left - 8, y + 4, f"{2.0**octave:g} us", "end")]
    for octave in range(math.ceil(low_m), math.floor(high_m) + 1):
        svg.append(words(place(2**octave, 2**low)[0], height - 30, f"{2**octave}"))
    svg.append(words((left + width - 30) / 2, height - 10, "M"))
    for i, ((name, times), color) in enumerate(zip(lines.items(), ("#1b6ca8", "#d1495b", "#3c8d40", "#8d6a9f"))):
        path = " ".join("{:.1f},{:.1f}".format(*place(m, us)) for m, us in sorted(times.items()))
        svg += [f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>',
                words(left + 20, top + 16 * i, name, "start", color)]
    return "\n".join(svg + ["</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv")
    parser.add_argument("--mode", help="cool, pdl off, stream, chain or sustained")
    parser.add_argument("--sweep", metavar="FILE.svg", help="draw time over M; cases differ in M alone")
    options = parser.parse_args()
    races = [race for race in read_races(options.csv) if options.mode is None or race[1] == options.mode]
    if not options.sweep:
        print_table(races)
        return
    lines = read_sweep(races)
    with open(options.sweep, "w") as file:
        file.write(sweep_svg(lines, re.sub(r"\d+(x\d+x\d+)", r"M\1", races[0][0])))
    print("\n".join(sweep_text(lines)))


if __name__ == "__main__":
    main()
