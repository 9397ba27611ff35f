// What a run costs the host, in C++ and through jute.h. `run_bench [ROUNDS]` needs no GPU: its back
// end takes launches and does nothing with them. `run_bench [ROUNDS] gpu` queues them on the first
// GPU. Prints nanoseconds of CPU time a run, of both, taking turns.
#include <jute/jute.h>
#include <jute/device/device.hpp>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <string_view>
#include <vector>

#include "c/objects.hpp"

namespace jute::bench {
namespace {

class TakenKernel : public KernelImage {
 public:
  explicit TakenKernel(Signature signature) : signature_(std::move(signature)) {}
  [[nodiscard]] const Signature& signature() const override { return signature_; }

 private:
  Signature signature_;
};
class NoEvent : public EventMark {};

class TakingBackend : public Backend {
 public:
  [[nodiscard]] std::string name() const override { return "taking"; }
  [[nodiscard]] ImageKind image_kind() const override { return ImageKind::ptx; }
  [[nodiscard]] DeviceInfo device_info() const override { return device_preset("h200"); }
  [[nodiscard]] DevicePointer alloc(Index) override { return 0x10000; }
  void free(DevicePointer) noexcept override {}
  void copy_in(DevicePointer, std::span<const std::byte>, Stream) override {}
  void copy_out(std::span<std::byte>, DevicePointer, Stream) override {}
  void fill(DevicePointer, std::uint8_t, Index, Stream) override {}
  [[nodiscard]] Kernel load(const Binary& binary) override {
    return std::make_shared<TakenKernel>(binary.signature);
  }
  void launch(const Kernel&, const LaunchSpec&, Stream) override { ++launches; }
  void synchronize() override {}
  [[nodiscard]] Stream create_stream() override { return {1}; }
  void destroy_stream(Stream) noexcept override {}
  [[nodiscard]] Event record(Stream) override { return std::make_shared<NoEvent>(); }
  [[nodiscard]] double elapsed_ms(const Event&, const Event&) override { return 0; }
  [[nodiscard]] EncodedTensorMap encode(const TensorMapSpec&, DevicePointer) override { return {}; }

  long launches = 0;
};

/// A turn queues fewer runs on a GPU than its driver holds, so that none waits.
struct Way {
  bool on_gpu = false;
  int runs_a_turn = 20000;
  int rounds = 21;
};

/// Of this thread: what else the machine does is not counted.
double cpu_nanoseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

template <class Run>
double nanoseconds_a_run(Backend& backend, int runs, Run run) {
  const double start = cpu_nanoseconds();
  for (int i = 0; i < runs; ++i) run();
  const double spent = cpu_nanoseconds() - start;
  backend.synchronize();
  return spent / runs;
}

double median(std::vector<double>& times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

/// Of the largest run of the problem.
Index bytes_of(const Matrix& matrix, Index rows, Index cols) {
  return rows * cols * width_bytes(matrix.type);
}

Buffer zeros(Backend& backend, Index bytes) {
  Buffer buffer(backend, bytes);
  backend.fill(buffer.pointer(), 0, bytes, {});
  return buffer;
}

std::unique_ptr<Backend> backend_of(const Way& way) {
  if (way.on_gpu) return open_device();
  return std::make_unique<TakingBackend>();
}

void race(const char* text, const Way& way) {
  const jute_context_options options{};
  auto context = std::make_shared<c::ContextObject>(backend_of(way), ContextOptions{}, options);
  Backend& backend = context->context.backend();
  const Gemm gemm = prepare(context->context, parse_problem(text));
  jute_gemm* const handle = c::new_handle<jute_gemm>(
      std::shared_ptr<c::GemmObject>(new c::GemmObject{context, gemm, {}}));
  const Problem& problem = gemm.plan().problem;
  const Index m = problem.m_range ? problem.m_range->last : problem.m;
  const Buffer a = zeros(backend, bytes_of(problem.a, m, problem.k)),
               b = zeros(backend, bytes_of(problem.b, problem.k, problem.n)),
               d = zeros(backend, bytes_of(problem.d, m, problem.n)),
               workspace = zeros(backend, std::max<Index>(gemm.workspace_bytes(), 1)),
               list = zeros(backend, problem.batch * Index{sizeof(EachGroup)});  // no rows
  gemm.clear_workspace(workspace.pointer());
  std::vector<double> in_cpp, in_c;
  for (int i = 0; i < way.rounds; ++i) {
    // Both fill in their numbers for every run, as callers do.
    in_cpp.push_back(nanoseconds_a_run(backend, way.runs_a_turn, [&] {
      gemm.run({.a = a.pointer(),
                .b = b.pointer(),
                .c = d.pointer(),
                .d = d.pointer(),
                .workspace = workspace.pointer(),
                .ends = list.pointer()});
    }));
    in_c.push_back(nanoseconds_a_run(backend, way.runs_a_turn, [&] {
      jute_run run{};
      run.size = sizeof run;
      run.a = a.pointer(), run.b = b.pointer(), run.c = run.d = d.pointer();
      run.workspace = workspace.pointer(), run.ends = list.pointer();
      if (jute_gemm_run(handle, &run) != JUTE_OK) std::abort();
    }));
  }
  const double cpp = median(in_cpp), c = median(in_c);
  fmt::print("{:<60} C++ {:>6.0f} ns   C {:>6.0f} ns   {:+.0f}\n", text, cpp, c, c - cpp);
  (void)jute_gemm_free(handle);
}

}  // namespace
}  // namespace jute::bench

int main(int argc, char** argv) {
  jute::bench::Way way;
  if (argc > 1) way.rounds = std::max(1, std::atoi(argv[1]));
  if (argc > 2 && std::string_view(argv[2]) == "gpu") way.on_gpu = true, way.runs_a_turn = 200;
  for (const char* const text : {"M=64 N=64 K=64", "M=4096 N=4096 K=4096 A=bf16 B=bf16:col beta=0",
                                 "M=1:8192 N=4096 K=4096 A=bf16 B=bf16:col beta=0",
                                 "M=4096 N=4096 K=4096 A=bf16 B=bf16:col beta=0 batch=8 "
                                 "groups=rows",
                                 "M=512 N=512 K=512 A=bf16 B=bf16:col beta=0 batch=8 groups=each"})
    jute::bench::race(text, way);
}
