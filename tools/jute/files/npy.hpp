#pragma once
// Arrays in numpy's .npy format.
#include <jute/base/error.hpp>
#include <jute/base/types.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/files.hpp"

namespace jute::command {

/// A .npy file's content. A regular value.
struct NpyArray {
  std::string descr;           ///< numpy's spelling of the element type: "<f4"
  bool fortran_order = false;  ///< the first index is contiguous
  std::vector<Index> shape;
  std::vector<std::byte> bytes;  ///< the elements as the file has them
  bool operator==(const NpyArray&) const = default;
};

/// Versions 1.0 to 3.0, little endian. The element count must be exactly what the file holds.
///   throws  bad_file: one sentence on what is wrong; file_not_found, file_unreadable
///   source  NumPy Enhancement Proposal 1 and numpy.lib.format
[[nodiscard]] NpyArray read_npy(const std::string& path);
/// The same without elements, which a large file has many of.
///   needs  no pipe: what is read of one is gone
[[nodiscard]] NpyArray read_npy_header(const std::string& path);
/// `name` is how messages call the file.
[[nodiscard]] NpyArray parse_npy(std::vector<std::byte> file, const std::string& name);

/// Magic, version and header of an array, padded to 64 bytes as numpy does.
[[nodiscard]] std::string npy_header(const NpyArray& array);
void write_npy(OutputFile& file, const NpyArray& array);

/// How an element type travels: f16 `<f2`, …; bf16 as `<u2`, the 8-bit floats as `|u1`, tf32 as
/// `<f4`.
[[nodiscard]] std::string_view npy_descr(DType type);
/// Rounds the elements of a `<f2`, `<f4` or `<f8` array to another floating type, to nearest even.
/// An array of integers or bits, or one that travels as `type` already, stays as it is.
///   gives  the type that they had, where they are of another one now
std::optional<DType> round_elements(NpyArray& array, DType type);
/// How messages call an array, and what may be typed before the name of its type: `--type `,
/// `--input-type bias=`.
struct TypedName {
  std::string file, option;
};
/// What the elements are. `asked` says what the bits of `<u2`, `|u1` and `<f4` mean.
///   throws  unsupported: no element type, or one that does not travel as `asked`
[[nodiscard]] DType element_type(const NpyArray& array, std::optional<DType> asked,
                                 const TypedName& name);
/// The usual type where the elements travel as it does, else what the file says that they are.
///   throws  as element_type does
[[nodiscard]] DType usual_or_own_type(const NpyArray& array, DType usual, const TypedName& name);

}  // namespace jute::command
