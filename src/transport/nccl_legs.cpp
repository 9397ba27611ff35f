// Pieces of exchanges, and the staging memory of those with gaps.
#include "transport/nccl_legs.hpp"

#include <algorithm>

namespace jute::transport {

std::vector<Leg> legs_of(const std::vector<PeerTransfer>& transfers, Index rank, Staging& staging) {
  constexpr Index kAlignment = 256;
  std::vector<Leg> result;
  Index staged = 0;
  for (const PeerTransfer& transfer : transfers) {
    const Index bytes = byte_count(transfer);
    if (transfer.peer == rank || bytes == 0) continue;
    const bool is_whole = is_one_piece(transfer.regions);
    result.push_back({&transfer,
                      is_whole ? transfer.regions.front().base : static_cast<DevicePointer>(staged),
                      bytes, !is_whole});
    if (!is_whole) staged += (bytes + kAlignment - 1) / kAlignment * kAlignment;
  }
  if (staged == 0) return result;
  const DevicePointer base = staging.of(staged);
  for (Leg& leg : result)
    if (leg.is_staged) leg.base += base;
  return result;
}

std::vector<Index> peers_of(const Exchange& exchange, Index rank) {
  std::vector<Index> peers;
  for (const auto* transfers : {&exchange.sends, &exchange.receives})
    for (const PeerTransfer& transfer : *transfers)
      if (transfer.peer != rank && byte_count(transfer) > 0 &&
          std::ranges::find(peers, transfer.peer) == peers.end())
        peers.push_back(transfer.peer);
  return peers;
}

}  // namespace jute::transport
