// Files as operands: their shapes, their orders, other strides.
#include "files/array_file.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/joined.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

#include "files/file_matrix.hpp"
#include "tree/command_tree.hpp"

namespace jute::command {
namespace {

ArrayFile laid_as_in_file(const std::string& path, NpyArray array) {
  StridedArray lies{array.shape, packed_strides(array.shape)};
  if (array.fortran_order) {
    std::vector<Index> reversed(array.shape.rbegin(), array.shape.rend());
    lies.strides_elems = packed_strides(reversed);
    std::ranges::reverse(lies.strides_elems);
  }
  return {path, std::move(array), std::move(lies)};
}

std::string coordinate_text(const std::vector<Index>& extents) {
  const auto last = [](Index extent) { return std::to_string(std::max<Index>(extent - 1, 0)); };
  return "(" + joined(extents, last, ",") + ")";
}

}  // namespace

std::vector<Index> whole_numbers(const std::string& option, const std::string& text,
                                 const std::string& example) {
  std::vector<Index> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    const auto [stop, status] = std::from_chars(at, end, numbers.emplace_back());
    if (status != std::errc() || (stop != end && *stop != ','))
      throw UsageError(option + " " + text, "it must be whole numbers, as in " + example);
    at = stop == end ? end : stop + 1;
  }
  return numbers;
}

ArrayFile read_array(const std::string& path) { return laid_as_in_file(path, read_npy(path)); }

ArrayFile read_array_header(const std::string& path) {
  return laid_as_in_file(path, read_npy_header(path));
}

Index element_count(const NpyArray& array) {
  Index count = 1;
  for (const Index extent : array.shape) count = checked_mul(count, extent, "elements");
  return count;
}

void lay_otherwise(ArrayFile& file, const std::string& option, const std::string& strides,
                   const std::vector<Index>& extents) {
  std::vector<Index> numbers = whole_numbers(option, strides, "4096,64,1");
  if (numbers.size() != extents.size())
    throw UsageError(option,
                     "it needs " + std::to_string(extents.size()) + " numbers, one for each axis");
  Index last = 0;
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] < 1) last = -1;
    if (last < 0) break;
    last = checked_add(last, checked_mul(extents[i] - 1, std::max<Index>(numbers[i], 0)));
  }
  if (const Index count = element_count(file.array); last >= count)
    refuse_data(option, strides,
                "the last element must lie inside the file: " + coordinate_text(extents) +
                    " is element " + std::to_string(last) + " of " + file.name + ", which has " +
                    std::to_string(count));
  file.lies = {extents, std::move(numbers)};
}

}  // namespace jute::command
