// The race's own kernels, operand sets and judge, on the emulator.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>

#include <cmath>

#include "bench/peers/blas_problem.hpp"
#include "bench/peers/peers.hpp"
#include "race/device/device_kernels.hpp"
#include "race/operands/judge.hpp"
#include "race/operands/operand_sets.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::bench;

namespace {

std::unique_ptr<Backend> emulated_h200() {
  EmulatorOptions options;
  options.device = device_preset("h200");
  return open_emulator(options);
}

struct Emulated {
  Context context{emulated_h200()};
  [[nodiscard]] Backend& backend() const { return context.backend(); }
};

std::vector<double> values(Backend& backend, DevicePointer source, Index count, DType type) {
  std::vector<std::byte> bytes(static_cast<size_t>(count * width_bytes(type)));
  backend.copy_out(bytes, source);
  return decode(type, bytes);
}

Case small_case(DType type) {
  Problem problem;
  problem.m = problem.n = problem.k = 64;
  problem.a.type = problem.b.type = type;
  problem.c.type = problem.d.type = usual_output_type(type);
  problem.b.order = Order::col;
  return case_of(problem, 1.0, 0.0);
}

}  // namespace

TEST_CASE("random operands are normal draws in every type", "[cli][bench]") {
  Emulated machine;
  const DeviceKernels kernels(machine.backend(), settings_from_environment());
  constexpr Index kCount = 4096;
  for (const DType type : {DType::f16, DType::bf16, DType::tf32, DType::f32, DType::f64,
                           DType::e4m3, DType::e5m2, DType::s8, DType::s32}) {
    INFO(name(type));
    const double sigma = usual_sigma(type);
    const Buffer buffer(machine.backend(), kCount * width_bytes(type));
    kernels.fill(buffer.pointer(), kCount, type, sigma, 7);
    double sum = 0, squares = 0;
    for (const double value : values(machine.backend(), buffer.pointer(), kCount, type)) {
      sum += value / sigma;
      squares += value * value / (sigma * sigma);
    }
    CHECK(std::abs(sum / kCount) < 0.06);         // its deviation is 1/64
    CHECK(std::abs(squares / kCount - 1) < 0.1);  // its deviation is sqrt(2)/64
  }
}

TEST_CASE("8-bit floats are rounded as jute rounds them", "[cli][bench]") {
  Emulated machine;
  const DeviceKernels kernels(machine.backend(), settings_from_environment());
  constexpr Index kCount = 2048;
  const Buffer wide(machine.backend(), kCount * 4), narrow(machine.backend(), kCount);
  kernels.fill(wide.pointer(), kCount, DType::f32, 20, 3);
  const std::vector<double> exact = values(machine.backend(), wide.pointer(), kCount, DType::f32);
  for (const DType type : {DType::e4m3, DType::e5m2}) {
    kernels.fill(narrow.pointer(), kCount, type, 20, 3);
    const std::vector<double> rounded = values(machine.backend(), narrow.pointer(), kCount, type);
    for (size_t i = 0; i < exact.size(); ++i) {
      // A tie may go either way.
      const double nearest = decode(type, encode(type, exact[i]));
      REQUIRE(std::abs(rounded[i] - exact[i]) == std::abs(nearest - exact[i]));
    }
  }
}

TEST_CASE("the judge passes a right product, and tells a wrong or missing element",
          "[cli][bench]") {
  Emulated machine;
  const DeviceKernels kernels(machine.backend(), settings_from_environment());
  const Case each = small_case(DType::bf16);
  const RotatingSets sets(machine.backend(), kernels, each, {.sets = 2, .launches = 2});
  Judge judge(machine.backend(), sets, each);
  const Gemm gemm = prepare(machine.context, each.problem);
  const Contestant own = jute_contestant(machine.backend(), gemm, each, "planned", {});
  CHECK(std::isinf(judge.judge(own.roundoff).error));
  const int last = 1;
  for (const int set : {0, last}) own.enqueue(sets.of(set));
  machine.backend().synchronize();
  const Judgement right = judge.judge(own.roundoff);
  CHECK(right.error <= 1);
  CHECK(right.note.empty());
  machine.backend().fill(sets.of(last)[TensorRole::d], 0, 2);  // one element
  CHECK(judge.judge(own.roundoff).error > 1);
  machine.backend().fill(sets.of(last)[TensorRole::d], 0xff, 2);
  const Judgement missing = judge.judge(own.roundoff);
  CHECK(missing.note.starts_with("1 elements were not written"));
}

TEST_CASE("an own epilogue finds its operands in every set, and is judged by them",
          "[cli][bench][epilogue]") {
  Emulated machine;
  const DeviceKernels kernels(machine.backend(), settings_from_environment());
  Problem problem = small_case(DType::bf16).problem;
  problem.epilogue =
      Epilogue{.expression = parse_epilogue("d = acc*s + bias[n] + x[m,n]; a = amax(acc)"),
               .inputs = {EpilogueOperand{}}};
  problem.epilogue->inputs[0].by_value = true;
  const Case each = case_of(problem, 1.0, 0.0);
  const RotatingSets sets(machine.backend(), kernels, each, {.sets = 2, .launches = 2});
  for (const int set : {0, 1}) {
    const Operands operands = sets.of(set);
    CHECK(operands[TensorRole::c] == 0);
    CHECK(operands[input_role(0)] == 0);  // a number
    CHECK(operands[input_role(1)] > operands[TensorRole::d]);
    CHECK(operands[input_role(2)] > operands[input_role(1)]);
    CHECK(operands[output_role(0)] == 0);  // d
    CHECK(operands[output_role(1)] > operands[input_role(2)]);
  }
  Judge judge(machine.backend(), sets, each);
  const Case plain = plain_case(each);
  Judge plain_judge(machine.backend(), sets, plain);
  const Contestant own = jute_contestant(machine.backend(), prepare(machine.context, each.problem),
                                         each, "planned", {});
  const Contestant without = jute_contestant(
      machine.backend(), prepare(machine.context, plain.problem), plain, "plain", {});
  for (const int set : {0, 1}) own.enqueue(sets.of(set));
  machine.backend().synchronize();
  CHECK(judge.judge(own.roundoff).error <= 1);
  CHECK(plain_judge.judge(own.roundoff).error > 1);
  for (const int set : {0, 1}) without.enqueue(sets.of(set));
  machine.backend().synchronize();
  CHECK(plain_judge.judge(without.roundoff).error <= 1);
}

TEST_CASE("groups of a case are equal parts or of the expected size, computed and judged",
          "[cli][bench][groups]") {
  Emulated machine;
  const DeviceKernels kernels(machine.backend(), settings_from_environment());
  for (const char* const groups :
       {"rows", "cols:i64", "k", "masked_rows:i64", "rows:i32:expected20",
        "rows:i32:by_row:expected20", "masked_rows:i32:expected20", "cols:i32:expected10",
        "k:i32:expected10"}) {
    INFO(groups);
    const Case each =
        case_of(parse_problem("M=100 N=64 K=64 batch=3 A=bf16 B=bf16:col D=bf16 groups=" +
                              std::string(groups)),
                1.0, 0.0);
    const RotatingSets sets(machine.backend(), kernels, each, {.sets = 2, .launches = 2});
    Judge judge(machine.backend(), sets, each);
    const Contestant own = jute_contestant(
        machine.backend(), prepare(machine.context, each.problem), each, "planned", {});
    CHECK(std::isinf(judge.judge(own.roundoff).error));
    for (const int set : {0, 1}) own.enqueue(sets.of(set));
    machine.backend().synchronize();
    const Judgement right = judge.judge(own.roundoff);
    CHECK(right.error <= 1);
    CHECK(right.note.empty());
    machine.backend().fill(sets.of(1)[TensorRole::d], 0xff, 2);  // one element
    CHECK(judge.judge(own.roundoff).note.starts_with("1 elements were not written"));
  }
}

TEST_CASE("scales, zero points and stored elements of a case are drawn, multiplied and judged",
          "[cli][bench][scaled]") {
  Emulated machine;
  const DeviceKernels kernels(machine.backend(), settings_from_environment());
  for (const char* const problem :
       {"M=48 N=64 K=128 A=bf16 B=u4:col scale_b=bf16:col:block1x64 zero_b=u8:col:block1x64 D=bf16",
        "M=48 N=64 K=128 A=e4m3 B=e4m3:col scale_a=f32:block1x128 scale_b=f32:col:block64x128 "
        "D=bf16"}) {
    INFO(problem);
    const Case each = case_of(parse_problem(problem), 1.0, 0.0);
    const RotatingSets sets(machine.backend(), kernels, each, {.sets = 2, .launches = 2});
    for (const TensorRole role : kAllTensors)
      CHECK((sets.of(1)[role] != 0) ==
            (operand_bytes(each.problem)[role] > 0 && role != TensorRole::c));
    Judge judge(machine.backend(), sets, each);
    const Contestant own = jute_contestant(
        machine.backend(), prepare(machine.context, each.problem), each, "planned", {});
    for (const int set : {0, 1}) own.enqueue(sets.of(set));
    machine.backend().synchronize();
    CHECK(judge.judge(own.roundoff).error <= 1);
    // Other scales are another product.
    machine.backend().fill(sets.of(1)[TensorRole::scale_b], 0x3e, 8);
    Judge other(machine.backend(), sets, each);
    CHECK(other.judge(own.roundoff).error > 1);
    CHECK_FALSE(blas_problem(each.problem, 1.0, 0.0));
  }
}
