#!/usr/bin/env python3
"""Writes signals.npy and cosines.npy, the two matrices of tools/demo. Needs Python alone.

signals.npy  192 x 128, f16: each row holds 128 samples of a decaying wave of its own frequency
cosines.npy  128 x 96,  f16: each column is one cosine of the DCT-II, scaled by sqrt(2 / 128)

Their product holds the first 96 cosine coefficients of every signal.
"""
import math
import pathlib
import struct

SAMPLES, SIGNALS, FREQUENCIES = 128, 192, 96


def write_npy(path, rows):
    header = f"{{'descr': '<f2', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    padding = -(10 + len(header) + 1) % 64
    header = header + " " * padding + "\n"
    values = [value for row in rows for value in row]
    path.write_bytes(
        b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode()
        + struct.pack(f"<{len(values)}e", *values)
    )


def signal(row):
    frequency, decay = math.pi * (row + 1) / 256, (row % 8) / 128
    return [math.exp(-decay * t) * math.cos(frequency * t) for t in range(SAMPLES)]


def cosines(t):
    scale = math.sqrt(2 / SAMPLES)
    return [scale * math.cos(math.pi * (t + 0.5) * f / SAMPLES) for f in range(FREQUENCIES)]


here = pathlib.Path(__file__).parent
write_npy(here / "signals.npy", [signal(row) for row in range(SIGNALS)])
write_npy(here / "cosines.npy", [cosines(t) for t in range(SAMPLES)])
