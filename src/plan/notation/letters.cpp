// Letters and arrays, held against each other.
#include "plan/notation/letters.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <utility>

#include "base/format.hpp"

namespace jute::plan {
namespace {

bool is_of_ellipsis(char letter) { return letter >= '0' && letter <= '9'; }

std::string axis_name(std::size_t operand, char letter) {
  return is_of_ellipsis(letter) ? base::format("operand {}, an axis of its ellipsis", operand + 1)
                                : base::format("operand {}, axis {}", operand + 1, letter);
}

void check_extent(const std::string& axis, Index extent) {
  if (extent >= 0) return;
  refuse(ErrorCode::out_of_range, axis, std::to_string(extent), "an extent must not be negative",
         "0");
}

/// One more place at which a letter has an extent; `first` is the operand that said it before. An
/// extent of 1 is repeated, but along an operand's own diagonal.
void agree(LetterExtent& known, std::size_t& first, std::size_t operand, Index extent) {
  if (known.extent == extent) return;
  const bool is_diagonal = first == operand;
  if (!is_diagonal && extent == 1) return;
  if (!is_diagonal && known.extent == 1) {
    known.extent = extent;
    first = operand;
    return;
  }
  refuse(ErrorCode::not_compatible, axis_name(operand, known.letter), std::to_string(extent),
         base::format("a letter must have one extent: it is {} in operand {}", known.extent,
                      first + 1),
         std::to_string(known.extent));
}

/// The strides of an array, none of them negative where there are elements to step to.
std::vector<Index> checked_strides(const std::string& what, const StridedArray& array) {
  if (array.strides_elems.empty()) return packed_strides(array.extents);
  if (array.strides_elems.size() != array.extents.size())
    refuse(ErrorCode::wrong_arity, what, base::format("{} strides", array.strides_elems.size()),
           "it needs one stride for each of its axes",
           base::format("{} strides", array.extents.size()));
  for (std::size_t i = 0; i < array.extents.size(); ++i)
    if (array.extents[i] > 1 && array.strides_elems[i] < 0)
      refuse(ErrorCode::out_of_range, base::format("{}, stride of axis {}", what, i),
             std::to_string(array.strides_elems[i]),
             "a stride must not be negative: begin at the array's last element along the axis, or "
             "copy the array",
             std::to_string(-(array.strides_elems[i] + 1) + 1));
  return array.strides_elems;
}

/// Letters of an array that is `extents` long where each axis is that long.
StridedArray result_array(const Subscripts& subscripts, const std::vector<LetterExtent>& extents,
                          std::span<const Index> strides) {
  StridedArray result{.extents = {}, .strides_elems = {strides.begin(), strides.end()}};
  for (const char letter : subscripts.result)
    result.extents.push_back(std::ranges::find(extents, letter, &LetterExtent::letter)->extent);
  return result;
}

}  // namespace

Subscripts with_ranks_of(const Subscripts& subscripts, std::span<const StridedArray> operands) {
  std::vector<std::size_t> ranks;
  for (const StridedArray& array : operands) ranks.push_back(array.extents.size());
  return with_ranks(subscripts, ranks);
}

std::vector<LetterExtent> letter_extents(const Subscripts& subscripts,
                                         std::span<const StridedArray> operands) {
  std::vector<LetterExtent> extents;
  std::vector<std::size_t> first;  // operand that said each extent
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const std::string& letters = subscripts.operands[i];
    for (std::size_t axis = 0; axis < letters.size(); ++axis) {
      const Index extent = operands[i].extents[axis];
      check_extent(axis_name(i, letters[axis]), extent);
      const auto known = std::ranges::find(extents, letters[axis], &LetterExtent::letter);
      if (known != extents.end()) {
        agree(*known, first[static_cast<std::size_t>(known - extents.begin())], i, extent);
        continue;
      }
      extents.push_back({letters[axis], extent});
      first.push_back(i);
    }
  }
  return extents;
}

std::vector<LetterAxis> letter_axes(const Subscripts& subscripts,
                                    std::span<const StridedArray> operands,
                                    std::span<const Index> result_strides_elems) {
  const std::vector<LetterExtent> extents = letter_extents(subscripts, operands);
  std::vector<LetterAxis> axes;
  for (const auto& [letter, extent] : extents)
    if (extent != 1)
      axes.push_back({letter, extent, false, std::vector<bool>(operands.size(), false),
                      std::vector<Index>(operands.size(), 0), 0});
  const auto find = [&](char letter) {
    return std::ranges::find(axes, letter, &LetterAxis::letter);
  };
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const auto strides = checked_strides(base::format("operand {}", i + 1), operands[i]);
    for (std::size_t axis = 0; axis < strides.size(); ++axis) {
      const auto known = find(subscripts.operands[i][axis]);
      if (known == axes.end() || operands[i].extents[axis] == 1) continue;
      known->is_in[i] = true;
      known->strides[i] = checked_add(known->strides[i], strides[axis], "stride");
    }
  }
  const StridedArray result = result_array(subscripts, extents, result_strides_elems);
  const auto strides = checked_strides("the result", result);
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    const auto known = find(subscripts.result[axis]);
    if (known == axes.end()) continue;
    known->is_in_result = true;
    known->result_stride = strides[axis];
  }
  return axes;
}

}  // namespace jute::plan

namespace jute {

std::vector<Index> packed_strides(std::span<const Index> extents) {
  std::vector<Index> strides(extents.size(), 1);
  for (std::size_t i = extents.size(); i-- > 1;)
    strides[i - 1] = checked_mul(strides[i], std::max<Index>(extents[i], 1), "stride");
  return strides;
}

std::vector<Index> result_extents(const Subscripts& subscripts,
                                  std::span<const StridedArray> operands) {
  const Subscripts named = plan::with_ranks_of(subscripts, operands);
  return plan::result_array(named, plan::letter_extents(named, operands), {}).extents;
}

}  // namespace jute
