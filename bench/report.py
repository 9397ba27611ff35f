#!/usr/bin/env python3
"""Turns what `jute_bench --csv` wrote into a table in Markdown, and into a picture.

    bench/report.py results.csv                            # the table
    bench/report.py results.csv --svg docs/images/h200.svg # a bar a case: cuBLASLt's time over jute's
"""
import argparse
import csv
import html

JUTE, PEER = "jute planned", "cublasLt best"


def read_cases(path):
    """[(id, row of jute, row of cuBLASLt or None)], in the order of the file."""
    cases = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            cases.setdefault(row["case"], {})[row["contestant"]] = row
    return [(name, rows[JUTE], rows.get(PEER)) for name, rows in cases.items()
            if JUTE in rows and not rows[JUTE]["note"]]


def microseconds(row):
    return f"{1e3 * float(row['ms']):.1f}" if row else ""


def print_table(cases):
    print("| case | jute us | TFLOP/s | cuBLASLt best us | x best | least-most | err/bnd | registers "
          "| spill bytes |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, jute, peer in cases:
        print(f"| {name} | {microseconds(jute)} | {float(jute['tflops']):.1f} | "
              f"{microseconds(peer)} | {float(jute['against_best']):.3f} | "
              f"{float(jute['least']):.3f}-{float(jute['most']):.3f} | "
              f"{float(jute['error']):.1e} | {jute['registers']} | "
              f"{jute['spills']} |")


def svg_of(cases):
    """Bars along a linear axis; a line marks 1, cuBLASLt's own speed."""
    bar, gap, left, width = 18, 6, 230, 420
    longest = max(1.0, *(float(jute["against_best"]) for _, jute, _ in cases))
    height = len(cases) * (bar + gap) + 44
    scale = width / longest
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + width + 70}" '
             f'height="{height}" font-family="sans-serif" font-size="12">',
             '<rect width="100%" height="100%" fill="white"/>',
             f'<text x="{left}" y="16" fill="#444">speed over cuBLASLt\'s best (1 = equal)</text>']
    for i, (name, jute, _) in enumerate(cases):
        ratio, y = float(jute["against_best"]), 26 + i * (bar + gap)
        fill = "#2a7f62" if ratio >= 1 else "#8fb8aa"
        parts += [f'<text x="{left - 8}" y="{y + 13}" text-anchor="end">{html.escape(name)}</text>',
                  f'<rect x="{left}" y="{y}" width="{ratio * scale:.1f}" height="{bar}" fill="{fill}"/>',
                  f'<text x="{left + ratio * scale + 5:.1f}" y="{y + 13}">{ratio:.2f}</text>']
    x = left + scale
    parts += [f'<line x1="{x:.1f}" y1="22" x2="{x:.1f}" y2="{height - 14}" stroke="#b03030" '
              'stroke-dasharray="4 3"/>', "</svg>"]
    return "\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv")
    parser.add_argument("--svg", metavar="FILE")
    options = parser.parse_args()
    cases = read_cases(options.csv)
    if options.svg:
        with open(options.svg, "w") as file:
            file.write(svg_of(cases))
    else:
        print_table(cases)


if __name__ == "__main__":
    main()
