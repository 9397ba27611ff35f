#pragma once
// What the stand-ins for a driver and for NCCL are made of.
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "transport/stand_in_gpus.hpp"

namespace jute::test {

/// Functions of a library by their names.
using Symbols = std::map<std::string, void*>;
template <class Function>
void* as_symbol(Function* function) {
  return reinterpret_cast<void*>(function);
}

/// The driver's, and the GPU that is current in this thread.
[[nodiscard]] const Symbols& driver_symbols();
[[nodiscard]] int current_gpu();
[[nodiscard]] driver::Status stand_in_alloc(driver::DriverAddress* address, std::size_t bytes);
[[nodiscard]] driver::Status stand_in_free(driver::DriverAddress address);

/// NCCL's: communicators and what they send, sums, windows.
[[nodiscard]] const Symbols& nccl_symbols();
[[nodiscard]] const Symbols& nccl_sum_symbols();
[[nodiscard]] const Symbols& nccl_window_symbols();

/// Counts what lives, under the state's mutex.
void change(int StandIn::*count, int by);

struct Posted {
  int peer;
  DevicePointer place;
  std::size_t bytes;
};
struct FakeSum {
  int kind = 0;  // 0: all, 1: parts
  DevicePointer to = 0;
  std::size_t bytes = 0;
  int type = 0;
};
struct FakeWorld {
  std::map<int, std::deque<std::vector<std::byte>>> summands;  // by rank, one behind the other
  int size = 0, came = 0;
  bool is_aborted = false;
  std::map<int, std::vector<void*>> windows;  // by rank, one behind the other
  std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> letters;  // (from, to)
};
struct FakeComm {
  std::shared_ptr<FakeWorld> world;
  int rank = 0, gpu = 0;
  std::deque<Posted> awaited;
  std::optional<FakeSum> sum;
  std::size_t sums_done = 0;
  bool is_broken = false;
};

/// Of all worlds and their communicators.
[[nodiscard]] std::mutex& nccl_mutex();
[[nodiscard]] FakeComm& comm_of(transport::NcclComm comm);
/// What a test wants this call to say on this rank, this time.
[[nodiscard]] transport::NcclResult told(const char* call, int rank);
/// Writes the sum that a rank waits for, once all ranks' summands are there; the worlds are locked.
[[nodiscard]] bool sum_up(FakeComm& own);

}  // namespace jute::test
