// The table of live handles. It is the one thing that contexts share: a handle is a place in it and
// the number of times that the place was used, so that no two handles are ever equal.
//
//   bits 63…48  'J' 'U', which no address has
//        47…24  how often the place was used before
//        23…4   the place
//         3…0   the kind
#include "c/handles.hpp"

#include <jute/base/refuse.hpp>

#include <array>
#include <atomic>
#include <deque>
#include <mutex>
#include <utility>

#include "base/fork_gate.hpp"
#include "base/format.hpp"

namespace jute::c {
namespace {

constexpr std::uint64_t kMark = std::uint64_t{0x4A55} << 48;
constexpr int kKindBits = 4, kPlaceBits = 20, kUseBits = 24;
constexpr std::size_t kBlockPlaces = 1024;
constexpr std::size_t kBlocks = (std::size_t{1} << kPlaceBits) / kBlockPlaces;

/// `handle` is 0 while the place is free. What it points to is written before, and read after it.
struct Place {
  std::atomic<std::uint64_t> handle{0};
  std::shared_ptr<void> object;
  std::uint64_t uses = 0;
};
using Block = std::array<Place, kBlockPlaces>;

/// Blocks are made as they are needed, and stay where they are: looking up takes no lock.
class Table {
 public:
  std::uint64_t keep(HandleKind kind, std::shared_ptr<void> object) {
    const std::lock_guard lock(mutex_);
    const std::size_t at = free_place();
    Place& place = *at_place(at);
    place.object = std::move(object);
    const std::uint64_t uses = place.uses++ & ((std::uint64_t{1} << kUseBits) - 1);
    const std::uint64_t handle = kMark | uses << (kPlaceBits + kKindBits) | at << kKindBits |
                                 static_cast<std::uint64_t>(kind);
    place.handle.store(handle, std::memory_order_release);
    return handle;
  }

  [[nodiscard]] Place* find(HandleKind kind, std::uint64_t handle) const noexcept {
    constexpr std::uint64_t kKinds = (1U << kKindBits) - 1;
    if ((handle & kKinds) != static_cast<std::uint64_t>(kind)) return nullptr;
    Place* const place = at_place(handle >> kKindBits & ((1U << kPlaceBits) - 1));
    const bool is_live =
        place != nullptr && place->handle.load(std::memory_order_acquire) == handle;
    return is_live ? place : nullptr;
  }

  std::shared_ptr<void> share(HandleKind kind, std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    const Place* const place = find(kind, handle);
    return place == nullptr ? nullptr : place->object;
  }

  /// The object, which the caller destroys outside the lock; its end may free other handles.
  std::shared_ptr<void> drop(HandleKind kind, std::uint64_t handle) {
    const std::lock_guard lock(mutex_);
    Place* const place = find(kind, handle);
    if (place == nullptr) return nullptr;
    place->handle.store(0, std::memory_order_release);
    free_.push_back(handle >> kKindBits & ((1U << kPlaceBits) - 1));
    return std::exchange(place->object, nullptr);
  }

 private:
  [[nodiscard]] Place* at_place(std::size_t at) const noexcept {
    Block* const block = blocks_[at / kBlockPlaces].load(std::memory_order_acquire);
    return block == nullptr ? nullptr : &(*block)[at % kBlockPlaces];
  }

  /// The one that has been free for longest, once there are many.
  std::size_t free_place() {
    if (free_.size() > kBlockPlaces || used_ == kBlocks * kBlockPlaces) {
      if (free_.empty())
        jute::refuse(ErrorCode::out_of_memory, "handles", std::to_string(used_),
                     "handles must be freed: there may be so many at a time");
      const std::size_t at = free_.front();
      free_.pop_front();
      return at;
    }
    if (used_ % kBlockPlaces == 0)
      blocks_[used_ / kBlockPlaces].store(new Block, std::memory_order_release);
    return used_++;
  }

  std::array<std::atomic<Block*>, kBlocks> blocks_{};
  base::ForkSafe<std::mutex> mutex_;  // guards everything below, and writing to places
  std::deque<std::size_t> free_;
  std::size_t used_ = 0;
};

/// Lives as long as the process: a handle may be freed by a destructor of the caller's.
Table& table() {
  static Table* const kTable = new Table;
  return *kTable;
}

}  // namespace

const char* name(HandleKind kind) {
  switch (kind) {
    case HandleKind::text:
      return "jute_text";
    case HandleKind::layout:
      return "jute_layout";
    case HandleKind::context:
      return "jute_context";
    case HandleKind::problem:
      return "jute_problem";
    case HandleKind::plan:
      return "jute_plan";
    case HandleKind::gemm:
      return "jute_gemm";
    case HandleKind::workspace:
      break;
  }
  return "jute_workspace";
}

std::uint64_t keep(HandleKind kind, std::shared_ptr<void> object) {
  return table().keep(kind, std::move(object));
}
void* find(HandleKind kind, std::uint64_t handle) noexcept {
  const Place* const place = table().find(kind, handle);
  return place == nullptr ? nullptr : place->object.get();
}
std::shared_ptr<void> share(HandleKind kind, std::uint64_t handle) {
  return table().share(kind, handle);
}
bool drop(HandleKind kind, std::uint64_t handle) { return table().drop(kind, handle) != nullptr; }

void refuse_handle(HandleKind kind, std::uint64_t handle) {
  jute::refuse(ErrorCode::wrong_type, name(kind),
               handle == 0 ? "NULL" : base::format("{:#x}", handle),
               base::format("it must be a handle of {} that was not freed", name(kind)));
}

}  // namespace jute::c
