// Tiled atoms against CuTe's results.
#include <jute/atom/catalogue.hpp>
#include <jute/atom/tiled.hpp>

#include "atom/golden_lines.hpp"
#include "base/format.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

using namespace jute;
using jute::test::golden_lines;
using jute::test::GoldenLine;

namespace {

std::string text(const Partition& partition) {
  return base::format("{} + {}", to_string(partition.layout), partition.offset);
}

TiledMma tiled_mma(const GoldenLine& line) {
  return TiledMma(Catalogue().mma(line.at("atom")), Layout(line.at("atom_layout")),
                  Tiler(line.at("perm")));
}

TiledCopy tiled_copy(const GoldenLine& line) {
  const CopyAtom atom = Catalogue().copy(line.at("copy_atom"));
  const ValueType type = parse_value_type(line.at("value_type"));
  const std::string& kind = line.at("kind");
  if (kind == "tiled_copy")
    return TiledCopy(atom, type, Layout(line.at("thr_layout")), Layout(line.at("val_layout")));
  if (kind == "tiled_copy_A") return make_tiled_copy_A(atom, type, tiled_mma(line));
  if (kind == "tiled_copy_B") return make_tiled_copy_B(atom, type, tiled_mma(line));
  return make_tiled_copy_C(atom, type, tiled_mma(line));
}

std::string answer_mma(const GoldenLine& line) {
  const TiledMma tiled = tiled_mma(line);
  const std::string& query = line.at("query");
  if (query == "layoutA_TV") return to_string(layoutA_TV(tiled));
  if (query == "layoutB_TV") return to_string(layoutB_TV(tiled));
  if (query == "layoutC_TV") return to_string(layoutC_TV(tiled));
  if (query == "thr_layout_vmnk") return to_string(thr_layout_vmnk(tiled));
  if (query == "tile_shape") return to_string(tile_shape(tiled));
  if (query == "size") return std::to_string(size(tiled));
  const ComposedLayout tensor(line.at("tensor"));
  if (query == "fragment_A") return to_string(fragment_A(tiled, tensor));
  if (query == "fragment_B") return to_string(fragment_B(tiled, tensor));
  if (query == "fragment_C") return to_string(fragment_C(tiled, tensor));
  const Index thread = std::stoll(line.at("thread"));
  if (query == "partition_A") return text(partition_A(tiled, tensor, thread));
  if (query == "partition_B") return text(partition_B(tiled, tensor, thread));
  return text(partition_C(tiled, tensor, thread));
}

std::string answer_copy(const GoldenLine& line) {
  const TiledCopy tiled = tiled_copy(line);
  const std::string& query = line.at("query");
  if (query == "tiler_mn") return to_string(tiled.tiler_mn());
  if (query == "layout_tv") return to_string(tiled.layout_tv());
  if (query == "layoutS_TV") return to_string(layoutS_TV(tiled));
  if (query == "layoutD_TV") return to_string(layoutD_TV(tiled));
  if (query == "size") return std::to_string(size(tiled));
  if (query == "retile_S") return to_string(retile_S(tiled, Layout(line.at("result.fragment"))));
  if (query == "retile_D") return to_string(retile_D(tiled, Layout(line.at("result.fragment"))));
  const ComposedLayout tensor(line.at("tensor"));
  const Index thread = std::stoll(line.at("thread"));
  return text(query == "partition_S" ? partition_S(tiled, tensor, thread)
                                     : partition_D(tiled, tensor, thread));
}

std::string wanted(const GoldenLine& line) {
  if (line.contains("result.retiled")) return line.at("result.retiled");
  if (line.contains("result.layout"))
    return base::format("{} + {}", line.at("result.layout"), line.at("result.offset"));
  return line.at("result");
}

std::string describe(const GoldenLine& line) {
  std::string all;
  for (const auto& [key, value] : line) all += base::format("{}={} ", key, value);
  return all;
}

}  // namespace

TEST_CASE("tiled MMAs and copies agree with CuTe", "[atom][tiled][golden]") {
  for (const GoldenLine& line : golden_lines("tiled.jsonl")) {
    INFO(describe(line));
    std::string found;
    try {
      found = line.at("kind") == "tiled_mma" ? answer_mma(line) : answer_copy(line);
    } catch (const Exception& refusal) {
      found = refusal.what();
    }
    CHECK(found == wanted(line));
  }
}

TEST_CASE("tiled atoms print as the expression that makes them", "[atom][tiled]") {
  const TiledMma mma(Catalogue().mma("SM80_16x8x16_F32F16F16F32_TN"), Layout("(2,2,1):(1,2,4)"),
                     Tiler("(32,32)"));
  CHECK(to_string(mma) == "tiled_mma(SM80_16x8x16_F32F16F16F32_TN,(2,2,1):(1,2,4),(32,32,_))");
  const TiledMma same = mma;
  CHECK(std::hash<TiledMma>{}(mma) == std::hash<TiledMma>{}(same));
}

// Source: CuTe, partition_fragment_A of the swizzled and of the plain tensor.
TEST_CASE("a fragment's modes are sorted by stride, those that differ between threads last",
          "[atom][tiled]") {
  const TiledMma tiled(Catalogue().mma("SM89_16x8x32_F16E5M2E4M3F16_TN"),
                       Layout("(2,2,2):(4,2,1)"));
  const auto fragment = [&](const char* tensor) {
    return to_string(fragment_A(tiled, ComposedLayout(tensor)));
  };
  CHECK(fragment("(64,128):(128,1)") == "((4,2,2),2,2):((1,4,8),32,16)");
  CHECK(fragment("Sw<2,2,3>o0o(64,128):(128,1)") == "((4,2,2),2,2):((1,4,8),16,32)");
}

TEST_CASE("tilings refuse what does not fit", "[atom][tiled][refusal]") {
  const MmaAtom atom = Catalogue().mma("SM80_16x8x16_F32F16F16F32_TN");
  const auto code = [](auto&& call) { return jute::test::refusal_of(call).code; };
  CHECK(code([&] { return TiledMma(atom, Layout("(2,2,1,1):(1,2,4,4)")); }) ==
        ErrorCode::wrong_arity);
  CHECK(code([&] { return TiledMma(atom, Layout("(1,1,1):(0,0,0)"), Tiler(32)); }) ==
        ErrorCode::wrong_type);
  CHECK(code([&] { return partition_A(TiledMma(atom), Layout("(16,16):(16,1)"), 32); }) ==
        ErrorCode::out_of_range);
  CHECK(code([&] { return partition_A(TiledMma(atom), Layout("256:1"), 0); }) ==
        ErrorCode::wrong_arity);
  const TiledMma wgmma(Catalogue().mma("SM90_64x64x16_F32F16F16_SS"));
  CHECK(code([&] { return fragment_A(wgmma, Layout("(64,16):(16,1)")); }) == ErrorCode::wrong_type);
  const CopyAtom copy = Catalogue().copy("SM75_U32x4_LDSM_N");
  const ValueType f16 = parse_value_type("f16");
  CHECK(code([&] { return TiledCopy(copy, f16, Layout("8:1"), Layout("(1,8):(1,1)")); }) ==
        ErrorCode::illegal_atom);
  CHECK(code([&] { return TiledCopy(copy, f16, Layout("32:1"), Layout("(1,4):(1,1)")); }) ==
        ErrorCode::illegal_atom);
}
