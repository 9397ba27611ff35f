// From the addresses of 32 lanes to bytes of the host: bounds, alignment, bank conflicts, and what
// is known of the bytes.
#include "emulator/run/machine.hpp"
#include "emulator/run/memory_access.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/format.hpp"

namespace jute::emulator {
namespace {

std::array<std::byte, 64> make_poison() {
  std::array<std::byte, 64> bytes;
  bytes.fill(std::byte{0xFF});
  return bytes;
}

const char* kind_name(AccessKind kind) {
  return kind == AccessKind::load     ? "load"
         : kind == AccessKind::atomic ? "atomic"
         : kind == AccessKind::copy   ? "cp.async"
                                      : "store";
}

/// Different words that a cycle takes from each bank; mostly one.
struct BankWords {
  std::array<std::uint64_t, kWarpLanes> only;
  std::array<std::uint8_t, kWarpLanes> depth{};
  std::array<std::uint64_t, kWarpLanes> others;
  int other_count = 0;
  int deepest = 1;

  void take(std::uint64_t word) {
    const auto bank = static_cast<size_t>(word % kWarpLanes);
    if (depth[bank] == 0) {
      only[bank] = word;
      depth[bank] = 1;
    } else if (only[bank] != word) {
      take_other(word, bank);
    }
  }
  void take_other(std::uint64_t word, size_t bank) {
    const auto end = others.begin() + other_count;
    if (std::find(others.begin(), end, word) != end) return;
    others[static_cast<size_t>(other_count++)] = word;
    deepest = std::max<int>(deepest, ++depth[bank]);
  }
};

/// One access of one warp on its way from addresses to host memory.
class Resolver {
 public:
  Resolver(Warp& warp, const MemoryAccess& access, int bytes, AccessKind kind, Resolved& result)
      : warp_(warp),
        block_(*warp.block),
        reaches_cluster_(access.reaches_cluster || access.space == Space::generic),
        bytes_(bytes),
        kind_(kind),
        result_(result) {}

  void run(Space space, const Addresses& addresses, std::uint32_t mask) {
    switch (space) {
      case Space::generic:
        return generic(addresses, mask);
      case Space::global:
      case Space::constant:
        return global(addresses, mask);
      case Space::shared:
        return shared(addresses, mask);
      case Space::local:
        return local(addresses, mask);
      case Space::param:
        return param(addresses, mask);
    }
  }

  void refuse_misaligned(const Addresses& addresses, std::uint32_t& mask, Space space,
                         int alignment) {
    std::uint64_t low = 0;
    if (mask == kAllLanes) {
      for (const std::uint64_t address : addresses) low |= address;
    } else {
      for (const size_t lane : lanes_of(mask)) low |= addresses[lane];
    }
    const auto align = static_cast<std::uint64_t>(alignment);
    if ((low & (align - 1)) == 0) return;
    for (int lane = 0; lane < kWarpLanes; ++lane) {
      const std::uint64_t address = addresses[static_cast<size_t>(lane)];
      if (((mask >> lane) & 1) == 0 || (address & (align - 1)) == 0) continue;
      mask &= ~(1U << lane);
      block_.find("M2", warp_, lane, [&] {
        return base::format("{} of {} bytes at {} address {:#x}, which is not a multiple of {}",
                            kind_name(kind_), bytes_, space_name(space), address, alignment);
      });
    }
  }

 private:
  // Lanes may point into different spaces; usually they do not.
  void generic(const Addresses& addresses, std::uint32_t mask) {
    while (mask != 0) {
      const auto first = static_cast<size_t>(std::countr_zero(mask));
      const std::uint64_t window = addresses[first] / kWindowBytes * kWindowBytes;
      Addresses inside = addresses;
      std::uint32_t same = 0;
      for (const size_t lane : lanes_of(mask))
        if (addresses[lane] / kWindowBytes * kWindowBytes == window) same |= 1U << lane;
      const Space space = space_of(window);
      if (space != Space::global)
        for (std::uint64_t& address : inside) address -= window;
      run(space, inside, same);
      mask &= ~same;
    }
  }

  void global(const Addresses& addresses, std::uint32_t mask) {
    const Allocation* allocation = block_.last_allocation;
    const auto bytes = static_cast<std::uint64_t>(bytes_);
    for (const int lane : lanes_of(mask)) {
      const std::uint64_t address = addresses[static_cast<size_t>(lane)];
      if (allocation == nullptr || address - allocation->begin >= allocation_bytes(allocation))
        allocation = block_.launch.memory.find(address);
      if (allocation == nullptr || !allocation->is_live || allocation->end() - address < bytes) {
        refuse_global(lane, address);
        continue;
      }
      if (kind_ != AccessKind::load && allocation->is_constant) {
        refuse_constant(lane, address);
        continue;
      }
      block_.last_allocation = allocation;
      const std::uint64_t at = address - allocation->begin;
      result_.global |= 1U << lane;
      accept(lane, allocation->data.get() + at,
             allocation->defined ? allocation->defined.get() + at : nullptr);
    }
  }
  static std::uint64_t allocation_bytes(const Allocation* allocation) {
    return static_cast<std::uint64_t>(allocation->bytes);
  }
  void refuse_global(int lane, std::uint64_t address) {
    block_.find("M1", warp_, lane, [&] {
      return base::format("{} of {} bytes at global address {:#x}: {}", kind_name(kind_), bytes_,
                          address, block_.launch.memory.describe(address));
    });
  }
  void refuse_constant(int lane, std::uint64_t address) {
    block_.find("M5", warp_, lane, [&] {
      return base::format("{} of {} bytes to constant memory at {:#x}", kind_name(kind_), bytes_,
                          address);
    });
  }

  void shared(const Addresses& addresses, std::uint32_t mask) {
    if (block_.tracks_defined) count_conflicts(addresses, mask);
    for (const int lane : lanes_of(mask)) {
      const std::uint64_t address = addresses[static_cast<size_t>(lane)];
      Block* const owner = peer_at(block_, address);
      const std::uint64_t at = address & kSharedOffsetMask;
      if (owner == nullptr || at + static_cast<unsigned>(bytes_) > owner->shared.size()) {
        refuse_shared(lane, address);
        continue;
      }
      if (owner != &block_ && !reaches_cluster_) {
        refuse_far(lane, address, *owner);
        continue;
      }
      if (owner->finished) {
        refuse_ended(lane, *owner);
        continue;
      }
      accept(lane, owner->shared.data() + at,
             block_.tracks_defined ? owner->shared_defined.data() + at : nullptr);
    }
  }
  void refuse_far(int lane, std::uint64_t address, const Block& owner) {
    block_.find("M1", warp_, lane, [&] {
      return base::format(
          "{} of {} bytes at shared address {:#x}, which lies in block {} of the cluster; .shared "
          "and .shared::cta reach block {} alone, whose addresses begin at {:#x}: it needs "
          ".shared::cluster",
          kind_name(kind_), bytes_, address, owner.rank, block_.rank, shared_begin(block_.rank));
    });
  }
  void refuse_ended(int lane, const Block& owner) {
    block_.find("M6", warp_, lane, [&] {
      return base::format(
          "{} of {} bytes in the shared memory of block {} of the cluster, which has ended: it "
          "must "
          "wait for its neighbours, at a cluster barrier say",
          kind_name(kind_), bytes_, owner.rank);
    });
  }
  void refuse_shared(int lane, std::uint64_t address) {
    const std::uint64_t begin = shared_begin(block_.rank);
    if (address >= begin) address -= begin;
    block_.find("M1", warp_, lane, [&] {
      return base::format(
          "{} of {} bytes at shared offset {}; the block has {} bytes of shared "
          "memory",
          kind_name(kind_), bytes_, address, block_.shared.size());
    });
  }

  // 32 banks of 4 bytes; 16-byte accesses go a quarter of a warp at a time, 8-byte ones a half.
  // What a cycle costs beyond the first: the most different words that one bank must give.
  void count_conflicts(const Addresses& addresses, std::uint32_t mask) {
    Counters& counters = block_.findings.counters;
    ++counters.smem_accesses;
    const int words = std::max(1, bytes_ / 4);
    const int lanes = kWarpLanes / words;
    for (int first = 0; first < kWarpLanes; first += lanes) {
      BankWords banks;
      for (int lane = first; lane < first + lanes; ++lane) {
        if (((mask >> lane) & 1) == 0) continue;
        const std::uint64_t at = addresses[static_cast<size_t>(lane)] / 4;
        for (int word = 0; word < words; ++word) banks.take(at + static_cast<unsigned>(word));
      }
      counters.smem_bank_conflicts += banks.deepest - 1;
    }
  }

  void local(const Addresses& addresses, std::uint32_t mask) {
    const auto size = static_cast<std::uint64_t>(block_.program.local_bytes);
    const auto bytes = static_cast<std::uint64_t>(bytes_);
    const bool tracks = !warp_.local_defined.empty();
    for (const int lane : lanes_of(mask)) {
      const std::uint64_t at = addresses[static_cast<size_t>(lane)];
      if (at + bytes > size || at > size) {
        block_.find("M1", warp_, lane, [&] {
          return base::format(
              "{} of {} bytes at local offset {}; a thread has {} bytes of local "
              "memory",
              kind_name(kind_), bytes_, at, size);
        });
        continue;
      }
      const std::uint64_t place = static_cast<std::uint64_t>(lane) * size + at;
      accept(lane, warp_.local.data() + place,
             tracks ? warp_.local_defined.data() + place : nullptr);
    }
  }

  void param(const Addresses& addresses, std::uint32_t mask) {
    const std::span<const std::byte> parameters = block_.launch.parameters;
    for (const int lane : lanes_of(mask)) {
      const std::uint64_t at = addresses[static_cast<size_t>(lane)];
      if (at >= parameters.size() || parameters.size() - at < static_cast<size_t>(bytes_)) {
        block_.find("M1", warp_, lane, [&] {
          return base::format(
              "{} of {} bytes at parameter offset {}; the kernel has {} bytes of "
              "parameters",
              kind_name(kind_), bytes_, at, parameters.size());
        });
      } else if (kind_ != AccessKind::load) {
        refuse_constant(lane, at);
      } else {
        accept(lane, const_cast<std::byte*>(parameters.data()) + at, nullptr);
      }
    }
  }

  void accept(int lane, std::byte* data, std::byte* defined) {
    result_.ok |= 1U << lane;
    result_.data[static_cast<size_t>(lane)] = data;
    if (defined == nullptr) return;
    result_.defined[static_cast<size_t>(lane)] = defined;
    result_.tracks_defined = true;
  }

  Warp& warp_;
  Block& block_;
  bool reaches_cluster_;
  int bytes_;
  AccessKind kind_;
  Resolved& result_;
};

}  // namespace

Space space_of(std::uint64_t generic) {
  switch (generic / kWindowBytes * kWindowBytes) {
    case kLocalWindow:
      return Space::local;
    case kSharedWindow:
      return Space::shared;
    case kParamWindow:
      return Space::param;
    default:
      return Space::global;
  }
}

Addresses gather_addresses(const Warp& warp, const MemoryAccess& access) {
  Addresses addresses;
  const auto offset = static_cast<std::uint64_t>(access.offset);
  if (access.base == kNoSlot) {
    addresses.fill(access.space == Space::shared ? shared_begin(warp.block->rank) + offset
                                                 : offset);
  } else if (access.base_is_64) {
    std::memcpy(addresses.data(), warp.at(access.base), sizeof(addresses));
    for (std::uint64_t& address : addresses) address += offset;
  } else {
    std::array<std::uint32_t, kWarpLanes> narrow;
    std::memcpy(narrow.data(), warp.at(access.base), sizeof(narrow));
    for (size_t lane = 0; lane < kWarpLanes; ++lane)
      addresses[lane] = static_cast<std::uint32_t>(narrow[lane] + offset);
  }
  return addresses;
}

void resolve(Warp& warp, const MemoryAccess& access, int bytes, std::uint32_t mask, AccessKind kind,
             Resolved& result) {
  resolve_aligned(warp, access, {bytes, bytes}, mask, kind, result);
}

void resolve_aligned(Warp& warp, const MemoryAccess& access, const AccessSize& size,
                     std::uint32_t mask, AccessKind kind, Resolved& result) {
  resolve_at(warp, access, gather_addresses(warp, access), size, mask, kind, result);
}

void resolve_at(Warp& warp, const MemoryAccess& access, const Addresses& addresses,
                const AccessSize& size, std::uint32_t mask, AccessKind kind, Resolved& result) {
  const int bytes = size.bytes;
  static const std::array<std::byte, 64> poison = make_poison();
  result.ok = result.global = 0;
  result.tracks_defined = false;
  if (kind == AccessKind::load) result.data.fill(const_cast<std::byte*>(poison.data()));
  if (warp.block->tracks_defined) result.defined.fill(nullptr);
  Resolver resolver(warp, access, bytes, kind, result);
  resolver.refuse_misaligned(addresses, mask, access.space, size.alignment);
  resolver.run(access.space, addresses, mask);
  RaceDetector* const races = warp.block->races.get();
  if (races != nullptr && kind != AccessKind::store_by_value)
    races->access(warp, result, bytes, kind, access);
}

}  // namespace jute::emulator
