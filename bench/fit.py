#!/usr/bin/env python3
"""Fits the coefficients of the law of predictions to timed kernels.

    choice_bench --works bench/choices_{types_,,random_,streams_,warps_,planned_}h200.csv bench/expected_h200.csv > bench/works_h200.csv
    bench/fit.py bench/works_h200.csv > src/plan/cost/coefficients.cpp
    bench/fit.py bench/works_h200.csv --check src/plan/cost/coefficients.cpp [--page bench/residuals_h200.md]
    bench/fit.py bench/works_h200.csv --residuals src/plan/cost/coefficients.cpp > bench/residuals_h200.md
    jute tune --cases cases.csv --candidates 100 --sweep sweep.csv
    bench/fit.py sweep.csv --lines >> ~/.cache/jute/chips/NVIDIA_L4_sm_89_58.txt

Least squares of the logarithms of clocks, within each problem (what ranks its kernels) and, with less weight, of each problem
as a whole. Of a problem slow kernels count less, and none counts far beyond its row. Families that stand beside kernels with
another model are fitted to what is chosen: how much longer than the fastest that takes counts ten times as much as the squares. Rows whose family
says `former:` have what a former model expected instead of a time. Of families that are fitted to what is chosen these are kernels
that it kept out and nobody timed: they count in the choice alone, so that none is chosen for being unknown. Of others they
stand for times that it was fitted to and that were not kept. Needs Python alone.
"""
import argparse
import csv
import math
import re
import sys

NAMES = ("launch", "product", "read", "copy", "turn", "end", "store", "sum")
ORDER = ("warps_async", "warps_registers", "warp_groups", "threads_async", "thread_groups", "lane_tiles", "dot_products",
         "straight_tiles", "line_warps", "line_threads")
START = (1.0, 1.0, 0.5, 1.0, 50.0, 0.5, 10.0, 1.0)
DATE, CHIP_NAME = "2026-11-30", "NVIDIA H200"
KEPT = 0.02  # weight of what a coefficient was before, which decides where rows say nothing
# Likewise of what products keep their unit busy, for tensor cores: small problems say little of it, and on chips with slower ones
# it decides. Of 8-bit elements conversions are among it.
KEPT_PRODUCT, BY_TENSOR_CORES = 1.0, ("warps_async", "warps_registers", "warp_groups", "straight_tiles", "line_warps")
WHOLE = 1.0  # weight of a problem's mean error
WHOLE_OF = {"warp_groups": 4.0}  # likewise, of kernels that are seldom the fastest, and then against other families'
CHOSEN = ("straight_tiles",)  # fitted to what is chosen beside rivals
FORMER = "former:"  # families of kernels that were not timed
WAITS_AHEAD = "warps_async"  # waits for a k-tile under those on their way behind it, but of doubles, which take longer to multiply
RIVAL = "other"  # rows of kernels that the law does not speak of: what is expected of them, and what they take
OF_CHOICE = 10.0  # what the logarithm of the chosen kernel's time counts, beside squares
NEARLY = 0.04  # of a logarithm: kernels that are expected to take so much longer are chosen 1 / e times as often
MOST_LOST = 0.7  # of a logarithm, by one choice
FAR = 0.05  # of a logarithm: beyond it an error counts by its first power
SLOW = 1.5  # how soon kernels slower than the fastest of their problem count less
LEAST, MOST = -12.0, 12.0


class Kernel:
    """A row, as far as coefficients do not decide."""

    def __init__(self, row, chip):
        cut = 1.0 if row["split_k"] > 1 else 0.0
        stored = row["elements"] / 128
        self.of_sm = math.ceil(row["tiles"] * row["split_k"] / chip["sms"])
        self.waves = math.ceil(self.of_sm / min(row["resident"], self.of_sm))
        self.k_blocks = math.ceil(row["k_tiles"] / row["split_k"])
        self.of_k_tile = row["products"], row["reads"], row["copies"]
        self.latency = chip["load_latency"]
        self.ahead = 1 / max(row["ahead"], 1.0)
        self.waits_ahead = row["family"] == WAITS_AHEAD and row["width"] < 8
        self.slot = chip["issue_slots"] / row["warps"]
        self.stored = stored * (row["parts"] + cut)
        self.memory = row["memory"] ** 4
        waited = stored * (1 + 4 * row["parts"] / row["warps"]) / 2 if self.waits_ahead else stored
        self.sums = cut * (row["split_k"] * waited + 256)
        self.begin = row.get("begin", 1.0)


def clocks_by_law(kernels, of, chip):
    """Clocks of each, as by_law() in src/plan/cost/law.cpp has them."""
    launch, product, read, copy, turn, end, store, summed = of
    launch, product, end = launch * chip["launch_gap"], max(product, chip["of_fastest_clock"]), end * chip["block_start"]
    root = math.sqrt
    clocks = []
    for kernel in kernels:
        products, reads, copies = kernel.of_k_tile
        k_tile = product * products + read * reads + copy * copies
        k_blocks = kernel.k_blocks
        waits, behind = (turn, 0.0) if kernel.waits_ahead else (0.0, turn)
        loaded = (kernel.latency + waits) * kernel.ahead
        turns = kernel.waves * (k_blocks * root(root(loaded**4 + (behind + k_tile * kernel.slot) ** 4)) + end)
        issued = kernel.of_sm * (k_blocks * k_tile + store * kernel.stored + end)
        clocks.append(launch * kernel.begin + root(root(issued**4 + turns**4 + kernel.memory)) + summed * kernel.sums)
    return clocks


def law(row, of, chip):
    return clocks_by_law([Kernel(row, chip)], of, chip)[0]


RATE = re.compile(r"(\w+)=([\d.]+)")


def works_of_sweep(sweep):
    """The rows that the law speaks of in what `jute tune --sweep` wrote, the others as rivals, and the rates of their chip."""
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
    for row in sweep:
        if not row["law_family"] and row.get("clocks"):
            measured = float(row["measured_us"]) * chip["seen_mhz"]
            rows.append({"problem": row["id"], "family": RIVAL, "measured": measured, "clocks": row["clocks"]})
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
            if name not in ("problem", "family", "is_former") and value:
                row[name] = float(value)
        row["is_former"] = row["family"].startswith(FORMER)
        row["family"] = row["family"].removeprefix(FORMER)
    rivals = [row for row in rows if row["family"] == RIVAL]
    beside = {row["problem"]: row["measured"] / row["clocks"] for row in rivals}
    for row in rows:
        if row["is_former"]:  # on the scale of times
            row["measured"] *= beside.get(row["problem"], 1.0)
    return chip, [row for row in rows if row["family"] != RIVAL], rivals


class Family:
    """Rows of one family and width: problems, weights, measured logarithms."""

    def __init__(self, chip, rows, rivals=()):
        self.chip, self.rows = chip, rows
        best = {}
        for row in rows:
            best[row["problem"]] = min(row["measured"], best.get(row["problem"], math.inf))
        names = {name: place for place, name in enumerate(best)}
        self.whole = WHOLE_OF.get(rows[0]["family"], WHOLE)
        is_firm = rows[0]["family"] in BY_TENSOR_CORES and rows[0]["width"] > 1
        self.kept = [KEPT_PRODUCT if name == "product" and is_firm else KEPT for name in NAMES]
        self.place = [names[row["problem"]] for row in rows]
        self.count = len(names)
        self.kernels = [Kernel(row, chip) for row in rows]
        self.measured = [math.log(row["measured"]) for row in rows]
        self.ratio = [row["measured"] / best[row["problem"]] for row in rows]
        is_chosen = rows[0]["family"] in CHOSEN
        self.weight = [0.0 if is_chosen and row["is_former"] else math.exp(-SLOW * min(ratio - 1, 1.0)) for row, ratio in zip(rows, self.ratio)]
        self.total = [0.0] * self.count
        for place, weight in zip(self.place, self.weight):
            self.total[place] += weight
        self.total = [total or 1.0 for total in self.total]
        # Logarithms of clocks that are expected of others, and what each choice of a problem loses.
        self.beside = [[] for _ in names]
        fastest = dict(best)
        for row in rivals:
            if row["problem"] in fastest:
                fastest[row["problem"]] = min(row["measured"], fastest[row["problem"]])
        lost = lambda row: min(math.log(row["measured"] / fastest[row["problem"]]), MOST_LOST)
        for row in rivals:
            if row["problem"] in names:
                self.beside[names[row["problem"]]].append((math.log(row["clocks"]), lost(row)))
        self.lost = [lost(row) for row in rows]

    def errors(self, logs):
        of = [math.exp(x) for x in logs]
        return [math.log(clocks) - have for clocks, have in zip(clocks_by_law(self.kernels, of, self.chip), self.measured)]

    def residuals(self, logs, errors=None):
        errors = errors or self.errors(logs)
        means = [0.0] * self.count
        for place, weight, error in zip(self.place, self.weight, errors):
            means[place] += weight * error / self.total[place]
        within = [(error - means[place]) * weight for error, place, weight in zip(errors, self.place, self.weight)]
        return within + [self.whole * mean for mean in means] + self.moved(logs)

    def moved(self, logs):
        """Off what coefficients were before, by the weight of that."""
        return [weight * (x - math.log(start)) for weight, x, start in zip(self.kept, logs, START)]


    def lost_by_choices(self, errors):
        """Of all problems the logarithm of the chosen kernel's time, for the fastest's; nearly as good ones are chosen as well."""
        expected = [list(beside) for beside in self.beside]
        for place, error, measured, lost in zip(self.place, errors, self.measured, self.lost):
            expected[place].append((error + measured, lost))
        total = 0.0
        for kernels in expected:
            least = min(clocks for clocks, _ in kernels)
            shares = [math.exp((least - clocks) / NEARLY) for clocks, _ in kernels]
            total += sum(share * lost for share, (_, lost) in zip(shares, kernels)) / sum(shares)
        return total

    def chosen_cost(self, logs):
        errors = self.errors(logs)
        products = self.moved(logs)[NAMES.index("product")] ** 2
        return cost(self.residuals(logs, errors)) + OF_CHOICE * (self.lost_by_choices(errors) + products)


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


def fitted_to_choices(family, steps=200):
    """The way of Broyden, Fletcher, Goldfarb and Shanno."""
    n, by = len(START), 1e-6
    logs = [math.log(x) for x in START]
    now = family.chosen_cost(logs)

    def slope_at(at, here):
        return [(family.chosen_cost([x + by * (i == j) for j, x in enumerate(at)]) - here) / by for i in range(n)]

    dot = lambda x, y: sum(a * b for a, b in zip(x, y))
    inverse = [[1e-3 * (i == j) for j in range(n)] for i in range(n)]
    slope = slope_at(logs, now)
    for _ in range(steps):
        way = [-dot(row, slope) for row in inverse]
        down = dot(way, slope)
        far = min(1.0, 1.0 / max(abs(x) for x in way))
        while far > 1e-9:
            moved = [x + far * d for x, d in zip(logs, way)]
            tried = family.chosen_cost(moved)
            if tried <= now + 1e-4 * far * down:
                break
            far /= 2
        else:
            break
        gain, now = now - tried, tried
        went = [far * d for d in way]
        turned = slope_at(moved, now)
        changed = [a - b for a, b in zip(turned, slope)]
        logs, slope = moved, turned
        curved = dot(went, changed)
        if curved > 1e-12:
            bent = [dot(row, changed) for row in inverse]
            scale = (1 + dot(changed, bent) / curved) / curved
            inverse = [[inverse[i][j] + scale * went[i] * went[j] - (bent[i] * went[j] + went[i] * bent[j]) / curved
                        for j in range(n)] for i in range(n)]
        if gain < 1e-9 * now:
            break
    return [math.exp(x) for x in logs]


def digits(value):
    """Three of them, and no more."""
    value = max(value, 1e-3)
    return f"{value:.3g}" if value < 1e3 else f"{float(f'{value:.3g}'):.0f}"


def nearest(have, name, width):
    """Of {(family, width): coefficients} those of the family's nearest width."""
    widths = [other for family, other in have if family == name]
    return have[name, min(widths, key=lambda other: abs(other - width))] if widths else None


def expected_by(have, rows, chip):
    """The rows with what is expected by new coefficients, where their family has some."""
    with_new = []
    for row in rows:
        of = nearest(have, row["family"], row["width"])
        with_new.append(row | {"clocks": law(row, of, chip)} if of else row)
    return with_new


def fits_of(chip, rows, rivals):
    """{(family, width): (coefficients of three digits, rows)}; families that are chosen beside others behind those."""
    keys = sorted({(row["family"], -row["width"]) for row in rows})
    keys.sort(key=lambda key: (ORDER.index(key[0]), key[1]))
    found, fits = {}, {}
    for is_chosen in (False, True):
        beside = rivals + expected_by(found, [row for row in rows if row["family"] not in CHOSEN], chip) if is_chosen else ()
        for name, width in keys:
            own = [row for row in rows if row["family"] == name and row["width"] == -width]
            if (name in CHOSEN) != is_chosen or len(own) < 3 * len(NAMES):
                continue  # fewer say too little: the nearest width serves them
            family = Family(chip, own, beside)
            values = fitted_to_choices(family) if is_chosen else fitted(family)
            found[name, int(-width)] = [float(digits(x)) for x in values]
            fits[name, int(-width)] = found[name, int(-width)], family
    return {(name, int(-width)): fits[name, int(-width)] for name, width in keys if (name, int(-width)) in fits}


def shares(family, of):
    """Of problems with two kernels: within 5 % of the fastest, and of its time in the mean."""
    chosen = {}
    for place, clocks, ratio in zip(family.place, clocks_by_law(family.kernels, of, family.chip), family.ratio):
        chosen.setdefault(place, []).append((clocks, ratio))
    ratios = [min(pairs)[1] for pairs in chosen.values() if len(pairs) > 1]
    near = sum(ratio <= 1.05 for ratio in ratios)
    return near, len(ratios), math.exp(sum(map(math.log, ratios)) / max(len(ratios), 1))


def mean_and_spread(family, of):
    """Of the logarithm of predicted by measured clocks."""
    errors = [error for error, weight in zip(family.errors([math.log(x) for x in of]), family.weight) if weight > 0]
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
    rows = [row for row in rows if not row["is_former"]]
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


def text_of(chip, rows, rivals):
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
    for (name, width), (of, family) in fits_of(chip, rows, rivals).items():
        numbers = ", ".join(f".{key} = {digits(x)}" for key, x in zip(NAMES, of))
        lines.append(f"  {{.family = Family::{name}, .width = {width},")
        timed = sum(weight > 0 for weight in family.weight)
        lines.append(f"   {numbers}}},  // {timed}, {spread(family, of):.3f}")
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


def lines_of(chip, rows, rivals):
    """What a chip's own file takes."""
    text = ""
    for (name, width), (of, _) in fits_of(chip, rows, rivals).items():
        numbers = " ".join(f"{key}={digits(x)}" for key, x in zip(NAMES, of))
        text += f"coefficients\t{name}\t{width}\t{numbers}\n"
    return text


def committed(path):
    """{(family, width): coefficients} of a written file."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    rows = {}
    for name, width, numbers in re.findall(r"Family::(\w+), \.width = (\d+),\s*(.*?)\}", text, re.S):
        values = dict(re.findall(r"\.(\w+) = ([\d.e+-]+)", numbers))
        rows[name, int(width)] = [float(values[key]) for key in NAMES]
    return rows


def check(chip, rows, rivals, path):
    """Coefficients by which the rows are expected otherwise, by one part in a hundred in the mean, and a law that is not the
    library's. Digits of a coefficient that hardly counts differ between versions of numpy and processors."""
    have, wrong = committed(path), []
    fits = fits_of(chip, rows, rivals)
    if set(fits) != set(have):
        wrong.append("other families or widths")
    for row in rows:
        of = have.get((row["family"], int(row["width"])))
        if of and abs(law(row, of, chip) / row["clocks"] - 1) > 1e-4:
            wrong.append(f"{row['problem']}: the law here gives {law(row, of, chip):.6g}, the library's {row['clocks']}")
            break
    for (name, width), (of, _) in fits.items():
        own = [row for row in rows if (row["family"], int(row["width"])) == (name, width)]
        kept = have.get((name, width), of)
        apart = sum(abs(math.log(law(row, of, chip) / law(row, kept, chip))) for row in own)
        if apart > 0.01 * len(own):
            both = ", ".join(f"{key} {digits(x)}, not {y}" for key, x, y in zip(NAMES, of, kept) if digits(x) != digits(y))
            wrong.append(f"{name} {width}: {both}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("works")
    parser.add_argument("--check", metavar="FILE", help="say what of a written file the rows do not give")
    parser.add_argument("--page", metavar="FILE", help="with --check: what --residuals must have written")
    parser.add_argument("--residuals", metavar="FILE", help="a table of a written file's families")
    parser.add_argument("--lines", action="store_true", help="for the file of one chip, instead of the built-in table")
    arguments = parser.parse_args()
    chip, rows, rivals = read_works(arguments.works)
    if arguments.check:
        wrong = check(chip, rows, rivals, arguments.check)
        if arguments.page:
            with open(arguments.page, encoding="utf-8") as page:
                if page.read() != residuals_page(chip, rows, committed(arguments.check)):
                    wrong.append(f"{arguments.page}: another page than --residuals writes")
        print("\n".join(wrong) or "as written")
        return 1 if wrong else 0
    if arguments.residuals:
        sys.stdout.write(residuals_page(chip, rows, committed(arguments.residuals)))
        return 0
    sys.stdout.write((lines_of if arguments.lines else text_of)(chip, rows, rivals))
    return 0


if __name__ == "__main__":
    sys.exit(main())
