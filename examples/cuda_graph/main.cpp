// A product captured in a CUDA graph and launched again and again: by the driver API, and by the
// runtime API. Needs a GPU and the CUDA headers:
//   c++ -std=c++20 main.cpp $(pkg-config --cflags --libs jute) -lcudart -lcuda
#include <cuda.h>
#include <cuda_runtime.h>
#include <jute/jute.hpp>

#include <cstdint>
#include <cstdio>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr int kLaunches = 3;

void require(CUresult status) {
  if (status != CUDA_SUCCESS) throw std::runtime_error("CUDA driver: " + std::to_string(status));
}
void require(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorString(status));
}

void launch_by_driver(const jute::Gemm& gemm, jute::GemmArgs args) {
  CUstream stream = nullptr;
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  require(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  args.stream = {reinterpret_cast<std::uint64_t>(stream)};
  require(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  gemm.run(args);
  require(cuStreamEndCapture(stream, &graph));
  require(cuGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < kLaunches; ++i) require(cuGraphLaunch(executable, stream));
  require(cuStreamSynchronize(stream));
  require(cuGraphExecDestroy(executable));
  require(cuGraphDestroy(graph));
  require(cuStreamDestroy(stream));
}

void launch_by_runtime(const jute::Gemm& gemm, jute::GemmArgs args) {
  cudaStream_t stream = nullptr;
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t executable = nullptr;
  require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  args.stream = {reinterpret_cast<std::uint64_t>(stream)};
  require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  gemm.run(args);
  require(cudaStreamEndCapture(stream, &graph));
  require(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < kLaunches; ++i) require(cudaGraphLaunch(executable, stream));
  require(cudaStreamSynchronize(stream));
  require(cudaGraphExecDestroy(executable));
  require(cudaGraphDestroy(graph));
  require(cudaStreamDestroy(stream));
}

}  // namespace

int main() try {
  jute::Problem problem;
  problem.m = 256, problem.n = 128, problem.k = 64;

  // The device's primary context, which the runtime API uses too.
  jute::Context context({.device = jute::DeviceChoice::cuda});
  require(cudaSetDevice(0));
  require(cudaFree(nullptr));

  // All that a capture must not hold comes first: what compiles, loads and clears.
  const jute::Gemm gemm = jute::prepare(context, problem);
  jute::Backend& backend = context.backend();
  const std::vector<float> a(256 * 64, 0.5F), b(64 * 128, 2.0F);
  const jute::Buffer device_a(backend, 256 * 64 * 4), device_b(backend, 64 * 128 * 4);
  const jute::Buffer device_d(backend, 256 * 128 * 4);
  const jute::Buffer workspace(backend, gemm.workspace_bytes());
  backend.copy_in(device_a.pointer(), std::as_bytes(std::span(a)));
  backend.copy_in(device_b.pointer(), std::as_bytes(std::span(b)));
  gemm.clear_workspace(workspace.pointer());
  backend.synchronize();

  bool is_right = true;
  for (const auto launch : {&launch_by_driver, &launch_by_runtime}) {
    launch(gemm, {.a = device_a.pointer(),
                  .b = device_b.pointer(),
                  .d = device_d.pointer(),
                  .workspace = workspace.pointer()});
    std::vector<float> d(256 * 128);
    backend.copy_out(std::as_writable_bytes(std::span(d)), device_d.pointer());
    is_right &= d == std::vector<float>(d.size(), 64.0F);
  }
  std::printf("%s: %s\n", backend.name().c_str(), is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
} catch (const std::exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
