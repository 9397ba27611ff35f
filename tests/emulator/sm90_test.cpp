// TMA, mbarriers, wgmma and clusters: a GEMM of them all, and each rule that they have.
#include <bit>
#include <cmath>
#include <random>

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::uint16_t bf16_bits(int value) {
  return static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16);
}

struct Sm90Outcome {
  Report report;
  int wrong = 0;
};
Sm90Outcome tma_gemm(const std::string& ptx, int m, int n, int k, bool cluster,
                     const EmulatorOptions& options) {
  Bench bench(options);
  std::mt19937 random(2);
  const auto rows = static_cast<size_t>(m), columns = static_cast<size_t>(n),
             depth = static_cast<size_t>(k);
  std::vector<int> ia(rows * depth), ib(columns * depth);
  std::vector<std::uint16_t> a(ia.size()), b(ib.size());
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = bf16_bits(ia[i] = static_cast<int>(random() % 9) - 4);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = bf16_bits(ib[i] = static_cast<int>(random() % 9) - 4);
  const auto pa = bench.upload(a), pb = bench.upload(b), pd = bench.alloc(rows * columns * 4);
  const auto map = [&](DevicePointer base, DType type, Index inner, Index outer, Index box_inner,
                       Index box_outer, TmaSwizzle swizzle) {
    return bench.backend->encode({.type = type,
                                  .dims = {inner, outer},
                                  .strides_bytes = {inner * width_bytes(type)},
                                  .box = {box_inner, box_outer},
                                  .element_strides = {1, 1},
                                  .swizzle = swizzle},
                                 base);
  };
  const auto ma = map(pa, DType::bf16, k, m, 64, cluster ? 32 : 64, TmaSwizzle::b128);
  const auto mb = map(pb, DType::bf16, k, n, 64, 64, TmaSwizzle::b128);
  const auto md = map(pd, DType::f32, n, m, 32, 64, TmaSwizzle::none);
  const ArgumentBlock arguments =
      ArgumentBlock().tensor_map(ma).tensor_map(mb).tensor_map(md).i32(k);
  Binary binary = binary_from_ptx(ptx, cluster ? "tma_cluster_gemm" : "tma_gemm");
  binary.signature.parameters[3].kind = ParameterKind::i32;
  bench.backend->launch(bench.backend->load(binary), {.grid = {(n + 63) / 64, (m + 63) / 64, 1},
                                                      .block = {128, 1, 1},
                                                      .cluster = {cluster ? 2 : 1, 1, 1},
                                                      .dynamic_smem_bytes = 3 * 2 * 8192,
                                                      .arguments = arguments});
  Sm90Outcome result;
  const auto got = bench.download<float>(pd, rows * columns);
  for (size_t row = 0; row < rows; ++row) {
    for (size_t column = 0; column < columns; ++column) {
      int sum = 0;
      for (size_t at = 0; at < depth; ++at) sum += ia[row * depth + at] * ib[column * depth + at];
      result.wrong += got[row * columns + column] != static_cast<float>(sum) ? 1 : 0;
    }
  }
  result.report = bench.backend->take_report();
  return result;
}

EmulatorOptions checked_with(Check check, Schedule schedule, std::uint64_t seed = 9) {
  EmulatorOptions options;
  options.check = check;
  options.schedule = schedule;
  options.seed = seed;
  return options;
}
/// Every moment that asynchronous work may choose: at once, at last, and twenty times by chance.
std::vector<EmulatorOptions> schedules_of_time(Check check) {
  std::vector<EmulatorOptions> all{checked_with(check, Schedule::fixed),
                                   checked_with(check, Schedule::early),
                                   checked_with(check, Schedule::late)};
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    all.push_back(checked_with(check, Schedule::random, seed));
  return all;
}
const Finding* finding_in(const Report& report, const std::string& code) {
  for (const Finding& finding : report.findings)
    if (finding.code == code) return &finding;
  return nullptr;
}

}  // namespace

TEST_CASE("a GEMM by TMA, wgmma and tensor stores is exact, also at ragged edges",
          "[emulator][sm90]") {
  const std::string ptx = read_ptx("tma_gemm.ptx");
  for (const EmulatorOptions& options : schedules_of_time(Check::full)) {
    const Sm90Outcome result = tma_gemm(ptx, 128, 128, 320, false, options);
    INFO(to_string(result.report));
    CHECK(result.wrong == 0);
    CHECK(result.report.clean());
  }
  const Sm90Outcome ragged =
      tma_gemm(ptx, 100, 72, 72, false, checked_with(Check::memory, Schedule::fixed));
  CHECK(ragged.wrong > 0);  // 72 / 64 steps only: the kernel wants whole steps
  const Sm90Outcome edges =
      tma_gemm(ptx, 100, 72, 128, false, checked_with(Check::memory, Schedule::fixed));
  INFO(to_string(edges.report));
  CHECK(edges.wrong == 0);
  CHECK(edges.report.clean());
}

TEST_CASE("blocks of a cluster multicast, wait for each other and arrive remotely",
          "[emulator][sm90]") {
  const std::string ptx = read_ptx("tma_gemm.ptx");
  for (const EmulatorOptions& options : schedules_of_time(Check::memory)) {
    const Sm90Outcome result = tma_gemm(ptx, 128, 256, 320, true, options);
    INFO(to_string(result.report));
    CHECK(result.wrong == 0);
    CHECK(result.report.clean());
  }
}

namespace {

/// The text with every `what` replaced.
std::string with_all(std::string text, const std::string& what, const std::string& by) {
  size_t at = text.find(what);
  REQUIRE(at != std::string::npos);
  for (; at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

TEST_CASE("a barrier that expects too many bytes ends in a deadlock that says which",
          "[emulator][sm90]") {
  const std::string ptx = with_all(read_ptx("tma_gemm.ptx"), "16384", "16400");
  const Sm90Outcome result =
      tma_gemm(ptx, 64, 64, 128, false, checked_with(Check::memory, Schedule::fixed));
  REQUIRE(finding_in(result.report, "P12") != nullptr);
  const std::string& text = finding_in(result.report, "P12")->message;
  INFO(text);
  CHECK(text.find("waits for parity 0 of the mbarrier at shared offset") != std::string::npos);
  CHECK(text.find("awaits 0 of 1 arrivals and 16 bytes") != std::string::npos);
}

TEST_CASE("a barrier that expects too few bytes is named, whenever the copies land",
          "[emulator][sm90]") {
  const std::string ptx = with_all(read_ptx("tma_gemm.ptx"), "16384", "8192");
  for (const EmulatorOptions& options : schedules_of_time(Check::memory)) {
    const Sm90Outcome result = tma_gemm(ptx, 64, 64, 128, false, options);
    INFO(to_string(result.report));
    REQUIRE(finding_in(result.report, "P2") != nullptr);
    CHECK(finding_in(result.report, "P2")->parties[0].text.starts_with("cp.async.bulk.tensor"));
  }
}

TEST_CASE("bytes that nobody said to expect are named", "[emulator][sm90]") {
  std::string ptx = read_ptx("tma_gemm.ptx");
  const std::string expects = "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r";
  for (size_t at = ptx.find(expects); at != std::string::npos; at = ptx.find(expects, at)) {
    const size_t comma = ptx.find(',', at + expects.size()), end = ptx.find(';', at);
    ptx.erase(comma, end - comma);
    ptx.erase(at + 15, 10);  // .expect_tx
  }
  for (const Schedule schedule : {Schedule::fixed, Schedule::early, Schedule::late}) {
    const Sm90Outcome result =
        tma_gemm(ptx, 64, 64, 128, false, checked_with(Check::memory, schedule));
    INFO(to_string(result.report));
    CHECK(finding_in(result.report, "P2") != nullptr);
  }
}

TEST_CASE("a block that ends beside a load that nobody waited for is named", "[emulator][sm90]") {
  std::string ptx = read_ptx("tma_narrow_box.ptx");
  const size_t at = ptx.find("@!%p3 bra wait;");
  ptx.erase(at, 15);
  ptx.replace(ptx.find("mbarrier.try_wait"),
              ptx.find(';', ptx.find("mbarrier.try_wait")) - ptx.find("mbarrier.try_wait"),
              "setp.eq.u32 %p3, %r7, %r7");
  Bench bench(checked_with(Check::memory, Schedule::fixed));
  const auto from = bench.upload(std::vector<std::uint32_t>(64, 1)), to = bench.alloc(256);
  const auto map = [&](DevicePointer base) {
    return bench.backend->encode({.type = DType::f32,
                                  .dims = {8, 8},
                                  .strides_bytes = {32},
                                  .box = {8, 8},
                                  .element_strides = {1, 1}},
                                 base);
  };
  bench.run(ptx, "tma_narrow_box", {1, 1, 1}, {32, 1, 1},
            ArgumentBlock().tensor_map(map(from)).tensor_map(map(to)).pointer(bench.alloc(1024)));
  CHECK(finding_in(bench.backend->take_report(), "P8") != nullptr);
}

TEST_CASE("a tensor store of data that no proxy fence published is reported",
          "[emulator][sm90][race]") {
  std::string ptx = read_ptx("tma_gemm.ptx");
  for (size_t at = ptx.find("fence.proxy.async.shared::cta"); at != std::string::npos;
       at = ptx.find("fence.proxy.async.shared::cta", at))
    ptx.replace(at, 29, "membar.cta");
  const Sm90Outcome result =
      tma_gemm(ptx, 64, 64, 128, false, checked_with(Check::full, Schedule::fixed));
  REQUIRE(finding_in(result.report, "R3") != nullptr);
  CHECK(finding_in(result.report, "R3")->parties[0].source.starts_with("tma_gemm.cu:"));
}

TEST_CASE("rows of a box that are shorter than the swizzle's span lie a span apart",
          "[emulator][sm90]") {
  Bench bench(checked_with(Check::memory, Schedule::fixed));
  std::vector<std::uint32_t> values(8 * 8);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i);
  const auto from = bench.upload(values), to = bench.alloc(8 * 32), seen = bench.alloc(1024);
  const auto map = [&](DevicePointer base, TmaSwizzle swizzle) {
    return bench.backend->encode({.type = DType::f32,
                                  .dims = {8, 8},
                                  .strides_bytes = {32},
                                  .box = {8, 8},
                                  .element_strides = {1, 1},
                                  .swizzle = swizzle},
                                 base);
  };
  const auto [swizzle, span, mask] =
      GENERATE(table<TmaSwizzle, size_t, size_t>({{TmaSwizzle::none, 32, 0},
                                                  {TmaSwizzle::b32, 32, 0x10},
                                                  {TmaSwizzle::b64, 64, 0x30},
                                                  {TmaSwizzle::b128, 128, 0x70}}));
  bench.run(
      read_ptx("tma_narrow_box.ptx"), "tma_narrow_box", {1, 1, 1}, {32, 1, 1},
      ArgumentBlock().tensor_map(map(from, swizzle)).tensor_map(map(to, swizzle)).pointer(seen));
  const Report report = bench.backend->take_report();
  INFO(to_string(report));
  CHECK(report.clean());
  std::vector<std::uint32_t> expected(256, 0xffffffff);
  for (size_t row = 0; row < 8; ++row)
    for (size_t column = 0; column < 8; ++column) {
      const size_t address = row * span + column * 4;
      expected[(address ^ ((address >> 3) & mask)) / 4] = values[row * 8 + column];
    }
  CHECK(bench.download<std::uint32_t>(seen, 256) == expected);
  CHECK(bench.download<std::uint32_t>(to, values.size()) == values);
}

TEST_CASE("a load past the edge of a tensor fills with zeros or with one NaN", "[emulator][sm90]") {
  Bench bench(checked_with(Check::memory, Schedule::fixed));
  const DType type = GENERATE(DType::f16, DType::bf16, DType::f32, DType::tf32, DType::f64);
  const auto outside = GENERATE(TmaOutOfBounds::zero, TmaOutOfBounds::nan);
  const int bytes = width_bytes(type), row = 32 / bytes;
  // Half of every row of the box lies behind the tensor's.
  const auto from = bench.upload(std::vector<std::uint32_t>(8 * 4)), seen = bench.alloc(1024);
  const auto to = bench.alloc(8 * 32);
  const auto map = bench.backend->encode({.type = type,
                                          .dims = {row / 2, 8},
                                          .strides_bytes = {16},
                                          .box = {row, 8},
                                          .element_strides = {1, 1},
                                          .out_of_bounds = outside},
                                         from);
  const auto back = bench.backend->encode({.type = type,
                                           .dims = {row, 8},
                                           .strides_bytes = {32},
                                           .box = {row, 8},
                                           .element_strides = {1, 1}},
                                          to);
  bench.run(read_ptx("tma_narrow_box.ptx"), "tma_narrow_box", {1, 1, 1}, {32, 1, 1},
            ArgumentBlock().tensor_map(map).tensor_map(back).pointer(seen));
  const auto words = bench.download<std::uint32_t>(seen, 64);
  const std::uint32_t filled = outside == TmaOutOfBounds::nan ? 0x7ff77ff7 : 0;
  for (size_t i = 0; i < words.size(); ++i) CHECK(words[i] == (i % 8 < 4 ? 0 : filled));
}

TEST_CASE("a load of tf32 rounds to nearest even", "[emulator][sm90]") {
  Bench bench(checked_with(Check::memory, Schedule::fixed));
  // f32 bits, and what an H200 leaves of them in shared memory.
  constexpr std::array<std::array<std::uint32_t, 2>, 12> kSeen{{{0x3f800000, 0x3f800000},
                                                                {0x3f800fff, 0x3f800000},
                                                                {0x3f801000, 0x3f800000},
                                                                {0x3f801001, 0x3f802000},
                                                                {0x3f803000, 0x3f804000},
                                                                {0xbf801000, 0xbf800000},
                                                                {0xbf803000, 0xbf804000},
                                                                {0x7f7fefff, 0x7f7fe000},
                                                                {0x7f7ff000, 0x7f800000},
                                                                {0x7f800000, 0x7f800000},
                                                                {0x7f800001, 0x7fffe000},
                                                                {0x7fc00000, 0x7fffe000}}};
  // Neighbours are loaded together, elements two apart one by one.
  const size_t step = GENERATE(1, 2);
  std::vector<std::uint32_t> values(64 * step);
  for (size_t i = 0; i < kSeen.size(); ++i) values[i * step] = kSeen[i][0];
  const auto from = bench.upload(values), to = bench.alloc(64 * step * 4), seen = bench.alloc(1024);
  const auto map = [&](DevicePointer base) {
    const int row = static_cast<int>(8 * step);
    return bench.backend->encode({.type = DType::tf32,
                                  .dims = {row, 8},
                                  .strides_bytes = {row * 4},
                                  .box = {row, 8},
                                  .element_strides = {static_cast<int>(step), 1}},
                                 base);
  };
  bench.run(read_ptx("tma_narrow_box.ptx"), "tma_narrow_box", {1, 1, 1}, {32, 1, 1},
            ArgumentBlock().tensor_map(map(from)).tensor_map(map(to)).pointer(seen));
  const auto words = bench.download<std::uint32_t>(seen, kSeen.size());
  for (size_t i = 0; i < kSeen.size(); ++i) CHECK(words[i] == kSeen[i][1]);
}

namespace {

/// One product of zeros from shared memory; scale-d is `scale`.
std::string one_product(const std::string& scale) {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n"
         ".reg .b64 %rd<8>;\n.reg .f32 %f<8>;\n.shared .align 1024 .b8 sm[4096];\n"
         "mov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 32;\nmov.u32 %r3, sm;\n"
         "add.u32 %r3, %r3, %r2;\nst.shared.v4.u32 [%r3], {0, 0, 0, 0};\n"
         "st.shared.v4.u32 [%r3+16], {0, 0, 0, 0};\nfence.proxy.async;\nbar.sync 0;\n"
         "setp.lt.u32 %p1, %r1, 0;\nsetp.lt.u32 %p2, %r1, 999;\n"
         "mov.b64 %rd1, 68720001024;\nwgmma.fence.sync.aligned;\n"
         "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd1, %rd1, " +
         scale +
         ", 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
         "ld.param.u64 %rd2, [out];\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\n"
         "st.global.f32 [%rd2], %f0;\nret;\n}\n";
}

}  // namespace

TEST_CASE("accumulators that scale-d leaves out are not read", "[emulator][sm90][check]") {
  const auto report = [](const std::string& scale, Check check) {
    Bench bench(checked_with(check, Schedule::fixed));
    const auto out = bench.alloc(512);
    bench.run(one_product(scale), "k", {1, 1, 1}, {128, 1, 1}, ArgumentBlock().pointer(out));
    return bench.backend->take_report();
  };
  for (const std::string scale : {"0", "%p1"}) {
    INFO(to_string(report(scale, Check::full)));
    CHECK(report(scale, Check::full).clean());
  }
  for (const std::string scale : {"1", "%p2"}) {
    CHECK(finding_in(report(scale, Check::memory), "M3") != nullptr);
    CHECK(report(scale, Check::none).clean());
  }
}

namespace {

/// A product of 64 rows by 8 columns, of zeros that threads have put into shared memory where
/// `wrote` says so: two rows each, of half of the 16 k. B is A's rows from 32 on, or the first of
/// them. Those threads store their first sums that are among `stores`.
std::string product_of_some_rows(const std::string& wrote, const std::string& stores,
                                 bool b_is_behind) {
  return ".version 8.0\n.target sm_90a\n.address_size 64\n"
         ".visible .entry k(.param .u64 out)\n{\n.reg .pred %p<4>;\n.reg .b32 %r<8>;\n"
         ".reg .b64 %rd<8>;\n.reg .f32 %f<8>;\n.shared .align 1024 .b8 sm[4096];\n"
         "mov.u32 %r1, %tid.x;\nmul.lo.u32 %r2, %r1, 32;\nmov.u32 %r3, sm;\n"
         "add.u32 %r3, %r3, %r2;\nand.b32 %r4, %r1, 3;\n" +
         wrote +
         "@%p3 st.shared.v4.u32 [%r3], {0, 0, 0, 0};\n"
         "@%p3 st.shared.v4.u32 [%r3+16], {0, 0, 0, 0};\nfence.proxy.async;\nbar.sync 0;\n"
         "mov.b64 %rd1, 68720001024;\nmov.b64 %rd4, " +
         std::string(b_is_behind ? "68720001088" : "68720001024") +
         ";\nwgmma.fence.sync.aligned;\n"
         "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd1, %rd4, "
         "0, 1, 1, 0, 0;\n"
         "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%f0, %f1, %f2, %f3}, %rd1, %rd4, "
         "1, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
         "add.f32 %f0, %f0, 0f3F800000;\n"
         "ld.param.u64 %rd2, [out];\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\n" +
         stores + "@%p2 st.global.f32 [%rd2], %f0;\nret;\n}\n";
}

}  // namespace

TEST_CASE("what comes of rows that were never written may not be stored",
          "[emulator][sm90][check]") {
  const auto found = [](const std::string& text, Schedule schedule) {
    Bench bench(checked_with(Check::full, schedule));
    const auto out = bench.alloc(512);
    bench.run(text, "k", {1, 1, 1}, {128, 1, 1}, ArgumentBlock().pointer(out));
    const Report report = bench.backend->take_report();
    const Finding* const finding = finding_in(report, "M3");
    CHECK(report.findings.empty() == (finding == nullptr));
    return finding == nullptr ? std::string() : finding->message;
  };
  const std::string all = "setp.lt.u32 %p3, %r1, 999;\n", half = "setp.lt.u32 %p3, %r1, 32;\n",
                    some = "setp.ne.u32 %p3, %r1, 35;\n";
  const std::string by_all = "setp.lt.u32 %p2, %r1, 999;\n",
                    by_half = "setp.lt.u32 %p2, %r1, 64;\n",
                    by_behind = "setp.ge.u32 %p2, %r1, 64;\n",
                    by_columns = "setp.ne.u32 %p2, %r4, 3;\n";
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    CHECK(found(product_of_some_rows(all, by_all, true), schedule) == "");
    // Rows 32 to 63 of A, which are those of two warps.
    CHECK(found(product_of_some_rows(half, by_half, false), schedule) == "");
    CHECK(found(product_of_some_rows(half, by_behind, false), schedule) ==
          "a value is used that comes from a wgmma operand at shared offset 1024 that was never "
          "written");
    // Columns 6 and 7 of B; rows 38 and 39 of A lie there too.
    CHECK(found(product_of_some_rows(some, by_half + "and.pred %p2, %p2, %p2;\n", true),
                schedule) != "");
    CHECK(
        found(product_of_some_rows(some, by_columns + "setp.lt.and.u32 %p2, %r1, 64, %p2;\n", true),
              schedule) == "");
    CHECK(found(product_of_some_rows(some, by_columns, true), schedule) != "");
  }
}

TEST_CASE("a kernel without end is given up", "[emulator][deadlock]") {
  EmulatorOptions options;
  options.warp_instructions_per_block = 100000;
  Bench bench(options);
  bench.run(".version 8.0\n.target sm_80\n.address_size 64\n.entry k()\n{\nL: bra L;\n}\n", "k",
            {1, 1, 1}, {32, 1, 1}, ArgumentBlock());
  CHECK(finding_in(bench.backend->take_report(), "P12") != nullptr);
}
