// Every check fires on a kernel that deserves it, names the place, and stays silent on a good one.
#include <algorithm>
#include <bit>
#include <cmath>
#include <random>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// A kernel of two pointers around a body.
std::string checked_kernel(const std::string& body, const std::string& declarations = "") {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n" + declarations +
         ".visible .entry k(.param .u64 pa, .param .u64 pb)\n{\n"
         ".reg .pred %p<8>;\n.reg .b32 %r<32>;\n.reg .b64 %rd<16>;\n.reg .f32 %f<8>;\n"
         "ld.param.u64 %rd1, [pa];\nld.param.u64 %rd2, [pb];\nmov.u32 %r1, %tid.x;\n"
         "mul.wide.u32 %rd3, %r1, 4;\n" +
         body + "ret;\n}\n";
}

struct CheckedRun {
  Report report;
  std::vector<int> out;
};
CheckedRun checked_run(const std::string& ptx, EmulatorOptions options = {}, int threads = 64,
                       Index smem = 0, std::int64_t blocks = 1) {
  Bench bench(options);
  std::vector<int> in(256);
  for (size_t i = 0; i < in.size(); ++i) in[i] = static_cast<int>(i) * 3 + 1;
  const auto a = bench.upload(in);
  const auto b = bench.alloc(256 * 4);
  bench.run(ptx, "k", {blocks, 1, 1}, {threads, 1, 1}, ArgumentBlock().pointer(a).pointer(b), smem);
  CheckedRun result;
  result.report = bench.backend->take_report();
  result.out = bench.download<int>(b, 256);
  return result;
}
const Finding* finding_of(const Report& report, const std::string& code) {
  for (const Finding& finding : report.findings)
    if (finding.code == code) return &finding;
  return nullptr;
}
EmulatorOptions with(Check check, Schedule schedule = Schedule::fixed, std::uint64_t seed = 0) {
  EmulatorOptions options;
  options.check = check;
  options.schedule = schedule;
  options.seed = seed;
  return options;
}

}  // namespace

TEST_CASE("a load past an allocation is named with its distance, and the kernel goes on",
          "[emulator][check]") {
  const CheckedRun result =
      checked_run(checked_kernel("add.s64 %rd4, %rd1, %rd3;\nld.global.u32 %r2, [%rd4+1008];\n"
                                 "add.s64 %rd5, %rd2, %rd3;\nst.global.u32 [%rd5], %r1;\n"));
  const Finding* finding = finding_of(result.report, "M1");
  REQUIRE(finding != nullptr);
  CHECK(finding->count == 60);
  CHECK(finding->message.find("0 bytes past the end of the allocation of 1024 bytes") !=
        std::string::npos);
  REQUIRE(finding->parties.size() == 1);
  CHECK(finding->parties[0].thread == 4);
  CHECK(finding->parties[0].ptx_line == 15);
  CHECK(finding->parties[0].text == "ld.global.u32");
  CHECK(result.out[63] == 63);
}

TEST_CASE("an access that another buffer's address made is out of bounds, however far it reaches",
          "[emulator][check]") {
  Bench bench;
  const auto a = bench.upload(std::vector<int>(1024, 1));
  const auto b = bench.upload(std::vector<int>(1024, 1));
  CHECK(b - a > std::uint64_t{16} << 32);  // an index of 16-byte elements that wraps stays between
  for (const std::string offset : {"12288", "1048576", "-8192", "4294967292"}) {
    bench.run(checked_kernel("ld.global.u32 %r2, [%rd1+" + offset + "];\n"), "k", {1, 1, 1},
              {32, 1, 1}, ArgumentBlock().pointer(a).pointer(b));
    const Report report = bench.backend->take_report();
    REQUIRE(finding_of(report, "M1") != nullptr);
    CHECK(finding_of(report, "M1")->message.find("allocation of 4096 bytes") != std::string::npos);
  }
}

TEST_CASE("buffers take no more memory together than the chip may have",
          "[emulator][check][refusal]") {
  EmulatorOptions options;
  options.memory_bytes = 1000;
  const auto backend = open_emulator(options);
  const DevicePointer first = backend->alloc(600);
  const auto second = [&] { return backend->alloc(401); };
  const Error error = test::refusal_of([&] { (void)second(); });
  CHECK(error.code == ErrorCode::out_of_memory);
  CHECK(error.value == "401");
  CHECK(backend->alloc(400) != 0);
  backend->free(first);
  CHECK(second() != 0);
}

TEST_CASE("a grid that nobody counts to the end is refused", "[emulator][refusal]") {
  Bench bench;
  const auto a = bench.upload(std::vector<int>(32, 1));
  const Error error = test::refusal_of([&] {
    bench.run(checked_kernel(""), "k", {2147483647, 65535, 65535}, {32, 1, 1},
              ArgumentBlock().pointer(a).pointer(a));
  });
  CHECK(error.code == ErrorCode::unsupported);
  CHECK(error.operand == "grid");
  CHECK(error.value == "(2147483647,65535,65535)");
  CHECK(error.nearest_legal == "(2147483647,1,1)");
}

TEST_CASE("what a block or a thread takes is within what a chip gives", "[emulator][refusal]") {
  const auto refusal = [](const std::string& body) {
    return test::refusal_of([&] { (void)checked_run(checked_kernel(body)); });
  };
  const std::string fits = ".shared .b8 most[232448];\nst.shared.u8 [most], 0;\n";
  CHECK(checked_run(checked_kernel(fits)).report.clean());
  const Error shared = refusal(".shared .b8 more[232449];\nst.shared.u8 [more], 0;\n");
  CHECK(shared.code == ErrorCode::illegal_config);
  CHECK(shared.operand == "static_smem_bytes");
  CHECK(shared.value == "232449");
  for (const char* space : {".local", ".param"}) {
    const Error error = refusal(space + std::string(" .b8 much[600000];\n"));
    REQUIRE(!error.violated_rules.empty());
    CHECK(error.violated_rules.front().find("fit 524288 bytes") != std::string::npos);
  }
}

TEST_CASE("buffers take no more memory than the host has", "[emulator][check][refusal]") {
  const auto backend = open_emulator();
  const Error error = test::refusal_of([&] { (void)backend->alloc(Index{1} << 41); });
  CHECK(error.code == ErrorCode::out_of_memory);
  REQUIRE(!error.violated_rules.empty());
  CHECK(error.violated_rules.front().starts_with("the host must have that much memory"));
}

TEST_CASE("freed memory, shared memory and misaligned addresses are refused", "[emulator][check]") {
  const CheckedRun shared = checked_run(checked_kernel("st.shared.u32 [%r1], %r1;\n"), {}, 64, 32);
  CHECK(finding_of(shared.report, "M1") != nullptr);
  CHECK(finding_of(shared.report, "M2") != nullptr);
  Bench bench;
  const auto a = bench.upload(std::vector<int>(256, 1));
  const auto b = bench.alloc(1024);
  bench.backend->free(a);
  bench.run(checked_kernel("ld.global.u32 %r2, [%rd1];\n"), "k", {1, 1, 1}, {32, 1, 1},
            ArgumentBlock().pointer(a).pointer(b));
  const Report report = bench.backend->take_report();
  REQUIRE(finding_of(report, "M1") != nullptr);
  CHECK(finding_of(report, "M1")->message.find("freed") != std::string::npos);
}

TEST_CASE("what was never written is not read in silence: global, shared and registers",
          "[emulator][check]") {
  const std::string shared = ".shared .align 4 .b8 sm[256];\n";
  const std::string use = "st.global.u32 [%rd1+4], %r2;\n";
  CHECK(finding_of(checked_run(checked_kernel("ld.global.u32 %r2, [%rd2];\n" + use)).report,
                   "M3") != nullptr);
  CHECK(finding_of(checked_run(checked_kernel("ld.global.u32 %r2, [%rd1];\n" + use)).report,
                   "M3") == nullptr);
  const std::string load = "mov.u32 %r3, sm;\nld.shared.u32 %r2, [%r3+8];\n";
  CHECK(finding_of(checked_run(checked_kernel(load + use, shared)).report, "M3") != nullptr);
  CHECK(finding_of(checked_run(checked_kernel(load, shared)).report, "M3") == nullptr);
  CHECK(finding_of(checked_run(checked_kernel(load + use, shared), with(Check::none)).report,
                   "M3") == nullptr);
  const CheckedRun reg = checked_run(checked_kernel(
      "setp.lt.u32 %p1, %r1, 40;\n@%p1 mov.u32 %r5, 7;\nadd.u32 %r2, %r5, 1;\n" + use));
  const Finding* finding = finding_of(reg.report, "M3");
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("%r5") != std::string::npos);
  CHECK(finding->parties[0].thread == 40);
  CHECK(finding_of(
            checked_run(
                checked_kernel(
                    "setp.lt.u32 %p1, %r1, 40;\n@%p1 mov.u32 %r5, 7;\n@%p1 add.u32 %r6, %r5, 1;\n"))
                .report,
            "M3") == nullptr);
}

TEST_CASE("bytes of an unset register may be packed, as compilers do for bytes nobody uses",
          "[emulator][check]") {
  const std::string part = "setp.lt.u32 %p1, %r1, 40;\n@%p1 mov.u32 %r5, 7;\n";
  const std::string use = "st.global.u32 [%rd1+4], %r2;\n";
  CHECK(finding_of(
            checked_run(checked_kernel(part + "prmt.b32 %r2, %r1, %r5, 0x3340U;\n" + use)).report,
            "M3") == nullptr);
  CHECK(finding_of(checked_run(checked_kernel(part + "add.u32 %r2, %r1, %r5;\n" + use)).report,
                   "M3") != nullptr);
}

TEST_CASE("of the registers that selp chooses from, the chosen one is read", "[emulator][check]") {
  const std::string part = "setp.lt.u32 %p1, %r1, 40;\n@%p1 mov.u32 %r5, 7;\n";
  const std::string use = "st.global.u32 [%rd1+4], %r2;\n";
  CHECK(finding_of(checked_run(checked_kernel(part + "selp.b32 %r2, %r5, 1, %p1;\n" + use)).report,
                   "M3") == nullptr);
  CHECK(finding_of(checked_run(checked_kernel(part + "selp.b32 %r2, 1, %r5, %p1;\n" + use)).report,
                   "M3") != nullptr);
  CHECK(
      finding_of(checked_run(checked_kernel(part + "selp.b32 %r2, %r5, %r5, %p1;\n" + use)).report,
                 "M3") != nullptr);
}

TEST_CASE("synchronize throws the findings once, and the report keeps them", "[emulator][check]") {
  Bench bench;
  const auto a = bench.upload(std::vector<int>(4, 1));
  bench.run(checked_kernel("ld.global.u32 %r2, [%rd1+4096];\n"), "k", {1, 1, 1}, {32, 1, 1},
            ArgumentBlock().pointer(a).pointer(a));
  const Error error = refusal_of([&] { bench.backend->synchronize(); });
  CHECK(error.code == ErrorCode::check_failed);
  CHECK(error.detail.find("M1") != std::string::npos);
  CHECK(error.detail.find("\n1 finding; ") != std::string::npos);
  CHECK(to_string(Report{}).starts_with("0 findings; "));
  CHECK_NOTHROW(bench.backend->synchronize());
  CHECK(bench.backend->take_report().findings.size() == 1);
  CHECK(bench.backend->take_report().clean());
}

TEST_CASE("a result that no kernel writes is reported when it is copied out", "[emulator][check]") {
  Bench bench;
  const auto a = bench.upload(std::vector<int>(64, 1));
  const auto b = bench.alloc(256);
  bench.run(checked_kernel(""), "k", {1, 1, 1}, {32, 1, 1}, ArgumentBlock().pointer(a).pointer(b));
  (void)bench.download<int>(b, 64);
  CHECK(finding_of(bench.backend->take_report(), "M4") != nullptr);
}

namespace {

// Threads exchange values through shared memory, twice through the same place.
std::string exchange(bool first_barrier, bool second_barrier) {
  std::string body =
      "mov.u32 %r4, sm;\nshl.b32 %r5, %r1, 2;\nadd.u32 %r6, %r4, %r5;\nxor.b32 %r7, %r5, "
      "128;\nadd.u32 %r7, %r4, %r7;\n";
  body += "st.shared.u32 [%r6], %r1;\n";
  if (first_barrier) body += "bar.sync 0;\n";
  body += "ld.shared.u32 %r8, [%r7];\n";
  if (second_barrier) body += "bar.sync 0;\n";
  body +=
      "add.u32 %r9, %r8, 100;\nst.shared.u32 [%r6], %r9;\nbar.sync 0;\nld.shared.u32 %r10, "
      "[%r7];\n";
  body += "add.s64 %rd5, %rd2, %rd3;\nst.global.u32 [%rd5], %r10;\n";
  return checked_kernel(body, ".shared .align 4 .b8 sm[256];\n");
}

}  // namespace

TEST_CASE("deleting a barrier makes a race, whichever barrier it is", "[emulator][check][race]") {
  const CheckedRun good = checked_run(exchange(true, true), with(Check::full));
  INFO(to_string(good.report));
  CHECK(good.report.clean());
  for (int i = 0; i < 64; ++i) CHECK(good.out[static_cast<size_t>(i)] == i + 100);
  const CheckedRun late = checked_run(exchange(false, true), with(Check::full));
  const CheckedRun early = checked_run(exchange(true, false), with(Check::full));
  REQUIRE(finding_of(late.report, "R1") != nullptr);
  REQUIRE(finding_of(early.report, "R1") != nullptr);
  CHECK(finding_of(early.report, "R1")->parties.size() == 2);
}

TEST_CASE("lanes of one warp race unless they meet", "[emulator][check][race]") {
  const auto text = [](bool meets) {
    return checked_kernel(
        std::string(
            "mov.u32 %r4, sm;\nshl.b32 %r5, %r1, 2;\nadd.u32 %r6, %r4, %r5;\nxor.b32 %r7, %r5, 4;\n"
            "add.u32 %r7, %r4, %r7;\nst.shared.u32 [%r6], %r1;\n") +
            (meets ? "bar.warp.sync -1;\n" : "") + "ld.shared.u32 %r8, [%r7];\n",
        ".shared .align 4 .b8 sm[256];\n");
  };
  CHECK(finding_of(checked_run(text(false), with(Check::full)).report, "R2") != nullptr);
  const CheckedRun good = checked_run(text(true), with(Check::full));
  INFO(to_string(good.report));
  CHECK(good.report.clean());
}

TEST_CASE("blocks that write the same word race; atomics and equal values do not",
          "[emulator][check][race]") {
  const auto store = [](const char* value) {
    return checked_kernel("mov.u32 %r1, " + std::string(value) + ";\nst.global.u32 [%rd1], %r1;\n");
  };
  CHECK(finding_of(checked_run(store("%ctaid.x"), with(Check::full), 1, 0, 2).report, "R1") !=
        nullptr);
  CHECK(checked_run(store("1"), with(Check::full), 64, 0, 2).report.clean());
  const std::string atomic = checked_kernel("red.global.add.u32 [%rd1], 1;\n");
  CHECK(checked_run(atomic, with(Check::full), 32, 0, 4).report.clean());
}

TEST_CASE("an aligned barrier that half a warp reaches is reported", "[emulator][check][barrier]") {
  const CheckedRun result = checked_run(
      checked_kernel("and.b32 %r2, %r1, 1;\nsetp.eq.s32 %p1, %r2, 0;\n@%p1 bra SKIP;\nbar.sync "
                     "0;\nSKIP:\nbar.sync 1;\n"));
  const Finding* finding = finding_of(result.report, "P4");
  REQUIRE(finding != nullptr);
  CHECK(finding->message.find("0xaaaaaaaa") != std::string::npos);
}

TEST_CASE("a deadlock ends with a table of who waits for what", "[emulator][check][deadlock]") {
  const CheckedRun barrier = checked_run(
      checked_kernel("setp.lt.u32 %p1, %r1, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;\n"));
  REQUIRE(finding_of(barrier.report, "P12") != nullptr);
  CHECK(finding_of(barrier.report, "P12")->message.find("barrier 1: 32 of 64") !=
        std::string::npos);
  CHECK(finding_of(barrier.report, "P12")->message.find("barrier 2: 32 of 64") !=
        std::string::npos);
  const CheckedRun spin = checked_run(checked_kernel(
      "LOOP:\nld.volatile.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 1;\n@%p1 bra LOOP;\n"));
  CHECK(finding_of(spin.report, "P12") != nullptr);
}

TEST_CASE("a launch ends with the first block that has no end", "[emulator][check][deadlock]") {
  for (const int threads : {1, 2}) {
    EmulatorOptions options;
    options.threads = threads;
    options.warp_instructions_per_block = 10'000;
    const CheckedRun endless =
        checked_run(checked_kernel("LOOP:\nbra LOOP;\n"), options, 64, 0, 1'000'000);
    const Finding* const finding = finding_of(endless.report, "P12");
    REQUIRE(finding != nullptr);
    CHECK(finding->count == 1);
    CHECK(finding->parties.front().block[0] == 0);
    CHECK(endless.report.counters.warp_instructions < 100'000);
  }
}

TEST_CASE("blocks may wait for blocks that start later", "[emulator][schedule]") {
  // Block 0 waits for a flag that block 1 raises.
  const std::string text = checked_kernel(
      "mov.u32 %r2, %ctaid.x;\nsetp.eq.u32 %p1, %r2, 1;\n@%p1 bra RAISE;\n"
      "LOOP:\nld.acquire.gpu.global.u32 %r3, [%rd1];\nsetp.ne.u32 %p2, %r3, 77;\n@%p2 bra LOOP;\n"
      "ld.global.u32 %r4, [%rd1+4];\nst.global.u32 [%rd2], %r4;\nbra DONE;\n"
      "RAISE:\nst.global.u32 [%rd1+4], 55;\nst.release.gpu.global.u32 [%rd1], 77;\nDONE:\n");
  for (const Check check : {Check::memory, Check::full}) {
    const CheckedRun result = checked_run(text, with(check), 1, 0, 2);
    INFO(to_string(result.report));
    CHECK(result.report.clean());
    CHECK(result.out[0] == 55);
  }
}

namespace {

struct Gemm {
  Report report;
  int wrong = 0;
};
Gemm multistage(const std::string& ptx, const EmulatorOptions& options, int size) {
  Bench bench(options);
  const auto extent = static_cast<size_t>(size);
  std::mt19937 random(3);
  std::vector<std::uint16_t> a(extent * extent), b(extent * extent);
  std::vector<int> ia(a.size()), ib(b.size());
  const auto fill = [&](std::vector<std::uint16_t>& bits, std::vector<int>& values) {
    for (size_t i = 0; i < bits.size(); ++i) {
      values[i] = static_cast<int>(random() % 9) - 4;
      bits[i] = static_cast<std::uint16_t>(
          std::bit_cast<std::uint32_t>(static_cast<float>(values[i])) >> 16);
    }
  };
  fill(a, ia);
  fill(b, ib);
  const auto c = bench.alloc(extent * extent * 4);
  bench.run(ptx, "multistage_gemm", {size / 64, size / 64, 1}, {128, 1, 1},
            ArgumentBlock()
                .pointer(bench.upload(a))
                .pointer(bench.upload(b))
                .pointer(c)
                .i32(size)
                .i32(size));
  Gemm result;
  const auto got = bench.download<float>(c, extent * extent);
  for (size_t m = 0; m < extent; m += 7)
    for (size_t n = 0; n < extent; ++n) {
      int sum = 0;
      for (size_t k = 0; k < extent; ++k) sum += ia[m * extent + k] * ib[n * extent + k];
      result.wrong += got[m * extent + n] != static_cast<float>(sum) ? 1 : 0;
    }
  result.report = bench.backend->take_report();
  return result;
}
/// The text with occurrence `which` of an instruction replaced; empty if there are fewer.
std::string replaced(std::string text, const std::string& what, const std::string& with_what,
                     int which) {
  size_t at = text.find(what);
  for (int i = 0; i < which && at != std::string::npos; ++i) at = text.find(what, at + 1);
  if (at == std::string::npos) return {};
  return text.replace(at, text.find(';', at) - at, with_what);
}

}  // namespace

TEST_CASE("a multistage tensor-core GEMM is exact and clean on every schedule",
          "[emulator][gemm]") {
  const std::string ptx = read_ptx("multistage_gemm.ptx");
  for (const Schedule schedule : {Schedule::fixed, Schedule::random, Schedule::late}) {
    const Gemm result = multistage(ptx, with(Check::full, schedule, 5), 128);
    INFO(to_string(result.report));
    CHECK(result.wrong == 0);
    CHECK(result.report.clean());
    CHECK(result.report.counters.smem_accesses > 0);
    // The padded rows serve ldmatrix without conflict; each of the 256 copies takes 4 cycles more.
    CHECK(result.report.counters.smem_bank_conflicts == 1024);
  }
}

TEST_CASE("mutations of that kernel are all found: no barrier, no wait", "[emulator][gemm][race]") {
  const std::string ptx = read_ptx("multistage_gemm.ptx");
  int barriers = 0;
  for (;; ++barriers) {
    const std::string text = replaced(ptx, "bar.sync", "membar.cta", barriers);
    if (text.empty()) break;
    CHECK(finding_of(multistage(text, with(Check::full), 128).report, "R1") != nullptr);
  }
  int waits = 0;
  for (;; ++waits) {
    const std::string text = replaced(ptx, "cp.async.wait_group", "cp.async.wait_group 2", waits);
    if (text.empty()) break;
    CHECK(finding_of(multistage(text, with(Check::full), 128).report, "R9") != nullptr);
    CHECK(multistage(text, with(Check::none, Schedule::late), 128).wrong > 0);
  }
  CHECK(barriers > 0);
  CHECK(waits > 0);
}

TEST_CASE("reports name the line of the source", "[emulator][check]") {
  const std::string text = replaced(read_ptx("multistage_gemm.ptx"), "bar.sync", "membar.cta", 0);
  const Gemm result = multistage(text, with(Check::full), 128);
  const Finding* finding = finding_of(result.report, "R1");
  REQUIRE(finding != nullptr);
  CHECK(finding->parties[0].source.starts_with("multistage_gemm.cu:"));
}

TEST_CASE("results and reports do not depend on the number of CPU threads",
          "[emulator][schedule]") {
  const std::string ptx = read_ptx("multistage_gemm.ptx");
  EmulatorOptions one = with(Check::memory);
  one.threads = 1;
  EmulatorOptions four = one;
  four.threads = 4;
  const Gemm first = multistage(ptx, one, 256);
  const Gemm second = multistage(ptx, four, 256);
  CHECK(first.wrong == 0);
  CHECK(second.wrong == 0);
  CHECK(first.report == second.report);
}
