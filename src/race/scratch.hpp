#pragma once
// Operands to time kernels on: several sets of them, so that no launch finds its own in a cache.
#include <jute/gemm/gemm.hpp>
#include <jute/gemm/reference.hpp>
#include <jute/launch/backend.hpp>

#include <vector>

namespace jute::race {

class Scratch {
 public:
  /// Of a completed problem without a range. Takes `most_bytes` at most.
  ///   throws  out_of_memory: one set takes more
  Scratch(Backend& backend, const Problem& problem, Index most_bytes);

  /// The arguments of a launch, by turns of the sets.
  [[nodiscard]] GemmArgs args(int launch) const;
  [[nodiscard]] Index size_bytes() const { return memory_.size_bytes(); }

 private:
  /// One operand in each set.
  struct Part {
    Index offset = 0, bytes = 0;
  };
  [[nodiscard]] Part add(Index bytes);
  void put(const Part& part, int set, std::span<const std::byte> block) const;
  void fill();
  [[nodiscard]] DevicePointer at(const Part& part, int set) const;

  Backend& backend_;
  Problem problem_;
  Part a_, b_, c_, d_, scale_a_, scale_b_, zero_a_, zero_b_, list_, rows_a_, rows_d_;
  std::vector<Part> inputs_, outputs_;
  Index set_bytes_ = 0;
  int sets_ = 1;
  Buffer memory_;
};

}  // namespace jute::race
