#!/usr/bin/env python3
"""Draws the pictures of docs/hopper-kernel.md that no jute command draws, from what a plan says.

    jute plan … | docs/images/hopper/draw.py FOLDER

Writes memory.svg, pipeline.svg, cluster.svg and subtiles.svg. Numbers come from the plan; the clocks of the
pipeline, which no plan knows, are those measured on an H200 and stand in CLOCKS.
"""
import pathlib
import re
import sys

# SM clocks: from launch to the barrier, from there to the first data, multiplying a k-tile of 128x256x64 by
# both groups, what an epilogue costs in the open, a stage's load where all SMs only load; and the two
# instructions that ask for one.
CLOCKS = {"prologue": 740, "first": 2420, "product": 1018, "epilogue": 1960, "load": 900, "ask": 150}
K_TILES_DRAWN = 6  # of a tile, instead of K / 64

STYLE = """<style>
text{font:13px system-ui,'DejaVu Sans',Arial,sans-serif;fill:#1b1f24}
.page{fill:#fff}.mid{text-anchor:middle}.end{text-anchor:end}.small{font-size:11px}.dim{fill:#57606a}
.box{stroke:#57606a;stroke-width:.8}.a{fill:#b6d4f1}.b{fill:#f1d2b6}.d{fill:#c7f1b6}.s{fill:#e2b6f1}
.w{fill:#fff}.load{fill:#dbe7f3}.full{fill:#9cc3ea}.read{fill:#4f8fd0}.idle{fill:#f3f4f6}
.on{fill:#fff}.line{stroke:#57606a;fill:none}.thick{stroke:#1b1f24;stroke-width:2}.dash{stroke-dasharray:4 3}
</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
<path d="M0 0 8 4 0 8z" fill="#57606a"/></marker></defs>
"""


class Svg:
    def __init__(self, title, width, height):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}"'
            f' height="{height}" role="img">\n<title>{title}</title>\n{STYLE}'
            f'<rect class="page" width="{width}" height="{height}"/>\n']

    def box(self, x, y, width, height, look):
        self.parts.append(f'<rect class="box {look}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}"'
                          f' height="{height:.1f}"/>\n')

    def text(self, x, y, words, look=""):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" class="{look}">{words}</text>\n')

    def line(self, points, look="", tip=False):
        path = "M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        end = ' marker-end="url(#tip)"' if tip else ""
        self.parts.append(f'<path class="line {look}" d="{path}"{end}/>\n')

    def mark(self, x, y, up):
        tip = -6 if up else 6
        self.parts.append(f'<path d="M{x - 4:.1f} {y:.1f}h8l-4 {tip}z" fill="#1b1f24"/>\n')

    def write(self, path):
        path.write_text("".join(self.parts) + "</svg>\n")


def find(pattern, text):
    return [int(number) for number in re.search(pattern, text, re.M).groups()]


class Plan:
    """What the pictures need of it."""

    def __init__(self, text):
        self.tile = find(r"^  tile \((\d+),(\d+),(\d+)\)", text)
        self.stages, = find(r"^  schedule.stages (\d+)", text)
        self.cluster = find(r"^  schedule.cluster \((\d+),(\d+)\)", text)
        self.regions = [(name, int(first), int(size), int(copies)) for name, first, size, copies in
                        re.findall(r"^  smem (\w+) from (\d+), (\d+) bytes, .*? copies (\d+)", text, re.M)]
        self.full_bytes, = find(r"^  signal full .* and (\d+) bytes", text)
        self.free_arrivals, = find(r"^  signal free .* (\d+) arrivals", text)
        self.groups, self.subtile_copies, self.turns = find(
            r"^  epilogue.drain .*, (\d+) groups of (\d+) copies .*, (\d+) turns", text)
        self.subtile = find(r"^  epilogue.drain \S+o0o\((\d+),(\d+)\)", text)
        self.parts_b, = find(r"^  b.boxes .* (\d+) parts", text)


def draw_memory(plan, path):
    svg = Svg("Shared memory of a block", 640, 122)
    end = max(first + size for _, first, size, _ in plan.regions)
    x_of = lambda byte: 10 + 620 * byte / end
    svg.text(10, 20, f"shared memory of a block: {end} bytes")
    looks = {"a": "a", "b": "b", "subtile": "d"}
    for name, first, size, copies in plan.regions:
        if name not in looks:
            continue
        for copy in range(copies):
            left, right = x_of(first + size * copy // copies), x_of(first + size * (copy + 1) // copies)
            svg.box(left, 34, right - left, 36, looks[name])
            svg.text((left + right) / 2, 57, str(copy), "mid")
        middle = x_of(first + size / 2)
        kind = "stages" if name != "subtile" else "subtiles"
        svg.text(middle, 88, f"{name}: {copies} {kind}", "mid")
        svg.text(middle, 104, f"of {size // copies} bytes", "mid small dim")
    barriers = [size for name, _, size, _ in plan.regions if name not in looks]
    svg.text(630, 20, f"and {sum(barriers)} bytes of barriers", "end small dim")
    svg.write(path)


def simulate(plan):
    """[(stage, tile, k-tile, asked, landed, products begin, products end)] and [(tile, drain begin, end)]."""
    loads, drains = [], []
    free = [0.0] * plan.stages
    asked = CLOCKS["prologue"]
    multiplied = 0.0
    count = 0
    for tile in range(2):
        for k_tile in range(K_TILES_DRAWN):
            stage = count % plan.stages
            asked = max(asked + CLOCKS["ask"], free[stage])
            latency = CLOCKS["first"] if count < plan.stages else CLOCKS["load"]
            landed = asked + latency
            begin = max(multiplied, landed)
            multiplied = begin + CLOCKS["product"]
            free[stage] = multiplied
            loads.append((stage, tile, k_tile, asked, landed, begin, multiplied))
            count += 1
        drains.append((tile, multiplied, multiplied + CLOCKS["epilogue"]))
        multiplied += CLOCKS["epilogue"]
    return loads, drains


def draw_pipeline(plan, path):
    loads, drains = simulate(plan)
    end = drains[0][2] + 3.2 * CLOCKS["product"]
    left, right, top, row = 82, 634, 52, 30
    names = ["producer"] + [f"stage {s}" for s in range(plan.stages)] + [f"group {g}" for g in range(plan.groups)]
    y_of = [top + row * i for i in range(len(names))]
    svg = Svg("Who does what when, in one block", 640, y_of[-1] + row + 70)
    x_of = lambda clock: left + (right - left) * min(clock, end) / end
    svg.text(6, 20, f"a block in time: its first tile, of {K_TILES_DRAWN} k-tiles here, and the next")
    for name, y in zip(names, y_of):
        svg.text(6, y + 18, name)
        svg.box(left, y + 2, right - left, row - 6, "idle")

    def span(i, begin, done, look, words="", font="mid"):
        if begin < end:
            svg.box(x_of(begin), y_of[i] + 2, x_of(done) - x_of(begin), row - 6, look)
            if x_of(done) - x_of(begin) > 16:
                svg.text((x_of(begin) + x_of(done)) / 2, y_of[i] + 18, words, font)

    groups = range(1 + plan.stages, len(names))
    for stage, tile, k_tile, asked, landed, begin, done in loads:
        if asked < end:
            svg.line([(x_of(asked), y_of[0] + 2), (x_of(asked), y_of[0] + row - 4)], "thick")
        span(1 + stage, asked, landed, "w")
        span(1 + stage, landed, begin, "full")
        span(1 + stage, begin, done, "read", str(k_tile), "mid on")
        for i in groups:
            span(i, begin, done, "ab"[tile], str(k_tile))
    for i in groups:
        span(i, drains[0][1], drains[0][2], "d", "drain", "mid small")
    for stage, _, _, _, landed, _, done in loads:
        if landed < end:
            svg.mark(x_of(landed), y_of[1 + stage] + row - 4, True)
        if done < end:
            svg.mark(x_of(done), y_of[1 + stage] + 2, False)
    for clock, words in ((CLOCKS["prologue"], "barriers seen"), (drains[0][2], "next tile")):
        svg.line([(x_of(clock), top - 8), (x_of(clock), y_of[-1] + row)], "dash")
        svg.text(x_of(clock), top - 12, words, "mid small dim")
    foot = y_of[-1] + row + 22
    svg.line([(13, foot - 11), (13, foot + 3)], "thick")
    svg.text(26, foot, "the producer asks", "small")
    for x, look, words in ((150, "w", "on its way"), (250, "full", "full, waiting"),
                           (362, "read", "its products run; the number is the k-tile")):
        svg.box(x, foot - 11, 14, 14, look)
        svg.text(x + 20, foot, words, "small")
    svg.mark(13, foot + 25, True)
    svg.text(26, foot + 25, "full: the stage's bytes are there", "small")
    svg.mark(256, foot + 18, False)
    svg.text(270, foot + 25, "free: both groups have read the stage", "small")
    svg.write(path)


def draw_cluster(plan, path):
    m, n, k = plan.tile
    blocks, parts = plan.cluster[0] * plan.cluster[1], plan.parts_b
    svg = Svg("A cluster of two blocks that share B", 640, 312)
    svg.text(6, 20, f"a stage of a cluster of {blocks}: each block has {m}x{k} of A, all share {n}x{k} of B")
    size_a, size_part = m * k * 2, n // parts * k * 2
    left = [20 + 330 * block for block in range(blocks)]
    goals = [122, 244]  # from a block's left side to where the parts of B arrive
    for block, x in enumerate(left):
        svg.text(x + 14, 46, f"asked for by block {block}", "small")
        svg.box(x + 14, 54, 76, 38, "a")
        svg.text(x + 52, 78, "box of A", "mid small")
        svg.box(x + 110, 54, 146, 38, "b")
        svg.text(x + 183, 71, f"box of B, part {block}", "mid small")
        svg.text(x + 183, 85, "multicast to both", "mid small dim")
        svg.box(x, 174, 270, 108, "w")
        svg.box(x + 14, 190, 76, 56, "a")
        svg.text(x + 52, 222, f"A, {m} rows", "mid small")
        for part in range(parts):
            first = part * n // parts
            svg.box(x + 110, 190 + 28 * part, 146, 28, "b")
            svg.text(x + 183, 208 + 28 * part, f"B, {first} to {first + n // parts - 1}", "mid small")
        svg.text(x + 14, 270, f"full: {size_a} + {parts} x {size_part} = {plan.full_bytes} bytes", "small")
    for block, x in enumerate(left):
        svg.line([(x + 52, 92), (x + 52, 188)], tip=True)
        level = 116 + 28 * block
        for target in left:
            goal = target + goals[block]
            svg.line([(x + 183, 92), (x + 183, level), (goal, level), (goal, 188 + 28 * block)], tip=True)
    svg.text(6, 303, f"free: {plan.groups} groups x {blocks} blocks = {plan.free_arrivals} arrivals at each block,"
             " before its producer asks again", "small dim")
    svg.write(path)


def draw_subtiles(plan, path):
    m, n, _ = plan.tile
    rows, columns = plan.subtile
    svg = Svg("How a tile of D leaves", 640, 252 + 34 * plan.subtile_copies)
    svg.text(6, 20, f"a tile of D, {m}x{n}: each group drains {plan.turns} subtiles of {rows}x{columns}")
    x, y, high = 70, 48, 44
    wide = 560 / plan.turns
    looks = ["d", "s"]
    for turn in range(plan.turns):
        svg.text(x + wide * (turn + .5), 42, f"turn {turn}", "mid small dim")
        for group in range(plan.groups):
            svg.box(x + wide * turn, y + high * group, wide, high, looks[turn % plan.subtile_copies])
            svg.text(x + wide * (turn + .5), y + high * group + 26, f"copy {turn % plan.subtile_copies}", "mid")
    for group in range(plan.groups):
        svg.text(6, y + high * group + 26, f"group {group}")
    svg.text(6, 166, "a group in time")
    tops = [178] + [212 + 34 * copy for copy in range(plan.subtile_copies)]
    for name, top in zip(["threads"] + [f"copy {copy}" for copy in range(plan.subtile_copies)], tops):
        svg.text(6, top + 17, name)
        svg.box(x, top, 560, 26, "idle")
    fill, store = 66, 124
    at, ready = 70.0, [0.0] * plan.subtile_copies
    for turn in range(plan.turns):
        copy = turn % plan.subtile_copies
        at = max(at, ready[copy])
        svg.box(at, tops[0], fill, 26, looks[copy])
        svg.text(at + fill / 2, tops[0] + 17, f"fill {turn}", "mid small")
        svg.box(at + fill, tops[1 + copy], store, 26, looks[copy])
        svg.text(at + fill + store / 2, tops[1 + copy] + 17, f"TMA reads {turn}", "mid small")
        at += fill
        ready[copy] = at + store
    foot = tops[-1] + 48
    svg.text(6, foot, "fill: round to bf16, store by stmatrix, show it to TMA, meet at the group's barrier",
             "small dim")
    svg.text(6, foot + 17, "a copy is filled again when TMA has read it", "small dim")
    svg.write(path)


def main():
    plan = Plan(sys.stdin.read())
    folder = pathlib.Path(sys.argv[1])
    for name, draw in (("memory", draw_memory), ("pipeline", draw_pipeline), ("cluster", draw_cluster),
                       ("subtiles", draw_subtiles)):
        draw(plan, folder / f"{name}.svg")


main()
