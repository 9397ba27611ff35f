// Bytes, memory and time of a distributed plan.
#include "dist/step_cost.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <array>

#include "dist/arrivals.hpp"

namespace jute {

std::string_view name(Lane lane) {
  constexpr std::array<std::string_view, 2> kNames{"compute", "comm"};
  return kNames[static_cast<std::size_t>(lane)];
}

Index element_at(const RankBuffer& buffer, Index row, Index column) {
  return buffer.order == Order::row ? row * buffer.ld_elems + column
                                    : row + column * buffer.ld_elems;
}

Index slice_at(const RankBuffer& buffer, const ProductSlice& slice, Index rank) {
  const std::size_t dim = slice.dimension == Dimension::m ? 0 : 1;
  const Index first =
      buffer.held.dims[dim].extent > 1 ? slice.first[static_cast<std::size_t>(rank)] : 0;
  return dim == 0 ? element_at(buffer, first, 0) : element_at(buffer, 0, first);
}

std::array<Index, 2> part_extents(const Mesh& mesh, const Distribution& part, Index rank) {
  const std::vector<Index> at = coordinates(mesh, rank);
  return {part_size(part.dims[0], at), part_size(part.dims[1], at)};
}

StepSizes sizes_of(const DistributedPlan& plan, const ProductStep& product, Index rank) {
  const auto a = part_extents(plan.problem.mesh, product.a.part, rank),
             b = part_extents(plan.problem.mesh, product.b.part, rank);
  StepSizes sizes{a[0], b[0], a[1]};
  if (product.slice)
    (product.slice->dimension == Dimension::m ? sizes.m : sizes.n) =
        product.slice->count[static_cast<std::size_t>(rank)];
  return sizes;
}

StepSizes sizes_of(const DistributedPlan& plan, const SumStep& sum, Index rank) {
  const auto part = part_extents(plan.problem.mesh, plan.buffers[sum.summands.front()].held, rank);
  return {part[0], part[1], 0};
}

namespace {

/// Every rank passes all parts but its own on, in a ring; where each has all of them twice.
std::vector<Index> bytes_of_ring(const DistributedPlan& plan, const CollectiveStep& step) {
  const Index ranks = rank_count(plan.problem.mesh);
  std::vector<Index> pairs(static_cast<std::size_t>(ranks * ranks), 0);
  const Index width = width_bytes(plan.buffers[step.from].type);
  const Index bytes = step.kind == CollectiveKind::all_reduce
                          ? 2 * (ranks - 1) * step.elements * width / ranks
                          : (ranks - 1) * step.elements * width;
  for (Index rank = 0; rank < ranks; ++rank)
    if (ranks > 1) pairs[static_cast<std::size_t>(rank + ranks * ((rank + 1) % ranks))] = bytes;
  return pairs;
}

}  // namespace

std::vector<Index> bytes_by_pair(const DistributedPlan& plan, std::size_t step) {
  const Index ranks = rank_count(plan.problem.mesh);
  if (const auto* sum = std::get_if<CollectiveStep>(&plan.steps[step].body))
    return bytes_of_ring(plan, *sum);
  const auto* exchange = std::get_if<ExchangeStep>(&plan.steps[step].body);
  if (exchange == nullptr) return std::vector<Index>(static_cast<std::size_t>(ranks * ranks), 0);
  std::vector<Index> pairs = elements_by_pair(ranks, exchange->parcels);
  for (Index& pair : pairs) pair *= width_bytes(plan.buffers[exchange->from].type);
  return pairs;
}

Index moved_bytes(const DistributedPlan& plan) {
  Index bytes = 0;
  for (std::size_t step = 0; step < plan.steps.size(); ++step)
    for (const Index pair : bytes_by_pair(plan, step)) bytes = checked_add(bytes, pair, "bytes");
  return bytes;
}

Index memory_bytes(const DistributedPlan& plan) {
  Index bytes = 0;
  for (const RankBuffer& buffer : plan.buffers) bytes = checked_add(bytes, buffer.bytes, "memory");
  // Parcels that others read in place lie there twice: a run does not wait for readers of the last.
  // So does what others store.
  for (const DistributedStep& step : plan.steps) {
    const auto* exchange = std::get_if<ExchangeStep>(&step.body);
    if (exchange == nullptr || exchange->carrier == Carrier::transport) continue;
    const bool is_read = exchange->carrier == Carrier::readers;
    const std::vector<std::size_t> shown =
        is_read ? std::vector<std::size_t>{exchange->from} : exchange->to;
    for (const std::size_t buffer : shown)
      bytes = checked_add(bytes, checked_mul(2, plan.buffers[buffer].bytes), "memory");
  }
  // Rows that come piece by piece come to memory that other ranks reach.
  for (const DistributedStep& step : plan.steps)
    if (const auto* exchange = std::get_if<ExchangeStep>(&step.body);
        exchange != nullptr && exchange->announced_rows > 0)
      bytes = checked_add(bytes, plan.buffers[exchange->to.front()].bytes, "memory");
  return bytes;
}

std::vector<StepTime> timeline(const DistributedPlan& plan) {
  std::vector<StepTime> times;
  std::array<double, 2> lanes{};
  for (const DistributedStep& step : plan.steps) {
    double& lane = lanes[static_cast<std::size_t>(step.lane)];
    double begin = lane;
    for (const std::size_t other : step.after) begin = std::max(begin, times[other].end_us);
    times.push_back({begin, begin + step.us});
    // At its end it has at least the last piece ahead.
    if (const auto* product = std::get_if<ProductStep>(&step.body);
        product != nullptr && product->arriving && product->arriving->exchange + 1 < times.size())
      times.back().end_us =
          std::max(times.back().end_us, times[product->arriving->exchange].end_us +
                                            step.us * dist::share_of_piece(plan, *product));
    lane = times.back().end_us;
  }
  return times;
}

namespace {

/// Ranks that the busiest sender has in a step.
Index most_peers(const DistributedPlan& plan, std::size_t step) {
  const Index ranks = rank_count(plan.problem.mesh);
  const std::vector<Index> pairs = bytes_by_pair(plan, step);
  Index most = 0;
  for (Index rank = 0; rank < ranks; ++rank) {
    Index peers = 0;
    for (Index other = 0; other < ranks; ++other)
      if (pairs[static_cast<std::size_t>(rank + ranks * other)] > 0) ++peers;
    most = std::max(most, peers);
  }
  return most;
}

Index launches(const DistributedPlan& plan, std::size_t kernel) {
  const bool is_planned = kernel < plan.kernels.size() && !plan.kernels[kernel].steps.empty();
  return is_planned ? static_cast<Index>(plan.kernels[kernel].steps.size()) : 1;
}

}  // namespace

double host_us(const DistributedPlan& plan) {
  const Link& link = link_of(plan.device);
  double us = 0;
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto& body = plan.steps[i].body;
    const auto* exchange = std::get_if<ExchangeStep>(&body);
    if (const auto* product = std::get_if<ProductStep>(&body))
      us += link.launch_us * static_cast<double>(launches(plan, product->kernel));
    else if (const auto* sum = std::get_if<SumStep>(&body))
      us += link.launch_us * static_cast<double>(launches(plan, sum->kernel));
    else if (exchange != nullptr && exchange->carrier != Carrier::transport)
      us += link.launch_us;
    else
      us += link.host_us * static_cast<double>(most_peers(plan, i));
    if (exchange != nullptr && exchange->announced_rows > 0)
      us += link.launch_us * static_cast<double>(dist::pieces_of(plan, *exchange));
  }
  return us;
}

double expected_us(const DistributedPlan& plan) {
  double end = host_us(plan);
  for (const StepTime& time : timeline(plan)) end = std::max(end, time.end_us);
  return end;
}

namespace dist {

double exchange_us(const DistributedPlan& plan, std::size_t step) {
  const Index ranks = rank_count(plan.problem.mesh);
  const std::vector<Index> pairs = bytes_by_pair(plan, step);
  Index most = 0;
  for (Index rank = 0; rank < ranks; ++rank) {
    Index out = 0, in = 0;
    for (Index other = 0; other < ranks; ++other) {
      out += pairs[static_cast<std::size_t>(rank + ranks * other)];
      in += pairs[static_cast<std::size_t>(other + ranks * rank)];
    }
    most = std::max({most, out, in});
  }
  const Link& link = link_of(plan.device);
  constexpr double kBytesOfUs = 1e3;  // at a GB/s
  const auto* exchange = std::get_if<ExchangeStep>(&plan.steps[step].body);
  if (exchange != nullptr && exchange->carrier == Carrier::writers) return link.barrier_us;
  if (exchange != nullptr && exchange->carrier == Carrier::readers)
    return link.barrier_us + static_cast<double>(most) / (link.read_gb_s * kBytesOfUs);
  return transfer_us(link, static_cast<double>(most));
}

double stores_us(const DistributedPlan& plan, std::size_t step) {
  const auto* product = std::get_if<ProductStep>(&plan.steps[step].body);
  if (product == nullptr) return 0;
  constexpr double kBytesOfUs = 1e3;  // at a GB/s
  Index most = 0;
  for (const DistributedStep& other : plan.steps) {
    const auto* exchange = std::get_if<ExchangeStep>(&other.body);
    if (exchange == nullptr || exchange->carrier != Carrier::writers ||
        exchange->from != product->d)
      continue;
    std::vector<Parcel> parcels;
    for (Index rank = 0; rank < rank_count(plan.problem.mesh); ++rank)
      if (const Parcel* parcel = stored_parcel(*exchange, *product, rank))
        parcels.push_back(*parcel);
    for (const Index elements : elements_by_pair(rank_count(plan.problem.mesh), parcels))
      most = std::max(most, elements * width_bytes(plan.buffers[exchange->from].type));
  }
  return static_cast<double>(most) / (link_of(plan.device).store_gb_s * kBytesOfUs);
}

double roofline_us(const Problem& problem, const DeviceInfo& device) {
  constexpr double kLaunch = 2, kBytesOfUs = 1e3;
  const ChipFigures chip = chip_figures(device);
  const double m = static_cast<double>(problem.m), n = static_cast<double>(problem.n);
  const double k = static_cast<double>(problem.k);
  const auto rate =
      greatest_rate(chip, multiplied_type(problem), problem.accumulate.value_or(DType::f32));
  const double seconds =
      m * n * k / (rate.value_or(1) * std::max(device.sm_count, 1) * chip.mhz.value);
  double bytes = m * k * width_bytes(problem.a.type) + n * k * width_bytes(problem.b.type) +
                 m * n * width_bytes(problem.d.type);
  if (problem.epilogue)
    for (const EpilogueOperand& input : problem.epilogue->inputs)
      bytes += m * n * width_bytes(input.type);
  return kLaunch + std::max(seconds, bytes / (chip.memory_gb_s.value * kBytesOfUs));
}

}  // namespace dist
}  // namespace jute
