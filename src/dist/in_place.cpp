// Summands that stay where they were made, for each rank reads what it needs there; and summands
// that are stored where they are needed when they are made.
#include "dist/in_place.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/format.hpp"
#include "dist/touched.hpp"

namespace jute::dist {
namespace {

/// Kernels take an address for each rank that they meet.
constexpr Index kMostAtBarrier = 64;
constexpr Index kReadAlignment = 256;  // as of what has a buffer of its own

bool is_one_run(const std::vector<IndexRun>& runs, Index extent) {
  return runs.size() == 1 && runs.front().to == 0 && runs.front().count == extent;
}

std::string fault_of_read(const DistributedPlan& plan, const ExchangeStep& exchange,
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

/// The fault of parcels that kernels read or store in place; empty: none.
std::string fault_of_memory(const DistributedPlan& plan, const ExchangeStep& exchange) {
  const RankBuffer& from = plan.buffers[exchange.from];
  if (rank_count(plan.problem.mesh) > kMostAtBarrier)
    return base::format("at most {} ranks must meet", kMostAtBarrier);
  for (const std::size_t to : exchange.to) {
    const RankBuffer& buffer = plan.buffers[to];
    if (buffer.order != from.order || buffer.ld_elems != from.ld_elems || buffer.type != from.type)
      return base::format("{} must have the order and leading dimension of {}", buffer.name,
                          from.name);
  }
  std::map<std::pair<Index, Index>, Index> parcels;  // by receiver and summand
  for (const Parcel& parcel : exchange.parcels)
    if (++parcels[{parcel.receiver, parcel.summand}] > 1)
      return base::format("rank {} must read summand {} of one rank", parcel.receiver,
                          parcel.summand);
  return {};
}

bool names(const std::vector<TouchedBuffer>& touched, std::size_t buffer) {
  return std::ranges::find(touched, buffer, &TouchedBuffer::buffer) != touched.end();
}

/// A rank whose kernel makes what is not one parcel; -1: none does.
Index rank_without_parcel(const DistributedPlan& plan, const ExchangeStep& exchange,
                          const ProductStep& product) {
  for (Index rank = 0; rank < rank_count(plan.problem.mesh); ++rank) {
    const StepSizes sizes = sizes_of(plan, product, rank);
    const bool is_idle = sizes.m == 0 || sizes.n == 0;
    if (!is_idle && stored_parcel(exchange, product, rank) == nullptr) return rank;
  }
  return -1;
}

}  // namespace

std::string fault_of_stores(const DistributedPlan& plan, const ExchangeStep& exchange) {
  if (std::string fault = fault_of_memory(plan, exchange); !fault.empty()) return fault;
  for (const std::size_t to : exchange.to)
    if (plan.buffers[to].is_callers) return "what kernels store must go to memory of the plan's";
  for (const Parcel& parcel : exchange.parcels) {
    const RankBuffer& to = plan.buffers[exchange.to[static_cast<std::size_t>(parcel.summand)]];
    const auto extents = part_extents(plan.problem.mesh, to.held, parcel.receiver);
    for (const std::size_t dim : {0U, 1U})
      if (!is_one_run(parcel.runs[dim], extents[dim]))
        return base::format("what rank {} stores at rank {} must be all of a summand in one piece",
                            parcel.sender, parcel.receiver);
  }
  bool is_made = false;
  for (const DistributedStep& step : plan.steps) {
    const auto* product = std::get_if<ProductStep>(&step.body);
    if (product != nullptr && product->d == exchange.from) {
      is_made = true;
      if (const Index rank = rank_without_parcel(plan, exchange, *product); rank >= 0)
        return base::format("what step {} makes on rank {} must be what one rank needs", step.name,
                            rank);
      continue;
    }
    const TouchedParts touched = touched_parts(plan, step);
    const bool is_exchange = std::get_if<ExchangeStep>(&step.body) == &exchange;
    if (!is_exchange &&
        (names(touched.read, exchange.from) || names(touched.written, exchange.from)))
      return base::format("step {} must not touch {}, which lies where it goes", step.name,
                          plan.buffers[exchange.from].name);
  }
  return is_made ? "" : "what is stored where it goes must be made by products";
}

std::string fault_in_place(const DistributedPlan& plan, const ExchangeStep& exchange) {
  const RankBuffer& from = plan.buffers[exchange.from];
  if (from.is_callers) return "what is read in place must be made by a step";
  for (const Parcel& parcel : exchange.parcels)
    if (std::string fault = fault_of_read(plan, exchange, parcel); !fault.empty()) return fault;
  return fault_of_memory(plan, exchange);
}

}  // namespace jute::dist
