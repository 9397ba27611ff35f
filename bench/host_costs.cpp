// What one call costs the host, jute's and cuBLASLt's.
#include "host_costs.hpp"

#include "gpu_timing.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>

namespace jute::bench {
namespace {

constexpr int kCalls = 200;
constexpr int kRounds = 15;

double microseconds_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start)
      .count();
}

/// Median over rounds of calls that nobody waits for.
double microseconds_a_call(Backend& backend, const std::function<void()>& call) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    times.push_back(microseconds_of([&] {
                      for (int i = 0; i < kCalls; ++i) call();
                    }) /
                    kCalls);
    backend.synchronize();
  }
  return median(times);
}

void report(std::string_view what, double microseconds) {
  fmt::print("{:<52} {:>12.2f} us\n", what, microseconds);
}

}  // namespace

void print_host_costs(Context& context) {
  Backend& backend = context.backend();
  const DeviceKernels kernels(backend);
  Case tiny;
  tiny.id = "f32_128";
  tiny.dtype = "f32";
  tiny.m = tiny.n = tiny.k = 128;
  const OperandSets sets(backend, kernels, tiny);
  const Problem problem = problem_of(tiny);
  report("prepare 128x128x128 f32, first in this context",
         microseconds_of([&] { (void)prepare(context, problem); }));
  const Gemm gemm = prepare(context, problem);
  report("prepare, the same problem again",
         microseconds_a_call(backend, [&] { (void)prepare(context, problem); }));
  GemmArgs args;
  args.a = sets.a(0);
  args.b = sets.b(0);
  args.d = sets.d(0);
  report("run", microseconds_a_call(backend, [&] { gemm.run(args); }));
  CublasPeer peer;
  if (peer.prepare(tiny, 1) == 0) return;
  report("cublasLtMatmul, algorithm given",
         microseconds_a_call(backend, [&] { peer.launch(0, sets, 0, nullptr); }));
}

}  // namespace jute::bench
