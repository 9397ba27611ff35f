// CUDA graphs of many launches, timed in turns.
#include "gpu_timing.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <thread>

namespace jute::bench {
namespace {

constexpr size_t kClockSlots = DeviceKernels::kClockBytes / sizeof(std::uint64_t);

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

Shot median_shot(const std::vector<Shot>& shots) {
  std::vector<double> ms, mhz;
  for (const Shot& shot : shots) {
    ms.push_back(shot.ms);
    mhz.push_back(shot.mhz);
  }
  return {median(ms), median(mhz)};
}

}  // namespace

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::ranges::sort(values);
  const size_t half = values.size() / 2;
  return values.size() % 2 != 0 ? values[half] : 0.5 * (values[half - 1] + values[half]);
}

void require(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  throw Exception({.code = ErrorCode::launch_failed,
                   .operand = call,
                   .value = cudaGetErrorName(status),
                   .detail = cudaGetErrorString(status)});
}

Graph::Graph(cudaStream_t stream, int launches, const std::function<void(int)>& launch)
    : launches_(launches) {
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
  cudaGraph_t captured = nullptr;
  try {
    for (int i = 0; i < launches; ++i) launch(i);
  } catch (...) {
    cudaStreamEndCapture(stream, &captured);
    if (captured != nullptr) cudaGraphDestroy(captured);
    cudaGetLastError();
    throw;
  }
  require(cudaStreamEndCapture(stream, &captured), "cudaStreamEndCapture");
  const cudaError_t status = cudaGraphInstantiate(&graph_, captured, 0);
  cudaGraphDestroy(captured);
  require(status, "cudaGraphInstantiate");
}

Graph::~Graph() {
  if (graph_ != nullptr) cudaGraphExecDestroy(graph_);
}

GraphTimer::GraphTimer(Backend& backend, const DeviceKernels& kernels, cudaStream_t stream)
    : backend_(backend),
      kernels_(kernels),
      stream_(stream),
      clocks_(backend, 2 * DeviceKernels::kClockBytes) {
  require(cudaEventCreate(&start_), "cudaEventCreate");
  require(cudaEventCreate(&stop_), "cudaEventCreate");
}

GraphTimer::~GraphTimer() {
  cudaEventDestroy(start_);
  cudaEventDestroy(stop_);
}

double GraphTimer::mhz_between_clocks() {
  std::vector<std::uint64_t> clocks(2 * kClockSlots);
  backend_.copy_out(std::as_writable_bytes(std::span(clocks)), clocks_.pointer());
  double sum = 0;
  int sms = 0;
  for (size_t i = 0; i < kClockSlots; i += 2) {
    const auto cycles = static_cast<double>(clocks[kClockSlots + i] - clocks[i]);
    const auto nanoseconds = static_cast<double>(clocks[kClockSlots + i + 1] - clocks[i + 1]);
    if (clocks[i + 1] == 0 || clocks[kClockSlots + i + 1] <= clocks[i + 1]) continue;
    sum += cycles / nanoseconds * 1e3;
    ++sms;
  }
  return sms == 0 ? 0.0 : sum / sms;
}

Shot GraphTimer::replay(const Graph& graph) {
  const Stream stream{reinterpret_cast<std::uint64_t>(stream_)};
  backend_.fill(clocks_.pointer(), 0, 2 * DeviceKernels::kClockBytes, stream);
  kernels_.read_clocks(clocks_.pointer(), stream);
  require(cudaEventRecord(start_, stream_), "cudaEventRecord");
  require(cudaGraphLaunch(graph.handle(), stream_), "cudaGraphLaunch");
  require(cudaEventRecord(stop_, stream_), "cudaEventRecord");
  kernels_.read_clocks(clocks_.pointer() + DeviceKernels::kClockBytes, stream);
  require(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
  float ms = 0;
  require(cudaEventElapsedTime(&ms, start_, stop_), "cudaEventElapsedTime");
  return {static_cast<double>(ms) / graph.launches(), mhz_between_clocks()};
}

std::vector<std::vector<Shot>> GraphTimer::in_turns(const std::vector<const Graph*>& graphs,
                                                    int rounds, int rest_ms) {
  std::vector<std::vector<Shot>> shots(graphs.size());
  for (const Graph* graph : graphs) (void)replay(*graph);
  for (int round = 0; round < rounds; ++round)
    for (size_t i = 0; i < graphs.size(); ++i) {
      if (rest_ms > 0) std::this_thread::sleep_for(std::chrono::milliseconds(rest_ms));
      shots[i].push_back(replay(*graphs[i]));
    }
  return shots;
}

Shot GraphTimer::sustained(const Graph& graph) {
  auto start = std::chrono::steady_clock::now();
  while (milliseconds_since(start) < 250) (void)replay(graph);
  std::vector<Shot> shots;
  start = std::chrono::steady_clock::now();
  while (milliseconds_since(start) < 100 || shots.size() < 5) shots.push_back(replay(graph));
  return median_shot(shots);
}

}  // namespace jute::bench
