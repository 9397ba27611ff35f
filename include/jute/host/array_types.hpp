#pragma once
// What numpy, ml_dtypes and torch call jute's element types, and how .npy files hold them.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <optional>
#include <span>
#include <string_view>

namespace JUTE_API jute {

/// A row of the table that whoever reads or makes arrays has.
struct ArrayType {
  DType type;
  std::string_view name;  ///< in the libraries that have it: "float8_e4m3fn"
  /// The spelling in .npy files, "<f4"; of types that numpy has not, of their bits.
  std::string_view npy;
  bool is_numpys = false;  ///< the spelling says the type, and not its bits alone
  int dlpack = -1;         ///< DLPack's code; negative: of none of its types
};
/// A row for each type; tf32, whose arrays are float32's, is the last.
[[nodiscard]] std::span<const ArrayType> array_types();
[[nodiscard]] const ArrayType& array_type(DType type);
/// The type whose elements arrays have under exactly this name.
[[nodiscard]] std::optional<DType> type_of_array(std::string_view name);
[[nodiscard]] std::optional<DType> type_of_dlpack(int code, int bits);

}  // namespace jute
