// wgmma's shared-memory descriptors against CuTe's make_gmma_desc.
#include <jute/atom/gmma_descriptor.hpp>

#include "atom/golden_lines.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/cast.hpp>

using namespace jute;
using jute::test::golden_lines;
using jute::test::GoldenLine;
using jute::test::refusal_of;

namespace {

Major major_of(const GoldenLine& line) { return line.at("major") == "K" ? Major::k : Major::mn; }

/// The swizzle of a line in element units; the golden ones act on bytes.
Swizzle swizzle_of(const GoldenLine& line, const ValueType& type) {
  const std::string& text = line.at(line.contains("swizzle") ? "swizzle" : "swizzle_bytes");
  if (text == "null") return {};
  const Swizzle bytes(text);
  return upcast(bytes, type.bits / 8);
}

}  // namespace

TEST_CASE("descriptors agree with CuTe, field by field", "[atom][gmma][golden]") {
  for (const GoldenLine& line : golden_lines("gmma_desc.jsonl")) {
    if (line.at("valid") != "true") continue;
    INFO(line.at("id") << " " << line.at("block_layout"));
    const ValueType type = parse_value_type(line.at("type"));
    const ComposedLayout smem(swizzle_of(line, type), 0, Layout(line.at("block_layout")));
    const GmmaDescriptor found = gmma_descriptor(smem, major_of(line), type, 0x400);
    CHECK(to_string(found) == line.at("desc_0x400"));
    CHECK(std::to_string(found.layout_type) == line.at("layout_type"));
    CHECK(std::to_string(found.leading_byte_offset) == line.at("leading_byte_offset"));
    CHECK(std::to_string(found.stride_byte_offset) == line.at("stride_byte_offset"));
    CHECK(std::to_string(found.leading_field) == line.at("leading_field"));
    CHECK(std::to_string(found.stride_field) == line.at("stride_field"));
    CHECK(std::to_string(found.base_offset) == line.at("base_offset"));
  }
}

TEST_CASE("layouts without a descriptor are refused as in CuTe", "[atom][gmma][golden][refusal]") {
  for (const GoldenLine& line : golden_lines("gmma_desc.jsonl")) {
    if (line.at("valid") == "true" || line.at("ptr") == "gmem") continue;
    INFO(line.at("id") << " " << line.at("layout") << " " << line.at("why"));
    const ValueType type = parse_value_type(line.at("type"));
    const ComposedLayout smem(swizzle_of(line, type), 0, Layout(line.at("layout")));
    const Error error = refusal_of([&] { return gmma_descriptor(smem, major_of(line), type); });
    CHECK(error.code == ErrorCode::illegal_config);
    CHECK_FALSE(error.violated_rules.empty());
    if (error.nearest_legal)
      CHECK_NOTHROW(gmma_descriptor(ComposedLayout(*error.nearest_legal), major_of(line), type));
  }
}

TEST_CASE("the canonical atoms are CuTe's", "[atom][gmma][golden]") {
  for (const GoldenLine& line : golden_lines("gmma_desc.jsonl")) {
    if (!line.contains("smem_shape")) continue;
    INFO(line.at("id"));
    const ValueType type = parse_value_type(line.at("type"));
    const auto width = static_cast<GmmaSwizzle>(swizzle_of(line, type).bits());
    const ComposedLayout atom = gmma_layout_atom(major_of(line), type, width);
    const IntTuple shape(line.at("smem_shape"));
    const ComposedLayout smem = line.at("order") == "null"
                                    ? tile_to_shape(atom, shape)
                                    : tile_to_shape(atom, shape, IntTuple(line.at("order")));
    CHECK(to_string(smem) == line.at("smem_layout_swizzled"));
  }
}

TEST_CASE("all broken rules of a descriptor are reported together", "[atom][gmma][refusal]") {
  const ValueType f16 = parse_value_type("f16");
  const ComposedLayout smem("Sw<3,3,3>o0o(12,8):(64,1)");
  const Error error = refusal_of([&] { return gmma_descriptor(smem, Major::k, f16, 8); });
  CHECK(error.violated_rules.size() == 3);
  CHECK(error.nearest_legal == "Sw<3,3,3>o0o(16,16):(64,1)");
}

TEST_CASE("a descriptor's offsets that leave 64 bits are refused", "[atom][gmma][refusal]") {
  const ValueType f16 = parse_value_type("f16");
  const std::string far = "9223372036854775800";
  const auto refused = [&](const std::string& text, Index start_address) {
    INFO(text << " at " << start_address);
    return refusal_of([&] {
             return gmma_descriptor(ComposedLayout(text), Major::k, f16, start_address);
           }).code == ErrorCode::overflow;
  };
  CHECK(refused("Sw<3,3,3>o" + far + "o(64,16):(64,1)", 0));
  CHECK(refused("Sw<0,4,3>o8o(64,16):(" + far + ",1)", 0));
  CHECK(refused("Sw<3,3,3>o8o(64,16):(64,1)", 9223372036854775792));
}
