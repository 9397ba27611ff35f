#!/usr/bin/env python3
"""Kills a rank while a product runs over all of them, over and over: the others must say so, and a new run be right.

    bench/ranks_kill.py --program build/release/bench/rank_process [--ranks 2] [--rounds 20] [--texts]

Each rank is a process with a GPU of its own and NCCL between them (`--texts`: no GPU, the rendezvous alone). In every
round one rank of a seed is killed by SIGKILL once all run; each other one must end by itself with
communication_failed within the deadline of 3 s and 2 s more. The run after it must end with a right D. A line a round;
the last line counts, and the exit status is 0 where nothing is amiss."""
import argparse
import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time

LIMIT_S = 5.0


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Rank:
    """One process, and what it has said."""

    def __init__(self, options, rank, port, rounds):
        environment = dict(os.environ, RANK=str(rank), WORLD_SIZE=str(options.ranks), LOCAL_RANK=str(rank),
                           JUTE_RENDEZVOUS=f"tcp://127.0.0.1:{port}", NCCL_NVLS_ENABLE="0")
        command = [options.program, str(rounds)] + (["texts"] if options.texts else [])
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        self.lines, self.runs = [], threading.Event()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.append(line.strip())
            if line.strip() == "runs":
                self.runs.set()

    def status(self, seconds):
        """None: it has not ended by then, and was killed."""
        try:
            status = self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return None
        self.reader.join(1)
        return status


def fault_of_kill(options, pick):
    """What is amiss in a round with a kill, or nothing; how long the slowest survivor took."""
    port = free_port()
    ranks = [Rank(options, rank, port, 10 ** 6) for rank in range(options.ranks)]
    if not all(rank.runs.wait(options.start) for rank in ranks):
        said = [rank.lines for rank in ranks]
        for rank in ranks:
            rank.process.kill()
        return f"they do not run: {said}", 0
    time.sleep(pick.uniform(0, 0.05))
    victim = pick.randrange(options.ranks)
    begin = time.time()
    ranks[victim].process.send_signal(signal.SIGKILL)
    fault = ""
    for place, rank in enumerate(ranks):
        status = rank.status(max(0.1, begin + LIMIT_S - time.time()))
        if place == victim:
            continue
        if status != 3 or not any("communication_failed" in line for line in rank.lines):
            fault += f"rank {place} ended with {status} and said {rank.lines}; "
    return fault, time.time() - begin


def fault_of_run(options):
    port = free_port()
    ranks = [Rank(options, rank, port, 20) for rank in range(options.ranks)]
    ends = [(rank.status(options.start), rank.lines) for rank in ranks]
    return "" if all(status == 0 and "done" in lines for status, lines in ends) else str(ends)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="build/release/bench/rank_process")
    parser.add_argument("--ranks", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=600, help="begin no round after so many")
    parser.add_argument("--start", type=float, default=30, help="seconds that ranks may take until they run")
    parser.add_argument("--texts", action="store_true")
    options = parser.parse_args()
    pick, end, done, amiss = random.Random(71), time.time() + options.seconds, 0, 0
    for turn in range(options.rounds):
        if time.time() > end:
            break
        fault, took = fault_of_kill(options, pick)
        after = fault_of_run(options)
        done += 1
        amiss += bool(fault or after)
        print(f"round {turn}: {fault or f'all others knew within {took:.2f} s'}; "
              f"{'after it: ' + after if after else 'the run after it was right'}", flush=True)
    print(f"{done} rounds, {amiss} amiss")
    return 0 if done and not amiss else 1


if __name__ == "__main__":
    sys.exit(main())
