// Operands that are copied first: padded, transposed, packed once.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/gemm_case.hpp"
#include "support/orders.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/gemm/gemm.hpp>

#include <algorithm>

using namespace jute;
using namespace jute::test;

namespace {

/// A problem whose copies have edges of every kind.
struct CopyRow {
  DType type, out;
  Order a, b;
  Index m, n, k, batch;
  Index gap;      ///< elements behind each row and each matrix
  int alignment;  ///< bytes
  const char* moves;
};
// clang-format off
constexpr CopyRow kCopies[] = {
  // type        out          a     b      m    n    k   batch gap align moves
  {DType::tf32, DType::f32,  kRow, kRow,  72,  96, 128,  1,   0, 16,  "b^T"},
  {DType::tf32, DType::f32,  kCol, kRow,  68, 100,  76,  2,   0, 16,  "a^T b^T"},
  {DType::tf32, DType::f32,  kCol, kCol,  67,  33,  71,  1,   2,  4,  "a^T b"},
  {DType::e4m3, DType::bf16, kCol, kRow, 144, 160, 272,  1,   0, 16,  "a^T b^T"},
  {DType::e4m3, DType::bf16, kRow, kRow,  33, 161, 291,  2,   3,  1,  "a b^T"},
  {DType::s8,   DType::s32,  kCol, kRow,   5, 131, 259,  1,   0,  1,  "a^T b^T"},
  {DType::s8,   DType::s32,  kCol, kCol, 150,  17,  15,  3,   1,  1,  "a^T b"},
  {DType::s8,   DType::s32,  kCol, kRow,   1,   1,   1,  1,   0,  1,  "a^T b^T"},
 {DType::f64,  DType::f64,  kCol, kRow,  64,  48,  40,  1,   0, 16,  "a^T b^T"},
 {DType::f64,  DType::f64,  kCol, kRow,  67,  33,  71,  2,   1,  8,  "a^T b^T"},
  {DType::bf16, DType::bf16, kRow, kCol,  65,  67,  69,  1,   0,  2,  "a b"},
  {DType::bf16, DType::bf16, kCol, kRow,  19,  13,   3,  2,   4,  2,  "a b"},
  {DType::f16,  DType::f16,  kRow, kCol,   3,   2, 4107, 1,   1,  2,  "a b"},
};
// clang-format on

GemmCase case_of(const CopyRow& row) {
  GemmCase result;
  Problem& problem = result.problem;
  problem = problem_of(row.m, row.n, row.k, {row.type, row.out}, {row.a, row.b});
  problem.batch = row.batch;
  const auto lie = [&](Matrix& matrix, Index rows, Index cols) {
    const bool by_row = matrix.order == kRow;
    matrix.alignment_bytes = row.alignment;
    matrix.ld_elems = (by_row ? cols : rows) + row.gap;
    matrix.batch_stride_elems = matrix.ld_elems * (by_row ? rows : cols) + row.gap;
  };
  lie(problem.a, row.m, row.k);
  lie(problem.b, row.k, row.n);
  result.config = parse_config("pad=on transpose=on");
  result.seed = 3;
  return result;
}

std::string moves_of(const Plan& plan) {
  std::string text;
  if (const auto* step = std::get_if<MoveStep>(&plan.steps.front()))
    for (const Move& move : step->moves)
      text += (text.empty() ? "" : " ") + std::string(name(move.tensor)) +
              (move.transposed ? "^T" : "");
  return text;
}

std::string failures_with_copies(Context context) {
  std::string failures;
  for (const CopyRow& row : kCopies) {
    const GemmCase one = case_of(row);
    const Plan plan = make_plan(one.problem, context.backend().device_info(), one.config);
    if (moves_of(plan) != row.moves)
      failures += std::string(row.moves) + ": copies " + moves_of(plan) + "\n";
    if (!check(plan).empty()) failures += std::string(row.moves) + ": not legal\n";
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    if (!outcome.failures.empty()) failures += describe(one, outcome) + "\n";
  }
  return failures;
}

}  // namespace

TEST_CASE("copies of operands are right whenever work lands", "[gemm][copies]") {
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random})
    CHECK(failures_with_copies(context_of(schedule, 3)) == "");
}

TEST_CASE("an operand that stays is packed once, and runs read the copy", "[gemm][copies][pack]") {
  Context context = context_of(Schedule::late);
  Backend& backend = context.backend();
  GemmCase one = case_of(kCopies[4]);
  const Problem problem = completed(one.problem);
  const CaseData data = make_data(one);
  const Gemm gemm = prepare(context, problem, one.config);
  const Buffer a = uploaded(backend, data.a), workspace(backend, gemm.workspace_bytes());
  const Buffer packed_b(backend, gemm.packed_bytes(TensorRole::b));
  {
    const Buffer b = uploaded(backend, data.b);
    gemm.pack(TensorRole::b, packed_b.pointer(), {.b = b.pointer()});
    backend.synchronize();
  }
  const Index bytes = problem.d.batch_stride_elems * problem.batch * width_bytes(problem.d.type);
  for (int run = 0; run < 2; ++run) {
    const Buffer d(backend, bytes);
    gemm.run({.a = a.pointer(),
              .d = d.pointer(),
              .workspace = workspace.pointer(),
              .packed_b = packed_b.pointer()});
    backend.synchronize();
    std::vector<std::byte> result(static_cast<size_t>(bytes));
    backend.copy_out(result, d.pointer());
    CHECK(compare(problem, data.reference, result).ok);
  }
}

TEST_CASE("what is read as it lies cannot be packed", "[gemm][copies][pack][refusal]") {
  Context context = context_of(Schedule::fixed);
  const Gemm gemm =
      prepare(context, problem_of(64, 64, 64, {DType::bf16, DType::bf16}, {kRow, kCol}));
  CHECK(gemm.packed_bytes(TensorRole::a) == 0);
  CHECK(gemm.packed_bytes(TensorRole::d) == 0);
  const Error error = refusal_of([&] { gemm.pack(TensorRole::a, 0x1000, {.a = 0x2000}); });
  CHECK(error.code == ErrorCode::illegal_problem);
  CHECK(error.operand == "packed_a");
  CHECK(refusal_of([&] { gemm.run({.b = 0x1000, .d = 0x3000, .packed_a = 0x2000}); }).operand ==
        "packed_a");
}

TEST_CASE("a packed operand lies at whole 256 bytes", "[gemm][copies][pack][refusal]") {
  Context context = context_of(Schedule::fixed);
  const GemmCase one = case_of(kCopies[0]);
  const Gemm gemm = prepare(context, one.problem, one.config);
  const Error error = refusal_of([&] { gemm.pack(TensorRole::b, 0x1010, {.b = 0x2000}); });
  CHECK(error.code == ErrorCode::misaligned);
  CHECK(error.operand == "packed_b");
  CHECK(refusal_of([&] { gemm.pack(TensorRole::b, 0x1000, {.b = 0x2004}); }).operand == "b");
}
