// Summands that stay where they were made: each rank reads them there and adds what it needs.
#include "dist/in_place.hpp"

#include <map>
#include <utility>

#include "base/format.hpp"

namespace jute::dist {
namespace {

/// Kernels take an address for each rank that they meet.
constexpr Index kMostAtBarrier = 64;
constexpr Index kReadAlignment = 256;  // as of what has a buffer of its own

bool is_one_run(const std::vector<IndexRun>& runs, Index extent) {
  return runs.size() == 1 && runs.front().to == 0 && runs.front().count == extent;
}

std::string fault_of(const DistributedPlan& plan, const ExchangeStep& exchange,
                     const Parcel& parcel) {
  const RankBuffer& from = plan.buffers[exchange.from];
  const RankBuffer& to = plan.buffers[exchange.to[static_cast<std::size_t>(parcel.summand)]];
  const auto extents = part_extents(plan.problem.mesh, to.held, parcel.receiver);
  if (!is_one_run(parcel.runs[0], extents[0]) || !is_one_run(parcel.runs[1], extents[1]))
    return base::format("what rank {} reads of rank {} must be all of a summand in one piece",
                        parcel.receiver, parcel.sender);
  const Index first = element_at(from, parcel.runs[0].front().from, parcel.runs[1].front().from);
  if (first * width_bytes(from.type) % kReadAlignment != 0)
    return base::format("what rank {} reads of rank {} must begin at a multiple of {} bytes",
                        parcel.receiver, parcel.sender, kReadAlignment);
  return {};
}

}  // namespace

std::string fault_in_place(const DistributedPlan& plan, const ExchangeStep& exchange) {
  const RankBuffer& from = plan.buffers[exchange.from];
  if (from.is_callers) return "what is read in place must be made by a step";
  if (rank_count(plan.problem.mesh) > kMostAtBarrier)
    return base::format("at most {} ranks must meet", kMostAtBarrier);
  for (const std::size_t to : exchange.to) {
    const RankBuffer& buffer = plan.buffers[to];
    if (buffer.order != from.order || buffer.ld_elems != from.ld_elems || buffer.type != from.type)
      return base::format("{} must have the order and leading dimension of {}", buffer.name,
                          from.name);
  }
  std::map<std::pair<Index, Index>, Index> parcels;  // by receiver and summand
  for (const Parcel& parcel : exchange.parcels) {
    if (std::string fault = fault_of(plan, exchange, parcel); !fault.empty()) return fault;
    if (++parcels[{parcel.receiver, parcel.summand}] > 1)
      return base::format("rank {} must read summand {} of one rank", parcel.receiver,
                          parcel.summand);
  }
  return {};
}

}  // namespace jute::dist
