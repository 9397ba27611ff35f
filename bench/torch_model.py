#!/usr/bin/env python3
"""A transformer with torch's own operators, and with jute behind them, in turns.

    PYTHONPATH=build/release/python bench/torch_model.py [--layers 8] [--csv FILE]

Eight layers of Llama's form, 4096 wide, bf16, random weights: a prefill of 2048 tokens, and steps of decoding
for 1, 16 and 64 sequences that have 512 tokens behind them. Eager, compiled, and eager in a CUDA graph. What
jute serves is recorded, measured and kept by jute.torch.prepare first. Of five turns the median ratio:
torch's time over jute's, above 1 jute is faster."""
import argparse
import csv
import pathlib
import statistics
import tempfile

import jute.torch
import torch
from torch.nn import functional

WIDTH, HEADS, INNER, BEHIND = 4096, 32, 11008, 512
TURNS, LEAST_MS = 5, 60.0


class Layer(torch.nn.Module):
    def __init__(self) -> None:
        super().__init__()
        def linear(of, to):
            return torch.nn.Linear(of, to, bias=False)
        self.query, self.key, self.value, self.out = (linear(WIDTH, WIDTH) for _ in range(4))
        self.gate, self.up, self.down = linear(WIDTH, INNER), linear(WIDTH, INNER), linear(INNER, WIDTH)
        self.first, self.second = torch.nn.RMSNorm(WIDTH), torch.nn.RMSNorm(WIDTH)

    def forward(self, x, keys, values):
        batch, tokens, _ = x.shape
        y = self.first(x)
        q, k, v = (of(y).view(batch, tokens, HEADS, -1).transpose(1, 2) for of in (self.query, self.key, self.value))
        if keys is not None:
            k, v = torch.cat((keys, k), 2), torch.cat((values, v), 2)
        y = functional.scaled_dot_product_attention(q, k, v, is_causal=keys is None)
        x = x + self.out(y.transpose(1, 2).reshape(batch, tokens, WIDTH))
        y = self.second(x)
        return x + self.down(functional.silu(self.gate(y)) * self.up(y))


class Model(torch.nn.Module):
    def __init__(self, layers: int) -> None:
        super().__init__()
        self.layers = torch.nn.ModuleList(Layer() for _ in range(layers))

    def forward(self, x, keys, values):
        for layer in self.layers:
            x = layer(x, keys, values)
        return x


def us(run) -> float:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    run()
    begin.record()
    run()
    end.record()
    end.synchronize()
    count = max(3, int(LEAST_MS / max(begin.elapsed_time(end), 1e-3)))
    begin.record()
    for _ in range(count):
        run()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e3 / count


def graph_of(run):
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        run()
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        run()
    return graph.replay


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--layers", type=int, default=8)
    parser.add_argument("--csv", type=pathlib.Path)
    asked = parser.parse_args()
    jute.torch.build()
    torch.manual_seed(0)
    with torch.device("cuda"):
        model = Model(asked.layers).to(torch.bfloat16)
    cases = [("prefill 2048", 1, 2048)] + [(f"decode {batch}", batch, 1) for batch in (1, 16, 64)]
    folder = pathlib.Path(tempfile.mkdtemp())
    rows = []

    def operands(batch, tokens):
        x = torch.randn(batch, tokens, WIDTH, device="cuda", dtype=torch.bfloat16)
        if tokens > 1:
            return x, None, None
        past = torch.randn(2, batch, HEADS, BEHIND, WIDTH // HEADS, device="cuda", dtype=torch.bfloat16)
        return x, past[0], past[1]

    with torch.no_grad():
        given = {name: operands(batch, tokens) for name, batch, tokens in cases}
        with jute.torch.install(record=folder / "log"):
            for some in given.values():
                model(*some)
        file = jute.torch.prepare(folder / "log", folder / "file")
        for name, some in given.items():
            plain = {"eager": lambda some=some: model(*some)}
            served = dict(plain)
            torch._dynamo.reset()
            plain["compiled"] = lambda some=some, of=torch.compile(model): of(*some)
            plain["compiled"]()
            passed = torch.compile(Model.forward, options={"post_grad_custom_post_pass": jute.torch.ProductPass()})
            served["compiled"] = lambda some=some: passed(model, *some)
            plain["graph"] = graph_of(plain["eager"])
            with jute.torch.install(file):
                served["graph"] = graph_of(served["eager"])
                served["compiled"]()
            for mode in plain:
                times = []
                for _ in range(TURNS):
                    theirs = us(plain[mode])
                    with jute.torch.install(file):
                        times.append((theirs, us(served[mode])))
                ratio = statistics.median(theirs / ours for theirs, ours in times)
                theirs, ours = (statistics.median(each) for each in zip(*times))
                rows.append((name, mode, round(theirs, 1), round(ours, 1), round(ratio, 3)))
                print(*rows[-1], flush=True)
    print(f"geometric mean {statistics.geometric_mean(row[-1] for row in rows):.3f}, least {min(row[-1] for row in rows)}")
    if asked.csv:
        with open(asked.csv, "w", newline="") as out:
            csv.writer(out).writerows([("case", "mode", "torch_us", "jute_us", "ratio"), *rows])


if __name__ == "__main__":
    main()
