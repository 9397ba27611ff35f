"""Kernels of one's own on the emulator."""

from __future__ import annotations

import jute
import numpy as np
import pytest
from conftest import NAMED, ROOT

TWICE = """
template <class T> __global__ void twice(T* x, T by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] *= by;
}
"""
REVERSE = """
extern "C" __global__ void reverse(float* x) {
  __shared__ float held[64];
  held[threadIdx.x] = x[threadIdx.x];
  $
  x[threadIdx.x] = held[63 - threadIdx.x];
}
"""


def test_a_kernel_changes_numpys_arrays() -> None:
    x = np.arange(100, dtype=np.float32)
    report = jute.emulate(TWICE, 4, 32, [x, 3, 100], kernel="twice<float>")
    assert report.clean and report.counters.warp_instructions > 0
    assert (x == 3 * np.arange(100)).all()
    y = np.arange(10, dtype=np.float64)
    jute.emulate(TWICE, 1, 32, [y, np.float64(0.5), np.int32(10)], kernel="twice<double>")
    assert (y == 0.5 * np.arange(10)).all()


def test_ptx_is_read_from_files_and_texts() -> None:
    path = ROOT / "examples/emulate/iota.ptx"
    for source in (path, str(path), path.read_text()):
        out = np.zeros(64, np.float32)
        assert jute.emulate(source, 2, 32, [jute.unset(out), 64, 0.5]).clean
        assert (out == 0.5 * np.arange(64)).all()


def test_a_missing_barrier_is_found_with_its_lines() -> None:
    x = np.arange(64, dtype=np.float32)
    broken = jute.emulate(REVERSE.replace("$", ""), 1, 64, [x])
    assert not broken.clean
    finding = broken.findings[0]
    assert finding.code in ("M3", "R1")
    assert len(finding.parties) == 2
    assert all(party.source.startswith("<text>:") for party in finding.parties)
    x = np.arange(64, dtype=np.float32)
    assert jute.emulate(REVERSE.replace("$", "__syncthreads();"), 1, 64, [x]).clean
    assert (x == np.arange(64)[::-1]).all()


def test_memory_that_was_never_written_is_found() -> None:
    x = np.zeros(32, np.float32)
    text = 'extern "C" __global__ void f(float* x) { x[threadIdx.x] += 1; }\n'
    assert jute.emulate(text, 1, 32, [x]).clean
    assert jute.emulate(text, 1, 32, [jute.unset(x)]).findings[0].code == "M3"


def test_an_array_that_may_not_be_written_stays() -> None:
    x = np.zeros(32, np.float32)
    x.flags.writeable = False
    text = 'extern "C" __global__ void f(float* x) { x[threadIdx.x] += 1; }\n'
    with pytest.raises(jute.Error, match="read-only array of shape"):
        jute.emulate(text, 1, 32, [x])
    assert (x == 0).all()
    y = np.zeros(32, np.float32)
    text = 'extern "C" __global__ void f(float* y, const float* x) { y[threadIdx.x] = x[threadIdx.x] + 1; }'
    assert jute.emulate(text, 1, 32, [y, x]).clean
    assert (y == 1).all()


def test_a_text_may_be_one_line_and_findings_name_it_and_its_kernels() -> None:
    x = np.zeros(8, np.float32)
    text = "__global__ void past(float* x) { x[threadIdx.x + 1] = 1; }"
    report = jute.emulate(text, 1, 8, [x])
    assert report.findings[0].code == "M1"
    party = report.findings[0].parties[0]
    assert party.kernel == "past(float*)" and party.source == "<text>:1"
    assert "_Z4past" not in str(report)
    with pytest.raises(jute.Error, match="it must be a file, or the text of a kernel"):
        jute.emulate("kernels/past.cu", 1, 8, [x])


def test_memory_that_arrays_share_is_one() -> None:
    text = "__global__ void f(float* x, float* y) { x[threadIdx.x] += 1; y[threadIdx.x] += 1; }"
    x = np.zeros(16, np.float32)
    assert jute.emulate(text, 1, 8, [x, x[8:]]).clean
    assert (x == 1).all()
    with pytest.raises(jute.Error, match="share memory"):
        jute.emulate(text, 1, 8, [x[8:], x])


def test_what_is_no_memory_of_a_kernels_is_refused() -> None:
    x = np.zeros(8, np.float32)
    text = "__global__ void f(float* x, long long n) { if (n > 0) x[0] = n; }"
    assert jute.emulate(text, 1, 1, [x, 5]).clean and x[0] == 5
    assert jute.emulate("__global__ void f(long long n) { }", 1, 1, [5]).clean
    for array, said in ((4096, "null"), (np.int64(4096), "null"), (0, "null"), (x.astype(">f4"), "order"),
                        (x[::2], "contiguous"), (np.ma.masked_array(x), "mask")):  # fmt: skip
        with pytest.raises(jute.Error, match=said):
            jute.emulate(text, 1, 1, [array, 5])


def test_what_a_kernel_prints_is_kept() -> None:
    text = '#include <cstdio>\nextern "C" __global__ void f(int i) { printf("%d!\\n", i); }\n'
    assert jute.emulate(text, 1, 1, [7]).printed == "7!\n"


def test_arguments_that_do_not_fit_are_refused() -> None:
    x = np.zeros(32, np.float32)
    for arguments, code in (
        ([x, 1.0], "signature_mismatch"),
        ([x.astype(x.dtype.newbyteorder()), 3], "wrong_type"),
        ([x, "two", 3], "signature_mismatch"),
        ([x[::2], 1, 3], "unsupported"),
    ):
        with pytest.raises(jute.Error) as refused:
            jute.emulate(TWICE, 1, 32, arguments, kernel="twice<float>")
        assert refused.value.code == code
    with pytest.raises(jute.Error, match="file_not_found"):
        jute.emulate("no_such.cu", 1, 1)
    with pytest.raises(jute.Error, match="bad_file"):
        jute.emulate('extern "C" __global__ void f() { nonsense }\n', 1, 1)


USERS_TESTS = """
import jute
import numpy as np

@jute.check
def test_reverse(jute_emulator):
    x = np.arange(64, dtype=np.float32)
    jute_emulator.run("reverse.cu", grid=1, block=64, args=[x])
    assert (x == np.arange(64)[::-1]).all()

@jute.check(schedules=["fixed", "late"])
def test_twice(jute_emulator):
    x = np.ones(40, np.float32)
    jute_emulator.run("twice.cu", grid=2, block=32, args=[x])
    assert (x == 2).all()
"""
TWICE_FILE = 'extern "C" __global__ void twice(float* x) {{\n  int i = blockIdx.x * 32 + threadIdx.x;\n  {}x[i] *= 2;\n}}\n'


def test_a_users_broken_kernels_fail_with_their_lines_and_mended_ones_pass(
    pytester: pytest.Pytester,
) -> None:
    pytester.makepyfile(USERS_TESTS)
    kernels = {"reverse.cu": REVERSE.replace("$", ""), "twice.cu": TWICE_FILE.format("")}
    for name, text in kernels.items():
        (pytester.path / name).write_text(text)
    result = pytester.runpytest_subprocess(*NAMED)
    result.assert_outcomes(failed=5)
    result.stdout.fnmatch_lines(
        ["*test_reverse?late?*", "*reverse.cu:6: x[[]threadIdx.x[]] = held[[]63 - threadIdx.x[]];*"]
    )
    result.stdout.fnmatch_lines(["*M1: *", "*twice.cu:3: x[[]i[]] *= 2;*"])
    (pytester.path / "reverse.cu").write_text(REVERSE.replace("$", "__syncthreads();"))
    (pytester.path / "twice.cu").write_text(TWICE_FILE.format("if (i < 40) "))
    pytester.runpytest_subprocess(*NAMED).assert_outcomes(passed=5)
