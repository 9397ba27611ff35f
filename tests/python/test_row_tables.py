"""Rows that tables name: gathered on their way in, scattered on their way out, on the emulator."""

from __future__ import annotations

import jute
import numpy as np
import pytest

random = np.random.default_rng(9)


def integers(*shape: int) -> np.ndarray:
    return random.integers(-3, 4, shape).astype(np.float32)


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_of_a_are_gathered(index: object) -> None:
    a, b = integers(20, 24), integers(24, 16)
    rows = np.array([3, 19, -1, 3, 0], index)
    wanted = a[rows] @ b
    wanted[2] = 0
    d = jute.matmul(a, b, rows_a=rows)
    assert d.shape == (5, 16)
    assert (d == wanted).all()


def test_rows_of_the_result_are_scattered() -> None:
    a, b, out = integers(4, 24), integers(24, 16), np.full((9, 16), 7, np.float32)
    wanted = out.copy()
    wanted[[8, 0, 5]] = (a @ b)[[0, 1, 3]]
    jute.matmul(a, b, rows_d=np.array([8, 0, -1, 5], np.int32), out=out)
    assert (out == wanted).all()


@pytest.mark.parametrize("step", [1, 3])
def test_rows_of_one_element_are_gathered_and_scattered(step: int) -> None:
    """A column lies both by rows and by columns; rows of a table lie by rows."""
    a, b = integers(20, step)[:, :1], integers(1, 16)
    rows = np.array([3, 19, -1, 3, 0], np.int32)
    wanted = a[rows] @ b
    wanted[2] = 0
    assert (jute.matmul(a, b, rows_a=rows) == wanted).all()
    tokens, column, out = integers(4, 24), integers(24, 1), np.full((9, step), 7, np.float32)
    want = out.copy()
    want[[8, 0, 5], 0] = (tokens @ column)[[0, 1, 3], 0]
    jute.matmul(tokens, column, rows_d=np.array([8, 0, -1, 5], np.int32), out=out[:, :1])
    assert (out == want).all()


def test_groups_gather_rows_of_one_element() -> None:
    tokens, experts = integers(12, 1), integers(3, 1, 16)
    rows = np.array([11, 0, 4, 4, 7], np.int32)
    d = jute.grouped_mm(tokens, experts, np.array([2, 2, 5], np.int32), rows_a=rows)
    wanted = np.concatenate([tokens[rows[:2]] @ experts[0], tokens[rows[2:]] @ experts[2]])
    assert (d == wanted).all()


def test_groups_gather_and_scatter_weighted_tokens() -> None:
    tokens, experts = integers(12, 24), integers(3, 24, 16)
    ends = np.array([2, 2, 5], np.int32)
    rows, to = np.array([11, 0, 4, 4, 7, 5], np.int64), np.array([1, 0, 3, -1, 4, 2], np.int32)
    weight = integers(6)
    out = np.full((8, 16), 7, np.float32)
    jute.grouped_mm(tokens, experts, ends, rows_a=rows, rows_d=to, out=out,
                    epilogue="w[m]*acc", inputs={"w": weight})  # fmt: skip
    wanted = np.full((8, 16), 7, np.float32)
    for row, expert in enumerate([0, 0, 2, 2, 2]):
        if to[row] >= 0:
            wanted[to[row]] = weight[row] * (tokens[rows[row]] @ experts[expert])
    assert (out == wanted).all()


def test_top_k_rows_are_added() -> None:
    tokens, experts, out = integers(4, 24), integers(2, 24, 16), integers(4, 16)
    rows = np.array([0, 2, 3, 0, 1, 2], np.int32)
    weight = integers(6)
    wanted = out.copy()
    for row, token in enumerate(rows):
        wanted[token] += weight[row] * (tokens[token] @ experts[0 if row < 3 else 1])
    jute.grouped_mm(tokens, experts, np.array([3, 6], np.int32), rows_a=rows, rows_d=rows, store="add",
                    out=out, epilogue="w[m]*acc", inputs={"w": weight})  # fmt: skip
    assert (out == wanted).all()


def test_tables_that_do_not_fit_are_refused() -> None:
    a, b, out = integers(4, 24), integers(24, 16), np.zeros((9, 16), np.float32)
    with pytest.raises(jute.Error, match="out"):
        jute.matmul(a, b, rows_d=np.array([0, 1, 2, 3], np.int32))
    with pytest.raises(jute.Error, match="each row of the product, of which there are 4"):
        jute.matmul(a, b, rows_d=np.array([0, 1], np.int32), out=out)
    with pytest.raises(jute.Error, match="32 or 64 bits"):
        jute.matmul(a, b, rows_a=np.zeros(4, np.float32))
    with pytest.raises(jute.Error, match=r"rows_a\[1\]"):
        jute.matmul(a, b, rows_a=np.array([0, 4], np.int32))
