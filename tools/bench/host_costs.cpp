// What one call costs the host.
#include "bench/bench.hpp"

#include <chrono>

#include "race/device/gpu.hpp"
#include "race/results/statistics.hpp"
#include "tree/numbers.hpp"

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

double microseconds_a_call(const Gpu& gpu, const std::function<void()>& call) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    times.push_back(microseconds_of([&] {
                      for (int i = 0; i < kCalls; ++i) call();
                    }) /
                    kCalls);
    gpu.synchronize();
  }
  return median(times);
}

Case tiny_case(DType type) {
  Problem problem;
  problem.m = problem.n = problem.k = 128;
  problem.a.type = problem.b.type = problem.c.type = problem.d.type = type;
  problem.b.order = Order::col;
  return case_of(problem, 1.0, 0.0);
}

/// Eight groups, whose list only the device reads.
Case tiny_groups() {
  Problem problem = tiny_case(DType::bf16).problem;
  problem.batch = 8;
  problem.groups = Groups{.kind = GroupKind::rows};
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    matrix->batch_stride_elems = 0;
  return case_of(problem, 1.0, 0.0);
}

/// A kernel launched by the driver's own call, its parameters built once.
class BareKernel {
 public:
  BareKernel(const Gpu& gpu, const Binary& binary) : gpu_(gpu) {
    const DriverApi& api = gpu.api();
    api.require("cuModuleLoadData", api.module_load(&module_, binary.cubin.data()));
    api.require("cuModuleGetFunction",
                api.module_function(&function_, module_, binary.symbol.c_str()));
  }
  ~BareKernel() { (void)gpu_.api().module_unload(module_); }
  BareKernel(const BareKernel&) = delete;
  BareKernel& operator=(const BareKernel&) = delete;

  void launch(DevicePointer argument) const {
    void* parameters[] = {&argument};
    const DriverApi& api = gpu_.api();
    api.require("cuLaunchKernel",
                api.launch(function_, 1, 1, 1, 128, 1, 1, 0, gpu_.stream(), parameters, nullptr));
  }

 private:
  const Gpu& gpu_;
  ModuleHandle module_ = nullptr;
  FunctionHandle function_ = nullptr;
};

}  // namespace

void print_host_costs(Context& context, const Settings& settings, const OpenPeers& open_peers,
                      const Print& print) {
  Backend& backend = context.backend();
  const Gpu gpu;
  const DeviceKernels kernels(backend, settings);
  const auto report = [&](const std::string& what, double microseconds) {
    print(left(what, 52) + right(fixed(microseconds, 2), 12) + " us");
  };
  std::optional<PeerLibraries> peers;
  if (open_peers) peers = open_peers(backend);
  const Buffer clocks(backend, DeviceKernels::kClockBytes);
  const BareKernel bare(gpu, clock_kernel(backend.device_info().arch, settings));
  report("bare launch: cuLaunchKernel, one parameter",
         microseconds_a_call(gpu, [&] { bare.launch(clocks.pointer()); }));
  for (const Case& each : {tiny_case(DType::f32), tiny_case(DType::bf16), tiny_groups()}) {
    const RotatingSets sets(backend, kernels, each, {.sets = 8, .launches = 8});
    int call = 0;
    report(each.id + ": prepare, first in this context",
           microseconds_of([&] { (void)prepare(context, each.problem); }));
    const Gemm gemm = prepare(context, each.problem);
    report(each.id + ": prepare, the same problem again",
           microseconds_a_call(gpu, [&] { (void)prepare(context, each.problem); }));
    const Contestant own = jute_contestant(backend, gemm, each, "planned", gpu.jute_stream());
    report(each.id + ": run, other pointers each time",
           microseconds_a_call(gpu, [&] { own.enqueue(sets.of(++call)); }));
    if (!peers || each.problem.groups) continue;  // one call of cuBLASLt has no groups
    const auto others = peers->contestants(each, sets.of(0), gpu.jute_stream());
    if (!others.empty())
      report(each.id + ": cublasLtMatmul, algorithm given",
             microseconds_a_call(gpu, [&] { others.front().enqueue(sets.of(++call)); }));
  }
}

}  // namespace jute::bench
