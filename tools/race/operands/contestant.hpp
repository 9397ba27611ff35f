#pragma once
// Who races: ways to compute one product.
#include <jute/gemm/gemm.hpp>

#include <functional>
#include <string>
#include <vector>

#include "race/operands/operand_sets.hpp"
#include "race/results/results.hpp"

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

/// The libraries that race against jute.
struct PeerLibraries {
  std::string description;  ///< which they are
  /// Every way they have to compute a case. `example`: operands that lie as those of every launch
  /// do. They use `stream`, and live as long as this and no longer.
  std::function<std::vector<Contestant>(const Case&, const Operands& example, Stream)> contestants;
};
/// Loads them where a device is current; empty where nobody races against jute.
///   throws  launch_failed: a library does not start
using OpenPeers = std::function<PeerLibraries(Backend&)>;

}  // namespace jute::bench
