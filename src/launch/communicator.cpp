// The texts of any communicator.
#include <jute/base/refuse.hpp>
#include <jute/launch/communicator.hpp>

#include "base/format.hpp"

namespace jute {

Index byte_count(const PeerTransfer& transfer) {
  Index bytes = 0;
  for (const Region& region : transfer.regions) bytes += region.rows * region.row_bytes;
  return bytes;
}

std::string_view name(CollectiveKind kind) {
  return kind == CollectiveKind::all_reduce ? "all-reduce" : "reduce-scatter";
}

void Communicator::reduce(const Collective& collective, Stream /*stream*/) {
  jute::refuse(
      ErrorCode::unsupported, "reduce", "nccl",
      base::format("the transport must add by itself, as NCCL does, in step {}", collective.step),
      "ordered");
}

namespace {

Error error_of(const CommunicationFault& fault) {
  const std::string peer = fault.peer < 0 ? "any" : std::to_string(fault.peer);
  return {.code = ErrorCode::communication_failed,
          .operand = fault.step,
          .value = fault.what,
          .violated_rules = {"every rank must come to each step within the deadline"},
          .detail = base::format("rank {}, step {}, peer {}, waited {:.3f} s", fault.rank,
                                 fault.step, peer, fault.waited_s)};
}

}  // namespace

CommunicationFailed::CommunicationFailed(CommunicationFault fault)
    : Exception(error_of(fault)), fault_(std::move(fault)) {}

void require_agreement(Rendezvous& rendezvous, std::string_view what, const std::string& own) {
  const std::vector<std::string> all = rendezvous.gather_texts(what, own);
  for (std::size_t rank = 1; rank < all.size(); ++rank)
    if (all[rank] != all[0])
      throw CommunicationFailed(
          {.rank = rendezvous.rank(),
           .step = std::string(what),
           .peer = static_cast<Index>(rank),
           .what = base::format("of rank 0 {}, of rank {} {}; it must be the same on all ranks",
                                all[0], rank, all[rank])});
}

}  // namespace jute
