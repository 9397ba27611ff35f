// Layouts as device functions: the emitted text computes what the layouts say.
#include "codegen/index_function.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/plan/device_presets.hpp>
#include <jute/plan/plan.hpp>

#include "c_expression.hpp"
#include "plan/fragment.hpp"
#include "plan/matrix_read.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using codegen::AddressForm;
using codegen::coordinate_function;
using codegen::layout_of;
using codegen::smem_function;
using codegen::SmemFunction;
using plan::TileAccess;
using test::DeviceFunction;
using test::refusal_of;

namespace {

/// The emitted text has memory(access(t, v)) at every thread and value, in bytes.
void require_right_text(const SmemFunction& function, const TileAccess& access,
                        const ComposedLayout& memory, int element_bytes) {
  const std::string text = emit(function);
  INFO(text);
  const DeviceFunction base(text, function.name + "_base"), offset(text, function.name);
  for (int thread = 0; thread < access.threads; ++thread) {
    const Index of_thread = base({thread});
    for (int value = 0; value < access.values; ++value)
      if (offset({of_thread, value}) != memory(access(thread, value)) * element_bytes) {
        INFO("thread " << thread << " value " << value);
        REQUIRE(offset({of_thread, value}) == memory(access(thread, value)) * element_bytes);
      }
  }
  SUCCEED();
}

GemmStep bf16_step(const std::string& preset, Order a, Order b) {
  const Problem problem = test::problem_of(512, 512, 512, {DType::bf16}, {a, b});
  return gemm_step(make_plan(problem, device_preset(preset)));
}

}  // namespace

TEST_CASE("a sequence that a layout counts is that layout", "[codegen][index]") {
  CHECK(layout_of({0}) == Layout(1, 0));
  CHECK(layout_of({0, 1, 2, 3}) == Layout("4:1"));
  CHECK(layout_of({0, 1, 2, 3, 64, 65, 66, 67}) == Layout("(4,2):(1,64)"));
  CHECK(layout_of({0, 0, 0, 5, 5, 5}) == Layout("(3,2):(0,5)"));
  CHECK(layout_of({0, 8, 4, 12}) == Layout("(2,2):(8,4)"));
}

TEST_CASE("a sequence that no layout counts has none", "[codegen][index]") {
  CHECK(!layout_of({}));
  CHECK(!layout_of({1, 2}));
  CHECK(!layout_of({0, 1, 3}));
  CHECK(!layout_of({0, 1, 2, 4}));
  CHECK(!layout_of({0, 1, 4, 6}));
}

TEST_CASE("layout_of finds the sequence of every layout again", "[codegen][index][law]") {
  for (const char* text : {"8:1", "(2,3):(3,1)", "(4,2,3):(2,1,40)", "(2,2,2,2):(8,0,1,64)",
                           "(8,4):(64,8)", "(3,5,2):(7,21,1)", "(32,4):(0,1)"}) {
    INFO(text);
    const std::vector<Index> sequence = plan::all_offsets(Layout(text));
    const std::optional<Layout> found = layout_of(sequence);
    REQUIRE(found);
    CHECK(plan::all_offsets(*found) == sequence);
  }
}

TEST_CASE("an expression computes its layout", "[codegen][index][law]") {
  CHECK(codegen::expression(Layout("4:1"), "v") == "v");
  CHECK(codegen::expression(Layout("4:3"), "v") == "v * 3");
  CHECK(codegen::expression(Layout("(4,2):(0,64)"), "v") == "(v / 4) * 64");
  CHECK(codegen::expression(Layout("(4,2):(0,0)"), "v") == "0");
  for (const char* text : {"8:1", "(2,3):(3,1)", "(4,2,3):(2,1,40)", "(2,2,2,2):(8,0,1,64)",
                           "(1,4,1,2):(9,2,7,1)", "(3,5,2):(7,21,1)"}) {
    const Layout layout(text);
    const std::string expression = codegen::expression(layout, "v");
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
  const TileAccess along_k = plan::tile_access(Layout("((8,16),(8,4)):((512,1),(64,16))"));
  for (const Memory& memory : {Memory{"(64,64):(64,1)", AddressForm::affine},
                               Memory{"(64,64):(72,1)", AddressForm::affine},
                               Memory{"(64,64):(1,66)", AddressForm::affine},
                               Memory{"Sw<3,3,3>o0o(64,64):(64,1)", AddressForm::folded},
                               Memory{"Sw<2,3,4>o0o(64,64):(64,1)", AddressForm::folded},
                               Memory{"Sw<3,3,3>o0o(64,64):(72,1)", AddressForm::evaluated},
                               Memory{"Sw<3,3,3>o5o(64,64):(64,1)", AddressForm::evaluated},
                               Memory{"Sw<3,3,3>o0o(64,64):(1,64)", AddressForm::evaluated}})
    for (const int bytes : {1, 2, 4, 8}) {
      INFO(memory.layout << " of " << bytes << " bytes");
      const ComposedLayout layout(memory.layout);
      const SmemFunction function = smem_function("at", "a test", along_k, layout, bytes);
      CHECK(name(function.form) == name(memory.form));
      require_right_text(function, along_k, layout, bytes);
    }
}

TEST_CASE("matrix-load rows behind a 128-byte swizzle fold", "[codegen][index]") {
  const GemmStep step = bf16_step("a100", Order::row, Order::col);
  for (const auto& [operand, which] :
       {std::pair(step.a, Operand::a), std::pair(step.b, Operand::b)}) {
    REQUIRE(operand.read_atom);
    REQUIRE(operand.smem.swizzle() == Swizzle(3, 3, 3));
    const plan::Fragment fragment = plan::fragment(step.mma, which, step.tile);
    const auto read = plan::matrix_read(*operand.read_atom, fragment, operand.smem, operand.type);
    REQUIRE(read);
    const SmemFunction function = smem_function("row", "a test", read->rows, operand.smem, 2);
    CHECK(function.form == AddressForm::folded);
    require_right_text(function, read->rows, operand.smem, 2);
  }
}

TEST_CASE("every address of a usual plan is right, whichever way its operands lie",
          "[codegen][index][law]") {
  for (const char* preset : {"t4", "a100", "h200"})
    for (const Order a : {Order::row, Order::col})
      for (const Order b : {Order::row, Order::col}) {
        const GemmStep step = bf16_step(preset, a, b);
        for (const OperandPlan* operand : {&step.a, &step.b}) {
          INFO(preset << " " << to_string(operand->smem));
          const TileAccess copied = plan::tile_access(operand->copy_tv);
          require_right_text(smem_function("store", "a test", copied, operand->smem, 2), copied,
                             operand->smem, 2);
        }
      }
}

TEST_CASE("an address function refuses what is no layout in its threads",
          "[codegen][index][refusal]") {
  const TileAccess odd{4, 1, {0, 1, 3, 7}};
  const Error error =
      refusal_of([&] { return smem_function("at", "a test", odd, Layout("8:1"), 4); });
  CHECK(error.code == ErrorCode::unsupported);
  CHECK(error.operand == "at");
  // The second thread's values lie another way than the first one's.
  const TileAccess mixed{2, 2, {0, 2, 1, 5}};
  CHECK(refusal_of([&] { return smem_function("at", "a test", mixed, Layout("8:1"), 4); }).code ==
        ErrorCode::unsupported);
}

TEST_CASE("coordinate functions give row and column of a column-major tile",
          "[codegen][index][law]") {
  const Layout tv("((8,16),(8,4)):((512,1),(64,16))");
  const TileAccess access = plan::tile_access(tv);
  const std::string text = codegen::emit(coordinate_function("row", "a test", access, 64, 0)) +
                           codegen::emit(coordinate_function("col", "a test", access, 64, 1));
  const DeviceFunction row_base(text, "row_base"), row(text, "row");
  const DeviceFunction col_base(text, "col_base"), col(text, "col");
  for (int thread = 0; thread < access.threads; ++thread)
    for (int value = 0; value < access.values; ++value) {
      REQUIRE(row_base({thread}) + row({value}) == access(thread, value) % 64);
      REQUIRE(col_base({thread}) + col({value}) == access(thread, value) / 64);
    }
}

TEST_CASE("a table that is a layout is an expression, any other a list", "[codegen][index]") {
  const std::string counted = codegen::emit_table("order", "a test", {3, 5, 7, 9});
  const DeviceFunction order(counted, "order");
  for (Index i = 0; i < 4; ++i) CHECK(order({i}) == 3 + 2 * i);
  const std::string listed = codegen::emit_table("order", "a test", {0, 2, 1, 7});
  CHECK(listed.find("{0, 2, 1, 7}") != std::string::npos);
}
