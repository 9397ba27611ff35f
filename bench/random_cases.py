#!/usr/bin/env python3
"""Writes a file of random problems for `jute bench --cases`.

M, N and K are drawn so that their logarithms are uniform in 1…16384, the orders of A and B are drawn among the four,
and of every three problems two have rows that begin at 16 bytes: their contiguous extents are multiples of 8
elements of two bytes. The third keeps what was drawn. The same seed gives the same file.
"""
import argparse
import math
import random

MOST = 16384
ALIGNED = 8  # elements of two bytes in 16 bytes


def log_uniform(draw):
    return round(math.exp(draw.uniform(0, math.log(MOST))))


def up(extent):
    return -(-extent // ALIGNED) * ALIGNED


def problem(draw, unaligned):
    m, n, k = (log_uniform(draw) for _ in range(3))
    order_a, order_b = draw.choice(("row", "col")), draw.choice(("row", "col"))
    if not unaligned:
        n = up(n)  # D's rows
        if order_a == "col":
            m = up(m)
        if order_a == "row" or order_b == "col":
            k = up(k)
    return m, n, k, order_a, order_b


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--type", default="bf16")
    choice = parser.parse_args()
    draw = random.Random(choice.seed)
    print("id,family,m,n,k,batch,dtype,order_a,order_b,note")
    for index in range(choice.count):
        unaligned = index % 3 == 2
        m, n, k, order_a, order_b = problem(draw, unaligned)
        letters = ("n" if order_a == "row" else "t") + ("n" if order_b == "row" else "t")
        family = "random_unaligned" if unaligned else "random_aligned"
        print(f"r{index:03}_{letters}_{m}x{n}x{k},{family},{m},{n},{k},1,{choice.type},{order_a},{order_b},")


if __name__ == "__main__":
    main()
