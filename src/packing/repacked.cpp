// Moves the elements of one packing to the places of another, a stretch at a time.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/compiled_layout.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/packing/packing.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>

namespace jute {
namespace {

using layout::refuse;

constexpr int kHalf = 4;  ///< bits of what two of share a byte
constexpr Index kStretch = 4096;

/// The bits of element `at`.
std::uint64_t bits_at(std::span<const std::byte> from, Index at, int width) {
  if (width == kHalf) return (static_cast<unsigned>(from[at / 2]) >> (at % 2 * kHalf)) & 15U;
  std::uint64_t bits = 0;
  const auto bytes = static_cast<std::size_t>(width / 8);
  std::memcpy(&bits, from.data() + static_cast<std::size_t>(at) * bytes, bytes);
  return bits;
}

/// Into memory that is zero there.
void put_bits(std::span<std::byte> to, Index at, int width, std::uint64_t bits) {
  if (width == kHalf) {
    to[at / 2] |= static_cast<std::byte>((bits & 15U) << (at % 2 * kHalf));
    return;
  }
  const auto bytes = static_cast<std::size_t>(width / 8);
  std::memcpy(to.data() + static_cast<std::size_t>(at) * bytes, &bits, bytes);
}

/// The range of a type of whole numbers.
struct WholeRange {
  Index least, most;
};
WholeRange range_of(DType type) {
  const bool is_signed = type == DType::s4 || type == DType::s8 || type == DType::s32;
  const int bits = width_bits(type);
  return is_signed ? WholeRange{-(Index{1} << (bits - 1)), (Index{1} << (bits - 1)) - 1}
                   : WholeRange{0, (Index{1} << bits) - 1};
}

Index number_of(std::uint64_t bits, DType type) {
  const WholeRange range = range_of(type);
  const Index value = static_cast<Index>(bits);
  return value > range.most ? value - (Index{1} << width_bits(type)) : value;
}

[[noreturn]] void refuse_number(Index number, Index place, const Packing& from, const Packing& to,
                                const PackedExtents& extents) {
  const Index at = left_inverse(packed_layout(from, extents))(place);
  const WholeRange range = range_of(to.type);
  const Index least = range.least + to.taken, most = range.most + to.taken;
  refuse(ErrorCode::out_of_range,
         "element (" + std::to_string(at % extents.n) + "," + std::to_string(at / extents.n) +
             ") of (N,K)",
         std::to_string(number),
         "it must be from " + std::to_string(least) + " to " + std::to_string(most) +
             ", what the other packing holds",
         std::to_string(std::clamp(number, least, most)));
}

void require_bytes(std::span<const std::byte> elements, const Packing& packing,
                   const PackedExtents& extents) {
  const Index bytes = packed_bytes(packing, extents);
  if (static_cast<Index>(elements.size()) == bytes) return;
  refuse(ErrorCode::out_of_range, "bytes", std::to_string(elements.size()),
         "there must be as many as a matrix of N = " + std::to_string(extents.n) +
             " and K = " + std::to_string(extents.k) + " takes, " + std::to_string(bytes),
         std::to_string(bytes));
}

/// The bits that stand in `to` for those of `from`.
class Changed {
 public:
  Changed(const Packing& from, const Packing& to)
      : from_(from), to_(to), range_(range_of(to.type)) {
    is_kept_ = from.type == to.type && from.taken == to.taken;
    if (is_kept_ || (is_integer(from.type) && is_integer(to.type))) return;
    refuse(ErrorCode::wrong_type, "type", std::string(name(to.type)),
           "it must be the same in both packings, or both must be of whole numbers",
           std::string(name(from.type)));
  }
  [[nodiscard]] std::uint64_t operator()(std::uint64_t bits, Index place,
                                         const PackedExtents& extents) const {
    if (is_kept_) return bits;
    const Index number = number_of(bits, from_.type) + from_.taken, stored = number - to_.taken;
    if (stored < range_.least || stored > range_.most)
      refuse_number(number, place, from_, to_, extents);
    return static_cast<std::uint64_t>(stored);
  }

 private:
  const Packing& from_;
  const Packing& to_;
  WholeRange range_;
  bool is_kept_ = false;
};

}  // namespace

std::vector<std::byte> repacked(std::span<const std::byte> elements, const Packing& from,
                                const Packing& to, const PackedExtents& extents) {
  const CompiledLayout places = compile(repacking(from, to, extents));
  require_bytes(elements, from, extents);
  const Changed changed(from, to);
  std::vector<std::byte> packed(static_cast<std::size_t>(packed_bytes(to, extents)));
  const int width = width_bits(from.type), width_there = width_bits(to.type);
  std::array<Index, kStretch> stretch{};
  for (Index first = 0; first < places.size(); first += kStretch) {
    const Index count = std::min(kStretch, places.size() - first);
    places.offsets(first, std::span(stretch).first(static_cast<std::size_t>(count)));
    for (Index i = 0; i < count; ++i)
      put_bits(packed, stretch[static_cast<std::size_t>(i)], width_there,
               changed(bits_at(elements, first + i, width), first + i, extents));
  }
  return packed;
}

}  // namespace jute
