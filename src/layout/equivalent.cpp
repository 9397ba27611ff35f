// Decides whether two layouts are the same function.
//
// Behind two different swizzles this is hard where offsets carry across the swizzled bits: such a
// bit tells whether a sum of digits times any weights reaches a bound, and whether two such
// conditions agree everywhere asks for a knapsack that fits one and not the other. Where no such
// bit takes part, the digits decide; else the domain is walked.
#include <jute/base/checked.hpp>
#include <jute/layout/algebra.hpp>
#include <jute/layout/detail/refusal.hpp>
#include <jute/layout/equivalent.hpp>

#include <algorithm>
#include <bit>
#include <optional>

#include "layout/flat_modes.hpp"
#include "layout/offset_bits.hpp"

namespace jute {

namespace {

using layout::AffineOffsets;
using layout::FlatModes;
using layout::Parity;

/// The coalesced modes are canonical: the first stride is f(1), its extent the first coordinate
/// that leaves the line, and so on for the rest.
bool same_modes(const FlatModes& a, const FlatModes& b) {
  if (a.shape != b.shape || a.stride != b.stride) return false;
  for (int i = 0; i < a.count(); ++i) {
    if (a.path(i) != b.path(i)) return false;
  }
  return true;
}

/// Both sides with the same extents. Nothing where no refinement of both domains exists, or where
/// something is negative.
struct Refined {
  AffineOffsets a;
  AffineOffsets b;
};

/// One side's modes, taken apart from the first on.
class ModeReader {
 public:
  explicit ModeReader(const FlatModes& modes) : modes_(modes) {}
  /// The rest of the mode; 1 at the end.
  Index extent() {
    if (extent_ == 1 && next_ < modes_.count()) {
      extent_ = modes_.shape[next_];
      stride_ = modes_.stride[next_++];
    }
    return extent_;
  }
  /// Splits the first `extent` off. False where that does not divide the mode.
  bool take(Index extent, AffineOffsets& out) {
    if (extent_ % extent != 0 || stride_ < 0) return false;
    out.extents.push_back(extent);
    out.strides.push_back(stride_);
    extent_ /= extent;
    if (extent_ != 1) stride_ = checked_mul(stride_, extent, "offset");
    return true;
  }

 private:
  const FlatModes& modes_;
  int next_ = 0;
  Index extent_ = 1;
  Index stride_ = 0;
};

void require_no_overflow(const AffineOffsets& offsets) {
  Index largest = offsets.offset;
  for (std::size_t i = 0; i < offsets.extents.size(); ++i) {
    const Index reached = checked_mul(offsets.extents[i] - 1, offsets.strides[i], "offset");
    largest = checked_add(largest, reached, "offset");
  }
}

std::optional<Refined> refined(const ComposedLayout& a, const FlatModes& modes_a,
                               const ComposedLayout& b, const FlatModes& modes_b) {
  if (a.offset() < 0 || b.offset() < 0) return std::nullopt;
  if (!modes_a.paths.empty() || !modes_b.paths.empty()) return std::nullopt;
  Refined both{AffineOffsets{a.offset(), {}, {}}, AffineOffsets{b.offset(), {}, {}}};
  ModeReader left(modes_a);
  ModeReader right(modes_b);
  for (;;) {
    const Index common = std::min(left.extent(), right.extent());
    if (common == 1) break;
    if (!left.take(common, both.a) || !right.take(common, both.b)) return std::nullopt;
  }
  require_no_overflow(both.a);
  require_no_overflow(both.b);
  return both;
}

/// A sum of functions (-1)^parity of the coordinates' digits with weights modulo 2^64. On a domain
/// of all digits these functions are independent: the sum is 0 everywhere only without any.
class SignSum {
 public:
  void add(const Parity& parity, std::uint64_t weight) {
    const std::uint64_t signed_weight = parity.constant ? 0 - weight : weight;
    const auto found = std::find_if(terms_.begin(), terms_.end(),
                                    [&](const Term& term) { return term.digits == parity.digits; });
    if (found != terms_.end()) {
      found->weight += signed_weight;
    } else {
      terms_.push_back({parity.digits, signed_weight});
    }
  }
  /// Adds sign * 2 * offsets: twice a digit is 1 - (-1)^digit.
  void add(const AffineOffsets& offsets, std::uint64_t sign) {
    add(Parity{}, sign * 2 * static_cast<std::uint64_t>(offsets.offset));
    std::size_t digit = 0;
    for (std::size_t mode = 0; mode < offsets.extents.size(); ++mode) {
      auto weight = sign * static_cast<std::uint64_t>(offsets.strides[mode]);
      for (Index last = offsets.extents[mode] - 1; last != 0; last >>= 1, weight *= 2) {
        Parity only;
        only.digits.set(digit++);
        add(Parity{}, weight);
        add(only, 0 - weight);
      }
    }
  }
  [[nodiscard]] bool is_zero() const {
    return std::all_of(terms_.begin(), terms_.end(),
                       [](const Term& term) { return term.weight == 0; });
  }

 private:
  struct Term {
    std::bitset<layout::kMostDigits> digits;
    std::uint64_t weight;
  };
  std::vector<Term> terms_;
};

/// The parity that a swizzle XORs into bit `place`. Nothing where that is no parity.
std::optional<Parity> xored_into(int place, const Swizzle& swizzle, const AffineOffsets& offsets) {
  if ((swizzle.target_mask() >> place & 1) == 0) return Parity{};
  return offsets.parity(place + swizzle.shift());
}

enum class Answer { same, different, open };

/// Compares offset + 2^place * (1 - 2 * target bit) * source bit, summed over the swizzle's places,
/// as sums of signs. As long as nothing is XORed in below, the lowest place is decided by its bit
/// alone: the rest of the difference is a sum of multiples of coordinates, whose lowest bit is a
/// parity, and so the XOR of what both sides put there has to be one.
Answer compare_bits(const Swizzle& swizzle_a, const Swizzle& swizzle_b, const Refined& both) {
  SignSum difference;
  difference.add(both.a, 1);
  difference.add(both.b, ~std::uint64_t{0});
  const auto add_swizzled = [&](const AffineOffsets& offsets, const Parity& source, int place,
                                std::uint64_t sign) {
    if (source.is_zero()) return true;
    const std::optional<Parity> target = offsets.parity(place);
    if (!target) return false;
    difference.add(*target, sign << place);
    difference.add(*target ^ source, 0 - (sign << place));
    return true;
  };
  bool nothing_below = true;
  for (int place = 0; place < 62; ++place) {
    const std::optional<Parity> source_a = xored_into(place, swizzle_a, both.a);
    const std::optional<Parity> source_b = xored_into(place, swizzle_b, both.b);
    if (!source_a || !source_b) {
      return nothing_below && (source_a || source_b) ? Answer::different : Answer::open;
    }
    if (!add_swizzled(both.a, *source_a, place, 1)) return Answer::open;
    if (!add_swizzled(both.b, *source_b, place, ~std::uint64_t{0})) return Answer::open;
    nothing_below = nothing_below && source_a->is_zero() && source_b->is_zero();
  }
  if (difference.is_zero()) return Answer::same;
  const bool all_digits = std::all_of(both.a.extents.begin(), both.a.extents.end(), [](Index n) {
    return std::has_single_bit(static_cast<std::uint64_t>(n));
  });
  return all_digits ? Answer::different : Answer::open;
}

/// Coordinates with at most two binary digits set, where unequal functions mostly differ.
bool differ_at_two_digits(const ComposedLayout& a, const ComposedLayout& b, const Refined& both) {
  std::vector<Index> digits{0};
  Index place = 1;
  for (const Index extent : both.a.extents) {
    for (Index digit = 1; digit < extent; digit *= 2) {
      digits.push_back(digit * place);
      if (digit > extent / 2) break;
    }
    place *= extent;
  }
  for (const Index first : digits) {
    for (const Index second : digits) {
      const Index coordinate = first == second ? first : first + second;
      if (coordinate < place && a(coordinate) != b(coordinate)) return true;
    }
  }
  return false;
}

bool same_by_walking(const ComposedLayout& a, const ComposedLayout& b, Index count) {
  constexpr Index kMost = Index{1} << 24;
  for (Index i = 0; i < std::min(count, kMost); ++i) {
    if (a(i) != b(i)) return false;
  }
  if (count <= kMost) return true;
  layout::refuse(ErrorCode::unsupported, "layout", to_string(a),
                 "layouts behind different swizzles, whose offsets carry across the swizzled bits, "
                 "must have at most 2^24 coordinates to be compared",
                 std::to_string(kMost));
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
  if (const std::optional<Refined> both = refined(a, modes_a, b, modes_b)) {
    const Answer answer = compare_bits(a.swizzle(), b.swizzle(), *both);
    if (answer != Answer::open) return answer == Answer::same;
    if (differ_at_two_digits(a, b, *both)) return false;
  }
  return same_by_walking(a, b, count);
}

}  // namespace jute
