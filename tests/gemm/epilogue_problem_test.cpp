// What a problem's own epilogue may be, where its operands lie, and how a run is told.
#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/refusal.hpp"

#include <jute/emulator/emulator.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

using namespace jute;
using namespace jute::test;

namespace {

Problem problem_with(std::string_view text, DType type = DType::f32) {
  Problem problem{.m = 8, .n = 6, .k = 4};
  problem.a.type = problem.b.type = problem.c.type = problem.d.type = type;
  problem.epilogue = Epilogue{.expression = parse_epilogue(text)};
  return problem;
}

}  // namespace

TEST_CASE("operands of an epilogue are as usual where nobody says", "[gemm][epilogue]") {
  const Problem problem =
      completed(problem_with("d = acc*s + bias[n] + x[m,n]; r = row_sum[m](acc)", DType::bf16));
  const Epilogue& epilogue = *problem.epilogue;
  REQUIRE(epilogue.inputs.size() == 3);
  CHECK(epilogue.inputs[0].type == DType::f32);
  CHECK(epilogue.inputs[1].type == DType::bf16);
  CHECK(epilogue.inputs[1].broadcast);
  CHECK(epilogue.inputs[2].ld_elems == 6);
  CHECK(epilogue.inputs[2].batch_stride_elems == 48);
  CHECK(epilogue.outputs[1].type == DType::f32);
  CHECK(epilogue.outputs[1].batch_stride_elems == 8);
}

TEST_CASE("vectors of bits have eight neighbours in a byte along themselves, whatever D's order",
          "[gemm][epilogue]") {
  for (const Order order : {Order::row, Order::col}) {
    Problem problem{.m = 20, .n = 9, .k = 4, .batch = 3};
    problem.d.order = order;
    problem.epilogue =
        Epilogue{.expression = parse_epilogue("select(k[n] and j[batch,m] and t, acc, 0)")};
    problem = completed(problem);
    const Epilogue& epilogue = *problem.epilogue;
    const auto bytes = [&](size_t place) {
      const auto [rows, cols] = extents_of(problem, epilogue.expression.inputs[place]);
      return std::pair{rows, cols};
    };
    CHECK(bytes(0) == std::pair<Index, Index>{1, 2});
    CHECK(bytes(1) == std::pair<Index, Index>{3, 1});
    CHECK(bytes(2) == std::pair<Index, Index>{1, 1});
    CHECK(epilogue.inputs[0].broadcast);
    CHECK(epilogue.inputs[1].batch_stride_elems == 3);
    CHECK(epilogue.inputs[2].broadcast);
  }
}

TEST_CASE("scale factors and C are there where the expression names them", "[gemm][epilogue]") {
  CHECK(completed(problem_with("relu(acc)")).alpha == Factor::one);
  CHECK(completed(problem_with("relu(acc)")).beta == Factor::zero);
  CHECK(completed(problem_with("alpha*acc + beta*c")).beta == Factor::run_time);
  CHECK(completed(problem_with("acc*c")).beta == Factor::one);
  CHECK(completed(problem_with("acc + beta")).beta == Factor::run_time);
  CHECK(completed(problem_with("d = acc; r = beta*a_sum[m]")).beta == Factor::run_time);
  const auto read = [](std::string_view text) { return c_read(completed(problem_with(text))); };
  CHECK(read("alpha*acc + beta*c") == CRead::unless_beta_is_zero);
  CHECK(read("acc + beta") == CRead::never);
  CHECK(read("acc + c + beta") == CRead::always);
  Problem usual{.m = 8, .n = 6, .k = 4};
  CHECK(c_read(usual) == CRead::unless_beta_is_zero);
  usual.beta = Factor::one;
  CHECK(c_read(usual) == CRead::always);
  usual.beta = Factor::zero;
  CHECK(c_read(usual) == CRead::never);
  CHECK_FALSE(reads_c(completed(problem_with("relu(acc) + c*beta")), 0));
  CHECK(reads_c(completed(problem_with("relu(acc) + c*beta")), 0.5));
  CHECK(reads_c(completed(problem_with("acc + c")), 0));
}

TEST_CASE("an epilogue that says the usual is the usual one", "[gemm][epilogue]") {
  CHECK_FALSE(completed(problem_with("alpha*acc + beta*c")).epilogue);
  CHECK_FALSE(completed(problem_with("d = acc")).epilogue);
  CHECK(completed(problem_with("beta*c + alpha*acc")).epilogue);
  CHECK(completed(problem_with("d = acc; g = acc")).epilogue);
}

TEST_CASE("what no kernel does is refused before planning", "[gemm][epilogue][refusal]") {
  const auto refused = [](std::string_view text) {
    return refusal_of([&] { return completed(problem_with(text)); }).violated_rules.at(0);
  };
  CHECK(refused("g = acc") == "one output must be d: d = value");
  std::string many = "acc*a_sum[m]";
  for (int i = 0; i < kMostEpilogueInputs; ++i) many += " + v" + std::to_string(i);
  CHECK(refused(many) == "inputs must be at most 16, sums of operands among them");
  Problem mask = problem_with("select(mask[m,n], acc, 0)");
  mask.epilogue->inputs.push_back({{.type = DType::f32}});
  CHECK(refusal_of([&] { return completed(mask); }).violated_rules.at(0) ==
        "a matrix of bits must be one of bytes, u8, each eight neighbours");
  Problem by_value = problem_with("acc + bias[n]");
  by_value.epilogue->inputs.push_back({{.type = DType::f32}, true});
  CHECK(refusal_of([&] { return completed(by_value); }).violated_rules.at(0) ==
        "only a scalar must be passed by value");
}

TEST_CASE("where D lies says the problem, not what its epilogue holds of it", "[gemm][epilogue]") {
  Problem problem = problem_with("relu(acc) + x[m,n]");
  problem.d.order = Order::col;
  problem.d.ld_elems = 11;
  problem.epilogue->outputs.push_back({{.type = DType::f16, .ld_elems = 3}});
  const Problem whole = completed(problem);
  CHECK(static_cast<const Matrix&>(whole.epilogue->outputs[0]) == whole.d);
  Problem with_more_rows = whole;
  with_more_rows.m = 11;
  const Error error = refusal_of([&] { return completed(with_more_rows); });
  CHECK(error.operand == "x.ld");
  CHECK(error.violated_rules.size() == 1);
  problem.epilogue->expression = parse_epilogue("relu(acc)");
  with_more_rows = completed(problem);
  with_more_rows.m = 11;
  CHECK(completed(with_more_rows).d.ld_elems == 11);
}

TEST_CASE("sums of integers leave 32 bits, but in an s32", "[gemm][epilogue]") {
  Context context(open_emulator({}), with_kept_kernels());
  GemmCase sums;
  sums.problem = {.m = 40, .n = 24, .k = 16, .batch = 2};
  sums.problem.a.type = sums.problem.b.type = DType::s8;
  sums.problem.c.type = sums.problem.d.type = DType::s32;
  sums.problem.epilogue =
      Epilogue{.expression = parse_epilogue(
                   "y := 500000000 + acc; d = acc; q = sum(y); w = sum(y); r = row_sum[m](y); "
                   "c0 = col_sum[n](-y); t = amax(0*acc - 2147483647 - 1); g = row_sum[m](y)"),
               .outputs = {{},
                           {{.type = DType::f64}},
                           {{.type = DType::s32}},
                           {{.type = DType::f32}},
                           {{.type = DType::f64}},
                           {},
                           {{.type = DType::s32}}}};
  const CaseData data = make_data(sums);
  const CaseOutcome outcome = run_case(context, sums, data);
  INFO(describe(sums, outcome));
  REQUIRE(outcome.failures.empty());
  const std::vector<double> d = decode(DType::s32, outcome.d);
  const auto held = [&](size_t place, DType type) { return decode(type, outcome.outputs[place]); };
  for (size_t batch = 0; batch < 2; ++batch) {
    double sum = 40 * 24 * 5e8;
    for (size_t i = 0; i < 40 * 24; ++i) sum += d[batch * 40 * 24 + i];
    CHECK(held(1, DType::f64)[batch] == sum);
    CHECK(held(2, DType::s32)[batch] == static_cast<std::int32_t>(static_cast<std::int64_t>(sum)));
    CHECK(held(5, DType::f32)[batch] == 2147483648.0);
    double row = 24 * 5e8, col = -40 * 5e8;
    for (size_t i = 0; i < 24; ++i) row += d[batch * 40 * 24 + i];
    for (size_t i = 0; i < 40; ++i) col -= d[batch * 40 * 24 + 24 * i];
    CHECK(held(3, DType::f32)[batch * 40] == static_cast<float>(row));
    CHECK(held(4, DType::f64)[batch * 24] == col);
    CHECK(held(6, DType::s32)[batch * 40] ==
          static_cast<std::int32_t>(static_cast<std::int64_t>(row)));
  }
}

TEST_CASE("the largest magnitudes of rows and columns are those of D", "[gemm][epilogue]") {
  struct Shape {
    Index m, n, k;
    DType type;
    Order order;
  };
  Context context(open_emulator({}), with_kept_kernels());
  for (const auto& [m, n, k, type, order] :
       {Shape{40, 24, 16, DType::bf16, Order::row}, Shape{131, 200, 64, DType::bf16, Order::col},
        Shape{257, 136, 128, DType::e4m3, Order::row}, Shape{7, 33, 5, DType::f32, Order::row},
        Shape{70, 130, 96, DType::s8, Order::row}}) {
    GemmCase one;
    one.problem = {.m = m, .n = n, .k = k, .batch = 2};
    one.problem.a.type = one.problem.b.type = type;
    one.problem.b.order = Order::col;
    one.problem.d.order = order;
    one.problem.c.type = one.problem.d.type = type == DType::s8 ? DType::s32 : DType::f32;
    one.problem.epilogue = Epilogue{
        .expression = parse_epilogue("d = acc; r = row_amax[m](acc); q = col_amax[n](-acc)")};
    const CaseOutcome outcome = run_case(context, one, make_data(one));
    INFO(describe(one, outcome));
    REQUIRE(outcome.failures.empty());
    const std::vector<double> d = decode(one.problem.d.type, outcome.d),
                              r = decode(DType::f32, outcome.outputs[1]),
                              q = decode(DType::f32, outcome.outputs[2]);
    for (Index matrix = 0; matrix < 2; ++matrix) {
      std::vector<double> rows(static_cast<size_t>(m)), columns(static_cast<size_t>(n));
      for (Index row = 0; row < m; ++row)
        for (Index col = 0; col < n; ++col) {
          const Index at = matrix * m * n + (order == Order::row ? row * n + col : col * m + row);
          const double size = std::abs(d[static_cast<size_t>(at)]);
          double &of_row = rows[static_cast<size_t>(row)],
                 &of_column = columns[static_cast<size_t>(col)];
          of_row = std::max(of_row, size);
          of_column = std::max(of_column, size);
        }
      for (Index row = 0; row < m; ++row)
        CHECK(r[static_cast<size_t>(matrix * m + row)] == rows[static_cast<size_t>(row)]);
      for (Index col = 0; col < n; ++col)
        CHECK(q[static_cast<size_t>(matrix * n + col)] == columns[static_cast<size_t>(col)]);
    }
  }
}

TEST_CASE("a run is given inputs and outputs by their places", "[gemm][epilogue]") {
  Context context(open_emulator({}), with_kept_kernels());
  Problem problem = problem_with("d = acc*s + bias[n]; s2 = sum(acc)");
  problem.epilogue->inputs.resize(1);
  problem.epilogue->inputs[0].by_value = true;
  const Gemm gemm = prepare(context, problem);
  CHECK(gemm.input("bias") == 1);
  CHECK(gemm.output("s2") == 1);
  CHECK(refusal_of([&] { return gemm.input("biass"); }).nearest_legal == "bias");
  Backend& backend = context.backend();
  const auto upload = [&](const std::vector<float>& values) {
    Buffer buffer(backend, static_cast<Index>(values.size() * sizeof(float)));
    backend.copy_in(buffer.pointer(), std::as_bytes(std::span(values)));
    return buffer;
  };
  const Buffer a = upload(std::vector<float>(32, 1)), b = upload(std::vector<float>(24, 2));
  const Buffer bias = upload({0, 1, 2, 3, 4, 5}), d = upload(std::vector<float>(48));
  const Buffer sum = upload({-1}), workspace(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace.pointer());
  GemmArgs args{.a = a.pointer(), .b = b.pointer(), .d = d.pointer()};
  args.workspace = workspace.pointer();
  args.inputs[gemm.input("s")].value = 0.5;
  args.outputs[gemm.output("s2")].base = sum.pointer();
  CHECK(refusal_of([&] { gemm.run(args); }).operand == "bias");
  args.inputs[gemm.input("bias")].base = bias.pointer();
  const auto sum_after = [&] {
    gemm.run(args);
    backend.synchronize();
    float value = 0;
    backend.copy_out(std::as_writable_bytes(std::span(&value, 1)), sum.pointer());
    return value;
  };
  CHECK(sum_after() == 8 * 48);
  std::vector<float> result(48);
  backend.copy_out(std::as_writable_bytes(std::span(result)), d.pointer());
  CHECK(result[7] == 5);  // 8 * 0.5 + bias[1]
  args.m = 0;
  CHECK(sum_after() == 0);
}

TEST_CASE("a gathered sum's bound is by the magnitudes of its own elements", "[gemm][epilogue]") {
  Problem problem = problem_with("d = acc; r = row_sum[m](acc)");
  problem.m = problem.n = 2, problem.k = 1;
  const std::vector<float> a{1e6F, 0}, b{1, -1};
  HostOperands operands;
  operands.memory[TensorRole::a] = std::as_bytes(std::span(a));
  operands.memory[TensorRole::b] = std::as_bytes(std::span(b));
  const Reference sums = reference_outputs(completed(problem), operands, 1, 0, 0x1p-24).at(1);
  REQUIRE(sums.bound.size() == 2);
  CHECK(sums.value == std::vector<double>{0, 0});
  CHECK(sums.bound[0] > 2e6 * 0x1p-24);
  CHECK(sums.bound[1] < 1e-30);
}
