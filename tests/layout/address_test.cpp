// Addresses split into parts, against the layouts walked coordinate by coordinate.
#include "layout/random_layouts.hpp"
#include "support/catch.hpp"
#include "support/refusal.hpp"

#include <jute/layout/address.hpp>

using namespace jute;
using jute::test::RandomLayouts;
using jute::test::refusal_of;

namespace {

constexpr int kAddressCases = 20000;

/// Splits the modes of a tile of the layout's domain between threads and values.
Layout thread_value_tile(RandomLayouts& random, const Layout& layout) {
  const Layout tile = random.tile_of(layout);
  std::vector<Layout> parts[2];
  const std::vector<Index> shape = tile.flat_shape(), stride = tile.flat_stride();
  for (std::size_t i = 0; i < shape.size(); ++i)
    parts[random.below(2)].emplace_back(IntTuple(shape[i]), IntTuple(stride[i]));
  const auto mode = [](const std::vector<Layout>& modes) {
    return modes.empty() ? Layout() : make_layout(modes);
  };
  return make_layout({mode(parts[0]), mode(parts[1])});
}

Swizzle any_swizzle(RandomLayouts& random) {
  const int bits = 1 + random.below(3), shift = bits + random.below(2);
  return Swizzle(bits, random.below(4), random.below(4) == 0 ? -shift : shift);
}

/// The same offsets, some modes counted from their far end.
ComposedLayout some_backwards(RandomLayouts& random, const Swizzle& swizzle, const Layout& layout) {
  std::vector<Layout> modes;
  Index offset = 0;
  const std::vector<Index> shape = layout.flat_shape(), stride = layout.flat_stride();
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_backward = random.below(4) == 0;
    if (is_backward) offset += (shape[i] - 1) * stride[i];
    modes.emplace_back(IntTuple(shape[i]), IntTuple(is_backward ? -stride[i] : stride[i]));
  }
  return ComposedLayout(swizzle, offset, make_layout(modes));
}

/// Every (thread, value) of the tile, one after the other.
void require_right(const Address& address, const ComposedLayout& layout, const Layout& tv) {
  for (Index thread = 0; thread < size(tv[0]); ++thread) {
    const Index base = address.base(thread);
    for (Index value = 0; value < size(tv[1]); ++value)
      if (address.at(base, value) != layout(tv(thread, value))) {
        INFO(address << " at thread " << thread << " value " << value);
        REQUIRE(address.at(base, value) == layout(tv(thread, value)));
      }
  }
}

}  // namespace

TEST_CASE("the address of every value of every thread is where the layout has it",
          "[layout][address][law]") {
  RandomLayouts random(71);
  for (int n = 0; n < kAddressCases; ++n) {
    const Layout inner = random.layout(4, 300);
    const Swizzle swizzle = random.below(3) == 0 ? Swizzle() : any_swizzle(random);
    const ComposedLayout layout(swizzle, random.below(3) == 0 ? random.below(40) : 0, inner);
    const Layout tv = thread_value_tile(random, inner);
    INFO(layout << " and " << tv);
    require_right(address_of(layout, tv), layout, tv);
  }
}

TEST_CASE("behind a swizzle, compact layouts of powers of two always fold",
          "[layout][address][law]") {
  RandomLayouts random(72);
  for (int n = 0; n < kAddressCases; ++n) {
    const Layout inner = random.power_of_two_bijection(9);
    const ComposedLayout layout = some_backwards(random, any_swizzle(random), inner);
    const Layout tv = thread_value_tile(random, inner);
    INFO(layout << " and " << tv);
    const Address address = address_of(layout, tv);
    require_right(address, layout, tv);
    REQUIRE(address.form == AddressForm::folded);
  }
}

TEST_CASE("a base moves by whole spans of the swizzle", "[layout][address][law]") {
  const ComposedLayout layout("Sw<3,3,3>o0o(64,64):(64,1)");
  const Layout tv("((8,16),(8,4)):((512,1),(64,16))");
  const Address address = address_of(layout, tv);
  const Index span = swizzle_span(layout.swizzle());
  REQUIRE(span == 512);
  for (const Index stage : {1, 3, 8})
    for (Index thread = 0; thread < size(tv[0]); ++thread)
      for (Index value = 0; value < size(tv[1]); ++value)
        REQUIRE(address.at(address.base(thread) + stage * span, value) ==
                layout(tv(thread, value)) + stage * span);
}

TEST_CASE("bytes of an address are its elements, swizzle and all", "[layout][address][law]") {
  RandomLayouts random(74);
  for (int n = 0; n < 500; ++n) {
    const Layout inner = random.power_of_two_bijection(8);
    const ComposedLayout layout(any_swizzle(random), 0, inner);
    const Layout tv = thread_value_tile(random, inner);
    const Address address = address_of(layout, tv);
    for (const int bytes : {1, 2, 8}) {
      const Address counted = in_bytes(address, bytes);
      for (Index thread = 0; thread < size(tv[0]); ++thread)
        for (Index value = 0; value < size(tv[1]); ++value)
          REQUIRE(counted(thread, value) == address(thread, value) * bytes);
    }
  }
}

TEST_CASE("parts are as few modes as they can be, and read as they are computed",
          "[layout][address]") {
  const Layout along_k("((8,16),(8,4)):((512,1),(64,16))");
  const auto text = [&](const char* layout) {
    return to_string(address_of(ComposedLayout(layout), along_k));
  };
  CHECK(text("(64,64):(64,1)") == "thread 128:8 + value (8,4):(1,1024)");
  CHECK(text("Sw<3,3,3>o0o(64,64):(64,1)") ==
        "Sw<3,3,3>(thread 128:8) ^ value 32:0 + value (8,4):(1,1024)");
  CHECK(text("Sw<3,3,3>o5o(64,64):(64,1)") == "Sw<3,3,3>(5 + thread 128:8 + value (8,4):(1,1024))");
  CHECK(text("Sw<3,3,3>o0o(64,64):(1,64)") ==
        "Sw<3,3,3>(thread (8,16):(512,1)) ^ value (8,4):(8,16) + value (8,4):(64,0)");
}

TEST_CASE("values along the row and along the rows that the swizzle XORs meet by XOR",
          "[layout][address]") {
  const ComposedLayout layout("Sw<3,3,3>o0o(64,64):(64,1)");
  const Layout tv("((8,8),(8,8)):((64,8),(512,1))");  // values: granules of a row, then rows
  const Address address = address_of(layout, tv);
  CHECK(to_string(address) ==
        "Sw<3,3,3>(thread (8,8):(1,512)) ^ value (8,8):(8,8) + value (8,8):(0,64)");
  require_right(address, layout, tv);
}

TEST_CASE("what carries is computed for every value, unless values stay below it",
          "[layout][address]") {
  const ComposedLayout padded("Sw<3,3,3>o0o(64,64):(72,1)");
  const Layout granules("((8,64),8):((512,1),64)");
  CHECK(address_of(padded, granules).form == AddressForm::folded);
  require_right(address_of(padded, granules), padded, granules);
  const Layout rows("((8,16),(8,4)):((512,1),(64,16))");
  CHECK(address_of(padded, rows).form == AddressForm::evaluated);
  require_right(address_of(padded, rows), padded, rows);
}

TEST_CASE("a search asks whether there is an address", "[layout][address]") {
  CHECK(try_address_of(ComposedLayout("(8,8):(8,1)"), Layout("(8,8):(8,1)")) ==
        address_of(ComposedLayout("(8,8):(8,1)"), Layout("(8,8):(8,1)")));
  CHECK_FALSE(try_address_of(ComposedLayout("(4,8):(9,1)"), Layout("(4,2):(3,1)")));
}

TEST_CASE("an address is refused where it would leave its layout", "[layout][address][refusal]") {
  const auto refused = [](const char* layout, const char* tv) {
    return refusal_of([&] { return address_of(ComposedLayout(layout), Layout(tv)); }).code;
  };
  CHECK(refused("(8,8):(8,1)", "(8,16):(8,1)") == ErrorCode::out_of_range);
  CHECK(refused("(8,8):(8,1)", "(8,2):(-1,8)") == ErrorCode::out_of_range);
  CHECK(refused("(4,8):(9,1)", "(4,2):(3,1)") == ErrorCode::not_divisible);
  CHECK(refused("(8,8):(8,1)", "(4,2,2):(1,4,8)") == ErrorCode::wrong_arity);
  CHECK(refused("(8,8):(8,1)", "8:1") == ErrorCode::wrong_arity);
  CHECK(refused("(8,8):(1@0,1@1)", "(4,2):(1,4)") == ErrorCode::wrong_type);
  CHECK(refused("Sw<1,0,1>o9223372036854775807o(4,4):(4,1)", "(4,4):(4,1)") == ErrorCode::overflow);
  CHECK(refused("(4,4):(4611686018427387904,1)", "(4,4):(1,4)") == ErrorCode::overflow);
}
