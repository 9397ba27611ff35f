#pragma once
// GPUs and NCCL without any: the tables of transports over memory that tests give, with faults
// where they are wanted.
#include <jute/launch/backend.hpp>

#include <atomic>
#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "transport/ends.hpp"

namespace jute::test {

/// Memory of ranks: of emulators, or the host's.
class StandInMemory {
 public:
  virtual ~StandInMemory() = default;
  virtual void read(int gpu, std::span<std::byte> target, DevicePointer source) = 0;
  virtual void write(int gpu, DevicePointer target, std::span<const std::byte> source) = 0;
  virtual DevicePointer alloc(int gpu, Index bytes) = 0;
  virtual void free(int gpu, DevicePointer pointer) = 0;
};
[[nodiscard]] std::unique_ptr<StandInMemory> memory_of(std::vector<Backend*> backends);
[[nodiscard]] std::unique_ptr<StandInMemory> host_memory();

/// What a call of NCCL's says on one rank, the n-th time that it is called there.
struct NcclFault {
  std::string call;
  int rank = 0, at = 0;
  transport::NcclResult result = 1;
};

/// State of the stand-ins; one test at a time.
struct StandIn {
  std::unique_ptr<StandInMemory> memory;
  std::vector<NcclFault> faults;
  int nccl_version = 22809;
  int most_ctas = 0;  ///< that the last communicator was made with
  int gpu_count = 2;
  bool has_peer_access = true;
  bool reaches_windows = true;  ///< NCCL's, of other ranks
  /// Symbols; other ranks' addresses are 2.29's.
  std::set<std::string> missing{"ncclGetPeerDevicePointer"};

  std::mutex mutex;
  std::map<std::pair<std::string, int>, int> counts;  ///< calls by (name, rank)
  std::set<transport::StreamHandle> ended_streams;
  std::uintptr_t next_stream = 0x1000;
  int live_comms = 0, live_events = 0, live_streams = 0, live_allocs = 0, live_windows = 0;
};
[[nodiscard]] StandIn& stand_in();
void reset_stand_in(std::unique_ptr<StandInMemory> memory);

/// Opens libcuda.so.1 and files named libnccl*; everything else does not open.
[[nodiscard]] base::LibraryLoader stand_in_loader();
/// Their driver.
[[nodiscard]] std::shared_ptr<const driver::Driver> stand_in_driver();
[[nodiscard]] std::vector<std::shared_ptr<const transport::Gpu>> stand_in_gpus(Index count);
/// Ends over NCCL's stand-in. The ranks meet inside, each in a thread.
[[nodiscard]] std::vector<std::unique_ptr<Communicator>> stand_in_nccl_ends(
    std::vector<std::unique_ptr<Rendezvous>> rendezvous, std::chrono::milliseconds deadline,
    int most_sms = 0);

}  // namespace jute::test
