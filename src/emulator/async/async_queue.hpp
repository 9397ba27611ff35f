#pragma once
// What a warp started and what goes on behind its back: each piece of work lands when the schedule
// says so, never before it may and never later than a wait allows.
#include "emulator/async/bulk_copy.hpp"
#include "emulator/decode/instruction.hpp"
#include "emulator/tensor/warp_product.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace jute::emulator {

struct Block;
struct Cluster;
struct Warp;

/// A cp.async of one lane; without `to` a cp.async.mbarrier.arrive, which follows the lane's
/// copies.
struct PendingCopy {
  int lane = 0;
  std::int64_t group = -1;  ///< -1: not committed
  std::byte* to = nullptr;
  std::byte* to_defined = nullptr;
  const std::byte* from = nullptr;
  int bytes = 0;
  int source_bytes = 0;
  bool is_copied = false;
  Block* barrier_of = nullptr;  ///< an arrival's: whose mbarrier …
  std::uint64_t barrier = 0;    ///< … and its offset in shared memory
  Actor who;                    ///< of an arrival
  std::int64_t moment = 0;      ///< of an arrival: the group that is open, from 1
};
/// The arrival that a cp.async.mbarrier.arrive asks for.
struct CopyArrival {
  int lane = 0;
  Block* owner = nullptr;
  std::uint64_t barrier = 0;
};

struct AsyncQueue {
  std::vector<PendingCopy> copies;
  std::array<std::int64_t, kWarpLanes> copy_groups{};  ///< committed by each lane
  std::vector<BulkCopy> bulks;
  std::array<std::int64_t, kWarpLanes> bulk_groups{};
  std::uint32_t products = 0;           ///< wgmma.mma_async that were issued
  std::uint32_t finished_products = 0;  ///< of them; they finish in order
  std::deque<WarpProduct> pending_products;
  std::deque<std::uint32_t> product_groups;  ///< committed, not waited for: the last of each
  void clear();
};

/// Does work land in the moment of its issue? (Under a random schedule: does this piece?)
[[nodiscard]] bool lands_at_once(Block& block);
/// Takes up a bulk copy, which may land at once.
void start_bulk_copy(Warp& warp, BulkCopy copy);
/// Takes up a product, which may finish at once.
void start_product(Warp& warp, WarpProduct product);
/// Finishes the warp's products up to this number.
void finish_products(Warp& warp, std::uint32_t number);
/// A mov has copied register `index` of what the product will write to `slot`.
void follow_product(Warp& warp, std::uint32_t number, Slot slot, std::uint16_t index);
/// Drops bulk copies of which nothing is left to do or to check.
void forget_landed(Warp& warp);
/// Time passes beside a turn of the warp: a random schedule moves what it likes.
void pass_time(Warp& warp);
/// Nobody in the cluster can go on: the oldest work that others may wait for lands, piece by piece.
/// False if there is none.
bool land_oldest(Cluster& cluster);
/// Lands what a warp of a block that ends has left.
void finish_async(Warp& warp);

// async_copy.cpp
/// Lands all cp.async of lanes that end.
void finish_copies(Warp& warp, std::uint32_t mask);
/// The arrival counts when the lane's copies have landed.
void arrive_after_copies(Warp& warp, const CopyArrival& arrival);
/// Lands the warp's first such arrival; false if there is none.
bool land_copy_arrival(Warp& warp);
/// Moves the bytes of a pending copy, or lands an arrival.
void land_copy_early(Warp& warp, size_t index);

}  // namespace jute::emulator
