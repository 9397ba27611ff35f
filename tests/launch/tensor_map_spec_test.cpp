#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/launch/tensor_map_spec.hpp>

#include <random>

using namespace jute;

namespace {

TensorMapSpec legal_spec() {
  return {.type = DType::bf16,
          .dims = {1024, 512},
          .strides_bytes = {2048},
          .box = {64, 128},
          .element_strides = {1, 1},
          .swizzle = TmaSwizzle::b128};
}

Error broken(const TensorMapSpec& spec, std::uint64_t base = 0) {
  const auto error = check(spec, base);
  REQUIRE(error.has_value());
  CHECK(error->code == ErrorCode::illegal_tensor_map);
  return *error;
}

}  // namespace

TEST_CASE("a legal tensor map breaks no rule", "[launch][tensor_map]") {
  CHECK_FALSE(check(legal_spec(), 0x10000).has_value());
  TensorMapSpec spec = legal_spec();
  spec.dims = {Index{1} << 32, 1};
  spec.strides_bytes = {(Index{1} << 40) - 16};
  CHECK_FALSE(check(spec).has_value());
  spec.out_of_bounds = TmaOutOfBounds::nan;
  CHECK_FALSE(check(spec).has_value());
}

TEST_CASE("each rule of a tensor map names its field and the nearest legal value",
          "[launch][tensor_map][refusal]") {
  struct Case {
    void (*spoil)(TensorMapSpec&);
    const char* operand;
    const char* value;
    const char* nearest;
  };
  const Case cases[] = {
      {[](TensorMapSpec& s) { s.dims[1] = 0; }, "dims[1]", "0", "1"},
      {[](TensorMapSpec& s) { s.dims[0] = (Index{1} << 32) + 1; }, "dims[0]", "4294967297",
       "4294967296"},
      {[](TensorMapSpec& s) { s.strides_bytes[0] = 2056; }, "strides_bytes[0]", "2056", "2048"},
      {[](TensorMapSpec& s) { s.strides_bytes[0] = 2060; }, "strides_bytes[0]", "2060", "2064"},
      {[](TensorMapSpec& s) { s.strides_bytes[0] = Index{1} << 40; }, "strides_bytes[0]",
       "1099511627776", "1099511627760"},
      {[](TensorMapSpec& s) { s.strides_bytes[0] = -16; }, "strides_bytes[0]", "-16", "0"},
      {[](TensorMapSpec& s) { s.box[1] = 257; }, "box[1]", "257", "256"},
      {[](TensorMapSpec& s) { s.box[1] = 0; }, "box[1]", "0", "1"},
      {[](TensorMapSpec& s) { s.box[0] = 60; }, "box[0]", "60", "56"},
      {[](TensorMapSpec& s) { s.box[0] = 128; }, "box[0]", "128", "64"},
      {[](TensorMapSpec& s) { s.box[0] = 1; }, "box[0]", "1", "8"},
      {[](TensorMapSpec& s) { s.element_strides[1] = 9; }, "element_strides[1]", "9", "8"},
      {[](TensorMapSpec& s) { s.element_strides[1] = 0; }, "element_strides[1]", "0", "1"},
      {[](TensorMapSpec& s) { s.box.pop_back(); }, "box.size", "1", "2"},
      {[](TensorMapSpec& s) { s.strides_bytes.clear(); }, "strides_bytes.size", "0", "1"},
      {[](TensorMapSpec& s) { s.element_strides.push_back(1); }, "element_strides.size", "3", "2"},
      {[](TensorMapSpec& s) { s = {.element_strides = {}}; }, "rank", "0", "1"},
      {[](TensorMapSpec& s) {
         s.type = DType::u8;
         s.out_of_bounds = TmaOutOfBounds::nan;
       },
       "out_of_bounds", "nan", "zero"},
  };
  for (const Case& each : cases) {
    TensorMapSpec spec = legal_spec();
    each.spoil(spec);
    const Error error = broken(spec);
    CHECK(error.operand == each.operand);
    CHECK(error.value == each.value);
    CHECK(error.nearest_legal == each.nearest);
    CHECK(error.violated_rules.size() == 1);
  }
  CHECK(broken(legal_spec(), 0x10008).operand == "base");
  CHECK(broken(legal_spec(), 24).nearest_legal == "16");
}

TEST_CASE("every broken rule is listed, with one repair each", "[launch][tensor_map][refusal]") {
  TensorMapSpec spec = legal_spec();
  spec.dims[0] = 0;
  spec.strides_bytes[0] = 2056;
  spec.box = {128, 300};
  const Error error = broken(spec, 8);
  CHECK(error.operand == "tensor_map");
  CHECK(error.violated_rules.size() == 5);
  CHECK(error.nearest_legal ==
        "dims[0] = 1, strides_bytes[0] = 2048, box[0] = 64, box[1] = 256, base = 0");
  CHECK(error.value ==
        "bf16 dims (0,512) strides (2056) box (128,300) steps (1,1) swizzle 128B oob zero");
}

TEST_CASE("the nearest legal spec of any spec is legal, and a legal one is its own nearest",
          "[launch][tensor_map][law]") {
  std::mt19937_64 random(7);
  const auto index = [&](Index limit) {
    return static_cast<Index>(random() % static_cast<std::uint64_t>(limit));
  };
  int legal = 0;
  for (int i = 0; i < 20000; ++i) {
    TensorMapSpec spec;
    spec.type = static_cast<DType>(random() % kDTypeCount);
    const size_t rank = 1 + random() % 5;
    for (size_t d = 0; d < rank; ++d) {
      spec.dims.push_back(index(8) == 0 ? index(Index{1} << 34) - 5 : 1 + index(5000));
      spec.box.push_back(index(2) == 0 ? index(300) : 16 * (1 + index(4)));
      spec.element_strides.push_back(index(20) == 0 ? index(12) : 1);
      if (d > 0)
        spec.strides_bytes.push_back(index(3) == 0 ? index(Index{1} << 41) : 16 * index(999));
    }
    spec.swizzle = static_cast<TmaSwizzle>(random() % 4);
    spec.out_of_bounds = static_cast<TmaOutOfBounds>(random() % 2);
    const auto nearest = nearest_legal(spec);
    REQUIRE(nearest.has_value());
    REQUIRE_FALSE(check(*nearest).has_value());
    REQUIRE(check(spec).has_value() == (*nearest != spec));
    legal += check(spec).has_value() ? 0 : 1;
  }
  CHECK(legal > 200);
  CHECK_FALSE(nearest_legal({.dims = {1, 1, 1, 1, 1, 1}}).has_value());
}
