#pragma once
// Operands of one case, several times over, so that no contestant finds them in the L2 cache.
#include <jute/race/operand_sets.hpp>

#include "race/device/device_kernels.hpp"
#include "race/results/cases.hpp"

namespace jute::bench {

/// Where the operands of one launch lie; 0 of what is not read, and of what is passed by value.
using Operands = ByTensor<DevicePointer>;
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

/// Rotating sets of what a case reads and writes, drawn on the device; scales, lists and elements
/// that no kernel of the race draws come from the host, and are the same in all sets.
class RotatingSets {
 public:
  RotatingSets(Backend& backend, const DeviceKernels& kernels, const Case& each, Rotation rotation);

  [[nodiscard]] const Rotation& rotation() const { return rotation_; }
  [[nodiscard]] Operands of(int launch) const { return sets_.of(launch); }
  /// Draws every B anew with another deviation: in a chain of products 1/sqrt(K) keeps D's size.
  void refill_b(double sigma) const;
  /// All D to a pattern that no product has: NaN, or far outside what sums of integers reach.
  void poison() const;

 private:
  void draw(TensorRole role, double sigma, int number) const;

  Backend& backend_;
  const DeviceKernels& kernels_;
  const Case& case_;
  int drawn_ = 0;  ///< tensors of a set that have numbers of their own
  Rotation rotation_;
  OperandSets sets_;
};

/// The byte that poison() fills D with.
[[nodiscard]] std::uint8_t poison_byte(DType result);
/// Standard deviation of random operands.
[[nodiscard]] double usual_sigma(DType operand);

}  // namespace jute::bench
