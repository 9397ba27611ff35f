#pragma once
// Problems drawn at random, legal and awkward: every order, odd strides, misaligned bases, batches.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jute::test {

/// What the elements are, and so how a result is judged.
enum class Fill : std::uint8_t {
  integers,  ///< small whole numbers: any order of operations gives the same bits
  normal,    ///< normal draws: judged by the error bound
  special,   ///< normal draws with a few NaN and infinities among them
};

/// The types of a family of kernels.
struct CaseTypes {
  DType a = DType::f32, b = DType::f32, c = DType::f32, d = DType::f32;
  DType accumulate = DType::f32;
};

struct GemmCase {
  Problem problem;
  Config config;
  double alpha = 1.0, beta = 0.0;
  Fill fill = Fill::integers;
  std::uint64_t seed = 0;
  /// Bytes before and after each operand's buffer that nobody may touch. 0 puts the operand at the
  /// very ends of its allocation, where the emulator sees every step beyond.
  int guard_bytes = 256;
  std::vector<Index> ends{};  ///< of groups: their list
  /// What is prepared, where the problem is a run of it: its Views have other numbers.
  std::optional<Problem> prepared{};
  std::vector<Index> rows_a{}, rows_d{};  ///< of tables of rows: what they name
};
/// The problem, scale factors, filling and seed in one line: enough to see what failed.
[[nodiscard]] std::string to_string(const GemmCase& gemm_case);

/// Extents from 0 to 300 with 0, 1 and primes among them. Numbers `index` … with the same
/// index / kCasesPerClass share orders, alignments and scale kinds, so that most of them share a
/// kernel as well.
[[nodiscard]] GemmCase random_case(const CaseTypes& types, int index);
inline constexpr int kCasesPerClass = 5;

}  // namespace jute::test
