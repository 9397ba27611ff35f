// Converted operands of groups that have operands of their own, and of groups that cut K.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <array>
#include <set>
#include <string>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/each_cases.hpp"
#include "support/scaled_problem.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("random converted operands of groups of their own come out right",
          "[gemm][scaled][groups][each][random]") {
  EmulatorOptions options{.device = device_preset("h200")};
  options.check = Check::full;
  Context context(open_emulator(options), with_kept_kernels());
  std::string wrong;
  const int count = draws(40);
  for (int index = 0; index < count; ++index) {
    const EachCase one = scaled_each_case(index);
    EachRun run(context, one.problem, one.groups);
    run.run(one.alpha, one.beta);
    if (const std::string failure = run.failures(); !failure.empty())
      wrong += std::to_string(index) + ", " + to_string(run.problem) + ": " + failure;
  }
  CHECK(wrong == "");
}

TEST_CASE("parts of K convert every stored type, whatever their blocks and bytes",
          "[gemm][scaled][groups][table]") {
  std::string wrong;
  for (const char* const chip : {"h200", "a100"}) {
    Context context(open_emulator({.device = device_preset(chip)}), with_kept_kernels());
    struct Row {
      const char *a, *b;
    };
    for (const auto& [a, b] :
         {Row{"A=bf16:col", "B=s4:col scale_b=bf16:block1x32"},
          Row{"A=bf16", "B=u4:col zero_b=8 scale_b=f32:col:block1x24"},
          Row{"A=f16:col", "B=s8:row scale_b=f16:block16x64"},
          Row{"A=e4m3 scale_a=f32:block1x40", "B=e5m2 scale_b=f32:block1xall"},
          Row{"A=s8:col", "B=s4:col"}, Row{"A=f32:col", "B=f32:row staged=bf16"},
          Row{"A=u8 zero_a=u8:block1x16", "B=e2m1:col scale_b=ue8m0:block1x32"}})
      for (const std::vector<Index>& ends :
           {std::vector<Index>{1, 34, 34, 97}, {0, 0, 100, 100}, {25, 50, 75, 100}}) {
        GemmCase one;
        one.problem = parse_problem(std::string("M=40 N=33 K=100 batch=4 groups=k ") + a + " " + b +
                                    " D=" + (std::string(a).find("s8:") == 2 ? "s32" : "f32"));
        one.ends = ends;
        one.fill = Fill::integers;
        const std::string failure = describe(one, run_case(context, one, make_data(one)));
        if (!failure.empty())
          wrong += std::string(chip) + " " + a + " " + b + ": " + failure + "\n";
      }
  }
  CHECK(wrong == "");
}

TEST_CASE("whole numbers of 8 and 4 bits are multiplied as s8 in groups, unasked",
          "[gemm][scaled][groups]") {
  for (const char* const kind : {"rows", "cols", "masked_rows", "k", "each"}) {
    INFO(kind);
    const Plan plan = make_plan(
        completed(parse_problem(
            std::string("M=70 N=40 K=128 batch=4 A=s8 B=s4:col D=s32 alpha=1 beta=0 groups=") +
            kind)),
        device_preset("h200"));
    CHECK(plan.problem.staged == DType::s8);
    CHECK(gemm_step(plan).a.type == DType::s8);
    CHECK(gemm_step(plan).accumulate == DType::s32);
  }
}

namespace {

constexpr const char* kScaledOfTheirOwn =
    "M=70 N=50 K=40 batch=4 A=bf16:row B=s4:col scale_b=f32:col:block1x16 zero_b=s8:col:block1x16 "
    "D=bf16:row alpha=1 beta=0 groups=each";

std::vector<GemmCase> four_scaled() {
  std::vector<GemmCase> groups;
  for (const auto& [m, n, k] : {std::tuple{70, 50, 40}, {0, 50, 8}, {33, 1, 17}, {7, 48, 0}}) {
    GemmCase one;
    one.problem = parse_problem(kScaledOfTheirOwn);
    one.problem.groups.reset();
    one.problem.batch = 1;
    one.problem.m = m, one.problem.n = n, one.problem.k = k;
    one.problem.a.ld_elems = 40, one.problem.b.ld_elems = 64;
    one.problem.c.ld_elems = one.problem.d.ld_elems = 56;
    one.seed = static_cast<std::uint64_t>(m);
    groups.push_back(one);
  }
  return groups;
}

}  // namespace

TEST_CASE("a wrong entry of scaled groups of their own computes nothing and is named",
          "[gemm][scaled][groups][each][refusal]") {
  struct WrongScaled {
    const char* what;
    Index entry;
    void (*spoil)(std::vector<ScaledGroup>&);
  };
  const WrongScaled all[] = {
      {"M past the bound", 0, [](auto& list) { list[0].m = 71; }},
      {"K past the bound", 3, [](auto& list) { list[3].k = 41; }},
      {"K negative", 2, [](auto& list) { list[2].k = -1; }},
      {"A begins between", 0, [](auto& list) { list[0].a += 2; }},
      {"B begins between", 2, [](auto& list) { list[2].b += 8; }},
      {"columns of B begin between", 2, [](auto& list) { list[2].ldb = 48; }},
      {"scales begin between", 2, [](auto& list) { list[2].scale_b += 2; }},
      {"rows of D begin between", 0, [](auto& list) { list[0].ldd = 57; }},
      {"two, of which one is first", 1, [](auto& list) { list[3].m = 71, list[1].m = -1; }},
  };
  Context context(open_emulator({.device = device_preset("h200")}), with_kept_kernels());
  EachRun run(context, parse_problem(kScaledOfTheirOwn), four_scaled());
  const std::vector<ScaledGroup> right = run.list;
  for (const WrongScaled& wrong : all) {
    INFO(wrong.what);
    run.list = right;
    wrong.spoil(run.list);
    run.run();
    for (const OwnGroup& group : run.groups) CHECK(group.d.now(context.backend()) == group.d.image);
    CHECK(run.fault() == wrong.entry);
    run.gemm.clear_workspace(run.workspace.pointer());
  }
  run.list = right;
  run.run();
  CHECK(run.failures() == "");
  // Another group's scales are another product.
  run.list[2].scale_b = right[0].scale_b;
  run.run();
  CHECK(run.groups[2].failure(context.backend(), run.roundoff()) != "");
}

TEST_CASE("entries of groups of their own have numbers where the problem has",
          "[gemm][scaled][groups][each]") {
  const Problem scaled = completed(parse_problem(kScaledOfTheirOwn));
  CHECK(scaled.groups->entry == GroupEntry::scaled);
  CHECK(entry_bytes(*scaled.groups) == sizeof(ScaledGroup));
  CHECK(to_string(completed(parse_problem(to_string(scaled)))) == to_string(scaled));
  const Problem offset = completed(
      parse_problem("M=70 N=50 K=40 batch=4 A=bf16 B=u4:col zero_b=8 D=bf16 groups=each"));
  CHECK(entry_bytes(*offset.groups) == sizeof(EachGroup));
  CHECK_THROWS_AS(completed(parse_problem("M=70 N=50 K=40 batch=4 A=bf16 B=bf16 D=bf16 "
                                          "groups=each:scaled")),
                  Exception);
  CHECK_THROWS_AS(completed(parse_problem("M=70 N=50 K=40 batch=4 A=bf16 B=s4:col "
                                          "scale_b=f32:block1x8 D=bf16 groups=rows:scaled")),
                  Exception);
}
