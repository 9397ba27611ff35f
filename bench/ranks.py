#!/usr/bin/env python3
"""Races distributed products on the GPUs of one host: jute's by copies and by NCCL, and torch's.

    cmake --preset release -DJUTE_BUILD_BENCH=ON && cmake --build build/release --target ranks_race
    bench/ranks.py --program build/release/bench/ranks_race --csv ranks.csv [--seconds 180] [--more 40]
    bench/ranks.py --table ranks.csv

Cases come from the list below, and `--more` of them from a seed. A process of jute's that says nothing for
`--stall` seconds is ended, and another goes on behind the lost case; what the CSV has already is left out, so
that a second call goes on where the first has ended. torch's run first, in a process for each GPU.

A row is kind, M, N, K, contestant, median and least time in us, and whether all of jute's D had the same
bits: `same`, or `same by sum order` where ways have kernels that sum in other orders, and each of these its own
bits; `DIFFERENT` is a fault. T_gemm is `gemm`, T_comm the least of `comm ...`, T_seq the least of all that do one after the other;
`host ...` is what a call of run() takes of its thread, the slowest rank's; `stamps ...` (`--race --stamps`) what
a role of a product's kernel does, in thousands of clocks of the median block and the slowest; `planned ...` is the
way that the planner takes by itself, which `--table` calls ours."""
import argparse
import csv
import os
import queue
import random
import statistics
import subprocess
import sys
import threading
import time

os.environ["NCCL_NVLS_ENABLE"] = "0"
os.environ["TORCH_SYMM_MEM_DISABLE_MULTICAST"] = "1"

CASES = ([("ag", 8192, 28672, 8192), ("ag", 8192, 14336, 4096), ("ag", 16384, 53248, 16384),
          ("rs", 8192, 8192, 28672), ("rs", 8192, 4096, 14336),
          ("rs16", 8192, 8192, 28672), ("rs16", 8192, 4096, 14336)]
         + [("ar", m, 8192, 28672) for m in (16, 32, 64, 128, 256, 512)]
         + [("ar16", m, 8192, 28672) for m in (16, 64, 512)]
         + [("ag", 1, 8192, 8192), ("free", 16384, 16384, 16384)])


def more_cases(count, seed=71):
    """Cases of models' sizes, by a seed."""
    pick = random.Random(seed)
    cases = []
    for _ in range(count):
        kind = pick.choice(["ag", "rs", "ar"])
        m = pick.choice([512, 1024, 2048, 4096, 8192, 16384]) if kind != "ar" else pick.choice([16, 48, 100, 256])
        cases.append((kind, m, 256 * pick.randint(8, 112), 256 * pick.randint(8, 64)))
    return cases


def done_rows(path):
    if not os.path.exists(path):
        return []
    with open(path, newline="") as file:
        return [row for row in csv.reader(file) if len(row) >= 6]


def torch_rank(rank, ranks, cases, path, seconds):
    """The same products by torch: NCCL, then cuBLASLt; NCCL alone; async tensor parallelism where it has it."""
    import torch
    import torch.distributed as dist
    os.environ.update(MASTER_ADDR="127.0.0.1", MASTER_PORT="29571", RANK=str(rank), WORLD_SIZE=str(ranks))
    torch.cuda.set_device(rank)
    dist.init_process_group("nccl", device_id=torch.device("cuda", rank))
    begin = time.time()

    def measured(call):
        try:
            for _ in range(3):
                call()
            torch.cuda.synchronize()
        except Exception as fault:  # torch lacks it here
            print(f"torch: {fault}"[:200], file=sys.stderr)
            return None
        times = []
        for _ in range(5):
            dist.barrier()
            torch.cuda.synchronize()
            a, b = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            a.record()
            for _ in range(6):
                call()
            b.record()
            torch.cuda.synchronize()
            slowest = torch.tensor([a.elapsed_time(b) / 6 * 1e3], device="cuda")
            dist.all_reduce(slowest, op=dist.ReduceOp.MAX)
            times.append(slowest.item())
        return times

    def ways(kind, m, n, k):
        one = dict(device="cuda", dtype=torch.bfloat16)
        if kind == "ag":
            a, b = torch.randn(max(m // ranks, 1), k, **one), torch.randn(n // ranks, k, **one)
            whole = torch.empty(max(m // ranks, 1) * ranks, k, **one)
            yield "torch gemm", lambda: whole @ b.t()
            yield "torch comm", lambda: dist.all_gather_into_tensor(whole, a)
            yield "torch seq", lambda: (dist.all_gather_into_tensor(whole, a), whole @ b.t())
            fused = getattr(torch.ops.symm_mem, "fused_all_gather_matmul", None) if m >= 1024 else None
            if fused:
                yield "torch async-tp", lambda: fused(a, [b.t()], 0, dist.group.WORLD.group_name)
        elif kind in ("rs", "ar"):
            a, b = torch.randn(m, k // ranks, **one), torch.randn(n, k // ranks, **one)
            part = torch.empty(max(m // ranks, 1), n, **one)
            made = torch.empty(m, n, **one)
            yield "torch gemm", lambda: a @ b.t()
            if kind == "rs":
                yield "torch comm", lambda: dist.reduce_scatter_tensor(part, made)
                yield "torch seq", lambda: dist.reduce_scatter_tensor(part, a @ b.t())
                fused = getattr(torch.ops.symm_mem, "fused_matmul_reduce_scatter", None)
                if fused:
                    yield "torch async-tp", lambda: fused(a, b.t(), "sum", 0, dist.group.WORLD.group_name)
            else:
                yield "torch comm", lambda: dist.all_reduce(made)
                yield "torch seq", lambda: dist.all_reduce(a @ b.t())
        elif kind == "free":
            a, b = torch.randn(m, k, **one), torch.randn(n, k, **one)
            yield "torch one gpu", lambda: a @ b.t()

    try:
        import torch.distributed._symmetric_memory as symm
        symm.enable_symm_mem_for_group(dist.group.WORLD.group_name)
    except Exception as fault:
        print(f"torch: no symmetric memory: {fault}"[:200], file=sys.stderr)
    for case in cases:
        late = torch.tensor([float(time.time() - begin > seconds)], device="cuda")
        dist.all_reduce(late, op=dist.ReduceOp.MAX)
        if late.item():
            break
        for name, call in ways(*case):
            times = measured(call)
            if rank == 0 and times:
                with open(path, "a", newline="") as file:
                    csv.writer(file).writerow([*case, name, f"{statistics.median(times):.2f}", f"{min(times):.2f}", ""])
        torch.cuda.empty_cache()
    dist.barrier()
    dist.destroy_process_group()


def run_torch(cases, options):
    had = {tuple(row[:4]) for row in done_rows(options.csv) if row[4].startswith("torch")}
    cases = [case for case in cases if tuple(map(str, case)) not in had and not case[0].endswith("16")]
    if not cases:
        return
    import torch.multiprocessing as mp
    context = mp.spawn(torch_rank, args=(options.ranks, cases, options.csv, options.torch_seconds),
                       nprocs=options.ranks, join=False)
    end = time.time() + options.torch_seconds + 60
    while time.time() < end:
        if context.join(timeout=1):
            return
    for process in context.processes:
        process.kill()


def lines_of(process, stall):
    """Lines of a program, None once it has said nothing for so long."""
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line)
        lines.put("")

    threading.Thread(target=read, daemon=True).start()
    while True:
        try:
            line = lines.get(timeout=stall)
        except queue.Empty:
            yield None
            return
        if not line:
            return
        yield line


def run_jute(cases, options, end):
    """One process for all cases that are left; where it hangs or fails, another goes on behind the lost case."""
    had = {tuple(row[:4]) for row in done_rows(options.csv) if row[4] in ("end", "lost")}
    left = [case for case in cases if tuple(map(str, case)) not in had]
    while left:
        command = [options.program, "--device", options.device, "--ranks", str(options.ranks)]
        if options.rounds:
            command += ["--rounds", str(options.rounds)]
        command += options.race.split()
        process = subprocess.Popen(command + [" ".join(map(str, case)) for case in left], stdout=subprocess.PIPE,
                                   text=True)
        lost = None
        for line in lines_of(process, options.stall):
            if line is None:
                lost = f"said nothing for {options.stall} s"
                break
            row = line.rstrip().split(",")
            with open(options.csv, "a", newline="") as file:
                csv.writer(file).writerow([*row[0].split(), *row[1:]])
            case = (row[0].split()[0], *map(int, row[0].split()[1:]))
            if case in left and row[1] == "end":
                left.remove(case)
            if time.time() > end:
                process.kill()
                print("ranks.py: out of time; call it again to go on", file=sys.stderr)
                return
        process.kill()
        if process.wait() == 0 and not lost:
            return
        if left:
            print(f"ranks.py: {left[0]}: {lost or 'the program failed'}", file=sys.stderr)
            with open(options.csv, "a", newline="") as file:
                csv.writer(file).writerow([*left.pop(0), "lost", lost or "failed", "", ""])


def table(path):
    """Times beside what they are held against, a line a case."""
    cases = {}
    for row in done_rows(path):
        if row[4] in ("lost", "end"):
            continue
        cases.setdefault(tuple(row[:4]), {})[row[4]] = float(row[5])
    print(f"{'case':32} {'T_gemm':>9} {'T_comm':>9} {'T_seq':>9} {'ours':>9}  by               bound   x T_seq")
    for case, times in cases.items():
        whole = dict(times)
        for other in ("rs", "ar"):
            if case[0] == other + "16":
                whole = {**{k: v for k, v in cases.get((other, *case[1:]), {}).items() if k.startswith("torch")}, **times}
        gemm = [v for k, v in whole.items() if k in ("gemm", "torch gemm") and v]
        comm = [v for k, v in whole.items() if k.startswith(("comm", "torch comm")) and v]
        seq = [v for k, v in whole.items() if k.startswith(("seq", "torch seq")) and v]
        ours = {k: v for k, v in times.items() if k.startswith(("seq", "chunks", "one-shot", "arrival", "store")) and v}
        if not (gemm and comm and seq and ours):
            print(f"{' '.join(case):32} " + ", ".join(f"{k} {v}" for k, v in whole.items()))
            continue
        planned = [k for k in times if k.startswith("planned ")]  # what the planner takes by itself
        best = planned[0][8:] if planned else min(ours, key=ours.get)
        t_gemm, t_comm, t_seq = min(gemm), min(comm), min(seq)
        share = 0.4 if case[0] == "ag" else 0.5
        bound = t_gemm + share * t_comm
        print(f"{' '.join(case):32} {t_gemm:9.1f} {t_comm:9.1f} {t_seq:9.1f} {ours[best]:9.1f}  {best:15} {bound:8.1f} "
              f"{t_seq / ours[best]:7.3f}" + (f"  async-tp {whole['torch async-tp']:.1f}" if whole.get("torch async-tp") else ""))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bench/ranks_race")
    parser.add_argument("--csv", default="ranks.csv")
    parser.add_argument("--table", metavar="CSV")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--seconds", type=float, default=600, help="begin no case of jute's after so many")
    parser.add_argument("--torch-seconds", type=float, default=120)
    parser.add_argument("--stall", type=float, default=60)
    parser.add_argument("--rounds", type=int, default=0)
    parser.add_argument("--race", default="", help='words for the program, such as "--transports copies --stamps"')
    parser.add_argument("--more", type=int, default=0)
    parser.add_argument("--no-torch", action="store_true")
    parser.add_argument("--cases", nargs="*", help='such as "ag 8192 28672 8192"')
    options = parser.parse_args()
    if options.table:
        return table(options.table)
    cases = CASES + more_cases(options.more)
    if options.cases:
        cases = [(c.split()[0], *map(int, c.split()[1:])) for c in options.cases]
    end = time.time() + options.seconds
    if not options.no_torch and options.device == "cuda":
        run_torch(cases, options)
    run_jute(cases, options, end)
    return table(options.csv)


if __name__ == "__main__":
    main()
