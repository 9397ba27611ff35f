// Memory that kernels of other GPUs reach, and the word by which the host ends their waiting.
#include <atomic>
#include <thread>

#include "transport/gpu.hpp"

namespace jute::transport {
namespace {

constexpr std::size_t kWordBytes = 64;

std::atomic_ref<std::uint32_t> word_at(void* address) {
  return std::atomic_ref<std::uint32_t>(*static_cast<std::uint32_t*>(address));
}

}  // namespace

FaultWord::FaultWord(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {
  const OnGpu current(*gpu_);
  gpu_->calls().require("cuMemHostAlloc",
                        gpu_->calls().host_alloc(&word_, kWordBytes, kHostPortable | kHostMapped));
  word_at(word_) = 0;
}

FaultWord::~FaultWord() {
  const Driver& calls = gpu_->calls();
  (void)calls.context_push(gpu_->context());
  (void)calls.host_free(word_);
  ContextHandle popped = nullptr;
  (void)calls.context_pop(&popped);
}

DevicePointer FaultWord::address() const {
  return static_cast<DevicePointer>(reinterpret_cast<std::uintptr_t>(word_));
}
std::uint32_t FaultWord::value() const { return word_at(word_).load(); }
void FaultWord::raise(std::uint32_t fault) const {
  std::uint32_t none = 0;
  (void)word_at(word_).compare_exchange_strong(none, fault);
}

WindowPart::WindowPart(std::shared_ptr<const Gpu> gpu, Index bytes)
    : gpu_(std::move(gpu)), fault_(gpu_), memory_(gpu_), bytes_(memory_.of(bytes)) {
  const SideStream stream(gpu_);
  {
    const OnGpu current(*gpu_);
    const Driver& calls = gpu_->calls();
    calls.require("cuMemsetD8Async",
                  calls.fill(bytes_, 0, static_cast<std::size_t>(bytes), stream.handle()));
  }
  const Mark cleared(gpu_, stream.handle());
  while (!cleared.is_reached()) std::this_thread::yield();
}

}  // namespace jute::transport
