// From any packing to any other: one composition, a bijection, and back again at every place.
#include "support/catch.hpp"

#include <jute/base/error.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/packing/weight_formats.hpp>

#include <algorithm>
#include <random>

using namespace jute;

namespace {

constexpr WeightPart kParts[] = {WeightPart::weights, WeightPart::scales, WeightPart::zeros};

/// Extents that every format's tiles fill.
constexpr PackedExtents kWeights[] = {{64, 16}, {192, 48}, {64, 208}, {320, 16}};
constexpr PackedExtents kGroups[] = {{64, 1}, {192, 2}, {64, 7}};
std::vector<PackedExtents> extents_of(WeightPart part) {
  return part == WeightPart::weights
             ? std::vector<PackedExtents>(std::begin(kWeights), std::end(kWeights))
             : std::vector<PackedExtents>(std::begin(kGroups), std::end(kGroups));
}

template <class Call>
Error error_of(Call call) {
  try {
    (void)call();
  } catch (const Exception& exception) {
    return exception.error();
  }
  return {};
}

/// Calls with every pair of formats, part and extents.
template <class Check>
void for_each_pair(Check check) {
  for (const WeightPart part : kParts)
    for (const PackedExtents& extents : extents_of(part))
      for (const WeightFormat& from : weight_formats())
        for (const WeightFormat& to : weight_formats()) {
          INFO(name(part) << " of " << from.name << " to " << to.name << ", " << extents.n << " by "
                          << extents.k);
          check(packing_of(from.name, part, extents.k), packing_of(to.name, part, extents.k),
                extents);
        }
}

std::vector<std::byte> random_bytes(Index count) {
  std::mt19937 random(7);
  std::vector<std::byte> bytes(static_cast<std::size_t>(count));
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

}  // namespace

TEST_CASE("every packing holds each element once, without a gap", "[packing][law]") {
  for (const WeightPart part : kParts)
    for (const PackedExtents& extents : extents_of(part))
      for (const WeightFormat& format : weight_formats()) {
        INFO(format.name << ' ' << name(part));
        const Packing packing = packing_of(format.name, part, extents.k);
        const Layout layout = packed_layout(packing, extents);
        REQUIRE(size(layout) == extents.n * extents.k);
        std::vector<int> held(static_cast<std::size_t>(extents.n * extents.k));
        for (Index n = 0; n < extents.n; ++n)
          for (Index k = 0; k < extents.k; ++k) ++held.at(static_cast<std::size_t>(layout(n, k)));
        REQUIRE(std::ranges::all_of(held, [](int times) { return times == 1; }));
        REQUIRE(packed_extents(packing, packed_array(packing, extents)) == extents);
        REQUIRE(packed_bytes(packing, extents) ==
                extents.n * extents.k * width_bits(packing.type) / 8);
      }
}

TEST_CASE("the way from one packing to another leads each element to its place", "[packing][law]") {
  for_each_pair([](const Packing& from, const Packing& to, const PackedExtents& extents) {
    const Layout way = repacking(from, to, extents), back = repacking(to, from, extents);
    const Layout here = packed_layout(from, extents), there = packed_layout(to, extents);
    REQUIRE(size(way) == extents.n * extents.k);
    bool leads = true, returns = true;
    for (Index n = 0; n < extents.n; ++n)
      for (Index k = 0; k < extents.k; ++k) leads = leads && way(here(n, k)) == there(n, k);
    for (Index place = 0; place < size(way); ++place)
      returns = returns && back(way(place)) == place;
    REQUIRE(leads);
    REQUIRE(returns);
  });
}

TEST_CASE("memory that goes there and back is as it was", "[packing][law]") {
  for_each_pair([](const Packing& from, const Packing& to, const PackedExtents& extents) {
    std::vector<std::byte> bytes = random_bytes(packed_bytes(from, extents));
    // What every format holds: numbers from 1 to 15.
    if (from.type == DType::u8)
      for (std::byte& byte : bytes) byte = (byte & std::byte{15}) | std::byte{1};
    if (from.type == DType::u4)
      for (std::byte& byte : bytes)
        byte = from.taken == 1 ? byte & std::byte{0xee} : byte | std::byte{0x11};
    const std::vector<std::byte> there = repacked(bytes, from, to, extents);
    REQUIRE(static_cast<Index>(there.size()) == packed_bytes(to, extents));
    REQUIRE(repacked(there, to, from, extents) == bytes);
  });
}

TEST_CASE("numbers below zero keep their sign in bytes", "[packing]") {
  const Packing bytes = with_signs(packing_of("bytes", WeightPart::weights, 1));
  const Packing halves = with_signs(packing_of("jute", WeightPart::weights, 1));
  const std::vector<std::byte> numbers{std::byte{0xff}, std::byte{7}, std::byte{0xf8},
                                       std::byte{0}};
  const std::vector<std::byte> packed = repacked(numbers, bytes, halves, {2, 2});
  CHECK(packed == std::vector{std::byte{0x7f}, std::byte{0x08}});
  CHECK(repacked(packed, halves, bytes, {2, 2}) == numbers);
}

TEST_CASE("a number that does not fit is named with its element", "[packing]") {
  const Packing bytes = packing_of("bytes", WeightPart::zeros, 2);
  const Packing words = packing_of("gptq", WeightPart::zeros, 2);
  std::vector<std::byte> zeros(16, std::byte{8});
  zeros[2 * 3 + 1] = std::byte{0};
  const Error error = error_of([&] { return repacked(zeros, bytes, words, {8, 2}); });
  CHECK(error.code == ErrorCode::out_of_range);
  CHECK(error.operand == "element (3,1) of (N,K)");
  CHECK(error.nearest_legal == "1");
  zeros[2 * 3 + 1] = std::byte{17};
  CHECK(error_of([&] { return repacked(zeros, bytes, words, {8, 2}); }).nearest_legal == "16");
}

TEST_CASE("what fills no tiles or no array is refused", "[packing]") {
  const Packing marlin = packing_of("marlin", WeightPart::weights, 1);
  CHECK(error_of([&] { return packed_layout(marlin, {96, 16}); }).nearest_legal == "128");
  CHECK(error_of([&] { return packed_layout(marlin, {64, 24}); }).operand == "K");
  CHECK(error_of([&] { return packed_layout(marlin, {0, 16}); }).code == ErrorCode::out_of_range);
  CHECK(error_of([&] {
          return packed_extents(marlin, {1, 100});
        }).code == ErrorCode::not_divisible);
  const Packing awq = packing_of("awq", WeightPart::weights, 1);
  const Error bytes = error_of([&] { return repacked(random_bytes(3), awq, awq, {8, 1}); });
  CHECK(bytes.nearest_legal == "4");
  const Packing scales = packing_of("gptq", WeightPart::scales, 2);
  CHECK(error_of([&] {
          return repacked(random_bytes(32), scales, with_type(scales, DType::f32), {8, 2});
        }).code == ErrorCode::wrong_type);
}
