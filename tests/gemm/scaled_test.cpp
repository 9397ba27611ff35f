// Operands that are converted before they are multiplied, by their exact values.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/grouped_cases.hpp"
#include "support/refusal.hpp"
#include "support/scaled_problem.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/promoted_sums.hpp>

using namespace jute;
using namespace jute::test;

namespace {

std::string failures_of_scaled(Context& context, int first, int count,
                               GemmCase (*case_of)(int) = scaled_case) {
  std::string failures;
  for (int index = first; index < first + count; ++index) {
    const GemmCase one = case_of(index);
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    if (!outcome.failures.empty())
      failures += std::to_string(index) + ": " + describe(one, outcome) + "\n";
  }
  return failures;
}

/// Of numbers of every kind.
void expect_right(Context& context, const char* problem, const char* config) {
  GemmCase one;
  one.problem = parse_problem(problem);
  one.config = parse_config(config);
  for (const Fill fill : {Fill::integers, Fill::normal, Fill::special}) {
    one.fill = fill;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(problem << " " << config << ": " << describe(one, outcome));
    CHECK(outcome.failures.empty());
  }
}

}  // namespace

TEST_CASE("random products of converted operands come out right", "[gemm][scaled][random]") {
  Context context(open_emulator(), with_kept_kernels());
  CHECK(failures_of_scaled(context, 0, draws(150)) == "");
}

TEST_CASE("elements that are converted on their way to shared memory come out right",
          "[gemm][scaled]") {
  Context context(open_emulator(), with_kept_kernels());
  constexpr std::array kProblems{
      "M=61 N=70 K=200 A=bf16 B=u4:col scale_b=f32:col:block1x40 zero_b=8",
      "M=45 N=33 K=264 A=f16 B=s8:col scale_b=f16:col:block1x128 D=f32",
      "M=70 N=61 K=104 A=e4m3 B=s4:col scale_a=f32:col:block1x104 staged=bf16 D=f32",
      "M=40 N=72 K=512 batch=3 A=bf16 B=u8:col scale_b=bf16:col:block1x64 "
      "zero_b=u8:col:block1x64:broadcast",
      "M=97 N=33 K=32 A=u4 B=bf16:col scale_a=bf16:block1x32 zero_a=7.5 D=bf16:col",
      "M=64 N=1 K=64 A=bf16 B=e2m1:col scale_b=ue8m0:col:block1x32",
      "M=50 N=40 K=0 A=bf16:ld8 B=s4:col:ld8",
      // One by pairs of bf16, the other by f32.
      "M=40 N=24 K=64 A=e2m1 B=e2m1:col scale_a=ue8m0 zero_b=2 staged=bf16 D=bf16",
  };
  for (const char* const problem : kProblems)
    for (const char* const config :
         {"main_loop=register_staged", "main_loop=register_staged split_k=2",
          "main_loop=multistage", "main_loop=multistage split_k=2"})
      expect_right(context, problem, config);
}

TEST_CASE("elements that threads ask for a k-tile ahead come out right", "[gemm][scaled]") {
  Context context(open_emulator(), with_kept_kernels());
  // Of several k-tiles, the last of which is short or has one vector; rows and columns that end
  // inside a tile; blocks of single rows, of some, and of all.
  constexpr std::array kProblems{
      "M=5 N=20 K=5152 A=bf16 B=u4:col scale_b=bf16:col:block1x32 zero_b=8",
      "M=16 N=35 K=4128 A=f16 B=s4:col scale_b=f16:col:block16x96 zero_b=u4:col:block1x32 D=f32",
      "M=19 N=7 K=3104 A=s8 B=bf16:col scale_a=f32:block1xall D=f32",
      "M=1 N=33 K=2064 batch=2 A=bf16 B=e4m3:col scale_b=bf16:col:block128x16",
      "M=3 N=24 K=8 A=u4 B=s4:col scale_a=bf16:block1x8 zero_a=7 staged=bf16 D=f32",
      "M=2 N=9 K=0 A=bf16:ld8 B=s4:col:ld8",
  };
  for (const char* const problem : kProblems) expect_right(context, problem, "main_loop=straight");
}

TEST_CASE("copies whose threads read words come out right", "[gemm][scaled]") {
  Context context(open_emulator(), with_kept_kernels());
  // Rows that end inside a word, a chunk, a warp's run; both operands; blocks along either way;
  // a matrix for all of a batch; orders in which numbers differ from element to element.
  constexpr std::array kProblems{
      "M=130 N=70 K=77 A=bf16 B=u4:col:ld80 scale_b=bf16:col:block1x32 zero_b=8",
      "M=130 N=41 K=1100 A=f16 B=s8:col:ld1104 scale_b=f16:col:block16x1100",
      "M=130 N=43 K=40 A=bf16 B=u4:row:ld48 scale_b=bf16:row:block1x5 zero_b=u4:block1x5",
      "M=130 N=48 K=24 batch=3 A=bf16 B=e4m3:row:broadcast scale_b=f32:row:block16x8:broadcast",
      "M=130 N=48 K=1048 A=s4 B=e2m1:col scale_a=bf16:block1x24 scale_b=ue8m0:col:block1x32",
      "M=130 N=90 K=64 A=e4m3 B=e4m3:col scale_b=f32:col:block1x4 staged=f16 D=f16",
  };
  for (const char* const problem : kProblems) {
    const char* const config = "main_loop=warp_specialised";
    const Plan plan = make_plan(completed(parse_problem(problem)), context.backend().device_info(),
                                parse_config(config));
    int by_words = 0;
    for (const Step& step : plan.steps)
      if (const auto* const moves = std::get_if<MoveStep>(&step))
        for (const Move& move : moves->moves)
          by_words += move.conversion && move.access_bytes >= 4 ? 1 : 0;
    INFO(problem);
    CHECK(by_words > 0);
    expect_right(context, problem, config);
  }
}

TEST_CASE("groups have the weights that each has for itself converted", "[gemm][scaled][groups]") {
  Context context(open_emulator(), with_kept_kernels());
  struct Grouped {
    const char* problem;
    std::vector<Index> ends;
  };
  const std::vector<Grouped> all{
      {"M=70 N=40 K=128 batch=4 A=bf16 B=s4:col scale_b=bf16:col:block1x32 groups=rows:i32",
       {0, 33, 34, 70}},
      {"M=90 N=72 K=264 batch=3 A=f16 B=u4:col scale_b=f32:col:block8x88 "
       "zero_b=u8:col:block1x88 D=f32 groups=rows:i64",
       {64, 64, 81}},
      {"M=17 N=33 K=64 batch=4 A=bf16 B=e4m3:col scale_b=f32:block1x64:broadcast "
       "groups=masked_rows:i32",
       {3, 0, 17, 5}},
      {"M=33 N=70 K=96 batch=3 A=s8 B=bf16:col scale_a=bf16:block1x32 groups=cols:i32",
       {20, 20, 70}},
  };
  for (const auto& [problem, ends] : all)
    for (const char* const config : {"", "main_loop=register_staged"}) {
      GemmCase one;
      one.problem = parse_problem(problem);
      one.config = parse_config(config);
      one.ends = ends;
      const CaseOutcome outcome = run_case(context, one, make_data(one));
      INFO(problem << " " << config << ": " << describe(one, outcome));
      CHECK(outcome.failures.empty());
    }
}

TEST_CASE("random products that are scaled as they are summed come out right",
          "[gemm][scaled][products][random]") {
  Context context(open_emulator(), with_kept_kernels());
  CHECK(failures_of_scaled(context, 0, draws(90), scaled_product_case) == "");
}

TEST_CASE("most random products of 8 bits are multiplied as they are", "[gemm][scaled][products]") {
  const DeviceInfo device = open_emulator()->device_info();
  int scaled = 0;
  for (int index = 0; index < 90; index += 3) {
    const Plan plan = make_plan(scaled_product_case(index).problem, device);
    scaled += gemm_step(plan).a.type == completed(scaled_product_case(index).problem).a.type;
    CHECK(check(plan).empty());
  }
  CHECK(scaled >= 20);
}

TEST_CASE("products of mma.sync are scaled as they are summed, one k-tile after the other",
          "[gemm][scaled][products]") {
  constexpr std::array kProblems{
      "M=70 N=136 K=384 A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 scale_b=f32:col:block128x128 "
      "D=f32",
      "M=1 N=200 K=400 A=e4m3 B=e4m3:col scale_a=f32:block1x128 scale_b=f32:col:block1x128 D=bf16",
      "M=33 N=61 K=208 A=e4m3 B=e5m2:col scale_b=ue8m0:col:block1x64 D=f16",
      "M=61 N=72 K=320 batch=3 A=e5m2 B=e4m3:col scale_a=bf16:block40x64 D=f32 "
      "epilogue=acc+bias[n]",
      "M=40 N=40 K=0 A=e4m3 B=e4m3:col scale_a=f32:block1x128 scale_b=f32:col:block128x128 D=f32",
      "M=19 N=24 K=333 A=e4m3 B=e4m3:col scale_a=f32:block1x128 scale_b=f32:col:block128x128 "
      "D=f32"};
  constexpr std::array kConfigs{"main_loop=register_staged",
                                "main_loop=register_staged split_k=2 tile=32x32x64",
                                "main_loop=multistage", "main_loop=multistage split_k=2"};
  for (const char* const preset : {"l40s", "rtx5090"}) {
    Context context(open_emulator({.device = device_preset(preset)}), with_kept_kernels());
    for (const std::string problem : kProblems)
      for (const std::string config : kConfigs) {
        // Rows of 333 bytes, and of none, are no cp.async's.
        const bool is_odd =
            problem.find("K=333") != std::string::npos || problem.find("K=0") != std::string::npos;
        if (is_odd && config.find("multistage") != std::string::npos) continue;
        const auto type = [&](const char* operand) {
          return problem.find(operand) != std::string::npos ? "E4M3" : "E5M2";
        };
        const std::string whole =
            config + " mma_atom=SM89_16x8x32_F32" + type("A=e4m3") + type("B=e4m3") + "F32_TN";
        const Plan plan = make_plan(completed(parse_problem(problem)), device_preset(preset),
                                    parse_config(whole));
        INFO(problem << " " << whole);
        CHECK(check(plan).empty());
        CHECK(gemm_step(plan).promote_every_k == gemm_step(plan).tile.k);
        expect_right(context, problem.c_str(), whole.c_str());
      }
  }
}

TEST_CASE("chips whose mma.sync has 8-bit floats multiply large products as they are",
          "[gemm][scaled][products][plan]") {
  const Problem problem =
      completed(parse_problem("M=256 N=4096 K=4096 A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 "
                              "scale_b=f32:col:block128x128 D=bf16"));
  const auto type_on = [&](const char* preset) {
    const Plan plan = make_plan(problem, device_preset(preset));
    CHECK(check(plan).empty());
    return gemm_step(plan).a.type;
  };
  CHECK(type_on("l40s") == DType::e4m3);
  CHECK(type_on("rtx5090") == DType::e4m3);
  CHECK(type_on("a100") == DType::bf16);
}

namespace {

/// A and B along K, with scales of sums.
GemmCase scaled_groups(int index) {
  const CaseTypes types{DType::e4m3, DType::e4m3, DType::bf16, DType::bf16, DType::f32};
  GemmCase one = grouped_case(types, index);
  Problem& problem = one.problem;
  problem.k = (problem.k / 16 + 1) * 16;
  problem.a = {.type = DType::e4m3, .order = Order::row};
  problem.b = {.type = DType::e4m3, .order = Order::col};
  problem.scale_a.scale = BlockValues{};
  problem.scale_b.scale = BlockValues{};
  problem.scale_a.scale->block = {1, index % 3 == 0 ? 0 : 128};
  problem.scale_b.scale->block = {index % 3 == 0 ? 1 : 128, index % 3 == 0 ? 0 : 128};
  problem.scale_b.scale->order = index % 3 == 0 ? Order::row : Order::col;
  problem.scale_a.scale->order = Order::col;
  return one;
}

}  // namespace

TEST_CASE("groups of scaled products come out right", "[gemm][scaled][products][groups]") {
  Context context(open_emulator(), with_kept_kernels());
  for (int index = 0; index < 40; ++index) {
    const GemmCase one = scaled_groups(index);
    if (one.problem.groups->kind == GroupKind::k) continue;
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    UNSCOPED_INFO(failure);
    CHECK(failure.empty());
  }
}

TEST_CASE("scales along all of K are the epilogue's, and keep its own inputs",
          "[gemm][scaled][products]") {
  Context context(open_emulator(), with_kept_kernels());
  for (const char* const words :
       {"epilogue=usual", "alpha=1 beta=0 D=bf16 C=bf16", "batch=2 D=bf16:col C=bf16:col",
        "epilogue=relu(acc*acc*w[m])+bias[n]"}) {
    GemmCase one;
    one.problem = parse_problem(
        "M=70 N=136 K=384 A=e4m3 B=e4m3:col scale_a=f32:col:block1xall scale_b=f32:row:block1xall" +
        (std::string(words) == "epilogue=usual" ? "" : " " + std::string(words)));
    const Plan plan = make_plan(one.problem, context.backend().device_info());
    INFO(to_string(gemm_step(plan).epilogue.expression));
    CHECK(gemm_step(plan).a.type == DType::e4m3);
    CHECK_FALSE(gemm_step(plan).a.scales);
    CHECK(check(plan).empty());
    const std::string failure = describe(one, run_case(context, one, make_data(one)));
    INFO(failure);
    CHECK(failure.empty());
  }
}

TEST_CASE("scaled sums are added instruction by instruction, as many at once as registers hold",
          "[gemm][scaled][products]") {
  Context context(open_emulator(), with_kept_kernels());
  const std::string problem =
      "A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 scale_b=f32:col:block128x128 D=f32 ";
  struct Row {
    const char *shape, *config;
    int columns;
  };
  for (const auto& [shape, config, columns] :
       {Row{"M=130 N=300 K=528", "tile=128x128x128", 128},
        Row{"M=70 N=264 K=256", "tile=64x256x128 cluster=1x1", 128},
        Row{"M=300 N=129 K=400", "tile=256x128x128", 128},
        Row{"M=300 N=129 K=400", "tile=256x128x128 mma_atom=SM90_64x64x32_F32E4M3E4M3_SS_TN", 64},
        Row{"M=130 N=150 K=384", "tile=128x96x128", 96},
        Row{"M=130 N=500 K=384", "tile=128x192x128", 192},
        Row{"M=60 N=150 K=384", "tile=64x96x128", 96},
        Row{"M=9 N=130 K=0", "tile=128x128x128", 128}}) {
    const std::string text = shape + (" " + problem);
    const GemmStep step = gemm_step(
        make_plan(parse_problem(text), context.backend().device_info(), parse_config(config)));
    INFO(text << config);
    CHECK(adds_by_instruction(step));
    CHECK(step.mma.atom().shape.n == columns);
    // A slot for each row of A, one for each 128 columns of B.
    CHECK(staged_scales(step, step.a) == step.tile.m);
    const int n = step.tile.n;
    CHECK(staged_scales(step, step.b) == (n % 128 == 0 ? n / 128 : (n + 126) / 128 + 1));
    expect_right(context, text.c_str(), config);
  }
}

TEST_CASE("scales lie in stages beside their tiles, of blocks of any size",
          "[gemm][scaled][products]") {
  Context context(open_emulator(), with_kept_kernels());
  struct Row {
    const char* problem;
    Index of_a, of_b;
  };
  for (const auto& [problem, of_a, of_b] :
       {Row{"scale_a=f32:col:block1x128 scale_b=f32:col:block1x128", 128, 128},
        Row{"scale_a=f32:block3x256 scale_b=f32:row:block128x384", 44, 1},
        Row{"scale_b=f32:col:block64x128 batch=2", 0, 2},
        Row{"scale_a=f32:col:blockallx128 scale_b=f32:col:block20x128:broadcast batch=3", 1, 8},
        // No copy of cp.async is so short.
        Row{"scale_a=bf16:col:block1x128 scale_b=f32:col:block128x128", 0, 0}}) {
    const std::string text = std::string("M=150 N=140 K=800 A=e4m3 B=e4m3:col D=bf16 ") + problem;
    INFO(text);
    const GemmStep step = gemm_step(make_plan(parse_problem(text), context.backend().device_info(),
                                              parse_config("tile=128x128x128")));
    CHECK(staged_scales(step, step.a) == of_a);
    CHECK(staged_scales(step, step.b) == of_b);
    expect_right(context, text.c_str(), "tile=128x128x128");
    const bool are_staged = of_a > 1;
    expect_right(context, text.c_str(),
                 are_staged ? "tile=128x128x128 split_k=2" : "tile=128x128x128 cluster=2x1");
  }
}

TEST_CASE("another scale of a sum's blocks than the kernel's is found",
          "[gemm][scaled][products]") {
  Context context(open_emulator(), with_kept_kernels());
  GemmCase one;
  one.problem = parse_problem(
      "M=70 N=136 K=384 A=e4m3 B=e4m3:col scale_a=f32:col:block1x128 scale_b=f32:col:block128x128 "
      "D=f32 alpha=1 beta=0");
  const CaseData data = make_data(one);
  for (std::vector<std::byte> CaseData::*part : {&CaseData::scale_a, &CaseData::scale_b}) {
    CaseData other = data;
    (other.*part)[7] ^= std::byte{0x40};
    CHECK_FALSE(run_case(context, one, other).failures.empty());
  }
}

TEST_CASE("another scale, zero point or element than the kernel's is found", "[gemm][scaled]") {
  Context context(open_emulator(), with_kept_kernels());
  GemmCase one;
  one.problem = parse_problem(
      "M=20 N=40 K=96 A=bf16 B=u4:col scale_b=f32:col:block1x32 zero_b=u8:col:block1x32 D=f32 "
      "alpha=1 beta=0");
  const CaseData data = make_data(one);
  REQUIRE(run_case(context, one, data).failures.empty());
  for (std::vector<std::byte> CaseData::*part :
       {&CaseData::scale_b, &CaseData::zero_b, &CaseData::b}) {
    CaseData other = data;
    (other.*part)[7] ^= std::byte{0x10};
    if (part == &CaseData::scale_b) (other.*part)[7] ^= std::byte{0x40};
    CHECK_FALSE(run_case(context, one, other).failures.empty());
  }
}

TEST_CASE("converted weights are packed once, and runs read what was left",
          "[gemm][scaled][pack]") {
  Context context(open_emulator(), with_kept_kernels());
  Backend& backend = context.backend();
  GemmCase one;
  one.problem = parse_problem("M=40 N=48 K=64 A=f16 B=s4:row scale_b=f16:block8x16 D=f32 beta=0");
  const CaseData data = make_data(one);
  const Gemm gemm = prepare(context, one.problem);
  const auto uploaded = [&](const std::vector<std::byte>& bytes) {
    Buffer buffer(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(buffer.pointer(), bytes);
    return buffer;
  };
  const Buffer a = uploaded(data.a), packed(backend, gemm.packed_bytes(TensorRole::b));
  REQUIRE(packed.size_bytes() > 0);
  {
    const Buffer b = uploaded(data.b), scale = uploaded(data.scale_b);
    gemm.pack(TensorRole::b, packed.pointer(), {.b = b.pointer(), .scale_b = scale.pointer()});
    backend.synchronize();
    CHECK(refusal_of([&] {
            gemm.pack(TensorRole::b, packed.pointer(), {.b = b.pointer()});
          }).operand == "scale_b");
  }
  const Buffer d(backend, operand_bytes(one.problem)[TensorRole::d]),
      workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  gemm.run({.a = a.pointer(),
            .d = d.pointer(),
            .workspace = workspace.pointer(),
            .packed_b = packed.pointer()});
  backend.synchronize();
  std::vector<std::byte> result(static_cast<size_t>(d.size_bytes()));
  backend.copy_out(result, d.pointer());
  CHECK(compare(one.problem, data.reference, result).ok);
}
