// Products whose rows tables name, through the emulator: gathered rows of A, scattered rows of D,
// and what entries that are no rows do.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/plan.hpp>

#include <array>
#include <cstring>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/draws.hpp"
#include "support/gemm_case.hpp"
#include "support/gemm_families.hpp"
#include "support/refusal.hpp"
#include "support/row_table_cases.hpp"

using namespace jute;
using namespace jute::test;

TEST_CASE("products of random tables of rows come out right and touch nothing else",
          "[gemm][rows]") {
  const int cases_of_type = draws(12);
  for (const TypeFamily& family : kTypeFamilies) {
    Context context(open_emulator(), with_kept_kernels());
    UNSCOPED_INFO(family.name);
    for (int index = 0; index < cases_of_type; ++index) {
      const GemmCase one = row_table_case(family.types, index);
      const std::string failure = describe(one, run_case(context, one, make_data(one)));
      UNSCOPED_INFO(failure);
      CHECK(failure.empty());
    }
  }
}

namespace {

std::string rule_of(const std::string& problem) {
  return refusal_of([&] { (void)completed(parse_problem(problem)); }).violated_rules.at(0);
}

std::vector<float> column_of(Index rows) {
  std::vector<float> values;
  for (Index row = 0; row < rows; ++row) values.push_back(static_cast<float>(row + 1));
  return values;
}

}  // namespace

TEST_CASE("rows of A come from where a table says, rows of D go there", "[gemm][rows]") {
  Context context(open_emulator(), with_kept_kernels());
  Backend& backend = context.backend();
  const auto uploaded = [&](const auto& values) {
    const auto bytes = std::as_bytes(std::span(values));
    Buffer buffer(backend, static_cast<Index>(bytes.size()));
    backend.copy_in(buffer.pointer(), bytes);
    return buffer;
  };
  const Gemm gemm = prepare(
      context, parse_problem("M=5 N=1 K=1 A=f32:rows4 B=f32 D=f32:rows6i64 alpha=1 beta=0"));
  const Buffer a = uploaded(column_of(4)), b = uploaded(std::array{10.0F}),
               rows_a = uploaded(std::array<std::int32_t, 5>{3, -1, 0, 4, 3}),
               rows_d = uploaded(std::array<std::int64_t, 5>{5, 0, 2, 4, -1}),
               d = uploaded(std::array<float, 6>{7, 7, 7, 7, 7, 7}),
               workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  gemm.run({.a = a.pointer(),
            .b = b.pointer(),
            .d = d.pointer(),
            .workspace = workspace.pointer(),
            .rows_a = rows_a.pointer(),
            .rows_d = rows_d.pointer()});
  backend.synchronize();
  std::array<float, 6> found{};
  backend.copy_out(std::as_writable_bytes(std::span(found)), d.pointer());
  // What is no row of A counts as zeros; what no row is stored to stays.
  CHECK(found == std::array<float, 6>{0, 7, 10, 7, 0, 40});
  CHECK(gemm.row_fault(TensorRole::a, workspace.pointer()) == 3);
  CHECK_FALSE(gemm.row_fault(TensorRole::d, workspace.pointer()).has_value());
  CHECK_FALSE(gemm.group_fault(workspace.pointer()).has_value());
  gemm.clear_workspace(workspace.pointer());
  CHECK_FALSE(gemm.row_fault(TensorRole::a, workspace.pointer()).has_value());
  CHECK(refusal_of([&] { (void)gemm.row_fault(TensorRole::b, workspace.pointer()); }).code ==
        ErrorCode::unknown_name);
}

TEST_CASE("rows that a table names several times are added where it says so", "[gemm][rows]") {
  GemmCase one;
  one.problem = parse_problem("M=300 N=40 K=64 A=bf16:rows100 B=bf16:col D=f32:rows7i64add beta=0");
  for (Index row = 0; row < 300; ++row) {
    one.rows_a.push_back(row % 100);
    one.rows_d.push_back(row % 11 == 3 ? -1 : row % 5);  // rows 5 and 6 stay as they are
  }
  Context context(open_emulator(), with_kept_kernels());
  for (const Fill fill : {Fill::integers, Fill::normal}) {
    one.fill = fill;
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(describe(one, outcome));
    CHECK(outcome.failures.empty());
  }
}

TEST_CASE("tables of rows are refused where no kernel finds rows by them",
          "[gemm][rows][refusal]") {
  CHECK(rule_of("M=8 N=8 K=8 A=f32:col:rows8") == "rows by a table must be contiguous");
  CHECK(rule_of("M=8 N=8 K=8 B=f32:rows8") == "only rows of A and of D must be named by tables");
  CHECK(rule_of("M=1:8 N=8 K=8 A=f32:rows8") ==
        "with rows by a table M must be one number: rows of -1 cost nothing");
  CHECK(rule_of("M=8 N=8 K=8 A=bf16:rows8 B=e4m3") ==
        "with rows by a table operands must be multiplied as they are: of one type, and without "
        "scales");
  CHECK(rule_of("M=8 N=8 K=8 A=f32:rows8 batch=2 groups=cols") ==
        "with rows by a table groups must be of rows");
  CHECK(rule_of("M=8 N=8 K=8 A=bf16 B=bf16 D=bf16:rows8add") ==
        "rows must be added as f32, f64 or s32");
  CHECK(rule_of("M=8 N=8 K=8 A=f32:rows8add") ==
        "only rows of D must be added where they are stored");
  const Error loop = refusal_of([] {
    (void)make_plan(parse_problem("M=256 N=256 K=256 A=bf16:rows300 B=bf16:col"),
                    device_preset("rtx5090"), {.main_loop = MainLoop::warp_specialised});
  });
  CHECK(loop.operand == "main_loop");
  CHECK(loop.nearest_legal == "multistage");
}

TEST_CASE("a problem with tables of rows is read as it is written", "[gemm][rows]") {
  const Problem problem =
      completed(parse_problem("M=8 N=8 K=8 A=bf16:rows300 B=bf16 D=bf16:rows16i64"));
  CHECK(problem.a.rows == RowTable{GroupIndex::i32, 300});
  CHECK(problem.d.rows == RowTable{GroupIndex::i64, 16});
  CHECK(parse_problem(to_string(problem)) == problem);
  const OperandBytes bytes = operand_bytes(problem);
  CHECK(bytes[TensorRole::a] == 300 * 8 * 2);
  CHECK(bytes[TensorRole::c] == 8 * 8 * 2);
  CHECK(bytes[TensorRole::d] == 16 * 8 * 2);
  CHECK(refusal_of([] { (void)parse_problem("M=8 N=8 K=8 A=f32:rows8i3"); }).operand == "A");
}
