#pragma once
// The tensors of a problem: a value for each, and the matrix that each is.
#include <jute/base/export.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace JUTE_API jute {

/// One value for each tensor of a run.
template <class T>
struct ByTensor {
  std::array<T, kTensorRoles> all{};

  [[nodiscard]] constexpr T& operator[](TensorRole role) {
    return all[static_cast<std::size_t>(role)];
  }
  [[nodiscard]] constexpr const T& operator[](TensorRole role) const {
    return all[static_cast<std::size_t>(role)];
  }
  bool operator==(const ByTensor&) const = default;
};

inline constexpr std::array<TensorRole, kTensorRoles> kAllTensors = [] {
  std::array<TensorRole, kTensorRoles> roles{};
  for (std::size_t i = 0; i < roles.size(); ++i) roles[i] = static_cast<TensorRole>(i);
  return roles;
}();

[[nodiscard]] constexpr bool is_input(TensorRole role) {
  return role >= TensorRole::first_input && role < TensorRole::first_output;
}
[[nodiscard]] constexpr bool is_output(TensorRole role) {
  return role >= TensorRole::first_output && role < TensorRole::ends;
}
/// Is it D, or an output of the epilogue?
[[nodiscard]] constexpr bool is_written(TensorRole role) {
  return role == TensorRole::d || is_output(role);
}

/// May problems have a matrix that is this tensor? Lists and tables are none.
[[nodiscard]] bool is_matrix(TensorRole role);
/// Is it numbers of an operand's blocks, which are BlockValues?
[[nodiscard]] bool is_of_blocks(TensorRole role);
/// Whose blocks these are, A's or B's, and what a problem says of them.   needs  is_of_blocks
[[nodiscard]] TensorRole operand_of_blocks(TensorRole role);
[[nodiscard]] std::optional<BlockValues>& numbers_of_blocks(Problem& problem, TensorRole role);
/// The content of a matrix.
enum class TensorContent : std::uint8_t { elements, scales, zero_points };
[[nodiscard]] TensorContent content_of(TensorRole role);

/// The matrix in which a problem says how a tensor lies; null of what it has not, of lists and
/// tables, of inputs that are passed by value, and of the output that is D.
[[nodiscard]] Matrix* matrix_of(Problem& problem, TensorRole role);
[[nodiscard]] const Matrix* matrix_of(const Problem& problem, TensorRole role);

/// Extents of a matrix in memory: rows × cols, `batch` times.
struct MatrixExtents {
  Index rows = 0, cols = 0, batch = 0;
  bool operator==(const MatrixExtents&) const = default;
};
///   needs   a completed problem that has the matrix, and its D for outputs
[[nodiscard]] MatrixExtents extents_of(const Problem& problem, TensorRole role);

}  // namespace jute
