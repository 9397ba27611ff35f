#pragma once
// Matrices as files hold them: read whole, or by their headers; how two of them are multiplied.
#include <jute/plan/ask/problem.hpp>

#include <optional>
#include <string>

#include "files/npy_file.hpp"

namespace jute::command {

/// Which way round a file holds an operand.
enum class Stored : std::uint8_t {
  as_used,     ///< A as (M,K), B as (K,N)
  transposed,  ///< A as (K,M), B as (N,K)
};

/// A matrix or a batch of them, as one file holds it.
struct FileMatrix {
  std::string name;
  NpyArray array;                          ///< as the file has it; a batch in C order
  Index batch = 1, rows = 0, columns = 0;  ///< as the product uses them
  Order order = Order::row;                ///< likewise
  bool batched = false;
  bool pairs_cross_k = false;  ///< of 4 bits: the two of a byte are neighbours along M or N
  std::optional<View> view{};  ///< where they lie in the file, in place of shape and order
};

/// throws  illegal_problem: it has neither two nor three dimensions; what read_npy throws
[[nodiscard]] FileMatrix read_matrix(const std::string& path, Stored stored = Stored::as_used);
/// The same without elements.
[[nodiscard]] FileMatrix read_extents(const std::string& path, Stored stored = Stored::as_used);

/// Fortran order of matrices or vectors with a batch ahead has the batch innermost, which no kernel
/// reads: repacked into C order.
void to_c_order(NpyArray& array, Index element_bytes);

/// How A and B of files are stored: --transpose-a, --transpose-b.
struct StoredOperands {
  Stored a = Stored::as_used, b = Stored::as_used;
};
///   throws  illegal_problem: A has not as many columns as B has rows; offers the options with
///           which it has
void require_product(const FileMatrix& a, const FileMatrix& b, const StoredOperands& stored);

/// An illegal_problem of what files hold.
[[noreturn]] void refuse_data(const std::string& operand, const std::string& value,
                              std::string rule, std::optional<std::string> nearest = std::nullopt);

}  // namespace jute::command
