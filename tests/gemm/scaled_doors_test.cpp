// Scaled operands and quantised outputs where kernels are kept, on disk and as what was measured,
// and what memory they ask for.
#include "gemm/recording_backend.hpp"
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/temporary_folder.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/jit/tuned_file.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/problem_class.hpp>
#include <jute/plan/choose/considered.hpp>

using namespace jute;
using namespace jute::test;

TEST_CASE("scaled operands and quantised outputs come from the disk cache",
          "[gemm][cache][scaled]") {
  struct Row {
    const char *problem, *chip = "h200", *config = "";
    int kernels = 1;
  };
  for (const auto& [problem, chip, config, kernels] :
       {Row{"M=40 N=136 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=8 D=bf16"},
        Row{"M=70 N=136 K=256 A=e4m3 B=e4m3:col scale_a=f32:block1x128 "
            "scale_b=f32:col:block128x128 D=f32",
            "l40s", "main_loop=multistage mma_atom=SM89_16x8x32_F32E4M3E4M3F32_TN"},
        Row{"M=48 N=128 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"y := acc; s := "
            "amax[1,128](y)/448; "
            "d = y/s; scale_d = s\""},
        Row{"M=48 N=128 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"y := acc; s := amax[1,n](y)/448; "
            "d = y/s; scale_d = s\"",
            "h200", "", 2},
        Row{"M=48 N=72 K=100 batch=3 groups=k A=bf16 B=s4:col scale_b=bf16:block1x32 D=f32", "h200",
            "", 2},
        Row{"M=48 N=72 K=100 batch=3 groups=each A=bf16 B=s4:col scale_b=bf16:block1x32 D=f32",
            "h200", "", 2},
        Row{"M=48 N=128 K=64 A=bf16 B=bf16:col D=e4m3 epilogue=\"e4m3(acc, seed)\""}}) {
    const TemporaryFolder folder;
    const auto prepared_again = [&](bool is_cached) {
      Context context(open_emulator({.device = device_preset(chip)}),
                      with_cache_in(folder.file("cache")));
      (void)prepare(context, parse_problem(problem), parse_config(config));
      CHECK(context.compile_count() == (is_cached ? 0 : kernels));
    };
    INFO(problem);
    prepared_again(false);
    prepared_again(true);
  }
}

TEST_CASE("what was measured of scaled operands is kept for their likes alone",
          "[gemm][tuned][scaled]") {
  struct Pair {
    const char *measured, *other;
  };
  const DeviceInfo device = device_preset("h200");
  for (const auto& [text, other] :
       {Pair{"M=64 N=8192 K=8192 A=bf16 B=u4:col scale_b=bf16:col:block1x128 zero_b=8 D=bf16",
             "M=64 N=8192 K=8192 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=8 D=bf16"},
        Pair{"M=512 N=512 K=512 A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 "
             "scale_b=f32:col:block128x128 D=bf16",
             "M=512 N=512 K=512 A=e4m3 B=e4m3:col scale_a=f32:block1x128 "
             "scale_b=f32:col:block128x128 D=bf16"}}) {
    INFO(text);
    const Problem problem = completed(parse_problem(text)),
                  unlike = completed(parse_problem(other));
    REQUIRE(problem_class(problem) != problem_class(unlike));
    const Config second = considered(problem, device)[1].config;
    const Plan best = make_plan(problem, device, second);
    REQUIRE(best != make_plan(problem, device));
    const TemporaryFolder folder;
    const ContextOptions options = with_tuning_in(folder.file("cache"));
    TunedFile(options.settings, device).keep(problem_class(problem), to_string(second));
    Context context(std::make_unique<RecordingBackend>(), options);
    CHECK(prepare(context, problem).plan() == best);
    CHECK(prepare(context, unlike).plan() == make_plan(unlike, device));
  }
}

TEST_CASE("memory of operands and of their numbers is asked for in bits", "[gemm][scaled]") {
  using enum DType;
  constexpr Index kN = 7, kK = 33, kLd = 37, kBlocks = 7;  // of 5 along K
  const auto bytes_of = [](DType type, Index elements) {
    return (elements * width_bits(type) + 7) / 8;
  };
  for (const DType type : {s4, u4, e2m1, s8, u8, e4m3, e5m2, bf16})
    for (const DType zero : {u4, s4, u8, f16}) {
      const std::string words = std::string("M=3 N=7 K=33 A=f16 B=") + std::string(name(type));
      const OperandBytes lies = operand_bytes(parse_problem(words + ":col:ld37 staged=f16 D=f16"));
      CHECK(lies[TensorRole::b] == bytes_of(type, (kN - 1) * kLd + kK));
      CHECK(lies[TensorRole::a] == 2 * 3 * kK);
      const OperandBytes with =
          operand_bytes(parse_problem(words + " scale_b=e4m3:block1x5 staged=f16 D=f16 zero_b=" +
                                      std::string(name(zero)) + ":col:block1x5"));
      INFO(words << " " << name(zero));
      CHECK(with[TensorRole::b] == bytes_of(type, kN * kK));
      CHECK(with[TensorRole::scale_b] == kN * kBlocks);
      CHECK(with[TensorRole::zero_b] == bytes_of(zero, kN * kBlocks));
    }
}
