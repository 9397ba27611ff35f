"""Layouts as Python writes them: calls, slices, operators, arrays, pictures."""

from __future__ import annotations

import copy
import itertools
import pickle

import jute
import numpy as np
import pytest
from jute import Layout


def test_a_layout_is_made_of_a_text_of_tuples_or_of_another() -> None:
    wanted = Layout("(4,8):(8,1)")
    assert Layout((4, 8), (8, 1)) == wanted
    assert Layout(wanted) == wanted
    assert Layout((4, 8)) == Layout("(4,8):(1,4)")
    assert Layout(8) == Layout("8:1")
    assert eval(repr(wanted), {"jute": jute}) == wanted
    assert (wanted.shape, wanted.stride) == ((4, 8), (8, 1))
    assert (wanted.size(), wanted.cosize(), wanted.rank, wanted.depth, len(wanted)) == (
        32, 32, 2, 1, 2,
    )  # fmt: skip


def test_one_mode_in_brackets_is_no_number() -> None:
    assert Layout("(4):(2)").shape == (4,)
    assert Layout("4:2").shape == 4


def test_a_call_gives_the_offset_of_every_kind_of_coordinate() -> None:
    layout = Layout("((2,2),8):((1,2),4)")
    for i, j in itertools.product(range(4), range(8)):
        wanted = layout(i, j)
        assert layout((i, j)) == wanted
        assert layout(i + 4 * j) == wanted
        assert layout(((i % 2, i // 2), j)) == wanted
    assert layout.offsets()[3, 5] == layout(3, 5)


def test_none_keeps_a_mode() -> None:
    layout = Layout("(4,8):(8,1)")
    assert layout(2, None) == Layout("(8):(1)")
    assert jute.slice_and_offset((2, None), layout) == (Layout("(8):(1)"), 16)


def test_modes_are_items() -> None:
    layout = Layout("(4,8,2):(1,4,32)")
    assert [str(mode) for mode in layout] == ["4:1", "8:4", "2:32"]
    assert layout[-1] == Layout("2:32")
    assert layout[1:] == Layout("(8,2):(4,32)")
    with pytest.raises(IndexError, match="no mode 3"):
        layout[3]


def test_operators_are_the_algebra() -> None:
    a, b = Layout("(4,8):(8,1)"), Layout("(2,4):(4,1)")
    assert a @ b == jute.composition(a, b) == a.compose(b)
    assert all((a @ b)(i) == a(b(i)) for i in range(b.size()))
    assert a / b == jute.logical_divide(a, b) == a.divide(b)
    assert a * b == jute.logical_product(a, b) == a.product(b)
    assert a / (2, 4) == jute.logical_divide(a, "(2,4)")
    assert a / (Layout("2:1"), None) == jute.logical_divide(a, "(2:1,_)")


def test_a_swizzle_stands_before_a_layout() -> None:
    swizzle = jute.Swizzle(3, 3, 3)
    layout = swizzle @ Layout("(8,64):(64,1)")
    assert str(layout) == "Sw<3,3,3>o0o(8,64):(64,1)"
    assert layout.swizzle == swizzle == jute.Swizzle("Sw<3,3,3>")
    assert layout(5, 9) == swizzle(5 * 64 + 9)
    inverse = jute.right_inverse(layout)
    assert all(layout(inverse(i)) == i for i in range(512))


def test_unit_vectors_are_strides_too() -> None:
    identity = jute.make_identity_layout((4, 8))
    assert identity.stride == (jute.Basis(1, [0]), jute.Basis(1, [1]))
    assert identity(3, 5) == (3, 5)


def test_equal_layouts_hash_alike_and_survive_copies() -> None:
    layout = Layout("Sw<3,3,3>o0o(8,64):(64,1)")
    assert len({layout, Layout(str(layout)), copy.copy(layout)}) == 1
    assert pickle.loads(pickle.dumps(layout)) == layout
    assert layout != "Sw<3,3,3>o0o(8,64):(64,1)"


def test_arrays_have_layouts_and_layouts_are_arrays() -> None:
    array = np.zeros((4, 6, 8), np.float32)
    assert jute.strided(array[:, ::2].transpose(2, 0, 1)) == Layout((8, 4, 3), (1, 48, 16))
    offsets = np.asarray(Layout("(3,(2,2)):(4,(1,2))"))
    assert offsets.shape == (3, 4)
    assert (offsets == np.arange(12).reshape(3, 4)).all()


def test_a_refusal_has_its_fields() -> None:
    with pytest.raises(jute.Error) as refused:
        Layout("(4,8):(2,16)") @ "4:7"
    error = refused.value
    assert (error.code, error.operand, error.value) == ("not_divisible", "rhs.stride", "7")
    assert error.nearest_legal == "4"
    assert "must be a multiple" in error.violated_rules[0]
    assert pickle.loads(pickle.dumps(error)).nearest_legal == "4"
    with pytest.raises(jute.Error) as refused:
        Layout("(4,8):(2,")
    assert refused.value.code == "syntax"
    assert refused.value.position is not None
    with pytest.raises(jute.Error, match="wrong_type"):
        jute.coalesce(object())
    with pytest.raises(jute.Error, match="overflow"):
        Layout(2**70)


def test_pictures_are_for_notebooks_and_files(tmp_path) -> None:  # type: ignore[no-untyped-def]
    layout = Layout("Sw<3,2,3>o0o(8,32):(32,1)")
    assert layout._repr_svg_().startswith("<svg")
    assert "prefers-color-scheme:dark" in layout._repr_svg_()
    banks = layout.draw(banks="f32")
    banks.save(tmp_path / "banks.svg")
    assert (tmp_path / "banks.svg").read_text() == banks.svg()
    assert "8" in str(banks)
    held = Layout("((4,8),(2,2)):((32,1),(16,8))").draw(tile=(16, 8))
    assert "T0" in held.of_thread(0).svg()
    with pytest.raises(jute.Error, match="nearest legal"):
        banks.save(tmp_path / "banks.png")


def test_what_a_layout_does_is_said_in_words() -> None:
    facts = Layout("(8,64):(64,1)").explain("f16")
    assert facts.size == 512 and facts.injective and facts.inverse == "(64,8):(8,1)"
    assert "bank" in str(facts)
