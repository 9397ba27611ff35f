#pragma once
// What a race is run between.
#include <jute/gemm/gemm.hpp>

#include <functional>
#include <string>

#include "bench/peers/operand_sets.hpp"
#include "bench/results/results.hpp"

namespace jute::bench {

/// One way to compute the problem.
struct Contestant {
  Side side = Side::jute;
  std::string name;
  /// Puts one product on the stream that the race uses.
  ///   throws  what the library refuses
  std::function<void(const Operands&)> enqueue;
  double roundoff = 0;  ///< of its accumulator, for the bound of its error
  int registers = 0, spill_bytes = 0;
  std::string refusal;  ///< why it cannot take part; else empty
};

/// Runs a Gemm with a workspace of its own. `stream` outlives it.
[[nodiscard]] Contestant jute_contestant(Backend& backend, const Gemm& gemm, const Case& each,
                                         const std::string& name, Stream stream);

}  // namespace jute::bench
