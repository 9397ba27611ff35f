#pragma once
// CUDA graphs of many launches, timed in turns.
#include "device_kernels.hpp"

#include <cuda_runtime_api.h>

#include <functional>
#include <vector>

namespace jute::bench {

/// One timed replay: milliseconds a launch, and the SM clock during it.
struct Shot {
  double ms = 0, mhz = 0;
};

/// `launches` launches as one executable graph.
class Graph {
 public:
  /// `launch(i)` enqueues launch i on the stream that is being captured.
  ///   throws  launch_failed when capturing fails
  Graph(cudaStream_t stream, int launches, const std::function<void(int)>& launch);
  ~Graph();
  Graph(Graph&& other) noexcept : graph_(other.graph_), launches_(other.launches_) {
    other.graph_ = nullptr;
  }
  Graph& operator=(Graph&&) = delete;
  [[nodiscard]] cudaGraphExec_t handle() const { return graph_; }
  [[nodiscard]] int launches() const { return launches_; }

 private:
  cudaGraphExec_t graph_ = nullptr;
  int launches_;
};

class GraphTimer {
 public:
  GraphTimer(Backend& backend, const DeviceKernels& kernels, cudaStream_t stream);
  ~GraphTimer();
  GraphTimer(const GraphTimer&) = delete;
  GraphTimer& operator=(const GraphTimer&) = delete;

  [[nodiscard]] Shot replay(const Graph& graph);
  /// Contestants take turns; the device rests `rest_ms` before every replay, so that it stays far
  /// from its power limit. [contestant][round]
  [[nodiscard]] std::vector<std::vector<Shot>> in_turns(const std::vector<const Graph*>& graphs,
                                                        int rounds, int rest_ms);
  /// One contestant back to back: 250 ms unrecorded, then the median of at least 100 ms.
  [[nodiscard]] Shot sustained(const Graph& graph);

 private:
  [[nodiscard]] double mhz_between_clocks();
  Backend& backend_;
  const DeviceKernels& kernels_;
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  Buffer clocks_;
};

[[nodiscard]] double median(std::vector<double> values);
/// throws  launch_failed: `call` and the status' text
void require(cudaError_t status, const char* call);

}  // namespace jute::bench
