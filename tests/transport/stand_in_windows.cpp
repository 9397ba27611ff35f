// Memory and windows of NCCL's stand-in, which all ranks of a world make together.
#include <memory>
#include <thread>

#include "transport/stand_in_parts.hpp"

namespace jute::test {
namespace {

using namespace jute::transport;

struct FakeWindow {
  std::shared_ptr<FakeWorld> world;
  std::size_t turn = 0;
};
NcclResult nccl_memory(void** memory, std::size_t bytes) {
  DriverAddress address = 0;
  const Status status = stand_in_alloc(&address, bytes);
  *memory = reinterpret_cast<void*>(static_cast<std::uintptr_t>(address));
  return status;
}
NcclResult nccl_memory_end(void* memory) {
  return stand_in_free(static_cast<DriverAddress>(reinterpret_cast<std::uintptr_t>(memory)));
}
/// Waits for the other ranks.
NcclResult nccl_window(NcclComm comm, void* memory, std::size_t, NcclWindowHandle* window,
                       int flags) {
  FakeComm& own = comm_of(comm);
  if (const NcclResult fault = told("ncclCommWindowRegister", own.rank)) return fault;
  if (flags != 1) return 4;
  auto made = std::make_unique<FakeWindow>(FakeWindow{own.world, 0});
  {
    const std::lock_guard lock(nccl_mutex());
    made->turn = own.world->windows[own.rank].size();
    own.world->windows[own.rank].push_back(memory);
  }
  const auto are_all_here = [&] {
    const std::lock_guard lock(nccl_mutex());
    for (int rank = 0; rank < own.world->size; ++rank)
      if (own.world->windows[rank].size() <= made->turn) return own.world->is_aborted;
    return true;
  };
  while (!are_all_here()) std::this_thread::yield();
  {
    const std::lock_guard lock(nccl_mutex());
    if (own.world->is_aborted) return 6;
  }
  change(&StandIn::live_windows, 1);
  *window = reinterpret_cast<NcclWindowHandle>(made.release());
  return kNcclSuccess;
}
NcclResult nccl_window_end(NcclComm, NcclWindowHandle window) {
  change(&StandIn::live_windows, -1);
  delete reinterpret_cast<FakeWindow*>(window);
  return kNcclSuccess;
}
NcclResult nccl_peer(NcclWindowHandle window, std::size_t offset, int peer, void** pointer) {
  const std::lock_guard lock(nccl_mutex());
  const FakeWindow& it = *reinterpret_cast<FakeWindow*>(window);
  *pointer = stand_in().reaches_windows
                 ? static_cast<std::byte*>(it.world->windows[peer][it.turn]) + offset
                 : nullptr;
  return kNcclSuccess;
}

}  // namespace

const Symbols& nccl_window_symbols() {
  static const Symbols kSymbols{{"ncclMemAlloc", as_symbol(nccl_memory)},
                                {"ncclMemFree", as_symbol(nccl_memory_end)},
                                {"ncclCommWindowRegister", as_symbol(nccl_window)},
                                {"ncclCommWindowDeregister", as_symbol(nccl_window_end)},
                                {"ncclGetPeerDevicePointer", as_symbol(nccl_peer)}};
  return kSymbols;
}

}  // namespace jute::test
