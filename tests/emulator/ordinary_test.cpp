// What CUDA's run time gives to kernels: assert, printf, malloc, grids that wait for each other,
// variables that the host sets, calls through pointers, alloca.
#include <jute/emulator/emulated_gpu.hpp>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <numeric>
#include <optional>
#include <string>
#include <vector>

using namespace jute;
using namespace jute::test;

namespace {

constexpr Dim3 kWarp{32, 1, 1};

struct Ordinary {
  explicit Ordinary(const EmulatorOptions& options = {.device = {}, .check = Check::full})
      : bench(options) {}
  Report run(const std::string& kernel, const ArgumentBlock& arguments, Dim3 block = kWarp) {
    bench.run(ptx, kernel, {}, block, arguments);
    return bench.backend->take_report();
  }
  Bench bench;
  std::string ptx = read_ptx("ordinary.ptx");
};

std::vector<int> iota(size_t count) {
  std::vector<int> values(count);
  std::iota(values.begin(), values.end(), 0);
  return values;
}

}  // namespace

TEST_CASE("a failed assertion is told with its text, file and line", "[emulator][ordinary]") {
  Ordinary ordinary;
  const DevicePointer values = ordinary.bench.upload(iota(32));
  CHECK(ordinary.run("asserts", ArgumentBlock().pointer(values).i32(32)).clean());
  const Report report = ordinary.run("asserts", ArgumentBlock().pointer(values).i32(31));
  REQUIRE(report.findings.size() == 1);
  const Finding& finding = report.findings.front();
  CHECK(finding.code == "X3");
  CHECK(finding.message ==
        "assertion `values[threadIdx.x] < most` failed, ordinary.cu:14, in void asserts(const int "
        "*, int)");
  CHECK(finding.parties.front().thread == 31);
}

TEST_CASE("printf leaves its text in the report", "[emulator][ordinary]") {
  Ordinary ordinary;
  const Report report = ordinary.run("prints", ArgumentBlock().i32(42).f64(2.5), {4, 1, 1});
  CHECK(report.clean());
  CHECK(report.printed ==
        "thread 0 of 4:    42|42   |00042 2a text c 2.50 2.5e+00 1099511627776 %\n"
        "thread 2 of 4:    42|42   |00042 2a text c 2.50 2.5e+00 1099511627776 %\n");
}

TEST_CASE("blocks print in their order, whichever thread of the host ran them",
          "[emulator][ordinary]") {
  Ordinary ordinary({.device = {}, .check = Check::memory, .threads = 2});
  Binary binary = binary_from_ptx(ordinary.ptx, "prints");
  ordinary.bench.backend->launch(
      ordinary.bench.backend->load(binary),
      {.grid = {64, 1, 1}, .block = {1, 1, 1}, .arguments = ArgumentBlock().u32(1).f64(1)});
  const std::string printed = ordinary.bench.backend->take_report().printed;
  CHECK(std::count(printed.begin(), printed.end(), '\n') == 64);
}

TEST_CASE("the host sets constants and globals by name", "[emulator][ordinary]") {
  Ordinary ordinary;
  EmulatorBackend& backend = *ordinary.bench.backend;
  const Kernel kernel = backend.load(binary_from_ptx(ordinary.ptx, "variables"));
  const std::optional<DeviceVariable> scale = backend.find_variable(kernel, "scale");
  REQUIRE(scale);
  CHECK(scale->bytes == 16);
  CHECK(!backend.find_variable(kernel, "absent"));
  const std::vector<int> factors{1, 10, 100, 1000};
  backend.copy_in(scale->pointer, std::as_bytes(std::span(factors)));
  const DevicePointer out = ordinary.bench.alloc(32 * 4);
  backend.launch(kernel, {.block = kWarp, .arguments = ArgumentBlock().pointer(out)});
  CHECK(ordinary.bench.download<int>(out, 4) == std::vector<int>{0, 10, 200, 3000});
  // Another kernel of the same text looks at the same variables.
  const Kernel other = backend.load(binary_from_ptx(ordinary.ptx, "heap"));
  const std::optional<DeviceVariable> seen = backend.find_variable(other, "seen");
  REQUIRE(seen);
  CHECK(ordinary.bench.download<int>(seen->pointer, 1).front() == 32);
}

TEST_CASE("malloc and free of kernels are checked like other memory", "[emulator][ordinary]") {
  Ordinary ordinary;
  const DevicePointer out = ordinary.bench.alloc(32 * 4);
  CHECK(ordinary.run("heap", ArgumentBlock().pointer(out).i32(5)).clean());
  CHECK(ordinary.bench.download<int>(out, 3) == std::vector<int>{0, 10, 20});
  const Report twice = ordinary.run("frees_twice", ArgumentBlock().pointer(out), {1, 1, 1});
  REQUIRE(twice.findings.size() == 1);
  CHECK(twice.findings.front().code == "M7");
}

TEST_CASE("a heap that is full gives null", "[emulator][ordinary]") {
  Ordinary ordinary;
  const DevicePointer out = ordinary.bench.alloc(32 * 4);
  const Report report = ordinary.run("heap", ArgumentBlock().pointer(out).i32(1 << 21), {2, 1, 1});
  REQUIRE(!report.clean());
  CHECK(report.findings.front().code == "M1");
}

TEST_CASE("grid.sync works in a cooperative launch and says so elsewhere", "[emulator][ordinary]") {
  Ordinary ordinary;
  EmulatorBackend& backend = *ordinary.bench.backend;
  const Kernel kernel = backend.load(binary_from_ptx(ordinary.ptx, "grid_sync"));
  const DevicePointer out = ordinary.bench.alloc(129 * 4);
  LaunchSpec spec{.grid = {4, 1, 1}, .block = kWarp, .arguments = ArgumentBlock().pointer(out)};
  spec.residency = Residency::whole_grid;
  backend.launch(kernel, spec);
  CHECK(backend.take_report().clean());
  CHECK(ordinary.bench.download<int>(out, 129).back() == 127 * 128 / 2);
  spec.residency = Residency::any;
  backend.launch(kernel, spec);
  const Report report = backend.take_report();
  REQUIRE(!report.clean());
  CHECK(report.findings.front().message ==
        "trap: the kernel stopped itself; its grid.sync needs a cooperative launch");
}

TEST_CASE("tiles of several warps meet in reserved shared memory", "[emulator][ordinary]") {
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    Ordinary ordinary({.device = {}, .check = Check::full, .schedule = schedule, .seed = 3});
    const DevicePointer in = ordinary.bench.upload(iota(128));
    const DevicePointer out = ordinary.bench.alloc(2 * 4);
    CHECK(
        ordinary.run("wide_tiles", ArgumentBlock().pointer(in).pointer(out), {128, 1, 1}).clean());
    CHECK(ordinary.bench.download<int>(out, 2) == std::vector<int>{2016, 6112});
  }
}

TEST_CASE("lanes call through pointers, each its own function", "[emulator][ordinary]") {
  Ordinary ordinary;
  const DevicePointer values = ordinary.bench.upload(iota(32));
  CHECK(ordinary.run("virtual_calls", ArgumentBlock().pointer(values).i32(7)).clean());
  CHECK(ordinary.bench.download<int>(values, 5) == std::vector<int>{0, 7, 4, 21, 16});
  CHECK(ordinary.run("function_table", ArgumentBlock().pointer(values)).clean());
  CHECK(ordinary.bench.download<int>(values, 5) == std::vector<int>{1, 21, 5, 63, 17});
  const Report wrong = ordinary.run("wrong_pointer", ArgumentBlock().pointer(values).u64(0x1234));
  REQUIRE(wrong.findings.size() == 1);
  CHECK(wrong.findings.front().code == "X2");
}

TEST_CASE("alloca gives each thread room of its own, and no more than there is",
          "[emulator][ordinary]") {
  Ordinary ordinary;
  const DevicePointer in = ordinary.bench.upload(std::vector<int>{1, 2, 3});
  const DevicePointer out = ordinary.bench.alloc(32 * 4);
  const auto arguments = [&](int count) {
    return ArgumentBlock().pointer(in).pointer(out).i32(count);
  };
  CHECK(ordinary.run("stack", arguments(3)).clean());
  CHECK(ordinary.bench.download<int>(out, 3) == std::vector<int>{0, 321, 642});
  const Report report = ordinary.run("stack", arguments(1 << 20));
  REQUIRE(!report.clean());
  CHECK(report.findings.front().code == "M1");
}

TEST_CASE("a shuffle may send what was never set, as long as nobody uses it",
          "[emulator][ordinary]") {
  const auto kernel = [](int source) {
    return ".version 8.0\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
           ".reg .pred %p<2>;\n.reg .b32 %r<4>;\n.reg .b64 %rd<3>;\nld.param.u64 %rd1, [out];\n"
           "mov.u32 %r1, %tid.x;\nsetp.ne.s32 %p1, %r1, 3;\n@%p1 bra DONE;\nmov.u32 %r2, 7;\n"
           "DONE:\nshfl.sync.idx.b32 %r3, %r2, " +
           std::to_string(source) +
           ", 31, -1;\nmad.wide.u32 %rd2, %r1, 4, %rd1;\nst.global.u32 [%rd2], %r3;\nret;\n}\n";
  };
  Ordinary ordinary;
  const DevicePointer out = ordinary.bench.alloc(32 * 4);
  ordinary.ptx = kernel(3);
  CHECK(ordinary.run("k", ArgumentBlock().pointer(out)).clean());
  CHECK(ordinary.bench.download<int>(out, 32) == std::vector<int>(32, 7));
  ordinary.ptx = kernel(4);
  const Report report = ordinary.run("k", ArgumentBlock().pointer(out));
  REQUIRE(report.findings.size() == 1);
  CHECK(report.findings.front().message ==
        "a value is used that comes from a register that was never set, %r2");
}

namespace {

constexpr const char* kHalvesText = R"(.version 7.8
.target sm_90
.address_size 64
.visible .entry halves(.param .u64 out)
{
  .reg .b16 %h<5>;
  .reg .b64 %rd;
  ld.param.u64 %rd, [out];
  mov.b16 %h1, 0x3F81;
  cvt.rn.f16.bf16 %h2, %h1;
  mov.b16 %h3, 0x3C05;
  cvt.rn.bf16.f16 %h4, %h3;
  st.global.v2.b16 [%rd], {%h2, %h4};
  ret;
}
)";

}  // namespace

TEST_CASE("the two halves turn into each other", "[emulator][ordinary]") {
  EmulatedGpu gpu;
  const auto out = gpu.unset_array<std::uint16_t>(2);
  gpu.kernel(kHalvesText).launch({}, {out});
  // 1 + 2^-7 is a half; 1 + 5 * 2^-10 lies between 1 and 1 + 2^-7, nearer to the latter.
  CHECK(out.to_host() == std::vector<std::uint16_t>{0x3C08, 0x3F81});
}
