#pragma once
// What of an exchange goes by NCCL: one piece for each other rank, staged where it has gaps.
#include <jute/launch/communicator.hpp>

#include <vector>

#include "transport/gpu.hpp"

namespace jute::transport {

/// A transfer to or from another rank: where its bytes lie in one piece.
struct Leg {
  const PeerTransfer* transfer;
  DevicePointer base;
  Index bytes;
  bool is_staged;  ///< in staging memory: its regions are copied
  [[nodiscard]] std::vector<Region> place() const { return in_one_piece(base, bytes); }
};
/// The legs of all transfers with bytes but those of the rank to itself.
[[nodiscard]] std::vector<Leg> legs_of(const std::vector<PeerTransfer>& transfers, Index rank,
                                       Staging& staging);
/// The other ranks that it has bytes for, or of.
[[nodiscard]] std::vector<Index> peers_of(const Exchange& exchange, Index rank);

}  // namespace jute::transport
