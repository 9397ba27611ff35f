// Groups of a problem: text, what follows from them, and what is refused.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/planned_values.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;

namespace {

constexpr std::string_view kUsual = "M=512 N=256 K=128 batch=8 A=bf16:row B=bf16:col D=bf16:row ";

Problem problem_with(std::string_view rest) {
  return parse_problem(std::string(kUsual) + std::string(rest));
}

Error refusal_with(std::string_view rest, std::string_view config = "") {
  return test::refusal_of(
      [&] { (void)make_plan(problem_with(rest), device_preset("h200"), parse_config(config)); });
}

}  // namespace

TEST_CASE("groups are read as they print", "[plan][groups]") {
  for (const char* const text :
       {"rows:i32:expected0", "cols:i64:expected7", "masked_rows:i32:expected1", "k:i64:expected9",
        "rows:i64:by_row:expected3"})
    CHECK(to_string(parse_groups(text)) == text);
  CHECK(to_string(parse_groups("each:expected5")) == "each:expected5");
  CHECK(parse_groups("rows") == Groups{});
  CHECK(parse_groups("k:expected12:i64") ==
        Groups{.kind = GroupKind::k, .index = GroupIndex::i64, .expected = 12});
  CHECK(parse_groups("rows:by_row").entry == GroupEntry::row);
  const Problem by_row = completed(problem_with("groups=rows:by_row"));
  CHECK(parse_problem(to_string(by_row)) == by_row);
  CHECK(by_row != completed(problem_with("groups=rows")));
  const Problem whole = completed(problem_with("groups=rows:i64"));
  CHECK(parse_problem(to_string(whole)) == whole);
  CHECK(completed(whole) == whole);
}

TEST_CASE("text that is no groups is refused with what is nearest", "[plan][groups][refusal]") {
  CHECK(test::refusal_of([] { (void)parse_groups("row"); }).nearest_legal == "rows");
  CHECK(test::refusal_of([] { (void)parse_groups("rows:i16"); }).code == ErrorCode::syntax);
  CHECK(test::refusal_of([] { (void)parse_groups("rows:expected"); }).code == ErrorCode::syntax);
  CHECK(test::refusal_of([] { (void)parse_groups(""); }).code == ErrorCode::unknown_name);
}

TEST_CASE("rows that say their groups lie together, and the first that does not is told",
          "[plan][groups]") {
  using Rows = std::vector<GroupRows>;
  const auto read = [](std::vector<Index> list) { return row_groups(list, 3); };
  CHECK(read({2, 2, -1, 0}).parts == Rows{{3, 4}, {}, {0, 2}});
  CHECK_FALSE(read({2, 2, -1, 0}).fault.has_value());
  CHECK(read({}).parts == Rows(3));
  CHECK(read({0, 1, 0}).fault == 2);
  CHECK(read({-1, 1, -1, 1}).fault == 3);
  CHECK(read({1, 3, 4}).fault == 1);
  CHECK(read({-2}).fault == 0);
}

TEST_CASE("what groups cut is one matrix for all of them, what they do not one for each",
          "[plan][groups]") {
  struct Row {
    const char* kind;
    bool a, b, d;
    Index expected;
  };
  for (const auto& [kind, a, b, d, expected] :
       {Row{"rows", true, false, true, 64}, Row{"cols", false, true, true, 32},
        Row{"masked_rows", false, false, false, 512}, Row{"k", true, true, false, 16},
        Row{"each", false, false, false, 512}}) {
    INFO(kind);
    const Problem whole = completed(problem_with("groups=" + std::string(kind)));
    CHECK(whole.a.broadcast == a);
    CHECK(whole.b.broadcast == b);
    CHECK(whole.d.broadcast == d);
    CHECK(whole.groups->expected == expected);
  }
}

TEST_CASE("what groups do not have is refused by name", "[plan][groups][refusal]") {
  CHECK(refusal_with("groups=rows m_range=1:512").operand == "m_range");
  CHECK(refusal_with("groups=rows:expected-1").code == ErrorCode::illegal_problem);
  CHECK(refusal_with("groups=rows epilogue=\"d = acc; s = sum(acc)\"").operand == "s");
  const Error by_row = refusal_with("groups=cols:by_row");
  CHECK(by_row.operand == "groups");
  CHECK(by_row.nearest_legal == "rows:by_row");
  CHECK(refusal_with("groups=rows", "cluster=2x1").operand == "cluster");
  CHECK(refusal_with("groups=rows", "split_k=2 ping_pong=1").operand == "split_k");
  CHECK(refusal_with("groups=rows", "first_stages=by_initialiser").operand == "first_stages");
  CHECK(refusal_with("groups=rows", "main_loop=straight").operand == "main_loop");
  CHECK(refusal_with("groups=k", "main_loop=warp_specialised").operand == "main_loop");
  CHECK(refusal_with("groups=each", "main_loop=warp_specialised ping_pong=2").operand ==
        "ping_pong");
  const Error many = test::refusal_of(
      [] { (void)completed(parse_problem("M=8 N=8 K=8 batch=4097 A=f32:row groups=rows")); });
  CHECK(many.nearest_legal == "4096");
}

TEST_CASE("a producer makes maps of groups' own operands where they are promised to lie for TMA",
          "[plan][groups][each]") {
  const Plan plan = make_plan(problem_with("groups=each"), device_preset("h200"));
  const GemmStep& step = gemm_step(plan);
  CHECK(makes_maps(step));
  CHECK(step.schedule.ping_pong == 1);
  std::vector<std::string> names;
  for (const KernelParameter& parameter : step.parameters) names.push_back(parameter.name);
  CHECK(names == std::vector<std::string>{"map_a", "map_b", "ends", "fault", "maps", "most_m",
                                          "most_n", "most_k", "alpha", "beta"});
  CHECK(smem_region(step, "groups").bytes == 2 * 128 + 4 * 9);
  CHECK(step.grid[0].evaluate(RunValues{.m = 512, .n = 256, .k = 128, .batch = 8}) <= 132);
  CHECK(check(plan).empty());
  for (const char* const less : {"A=bf16:row:align8 B=bf16:col", "A=bf16:row B=bf16:row:align2"}) {
    const Problem problem =
        parse_problem(std::string("M=512 N=256 K=128 batch=8 D=bf16:row groups=each ") + less);
    CHECK_FALSE(makes_maps(gemm_step(make_plan(problem, device_preset("h200")))));
    const Error refused = test::refusal_of([&] {
      (void)make_plan(problem, device_preset("h200"), parse_config("main_loop=warp_specialised"));
    });
    CHECK(refused.operand == "main_loop");
    CHECK(refused.nearest_legal.has_value());
  }
  Plan broken = plan;
  std::get<GemmStep>(broken.steps.front()).groups->alignment[1] = 8;
  const std::vector<Error> errors = check(broken);
  REQUIRE_FALSE(errors.empty());
  CHECK(errors.front().operand == "align_b");
  CHECK(errors.front().nearest_legal == "16");
}

TEST_CASE("a kernel of groups with operands of their own has their bounds alone",
          "[plan][groups][each]") {
  for (const char* const chip : {"b200", "a100", "v100"}) {
    INFO(chip);
    const Plan plan = make_plan(problem_with("groups=each"), device_preset(chip));
    const GemmStep& step = gemm_step(plan);
    CHECK(step.groups ==
          KernelGroups{.along = GroupedAlong::all, .count = 8, .alignment = {16, 16, 16, 16}});
    std::vector<std::string> names;
    for (const KernelParameter& parameter : step.parameters) names.push_back(parameter.name);
    CHECK(names ==
          std::vector<std::string>{"ends", "fault", "most_m", "most_n", "most_k", "alpha", "beta"});
    const auto& [tile_m, tile_n, tile_k] = step.tile;
    const Index tiles = (512 + tile_m - 1) / tile_m * ((256 + tile_n - 1) / tile_n);
    CHECK(step.grid[0].evaluate(RunValues{.m = 512, .n = 256, .k = 128, .batch = 8}) *
              step.grid[1].evaluate(RunValues{.m = 512, .n = 256, .k = 128, .batch = 8}) *
              step.grid[2].evaluate(RunValues{.m = 512, .n = 256, .k = 128, .batch = 8}) ==
          8 * tiles);
    CHECK(check(plan).empty());
  }
}

TEST_CASE("a grid of groups is made for the bound", "[plan][groups]") {
  const Plan walking = make_plan(problem_with("groups=rows"), device_preset("h200"));
  const GemmStep& step = gemm_step(walking);
  CHECK(step.schedule.persistent_blocks > 0);
  CHECK(step.groups == KernelGroups{.along = GroupedAlong::m, .count = 8});
  CHECK(step.m.value == 64);
  CHECK(check(walking).empty());
  const Plan one_each = make_plan(problem_with("groups=rows"), device_preset("a100"));
  const auto& [tile_m, tile_n, tile_k] = gemm_step(one_each).tile;
  const Index tiles = (512 + tile_m - 1) / tile_m + 8, across = (256 + tile_n - 1) / tile_n;
  CHECK(gemm_step(one_each).grid[0].evaluate(RunValues{.m = 512, .n = 256, .k = 128, .batch = 8}) ==
        tiles * across);
  CHECK(check(one_each).empty());
}

TEST_CASE("groups take 64 KiB and 16 bytes each of the workspace", "[plan][groups]") {
  for (const char* const kind : {"rows", "rows:by_row", "cols", "masked_rows", "k"})
    for (const int count : {1, 2, 7, 64, 1024})
      for (const char* const chip : {"h200", "a100"}) {
        INFO(kind << ", " << count << " groups on " << chip);
        const Plan plan = make_plan(parse_problem("M=512 N=512 K=512 A=bf16:row B=bf16:row batch=" +
                                                  std::to_string(count) + " groups=" + kind),
                                    device_preset(chip));
        CHECK(workspace_bytes(plan) <= 65'536 + Index{16} * count);
      }
}
