#pragma once
// Operands of one case, several times over, so that no contestant finds them in the L2 cache.
#include <jute/gemm/reference.hpp>

#include "race/device/device_kernels.hpp"
#include "race/results/cases.hpp"

namespace jute::bench {

/// Where the operands of one launch lie; c is 0 where it is not read.
struct Operands {
  DevicePointer a = 0, b = 0, c = 0, d = 0;
  /// For an own epilogue, by their places; 0 of what is passed by value, and of d.
  std::array<DevicePointer, kMostEpilogueInputs> inputs{};
  std::array<DevicePointer, kMostEpilogueOutputs> outputs{};
  DevicePointer ends = 0;                ///< the list of groups, of all sets
  DevicePointer rows_a = 0, rows_d = 0;  ///< tables of rows, likewise
};
/// The inputs that a run passes by value.
inline constexpr double kInputValue = 0.5;

/// How many sets there are, and how many launches a timed graph has: so many milliseconds of
/// nominal work and whole rounds through the sets. Follows from the case alone, so that every
/// contestant runs the same loop.
struct Rotation {
  int sets = 1, launches = 1;
  bool operator==(const Rotation&) const = default;
};
inline constexpr double kGraphMs = 6;
[[nodiscard]] Rotation rotation_of(const Case& each, double graph_ms = kGraphMs);

/// Rotating sets of A, B, C, D and what an own epilogue names, that take at least 256 MiB together,
/// 1024 sets at most.
class OperandSets {
 public:
  OperandSets(Backend& backend, const DeviceKernels& kernels, const Case& each, Rotation rotation);

  [[nodiscard]] const Rotation& rotation() const { return rotation_; }
  [[nodiscard]] Operands of(int launch) const;
  /// Draws every B anew with another deviation: in a chain of products 1/sqrt(K) keeps D's size.
  void refill_b(double sigma) const;
  /// All D to a pattern that no product has: NaN, or far outside what sums of integers reach.
  void poison() const;

 private:
  [[nodiscard]] Buffer list_of(GroupIndex index, const std::vector<Index>& entries) const;
  void fill(DevicePointer target, Index bytes, DType type, double sigma, int seed) const;

  /// Operands with numbers of their own: A, B, C and the inputs.
  [[nodiscard]] int operands_a_set() const { return 3 + static_cast<int>(bytes_.inputs.size()); }

  Backend& backend_;
  const DeviceKernels& kernels_;
  const Case& case_;
  OperandBytes bytes_;  ///< each a whole number of lines of memory
  Index set_bytes_;
  Rotation rotation_;
  Buffer memory_, list_, rows_a_, rows_d_;
};

/// The byte that poison() fills D with.
[[nodiscard]] std::uint8_t poison_byte(DType result);
/// Standard deviation of random operands.
[[nodiscard]] double usual_sigma(DType operand);

}  // namespace jute::bench
