"""Writes jute/_core.pyi, the types of the compiled module:  python3 stub.py FOLDER_OF_THE_MODULE FILE.

nanobind says what its functions take and give. Those of the expression language say it in their usage,
`local_tile(L,tiler,coordinate[,step])`, by what their words stand for; what they give stands here.
"""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

HEAD = '''"""Types of the compiled module, which python/stub.py has written."""

import builtins
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias, overload

__version__: str
#: An integer, a unit vector, None for a wildcard, tuples of these.
IntTuple: TypeAlias = int | Basis | None | tuple[IntTuple, ...]
#: What functions take for one: also a text, "(4,(2,8))".
TupleLike: TypeAlias = IntTuple | Sequence[IntTuple] | str
LayoutLike: TypeAlias = Layout | TupleLike
TilerLike: TypeAlias = LayoutLike | tuple[TilerLike, ...]

'''

#: What a word of a usage stands for; any other one is a layout.
WORDS = {
    "TupleLike": "T a b tuple shape profile coordinate index stride order start guide source target tile cotarget step",
    "TilerLike": "tiler",
    "int": "i j N n begin end offset bits old_bits new_bits alignment_bytes access_bytes thread factor x mode "
    "start_address",
    "str": "NAME type left|right MN|K",
    "MmaAtom | CopyAtom | str": "atom",
    "CopyAtom | str": "ATOM",
    "TiledMMA": "tiled_mma",
    "TiledCopy": "tiled_copy",
    "Swizzle | str": "Sw",
}
TYPES = {word: kind for kind, words in WORDS.items() for word in words.split()}

#: What a function gives where that is always of one kind.
GIVES = {
    "Layout": "coalesce dist_to_thread domain_distribute downcast filter filter_zeros "
    "flat_divide flat_product fragment_A fragment_B fragment_C get_nonswizzle_portion layoutA_TV "
    "layoutB_TV layoutC_TV layoutD_TV layoutS_TV layout_tv left_inverse logical_divide logical_product make_fragment_like make_identity_layout "
    "make_layout_like make_ordered_layout max_common_layout nullspace recast_layout retile_D retile_S "
    "right_inverse thr_id thr_layout_vmnk tile tile_to_shape tile_unzip tiled_divide tiled_product upcast with_shape "
    "zipped_divide zipped_product",
    "bool": "colex_geq colex_gtr colex_leq colex_less elem_geq elem_gtr elem_leq elem_less equivalent "
    "evenly_divides is_bijective is_injective lex_geq lex_gtr lex_leq lex_less",
    "int": "contiguous_run cosize depth gcd get_1d_coord gmma_desc inner_product max max_alignment max_common_vector "
    "max_vector_elems min product rank size sum",
    "tuple[Layout, int]": "partition_A partition_B partition_C partition_D partition_S slice_and_offset",
    "tuple[int, int, int]": "tile_shape",
    "tuple[int, ...]": "values",
    "Swizzle": "get_swizzle_portion",
    "MmaAtom": "mma_atom",
    "CopyAtom": "copy_atom",
    "TiledCopy": "tiled_copy tiled_copy_A tiled_copy_B tiled_copy_C",
}
RESULTS = {name: kind for kind, names in GIVES.items() for name in names.split()}

#: What a usage does not say: (parameters, result) of each form.
OTHERS = {
    "composition": [
        ("a: Swizzle, b: Swizzle, /", "Swizzle"),
        ("a: LayoutLike | Swizzle, b: TilerLike | Swizzle, /", "Layout"),
        ("a: LayoutLike | Swizzle, offset: int, b: TilerLike | Swizzle, /", "Layout"),
    ],
    "make_swizzle": [("source: int, target: int, /", "Swizzle"), ("bits: int, base: int, shift: int, /", "Swizzle")],
    "gmma_layout_atom": [("*words: Any", "Layout")],
    "make_layout": [("*modes: LayoutLike", "Layout")],
    "layout_of": [("*offsets: int", "Layout")],
    "zip": [("a: LayoutLike, b: LayoutLike = ..., /", "Any")],
    "reverse": [("tuple: LayoutLike, /", "Any")],
    "tiled_mma": [("atom: MmaAtom | str, atom_layout: LayoutLike = ..., permutation: TilerLike = ..., /", "TiledMMA")],
    "shape_mnk": [("atom: MmaAtom | str, /", "tuple[int, int, int]")],
    **dict.fromkeys(("blocked_product", "raked_product"), [("block: LayoutLike, tiler: LayoutLike, /", "Layout")]),
    **dict.fromkeys(("compatible", "congruent", "weakly_congruent"), [("a: LayoutLike, b: LayoutLike, /", "bool")]),
    "complement": [("layout: LayoutLike, cotarget: LayoutLike = ..., /", "Layout")],
    **dict.fromkeys(("layout_a", "layout_b", "layout_c"), [("atom: MmaAtom | str, /", "Layout")]),
    **dict.fromkeys(("layout_src", "layout_dst", "layout_ref"), [("atom: CopyAtom | str, /", "Layout")]),
}


def takes(usage: str) -> str:
    """The parameters of a usage: `L,tiler[,step]` are two, and one that may be left out."""
    words = re.findall(r"(\[)?,?([^,\[\]]+)", usage[usage.index("(") + 1 : usage.index(")")])
    if words[-1][1] == "...":
        first, last = words[0][1], words[1][1]
        return f"{first}: {TYPES.get(first, 'LayoutLike')}, /, *more: {TYPES[last]}"
    named = [f"{word.replace('|', '_or_').replace('from', 'source')}: {TYPES.get(word, 'LayoutLike')}"
             + (" = ..." if may_lack else "") for may_lack, word in words]  # fmt: skip
    return ", ".join([*named, "/"])


def typed(name: str, usage: str) -> str:
    """The head of a function of the language, or one of each of its forms."""
    forms = OTHERS.get(name) or [(takes(usage), RESULTS.get(name, "Any"))]
    if len(forms) == 1:
        return f"def {name}({forms[0][0]}) -> {forms[0][1]}:"
    heads = [f"@overload\ndef {name}({words}) -> {result}:" for words, result in forms]
    overlaps = "  # type: ignore[overload-overlap]" if name == "composition" else ""
    return f" ...{overlaps}\n".join([heads[0], " ...\n".join(heads[1:])])


#: What nanobind's stubs lack that checkers of types ask for.
EDITS = (
    (r"-> object\b", "-> Any"),
    (r"def __eq__\(self, arg: \w+, /\)", "def __eq__(self, other: object, /)"),
    (r"^(\w+): tuple = \.\.\.", r"\1: tuple[str, ...]"),
    (r"-> tuple:", "-> tuple[Any, ...]:"),
    (r"int \| slice\b", "int | builtins.slice"),
    (r"^__all__: .*\n", ""),
)


def main() -> None:
    """Reads the module in a folder, writes a file."""
    folder, file = sys.argv[1:]
    subprocess.run(
        [sys.executable, "-m", "nanobind.stubgen", "-q", "-i", folder, "-m", "_core", "-o", file], check=True
    )
    sys.path.insert(0, folder)
    core = importlib.import_module("_core")
    text = Path(file).read_text(encoding="utf-8")
    text = text[text.index("class ") :]
    for name in core.operations:
        usage = getattr(core, name).__doc__.splitlines()[0]
        text = text.replace(f"def {name}(*args, **kwargs) -> Any:", typed(name, usage))
    for pattern, better in EDITS:
        text = re.sub(pattern, better, text, flags=re.MULTILINE)
    Path(file).write_text(f"{HEAD}__all__ = {list(core.__all__)!r}\n\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
