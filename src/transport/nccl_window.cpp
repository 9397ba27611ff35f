// Memory of NCCL's, registered with all ranks.
#include "transport/nccl_window.hpp"

#include <jute/base/error.hpp>
#include <jute/base/refuse.hpp>

#include <thread>
#include <utility>

namespace jute::transport {
namespace {

constexpr int kSymmetric = 1;  // NCCL_WIN_COLL_SYMMETRIC

DevicePointer address_of(const void* pointer) {
  return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(pointer));
}

}  // namespace

bool has_windows(const NcclApi& api) {
  return api.memory_alloc != nullptr && api.memory_free != nullptr &&
         api.window_register != nullptr && api.window_deregister != nullptr &&
         api.peer_pointer != nullptr;
}

NcclWindow::NcclWindow(std::shared_ptr<const Gpu> gpu, std::shared_ptr<const NcclLibrary> library,
                       NcclComm comm, Index bytes, std::chrono::milliseconds deadline)
    : gpu_(std::move(gpu)),
      library_(std::move(library)),
      comm_(comm),
      bytes_(bytes),
      deadline_(deadline),
      fault_(gpu_) {
  const OnGpu current(*gpu_);
  if (library_->api.memory_alloc(&memory_, static_cast<std::size_t>(bytes)) != kNcclSuccess)
    jute::refuse(ErrorCode::out_of_memory, "ncclMemAlloc", std::to_string(bytes) + " bytes",
                 "the call must succeed");
  own_ = address_of(memory_);
  const SideStream stream(gpu_);
  gpu_->calls().require(
      "cuMemsetD8Async",
      gpu_->calls().fill(own_, 0, static_cast<std::size_t>(bytes), stream.handle()));
  const Mark cleared(gpu_, stream.handle());
  while (!cleared.is_reached()) std::this_thread::yield();
}

void NcclWindow::close() {
  if (comm_ == nullptr || handle_ == nullptr) return;
  const OnGpu current(*gpu_);
  (void)library_->api.window_deregister(comm_, handle_);
  comm_ = nullptr;
}

NcclWindow::~NcclWindow() {
  const Driver& calls = gpu_->calls();
  (void)calls.context_push(gpu_->context());
  if (memory_ != nullptr) (void)library_->api.memory_free(memory_);
  ContextHandle popped = nullptr;
  (void)calls.context_pop(&popped);
}

NcclResult NcclWindow::register_memory() {
  return library_->api.window_register(comm_, memory_, static_cast<std::size_t>(bytes_), &handle_,
                                       kSymmetric);
}

void NcclWindows::end_waiting() const noexcept {
  for (const auto& window : windows_) window->fault_word().raise(kSomebodyFailed);
}

std::optional<Index> NcclWindows::missing_peer() const {
  for (const auto& window : windows_) {
    const std::uint32_t fault = window->fault_word().value();
    if (fault != 0 && fault != kSomebodyFailed) return static_cast<Index>(fault) - 1;
  }
  return std::nullopt;
}

void NcclWindows::close() {
  for (const auto& window : windows_) window->close();
  windows_.clear();
}

void NcclWindows::forget() noexcept {
  for (const auto& window : windows_) window->forget();
}

bool NcclWindow::find_peers(Index ranks, Index own) {
  for (Index rank = 0; rank < ranks; ++rank) {
    void* there = memory_;
    if (rank != own &&
        (library_->api.peer_pointer(handle_, 0, static_cast<int>(rank), &there) != kNcclSuccess ||
         there == nullptr))
      return false;
    peers_.push_back(address_of(there));
  }
  return true;
}

}  // namespace jute::transport
