// When pending work lands: at once, late, or whenever a random schedule likes.
#include "emulator/async/async_queue.hpp"

#include "emulator/run/machine.hpp"

#include <algorithm>
#include <bit>
#include <string>

namespace jute::emulator {
namespace {

// A box that does not land at once lands in this many pieces or more.
constexpr Index kPieces = 4;
// How many of its works a warp's random schedule looks at in one turn.
constexpr int kGlances = 4;

Index piece_of(const BulkCopy& copy) { return (copy.box.chunks() + kPieces - 1) / kPieces; }

void advance(BulkCopy& copy) {
  const Index piece = piece_of(copy);
  if (copy.kind != BulkUse::Kind::load && !copy.is_read()) {
    copy.read(piece);
  } else {
    copy.land(piece);
  }
}

/// The bulk load of the cluster that was issued first and has not landed, and its warp.
struct Oldest {
  Warp* warp = nullptr;
  BulkCopy* copy = nullptr;
};
Oldest oldest_load(Cluster& cluster) {
  Oldest found;
  for (const auto& block : cluster.blocks)
    for (Warp& warp : block->warps)
      for (BulkCopy& copy : warp.async.bulks)
        if (copy.kind == BulkUse::Kind::load && !copy.is_landed() &&
            (found.copy == nullptr || copy.serial < found.copy->serial))
          found = {&warp, &copy};
  return found;
}

}  // namespace

void AsyncQueue::clear() {
  copies.clear();
  copy_groups.fill(0);
  bulks.clear();
  bulk_groups.fill(0);
  products = finished_products = 0;
  pending_products.clear();
  product_groups.clear();
}

void start_bulk_copy(Warp& warp, BulkCopy copy) {
  Block& block = *warp.block;
  copy.serial = ++block.cluster->serial;
  if (block.races) block.races->bulk_copy(warp, copy);
  if (lands_at_once(block)) {
    copy.finish();
    // Whoever waits for it runs before the next instruction does.
    warp.yields |= block.launch.options.schedule == Schedule::early;
  } else if (copy.kind == BulkUse::Kind::load) {
    copy.announce();
  }
  ++warp.effects;
  warp.async.bulks.push_back(std::move(copy));
  forget_landed(warp);
}

void start_product(Warp& warp, WarpProduct product) {
  AsyncQueue& queue = warp.async;
  const std::uint32_t number = product.number();
  queue.pending_products.push_back(std::move(product));
  if (queue.pending_products.size() == 1 && lands_at_once(*warp.block))
    finish_products(warp, number);
}
void finish_products(Warp& warp, std::uint32_t number) {
  AsyncQueue& queue = warp.async;
  while (!queue.pending_products.empty() && queue.pending_products.front().number() <= number) {
    WarpProduct product = std::move(queue.pending_products.front());
    queue.pending_products.pop_front();
    product.finish();
    queue.finished_products = product.number();
    for (WarpProduct& later : queue.pending_products) later.inherit(product);
  }
}
void follow_product(Warp& warp, std::uint32_t number, Slot slot, std::uint16_t index) {
  for (WarpProduct& product : warp.async.pending_products)
    if (product.number() == number) product.follow(slot, index);
}

void forget_landed(Warp& warp) {
  std::erase_if(warp.async.bulks, [](const BulkCopy& copy) {
    return copy.is_landed() && (copy.kind == BulkUse::Kind::load || copy.is_awaited);
  });
}

void pass_time(Warp& warp) {
  Block& block = *warp.block;
  if (block.launch.options.schedule != Schedule::random) return;
  AsyncQueue& queue = warp.async;
  for (int glance = 0; glance < kGlances && !queue.bulks.empty(); ++glance) {
    advance(queue.bulks[block.random() % queue.bulks.size()]);
    forget_landed(warp);
  }
  for (int glance = 0; glance < kGlances && !queue.copies.empty(); ++glance)
    land_copy_early(warp, block.random() % queue.copies.size());
  if (queue.pending_products.empty()) return;
  // Any product may read its operands; the first may finish.
  queue.pending_products[block.random() % queue.pending_products.size()].read();
  if (block.random() % 2 == 0) finish_products(warp, queue.pending_products.front().number());
}

bool land_oldest(Cluster& cluster) {
  for (const auto& block : cluster.blocks)
    for (Warp& warp : block->warps)
      if (land_copy_arrival(warp)) return true;
  const auto [warp, copy] = oldest_load(cluster);
  if (copy == nullptr) return false;
  copy->land(piece_of(*copy));
  forget_landed(*warp);
  return true;
}

void finish_async(Warp& warp) {
  finish_products(warp, warp.async.products);
  for (BulkCopy& copy : warp.async.bulks) {
    copy.finish();
    if (copy.kind == BulkUse::Kind::load || copy.is_awaited || !warp.block->tracks_defined)
      continue;
    warp.block->find("P8", copy.who, [] {
      return std::string(
          "the block ends while a bulk store may still read its shared memory: "
          "cp.async.bulk.commit_group and wait_group.read must come first");
    });
  }
  warp.async.bulks.clear();
}

}  // namespace jute::emulator
