#pragma once
// How ranks find each other at a port, and know each other from strangers.
#include <jute/ranks/tcp_rendezvous.hpp>

#include <map>

#include "ranks/sockets.hpp"

namespace jute::ranks {

/// Rank 0's lines to all others. Whoever comes and does not prove that it knows the secret, says
/// nothing, or is a rank that is not awaited, is sent away; nobody waits for it.
///   throws  as tcp_rendezvous
[[nodiscard]] std::map<Index, Line> welcomed(const std::string& place,
                                             const TcpRendezvousOptions& options);
/// Another rank's line to rank 0, which has proved that it knows the secret too.
///   throws  as tcp_rendezvous
[[nodiscard]] Line joined(const std::string& place, const TcpRendezvousOptions& options);

}  // namespace jute::ranks
