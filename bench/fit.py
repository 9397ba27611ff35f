#!/usr/bin/env python3
"""Fits the coefficients of the law of predictions to timed kernels.

    choice_bench --works bench/choices_{types_,,random_,streams_,warps_}h200.csv > bench/works_h200.csv
    bench/fit.py bench/works_h200.csv > src/plan/cost/coefficients.cpp
    bench/fit.py bench/works_h200.csv --check src/plan/cost/coefficients.cpp [--page bench/residuals_h200.md]
    bench/fit.py bench/works_h200.csv --residuals src/plan/cost/coefficients.cpp > bench/residuals_h200.md
    jute tune --cases cases.csv --candidates 100 --sweep sweep.csv
    bench/fit.py sweep.csv --lines >> ~/.cache/jute/chips/NVIDIA_L4_sm_89_58.txt

Least squares of the logarithms of clocks, within each problem (what ranks its kernels) and, with less weight, of each problem
as a whole. Of a problem slow kernels count less, and none counts far beyond its row. Needs Python alone.
"""
import argparse
import csv
import math
import re
import sys

NAMES = ("launch", "product", "read", "copy", "turn", "end", "store", "sum")
ORDER = ("warps_async", "warps_registers", "warp_groups", "threads_async", "thread_groups", "lane_tiles", "dot_products",
         "line_warps", "line_threads")
START = (1.0, 1.0, 0.5, 1.0, 50.0, 0.5, 10.0, 1.0)
DATE, CHIP_NAME = "2026-11-29", "NVIDIA H200"
KEPT = 0.02  # weight of what a coefficient was before, which decides where rows say nothing
# Likewise of what products keep their unit busy, for tensor cores: small problems say little of it, and on chips with slower ones
# it decides. Of 8-bit elements conversions are among it.
KEPT_PRODUCT, BY_TENSOR_CORES = 1.0, ("warps_async", "warps_registers", "warp_groups", "line_warps")
WHOLE = 1.0  # weight of a problem's mean error
WHOLE_OF = {"warp_groups": 4.0}  # likewise, of kernels that are seldom the fastest, and then against other families'
FAR = 0.05  # of a logarithm: beyond it an error counts by its first power
SLOW = 1.5  # how soon kernels slower than the fastest of their problem count less
LEAST, MOST = -12.0, 12.0


def together(*clocks):
    return sum(x**4 for x in clocks) ** 0.25


def law(row, of, chip):
    """Clocks of a row, as by_law() in src/plan/cost/law.cpp has them."""
    launch, product, read, copy, turn, end, store, summed = of
    cut = 1.0 if row["split_k"] > 1 else 0.0
    stored = row["elements"] / 128
    of_sm = math.ceil(row["tiles"] * row["split_k"] / chip["sms"])
    k_tile = max(product, chip["of_fastest_clock"]) * row["products"] + read * row["reads"] + copy * row["copies"]
    waves = math.ceil(of_sm / min(row["resident"], of_sm))
    k_blocks = math.ceil(row["k_tiles"] / row["split_k"])
    feed = together(chip["load_latency"] / max(row["ahead"], 1.0), turn + k_tile / row["warps"] * chip["issue_slots"])
    end *= chip["block_start"]
    issued = of_sm * (k_blocks * k_tile + store * stored * (row["parts"] + cut) + end)
    turns = waves * (k_blocks * feed + end)
    return launch * chip["launch_gap"] + together(issued, turns, row["memory"]) + cut * summed * (row["split_k"] * stored + 256)


RATE = re.compile(r"(\w+)=([\d.]+)")


def works_of_sweep(sweep):
    """The rows that the law speaks of in what `jute tune --sweep` wrote, and the rates of their chip."""
    told = [row for row in sweep if row["law_family"]]
    rates = {row["law_rates"] for row in told}
    if len(rates) != 1:
        raise SystemExit(f"fit.py: a sweep must have rows of the law, all of one chip's rates; it has {len(rates)} of these")
    chip = {name: float(value) for name, value in RATE.findall(rates.pop())}
    rows = []
    for row in told:
        work = {name.removeprefix("law_"): value for name, value in row.items() if name.startswith("law_")}
        del work["rates"]
        # Clocks at which predictions count, whatever the clock of the race was.
        rows.append(work | {"problem": row["id"], "measured": float(row["measured_us"]) * chip["seen_mhz"]})
    return chip, rows


def read_works(path):
    with open(path, encoding="utf-8") as file:
        head = file.readline()
        if head.startswith("#"):
            chip = {name: float(value) for name, value in RATE.findall(head)}
            rows = list(csv.DictReader(file))
        else:
            file.seek(0)
            chip, rows = works_of_sweep(list(csv.DictReader(file)))
    for row in rows:
        if "slices" in row:  # of sweeps before 2026-11-29
            row["split_k"] = row.pop("slices")
        for name, value in row.items():
            if name not in ("problem", "family"):
                row[name] = float(value)
    return chip, rows


class Family:
    """Rows of one family and width: problems, weights, measured logarithms."""

    def __init__(self, chip, rows):
        self.chip, self.rows = chip, rows
        names = list(dict.fromkeys(row["problem"] for row in rows))
        best = {name: min(row["measured"] for row in rows if row["problem"] == name) for name in names}
        self.whole = WHOLE_OF.get(rows[0]["family"], WHOLE)
        is_firm = rows[0]["family"] in BY_TENSOR_CORES and rows[0]["width"] > 1
        self.kept = [KEPT_PRODUCT if name == "product" and is_firm else KEPT for name in NAMES]
        self.place = [names.index(row["problem"]) for row in rows]
        self.count = len(names)
        self.measured = [math.log(row["measured"]) for row in rows]
        self.ratio = [row["measured"] / best[row["problem"]] for row in rows]
        self.weight = [math.exp(-SLOW * min(ratio - 1, 1.0)) for ratio in self.ratio]
        self.total = [0.0] * self.count
        for place, weight in zip(self.place, self.weight):
            self.total[place] += weight

    def errors(self, logs):
        of = [math.exp(x) for x in logs]
        return [math.log(law(row, of, self.chip)) - have for row, have in zip(self.rows, self.measured)]

    def residuals(self, logs):
        errors = self.errors(logs)
        means = [0.0] * self.count
        for place, weight, error in zip(self.place, self.weight, errors):
            means[place] += weight * error / self.total[place]
        within = [(error - means[place]) * weight for error, place, weight in zip(errors, self.place, self.weight)]
        kept = [weight * (x - math.log(start)) for weight, x, start in zip(self.kept, logs, START)]
        return within + [self.whole * mean for mean in means] + kept


def cost(residuals):
    return sum(FAR**2 * 2 * (math.sqrt(1 + (r / FAR) ** 2) - 1) for r in residuals)


def solve(matrix, right):
    """Gauss with pivots."""
    n = len(right)
    rows = [list(matrix[i]) + [right[i]] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda j: abs(rows[j][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            for k in range(i, n + 1):
                rows[j][k] -= factor * rows[i][k]
    x = [0.0] * n
    for i in reversed(range(n)):
        x[i] = (rows[i][n] - sum(rows[i][j] * x[j] for j in range(i + 1, n))) / rows[i][i]
    return x


def fitted(family, steps=80):
    """Levenberg and Marquardt's way from START, in logarithms of the coefficients."""
    logs, damping = [math.log(x) for x in START], 1e-2
    residuals = family.residuals(logs)
    now = cost(residuals)
    for _ in range(steps):
        by = 1e-4
        columns = []
        for i in range(len(logs)):
            moved = list(logs)
            moved[i] += by
            columns.append([(b - a) / by for a, b in zip(residuals, family.residuals(moved))])
        trust = [1 / math.sqrt(1 + (r / FAR) ** 2) for r in residuals]
        normal = [[sum(t * a * b for t, a, b in zip(trust, x, y)) for y in columns] for x in columns]
        slope = [-sum(t * a * r for t, a, r in zip(trust, x, residuals)) for x in columns]
        while damping < 1e8:
            damped = [[v * (1 + damping * (i == j)) + (1e-12 if i == j else 0) for j, v in enumerate(row)]
                      for i, row in enumerate(normal)]
            moved = [min(max(x + d, LEAST), MOST) for x, d in zip(logs, solve(damped, slope))]
            tried = family.residuals(moved)
            if cost(tried) < now:
                break
            damping *= 4
        else:
            break
        gain = now - cost(tried)
        logs, residuals, now, damping = moved, tried, cost(tried), damping / 3
        if gain < 1e-9 * now:
            break
    return [math.exp(x) for x in logs]


def digits(value):
    """Three of them, and no more."""
    value = max(value, 1e-3)
    return f"{value:.3g}" if value < 1e3 else f"{float(f'{value:.3g}'):.0f}"


def families_of(chip, rows):
    keys = sorted({(row["family"], -row["width"]) for row in rows})
    keys.sort(key=lambda key: (ORDER.index(key[0]), key[1]))
    for name, width in keys:
        own = [row for row in rows if row["family"] == name and row["width"] == -width]
        if len(own) >= 3 * len(NAMES):  # fewer say too little: the nearest width serves them
            yield name, int(-width), Family(chip, own)


def shares(family, of):
    """Of problems with two kernels: within 5 % of the fastest, and of its time in the mean."""
    chosen = {}
    for place, row, ratio in zip(family.place, family.rows, family.ratio):
        chosen.setdefault(place, []).append((law(row, of, family.chip), ratio))
    ratios = [min(pairs)[1] for pairs in chosen.values() if len(pairs) > 1]
    near = sum(ratio <= 1.05 for ratio in ratios)
    return near, len(ratios), math.exp(sum(map(math.log, ratios)) / max(len(ratios), 1))


def mean_and_spread(family, of):
    """Of the logarithm of predicted by measured clocks."""
    errors = family.errors([math.log(x) for x in of])
    mean = sum(errors) / len(errors)
    return mean, math.sqrt(sum((error - mean) ** 2 for error in errors) / len(errors))


def spread(family, of):
    return mean_and_spread(family, of)[1]


def residuals_page(chip, rows, have):
    """Every family, each of its types beside it: types that have no row of coefficients of their width, too."""
    lines = [
        f"# What the law misses: {DATE}, {CHIP_NAME}",
        "",
        "Written by `bench/fit.py bench/works_h200.csv --residuals src/plan/cost/coefficients.cpp`; a test holds it to both.",
        "Mean and deviation are of ln(expected / measured clocks), over all times of a family and type; behind them, of the problems with two",
        "kernels of the family, for how many the one that is expected to be fastest is within 5 % of the fastest, and how much of its time it takes.",
        "",
        "| family | type | coefficients of width | times | mean | deviation | within 5 % | time |",
        "|---|---|---|---|---|---|---|---|",
    ]
    key = lambda row: (ORDER.index(row["family"]), row["problem"].split()[0])
    for place, kind in sorted({key(row) for row in rows}):
        own = [row for row in rows if key(row) == (place, kind)]
        width = int(own[0]["width"])
        of_width = min((other for name, other in have if name == ORDER[place]), key=lambda other: abs(other - width), default=None)
        if of_width is None:
            continue
        of, family = have[ORDER[place], of_width], Family(chip, own)
        near, count, ratio = shares(family, of)
        mean, deviation = mean_and_spread(family, of)
        judged = f"{near} of {count} | {ratio:.4f}" if count else "- | -"
        lines.append(f"| {ORDER[place]} | {kind} | {of_width} | {len(own)} | {mean:+.3f} | {deviation:.3f} | {judged} |")
    return "\n".join(lines) + "\n"


def text_of(chip, rows):
    lines = [
        "// Coefficients of the law, by family and bytes of an element. Written by bench/fit.py from",
        f"// bench/works_h200.csv, {DATE}, {CHIP_NAME}; behind each row how many times it was fitted to,",
        "// and the standard deviation of the logarithm of predicted by measured clocks.",
        '#include "plan/cost/law.hpp"',
        "",
        "namespace jute::plan {",
        "namespace {",
        "",
        "// clang-format off",
        "const std::vector<Coefficients> kCoefficients{",
    ]
    for name, width, family in families_of(chip, rows):
        of = [float(digits(x)) for x in fitted(family)]
        numbers = ", ".join(f".{key} = {digits(x)}" for key, x in zip(NAMES, of))
        lines.append(f"  {{.family = LawFamily::{name}, .width = {width},")
        lines.append(f"   {numbers}}},  // {len(family.rows)}, {spread(family, of):.3f}")
    return "\n".join(lines + [
        "};",
        "// clang-format on",
        "",
        "}  // namespace",
        "",
        "const std::vector<Coefficients>& coefficients() { return kCoefficients; }",
        "",
        "}  // namespace jute::plan",
        "",
    ])


def lines_of(chip, rows):
    """What a chip's own file takes."""
    text = ""
    for name, width, family in families_of(chip, rows):
        numbers = " ".join(f"{key}={digits(x)}" for key, x in zip(NAMES, fitted(family)))
        text += f"coefficients\t{name}\t{width}\t{numbers}\n"
    return text


def committed(path):
    """{(family, width): coefficients} of a written file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = {}
    for name, width, numbers in re.findall(r"LawFamily::(\w+), \.width = (\d+),\s*(.*?)\}", text, re.S):
        values = dict(re.findall(r"\.(\w+) = ([\d.e+-]+)", numbers))
        rows[name, int(width)] = [float(values[key]) for key in NAMES]
    return rows


def check(chip, rows, path):
    """Coefficients that the rows do not give, to one part in a hundred, and a law that is not the library's."""
    have, wrong = committed(path), []
    families = list(families_of(chip, rows))
    if {(name, width) for name, width, _ in families} != set(have):
        wrong.append("other families or widths")
    for row in rows:
        of = have.get((row["family"], int(row["width"])))
        if of and abs(law(row, of, chip) / row["clocks"] - 1) > 1e-4:
            wrong.append(f"{row['problem']}: the law here gives {law(row, of, chip):.6g}, the library's {row['clocks']}")
            break
    for name, width, family in families:
        for key, got, kept in zip(NAMES, fitted(family), have.get((name, width), [])):
            if abs(float(digits(got)) - kept) > 0.01 * abs(kept):
                wrong.append(f"{name} {width} {key}: {digits(got)}, not {kept}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works")
    parser.add_argument("--check", metavar="FILE", help="say what of a written file the rows do not give")
    parser.add_argument("--page", metavar="FILE", help="with --check: what --residuals must have written")
    parser.add_argument("--residuals", metavar="FILE", help="a table of a written file's families")
    parser.add_argument("--lines", action="store_true", help="for the file of one chip, instead of the built-in table")
    arguments = parser.parse_args()
    chip, rows = read_works(arguments.works)
    if arguments.check:
        wrong = check(chip, rows, arguments.check)
        if arguments.page:
            with open(arguments.page, encoding="utf-8") as page:
                if page.read() != residuals_page(chip, rows, committed(arguments.check)):
                    wrong.append(f"{arguments.page}: another page than --residuals writes")
        print("\n".join(wrong) or "as written")
        return 1 if wrong else 0
    if arguments.residuals:
        sys.stdout.write(residuals_page(chip, rows, committed(arguments.residuals)))
        return 0
    sys.stdout.write((lines_of if arguments.lines else text_of)(chip, rows))
    return 0


if __name__ == "__main__":
    sys.exit(main())
