"""Every recorded result of CuTe C++, through Python's functions and objects."""

from __future__ import annotations

from typing import Any

import jute
import pytest
from conftest import golden

#: What a record calls differently.
NAMES = {"layout": "make_layout", "crd2idx_shape": "crd2idx"}


def text_of(value: Any) -> str:
    """A recorded result as jute prints it."""
    if isinstance(value, list):
        return "(" + ",".join(map(text_of, value)) + ")"
    if isinstance(value, bool):
        return str(value).lower()
    return str(value)


def objects(record: dict[str, Any]) -> list[Any]:
    """The arguments as Python has them: layouts, tuples, integers; texts where they are long."""
    if record.get("args_gen"):
        return ["".join(piece * count for piece, count in pieces) for pieces in record["args_gen"]]
    made = []
    for text in record["args"]:
        try:
            made.append(jute.eval(text))
        except jute.Error:  # a bare word
            made.append(text)
    return made


def result_of(record: dict[str, Any]) -> Any:
    name = record["op"]
    if name == "parse":
        return jute.eval((record["args"] or objects(record))[0])
    return getattr(jute, NAMES.get(name, name))(*objects(record))


def test_every_recorded_result_is_reproduced() -> None:
    wrong = []
    records = list(golden("layout_algebra.jsonl"))
    assert len(records) == 8968
    for record in records:
        found = jute.text(result_of(record))
        if found != text_of(record["result"]):
            wrong.append((record["id"], found))
    assert wrong == []


def test_every_recorded_refusal_is_an_error() -> None:
    for record in golden("layout_algebra_errors.jsonl"):
        with pytest.raises(jute.Error) as refused:
            result_of(record)
        assert refused.value.code, record["id"]


def tiled_of(record: dict[str, Any]) -> Any:
    kind = record["kind"]
    if kind == "tiled_copy":
        return jute.TiledCopy(
            record["copy_atom"], record["value_type"], record["thr_layout"], record["val_layout"]
        )
    mma = jute.TiledMMA(record["atom"], record["atom_layout"], record["perm"])
    if kind == "tiled_mma":
        return mma
    return getattr(jute, kind)(record["copy_atom"], record["value_type"], mma)


def test_tilings_partition_as_recorded() -> None:
    wrong = []
    for record in golden("tiled.jsonl"):
        result, query = record["result"], record["query"]
        arguments = [tiled_of(record)]
        if query.startswith("retile_"):
            arguments.append(result["fragment"])
        else:
            arguments += [record[key] for key in ("tensor", "thread") if key in record]
        if isinstance(result, dict):
            wanted = result.get("retiled") or f"({result['layout']},{result['offset']})"
        else:
            wanted = str(result)
        if jute.text(getattr(jute, query)(*arguments)) != wanted:
            wrong.append(record["id"])
    assert wrong == []


def test_atoms_answer_for_their_layouts() -> None:
    for record in golden("mma_atoms.jsonl"):
        if "upstream_defect" in record:
            continue
        atom = jute.MmaAtom(record["name"])
        assert jute.text(jute.shape_mnk(atom)) == record["shape_mnk"]
        for query in ("thr_id", "layout_a", "layout_b", "layout_c"):
            key = query if query == "thr_id" else f"{query[-1]}_layout"
            assert str(getattr(jute, query)(atom)) == record[key], record["name"]
    for record in golden("copy_atoms.jsonl"):
        atom = jute.CopyAtom(record["name"])
        for query, key in (("layout_src", "src_layout"), ("layout_dst", "dst_layout")):
            assert str(getattr(jute, query)(atom)) == record[key], record["name"]
