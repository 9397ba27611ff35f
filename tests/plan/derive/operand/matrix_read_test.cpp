// When fragments come by matrix loads.
#include <jute/launch/device_presets.hpp>
#include <jute/layout/cast.hpp>
#include <jute/plan/derive/operand/fragment.hpp>

#include <set>

#include "plan/derive/operand/matrix_read.hpp"
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
      make_plan(problem_of(2048, 2048, 2048, {type, out}, {a, b}), device_preset("l40s"), config);
  const GemmStep& step = gemm_step(plan);
  const auto name_of = [](const OperandPlan& operand) {
    return fragments_of(operand).atom ? fragments_of(operand).atom->name : std::string();
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

TEST_CASE("8-bit and tf32 operands come by matrix loads where K is contiguous",
          "[plan][matrix_read]") {
  for (const DType type : {DType::s8, DType::u8, DType::e4m3, DType::tf32}) {
    INFO(type);
    const auto [a_k, b_k] = reads(type, Order::row, Order::col);
    CHECK(a_k.ends_with("_N"));
    CHECK(b_k.ends_with("_N"));
  }
}

TEST_CASE("tf32 operands along M or N come by plain loads", "[plan][matrix_read]") {
  CHECK(reads(DType::tf32, Order::col, Order::row) == std::pair<std::string, std::string>());
}

namespace {

/// The tile index of a byte of a fragment, found by following the load from the manual's layouts:
/// which byte of which row a register receives, whose lane points at that row.
Index received(const plan::MatrixRead& read, int thread, Index load, Index byte) {
  const Index from = read.bytes ? (*read.bytes)(byte) : byte;
  const Layout dst = upcast(read.atom.dst_layout, 8), src = upcast(read.atom.src_layout, 8);
  const Index place = dst(IntTuple{thread % 32, from});
  for (int lane = 0; lane < 32; ++lane)
    for (int elem = 0; elem < 16; ++elem)
      if (src(IntTuple{lane, elem}) == place)
        return read.rows(IntTuple{thread / 32 * 32 + lane, load}) + elem;
  return -1;
}

}  // namespace

TEST_CASE("8-bit operands along M or N come as pairs by transposing loads, and bytes are permuted",
          "[plan][matrix_read]") {
  for (const DType type : {DType::s8, DType::u8, DType::e4m3})
    for (const int width : {64, 128}) {
      INFO(type << " " << width);
      Config config;
      config.tile = TileShape{width, 128, 64};
      const DType out = type == DType::e4m3 ? DType::bf16 : DType::s32;
      const Plan plan = make_plan(problem_of(512, 512, 512, {type, out}, {Order::col, Order::row}),
                                  device_preset("l40s"), config);
      const GemmStep& step = gemm_step(plan);
      for (const auto& [operand, which] :
           {std::pair(&step.a, Operand::a), std::pair(&step.b, Operand::b)}) {
        REQUIRE(fragments_of(*operand).atom);
        CHECK(fragments_of(*operand).atom->name == "SM75_U16x8_LDSM_T");
        const Fragment held = fragment(step.mma, which, step.tile);
        const auto read =
            plan::matrix_read(*fragments_of(*operand).atom, held, stage_of(*operand).smem, type);
        REQUIRE(read);
        CHECK(read->bytes == fragments_of(*operand).bytes);
        const Index bytes = size(*read->bytes), loads = size(held.tv[1]) / bytes;
        for (const int thread : {0, 1, 4, 7, 30, 31, 32, 99, 160, 255})
          for (Index load = 0; load < loads; ++load)
            for (Index byte = 0; byte < bytes; ++byte)
              REQUIRE(received(*read, thread, load, byte) ==
                      held.tv(IntTuple{thread, load * bytes + byte}));
      }
    }
}

TEST_CASE("the rows of eight lanes of a load of pairs lie in different banks",
          "[plan][matrix_read]") {
  const Plan plan =
      make_plan(problem_of(512, 512, 512, {DType::s8, DType::s32}, {Order::col, Order::row}),
                device_preset("a100"));
  const GemmStep& step = gemm_step(plan);
  for (const OperandPlan* operand : {&step.a, &step.b})
    for (int matrix = 0; matrix < 4; ++matrix) {
      std::set<Index> banks;
      for (int lane = 0; lane < 8; ++lane)
        banks.insert(fragments_of(*operand).address(8 * matrix + lane, 0) / 16 % 8);
      CHECK(banks.size() == 8);
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
