#pragma once
// The types of numbers that CUDA programs pass around.
#include <jute/base/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// One spelling of a type, without const: `unsigned int`, `float4`.
struct NumberType {
  std::string_view spelling;
  std::string_view element;  ///< as jute calls it: "u32"
  int count = 1;             ///< elements in one: 4 of a float4
  int element_bytes = 4;
};

/// Null of another type.
[[nodiscard]] const NumberType* find_number_type(std::string_view spelling);
/// `unsigned int` of `const unsigned int * __restrict__`: no qualifiers, references and pointers.
[[nodiscard]] std::string bare_type(std::string_view type);

}  // namespace jute
