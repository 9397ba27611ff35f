#pragma once
// Ranks that are processes of any hosts: they meet at a port of rank 0's host.
#include <jute/base/export.hpp>
#include <jute/launch/communicator.hpp>

#include <chrono>
#include <memory>
#include <string>

namespace JUTE_API jute {

struct TcpRendezvousOptions {
  Index rank = 0, size = 1;
  std::chrono::milliseconds deadline{30000};  ///< of each wait for another rank
  /// Who knows it may join, 16 bytes or more; each side proves to the other that it does. Empty:
  /// whoever reaches a loopback address may.
  std::string secret = {};
};

/// Rank 0 listens there, the others connect to it; HOST is a name or an address ([::1] of IPv6).
/// Connections stay open: a process that ends without a word is missed at once, a host that is gone
/// within seconds. Strangers who connect are sent away, and nobody waits for them. What ranks say
/// is not encrypted.
///   example  nccl_communicator(tcp_rendezvous("node7:29600", {.rank = rank, .size = 16}))
///   throws   out_of_range: no such rank; syntax: not HOST:PORT; unwritable: rank 0 cannot listen
///            there; illegal_config: no secret, or a short one, where HOST is no loopback address;
///            CommunicationFailed: a rank does not come
[[nodiscard]] std::unique_ptr<Rendezvous> tcp_rendezvous(const std::string& place,
                                                         const TcpRendezvousOptions& options);

}  // namespace jute
