// Decides whether two layouts are the same function.
#include <jute/layout/equivalent.hpp>

#include "layout/flat_modes.hpp"
#include "layout/refusal.hpp"

#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>

#include <algorithm>
#include <optional>

namespace jute {

namespace {

using layout::FlatModes;

/// The coalesced modes are canonical: the first stride is f(1), its extent the first coordinate
/// that leaves the line, and so on for the rest.
bool same_modes(const FlatModes& a, const FlatModes& b) {
  if (a.shape != b.shape || a.stride != b.stride) return false;
  for (int i = 0; i < a.count(); ++i) {
    if (a.path(i) != b.path(i)) return false;
  }
  return true;
}

/// Powers of two below each extent of a common refinement of both domains, as offsets of a and of
/// b.
struct DigitOffsets {
  std::vector<Index> a;
  std::vector<Index> b;
};

void append_digits(Index extent, Index stride, std::vector<Index>& out) {
  for (Index digit = 1;; digit *= 2) {
    if (digit >= extent) return;
    out.push_back(checked_mul(digit, stride, "offset"));
    if (digit > extent / 2) return;
  }
}

/// Nothing where no refinement of both domains exists.
std::optional<DigitOffsets> digit_offsets(const FlatModes& a, const FlatModes& b) {
  DigitOffsets digits;
  int next_a = 0;
  int next_b = 0;
  Index extent_a = 1;
  Index extent_b = 1;
  Index stride_a = 0;
  Index stride_b = 0;
  for (;;) {
    if (extent_a == 1 && next_a < a.count()) {
      extent_a = a.shape[next_a];
      stride_a = a.stride[next_a++];
    }
    if (extent_b == 1 && next_b < b.count()) {
      extent_b = b.shape[next_b];
      stride_b = b.stride[next_b++];
    }
    const Index common = std::min(extent_a, extent_b);
    if (common == 1) return digits;
    if (extent_a % common != 0 || extent_b % common != 0) return std::nullopt;
    append_digits(common, stride_a, digits.a);
    append_digits(common, stride_b, digits.b);
    extent_a /= common;
    extent_b /= common;
    stride_a = checked_mul(stride_a, common, "offset");
    stride_b = checked_mul(stride_b, common, "offset");
  }
}

/// Do the offset and all digits occupy different bits, so that adding them is XORing them?
bool adds_without_carry(Index offset, const std::vector<Index>& digits) {
  Index occupied = offset;
  if (offset < 0) return false;
  for (const Index digit : digits) {
    if (digit < 0 || (occupied & digit) != 0) return false;
    occupied |= digit;
  }
  return true;
}

bool same_by_walking(const ComposedLayout& a, const ComposedLayout& b, Index count) {
  constexpr Index kMost = Index{1} << 24;
  if (count > kMost) {
    layout::refuse(ErrorCode::unsupported, "layout", to_string(a),
                   "layouts behind different swizzles whose digits carry are compared up to 2^24 "
                   "coordinates",
                   std::to_string(kMost));
  }
  for (Index i = 0; i < count; ++i) {
    if (a(i) != b(i)) return false;
  }
  return true;
}

}  // namespace

bool equivalent(const Layout& a, const Layout& b) {
  return same_modes(layout::coalesced(a.view()), layout::coalesced(b.view()));
}

bool equivalent(const ComposedLayout& a, const ComposedLayout& b) {
  const Index count = size(a);
  if (count != size(b)) return false;
  const FlatModes modes_a = layout::coalesced(a.layout().view());
  const FlatModes modes_b = layout::coalesced(b.layout().view());
  // A swizzle is a bijection: behind the same one, only the inner functions count.
  if (a.swizzle() == b.swizzle() || (a.swizzle().bits() == 0 && b.swizzle().bits() == 0)) {
    return a.offset() == b.offset() && same_modes(modes_a, modes_b);
  }
  const auto digits = digit_offsets(modes_a, modes_b);
  if (!digits || !adds_without_carry(a.offset(), digits->a) ||
      !adds_without_carry(b.offset(), digits->b)) {
    return same_by_walking(a, b, count);
  }
  // XORs of images of digits: equal everywhere when equal at each digit.
  if (a.swizzle()(a.offset()) != b.swizzle()(b.offset())) return false;
  for (std::size_t i = 0; i < digits->a.size(); ++i) {
    if (a.swizzle()(digits->a[i]) != b.swizzle()(digits->b[i])) return false;
  }
  return true;
}

}  // namespace jute
