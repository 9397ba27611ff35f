// Groups with operands and extents of their own, of which only the device's list says where they
// are.
#include <jute/emulator/emulator.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <set>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/each_cases.hpp"
#include "support/gemm_families.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("groups with operands of their own come out right and touch nothing else",
          "[gemm][groups][each]") {
  const int cases_of_type = draws(10);
  std::set<MainLoop> main_loops;
  for (const TypeFamily& family : kTypeFamilies) {
    EmulatorOptions options;
    options.check = Check::full;
    Context context(open_emulator(options), with_kept_kernels());
    for (int index = 0; index < cases_of_type; ++index) {
      const EachCase one = each_case(family.types, index);
      INFO(family.name << ", case " << index << ": " << to_string(one.problem));
      EachRun run(context, one.problem, one.groups);
      main_loops.insert(gemm_step(run.gemm.plan()).schedule.main_loop);
      run.run(one.alpha, one.beta);
      CHECK(run.failures() == "");
    }
  }
  CHECK(main_loops ==
        std::set{MainLoop::register_staged, MainLoop::multistage, MainLoop::warp_specialised});
}

namespace {

constexpr const char* kFourOfTheirOwn =
    "M=70 N=50 K=40 batch=4 A=bf16:row B=bf16:col D=bf16:row alpha=1 beta=0 groups=each";

std::vector<GemmCase> four_groups() {
  std::vector<GemmCase> groups;
  for (const auto& [m, n, k] : {std::tuple{70, 50, 40}, {0, 50, 8}, {33, 1, 16}, {7, 48, 0}}) {
    GemmCase one;
    one.problem = parse_problem(kFourOfTheirOwn);
    one.problem.groups.reset();
    one.problem.batch = 1;
    one.problem.m = m, one.problem.n = n, one.problem.k = k;
    one.problem.a.ld_elems = one.problem.b.ld_elems = 40;
    one.problem.c.ld_elems = one.problem.d.ld_elems = 56;
    one.seed = static_cast<std::uint64_t>(m);
    groups.push_back(one);
  }
  return groups;
}

}  // namespace

TEST_CASE("a wrong entry of groups of their own computes nothing and is named",
          "[gemm][groups][each][refusal]") {
  struct WrongEntry {
    const char* what;
    Index entry;
    void (*spoil)(std::vector<ScaledGroup>&);
  };
  const WrongEntry all[] = {
      {"M past the bound", 0, [](auto& list) { list[0].m = 71; }},
      {"N past the bound", 1, [](auto& list) { list[1].n = 51; }},
      {"K past the bound", 3, [](auto& list) { list[3].k = 41; }},
      {"K negative", 2, [](auto& list) { list[2].k = -1; }},
      {"M negative", 3, [](auto& list) { list[3].m = -7; }},
      {"N largest", 1, [](auto& list) { list[1].n = 0x7fffffff; }},
      {"A begins between", 0, [](auto& list) { list[0].a += 2; }},
      {"B begins between", 2, [](auto& list) { list[2].b += 8; }},
      {"D begins between", 3, [](auto& list) { list[3].d += 2; }},
      {"rows of A begin between", 2, [](auto& list) { list[2].lda = 41; }},
      {"columns of B begin between", 2, [](auto& list) { list[2].ldb = 44; }},
      {"rows of D begin between", 0, [](auto& list) { list[0].ldd = 57; }},
      {"two, of which one is first", 1, [](auto& list) { list[3].m = 71, list[1].m = -1; }},
  };
  Context context(open_emulator(), with_kept_kernels());
  EachRun run(context, parse_problem(kFourOfTheirOwn), four_groups());
  const std::vector<ScaledGroup> right = run.list;
  for (const WrongEntry& wrong : all) {
    INFO(wrong.what);
    run.list = right;
    wrong.spoil(run.list);
    run.run();
    for (const OwnGroup& group : run.groups) CHECK(group.d.now(context.backend()) == group.d.image);
    CHECK(run.fault() == wrong.entry);
    run.gemm.clear_workspace(run.workspace.pointer());
    CHECK_FALSE(run.fault().has_value());
  }
  run.list = right;
  run.run();
  CHECK_FALSE(run.fault().has_value());
  for (const OwnGroup& group : run.groups)
    CHECK(group.failure(context.backend(), run.roundoff()) == "");
}

TEST_CASE("a group's bits do not depend on the others", "[gemm][groups][each][promise]") {
  Context context(open_emulator(), with_kept_kernels());
  EachRun run(context, parse_problem(kFourOfTheirOwn), four_groups());
  run.run();
  const std::vector<std::byte> together = run.groups[0].d.now(context.backend());
  EachRun other(context, parse_problem(kFourOfTheirOwn), four_groups());
  std::rotate(other.list.begin(), other.list.begin() + 1, other.list.end());
  other.list[0] = other.list[1] = other.list[2] = {};
  other.run();
  CHECK(other.groups[0].d.now(context.backend()) == together);
  CHECK(other.groups[2].d.now(context.backend()) == other.groups[2].d.image);
}

TEST_CASE("what groups of their own do not have is refused", "[gemm][groups][each][refusal]") {
  const auto refusal = [](std::string_view rest) {
    try {
      (void)make_plan(parse_problem("M=70 N=50 K=40 batch=4 A=bf16:row B=bf16:col D=bf16:row "
                                    "groups=each " +
                                    std::string(rest)),
                      open_emulator()->device_info());
    } catch (const Exception& exception) {
      return exception.error().operand;
    }
    return std::string();
  };
  CHECK(refusal("") == "");
  CHECK(refusal("epilogue=\"silu(gate)*acc\"") == "groups");
  CHECK(refusal("epilogue=\"sum=row_sum(acc)\"") != "");
  const Problem problem = completed(parse_problem(kFourOfTheirOwn));
  CHECK(to_string(completed(parse_problem(to_string(problem)))) == to_string(problem));
  CHECK_THROWS_AS(reference_gemm(problem, {}, 1, 0, 0), Exception);
}
