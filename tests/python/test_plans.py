"""Atoms, tilings, plans and the kernels that follow from them."""

from __future__ import annotations

from pathlib import Path

import jute
import numpy as np
import pytest

MMA = "SM80_16x8x16_F32F16F16F32_TN"


def test_an_atom_is_found_by_name_and_says_its_fields() -> None:
    atom = jute.MmaAtom(MMA)
    assert atom.name == MMA
    assert atom.fields()["shape_mnk"] == "(16,8,16)"
    assert jute.layout_a(atom) == jute.layout_a(MMA)
    assert MMA in jute.atoms("sm_80") and len(jute.atoms()) > len(jute.atoms("sm_80"))
    assert "T0" in atom.draw().svg()
    assert atom.latex().startswith("% LayoutC")
    with pytest.raises(jute.Error) as refused:
        jute.MmaAtom("SM80_16x8x16_F32F16F16F32_NT")
    assert refused.value.nearest_legal == MMA


def test_tilings_share_out_a_tile() -> None:
    mma = jute.TiledMMA(MMA, "(2,2,1)", (32, 32, 16))
    assert mma.size() == 128
    assert jute.tile_shape(mma) == (32, 32, 16)
    held = {
        jute.layoutC_TV(mma)(thread, value) for thread in range(128) for value in range(8)
    }  # fmt: skip
    assert held == set(range(32 * 32))
    copy = jute.TiledCopy("UniversalCopy<uint128_t>", "f16", "(32,4):(4,1)", "(1,8)")
    assert jute.tiler_mn(copy) == (32, 32)
    assert copy == jute.eval(str(copy))
    assert copy._repr_svg_().startswith("<svg")


def test_a_plan_is_a_value_and_its_text() -> None:
    plan = jute.plan(4096, 4096, 1024, dtype="bf16")
    assert "wgmma" in plan.source
    assert plan == jute.plan(4096, 4096, 1024, dtype="bf16")
    assert plan != jute.plan(4096, 4096, 1024, dtype="f16")
    assert plan.problem.n == 4096
    assert plan.fields()["problem"]["n"] == 4096
    assert "Considered" in plan.explain()
    assert "accumulat" in plan.numerics()
    assert list(plan.sources()) and "wgmma" not in jute.plan(64, 64, 64, device="sm_80").source


def test_a_problem_is_read_from_its_text() -> None:
    problem = jute.Problem(64, 48, 32, dtype="bf16", order_b="col", epilogue="relu(acc + bias[n])")
    assert jute.Problem(str(problem)) == problem
    assert jute.plan(str(problem)) == jute.plan(problem)
    with pytest.raises(jute.Error) as refused:
        jute.plan("M=64 N=48 L=32")
    assert refused.value.position is not None


def test_a_plan_takes_choices_and_refuses_what_cannot_be() -> None:
    plan = jute.plan(512, 512, 512, dtype="f16", device="a100", config="tile=128x128x32 stages=3")
    assert "128" in str(plan)
    with pytest.raises(jute.Error) as refused:
        jute.plan(512, 512, 512, dtype="f16", device="a100", config="tile=100x128x32")
    assert refused.value.violated_rules and refused.value.nearest_legal
    with pytest.raises(jute.Error, match="nearest legal: h200"):
        jute.plan(8, 8, 8, device="h20")
    with pytest.raises(jute.Error, match="nearest legal: out_dtype"):
        jute.plan(8, 8, 8, outdtype="f32")


def test_ptx_follows_from_a_plan() -> None:
    plan = jute.plan(64, 64, 64, dtype="f16")
    assert ".entry" in plan.ptx


def test_a_notebook_shows_a_plan_as_a_page(tmp_path) -> None:  # type: ignore[no-untyped-def]
    view = jute.plan(512, 512, 512, dtype="f16", config="tile=128x128x32").view()
    page = view._repr_html_()
    for part in ("Plan", "Why", "in shared memory", "CUDA", "PTX", "<svg"):
        assert part in page
    view.save(str(tmp_path / "plan.html"))
    assert (tmp_path / "plan.html").read_text().startswith("<!doctype html>")


def test_products_are_planned_for_another_chip_in_a_block(tmp_path: Path) -> None:
    a, b = np.ones((40, 24), np.float32), np.ones((24, 16), np.float32)
    rows = tmp_path / "small.txt"
    rows.write_text("jute-chip 1\ndevice small A100 sm_80 7 SMs\n", encoding="utf-8")
    with jute.planned_for("a100"):
        product = jute.Product(a, b)
        assert np.array_equal(jute.matmul(a, b), np.full((40, 16), 24))
        with jute.planned_for(rows):
            assert "device small A100 sm_80 7 SMs" in str(jute.Product(a, b).plan)
            assert np.array_equal(jute.matmul(a, b, config="main_loop=multistage split_k=2"), np.full((40, 16), 24))
        assert "device a100 sm_80" in str(jute.Product(a, b).plan)
    assert "device a100 sm_80" in str(product.plan)
    assert "device h200 sm_90a" in str(jute.Product(a, b).plan)
    assert np.array_equal(product(a, b), np.full((40, 16), 24))  # runs where it was prepared
    assert jute.plan(64, 64, 64, device=rows.read_text()).fields()["device"]["sm_count"] == 7


def test_a_chip_that_the_device_cannot_stand_for_is_refused() -> None:
    a = np.ones((16, 16), np.float32)
    with pytest.raises(jute.Error) as unknown, jute.planned_for("a1000"):
        pass
    assert unknown.value.code == "unknown_name"
    with jute.planned_for("b200"), pytest.raises(jute.Error) as refused:
        jute.matmul(a, a)
    assert refused.value.code == "illegal_config" and "device runs" in str(refused.value)
    assert jute.matmul(a, a)[0, 0] == 16
