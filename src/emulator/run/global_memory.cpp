// Allocations of the emulated chip, the gaps between them and what is known of their bytes.
#include "emulator/run/global_memory.hpp"

#include <jute/base/error.hpp>

#include <algorithm>
#include <cstring>
#include <new>

#include "base/format.hpp"
#include "base/host_memory.hpp"

namespace jute::emulator {
namespace {

constexpr auto kAlign = static_cast<std::uint64_t>(HostBytesDelete::kAlign);
// More than any 32-bit index of 16-byte elements reaches, whatever its sign: an address that was
// made from one buffer does not lie in another.
constexpr std::uint64_t kGap = std::uint64_t{5} << 34;
// Fresh memory reads as NaN in every float type and as -1, so that its use shows.
constexpr int kPoison = 0xFF;

[[noreturn]] void refuse(ErrorCode code, std::string value, std::string rule) {
  throw Exception(Error{.code = code,
                        .operand = "device memory",
                        .value = std::move(value),
                        .violated_rules = {std::move(rule)},
                        .nearest_legal = std::nullopt,
                        .position = std::nullopt,
                        .detail = {}});
}

/// Half of what the process may have: whoever fills and compares what is here has copies of it. A
/// system that promises more than it has ends the process that takes it up.
Index host_share_bytes() {
  static const Index bytes = base::host_memory_bytes() / 2;
  return bytes;
}

}  // namespace

Allocation& GlobalMemory::alloc(Index bytes, std::uint64_t align) {
  if (bytes < 0 || bytes > most_bytes_ - live_bytes_)
    refuse(ErrorCode::out_of_memory, std::to_string(bytes),
           base::format("all memory of a chip must have at most {} bytes, of which {} are taken",
                        most_bytes_, live_bytes_));
  const Index cost = tracks_defined_ ? 2 : 1;
  if (bytes > host_share_bytes() / cost - live_bytes_)
    refuse(ErrorCode::out_of_memory, std::to_string(bytes),
           base::format("the host must have that much memory: half of its own, {} bytes, holds the "
                        "chip's{}, of which {} are taken",
                        host_share_bytes(), cost == 2 ? " twice, as checks ask for" : "",
                        live_bytes_));
  const auto size = static_cast<size_t>(bytes);
  Allocation made;
  made.begin = (next_ + align - 1) / align * align;
  made.bytes = bytes;
  try {
    made.data.reset(static_cast<std::byte*>(
        ::operator new[](std::max<size_t>(size, 1), HostBytesDelete::kAlign)));
    if (tracks_defined_ && size > 0) made.defined = std::make_unique<std::byte[]>(size);
  } catch (const std::bad_alloc&) {
    refuse(ErrorCode::out_of_memory, std::to_string(bytes), "the host must have that much memory");
  }
  live_bytes_ += bytes;
  std::memset(made.data.get(), kPoison, size);
  next_ = made.begin + (static_cast<std::uint64_t>(bytes) + kAlign - 1) / kAlign * kAlign + kGap;
  return allocations_.emplace(made.begin, std::move(made)).first->second;
}

Allocation& GlobalMemory::map(std::byte* bytes, Index count) {
  Allocation made;
  made.begin = next_;
  made.bytes = count;
  made.data = HostBytes(bytes, HostBytesDelete{true});
  next_ += (static_cast<std::uint64_t>(count) + kAlign - 1) / kAlign * kAlign + kGap;
  return allocations_.emplace(made.begin, std::move(made)).first->second;
}

void GlobalMemory::free(DevicePointer pointer) noexcept {
  const auto found = allocations_.find(pointer);
  if (found == allocations_.end()) return;
  if (found->second.data && !found->second.data.get_deleter().is_borrowed)
    live_bytes_ -= found->second.bytes;
  found->second.is_live = false;
  found->second.data.reset();
  found->second.defined.reset();
}

// CUDA C++ Programming Guide, dynamic global memory: the heap's size unless the host changes it.
static constexpr std::uint64_t kHeapBytes = std::uint64_t{8} << 20;

DevicePointer GlobalMemory::allocate_on_device(std::uint64_t bytes) {
  if (bytes > kHeapBytes - heap_bytes_) return 0;
  Allocation& made = alloc(static_cast<Index>(bytes));
  made.is_device_heap = true;
  heap_bytes_ += bytes;
  return made.begin;
}
bool GlobalMemory::release_on_device(DevicePointer pointer) {
  const auto found = allocations_.find(pointer);
  if (found == allocations_.end() || !found->second.is_device_heap || !found->second.is_live)
    return false;
  found->second.is_live = false;
  heap_bytes_ -= static_cast<std::uint64_t>(found->second.bytes);
  released_.push_back(pointer);
  return true;
}

const Allocation* GlobalMemory::find(DevicePointer address) const {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const Allocation& candidate = std::prev(after)->second;
  return address < candidate.end() ? &candidate : nullptr;
}
Allocation* GlobalMemory::find(DevicePointer address) {
  return const_cast<Allocation*>(static_cast<const GlobalMemory*>(this)->find(address));
}

Allocation& GlobalMemory::range(DevicePointer address, Index bytes, const char* what) {
  Allocation* found = find(address);
  if (found == nullptr && bytes == 0) {
    const auto exact = allocations_.find(address);
    if (exact != allocations_.end()) return exact->second;
  }
  if (found == nullptr || !found->is_live ||
      static_cast<std::uint64_t>(bytes) > found->end() - address)
    refuse(ErrorCode::out_of_range, base::format("{} bytes at {:#x}", bytes, address),
           base::format("a {} must stay inside one live allocation; this address lies {}", what,
                        describe(address)));
  return *found;
}

void GlobalMemory::mark_defined(Allocation& allocation, DevicePointer address, Index bytes) {
  if (allocation.defined == nullptr) return;
  if (bytes == allocation.bytes) {
    allocation.defined.reset();
  } else {
    std::memset(allocation.defined.get() + (address - allocation.begin), 1,
                static_cast<size_t>(bytes));
  }
}

void GlobalMemory::copy_defined(Allocation& to, DevicePointer target, const Allocation& from,
                                DevicePointer source, Index bytes) {
  if (!tracks_defined_) return;
  if (from.defined == nullptr) {
    mark_defined(to, target, bytes);
    return;
  }
  if (to.defined == nullptr) {
    const auto size = static_cast<size_t>(to.bytes);
    to.defined = std::make_unique<std::byte[]>(size);
    std::memset(to.defined.get(), 1, size);
  }
  std::memmove(to.defined.get() + (target - to.begin), from.defined.get() + (source - from.begin),
               static_cast<size_t>(bytes));
}

void GlobalMemory::mark_launched() {
  for (auto& [begin, allocation] : allocations_) allocation.was_launched_over = true;
  for (const DevicePointer pointer : released_) free(pointer);
  released_.clear();
}

std::string GlobalMemory::describe(DevicePointer address) const {
  if (const Allocation* inside = find(address)) {
    return base::format("{} bytes into the {}allocation of {} bytes at {:#x}",
                        address - inside->begin, inside->is_live ? "" : "freed ", inside->bytes,
                        inside->begin);
  }
  const auto after = allocations_.upper_bound(address);
  const Allocation* before = after == allocations_.begin() ? nullptr : &std::prev(after)->second;
  const Allocation* behind = after == allocations_.end() ? nullptr : &after->second;
  if (behind != nullptr && (before == nullptr || behind->begin - address < address - before->end()))
    return base::format("{} bytes before the {}allocation of {} bytes at {:#x}",
                        behind->begin - address, behind->is_live ? "" : "freed ", behind->bytes,
                        behind->begin);
  if (before != nullptr && address - before->end() < kGap)
    return base::format("{} bytes past the end of the {}allocation of {} bytes at {:#x}",
                        address - before->end(), before->is_live ? "" : "freed ", before->bytes,
                        before->begin);
  return "outside every allocation";
}

}  // namespace jute::emulator
