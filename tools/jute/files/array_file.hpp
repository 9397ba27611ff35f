#pragma once
// Arrays of any number of axes in .npy files, as operands of contractions and convolutions.
#include <jute/plan/notation/contraction_modes.hpp>

#include <string>

#include "files/npy_file.hpp"

namespace jute::command {

struct ArrayFile {
  std::string name;
  NpyArray array;
  StridedArray lies;  ///< by the file's shape and order
};
/// throws  what read_npy throws
[[nodiscard]] ArrayFile read_array(const std::string& path);
/// The same without elements.
[[nodiscard]] ArrayFile read_array_header(const std::string& path);

/// How many elements the file holds.
[[nodiscard]] Index element_count(const NpyArray& array);

/// Whole numbers with commas between them: `65536,128,0`.
///   throws  UsageError: something else stands there; shows the example
[[nodiscard]] std::vector<Index> whole_numbers(const std::string& option, const std::string& text,
                                               const std::string& example);

/// Other strides than the file's own, `65536,128,0`, of axes that are so long.
///   throws  UsageError: no numbers, or not one an axis; illegal_problem: the last element lies
///           behind the file's end; names its coordinate
void lay_otherwise(ArrayFile& file, const std::string& option, const std::string& strides,
                   const std::vector<Index>& extents);

}  // namespace jute::command
