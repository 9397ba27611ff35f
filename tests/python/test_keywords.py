"""Whatever a call says is used or refused: every keyword of every function; near names; kinds of refusals."""

from __future__ import annotations

import inspect
import pickle
from collections.abc import Callable
from typing import Any

import jute
import numpy as np
import pytest
from jute import _core

random = np.random.default_rng(6)


def integers(*shape: int, dtype: Any = np.float32) -> np.ndarray:
    return random.integers(-4, 5, shape).astype(dtype)


A, B, C, OUT = integers(8, 16), integers(16, 4), integers(8, 4), np.zeros((8, 4), np.float32)
W4 = integers(4, 16)
BIAS = "acc + bias[n]"
LIST = np.array([3, 8], np.int32)
EXPERTS = integers(2, 16, 4)
BYTES = np.asfortranarray(random.integers(0, 256, (8, 4)).astype(np.uint8))  # (K/2,N) of b
SCALES = np.full((1, 4), 2, np.float32)
X, W, DY = integers(1, 5, 5, 2), integers(3, 3, 3, 2), integers(1, 3, 3, 3)
KERNEL = 'extern "C" __global__ void f(float* x) { x[threadIdx.x] += threadIdx.x; }'
TEMPLATE = "template <class T> __global__ void f(T* x) { x[0] = 1; } " \
    "__global__ void g(float* x) { x[0] = 2; } template __global__ void f<float>(float*);"
PTX = _core.ptx_of(KERNEL, "f.cu", "sm_90a", [], [])[0]

#: Of each function: what is multiplied, and of each keyword what else the call then says, and a value that
#: must change what comes of it, a refusal among that.
OF_MATMUL: dict[str, tuple[dict[str, Any], Any]] = {
    "out": ({}, OUT), "c": ({}, C), "alpha": ({}, 2.0), "beta": ({"c": C}, 3.0),
    "epilogue": ({}, "relu(acc)"), "gate": ({"epilogue": "gate*acc"}, "pairs"),
    "inputs": ({"epilogue": BIAS}, {"bias": B[0]}),
    "outputs": ({"epilogue": "d = acc; e = acc"}, {"f": C}),
    "config": ({}, "tile=1x1x1"), "dtype": ({}, "tf32x"), "out_dtype": ({}, "f16"), "stream": ({}, 5),
}  # fmt: skip
ROWS = {"rows_a": ({}, np.array([1, 0, 2], np.int32)), "rows_d": ({"out": OUT}, np.arange(8, dtype=np.int32)[::-1].copy()),
        "store": ({}, "add")}  # fmt: skip
OF_GROUPS = {"offs": ({"offs": None}, LIST), "counts": ({}, LIST), "row_groups": ({"offs": None}, np.zeros(8, np.int32)),
             "expected": ({}, -1)}  # fmt: skip
OF_SCALES: dict[str, tuple[dict[str, Any], Any]] = {
    "scale_a": ({}, np.full((8, 1), 3, np.float32)), "scale_b": ({}, SCALES), "zero_a": ({}, 1), "zero_b": ({}, 3),
    "block_a": ({}, "1x16"), "block_b": ({"scale_b": SCALES}, "1x3"), "type_a": ({}, "s4"), "type_b": ({"type_b": "u4"}, "s4"),
    "stage_as": ({}, "s9"), "offs": ({}, LIST), "counts": ({}, LIST), "row_groups": ({}, np.zeros(8, np.int32)),
    "expected": ({}, 4),
}  # fmt: skip
OF_CONV = {"stride": ({}, 2), "padding": ({}, 1), "dilation": ({}, 2), "groups": ({}, 2), "order": ({}, "NCHW")}
AHEAD: dict[str, tuple[dict[str, Any], Any]] = {"race": ({}, 8), "fast_accum": ({}, True)}
ASKED = {name: OF_MATMUL[name] for name in ("config", "dtype", "out_dtype", "stream")}


def without(of: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: row for name, row in of.items() if name not in names}


FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "matmul": (lambda **say: jute.matmul(A, B, **say), OF_MATMUL | ROWS | {"precision": ({}, "tf32x"), "fast_accum": ({}, True)}),
    "grouped_mm": (lambda **say: jute.grouped_mm(A, EXPERTS, **({"offs": LIST} | say)),
                   OF_MATMUL | ROWS | OF_GROUPS | {"fast_accum": ({}, True)}),
    "prepare": (
        lambda **say: jute.prepare(A, B, **say).plan,
        without(OF_MATMUL, "stream") | {"out": ({}, OUT[:4]), "m_range": ({}, (1, 4)), "numbers": ({}, "run-time"),
                                        "batch_invariant": ({}, True), "precision": ({}, "tf32x3")} | AHEAD,
    ),
    "prepare_groups": (lambda **say: jute.prepare_groups(A, EXPERTS, **({"offs": LIST} | say)).plan,
                       without(OF_MATMUL, "stream") | OF_GROUPS | {"out": ({}, OUT[:4])} | AHEAD),
    "scaled_mm": (lambda **say: jute.scaled_mm(A, BYTES, **({"type_b": "u4"} | say)),
                  without(OF_MATMUL, "gate", "dtype") | OF_SCALES | {"fast_accum": ({}, True)}),
    "prepare_scaled": (
        lambda **say: jute.prepare_scaled(A, BYTES, **({"type_b": "u4"} | say)).plan,
        without(OF_MATMUL, "gate", "dtype", "stream") | OF_SCALES
        | {"out": ({}, OUT[:4]), "m_range": ({}, (1, 4)), "batch_invariant": ({}, True)} | AHEAD,
    ),
    "mm": (lambda **say: jute.mm(A, B, **say), {"out": ({}, OUT)}),
    "bmm": (lambda **say: jute.bmm(A[None], B[None], **say), {"out": ({}, OUT[None])}),
    "addmm": (lambda **say: jute.addmm(C, A, B, **say), {"beta": ({}, 3.0), "alpha": ({}, 2.0), "out": ({}, OUT)}),
    "linear": (lambda **say: jute.linear(A, W4, **say), {"bias": ({}, B[0])}),
    "einsum": (lambda **say: jute.einsum("ik,kj->ij", A, B, **say), ASKED | {"out": ({}, OUT), "precision": ({}, "f23"), "order": ({}, "NHWC")}),
    "conv2d": (
        lambda **say: jute.conv2d(X, W, **say),
        without(OF_MATMUL, "gate") | OF_CONV | {
            "out": ({}, np.zeros_like(DY)), "c": ({}, DY), "beta": ({"c": DY}, 3.0), "precision": ({}, "f23"),
            "inputs": ({"epilogue": BIAS}, {"bias": np.ones(3, np.float32)}),
            "outputs": ({"epilogue": "d = acc; e = acc"}, {"f": DY})},
    ),
    "conv2d_input": (lambda **say: jute.conv2d_input(X.shape, W, DY, **say),
                     ASKED | OF_CONV | {"out": ({}, np.zeros_like(X)), "precision": ({}, "f23")}),
    "conv2d_weight": (lambda **say: jute.conv2d_weight(X, W.shape, DY, **say),
                      ASKED | OF_CONV | {"out": ({}, np.zeros_like(W)), "precision": ({}, "f23")}),
    "quantised": (lambda **say: jute.quantised(**say),
                  {"epilogue": ({}, "relu(acc)"), "block": ({}, "row"), "dtype": ({}, "s8")}),
    "rounded_by_seed": (lambda **say: jute.rounded_by_seed(**say), {"epilogue": ({}, "relu(acc)"), "dtype": ({}, "f16")}),
    "plan": (
        lambda **say: jute.plan(64, **({"n": 48, "k": 32} | say)),
        {"n": ({}, 40), "k": ({}, 16), "device": ({}, "a100"), "config": ({}, "tile=1x1x1"), "problem": ({}, 1)},
    ),
    "pack_weights": (
        lambda **say: jute.pack_weights(np.full((8, 1), 9, np.uint8), "bytes", "awq", **say),
        {"part": ({}, "scales"), "dtype": ({}, "s4"), "scales": ({}, np.ones((1, 8), np.float16)),
         "zeros": ({}, np.ones((1, 8), np.uint8))},
    ),
    "planned_for": (lambda **say: None, {}),
    "emulate": (
        lambda **say: launched(KERNEL, **say),
        {"kernel": ({}, "g"), "cluster": ({}, 2), "shared_bytes": ({}, 1 << 20), "cooperative": ({}, "all"),
         "check": ({}, "some"), "schedule": ({}, "never"), "seed": ({}, 3), "device": ({}, "h20"), "arch": ({}, "sm_1"),
         "options": ({}, ["--nothing"])},
    ),
}  # fmt: skip


def launched(source: str, **say: Any) -> Any:
    x = np.zeros(32, np.float32)
    return jute.emulate(source, 1, 32, [x], **say).clean, x


def outcome(call: Callable[..., Any], said: dict[str, Any]) -> str:
    """All that comes of a call."""
    OUT[:] = 77
    said = {name: value.copy() if isinstance(value, np.ndarray) else value for name, value in said.items()}
    try:
        made = call(**said)
    except jute.Error as error:
        return str(error)
    if isinstance(said.get("out"), np.ndarray):
        assert made is said["out"]
        return "into out: " + repr(np.asarray(made, np.float32).tolist())
    return repr([np.asarray(made, np.float32).tolist(), str(made.dtype)] if isinstance(made, np.ndarray) else
                (str(made) if not isinstance(made, tuple) else made))  # fmt: skip


def keywords_of(name: str) -> list[str]:
    parameters = inspect.signature(getattr(jute, name)).parameters
    required = [each for each, of in parameters.items()
                if of.default is of.empty and of.kind is not of.VAR_KEYWORD or each == "args"]  # fmt: skip
    return [each for each in parameters if each not in required]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_keyword_is_used_or_refused(name: str) -> None:
    call, rows = FUNCTIONS[name]
    assert sorted(rows) == sorted(keywords_of(name)), name
    for keyword, (beside, value) in rows.items():
        assert outcome(call, beside) != outcome(call, beside | {keyword: value}), keyword


def test_every_function_with_keywords_is_walked() -> None:
    with_keywords = {
        name for name in jute.__all__
        if inspect.isfunction(getattr(jute, name)) and keywords_of(name) and name != "check"
    }  # fmt: skip
    assert with_keywords == set(FUNCTIONS) - {"planned_for"}


@pytest.mark.parametrize("keyword", _core.problem_keywords)
def test_every_keyword_of_a_problem_is_counted(keyword: str) -> None:
    value = {"batch": 3, "dtype": "bf16", "dtype_a": "f16", "dtype_b": "f16", "out_dtype": "f16", "order_a": "col",
             "order_b": "col", "order_d": "col", "lda": 640, "ldb": 640, "ldc": 640, "ldd": 640, "acc": "f64",
             "precision": "tf32x3", "epilogue": "relu(acc)", "m_range": (1, 8192), "gate": "pairs",
             "layout_a": "(64,64):(1,64)", "layout_b": "(64,64):(64,1)", "layout_c": "(64,64):(1,64)",
             "layout_d": "(64,64):(1,64)", "align_a": 4, "align_b": 4, "align_c": 4, "align_d": 4, "rows_a": "99",
             "rows_d": "99", "scale_a": "f32", "scale_b": "f32", "zero_a": "1", "zero_b": "1", "block_a": "1x32",
             "block_b": "1x32", "stage_as": "bf16", "quantise_d": "1x64", "round_d": "stochastic", "groups": "rows",
             "count": 3, "expected": 9}[keyword]  # fmt: skip
    beside = {"block_a": {"scale_a": "f32"}, "block_b": {"scale_b": "f32"}, "quantise_d": {"out_dtype": "e4m3"},
              "round_d": {"out_dtype": "bf16"}, "expected": {"groups": "rows"},
              **dict.fromkeys(("ldc", "layout_c", "align_c"), {"epilogue": "acc + beta*c"})}  # fmt: skip
    plan = FUNCTIONS["plan"][0]
    said = beside.get(keyword, {})
    assert outcome(plan, said) != outcome(plan, said | {keyword: value})
    with pytest.raises(jute.Error, match="must be left out"):
        jute.plan("M=64 N=64 K=64", **{keyword: value})
    with pytest.raises(jute.Error, match="must be left out"):
        jute.plan(jute.Problem(64, 64, 64), **{keyword: value})
    with pytest.raises(jute.Error, match="must be left out"):
        jute.Problem("M=64 N=64 K=64", **{keyword: value})


def test_extents_are_all_given_or_none() -> None:
    for call in (lambda: jute.plan(64, 64), lambda: jute.plan(64), lambda: jute.Problem(64, k=4),
                 lambda: jute.plan("M=64 N=64 K=64", 64)):  # fmt: skip
        with pytest.raises(jute.Error) as refused:
            call()
        assert refused.value.operand in ("n", "k")
    assert jute.plan(64, 64, 0).problem.k == 0


def test_what_lists_of_matrices_have_not_is_refused() -> None:
    for name, value in {**{name: row[1] for name, row in ROWS.items()}, "expected": 4, "gate": "pairs",
                        "inputs": {"bias": B[0]}, "offs": LIST}.items():  # fmt: skip
        with pytest.raises(jute.Error) as refused:
            jute.grouped_mm([A], [B], **{name: value})
        assert refused.value.operand == name


PRODUCT = jute.prepare(A, B, epilogue=BIAS, inputs={"bias": B[0]})
GROUPED = jute.prepare_groups(A, EXPERTS, LIST)
SCALED = jute.prepare_scaled(A, BYTES, type_b="u4", scale_b=SCALES)

UNKNOWN: list[tuple[Callable[..., Any], str, str | None]] = [
    (lambda **say: jute.matmul(A, B, **say), "epilog", "epilogue"),
    (lambda **say: jute.matmul(A, B, **say), "outdtype", "out_dtype"),
    (lambda **say: jute.grouped_mm(A, EXPERTS, LIST, **say), "row_group", "row_groups"),
    (lambda **say: jute.scaled_mm(A, BYTES, **say), "scaleb", "scale_b"),
    (lambda **say: jute.einsum("ij,jk->ik", A, B, **say), "optimize", None),
    (lambda **say: jute.conv2d(X, W, **say), "strides", "stride"),
    (lambda **say: jute.plan(8, 8, 8, **say), "devices", "device"),
    (lambda **say: jute.plan(8, 8, 8, **say), "ld_a", "lda"),
    (lambda **say: jute.Problem(8, 8, 8, **say), "outdtype", "out_dtype"),
    (lambda **say: jute.emulate(KERNEL, 1, 1, **say), "shared", "shared_bytes"),
    (lambda **say: jute.Emulator(**say), "checks", "check"),
    (lambda **say: jute.pack_weights(BYTES, "bytes", "awq", **say), "scale", "scales"),
    (lambda **say: jute.prepare(A, B, **say), "mrange", "m_range"),
    (lambda **say: PRODUCT(A, B, **say), "input", "inputs"),
    (lambda **say: GROUPED(A, EXPERTS, **say), "off", "offs"),
    (lambda **say: SCALED(A, BYTES, **say), "scaleb", "scale_b"),
    (lambda **say: PRODUCT.pack("b", B, **say), "streams", "stream"),
    (lambda **say: jute.Product(A, B, **say), "epilog", "epilogue"),
]  # fmt: skip


@pytest.mark.parametrize("call, word, nearest", UNKNOWN)
def test_an_unknown_keyword_has_the_nearest(call: Callable[..., Any], word: str, nearest: str | None) -> None:
    with pytest.raises(jute.Error) as refused:
        call(**{word: 1})
    error = refused.value
    assert (error.code, error.operand, error.value, error.nearest_legal) == ("unknown_name", "keyword", word, nearest)
    assert isinstance(error, TypeError)
    assert "incompatible function arguments" not in str(error)


def test_a_word_is_said_once() -> None:
    for call in (lambda: jute.matmul(A, B, b=B), lambda: PRODUCT(A, B, None, out=OUT), lambda: jute.Product(A, B, a=A),
                 lambda: GROUPED(A, EXPERTS, LIST, offs=LIST), lambda: jute.conv2d(X, W, x=X)):  # fmt: skip
        with pytest.raises(jute.Error) as refused:
            call()
        assert refused.value.code == "wrong_arity"


def test_a_word_of_another_kind_is_named() -> None:
    cases: list[tuple[Callable[[], Any], str, str | None]] = [
        (lambda: jute.matmul(A, B, config={"tile": "128x128x32", "stages": 3}), "config", "tile=128x128x32 stages=3"),
        (lambda: jute.matmul(A, B, epilogue=None), "epilogue", None),
        (lambda: jute.matmul(A, B, alpha="2"), "alpha", None),
        (lambda: jute.matmul(A, B, inputs=[1]), "inputs", None),
        (lambda: jute.matmul(A, B, epilogue=BIAS, inputs={1: A}), "inputs", None),
        (lambda: jute.grouped_mm(A, EXPERTS, LIST, expected="4"), "expected", None),
        (lambda: jute.prepare(A, B, config=["tile"]), "config", None),
        (lambda: jute.Product(A, B, config={"tile": "64x64x32"}), "config", "tile=64x64x32"),
        (lambda: jute.plan(64, 64, 64, device=90), "device", None),
        (lambda: jute.plan(64, 64, 64, epilogue=1), "epilogue", None),
        (lambda: jute.plan(64, 64, 64.5), "k", None),
        (lambda: jute.einsum(A, B), "subscripts", '"ij,jk->ik"'),
        (lambda: jute.matmul([[1.0]], B), "a", None),
        (lambda: jute.matmul(None, B), "a", None),
        (lambda: jute.emulate(KERNEL, 1, 1, cooperative=1), "cooperative", None),
        (lambda: PRODUCT(A, B, inputs={"bias": B[0]}, alpha="2"), "alpha", None),
    ]  # fmt: skip
    for call, operand, nearest in cases:
        with pytest.raises(jute.Error) as refused:
            call()
        assert (refused.value.code, refused.value.operand) == ("wrong_type", operand), refused.value
        assert refused.value.nearest_legal == nearest
        assert isinstance(refused.value, TypeError)
    for missing in (lambda: jute.matmul(A), lambda: PRODUCT(A), lambda: jute.matmul(A, B, A)):  # type: ignore[call-arg]
        with pytest.raises(jute.Error) as refused:
            missing()
        assert refused.value.code == "wrong_arity"


def test_a_refusal_of_a_value_is_a_value_error() -> None:
    cases = [
        (lambda: jute.matmul(A, A), ValueError), (lambda: jute.plan(8, 8, 8, device="h20"), ValueError),
        (lambda: jute.plan(8, 8, 8, config="tile=3x3x3"), ValueError), (lambda: jute.Layout("(4,8"), ValueError),
        (lambda: jute.matmul(A, B.astype(">f4")), TypeError),
    ]  # fmt: skip
    for call, kind in cases:
        with pytest.raises(kind) as refused:
            call()
        error = refused.value
        assert isinstance(error, jute.Error)
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), str(again)) == (type(error), str(error))
    lacking = jute.Error("no_gpu", "device")
    assert not isinstance(lacking, (ValueError, TypeError))
