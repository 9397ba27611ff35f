#!/usr/bin/env python3
"""Turns what `jute bench --csv` wrote into a table in Markdown: jute as planned against its fastest peer.

    bench/report.py results.csv                # every mode
    bench/report.py results.csv --mode cool    # one
"""
import argparse
import csv


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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("csv")
    parser.add_argument("--mode", help="cool, pdl off, stream, chain or sustained")
    options = parser.parse_args()
    print_table(race for race in read_races(options.csv)
                if options.mode is None or race[1] == options.mode)


if __name__ == "__main__":
    main()
