// Places in windows, from a plan's parcels.
#include "ranks/meeting.hpp"

namespace jute::ranks {
namespace {

/// Each sender shows all that it has made; who needs parcels finds them in it.
void put_reads(Meeting& meeting, const DistributedPlan& plan, Index rank) {
  const ExchangeStep& exchange = *meeting.step;
  const RankBuffer& from = plan.buffers[exchange.from];
  meeting.half_bytes = from.bytes;
  meeting.buffers[exchange.from] = {rank, 0};
  for (const Parcel& parcel : exchange.parcels)
    if (parcel.receiver == rank)
      meeting.buffers[exchange.to[static_cast<std::size_t>(parcel.summand)]] = {
          parcel.sender,
          element_at(from, parcel.runs[0].front().from, parcel.runs[1].front().from) *
              width_bytes(from.type)};
}

/// Each receiver has a place for every summand, the same in all windows.
void put_stores(Meeting& meeting, const DistributedPlan& plan, Index rank) {
  const ExchangeStep& exchange = *meeting.step;
  for (const std::size_t to : exchange.to) {
    meeting.buffers[to] = {rank, meeting.half_bytes};
    meeting.half_bytes += plan.buffers[to].bytes;  // whole lines of 256 bytes
  }
  for (const DistributedStep& step : plan.steps) {
    const auto* product = std::get_if<ProductStep>(&step.body);
    if (product == nullptr || product->d != exchange.from) continue;
    const Parcel* parcel = stored_parcel(exchange, *product, rank);
    if (parcel == nullptr) continue;
    const std::size_t to = exchange.to[static_cast<std::size_t>(parcel->summand)];
    meeting.products[product] = {parcel->receiver, meeting.buffers[to].bytes};
  }
}

}  // namespace

std::optional<Meeting> meeting_of(Context& context, const DistributedPlan& plan, Index rank) {
  for (const DistributedStep& step : plan.steps) {
    const auto* exchange = std::get_if<ExchangeStep>(&step.body);
    if (exchange == nullptr || exchange->carrier == Carrier::transport) continue;
    Meeting meeting;
    meeting.step = exchange;
    meeting.barrier = context.load(
        barrier_source(context.templates(), plan.device.arch, rank_count(plan.problem.mesh)));
    exchange->carrier == Carrier::readers ? put_reads(meeting, plan, rank)
                                          : put_stores(meeting, plan, rank);
    return meeting;
  }
  return std::nullopt;
}

DevicePointer address_of(const ShownHalf& half, const Meeting::Place& place) {
  return half.window->peer(place.rank) + static_cast<DevicePointer>(half.at + place.bytes);
}

}  // namespace jute::ranks
