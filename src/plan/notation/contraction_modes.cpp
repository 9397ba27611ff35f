// Letters become modes of a product: classified, laid together, ordered, the sides chosen.
#include <jute/base/checked.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>
#include <jute/plan/notation/contraction_modes.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <utility>

#include "base/format.hpp"
#include "plan/notation/letters.hpp"

namespace jute {
namespace {

using Modes = std::vector<ContractionMode>;

/// The meaning of a letter, from where it stands. A letter of the result along which one operand
/// repeats its elements is the other one's alone.
LetterRole role_of(const plan::LetterAxis& axis) {
  if (!axis.is_in_result) return LetterRole::k;
  const bool is_in_b = axis.is_in.size() > 1 && axis.is_in[1];
  if (axis.is_in[0] && is_in_b) {
    if (axis.strides[0] == 0 && axis.strides[1] != 0) return LetterRole::n;
    if (axis.strides[1] == 0 && axis.strides[0] != 0) return LetterRole::m;
    return LetterRole::batch;
  }
  return axis.is_in[0] ? LetterRole::m : LetterRole::n;
}

Modes classified(const std::vector<plan::LetterAxis>& axes) {
  Modes modes;
  for (const plan::LetterAxis& axis : axes)
    modes.push_back({std::string(1, axis.letter), role_of(axis), axis.extent, axis.strides[0],
                     axis.strides.size() > 1 ? axis.strides[1] : 0, axis.result_stride});
  return modes;
}

/// Does `outer` go on where `inner` ends, in every array?
bool goes_on(const ContractionMode& inner, const ContractionMode& outer) {
  const auto follows = [&](Index ContractionMode::*stride) {
    Index next = 0;
    return !__builtin_mul_overflow(inner.*stride, inner.extent, &next) && outer.*stride == next;
  };
  return inner.role == outer.role && inner.extent > 0 && outer.extent > 0 &&
         follows(&ContractionMode::stride_a) && follows(&ContractionMode::stride_b) &&
         follows(&ContractionMode::stride_d);
}

/// Lays two modes together that lie as one.
bool join_two(Modes& modes) {
  for (auto inner = modes.begin(); inner != modes.end(); ++inner)
    for (auto outer = modes.begin(); outer != modes.end(); ++outer) {
      if (inner == outer || !goes_on(*inner, *outer)) continue;
      inner->letters = outer->letters + inner->letters;
      inner->extent = checked_mul(inner->extent, outer->extent, "extent");
      modes.erase(outer);
      return true;
    }
  return false;
}

/// The side whose letters lie nearest in the result becomes the columns.
bool is_swapped(const Modes& modes) {
  std::optional<Index> nearest;
  LetterRole side = LetterRole::n;
  for (const ContractionMode& mode : modes) {
    const bool is_free = mode.role == LetterRole::m || mode.role == LetterRole::n;
    if (!is_free || (nearest && *nearest <= mode.stride_d)) continue;
    nearest = mode.stride_d;
    side = mode.role;
  }
  return side == LetterRole::m;
}

void swap_sides(ContractionModes& product) {
  std::swap(product.a, product.b);
  for (ContractionMode& mode : product.modes) {
    std::swap(mode.stride_a, mode.stride_b);
    if (mode.role == LetterRole::m)
      mode.role = LetterRole::n;
    else if (mode.role == LetterRole::n)
      mode.role = LetterRole::m;
  }
}

/// By roles; within one the fastest first. Sums have no place in the result: theirs goes by the
/// nearer of their two operands.
void put_in_order(Modes& modes) {
  const auto key = [](const ContractionMode& mode) {
    const auto& [letters, role, extent, a, b, d] = mode;
    const bool is_sum = role == LetterRole::k;
    return std::tuple(role, is_sum ? std::min(a, b) : d, a, b, extent, letters);
  };
  std::ranges::sort(modes, {}, key);
}

/// A side's other modes may join the batch where at least so much stays of it: the widest tile that
/// any chip's tensor cores take. Narrower ones would read the other operand more often than a View
/// of the whole side.
constexpr Index kLeastSide = 256;

std::vector<std::size_t> places_of(const Modes& modes, LetterRole role) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < modes.size(); ++i)
    if (modes[i].role == role) places.push_back(i);
  return places;
}

/// Is a matrix of these strides rows, or columns, one behind the other?
bool is_matrix(const ContractionMode& rows, const ContractionMode& cols,
               Index ContractionMode::*stride) {
  const auto leads = [&](const ContractionMode& inner, const ContractionMode& outer) {
    return (inner.*stride == 1 || inner.extent == 1) &&
           (outer.*stride >= inner.extent || outer.extent == 1);
  };
  return leads(cols, rows) || leads(rows, cols);
}

/// At most one mode a role, and of each array rows and columns.
bool is_of_matrices(const Modes& modes) {
  std::array<ContractionMode, 4> one;
  std::array<int, 4> count{};
  for (const ContractionMode& mode : modes) {
    one[static_cast<std::size_t>(mode.role)] = mode;
    ++count[static_cast<std::size_t>(mode.role)];
  }
  const auto& [m, n, k, batch] = one;
  return std::ranges::all_of(count, [](int each) { return each <= 1; }) &&
         is_matrix(m, k, &ContractionMode::stride_a) &&
         is_matrix(k, n, &ContractionMode::stride_b) && is_matrix(m, n, &ContractionMode::stride_d);
}

/// Both sides but one mode of each given to the batch, and what of it then lies as one joined.
Modes with_batch(Modes modes, std::optional<std::size_t> kept_m,
                 std::optional<std::size_t> kept_n) {
  for (std::size_t i = 0; i < modes.size(); ++i)
    if ((modes[i].role == LetterRole::m && i != kept_m) ||
        (modes[i].role == LetterRole::n && i != kept_n))
      modes[i].role = LetterRole::batch;
  while (join_two(modes)) {
  }
  return modes;
}

/// The modes of a side that may stay alone: its only one, or those that fill tiles.
std::vector<std::optional<std::size_t>> may_stay(const Modes& modes, LetterRole side) {
  const std::vector<std::size_t> places = places_of(modes, side);
  std::vector<std::optional<std::size_t>> staying;
  if (places.empty()) staying.emplace_back();
  for (const std::size_t place : places)
    if (places.size() == 1 || modes[place].extent >= kLeastSide) staying.emplace_back(place);
  return staying;
}

/// A batch of plain matrices, where giving modes to the batch makes one: that with the largest.
Modes as_batch(const Modes& modes) {
  if (is_of_matrices(modes)) return modes;
  Modes best = modes;
  double largest = 0;
  for (const auto& m : may_stay(modes, LetterRole::m))
    for (const auto& n : may_stay(modes, LetterRole::n)) {
      const double size = (m ? static_cast<double>(modes[*m].extent) : 1.0) *
                          (n ? static_cast<double>(modes[*n].extent) : 1.0);
      const Modes given = with_batch(modes, m, n);
      if (size <= largest || !is_of_matrices(given)) continue;
      largest = size;
      best = given;
    }
  return best;
}

}  // namespace

std::string_view name(LetterRole role) {
  constexpr std::array<std::string_view, 4> kNames{"M", "N", "K", "batch"};
  return kNames.at(static_cast<std::size_t>(role));
}

std::vector<ContractionMode> ContractionModes::of(LetterRole role) const {
  Modes found;
  std::ranges::copy_if(modes, std::back_inserter(found),
                       [&](const ContractionMode& mode) { return mode.role == role; });
  return found;
}

Index ContractionModes::extent(LetterRole role) const {
  Index product = 1;
  for (const ContractionMode& mode : of(role))
    product = checked_mul(product, mode.extent, "extent");
  return product;
}

ContractionModes contraction_modes(const Subscripts& subscripts,
                                   std::span<const StridedArray> operands,
                                   std::span<const Index> result_strides_elems) {
  if (operands.empty() || operands.size() > 2)
    refuse(ErrorCode::wrong_arity, "contraction", base::format("{} operands", operands.size()),
           "a product must be of one or two operands: of more, contraction_order says which pairs",
           "2 operands");
  ContractionModes product;
  product.modes = classified(
      plan::letter_axes(plan::with_ranks_of(subscripts, operands), operands, result_strides_elems));
  if (is_swapped(product.modes)) swap_sides(product);
  while (join_two(product.modes)) {
  }
  put_in_order(product.modes);
  product.modes = as_batch(product.modes);
  put_in_order(product.modes);
  return product;
}

}  // namespace jute
