// Views that TMA moves where they lie, on the emulator with every check.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/moved_views.hpp"
#include "support/viewed_cases.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>

#include <string>
#include <vector>

using namespace jute;
using namespace jute::test;

namespace {

constexpr std::uint64_t kSeed = 5;

GemmCase boxed_case(const std::string& text, const Config& config) {
  GemmCase one{.problem = parse_problem(text), .config = config};
  one.seed = kSeed;
  return one;
}

/// Texts of problems, and how many of A, B and D travel as boxes of their Views.
struct Case {
  const char* text;
  int boxed;
  Config config{.main_loop = MainLoop::warp_specialised};
};
Config with(Config config, auto change) {
  config.main_loop = MainLoop::warp_specialised;
  change(config);
  return config;
}

std::vector<Case> cases() {
  const auto by_mma = with({}, [](Config& it) { it.mma_atom = "SM80_16x8x16_F32BF16BF16F32_TN"; });
  const auto clusters = with({}, [](Config& it) {
    it.cluster = ClusterShape{2, 1};
    it.tile = TileShape{64, 64, 64};
  });
  const auto upright = with({}, [](Config& it) { it.swapped = false; });
  return {
      // Blocks of rows, and every third row.
      {"M=128 N=64 K=128 A=bf16:view[((64,2),128):((128,32768),1)] B=bf16:col D=bf16:row", 1},
      {"M=128 N=64 K=128 A=bf16:view[((64,2),128):((128,32768),1)] B=bf16:col D=bf16:row", 1,
       by_mma},
      {"M=128 N=128 K=128 A=bf16:view[((16,8),128):((128,32768),1)] "
       "B=bf16:view[((64,2),128):((128,24576),1)] D=bf16:row",
       2, clusters},
      // K in modes of its own, of which the last k-tile reaches past the end.
      {"M=72 N=64 K=264 A=f16:view[(72,(88,3)):(272,(1,65536))] "
       "B=f16:view[(64,(8,33)):(8,(1,2048))] D=f16:row",
       2},
      // Along M, in blocks.
      {"M=128 N=64 K=96 A=bf16:view[((64,2),96):((1,16384),64)] B=bf16:col D=bf16:row", 1},
      // Batches that lie between rows, and a broadcast of all.
      {"M=64 N=64 K=64 batch=3 A=bf16:view[(64,64,3):(192,1,64)] B=bf16:view[((32,2),64):((64,"
       "8192),1)] D=bf16:row",
       1},
      // A convolution: padding, then steps of two as well; k-tiles that end inside taps.
      {"M=144 N=64 K=288 A=bf16:view[((16,9),(32,3,3)):((1@1,1@2),(1@0,1@1,1@2));"
       "box=(32,16,9):(1,32,512);origin=(0,-1,-1);outside=zero] B=bf16:col D=bf16:row",
       1},
      {"M=72 N=64 K=288 A=bf16:view[((8,9),(32,3,3)):((2@1,1@2),(1@0,1@1,1@2));"
       "box=(32,16,9):(1,32,512);origin=(0,-1,-1);outside=zero] B=bf16:col D=bf16:row",
       1},
      // D in blocks of rows, of columns, along M, and with rows left over.
      {"M=128 N=64 K=64 A=bf16:row B=bf16:col D=bf16:view[((32,4),64):((64,8192),1)]", 1},
      {"M=128 N=128 K=64 A=bf16:row B=bf16:col D=bf16:view[((32,4),(64,2)):((64,8192),(1,32768))]",
       1},
      {"M=128 N=64 K=64 A=bf16:row B=bf16:col D=bf16:view[((16,8),64):((1,4096),16)]", 1},
      {"M=100 N=72 K=64 A=f16:row B=f16:col D=f16:view[((20,5),72):((128,4096),1)]", 1, upright},
      {"M=120 N=72 K=64 A=f16:view[((24,5),64):((64,4096),1)] B=f16:col "
       "D=f16:view[((24,5),72):((128,4096),1)] epilogue=\"relu(acc + bias[n])\"",
       2},
      // C as D lies, in other blocks than D, as rows beside a D in blocks, batches between rows,
      // and
      // along M.
      {"M=128 N=64 K=64 A=bf16:row B=bf16:col C=bf16:view[((32,4),64):((64,8192),1)] "
       "D=bf16:view[((32,4),64):((64,8192),1)]",
       2},
      {"M=128 N=64 K=64 A=bf16:row B=bf16:col C=bf16:view[((16,8),64):((128,4096),1)] D=bf16:row",
       1},
      {"M=128 N=128 K=64 A=bf16:row B=bf16:col C=bf16:view[((32,4),(32,4)):((32,4096),(1,16384))] "
       "D=bf16:view[((32,4),(64,2)):((64,8192),(1,32768))]",
       2},
      {"M=128 N=64 K=64 A=bf16:row B=bf16:col C=bf16:row D=bf16:view[((32,4),64):((64,8192),1)]",
       1},
      {"M=64 N=64 K=64 batch=3 A=bf16:row B=bf16:col C=bf16:view[(64,64,3):(192,1,64)] D=bf16:row",
       0},
      {"M=128 N=64 K=64 A=bf16:row B=bf16:col C=bf16:view[((16,8),64):((1,4096),16)] "
       "D=bf16:view[((16,8),64):((1,4096),16)]",
       2},
      {"M=100 N=72 K=64 A=f16:row B=f16:col C=f16:view[((20,5),72):((128,4096),1)] "
       "D=f16:view[((20,5),72):((128,4096),1)]",
       2, upright},
  };
}

}  // namespace

TEST_CASE("what TMA brings and stores as boxes of Views comes out right", "[gemm][view][tma]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const Case& one : cases()) {
    INFO(one.text);
    const GemmCase gemm_case = boxed_case(one.text, one.config);
    const Plan plan = make_plan(gemm_case.problem, device_preset("h200"), one.config);
    CHECK(check(plan).empty());
    CHECK_FALSE(packs(plan));
    CHECK(moved_by_maps(plan) == one.boxed);
    const std::string failure =
        describe(gemm_case, run_case(context, gemm_case, make_data(gemm_case)));
    INFO(failure);
    CHECK(failure.empty());
  }
}

TEST_CASE("tiles are whole runs of a View's rows; what would come in boxes of a few is packed",
          "[gemm][view][tma]") {
  const auto plan_of = [](Index run) {
    const std::string rows = "(" + std::to_string(run) + ",448)";
    return make_plan(boxed_case("M=" + std::to_string(448 * run) + " N=512 K=64 A=bf16:view[(" +
                                    rows + ",64):((64,4096),1)] B=bf16:col D=bf16:row",
                                {})
                         .problem,
                     device_preset("h200"));
  };
  for (const Index run : {14, 28, 56}) {
    const Plan plan = plan_of(run);
    const GemmStep& step = gemm_step(plan);
    CHECK(moved_by_maps(plan) == 1);
    CHECK((step.transposed ? step.tile.n : step.tile.m) % run == 0);
  }
  CHECK(moved_by_maps(plan_of(37)) == 0);  // no tile has 37 rows a whole number of times
}

TEST_CASE("a kernel of boxes runs for fewer rows than its View has", "[gemm][view][tma]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const Index m : {1, 19, 48, 61, 120}) {
    GemmCase one = boxed_case(
        "M=120 N=72 K=64 A=f16:view[((24,5),64):((64,4096),1)] B=f16:col "
        "D=f16:view[((24,5),72):((128,4096),1)]",
        with({}, [](Config& it) { it.swapped = false; }));
    one.problem.m_range = MRange{1, 120};
    one.problem.m = m;
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
}

TEST_CASE("products of random Views that TMA moves come out right", "[gemm][view][tma][random]") {
  constexpr int kCases = 24, kLeastBoxed = 12;
  Context context(open_emulator(), with_kept_kernels());
  int boxed = 0;
  for (int index = 0; index < kCases; ++index) {
    const GemmCase one = boxed_view_case(index);
    boxed += moved_by_maps(make_plan(one.problem, device_preset("h200"), one.config)) > 0 ? 1 : 0;
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
  CHECK(boxed >= kLeastBoxed);
}
