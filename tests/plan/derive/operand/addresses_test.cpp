// Addresses in plans: complete, right, and judged.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/derive/operand/fragment.hpp>

#include "plan/derive/addresses.hpp"
#include "plan/derive/drain/store_order.hpp"
#include "plan/derive/operand/matrix_read.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

GemmStep step_with_addresses(DType type, Order a, Order b, const char* preset) {
  DType out = type == DType::e4m3 ? DType::bf16 : type;
  if (is_integer(type)) out = DType::s32;
  if (type == DType::tf32) out = DType::f32;
  return gemm_step(
      make_plan(test::problem_of(2048, 2048, 2048, {type, out}, {a, b}), device_preset(preset)));
}

/// How many of all (thread, value) the address misses.
int misses(const Address& address, const ComposedLayout& memory, const Layout& tv) {
  int count = 0;
  for (Index thread = 0; thread < size(tv[0]); ++thread)
    for (Index value = 0; value < size(tv[1]); ++value)
      count += address(thread, value) != memory(tv(thread, value)) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("a plan knows where every thread copies, reads and stores", "[plan][address][law]") {
  for (const DType type :
       {DType::f32, DType::bf16, DType::tf32, DType::f64, DType::s8, DType::e4m3})
    for (const Order a : {Order::row, Order::col})
      for (const Order b : {Order::row, Order::col}) {
        const GemmStep step = step_with_addresses(type, a, b, "l40s");
        INFO(name(type) << " " << name(a) << " " << name(b));
        for (const auto& [operand, which] :
             {std::pair(step.a, Operand::a), std::pair(step.b, Operand::b)}) {
          const Fragment fragment = jute::fragment(step.mma, which, step.tile);
          CHECK(misses(copied_of(operand).store, stage_of(operand).smem,
                       copy_of(operand).copy_tv) == 0);
          if (!fragments_of(operand).atom)
            CHECK(misses(fragments_of(operand).address, stage_of(operand).smem, fragment.tv) == 0);
        }
        const plan::StoreOrder order =
            plan::store_order(jute::fragment(step.mma, Operand::c, step.tile), step.tile);
        const EpiloguePlan& out = step.epilogue;
        const bool direct = out.store == Store::direct;
        const Layout rows(IntTuple{step.tile.m, step.tile.n}, IntTuple{1, 0});
        CHECK(misses(out.m, rows, direct ? order.tv : out.row_tv) == 0);
        if (direct) continue;
        CHECK(misses(out.stage_write, out.stage, order.tv) == 0);
        CHECK(misses(out.stage_read, out.stage, out.row_tv) == 0);
      }
}

TEST_CASE("each lane of a matrix load points at the row that its lanes receive",
          "[plan][address][law]") {
  for (const DType type : {DType::bf16, DType::s8, DType::tf32})
    for (const Order order : {Order::row, Order::col}) {
      const GemmStep step =
          step_with_addresses(type, order, order == Order::row ? Order::col : Order::row, "a100");
      const OperandPlan& operand = step.a;
      if (!fragments_of(operand).atom) continue;
      INFO(name(type) << " " << fragments_of(operand).atom->name);
      const CopyAtom& atom = *fragments_of(operand).atom;
      const Fragment fragment = jute::fragment(step.mma, Operand::a, step.tile);
      const int bits = width_bits(type), in_row = 128 / bits,
                per_read = fragments_of(operand).elems;
      int wrong = 0;
      // Walked from the receiving side: whose bits they are, and at which place of which row.
      for (Index thread = 0; thread < step.threads; ++thread)
        for (Index value = 0; value < size(fragment.tv[1]); ++value) {
          const Index held = value % per_read;  // of bytes in pairs, before they are permuted
          const Index loaded =
              fragments_of(operand).bytes ? (*fragments_of(operand).bytes)(held) : held;
          const Index bit = atom.dst_layout(thread % 32, loaded * bits);
          Index pointing = 0;
          while (bit - atom.src_layout(pointing, 0) < 0 ||
                 bit - atom.src_layout(pointing, 0) >= 128)
            ++pointing;
          const Index place = (bit - atom.src_layout(pointing, 0)) / bits;
          REQUIRE(place < in_row);
          const Index row =
              fragments_of(operand).address(thread / 32 * 32 + pointing, value / per_read);
          wrong += row + place != stage_of(operand).smem(fragment.tv(thread, value)) ? 1 : 0;
        }
      CHECK(wrong == 0);
    }
}

TEST_CASE("accumulators are stored along rows of D, each once", "[plan][address]") {
  const GemmStep step = step_with_addresses(DType::bf16, Order::row, Order::col, "a100");
  const Fragment c = jute::fragment(step.mma, Operand::c, step.tile);
  const plan::StoreOrder order = plan::store_order(c, step.tile);
  std::vector<int> stored(static_cast<size_t>(size(order.accumulator)));
  Index last = -1;
  for (Index position = 0; position < size(order.accumulator); ++position) {
    const Index accumulator = order.accumulator(position);
    ++stored.at(static_cast<size_t>(accumulator));
    REQUIRE(order.tv(0, position) == c.tv(0, accumulator));
    const Index row_major =
        order.tv(0, position) % step.tile.m * step.tile.n + order.tv(0, position) / step.tile.m;
    REQUIRE(row_major > last);
    last = row_major;
  }
  CHECK(stored == std::vector<int>(stored.size(), 1));
}

TEST_CASE("addresses that are not those of the layouts break a rule", "[plan][address][refusal]") {
  const GemmStep step = step_with_addresses(DType::bf16, Order::row, Order::col, "a100");
  REQUIRE(plan::address_rules(step).empty());
  GemmStep moved = step;
  its_stage(moved.a).smem = ComposedLayout("Sw<3,3,3>o0o(128,64):(1,128)");
  GemmStep swapped = step;
  std::swap(its_copies(swapped.b).store, its_fragments(swapped.b).address);
  GemmStep unordered = step;
  unordered.epilogue.order = Layout(size(step.epilogue.order), 1);
  for (const GemmStep& broken : {moved, swapped, unordered}) {
    const std::vector<Error> errors = plan::address_rules(broken);
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].code == ErrorCode::illegal_config);
  }
}

TEST_CASE("a plan says how each address is computed, and where a swizzle does not fold",
          "[plan][address]") {
  const Problem problem =
      test::problem_of(512, 512, 512, {DType::bf16, DType::bf16}, {Order::row, Order::col});
  const Plan usual = make_plan(problem, device_preset("a100"));
  const std::string folded = to_string(fragments_of(gemm_step(usual).a).address);
  CHECK(folded.starts_with("Sw<3,3,3>(thread "));
  CHECK(to_string(usual).find("\n  a.read_address " + folded + "\n") != std::string::npos);
  CHECK(explain(usual).find("by itself") == std::string::npos);
  Config config;
  config.tile = TileShape{128, 128, 64};
  config.smem_a = ComposedLayout("Sw<3,3,3>o0o(128,64):(72,1)");  // rows carry into the swizzle
  const Plan padded = make_plan(problem, device_preset("a100"), config);
  CHECK(fragments_of(gemm_step(padded).a).address.form == AddressForm::evaluated);
  CHECK(explain(padded).find("A swizzles every address of its fragments by itself") !=
        std::string::npos);
}
