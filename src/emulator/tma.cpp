// Bulk copies: boxes of tensors between global and shared memory, swizzled, clipped and counted.
#include "base/format.hpp"
#include "emulator/machine.hpp"
#include "emulator/mbarrier.hpp"
#include "emulator/tensor_map.hpp"
#include "launch/swizzle_span.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace jute::emulator {
namespace {
#include "emulator/lane_float_scalar.inc"

constexpr std::uint64_t kChunk = 16;
constexpr std::uint64_t kSharedAlign = 128;

/// The absolute shared address after the XOR of a swizzle mode (PTX ISA, tensor swizzling modes).
std::uint64_t swizzled(std::uint64_t address, TmaSwizzle mode) {
  return address ^
         ((address >> 3) & (static_cast<std::uint64_t>(swizzle_span_bytes(mode)) - kChunk));
}

u64 read_lane(const Warp& warp, Slot slot, int lane, size_t bytes) {
  u64 value = 0;
  std::memcpy(&value, warp.at(slot) + static_cast<size_t>(lane) * bytes, bytes);
  return value;
}

/// One lane's address of an access, before it is looked up.
std::uint64_t address_of(const Warp& warp, const MemoryAccess& access, int lane) {
  std::uint64_t base = 0;
  if (access.base != kNoSlot) base = read_lane(warp, access.base, lane, access.base_is_64 ? 8 : 4);
  const std::uint64_t address = base + static_cast<std::uint64_t>(access.offset);
  return access.base_is_64 ? address : address & 0xFFFFFFFFU;
}

struct BoxElementReducer {
  BulkUse::Reduction reduction;
  DType type;

  template <class T>
  [[nodiscard]] T combine(T a, T b) const {
    switch (reduction) {
      case BulkUse::Reduction::min:
        return b < a ? b : a;
      case BulkUse::Reduction::max:
        return a < b ? b : a;
      default:
        return static_cast<T>(a + b);
    }
  }
  template <class T>
  void apply(std::byte* to, const std::byte* from) const {
    T a;
    T b;
    std::memcpy(&a, to, sizeof(a));
    std::memcpy(&b, from, sizeof(b));
    a = combine(a, b);
    std::memcpy(to, &a, sizeof(a));
  }
  template <class H>
  void apply_half(std::byte* to, const std::byte* from) const {
    H a;
    H b;
    std::memcpy(&a, to, sizeof(a));
    std::memcpy(&b, from, sizeof(b));
    narrow(combine(to_float(a), to_float(b)), a);
    std::memcpy(to, &a, sizeof(a));
  }
  void operator()(std::byte* to, const std::byte* from) const {
    switch (type) {
      case DType::f16:
        return apply_half<Half>(to, from);
      case DType::bf16:
        return apply_half<Bfloat>(to, from);
      case DType::f32:
      case DType::tf32:
        return apply<float>(to, from);
      case DType::f64:
        return apply<double>(to, from);
      case DType::s32:
        return apply<s32>(to, from);
      default:
        return apply<u8>(to, from);
    }
  }
};

/// A load of tf32 rounds to nearest even, NaN becomes one NaN (seen on an H200).
void round_to_tf32(std::byte* words, Index count) {
  for (Index i = 0; i < count; ++i) {
    std::byte* const at = words + i * static_cast<Index>(sizeof(std::uint32_t));
    std::uint32_t bits = 0;
    std::memcpy(&bits, at, sizeof(bits));
    const bool is_nan = (bits & 0x7FFFFFFF) > 0x7F800000;
    bits = is_nan ? 0x7FFFE000 : (bits + 0xFFF + ((bits >> 13) & 1)) & ~0x1FFFU;
    std::memcpy(at, &bits, sizeof(bits));
  }
}

/// One bulk instruction of one lane.
class BulkCopy {
 public:
  BulkCopy(Warp& warp, const BulkUse& use, int lane)
      : warp_(warp), block_(*warp.block), use_(use), lane_(lane) {}

  void run() {
    shared_at_ = address_of(warp_, use_.shared, lane_);
    if (use_.rank == 0) {
      plain();
    } else if (read_map() && read_coordinates()) {
      tensor();
    }
  }

 private:
  void refuse(const char* code, std::string text) {
    block_.find(code, warp_, lane_, [&] { return std::move(text); });
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
    return fits ? place->data.get() + (address - place->begin) : nullptr;
  }
  bool read_map() {
    const std::uint64_t address = address_of(warp_, use_.other, lane_);
    const std::byte* bytes = map_bytes(address);
    const auto map =
        bytes == nullptr ? std::nullopt : decode_tensor_map(std::span(bytes, sizeof(TensorMap)));
    if (!map || map->rank != use_.rank || address % 64 != 0) {
      refuse("P7", base::format("there is no tensor map of rank {} at {:#x}", use_.rank, address));
      return false;
    }
    map_ = *map;
    type_ = static_cast<DType>(map_.type);
    element_ = width_bytes(type_);
    return true;
  }
  bool read_coordinates() {
    bool negative = false;
    for (size_t i = 0; i < static_cast<size_t>(use_.rank); ++i) {
      at_[i] = static_cast<s32>(read_lane(warp_, use_.coordinates[i], lane_, 4));
      negative |= at_[i] < 0;
    }
    if (at_[0] * element_ % static_cast<Index>(kChunk) != 0) {
      stop(base::format("the innermost coordinate {} is not a multiple of 16 bytes", at_[0]));
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
  // What hardware answers with an illegal instruction.
  void stop(const std::string& text) {
    refuse("P7", text);
    block_.aborted = true;
  }

  [[nodiscard]] Index steps(size_t dimension) const {
    return (map_.box[dimension] + map_.steps[dimension] - 1) /
           std::max<int>(1, map_.steps[dimension]);
  }

  [[nodiscard]] TmaSwizzle swizzle() const { return static_cast<TmaSwizzle>(map_.swizzle); }
  [[nodiscard]] Index row_bytes() const { return steps(0) * element_; }
  /// From one row of the box to the next in shared memory. Swizzled rows that are shorter than the
  /// span begin a span apart all the same (seen on an H200).
  [[nodiscard]] std::uint64_t pitch() const {
    const bool is_swizzled = swizzle() != TmaSwizzle::none;
    return static_cast<std::uint64_t>(
        is_swizzled ? std::max(row_bytes(), swizzle_span_bytes(swizzle())) : row_bytes());
  }
  /// Shared bytes in which the box lies.
  [[nodiscard]] std::uint64_t box_extent() const {
    return box_bytes() / static_cast<std::uint64_t>(row_bytes()) * pitch();
  }

  /// Visits the box row by row: offset in shared memory before the swizzle, address of the row's
  /// element 0 (of the tensor), and whether the outer coordinates are inside.
  template <class Visit>
  void each_row(Visit visit) {
    std::array<Index, 5> index{};
    for (std::uint64_t row = 0;; ++row) {
      std::uint64_t address = map_.base;
      bool inside = true;
      for (size_t i = 1; i < static_cast<size_t>(use_.rank); ++i) {
        const Index coordinate = at_[i] + index[i] * map_.steps[i];
        inside &= coordinate >= 0 && coordinate <= Index{map_.last[i]};
        address += static_cast<std::uint64_t>(coordinate) * map_.strides[i - 1];
      }
      visit(row * pitch(), address, inside);
      size_t i = 1;
      for (; i < static_cast<size_t>(use_.rank); ++i) {
        if (++index[i] < steps(i)) break;
        index[i] = 0;
      }
      if (i >= static_cast<size_t>(use_.rank)) return;
    }
  }
  /// At most 16 bytes of a row of the box, which stay together.
  struct Chunk {
    std::uint64_t shared;  ///< its offset behind the swizzle
    std::uint64_t row;     ///< address of the row's element 0
    bool inside;           ///< are the row's outer coordinates?
    Index first;           ///< its first byte in the row of the box
    Index bytes;
  };
  /// Visits the chunks of the box, which begins at `offset`, row by row.
  template <class Visit>
  void each_chunk(std::uint64_t offset, Visit visit) {
    const Index in_row = row_bytes(), chunk = static_cast<Index>(kChunk);
    each_row([&](std::uint64_t start, std::uint64_t row, bool inside) {
      for (Index first = 0; first < in_row; first += chunk) {
        const std::uint64_t at = offset + start + static_cast<std::uint64_t>(first);
        visit(Chunk{swizzled(at, swizzle()), row, inside, first, std::min(chunk, in_row - first)});
      }
    });
  }
  [[nodiscard]] std::uint64_t box_bytes() const {
    Index bytes = element_;
    for (size_t i = 0; i < static_cast<size_t>(use_.rank); ++i) bytes *= steps(i);
    return static_cast<std::uint64_t>(bytes);
  }

  void tensor() {
    if (use_.kind != BulkUse::Kind::load) return store(*owner(shared_at_));
    const std::uint32_t ranks =
        use_.ranks == kNoSlot ? 0
                              : static_cast<std::uint32_t>(read_lane(warp_, use_.ranks, lane_, 2));
    if (use_.ranks == kNoSlot) {
      if (Block* to = owner(shared_at_)) load(*to);
      return;
    }
    if (ranks == 0 || ranks >> block_.cluster->blocks.size() != 0)
      refuse("P7", base::format("multicast to blocks {:#x} of a cluster of {}", ranks,
                                block_.cluster->blocks.size()));
    for (size_t rank = 0; rank < block_.cluster->blocks.size(); ++rank)
      if (((ranks >> rank) & 1) != 0) load(*block_.cluster->blocks[rank]);
  }
  [[nodiscard]] Block* owner(std::uint64_t address) const {
    const std::uint64_t window = address >> kSharedRankShift;
    if (window == 0) return &block_;
    return window <= block_.cluster->blocks.size() ? block_.cluster->blocks[window - 1].get()
                                                   : nullptr;
  }
  [[nodiscard]] bool fits(const Block& block, std::uint64_t at, std::uint64_t bytes) {
    if (at + bytes <= block.shared.size()) return true;
    refuse("M1",
           base::format("a bulk copy of {} bytes at shared offset {}; the block has {} bytes of "
                        "shared memory",
                        bytes, at, block.shared.size()));
    return false;
  }
  [[nodiscard]] std::byte* global(std::uint64_t address, std::uint64_t bytes, const char* what) {
    const Allocation* place = block_.last_allocation;
    if (place == nullptr || address - place->begin >= static_cast<std::uint64_t>(place->bytes))
      place = block_.launch.memory.find(address);
    if (place == nullptr || !place->is_live || place->end() - address < bytes) {
      refuse("M1", base::format("bulk {} of {} bytes at global address {:#x}: {}", what, bytes,
                                address, block_.launch.memory.describe(address)));
      return nullptr;
    }
    block_.last_allocation = place;
    return place->data.get() + (address - place->begin);
  }
  void check_written(std::uint64_t address, std::uint64_t bytes) {
    const Allocation* place = block_.last_allocation;
    if (place == nullptr || place->defined == nullptr) return;
    const std::byte* first = place->defined.get() + (address - place->begin);
    if (std::all_of(first, first + bytes, [](std::byte b) { return b != std::byte{0}; })) return;
    refuse("M3", base::format("a bulk load of {} bytes at {:#x} that were never all written", bytes,
                              address));
  }
  void mark_written(std::uint64_t address, std::uint64_t bytes) {
    const Allocation* place = block_.last_allocation;
    if (place != nullptr && place->defined != nullptr)
      std::memset(place->defined.get() + (address - place->begin), 1, bytes);
  }

  void load(Block& to) {
    const std::uint64_t offset = shared_at_ & kSharedOffsetMask;
    const std::uint64_t bytes = box_bytes();
    if (!fits(to, offset, box_extent())) return;
    each_chunk(offset, [&](const Chunk& chunk) {
      load_chunk(to.shared.data() + chunk.shared, chunk);
      if (to.tracks_defined)
        std::memset(to.shared_defined.data() + chunk.shared, 1, static_cast<size_t>(chunk.bytes));
    });
    block_.findings.counters.global_bytes_read += static_cast<Index>(bytes);
    complete(to, bytes);
  }
  void load_chunk(std::byte* target, const Chunk& chunk) {
    const Index first = chunk.first / element_, count = chunk.bytes / element_;
    const Index step = std::max<int>(1, map_.steps[0]);
    const Index begin = at_[0] + first * step;
    const Index last = Index{map_.last[0]};
    if (chunk.inside && step == 1 && begin >= 0 && begin + count - 1 <= last) {
      const auto bytes = static_cast<std::uint64_t>(count * element_);
      const std::uint64_t address = chunk.row + static_cast<std::uint64_t>(begin * element_);
      const std::byte* from = global(address, bytes, "load");
      if (from == nullptr) return;
      check_written(address, bytes);
      std::memcpy(target, from, bytes);
      if (type_ == DType::tf32) round_to_tf32(target, count);
      return;
    }
    for (Index i = 0; i < count; ++i) {
      const Index coordinate = begin + i * step;
      std::byte* to = target + i * element_;
      if (chunk.inside && coordinate >= 0 && coordinate <= last) {
        const std::uint64_t address = chunk.row + static_cast<std::uint64_t>(coordinate * element_);
        const std::byte* from = global(address, static_cast<std::uint64_t>(element_), "load");
        if (from != nullptr) std::memcpy(to, from, static_cast<size_t>(element_));
        if (type_ == DType::tf32) round_to_tf32(to, 1);
      } else {
        fill_outside(to);
      }
    }
  }
  /// Zeros, or the NaN that an H200 writes: 0x7ff7 over and over, whatever the type.
  void fill_outside(std::byte* to) const {
    const bool is_nan = static_cast<TmaOutOfBounds>(map_.out_of_bounds) == TmaOutOfBounds::nan;
    const u64 bits = is_nan ? 0x7FF77FF77FF77FF7 : 0;
    std::memcpy(to, &bits, static_cast<size_t>(element_));
  }

  // Outer dimensions clip exactly; the innermost one at the next 16 bytes, which really are
  // written.
  void store(Block& from) {
    const std::uint64_t offset = shared_at_ & kSharedOffsetMask;
    if (!fits(from, offset, box_extent())) return;
    const Index extent_bytes = (Index{map_.last[0]} + 1) * element_;
    bool overran = false;
    each_chunk(offset, [&](const Chunk& chunk) {
      check_source(from, chunk.shared, chunk.bytes);
      const Index start = at_[0] * element_ + chunk.first;
      if (!chunk.inside || start >= extent_bytes) return;
      overran |= start + chunk.bytes > extent_bytes;
      const std::uint64_t to = chunk.row + static_cast<std::uint64_t>(start);
      std::byte* target = global(to, static_cast<std::uint64_t>(chunk.bytes), "store");
      if (target == nullptr) return;
      write_chunk(target, from.shared.data() + chunk.shared, chunk.bytes);
      mark_written(to, static_cast<std::uint64_t>(chunk.bytes));
      block_.findings.counters.global_bytes_written += chunk.bytes;
    });
    if (overran)
      refuse("P14",
             base::format("a tensor store whose rows end at byte {} wrote on to the next multiple "
                          "of 16",
                          extent_bytes));
  }
  void check_source(const Block& from, std::uint64_t at, Index count) {
    if (!from.tracks_defined || is_source_refused_) return;
    const std::byte* first = from.shared_defined.data() + at;
    const std::byte* last = first + count;
    const std::byte* wrong = std::find_if(first, last, [](std::byte b) { return b != kWritten; });
    if (wrong == last) return;
    const bool unfenced = *wrong == kUnfenced;
    is_source_refused_ = true;
    refuse(
        unfenced ? "R3" : "M3",
        base::format("a bulk store of {} bytes, of which the one at shared offset {} was {}",
                     box_bytes(), wrong - from.shared_defined.data(),
                     unfenced ? "stored without a fence.proxy.async behind it" : "never written"));
  }
  void write_chunk(std::byte* target, const std::byte* source, Index count) const {
    if (use_.kind == BulkUse::Kind::store) {
      std::memcpy(target, source, static_cast<size_t>(count));
      return;
    }
    const BoxElementReducer reduce{use_.reduction, type_};
    for (Index i = 0; i < count; i += element_) reduce(target + i, source + i);
  }

  void plain() {
    const std::uint64_t bytes = read_lane(warp_, use_.bytes, lane_, 4);
    const std::uint64_t other = address_of(warp_, use_.other, lane_);
    if (((bytes | other | shared_at_) & (kChunk - 1)) != 0) {
      refuse("M2", base::format(
                       "a bulk copy of {} bytes between {:#x} and {:#x}: all are multiples of 16",
                       bytes, other, shared_at_));
      return;
    }
    const std::uint64_t offset = shared_at_ & kSharedOffsetMask;
    Block* const place = owner(shared_at_);
    if (place == nullptr || !fits(*place, offset, bytes)) return;
    if (use_.kind == BulkUse::Kind::store) {
      if (std::byte* target = global(other, bytes, "store")) {
        std::memcpy(target, place->shared.data() + offset, bytes);
        mark_written(other, bytes);
      }
      return;
    }
    const std::byte* source = nullptr;
    if (use_.other.space == Space::shared) {
      if (fits(block_, other & kSharedOffsetMask, bytes))
        source = block_.shared.data() + (other & kSharedOffsetMask);
    } else {
      source = global(other, bytes, "load");
      if (source != nullptr) check_written(other, bytes);
    }
    if (source == nullptr) return;
    std::memcpy(place->shared.data() + offset, source, bytes);
    if (place->tracks_defined) std::memset(place->shared_defined.data() + offset, 1, bytes);
    complete(*place, bytes);
  }

  // The barrier lies at the same offset of every block that receives the data.
  void complete(Block& to, std::uint64_t bytes) {
    const std::uint64_t at = address_of(warp_, use_.barrier, lane_) & kSharedOffsetMask;
    if (at % 8 != 0 || !fits(to, at, 8)) return;
    const std::string broken =
        update_mbarrier(to.shared.data() + at, 0, -static_cast<Index>(bytes), 0);
    if (!broken.empty()) refuse("P1", broken);
    warp_.last_poll_at = nullptr;
  }

  Warp& warp_;
  Block& block_;
  const BulkUse& use_;
  int lane_;
  std::uint64_t shared_at_ = 0;
  TensorMap map_;
  DType type_ = DType::f32;
  int element_ = 4;
  std::array<Index, 5> at_{};
  bool is_source_refused_ = false;
};

}  // namespace

void run_bulk(LaneState& lanes, const Instruction& instruction, std::uint32_t mask) {
  auto& warp = static_cast<Warp&>(lanes);
  const BulkUse& use = warp.block->program.bulks[instruction.extra];
  for (int lane = 0; lane < kWarpLanes; ++lane)
    if (((mask >> lane) & 1) != 0) BulkCopy(warp, use, lane).run();
}

}  // namespace jute::emulator
