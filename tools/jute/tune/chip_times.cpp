// Times kernels of waits, of reads and of products between events of the device.

#include <jute/gemm/gemm.hpp>

#include <algorithm>

#include "race/device/graph.hpp"
#include "race/device/timer.hpp"
#include "tune/chip_loops.hpp"

namespace jute::tuning {
namespace {

constexpr int kWaitThreads = 1024;
constexpr Index kWait = 4000;   // clocks that blocks of gaps take
constexpr int kLaunches = 200;  // of a graph of such kernels
constexpr Index kSide = 8192;   // of the product whose clock is the one under load
constexpr double kLoadMs = 5;   // as races take: later the power limit holds the clock down

/// A GPU to time on.
class ChipTimer {
 public:
  ChipTimer(Context& context, const Settings& settings)
      : context_(context),
        kernels_(context.backend(), settings),
        timer_(context.backend(), gpu_, kernels_),
        wait_(loop_kernel(context.backend(), settings, "wait_clocks", "(i64 clocks)")) {}

  [[nodiscard]] bench::Machine machine() const {
    return gpu_.machine(context_.backend().device_info());
  }
  /// Clocks from one kernel's blocks to the next's, in a graph.
  [[nodiscard]] double launch_gap() {
    const bench::Graph graph(
        gpu_, kLaunches, [&](int) { wait(device().sm_count); }, bench::Edges::plain);
    const bench::Work work{[&] { graph.replay(); }, kLaunches};
    (void)timer_.time(work, 20);
    const bench::Shot shot = timer_.time(work, 20);
    return std::max(shot.us * shot.mhz - kWait, 0.0);
  }
  /// Clocks of a block beside those that it waits: what more waves of blocks take.
  [[nodiscard]] double block_start() {
    constexpr int kMore = 64;
    const Index wave =
        Index{device().sm_count} * std::max(device().threads_per_sm / kWaitThreads, 1);
    const auto clocks = [&](Index waves) {
      const bench::Work work{[&] { wait(waves * wave); }, 1};
      (void)timer_.time(work, 20);
      const bench::Shot shot = timer_.time(work, 20);
      return shot.us * shot.mhz;
    };
    return std::max((clocks(1 + kMore) - clocks(1)) / kMore - kWait, 1.0);
  }
  /// MHz at which the largest products of halves run, once they have run for a while.
  [[nodiscard]] double clock_under_load() {
    Problem problem;
    problem.m = problem.n = problem.k = kSide;
    for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
      matrix->type = DType::f16;
    problem.b.order = Order::col;
    problem.alpha = Factor::one;
    problem.beta = Factor::zero;
    const Gemm gemm = prepare(context_, problem);
    Backend& backend = context_.backend();
    constexpr Index kBytes = kSide * kSide * 2;
    const Buffer a(backend, kBytes), b(backend, kBytes), d(backend, kBytes),
        workspace(backend, gemm.workspace_bytes());
    kernels_.fill(a.pointer(), kSide * kSide, DType::f16, 1, 1);
    kernels_.fill(b.pointer(), kSide * kSide, DType::f16, 1, 2);
    gemm.clear_workspace(workspace.pointer());
    backend.synchronize();
    const GemmArgs args{.a = a.pointer(),
                        .b = b.pointer(),
                        .d = d.pointer(),
                        .workspace = workspace.pointer(),
                        .stream = gpu_.jute_stream()};
    const bench::Work work{[&] { gemm.run(args); }, 1};
    const double ms = std::max(timer_.time(work, 3).us * 1e-3, 1e-3);
    const int repeats = std::max(1, static_cast<int>(kLoadMs / ms));
    return timer_.time(work, repeats).mhz;
  }

 private:
  [[nodiscard]] const DeviceInfo& device() const { return context_.device_info(); }
  void wait(Index blocks) const {
    LaunchSpec spec;
    spec.grid.x = blocks;
    spec.block.x = kWaitThreads;
    spec.arguments.i64(kWait);
    context_.backend().launch(wait_, spec, gpu_.jute_stream());
  }

  Context& context_;
  bench::Gpu gpu_;
  bench::DeviceKernels kernels_;
  bench::Timer timer_;
  Kernel wait_;
};

}  // namespace

double memory_read_gb_s(Backend& backend, const Settings& settings, Index bytes) {
  constexpr Index kLeast = 4 * kWaitThreads, kChunk = 16;
  const Index blocks = 2 * Index{backend.device_info().sm_count};
  const Index chunks = std::max(bytes / kChunk / blocks / kLeast, Index{1}) * kLeast;
  const Buffer source(backend, blocks * chunks * kChunk),
      clocks(backend, blocks * Index{sizeof(std::uint64_t)}), sink(backend, sizeof(unsigned));
  backend.fill(source.pointer(), 0, source.size_bytes());
  const Kernel kernel = loop_kernel(backend, settings, "read_chunks",
                                    "(pointer source, i64 chunks, i64 stride, i32 rounds, pointer "
                                    "clocks, pointer sink)");
  constexpr int kTurns = 10;
  LaunchSpec spec;
  spec.grid.x = blocks;
  spec.block.x = kWaitThreads;
  spec.arguments.pointer(source.pointer()).i64(chunks).i64(chunks).i32(1);
  spec.arguments.pointer(clocks.pointer()).pointer(sink.pointer());
  const Stream stream{};
  backend.launch(kernel, spec, stream);
  const Event begin = backend.record(stream);
  for (int i = 0; i < kTurns; ++i) backend.launch(kernel, spec, stream);
  const Event end = backend.record(stream);
  backend.synchronize();
  const double ms = std::max(backend.elapsed_ms(begin, end), 1e-6);
  return kTurns * static_cast<double>(source.size_bytes()) / ms * 1e-6;
}

std::vector<OwnFigure> figures_by_times(Context& context, const Settings& settings) {
  ChipTimer timer(context, settings);
  const bench::Machine machine = timer.machine();
  const std::string said = "data sheet: what the driver says";
  std::vector<OwnFigure> found;
  if (machine.peak_mhz > 0) found.push_back({"thread_mhz", machine.peak_mhz, said});
  const double sheet = machine.bytes_per_second * 1e-9;
  if (sheet > 0) found.push_back({"memory_gb_s", sheet, said});
  const auto put = [&](std::string name, double value, const std::string& how) {
    if (value > 0) found.push_back({std::move(name), value, measured_today(how)});
  };
  constexpr Index kMost = Index{2} << 30;
  const Index memory = context.device_info().memory_bytes;
  const double seen = memory_read_gb_s(context.backend(), settings,
                                       memory > 0 ? std::min(memory / 8, kMost) : kMost / 4);
  put("memory_seen_gb_s", sheet > 0 ? std::min(seen, sheet) : seen,
      "kernels that read far more than the L2 cache holds");
  put("launch_gap", timer.launch_gap(), "kernels of a graph whose blocks wait");
  put("block_start", timer.block_start(), "waves of blocks that wait");
  const double load = timer.clock_under_load();
  put("seen_mhz", machine.peak_mhz > 0 ? std::min(load, machine.peak_mhz) : load,
      "f16 products of random operands for milliseconds");
  return found;
}

}  // namespace jute::tuning
