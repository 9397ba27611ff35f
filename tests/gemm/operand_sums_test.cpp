// Sums of operands: beside the product where that reads none, for a D without elements, of operands
// that are packed.
#include "support/catch.hpp"
#include "support/checked_emulator.hpp"
#include "support/epilogue_cases.hpp"
#include "support/problem_of.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

#include <utility>

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char* kBoth = "d = acc; da = a_sum[m]; db = relu(alpha*b_sum[n])*s + t[batch]";

std::string failure_of(Context& context, const EpilogueKernel& kernel, const char* text,
                       const char* operands = "s=value da=f16") {
  const GemmCase gemm_case = case_of(kernel, {text, operands}, 11);
  const CaseOutcome outcome = run_case(context, gemm_case, make_data(gemm_case));
  if (outcome.failures.empty()) return {};
  return std::string(kernel.name) + ": " + describe(gemm_case, outcome) + "\n";
}

bool follows(const Plan& plan) {
  const auto* last = std::get_if<MoveStep>(&plan.steps.back());
  return last != nullptr && last->follows;
}

}  // namespace

TEST_CASE("sums that the product does not read are formed beside it", "[gemm][epilogue][sums]") {
  std::string failures;
  for (const Schedule schedule : {Schedule::late, Schedule::random}) {
    Context context = context_of(schedule, 5);
    for (const EpilogueKernel& kernel : kEpilogueKernels)
      failures += failure_of(context, kernel, kBoth);
  }
  CHECK(failures == "");
}

TEST_CASE("they stand ahead of a product that reads them, or that lets others begin unseen",
          "[gemm][epilogue][sums]") {
  Context context = context_of(Schedule::late, 5);
  std::string failures;
  EpilogueKernel early = kEpilogueKernels[5];
  early.config = "tile=64x32x64 atom_layout=(1,1,1) cluster=1x1 release=at_start";
  failures += failure_of(context, early, "d = acc; da = a_sum[m]; db = b_sum[n]", "");
  for (const EpilogueKernel& kernel : kEpilogueKernels)
    failures += failure_of(context, kernel, "d = acc - b_sum[n]; da = 3*a_sum[m]; e = x[m,n]", "");
  CHECK(failures == "");
}

TEST_CASE("the product beside which sums are formed is the plain one, byte for byte",
          "[gemm][epilogue][sums]") {
  for (const Order order : {Order::row, Order::col}) {
    Problem plain = problem_of(512, 512, 512, {DType::bf16, DType::bf16}, {order, Order::col});
    plain.alpha = Factor::one;
    plain.beta = Factor::zero;
    Problem summed = plain;
    summed.epilogue = Epilogue{parse_epilogue("d = acc; da = a_sum[m]; db = b_sum[n]")};
    Config config = parse_config("release=after_previous");
    const DeviceInfo device = device_preset("h200");
    const Plan plan = make_plan(summed, device);
    REQUIRE(follows(plan));
    CHECK(check(plan).empty());
    CHECK(plan.workspace.empty());
    CHECK(generate(plan)[0].text == generate(make_plan(plain, device, config))[0].text);
  }
}

TEST_CASE("an empty D leaves the sums of what there is, and 0 of what is gathered",
          "[gemm][epilogue][sums]") {
  std::string failures;
  Context context = context_of(Schedule::late, 5);
  // f64, D by columns, wgmma, integers.
  for (const size_t place : {1U, 4U, 5U, 13U}) {
    EpilogueKernel kernel = kEpilogueKernels.at(place);
    kernel.config = "";
    for (Index EpilogueKernel::*const extent :
         {&EpilogueKernel::m, &EpilogueKernel::n, &EpilogueKernel::k}) {
      const Index before = std::exchange(kernel.*extent, 0);
      failures += failure_of(context, kernel, kBoth);
      failures += failure_of(context, kernel,
                             "d = acc*a_sum[m] + x[m,n]; db = 2*b_sum[n]; t = amax(acc); r = "
                             "row_sum[m](acc); q = col_sum[n](acc); u = sum(a_sum[m])",
                             "");
      kernel.*extent = before;
    }
  }
  CHECK(failures == "");
}

TEST_CASE("an operand is packed once and summed as it lies", "[gemm][epilogue][sums][pack]") {
  for (const char* text : {"d = acc; db = b_sum[n]", "d = acc + b_sum[n]; db = b_sum[n]"}) {
    Context context = context_of(Schedule::late, 5);
    Backend& backend = context.backend();
    GemmCase one;
    one.problem = problem_of(40, 51, 65, {DType::bf16, DType::f32}, {Order::row, Order::row});
    one.problem.epilogue = Epilogue{parse_epilogue(text)};
    one.config = parse_config("pad=on");
    one.fill = Fill::integers;
    const Problem problem = completed(one.problem);
    const CaseData data = make_data(one);
    const Gemm gemm = prepare(context, problem, one.config);
    REQUIRE(gemm.packed_bytes(TensorRole::b) > 0);
    const Buffer a = uploaded(backend, data.a), b = uploaded(backend, data.b),
                 d(backend, 4 * 40 * 51), sums(backend, 4 * 51),
                 packed(backend, gemm.packed_bytes(TensorRole::b)),
                 workspace(backend, gemm.workspace_bytes());
    gemm.pack(TensorRole::b, packed.pointer(), {.b = b.pointer()});
    GemmArgs args{.a = a.pointer(), .b = b.pointer(), .d = d.pointer()};
    args.workspace = workspace.pointer();
    args.packed_b = packed.pointer();
    args.outputs[1].base = sums.pointer();
    gemm.run(args);
    backend.synchronize();
    std::vector<std::byte> result(4 * 51);
    backend.copy_out(result, sums.pointer());
    CHECK(compare_output(problem, 1, data.outputs[1], result).ok);
    result.resize(4 * 40 * 51);
    backend.copy_out(result, d.pointer());
    CHECK(compare(problem, data.outputs[0], result).ok);
    args.b = 0;
    CHECK_THROWS_AS(gemm.run(args), Exception);
  }
}
