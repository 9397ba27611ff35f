// The emulator as a tool of unit tests: a CUDA text compiled, run, its result and its behaviour
// judged.
#include <jute/jute.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

namespace {

constexpr const char* kReverse = R"cuda(
extern "C" __global__ void reverse(const float* in, float* out) {
  __shared__ float tile[256];
  tile[threadIdx.x] = in[threadIdx.x];
#ifndef FORGET_THE_BARRIER
  __syncthreads();
#endif
  out[threadIdx.x] = tile[255 - threadIdx.x];
}
)cuda";

struct Outcome {
  std::vector<float> result;
  jute::Report report;
};

/// Runs the kernel in an emulator of its own.
Outcome run(const std::vector<std::string>& compile_options) {
  const std::unique_ptr<jute::EmulatorBackend> emulator =
      jute::open_emulator({.device = {}, .check = jute::Check::full});
  jute::Binary binary;
  binary.symbol = "reverse";
  binary.arch = emulator->device_info().arch;
  binary.signature = jute::parse_signature("(pointer in, pointer out)");
  binary.ptx = jute::Compiler(jute::settings_from_environment())
                   .ptx({.text = kReverse, .arch = binary.arch, .options = compile_options});
  const jute::Kernel kernel = emulator->load(binary);

  std::vector<float> values(256);
  std::iota(values.begin(), values.end(), 0.0F);
  const jute::Buffer in(*emulator, 1024), out(*emulator, 1024);
  emulator->copy_in(in.pointer(), std::as_bytes(std::span(values)));
  jute::LaunchSpec spec{.block = {.x = 256}};
  spec.arguments.pointer(in.pointer()).pointer(out.pointer());
  emulator->launch(kernel, spec);
  Outcome outcome{.result = std::vector<float>(256), .report = emulator->take_report()};
  emulator->copy_out(std::as_writable_bytes(std::span(outcome.result)), out.pointer());
  return outcome;
}

}  // namespace

int main() try {
  const Outcome right = run({});
  const bool reversed = right.result[0] == 255.0F && right.result[255] == 0.0F;
  std::printf("right: %s, %zu findings\n", reversed ? "reversed" : "not reversed",
              right.report.findings.size());

  const Outcome wrong = run({"-DFORGET_THE_BARRIER"});
  std::printf("without the barrier: %zu findings, the first:\n%s\n", wrong.report.findings.size(),
              wrong.report.clean() ? "" : wrong.report.findings[0].message.c_str());
  return reversed && right.report.clean() && !wrong.report.clean() ? 0 : 1;
} catch (const jute::Exception& refusal) {
  std::fprintf(stderr, "%s\n", refusal.what());
  return 1;
}
