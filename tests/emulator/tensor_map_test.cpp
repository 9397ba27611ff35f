// Tensor maps that kernels make: tensormap.replace, tensormap.cp_fenceproxy and the fences around.

#include "emulator/run_ptx.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Makes the map of a tensor of 6 x 8 f32 in shared memory, beginning with zeros, publishes it in
/// global memory, and copies its box of 8 x 8 at (0, 0) through it.
const std::string kMakesMap = R"(.version 8.3
.target sm_90a
.address_size 64
.visible .entry made(.param .u64 map, .param .u64 from, .param .u64 to)
{
  .reg .pred %p<3>;
  .reg .b32 %r<8>;
  .reg .b64 %d<8>;
  .shared .align 128 .b8 box[256];
  .shared .align 128 .b8 draft[128];
  .shared .align 8 .b64 bar;
  ld.param.u64 %d1, [map];
  ld.param.u64 %d2, [from];
  ld.param.u64 %d3, [to];
  mov.u32 %r1, %tid.x;
  setp.eq.u32 %p1, %r1, 0;
  mov.u32 %r2, draft;
  shl.b32 %r3, %r1, 2;
  add.u32 %r3, %r2, %r3;
  st.shared.b32 [%r3], 0;
  bar.warp.sync -1;
  @%p1 tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%r2], %d2;
  @%p1 tensormap.replace.tile.rank.shared::cta.b1024.b32 [%r2], 1;
  @%p1 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r2], 0, BOX;
  @%p1 tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [%r2], 1, 8;
  mov.u32 %r4, 6;
  @%p1 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r2], 0, %r4;
  @%p1 tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%r2], 1, 8;
  mov.u64 %d4, 32;
  @%p1 tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r2], 0, %d4;
  @%p1 tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r2], 0, 1;
  @%p1 tensormap.replace.tile.element_stride.shared::cta.b1024.b32 [%r2], 1, 1;
  @%p1 tensormap.replace.tile.elemtype.shared::cta.b1024.b32 [%r2], 7;
  @%p1 tensormap.replace.tile.interleave_layout.shared::cta.b1024.b32 [%r2], 0;
  @%p1 tensormap.replace.tile.swizzle_mode.shared::cta.b1024.b32 [%r2], 0;
  @%p1 tensormap.replace.tile.fill_mode.shared::cta.b1024.b32 [%r2], 0;
  bar.warp.sync -1;
  tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%r2], 128;
  ACQUIRE
  @%p1 mbarrier.init.shared::cta.b64 [bar], 1;
  @%p1 fence.proxy.async.shared::cta;
  @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar], 256;
  @%p1 cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [box], [%d1, {0, 0}], [bar];
  bar.warp.sync -1;
again:
  mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;
  @!%p2 bra again;
  mov.u32 %r5, box;
  shl.b32 %r6, %r1, 3;
  add.u32 %r5, %r5, %r6;
  ld.shared.b64 %d5, [%r5];
  cvt.u64.u32 %d6, %r6;
  add.u64 %d3, %d3, %d6;
  st.global.b64 [%d3], %d5;
  ret;
}
)";

std::string with(std::string text, const std::string& hole, const std::string& filling) {
  return text.replace(text.find(hole), hole.size(), filling);
}

struct Made {
  Report report;
  std::vector<float> box;
};
Made make_and_copy(const std::string& ptx, Schedule schedule) {
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = schedule;
  options.seed = 3;
  Bench bench(options);
  std::vector<float> values(64);
  for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
  const auto map = bench.alloc(128), from = bench.upload(values), to = bench.alloc(256);
  bench.run(ptx, "made", {1, 1, 1}, {32, 1, 1},
            ArgumentBlock().pointer(map).pointer(from).pointer(to));
  Made result;
  result.box = bench.download<float>(to, 64);
  result.report = bench.backend->take_report();
  return result;
}
std::string codes(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) text += finding.code + ": " + finding.message;
  return text;
}

const std::string kAcquire = "fence.proxy.tensormap::generic.acquire.gpu [%d1], 128;";

}  // namespace

TEST_CASE("a tensor map that a kernel makes of zeros serves its bulk copies",
          "[emulator][sm90][tensor_map]") {
  const std::string ptx = with(with(kMakesMap, "BOX", "8"), "ACQUIRE", kAcquire);
  std::vector<float> expected(64);
  for (size_t row = 0; row < 8; ++row)
    for (size_t column = 0; column < 6; ++column)
      expected[row * 8 + column] = static_cast<float>(row * 8 + column + 1);
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    const Made made = make_and_copy(ptx, schedule);
    CHECK(codes(made.report) == "");
    CHECK(made.box == expected);
  }
}

TEST_CASE("a made tensor map that breaks a rule is named with the rule",
          "[emulator][sm90][tensor_map]") {
  const Made made =
      make_and_copy(with(with(kMakesMap, "BOX", "300"), "ACQUIRE", kAcquire), Schedule::fixed);
  CHECK(codes(made.report).find("as kernels have replaced its fields: box[0]") !=
        std::string::npos);
}

TEST_CASE("a made tensor map that is used without its acquire is named",
          "[emulator][sm90][tensor_map]") {
  const Made made =
      make_and_copy(with(with(kMakesMap, "BOX", "8"), "ACQUIRE", ""), Schedule::fixed);
  CHECK(codes(made.report).substr(0, 42) == "R3: a tensor map that a thread has written");
}

TEST_CASE("a made tensor map that is written again while a copy comes by it is named",
          "[emulator][sm90][tensor_map]") {
  const std::string ptx = with(with(kMakesMap, "BOX", "8"), "ACQUIRE", kAcquire);
  const std::string landed = "  mov.u32 %r5, box;\n", issued = "  bar.warp.sync -1;\nagain:\n";
  const std::string writes = "  @%p1 st.global.b32 [%d1+64], 0;\n";
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
    CHECK(codes(make_and_copy(with(ptx, landed, writes + landed), schedule).report) == "");
    CHECK(codes(make_and_copy(with(ptx, issued, writes + issued), schedule).report)
              .find("global memory is written while") != std::string::npos);
  }
}

TEST_CASE("a fetch of a box to L2 changes nothing, and keeps to what a load must",
          "[emulator][sm90][tensor_map]") {
  const auto fetched = [](const std::string& map, const std::string& at) {
    return make_and_copy(
        with(with(kMakesMap, "BOX", "8"), "ACQUIRE",
             kAcquire + "\n  @%p1 cp.async.bulk.prefetch.tensor.2d.L2.global.tile [" + map + ", {" +
                 at + "}];"),
        Schedule::fixed);
  };
  for (const std::string at : {"0, 0", "4, 3", "-4, -8", "400, 800"}) {
    const Made made = fetched("%d1", at);
    CHECK(codes(made.report) == "");
    CHECK(made.box[1] == 2);
  }
  CHECK(codes(fetched("%d1", "1, 0").report)
            .starts_with("P7: the innermost coordinate 1 is not a multiple of 16 bytes"));
  CHECK(codes(fetched("%d2", "0, 0").report).find("there is no tensor map of rank 2 at") !=
        std::string::npos);
}

TEST_CASE("tensormap.replace refuses numbers that no field has",
          "[emulator][tensor_map][refusal]") {
  const auto refusal = [](const std::string& from, const std::string& to) {
    const std::string ptx = with(with(with(kMakesMap, "BOX", "8"), "ACQUIRE", kAcquire), from, to);
    try {
      (void)make_and_copy(ptx, Schedule::fixed);
    } catch (const Exception& e) {
      return e.error().violated_rules.front();
    }
    return std::string();
  };
  CHECK(refusal("[%r2], 7;", "[%r2], 13;") == "the emulator needs elemtype from 0 to 12");
  CHECK(refusal("global_stride.shared::cta.b1024.b64 [%r2], 0",
                "global_stride.shared::cta.b1024.b64 [%r2], 4") == "the ordinal must lie in 0..3");
  CHECK(refusal("interleave_layout.shared::cta.b1024.b32 [%r2], 0",
                "interleave_layout.shared::cta.b1024.b32 [%r2], 1") ==
        "the emulator needs interleave_layout from 0 to 0");
}
