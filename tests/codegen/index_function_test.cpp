// Layouts and addresses as device functions: the emitted text computes what they say.
#include <jute/launch/device_presets.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/plan/derive/operand/fragment.hpp>
#include <jute/plan/values/plan.hpp>

#include <jute/emit/index_function.hpp>
#include "c_expression.hpp"
#include "plan/derive/operand/matrix_read.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;
using emit::coordinate_function;
using emit::smem_function;
using test::DeviceFunction;

namespace {

/// The emitted text has memory(tv(thread, value)) for every one, in bytes.
void require_right_text(const Address& address, const ComposedLayout& memory, const Layout& tv,
                        int element_bytes) {
  const std::string text = smem_function("at", "a test", address, element_bytes);
  INFO(text);
  const DeviceFunction base(text, "at_base"), offset(text, "at");
  for (Index thread = 0; thread < size(tv[0]); ++thread) {
    const Index of_thread = base({thread});
    for (Index value = 0; value < size(tv[1]); ++value)
      if (offset({of_thread, value}) != memory(tv(thread, value)) * element_bytes) {
        INFO("thread " << thread << " value " << value);
        REQUIRE(offset({of_thread, value}) == memory(tv(thread, value)) * element_bytes);
      }
  }
  SUCCEED();
}

GemmStep bf16_step(const std::string& preset, Order a, Order b) {
  const Problem problem = test::problem_of(512, 512, 512, {DType::bf16}, {a, b});
  return gemm_step(make_plan(problem, device_preset(preset)));
}

}  // namespace

TEST_CASE("an expression computes its layout", "[codegen][index][law]") {
  CHECK(emit::expression(Layout("4:1"), "v") == "v");
  CHECK(emit::expression(Layout("4:3"), "v") == "v * 3");
  CHECK(emit::expression(Layout("(4,2):(0,64)"), "v") == "(v / 4) * 64");
  CHECK(emit::expression(Layout("(4,2):(0,0)"), "v") == "0");
  CHECK(emit::expression(Layout("(4,2):(16,48)"), "v", " ^ ") == "(v % 4) * 16 ^ (v / 4) * 48");
  for (const char* text : {"8:1", "(2,3):(3,1)", "(4,2,3):(2,1,40)", "(2,2,2,2):(8,0,1,64)",
                           "(1,4,1,2):(9,2,7,1)", "(3,5,2):(7,21,1)"}) {
    const Layout layout(text);
    const std::string expression = emit::expression(layout, "v");
    INFO(text << " is " << expression);
    for (Index i = 0; i < size(layout); ++i)
      REQUIRE(test::evaluate_c(expression, {{"v", i}}) == layout(i));
  }
}

TEST_CASE("an address function has every value of every thread where the layout has it",
          "[codegen][index][law]") {
  struct Memory {
    const char* layout;
    AddressForm form;
  };
  // Threads deal 8 neighbours along the second mode of (64,64), rows apart.
  const Layout along_k("((8,16),(8,4)):((512,1),(64,16))");
  for (const Memory& memory : {Memory{"(64,64):(64,1)", AddressForm::affine},
                               Memory{"(64,64):(72,1)", AddressForm::affine},
                               Memory{"(64,64):(1,66)", AddressForm::affine},
                               Memory{"Sw<3,3,3>o0o(64,64):(64,1)", AddressForm::folded},
                               Memory{"Sw<2,3,4>o0o(64,64):(64,1)", AddressForm::folded},
                               Memory{"Sw<3,3,3>o0o(64,64):(1,64)", AddressForm::folded},
                               Memory{"Sw<3,3,3>o0o(64,64):(72,1)", AddressForm::evaluated},
                               Memory{"Sw<3,3,3>o5o(64,64):(64,1)", AddressForm::evaluated}})
    for (const int bytes : {1, 2, 4, 8}) {
      INFO(memory.layout << " of " << bytes << " bytes");
      const ComposedLayout layout(memory.layout);
      const Address address = address_of(layout, along_k);
      CHECK(name(address.form) == name(memory.form));
      require_right_text(address, layout, along_k, bytes);
    }
}

TEST_CASE("matrix-load rows behind a 128-byte swizzle fold", "[codegen][index]") {
  const GemmStep step = bf16_step("a100", Order::row, Order::col);
  for (const auto& [operand, which] :
       {std::pair(step.a, Operand::a), std::pair(step.b, Operand::b)}) {
    REQUIRE(fragments_of(operand).atom);
    REQUIRE(stage_of(operand).smem.swizzle() == Swizzle(3, 3, 3));
    const Fragment fragment = jute::fragment(step.mma, which, step.tile);
    const auto read = plan::matrix_read(*fragments_of(operand).atom, fragment,
                                        stage_of(operand).smem, operand.type);
    REQUIRE(read);
    CHECK(fragments_of(operand).address.form == AddressForm::folded);
    require_right_text(fragments_of(operand).address, stage_of(operand).smem, read->rows, 2);
  }
}

TEST_CASE("every address of a usual plan is right, whichever way its operands lie",
          "[codegen][index][law]") {
  for (const char* preset : {"t4", "a100", "l40s"})
    for (const Order a : {Order::row, Order::col})
      for (const Order b : {Order::row, Order::col}) {
        const GemmStep step = bf16_step(preset, a, b);
        for (const OperandPlan* operand : {&step.a, &step.b}) {
          INFO(preset << " " << to_string(stage_of(*operand).smem));
          require_right_text(copied_of(*operand).store, stage_of(*operand).smem,
                             copy_of(*operand).copy_tv, 2);
        }
      }
}

TEST_CASE("coordinate functions give row and column of a column-major tile",
          "[codegen][index][law]") {
  const Layout tv("((8,16),(8,4)):((512,1),(64,16))");
  const std::string text =
      coordinate_function("row", "a test", address_of(Layout("(64,64):(1,0)"), tv)) +
      coordinate_function("col", "a test", address_of(Layout("(64,64):(0,1)"), tv));
  const DeviceFunction row_base(text, "row_base"), row(text, "row");
  const DeviceFunction col_base(text, "col_base"), col(text, "col");
  for (Index thread = 0; thread < size(tv[0]); ++thread)
    for (Index value = 0; value < size(tv[1]); ++value) {
      REQUIRE(row_base({thread}) + row({value}) == tv(thread, value) % 64);
      REQUIRE(col_base({thread}) + col({value}) == tv(thread, value) / 64);
    }
}
