// Problems whose epilogue names gate: text, Views, rules, and what is refused.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/plan.hpp>

#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <cstdlib>

using namespace jute;

namespace {

Problem gated(std::string_view rest) {
  return parse_problem("M=64 N=40 K=32 A=bf16:row B=bf16:col " + std::string(rest));
}
Error refusal_of_gate(std::string_view rest, std::string_view config = "") {
  return test::refusal_of(
      [&] { (void)make_plan(gated(rest), device_preset("h200"), parse_config(config)); });
}
constexpr const char* kGated = "epilogue=silu(gate)*acc";

}  // namespace

TEST_CASE("a gate is read as it prints, and its columns are halves unless said", "[plan][gate]") {
  for (const char* const text : {"epilogue=silu(gate)*acc", "gate=pairs epilogue=silu(gate)*acc"}) {
    const Problem whole = completed(gated(text));
    CHECK(completed(parse_problem(to_string(whole))) == whole);
    CHECK(completed(whole) == whole);
    CHECK(columns_of_b(whole) == 80);
    CHECK(whole.b.batch_stride_elems == 80 * 32);
    CHECK(whole.d.ld_elems == 40);
  }
  CHECK(completed(gated(kGated)).gate == GateColumns::halves);
  CHECK(name(parse_gate_columns("pairs")) == "pairs");
  CHECK(test::refusal_of([] { (void)parse_gate_columns("half"); }).nearest_legal == "halves");
}

TEST_CASE("a View of B says where a gate's columns lie", "[plan][gate]") {
  const auto viewed = [](std::string_view view) {
    return completed(parse_problem("M=64 N=40 K=32 A=bf16 B=bf16:view[" + std::string(view) +
                                   "] epilogue=silu(gate)*acc"));
  };
  const Problem halves = viewed("(80,32):(1,80)");
  CHECK(halves.gate == GateColumns::halves);
  CHECK(halves.b.order == Order::row);
  const Problem rows = viewed("((40,2),32):((2,1),96)");
  CHECK(rows.gate == GateColumns::pairs);
  CHECK(rows.b.order == Order::row);
  CHECK(rows.b.ld_elems == 96);
  const Problem columns = viewed("((40,2),32):((80,40),1)");
  CHECK(columns.gate == GateColumns::pairs);
  CHECK(columns.b.order == Order::col);
  CHECK(columns.b.ld_elems == 40);
  CHECK_FALSE(columns.b.view.has_value());
  const Error other = test::refusal_of([&] { (void)viewed("((8,2,5),32):((1,40,8),80)"); });
  CHECK(other.operand == "B.view");
}

TEST_CASE("what gated products do not have is refused by name", "[plan][gate][refusal]") {
  CHECK(refusal_of_gate("gate=halves").operand == "gate");
  CHECK(refusal_of_gate("gate=pairs epilogue=relu(acc)").operand == "gate");
  CHECK(refusal_of_gate("batch=2 groups=cols epilogue=silu(gate)*acc").operand == "groups");
  CHECK(refusal_of_gate("epilogue=\"d = gate*acc - a_sum[m]\"").operand == "epilogue");
  CHECK(refusal_of_gate(kGated, "split_k=2").operand == "split_k");
  CHECK(refusal_of_gate("gate=pairs epilogue=silu(gate)*acc", "main_loop=straight").operand ==
        "main_loop");
  CHECK(refusal_of_gate(kGated, "specialize=generic").operand == "specialize");
  CHECK(
      refusal_of_gate("gate=pairs epilogue=silu(gate)*acc", "main_loop=warp_specialised").operand ==
      "main_loop");
}

TEST_CASE("a gated product multiplies what the product of both halves does", "[plan][gate]") {
  for (const char* const order : {"row", "col"}) {
    const std::string operands = " K=4096 A=bf16 B=bf16:" + std::string(order) + " ";
    const Plan both = make_plan(parse_problem("M=4096 N=28672" + operands), device_preset("h200"));
    const Plan plan =
        make_plan(parse_problem("M=4096 N=14336" + operands + kGated), device_preset("h200"));
    const GemmStep& step = gemm_step(plan);
    REQUIRE(step.gate.has_value());
    const TileShape halves = multiplied(step), whole = gemm_step(both).tile;
    CHECK(std::abs(halves.m * halves.n - whole.m * whole.n) * 16 <= whole.m * whole.n);
    CHECK(step.schedule.main_loop == MainLoop::warp_specialised);
    CHECK(check(plan).empty());
    Plan changed = plan;
    std::get<GemmStep>(changed.steps.back()).gate.reset();
    CHECK_FALSE(check(changed).empty());
  }
}

TEST_CASE("weights of a gated product that would be converted are refused by their type",
          "[plan][gate][refusal]") {
  for (const char* const b : {"u4:col zero_b=8 scale_b=bf16:block1x32", "e2m1:col", "s8"}) {
    INFO(b);
    const Error error = test::refusal_of([&] {
      return completed(parse_problem(std::string("M=64 N=64 K=256 A=bf16 B=") + b +
                                     " D=bf16 epilogue=\"silu(gate)*acc\""));
    });
    CHECK(error.operand == "B.type");
    CHECK(error.value == std::string(b).substr(0, std::string(b).find_first_of(": ")));
    CHECK(error.violated_rules.front().find("would be converted to bf16 first") !=
          std::string::npos);
  }
}

TEST_CASE("a gated product has no slices, and no last wave that they would share out",
          "[plan][gate]") {
  // Of both halves as one product a cut tail comes first.
  const GemmStep step = gemm_step(
      make_plan(parse_problem("M=1280 N=512 K=1728 batch=3 A=f32:col B=f32:col D=f32 gate=pairs "
                              "epilogue=silu(gate)*acc"),
                device_preset("h200")));
  CHECK(step.schedule.split_k == 1);
  CHECK(step.schedule.whole_tiles == 0);
}
