"""Random calls over types, orders, views, out, c, ranges, groups and scales come out as numpy's in float64."""

from __future__ import annotations

import os

import pytest
from random_calls import call

FEW, MANY = 100, 2000
#: Where the many begin; JUTE_TEST_SEED says others.
FIRST = int(os.environ.get("JUTE_TEST_SEED", FEW))


def share_of_runs(seeds: range) -> float:
    return sum(map(call, seeds)) / len(seeds)


@pytest.mark.parametrize("tenth", range(10))
def test_a_hundred_random_calls_are_right(tenth: int) -> None:
    assert share_of_runs(range(FEW * tenth // 10, FEW * (tenth + 1) // 10)) >= 0.6


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_two_thousand_random_calls_are_right(part: int) -> None:
    assert share_of_runs(range(FIRST + MANY * part // 20, FIRST + MANY * (part + 1) // 20)) >= 0.8
