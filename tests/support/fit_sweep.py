#!/usr/bin/env python3
"""bench/fit.py reads what `jute tune --sweep` writes: committed works in a sweep's columns, of two families, give the lines
of a chip's file with the committed coefficients; a sweep of two chips is refused.   fit_sweep.py SOURCES"""
import csv
import pathlib
import re
import subprocess
import sys
import tempfile

sources = pathlib.Path(sys.argv[1])
KEPT = ("warps_registers", "warp_groups")  # few rows: the fit takes a second
SEEN_MHZ = 1720.0


def sweep_of(works):
    with open(works, encoding="utf-8") as file:
        rates = " ".join(re.findall(r"\w+=[\d.]+", file.readline())) + f" seen_mhz={SEEN_MHZ:g}"
        rows = [row for row in csv.DictReader(file) if row["family"] in KEPT]
    lines = []
    for row in rows:
        law = {f"law_{name}": value for name, value in row.items() if name not in ("problem", "measured")}
        lines.append({"id": row["problem"], "law_rates": rates, **law, "measured_us": float(row["measured"]) / SEEN_MHZ})
        lines.append({"id": row["problem"], "measured_us": 1})  # of a kernel that the law does not speak of
    return lines


def lines_of_fit(path, status=0):
    done = subprocess.run([sys.executable, sources / "bench/fit.py", path, "--lines"], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == (status == 0), done.stderr
    return done.stdout, done.stderr


def written(folder, lines):
    path = pathlib.Path(folder) / "sweep.csv"
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, lines[0].keys(), restval="")
        writer.writeheader()
        writer.writerows(lines)
    return path


def main():
    table = (sources / "src/plan/cost/coefficients.cpp").read_text(encoding="utf-8")
    have = {}
    for name, width, numbers in re.findall(r"Family::(\w+), \.width = (\d+),\s*(.*?)\}", table, re.S):
        if name in KEPT:
            have[name, width] = dict(re.findall(r"\.(\w+) = ([\d.e+-]+)", numbers))
    lines = sweep_of(sources / "bench/works_h200.csv")
    with tempfile.TemporaryDirectory() as folder:
        text, _ = lines_of_fit(written(folder, lines))
        got = [line.split("\t") for line in text.splitlines()]
        assert [(word, *rest[:2]) for word, *rest in got] == [("coefficients", *key) for key in have], text
        for _, name, width, numbers in got:
            for pair in numbers.split(" "):
                key, value = pair.split("=")
                kept = float(have[name, width][key])
                is_nothing = max(float(value), kept) < 0.02  # flat: the last bits of a measured number move it
                assert is_nothing or abs(float(value) - kept) <= 0.01 * kept, f"{name} {width} {key}: {value}, not {kept}"
        lines[0]["law_rates"] = "sms=1"
        _, fault = lines_of_fit(written(folder, lines), status=1)
        assert "all of one chip's rates; it has 2" in fault, fault
    print("as committed")


main()
