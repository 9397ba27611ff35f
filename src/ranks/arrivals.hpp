#pragma once
// Rows that come while a kernel multiplies: memory that others reach, the words ahead of the
// kernel, and pieces with their flags.
#include <jute/dist/distributed_plan.hpp>
#include <jute/launch/communicator.hpp>
#include <jute/plan/derive/block/arrivals.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "ranks/regions.hpp"

namespace jute::ranks {

/// The rows that a plan awaits, on one rank.
struct AwaitedRows {
  std::size_t product = 0, exchange = 0;  ///< steps
  std::size_t kernel = 0, buffer = 0;     ///< where the rows come to: in the kernel's workspace
  Index workspace_bytes = 0;              ///< of the kernel
  ArrivalOrder order{};
  ArrivalPlaces places{};
  std::shared_ptr<const int> token{};  ///< of the words that the memory has
};
[[nodiscard]] std::optional<AwaitedRows> awaited_rows(const DistributedPlan& plan, Index rank);

/// The communicator's memory that other ranks reach, as much as the kernel's workspace; null: there
/// is none, and the kernel begins behind the exchange. The stream waits for whoever had it before.
[[nodiscard]] std::shared_ptr<const Window> open_rows(Communicator& communicator,
                                                      const AwaitedRows& rows, Stream stream);

/// Is what a kernel awaits still to come, or there when it begins?
enum class RowsAre : std::uint8_t { coming, there };
/// Puts the words ahead of the kernel, in the stream's order. `window` is where its workspace lies,
/// if it is one.
void begin_rows(Backend& backend, Communicator& communicator, const DistributedPlan& plan,
                const AwaitedRows& rows, const Window* window, DevicePointer workspace, RowsAre are,
                Stream stream);

/// A parcel's rows piece by piece, each with its flag where the workspace is said.
[[nodiscard]] std::vector<Region> regions_by_pieces(const RankBuffer& buffer, const Parcel& parcel,
                                                    Side side, DevicePointer base,
                                                    const AwaitedRows& rows,
                                                    DevicePointer workspace);

}  // namespace jute::ranks
