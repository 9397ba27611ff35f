#pragma once
// Arrays in numpy's .npy format.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/plan/ask/groups.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// A .npy file's content. A regular value.
struct NpyArray {
  std::string descr;           ///< numpy's spelling of the element type: "<f4"
  bool fortran_order = false;  ///< the first index is contiguous
  std::vector<Index> shape;
  std::vector<std::byte> bytes;  ///< the elements as the file has them
  bool operator==(const NpyArray&) const = default;
};

/// Versions 1.0 to 3.0, little endian. The element count must be exactly what the file holds;
/// `name` is how messages call it.
///   throws  bad_file: one sentence on what is wrong
///   source  NumPy Enhancement Proposal 1 and numpy.lib.format
[[nodiscard]] NpyArray parse_npy(std::vector<std::byte> file, const std::string& name);
/// The same without elements, of the file's first bytes: so many, or all that there are.
[[nodiscard]] NpyArray parse_npy_header(std::span<const std::byte> start, const std::string& name);
inline constexpr std::size_t kMostNpyHeaderBytes = (std::size_t{1} << 20) + 12;

/// Magic, version and header of an array, padded to 64 bytes as numpy does.
[[nodiscard]] std::string npy_header(const NpyArray& array);

/// How an element type travels: f16 `<f2`, …; bf16 as `<u2`, the 8-bit floats as `|u1`, tf32 as
/// `<f4`.
[[nodiscard]] std::string_view npy_descr(DType type);
/// Of integers with a sign how wide they are.
[[nodiscard]] std::optional<GroupIndex> index_type(const NpyArray& array);
/// Rounds the elements of a `<f2`, `<f4` or `<f8` array to another floating type, to nearest even.
/// An array of integers or bits, or one that travels as `type` already, stays as it is.
///   gives  the type that they had, where they are of another one now
std::optional<DType> round_elements(NpyArray& array, DType type);
/// How messages call an array, and what may be typed before the name of its type: `--type `,
/// `--input-type bias=`.
struct TypedName {
  std::string file, option;
};
/// The type of the elements. `asked` says what the bits of `<u2`, `|u1` and `<f4` mean.
///   throws  unsupported: no element type, or one that does not travel as `asked`
[[nodiscard]] DType element_type(const NpyArray& array, std::optional<DType> asked,
                                 const TypedName& name);
/// The usual type where the elements travel as it does, else what the file says that they are.
///   throws  as element_type does
[[nodiscard]] DType usual_or_own_type(const NpyArray& array, DType usual, const TypedName& name);

}  // namespace jute
