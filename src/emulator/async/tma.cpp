// Bulk copies as they are issued: addresses, tensor maps and coordinates; groups and their waits.
#include "base/format.hpp"
#include "emulator/async/bulk_copy.hpp"
#include "emulator/async/queues.hpp"
#include "emulator/async/tensor_map.hpp"
#include "emulator/run/lane_registers.hpp"
#include "emulator/run/machine.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>
#include <utility>
#include <vector>

namespace jute::emulator {
namespace {

constexpr std::uint64_t kCopyUnit = kBulkChunk;
constexpr std::uint64_t kSharedAlign = 128;

/// One lane's address of an access, before it is looked up.
std::uint64_t address_of(const Warp& warp, const MemoryAccess& access, int lane) {
  std::uint64_t base = access.space == Space::shared ? shared_begin(warp.block->rank) : 0;
  if (access.base != kNoSlot) base = read_lane(warp, access.base, lane, access.base_is_64 ? 8 : 4);
  const std::uint64_t address = base + static_cast<std::uint64_t>(access.offset);
  return access.base_is_64 ? address : address & 0xFFFFFFFFU;
}

/// How a reduction through a tensor map of this type adds.
std::optional<AtomicUse::Type> reduced_type(MapElement type) {
  using Type = AtomicUse::Type;
  // In the order of MapElement.
  static constexpr std::array<std::optional<Type>, kMapElements> kTypes{
      std::nullopt, std::nullopt, Type::u32, Type::s32,  Type::u64, Type::s64,   Type::f16,
      Type::f32,    std::nullopt, Type::f64, Type::bf16, Type::f32, std::nullopt};
  return kTypes.at(static_cast<size_t>(type));
}

/// One bulk instruction of one lane.
class BulkIssue {
 public:
  BulkIssue(Warp& warp, const BulkUse& use, int lane)
      : warp_(warp), block_(*warp.block), use_(use), lane_(lane) {}

  // st.async, red.async: a load whose bytes come from registers.
  void run_from_registers() {
    begin();
    copy_.owner = target_at(shared_at_);
    const auto each = static_cast<size_t>(use_.data_bytes);
    std::vector<std::byte> bytes(use_.data.size() * each);
    for (size_t i = 0; i < use_.data.size(); ++i)
      std::memcpy(bytes.data() + i * each,
                  warp_.at(use_.data[i]) + static_cast<size_t>(lane_) * each, each);
    if (shared_at_ % bytes.size() != 0) {
      refuse("M2", base::format(
                       "st.async or red.async of {} bytes at shared address {:#x}, which must be a "
                       "multiple of them",
                       bytes.size(), shared_at_));
      return;
    }
    copy_.box = run_of_bytes(0, static_cast<Index>(bytes.size()), shared_at_ & kSharedOffsetMask);
    copy_.carry(std::move(bytes));
    if (copy_.owner != nullptr && fits(*copy_.owner)) start();
  }

  // To L2 alone: of a tensor whatever a load checks but for its place in shared memory.
  void run_fetch() {
    copy_.block = &block_;
    if (use_.rank != 0) {
      (void)read_tensor();
      return;
    }
    const std::uint64_t bytes = read_lane(warp_, use_.bytes, lane_, 4);
    const std::uint64_t from = address_of(warp_, use_.other, lane_);
    if (((bytes | from) & (kCopyUnit - 1)) != 0)
      refuse("M2",
             base::format("a bulk prefetch of {} bytes at {:#x}: both must be multiples of 16",
                          bytes, from));
  }

  void run() {
    begin();
    const bool is_legal = use_.rank == 0 ? read_run() : read_tensor();
    if (!is_legal) return;
    for (Block* const owner : owners()) {
      copy_.owner = owner;
      if (owner != nullptr && fits(*owner)) start();
    }
  }

 private:
  void begin() {
    shared_at_ = address_of(warp_, use_.shared, lane_);
    copy_.who = block_.actor(warp_, lane_);
    copy_.block = &block_;
    copy_.lane = lane_;
    copy_.kind = use_.kind;
    copy_.reduction = use_.reduction;
    copy_.reduced = use_.reduced;
    copy_.adds_to_shared = use_.adds_to_shared;
  }
  void refuse(const char* code, std::string text) {
    block_.find(code, warp_, lane_, [&] { return std::move(text); });
  }
  // Hardware answers with an illegal instruction.
  void stop(std::string text) {
    refuse("P7", std::move(text));
    block_.aborted = true;
  }

  bool read_run() {
    const std::uint64_t bytes = read_lane(warp_, use_.bytes, lane_, 4);
    const std::uint64_t other = address_of(warp_, use_.other, lane_);
    if (((bytes | other | shared_at_) & (kCopyUnit - 1)) != 0) {
      refuse("M2", base::format("a bulk copy of {} bytes between {:#x} and {:#x}: all must be "
                                "multiples of 16",
                                bytes, other, shared_at_));
      return false;
    }
    std::uint64_t from = other;
    if (use_.other.space == Space::shared) {
      copy_.source = &block_;
      from = other & kSharedOffsetMask;
      if (peer_at(block_, other) != &block_) {
        refuse_far("reads", other, false);
        return false;
      }
      if (from + bytes > block_.shared.size()) {
        refuse_shared(from, bytes);
        return false;
      }
    }
    copy_.box = run_of_bytes(from, static_cast<Index>(bytes), shared_at_ & kSharedOffsetMask);
    return bytes != 0;
  }

  [[nodiscard]] const std::byte* map_bytes(std::uint64_t address) {
    if (address / kWindowBytes * kWindowBytes == kParamWindow) {
      const std::uint64_t at = address - kParamWindow;
      const auto parameters = block_.launch.parameters;
      return at + sizeof(TensorMap) <= parameters.size() ? parameters.data() + at : nullptr;
    }
    const Allocation* place = block_.launch.memory.find(address);
    const bool fits =
        place != nullptr && place->is_live && place->end() - address >= sizeof(TensorMap);
    if (!fits) return nullptr;
    const std::byte* const map = place->data.get() + (address - place->begin);
    if (block_.races) block_.races->read_map(warp_, lane_, map, sizeof(TensorMap));
    copy_.map = {map, sizeof(TensorMap)};
    return map;
  }
  bool read_tensor() {
    const std::uint64_t address = address_of(warp_, use_.other, lane_);
    const std::byte* bytes = map_bytes(address);
    const auto map =
        bytes == nullptr ? std::nullopt : decode_tensor_map(std::span(bytes, sizeof(TensorMap)));
    if (!map || map->rank != static_cast<std::uint32_t>(use_.rank) || address % 64 != 0) {
      refuse("P7", base::format("there is no tensor map of rank {} at {:#x}", use_.rank, address));
      return false;
    }
    if (const auto broken = check_replaced(*map)) {
      refuse("P7", base::format("the tensor map at {:#x}, as kernels have replaced its fields: {}",
                                address, broken->violated_rules.front()));
      return false;
    }
    std::array<Index, 5> at{};
    bool negative = false;
    for (size_t i = 0; i < static_cast<size_t>(use_.rank); ++i) {
      at[i] = static_cast<std::int32_t>(read_lane(warp_, use_.coordinates[i], lane_, 4));
      negative |= at[i] < 0;
    }
    copy_.box = box_of_tensor(*map, at, shared_at_ & kSharedOffsetMask);
    const auto reduced = reduced_type(copy_.box.type);
    if (use_.kind == BulkUse::Kind::reduce && !reduced) {
      refuse("P7", base::format("a bulk reduction of elements of {} bytes", copy_.box.element));
      return false;
    }
    copy_.reduced = reduced.value_or(copy_.reduced);
    if (at[0] * copy_.box.element % static_cast<Index>(kCopyUnit) != 0) {
      stop(base::format("the innermost coordinate {} is not a multiple of 16 bytes", at[0]));
      return false;
    }
    if (negative && use_.kind != BulkUse::Kind::load) {
      stop("a tensor store has a negative coordinate");
      return false;
    }
    if (shared_at_ % kSharedAlign != 0) {
      refuse("M2",
             base::format("a tensor copy at shared address {:#x}, which is not a multiple of 128",
                          shared_at_));
      return false;
    }
    return true;
  }

  /// The blocks that take part: the one that the address names, or a multicast's.
  [[nodiscard]] std::vector<Block*> owners() {
    if (use_.ranks == kNoSlot) return {target_at(shared_at_)};
    const auto ranks = static_cast<std::uint32_t>(read_lane(warp_, use_.ranks, lane_, 2));
    const size_t size = block_.cluster->blocks.size();
    if (ranks == 0 || ranks >> size != 0)
      refuse("P7", base::format("multicast to blocks {:#x} of a cluster of {}", ranks, size));
    std::vector<Block*> result;
    for (size_t rank = 0; rank < size; ++rank)
      if (((ranks >> rank) & 1) != 0) result.push_back(block_.cluster->blocks[rank].get());
    return result;
  }
  /// The block whose shared memory this one may use; null with a finding if there is none.
  [[nodiscard]] Block* target_at(std::uint64_t address) {
    Block* const owner = peer_at(block_, address);
    if (owner != nullptr && (owner == &block_ || use_.shared.reaches_cluster)) return owner;
    refuse_far("uses", address, use_.shared.reaches_cluster);
    return nullptr;
  }
  void refuse_far(const char* what, std::uint64_t address, bool reaches_cluster) {
    refuse("M1", base::format("a bulk copy {} shared address {:#x}, which must be one of block {} "
                              "{}: its addresses begin at {:#x}",
                              what, address, block_.rank,
                              reaches_cluster ? "or of a neighbour in the cluster" : "itself",
                              shared_begin(block_.rank)));
  }
  void refuse_shared(std::uint64_t at, std::uint64_t bytes) {
    refuse("M1",
           base::format("a bulk copy of {} bytes at shared offset {}; the block has {} bytes of "
                        "shared memory",
                        bytes, at, block_.shared.size()));
  }
  [[nodiscard]] bool fits(const Block& place) {
    if (place.finished) {
      refuse("M6",
             base::format("a bulk copy to the shared memory of block {} of the cluster, which "
                          "has ended: it must wait for its neighbours",
                          place.rank));
      return false;
    }
    const std::uint64_t bytes = copy_.box.shared_extent();
    if (copy_.box.shared + bytes <= place.shared.size()) return true;
    refuse_shared(copy_.box.shared, bytes);
    return false;
  }

  // The barrier lies at the same offset of every block that receives the data.
  void start() {
    BulkCopy copy = copy_;
    if (use_.kind == BulkUse::Kind::load) {
      copy.barrier = address_of(warp_, use_.barrier, lane_) & kSharedOffsetMask;
      copy.phase = copy.owner->mbarriers[copy.barrier].turns;
    }
    start_bulk_copy(warp_, std::move(copy));
  }

  Warp& warp_;
  Block& block_;
  const BulkUse& use_;
  int lane_;
  std::uint64_t shared_at_ = 0;
  BulkCopy copy_;
};

// Do two lanes copy the same bytes to the same place?
bool is_alike(const Warp& warp, const BulkUse& use, int a, int b) {
  const auto is_same = [&](Slot slot) {
    return slot == kNoSlot || read_word(warp, slot, a) == read_word(warp, slot, b);
  };
  const auto rank = static_cast<size_t>(use.rank);
  return address_of(warp, use.shared, a) == address_of(warp, use.shared, b) &&
         address_of(warp, use.other, a) == address_of(warp, use.other, b) && is_same(use.bytes) &&
         std::all_of(use.coordinates.begin(), use.coordinates.begin() + rank, is_same);
}

}  // namespace

// Lanes of a warp that store the very same bytes to the same place are one, that of the first: a
// whole warp of CUTLASS' epilogue issues each of its stores.
void run_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const BulkUse& use = warp.block->program.use_of<BulkUse>(instruction);
  const int first = std::countr_zero(mask);
  for (int lane = first; lane < kWarpLanes; ++lane) {
    if (((mask >> lane) & 1) == 0) continue;
    const bool repeats = lane != first && use.kind == BulkUse::Kind::store;
    if (!repeats || !is_alike(warp, use, first, lane)) BulkIssue(warp, use, lane).run();
  }
}

void run_bulk_fetch(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const BulkUse& use = warp.block->program.use_of<BulkUse>(instruction);
  for (const int lane : lanes_of(mask)) BulkIssue(warp, use, lane).run_fetch();
}

void run_async_store(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const BulkUse& use = warp.block->program.use_of<BulkUse>(instruction);
  for (const int lane : lanes_of(mask)) BulkIssue(warp, use, lane).run_from_registers();
}

void run_commit_bulk(LaneState& lanes, const Instruction&, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  AsyncQueue& queue = warp.async;
  for (BulkCopy& copy : queue.bulks)
    if (copy.kind != BulkUse::Kind::load && copy.group < 0 && ((mask >> copy.lane) & 1) != 0)
      copy.group = queue.bulk_groups[static_cast<size_t>(copy.lane)];
  for (const size_t lane : lanes_of(mask)) ++queue.bulk_groups[lane];
}

// Instruction::bits: how many of the newest groups may stay on their way. Instruction::target: 1
// where it is enough that their sources were read.
void run_wait_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const auto newest = static_cast<std::int64_t>(instruction.bits);
  const bool reads_only = instruction.target != 0;
  for (BulkCopy& copy : warp.async.bulks) {
    if (((mask >> copy.lane) & 1) == 0 || copy.group < 0) continue;
    if (copy.group >= warp.async.bulk_groups[static_cast<size_t>(copy.lane)] - newest) continue;
    copy.read(copy.box.chunks());
    copy.is_awaited = true;
    if (!reads_only) copy.finish();
  }
  forget_landed(warp);
  if (!warp.block->races) return;
  std::int64_t over = INT64_MAX;
  for (const size_t lane : lanes_of(mask))
    over = std::min(over, warp.async.bulk_groups[lane] - newest);
  warp.block->races->retire(warp, warp.index, Agent::store_source, over);
  if (!reads_only) warp.block->races->retire(warp, warp.index, Agent::store_target, over);
}

}  // namespace jute::emulator
