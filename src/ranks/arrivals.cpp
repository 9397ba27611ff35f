// Where rows come to that a kernel waits for.
#include "ranks/arrivals.hpp"

#include <jute/launch/backend.hpp>

#include <utility>

namespace jute::ranks {
namespace {

constexpr Index kFlagWordBytes = 4;

}  // namespace

std::optional<AwaitedRows> awaited_rows(const DistributedPlan& plan, Index rank) {
  for (std::size_t i = 0; i < plan.steps.size(); ++i) {
    const auto* product = std::get_if<ProductStep>(&plan.steps[i].body);
    if (product == nullptr || !product->arriving) continue;
    const ArrivingRows& arriving = *product->arriving;
    const auto& exchange = std::get<ExchangeStep>(plan.steps[arriving.exchange].body);
    PieceOrder pieces = piece_order(plan, *product, rank);
    AwaitedRows rows;
    rows.product = i;
    rows.exchange = arriving.exchange;
    rows.kernel = product->kernel;
    rows.buffer = exchange.to.front();
    rows.order.piece_rows = exchange.announced_rows;
    rows.order.own_first = arriving.rows.first[static_cast<std::size_t>(rank)];
    rows.order.own_rows = arriving.rows.count[static_cast<std::size_t>(rank)];
    rows.places =
        arrival_places(plan.kernels[product->kernel], static_cast<Index>(pieces.order.size()));
    rows.order.order = std::move(pieces.order);
    rows.order.senders = std::move(pieces.senders);
    rows.token = std::make_shared<const int>(0);
    return rows;
  }
  return std::nullopt;
}

std::shared_ptr<const Window> open_rows(Communicator& communicator, const AwaitedRows& rows,
                                        Stream stream) {
  WindowForRows& kept = communicator.window_for_rows();
  if (kept.is_refused || !communicator.announces()) return nullptr;
  if (kept.window == nullptr || kept.bytes < rows.workspace_bytes) {
    kept = {communicator.share(rows.workspace_bytes), rows.workspace_bytes, {}, false};
    kept.is_refused = kept.window == nullptr;
  }
  if (kept.window != nullptr) communicator.follow(stream);
  return kept.window;
}

void begin_rows(Backend& backend, Communicator& communicator, const DistributedPlan& plan,
                const AwaitedRows& rows, const Window* window, DevicePointer workspace, RowsAre are,
                Stream stream) {
  WindowForRows& kept = communicator.window_for_rows();
  const bool is_coming = are == RowsAre::coming;
  const bool has_words = window != nullptr && kept.token == rows.token;
  if (window != nullptr) kept.token = rows.token;
  if (has_words) {
    backend.fill(workspace + static_cast<DevicePointer>(rows.places.flags), is_coming ? 0 : 1,
                 static_cast<Index>(rows.order.order.size()) * kFlagWordBytes, stream);
    return;
  }
  ArrivalOrder order = rows.order;
  order.flag = is_coming ? 0 : 1;
  if (window != nullptr) {
    order.fault = window->fault();
    order.limit_ns = window->limit_ns();
  }
  backend.copy_in(workspace, arrival_words(plan.kernels[rows.kernel], order, workspace), stream);
}

std::vector<Region> regions_by_pieces(const RankBuffer& buffer, const Parcel& parcel, Side side,
                                      DevicePointer base, const AwaitedRows& rows,
                                      DevicePointer workspace) {
  const IndexRun& run = parcel.runs[0].front();
  const Index piece = rows.order.piece_rows;
  std::vector<Region> regions;
  for (Index done = 0; done < run.count; done += piece) {
    Parcel part = parcel;
    part.runs[0] = {{run.from + done, run.to + done, piece}};
    Region region = regions_of(buffer, part, side, base).front();
    if (workspace != 0)
      region.flag = workspace + static_cast<DevicePointer>(
                                    rows.places.flags + (run.to + done) / piece * kFlagWordBytes);
    regions.push_back(region);
  }
  return regions;
}

}  // namespace jute::ranks
