#pragma once
// Global memory of the emulated chip: allocations gigabytes apart, in an address space of their
// own.
#include "emulator/ptx/ptx_ast.hpp"

#include <jute/base/types.hpp>
#include <jute/launch/signature.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace jute::emulator {

// Where generic addresses of each space lie. Nothing overlaps, and null belongs to none.
inline constexpr std::uint64_t kCodeBegin = 0x0100'0000'0000;  ///< of functions that pointers mean
inline constexpr std::uint64_t kCodeStep = 16;
inline constexpr std::uint64_t kLocalWindow = 0x1000'0000'0000;
inline constexpr std::uint64_t kSharedWindow = 0x2000'0000'0000;
inline constexpr std::uint64_t kParamWindow = 0x3000'0000'0000;
inline constexpr std::uint64_t kWindowBytes = 0x1000'0000'0000;
inline constexpr std::uint64_t kGlobalWindow = 0x4000'0000'0000;  ///< and all that lies above it
/// The number that cvta adds to an address of this space.
[[nodiscard]] constexpr std::uint64_t window_of(Space space) {
  switch (space) {
    case Space::shared:
      return kSharedWindow;
    case Space::local:
      return kLocalWindow;
    case Space::param:
      return kParamWindow;
    default:
      return 0;
  }
}
/// Shared addresses of the block with rank r in its cluster begin at r << 24, its own as well as
/// those that mapa gives, as on an H200.
inline constexpr int kSharedRankShift = 24;
inline constexpr std::uint64_t kSharedOffsetMask = (1U << kSharedRankShift) - 1;
[[nodiscard]] constexpr std::uint64_t shared_begin(int rank) {
  return static_cast<std::uint64_t>(rank) << kSharedRankShift;
}

/// Bytes of the host that lie in its lines of 128 bytes as they do on the chip.
struct HostBytesDelete {
  static constexpr std::align_val_t kAlign{256};
  bool is_borrowed = false;  ///< somebody else's
  void operator()(std::byte* bytes) const {
    if (!is_borrowed) ::operator delete[](bytes, kAlign);
  }
};
using HostBytes = std::unique_ptr<std::byte[], HostBytesDelete>;

struct Allocation {
  DevicePointer begin = 0;
  Index bytes = 0;
  bool is_constant = false;
  bool is_live = true;
  bool is_device_heap = false;     ///< malloc of a kernel
  bool was_launched_over = false;  ///< a kernel has run since it was made
  HostBytes data;
  /// One byte a byte, 1 where written; none when definedness is not tracked or all is defined.
  std::unique_ptr<std::byte[]> defined;
  [[nodiscard]] DevicePointer end() const { return begin + static_cast<std::uint64_t>(bytes); }
};

/// Addresses only grow, so memory that was freed stays recognisable.
class GlobalMemory {
 public:
  explicit GlobalMemory(bool tracks_defined, Index most_bytes = Index{1} << 42)
      : tracks_defined_(tracks_defined), most_bytes_(most_bytes) {}

  /// throws  out_of_memory
  [[nodiscard]] Allocation& alloc(Index bytes, std::uint64_t align = 1);
  /// An address for bytes that somebody else keeps, all of them written.
  [[nodiscard]] Allocation& map(std::byte* bytes, Index count);
  void free(DevicePointer pointer) noexcept;
  /// malloc and free of kernels. None of this size left: null. Memory that is given back keeps its
  /// bytes until the launch ends. False: there is nothing to give back.
  [[nodiscard]] DevicePointer allocate_on_device(std::uint64_t bytes);
  bool release_on_device(DevicePointer pointer);
  /// The allocation, live or freed, whose bytes hold `address`; null between them.
  [[nodiscard]] const Allocation* find(DevicePointer address) const;
  [[nodiscard]] Allocation* find(DevicePointer address);
  /// A live allocation that holds `bytes` from `address`.
  ///   throws  out_of_range
  [[nodiscard]] Allocation& range(DevicePointer address, Index bytes, const char* what);
  void mark_defined(Allocation& allocation, DevicePointer address, Index bytes);
  /// Facts known of the source's bytes are known of the target's.
  void copy_defined(Allocation& to, DevicePointer target, const Allocation& from,
                    DevicePointer source, Index bytes);
  void mark_launched();
  /// "256 bytes past the end of the allocation of 1024 bytes at 0x…"
  [[nodiscard]] std::string describe(DevicePointer address) const;

 private:
  bool tracks_defined_;
  Index most_bytes_, live_bytes_ = 0;
  std::uint64_t heap_bytes_ = 0;  ///< given to kernels
  std::vector<DevicePointer> released_;
  DevicePointer next_ = kGlobalWindow + (std::uint64_t{1} << 32);
  std::map<DevicePointer, Allocation> allocations_;
};

}  // namespace jute::emulator
