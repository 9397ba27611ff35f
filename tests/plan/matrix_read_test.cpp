// When fragments come by matrix loads.
#include <jute/launch/device_presets.hpp>

#include "plan/matrix_read.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using test::problem_of;

namespace {

/// Names of the matrix loads of A and B, empty for plain loads.
std::pair<std::string, std::string> reads(DType type, Order a, Order b, const Config& config = {}) {
  DType out = type;
  if (is_integer(type)) out = DType::s32;
  if (type == DType::tf32) out = DType::f32;
  if (type == DType::e4m3) out = DType::bf16;
  const Plan plan =
      make_plan(problem_of(512, 512, 512, {type, out}, {a, b}), device_preset("l40s"), config);
  const GemmStep& step = gemm_step(plan);
  const auto name_of = [](const OperandPlan& operand) {
    return operand.read_atom ? operand.read_atom->name : std::string();
  };
  return {name_of(step.a), name_of(step.b)};
}

bool is_transposing(const std::string& name) { return name.ends_with("_T"); }

}  // namespace

TEST_CASE("16-bit operands come by matrix loads, transposing ones where K is not contiguous",
          "[plan][matrix_read]") {
  for (const DType type : {DType::f16, DType::bf16}) {
    const auto [a_k, b_k] = reads(type, Order::row, Order::col);
    CHECK(a_k.ends_with("_N"));
    CHECK(b_k.ends_with("_N"));
    const auto [a_mn, b_mn] = reads(type, Order::col, Order::row);
    CHECK(is_transposing(a_mn));
    CHECK(is_transposing(b_mn));
  }
}

TEST_CASE("8-bit and tf32 operands come by matrix loads where K is contiguous, and only there",
          "[plan][matrix_read]") {
  for (const DType type : {DType::s8, DType::u8, DType::e4m3, DType::tf32}) {
    INFO(type);
    const auto [a_k, b_k] = reads(type, Order::row, Order::col);
    CHECK(a_k.ends_with("_N"));
    CHECK(b_k.ends_with("_N"));
    const auto [a_mn, b_mn] = reads(type, Order::col, Order::row);
    CHECK(a_mn.empty());
    CHECK(b_mn.empty());
  }
}

TEST_CASE("f64 fragments come by plain loads", "[plan][matrix_read]") {
  for (const Order a : {Order::row, Order::col})
    for (const Order b : {Order::row, Order::col})
      CHECK(reads(DType::f64, a, b) == std::pair<std::string, std::string>());
}

TEST_CASE("a swizzle that repeats after more than 1024 bytes is not read by matrix loads",
          "[plan][matrix_read]") {
  Config config;
  config.tile = TileShape{128, 128, 64};
  config.smem_a = ComposedLayout("Sw<3,3,3>o0o(128,64):(64,1)");
  CHECK(!reads(DType::bf16, Order::row, Order::col, config).first.empty());
  // 2^(3+4+3) elements of 2 bytes.
  config.smem_a = ComposedLayout("Sw<3,3,4>o0o(128,64):(64,1)");
  CHECK(reads(DType::bf16, Order::row, Order::col, config).first.empty());
}

TEST_CASE("rows that start off 16 bytes are not read by matrix loads", "[plan][matrix_read]") {
  Config config;
  config.tile = TileShape{128, 128, 64};
  config.smem_a = ComposedLayout("(128,64):(72,1)");
  CHECK(!reads(DType::bf16, Order::row, Order::col, config).first.empty());
  config.smem_a = ComposedLayout("(128,64):(68,1)");
  CHECK(reads(DType::bf16, Order::row, Order::col, config).first.empty());
}
