#pragma once
// The operands of `jute gemm`: from files or from a seed.
#include <jute/gemm/reference.hpp>
#include <jute/host/judging.hpp>
#include <jute/host/operands.hpp>
#include <jute/plan/ask/problem.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/file_matrix.hpp"
#include "files/npy_file.hpp"
#include "options/problem_options.hpp"
#include "options/row_options.hpp"
#include "product/scale_files.hpp"

namespace jute::command {

/// Elements of a file that were rounded, or widened, to what was asked for.
struct Conversion {
  std::string file;
  DType from = DType::f32, to = DType::f32;
};
/// `a.npy f32 -> bf16, rounded to nearest`
[[nodiscard]] std::string to_string(const Conversion& conversion);

/// A problem with its host memory, laid out as the problem says.
struct GemmData {
  Problem problem;                  ///< completed, with the strides that its memory has
  std::optional<MRange> m_range{};  ///< its rows are one of these that are prepared for
  /// Of d it is what it holds before the run; empty: zeros.
  TensorBytes memory{};
  std::vector<double> input_values{};  ///< by their places, of inputs that are passed by value
  bool batched = false;                ///< D has three dimensions
  std::vector<Conversion> conversions{};
  GroupList groups{};  ///< the list of a problem that has groups
  RowLists rows{};     ///< tables of rows, where the problem has them
  /// For a chain: facts about operands that earlier products computed, and whether D is an
  /// operand of another that is judged.
  const ComputedOperand *computed_a = nullptr, *computed_b = nullptr;
  bool is_multiplied_again = false;
  /// Of precision tf32: A and B before tensor cores left out bits of them.
  std::shared_ptr<const std::array<ComputedOperand, 2>> as_f32{};

  /// Judging allows for those bits from now on: the product is of what the files held.
  void keep_f32() {
    as_f32 = std::make_shared<const std::array<ComputedOperand, 2>>(
        std::array{cut_to_tf32(memory[TensorRole::a]), cut_to_tf32(memory[TensorRole::b])});
    computed_a = &as_f32->front(), computed_b = &as_f32->back();
  }
};

struct GemmFiles {
  std::string a, b, c;                ///< c may be empty
  std::vector<std::string> inputs{};  ///< of the epilogue: `bias=bias.npy`, `s=0.5`
  bool transpose_a = false, transpose_b = false;

  [[nodiscard]] StoredOperands stored() const;
};

/// Sizes, orders and types come from the files; flags that are given must agree with them.
///   throws  illegal_problem: ranks or extents do not fit; unsupported: the type of a file;
///           bad_file, file_not_found, file_unreadable
[[nodiscard]] GemmData data_from_files(const ProblemOptions& options, const GemmFiles& files);

/// Checks the operands before their elements are read.
///   throws  as data_from_files does, of extents and flags
void check_files(const ProblemOptions& options, const GemmFiles& files);

/// The type of a file's elements, rounded to the type that is asked for, which `data` then notes.
///   throws  unsupported: the type of a file
[[nodiscard]] DType take_type(NpyArray& array, const std::string& file, std::optional<DType> asked,
                              GemmData& data);
/// Inputs of the epilogue, `bias=bias.npy`, `s=0.5`; its operands get the types and orders of
/// files.
///   throws  UsageError, unknown_name; illegal_problem: another shape; what read_npy throws
void read_inputs(GemmData& data, const std::vector<std::string>& words,
                 const ProblemOptions& options);
///   needs   a completed problem
///   throws  illegal_problem: the epilogue reads an input that is not given
void require_inputs(const GemmData& data);

/// The same seed gives the same bytes everywhere.
[[nodiscard]] GemmData random_data(const ProblemOptions& options, const GemmFiles& files,
                                   std::uint64_t seed, RandomKind kind);

}  // namespace jute::command
