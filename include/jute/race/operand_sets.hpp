#pragma once
// Operands of one problem, several times over, so that no launch finds its own in a cache.
#include <jute/base/export.hpp>
#include <jute/launch/backend.hpp>
#include <jute/plan/ask/problem_tensors.hpp>

#include <cstddef>
#include <cstdint>
#include <span>

namespace JUTE_API jute {

/// Of one set, each tensor from a line of memory of its own.
[[nodiscard]] Index set_bytes(const ByTensor<Index>& bytes);
/// How many sets take 256 MiB together, which no L2 cache holds; from 1 to 1024.
[[nodiscard]] int usual_sets(Index set_bytes);

/// Memory of so many sets, on a device.
class OperandSets {
 public:
  ///   throws  out_of_memory
  OperandSets(Backend& backend, const ByTensor<Index>& bytes, int sets);

  [[nodiscard]] int sets() const { return sets_; }
  [[nodiscard]] Index size_bytes() const { return memory_.size_bytes(); }
  /// Bytes of a tensor in each set.
  [[nodiscard]] Index bytes(TensorRole role) const { return bytes_[role]; }
  /// By turns of the sets; 0 of what takes none.
  [[nodiscard]] ByTensor<DevicePointer> of(int launch) const;
  /// The block again and again, over a tensor of every set.
  void put(TensorRole role, std::span<const std::byte> block) const;
  void fill(TensorRole role, std::uint8_t byte) const;

 private:
  Backend& backend_;
  ByTensor<Index> bytes_, offsets_{};
  Index set_bytes_ = 0;
  int sets_ = 1;
  Buffer memory_;
};

}  // namespace jute
