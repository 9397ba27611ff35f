#!/usr/bin/env python3
"""Draws mutants of src from its syntax, puts them into a scratch tree, and says which tests notice each.

    mutants.py draw TREE [--like OTHER] > LIST   forty places; --like: those of a list that was drawn of
                                                 another tree, where this one still has them
    mutants.py put TREE LIST                     writes them into TREE/src: one build, in which the
                                                 variable JUTE_MUTANT selects one
    mutants.py run BUILD LIST [FIRST [LAST]]     each by its own folder's tests, tests/gemm and tests/cli
                                                 until the first failure, 180 s at most

A place is where one token says a bound (`<` or `<=`), a sign (`+ 1` or `- 1`), an index (`[0]` or `[i]`), or
that something is waited for (a call of that name that stands as a statement). What is constant while
compiling keeps its value.
"""
import os
import random
import re
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

SEED, COUNT, SECONDS = 84, 40, 180
KINDS = {
    "bound": re.compile(r"(?<=[\w)\]] )(<=|<|>=|>)(?= [\w(*-])"),
    "sign": re.compile(r"(?<=[\w)\]] )[+-] (1|2)(?=[^\w.])"),
    "wait": re.compile(r"^ +(?:[\w.]|->)*(?<![a-z])(?:wait|arrive|sync|fence|notify|lock|unlock|flush|commit)"
                       r"(?:_\w*|all|hronize)?\([^\"{]*\);$"),
    "index": re.compile(r"(?<=\w)\[(?:0|1|i|at|n|k|lane)\](?![({])"),
}
HEADER = """#pragma once
// Which mutant is selected.
#include <cstdlib>
#include <functional>
#include <type_traits>
namespace mutants {
inline int chosen() {
  static const int one = std::getenv("JUTE_MUTANT") ? std::atoi(std::getenv("JUTE_MUTANT")) : -1;
  return one;
}
constexpr bool is(int i) { return !std::is_constant_evaluated() && chosen() == i; }
template <class Was, class Is>
struct Bound { int i; };
using less = Bound<std::less<>, std::less_equal<>>;
using less_equal = Bound<std::less_equal<>, std::less<>>;
using greater = Bound<std::greater<>, std::greater_equal<>>;
using greater_equal = Bound<std::greater_equal<>, std::greater<>>;
template <class Left, class Was, class Is>
struct Half { const Left& left; int i; };
template <class Left, class Was, class Is>
constexpr Half<Left, Was, Is> operator<(const Left& left, Bound<Was, Is> one) { return {left, one.i}; }
template <class Left, class Was, class Is, class Right>
constexpr bool operator>(Half<Left, Was, Is> half, const Right& right) {
  return is(half.i) ? Is{}(half.left, right) : Was{}(half.left, right);
}
}  // namespace mutants
"""
NAMES = {"<": "less", "<=": "less_equal", ">": "greater", ">=": "greater_equal"}


def places(tree):
    """Every place: (kind, file, line's text, which of that text in the file, column, line's number)."""
    for path in sorted((tree / "src").rglob("*.cpp")):
        seen, before = Counter(), ""
        for number, line in enumerate(path.read_text().splitlines()):
            code, last = line.split("//")[0].rstrip(), before
            seen[line] += 1
            before = code or before
            if '"' in code or "template" in code or "constexpr" in code or code.lstrip().startswith(("#", "case")):
                continue
            for kind, pattern in KINDS.items():
                for found in pattern.finditer(code):
                    if kind == "wait" and (code.count("(") != code.count(")") or last[-1:] not in ";{}"):
                        continue
                    yield kind, path.relative_to(tree), line, seen[line], found.start(), number


def drawn(tree):
    """As many of each kind."""
    by_kind = {kind: [] for kind in KINDS}
    for place in places(tree):
        by_kind[place[0]].append(place)
    dice = random.Random(SEED)
    return [place for kind in KINDS for place in dice.sample(by_kind[kind], COUNT // len(KINDS))]


def listed(rows):
    for i, (kind, path, line, which, column, number) in enumerate(rows):
        print(i, kind, path, number + 1, which, column, line.strip(), sep="\t")


def read(path):
    rows = [line.rstrip("\n").split("\t") for line in open(path)]
    return [(int(i), kind, where, int(number), int(which), int(column), line)
            for i, kind, where, number, which, column, line in rows]


def like(tree, first):
    """Those of a list that the tree still has, in the file of that name or in one other; else none."""
    have, taken = {}, set()
    for place in places(tree):
        have.setdefault((place[0], place[2].strip()), []).append(place)
    for i, kind, path, _, which, column, line in first:
        same = [one for one in have.get((kind, line), []) if one not in taken]
        there = [one for one in same if one[1].name == Path(path).name and one[3] == which] or same
        if there and len({one[1] for one in there}) == 1:
            taken.add(place := min(there, key=lambda one: abs(one[4] - column)))
            yield i, place


def turned(kind, line, column, i):
    head, tail = line[:column], line[column:]
    if kind == "bound":
        sign = re.match(r"[<>]=?", tail).group()
        return f"{head}< mutants::{NAMES[sign]}{{{i}}} >{tail[len(sign):]}"
    if kind == "sign":
        number = tail[2]
        return f"{head}{tail[0]} (mutants::is({i}) ? -{number} : {number}){tail[3:]}"
    if kind == "wait":
        return f"{head}if (!mutants::is({i})) {tail.lstrip()}"
    inside = tail[1:tail.index("]")]
    other = {"0": "1", "1": "0"}.get(inside, f"{inside} + 1")
    return f"{head}[mutants::is({i}) ? {other} : {inside}]{tail[tail.index(']') + 1:]}"


def put(tree, rows):
    (tree / "src/mutants.hpp").write_text(HEADER)
    by_file = {}
    for i, kind, path, number, _, column, _ in rows:
        by_file.setdefault(path, []).append((number - 1, column, kind, i))
    for path, ones in by_file.items():
        lines = (tree / path).read_text().split("\n")
        for number, column, kind, i in sorted(ones, reverse=True):
            lines[number] = turned(kind, lines[number], column, i)
        (tree / path).write_text("\n".join(['#include "mutants.hpp"', *lines]))


def noticed(build, folder, i, until):
    """The first failing test of a folder's program; None where all hold."""
    program = build / "tests" / f"test_{folder}"
    left = until - time.time()
    if not program.exists():
        return None
    if left < 1:
        return f"nobody before {folder}"
    environment = os.environ | {"JUTE_MUTANT": str(i)}
    try:
        done = subprocess.run(["timeout", "-k", "2", f"{left:.0f}", program, "~[gpu]~[soak]", "--abort"],
                              env=environment, capture_output=True, text=True, errors="replace")
    except OSError as error:
        return str(error)
    if done.returncode in (124, 137):
        return f"nobody, {folder} has not ended"
    if done.returncode == 0:
        return None
    said = re.findall(r"^-{79}\n(.+)\n(?: .*\n)*-{79}$", done.stdout, re.M)
    return f"{folder}: {said[-1] if said else f'ends with {done.returncode}'}"


def run(build, rows, first=0, last=COUNT):
    for i, kind, path, number, _, _, line in rows:
        if not first <= i <= last:
            continue
        begun = time.time()
        folders = dict.fromkeys([path.split("/")[1], "gemm", "cli"])
        by = next(filter(None, (noticed(build, one, i, begun + SECONDS) for one in folders)), "nobody")
        print(i, kind, f"{path}:{number}", f"{time.time() - begun:.0f} s", by, line, sep="\t", flush=True)


def main(does, *rest):
    tree = Path(rest[0])
    if does == "draw" and "--like" in rest:
        kept = dict(like(tree, read(rest[2])))
        new = iter(place for place in drawn(tree) if place not in kept.values())
        listed([kept.get(i) or next(one for one in new if one[0] == row[1]) for i, row in enumerate(read(rest[2]))])
    elif does == "draw":
        listed(drawn(tree))
    elif does == "put":
        put(tree, read(rest[1]))
    else:
        run(tree, read(rest[1]), *map(int, rest[2:]))


if __name__ == "__main__":
    sys.exit(__doc__) if len(sys.argv) < 3 else main(*sys.argv[1:])
