#pragma once
// A file as flat memory, in which a View says where an operand's elements lie.
#include "files/file_matrix.hpp"

namespace jute::command {

/// An operand's file, and the flags that say how it is read.
struct OperandFile {
  char operand = 'a';
  std::string path, layout;  ///< of --layout-a; empty: the file's own shape and order
  Stored stored = Stored::as_used;
  /// For --type-a. With a View elements of 4 bits lie two a byte in whatever whole numbers the file
  /// has, words of checkpoints among them, the first in the lowest bits.
  std::optional<DType> type{};
};
enum class Elements : std::uint8_t { left, read };

/// A matrix as the flags have it. Of one with a View extents are the View's, whatever shape the
/// file has, and its elements are counted as they stand in the file.
///   throws  illegal_problem: a coordinate of the View reaches past the file, which is named;
///           UsageError: a View together with --transpose-a; what read_layout and read_npy throw
[[nodiscard]] FileMatrix read_operand(const OperandFile& file, Elements elements);

}  // namespace jute::command
