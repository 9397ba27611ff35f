#!/usr/bin/env python3
"""How fast the emulator is: whole `jute emulate` processes, the least processor time of several.

    bench/emulator.py build/release/tools/jute/jute [--rounds 5] [--cores]

`--cores` times two cores against one instead, by wall clock, less what the process does without its launch: run it
where nothing else runs.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile
import time

CHECKS = ["none", "memory", "full"]
# What it is, the problem.
GEMMS = [
    ("bf16 mma.sync 1024x1024x2048", "--m 1024 --n 1024 --k 2048 --type bf16 --arch sm_80"),
    ("bf16 wgmma 1024x1024x2048",
     "--m 1024 --n 1024 --k 2048 --type bf16 --arch sm_90a --tile 128x256x64"),
    ("f32 fma 512x512x512", "--m 512 --n 512 --k 512 --type f32 --arch sm_80"),
]
ORDINARY = [
    ("mandelbrot", "--grid 4,512 --block 128 --arg s32[262144]=zeros --arg 512 --arg f32:0.005"),
    ("saxpy", "--grid 64 --block 256 --arg f32[8388608]=zeros --arg f32[8388608]=zeros"
              " --arg 8388608 --arg f32:2"),
    ("sum", "--grid 64 --block 256 --arg f32[16777216]=zeros --arg f32[64]=zeros --arg 16777216"),
    ("insertion_sort", "--grid 128 --block 64 --arg s32[524288]=random:1"),
    ("transpose", "--grid 64,64 --block 32,8 --arg f32[4194304]=zeros --arg f32[4194304]=zeros"
                  " --arg 2048"),
    ("mix", "--grid 64 --block 256 --arg u32[16384]=zeros --arg 4000"),
]


def spent_on_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, folder, may_fail=False):
    """Processor and wall time in seconds."""
    spent, start = spent_on_children(), time.perf_counter()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   check=not may_fail)
    return spent_on_children() - spent, time.perf_counter() - start


def best(rounds, command, folder, which=0, may_fail=False):
    return min(run(command, folder, may_fail)[which] for _ in range(rounds))


def multiplications(problem):
    words = problem.split()
    return int(words[1]) * int(words[3]) * int(words[5])


def thread_instructions(command, folder):
    run([*command, "--check", "none", "--profile", "profile.json"], folder)
    with open(os.path.join(folder, "profile.json")) as profile:
        return sum(launch["counts"]["threads"] for launch in json.load(profile)["launches"])


def report(what, unit, work, seconds):
    rates = "".join(f"{work / each:12.2f}" for each in seconds)
    print(f"{what:32}{rates}  {unit}", flush=True)


def time_checks(jute, rounds, folder):
    print(f"{'':32}" + "".join(f"{check:>12}" for check in CHECKS))
    for what, problem in GEMMS:
        here = os.path.join(folder, what.replace(" ", "_"))
        run([jute, "ptx", *problem.split(), "--launch", here], folder)
        command = [jute, "emulate", "launch.json"]
        times = [best(rounds, [*command, "--check", check], here) for check in CHECKS]
        report(what, "G multiply-adds/s", multiplications(problem) / 1e9, times)
        if what.startswith("f32"):
            report("", "M thread instructions/s", thread_instructions(command, here) / 1e6, times)
    source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "ordinary.ptx")
    for what, launch in ORDINARY:
        command = [jute, "emulate", source, "--kernel", what, *launch.split()]
        work = thread_instructions(command, folder) / 1e6
        times = [best(rounds, [*command, "--check", check], folder) for check in CHECKS]
        report(what, "M thread instructions/s", work, times)


def time_cores(jute, rounds, folder):
    for what, problem in GEMMS[:2]:
        # Many blocks: the last ones, for which one core waits, are then a small part.
        what, problem = (text.replace("1024", "2048") for text in (what, problem))
        here = os.path.join(folder, what.replace(" ", "_"))
        run([jute, "ptx", *problem.split(), "--launch", here], folder)
        command = [jute, "emulate", "launch.json", "--check", "none"]
        walls = []
        for cores in ({0}, {0, 1}):
            os.sched_setaffinity(0, cores)
            idle = best(rounds, [*command, "--max-instructions", "1"], here, 1, may_fail=True)
            walls.append(best(rounds, command, here, 1) - idle)
        print(f"{what:32} one core {walls[0]:.2f} s, two {walls[1]:.2f} s: "
              f"{walls[0] / walls[1]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("jute")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cores", action="store_true", help="two cores against one")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["JUTE_CACHE_DIR"] = os.path.join(folder, "kernels")
        jute = os.path.abspath(options.jute)
        (time_cores if options.cores else time_checks)(jute, options.rounds, folder)


if __name__ == "__main__":
    main()
