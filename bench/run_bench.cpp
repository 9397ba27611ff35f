// What a run costs the host, in C++ and through jute.h: needs no GPU. The back end takes launches
// and does nothing with them. `run_bench [ROUNDS]` prints nanoseconds of CPU time a run, of both,
// taking turns.
#include <jute/jute.h>
#include <jute/gemm/gemm.hpp>
#include <jute/launch/device_presets.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <memory>
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

constexpr int kRunsATurn = 20000;

/// Of this thread: what else the machine does is not counted.
double cpu_nanoseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

template <class Run>
double nanoseconds_a_run(Run run) {
  const double start = cpu_nanoseconds();
  for (int i = 0; i < kRunsATurn; ++i) run();
  return (cpu_nanoseconds() - start) / kRunsATurn;
}

double median(std::vector<double>& times) {
  std::ranges::nth_element(times, times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2));
  return times[times.size() / 2];
}

void race(const char* text, int rounds) {
  const jute_context_options options{};
  const ContextOptions chosen;
  auto context =
      std::make_shared<c::ContextObject>(std::make_unique<TakingBackend>(), chosen, options);
  const Gemm gemm = prepare(context->context, parse_problem(text));
  jute_gemm* const handle = c::new_handle<jute_gemm>(
      std::shared_ptr<c::GemmObject>(new c::GemmObject{context, gemm, {}}));
  std::vector<double> in_cpp, in_c;
  for (int i = 0; i < rounds; ++i) {
    // Both fill in their numbers for every run, as callers do.
    in_cpp.push_back(nanoseconds_a_run([&] {
      gemm.run({.a = 0x1000, .b = 0x2000, .c = 0x3000, .d = 0x3000, .workspace = 0x10000});
    }));
    in_c.push_back(nanoseconds_a_run([&] {
      jute_run run{};
      run.size = sizeof run;
      run.a = 0x1000, run.b = 0x2000, run.c = run.d = 0x3000, run.workspace = 0x10000;
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
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 21;
  for (const char* const text : {"M=64 N=64 K=64", "M=4096 N=4096 K=4096 A=bf16 B=bf16:col beta=0",
                                 "M=1:8192 N=4096 K=4096 A=bf16 B=bf16:col beta=0"})
    jute::bench::race(text, rounds);
}
