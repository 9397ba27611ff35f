// The race's own kernels, through jute's compiler and back end.
#include "race/device/device_kernels.hpp"

#include <algorithm>

namespace jute::bench {

extern const char kKernelsText[];  // kernels.cu; the build writes its definition

namespace {

constexpr int kThreads = 256;

Binary compiled(const Compiler& compiler, Arch arch, const char* symbol, const char* signature) {
  Source source;
  source.symbol = symbol;
  source.text = kKernelsText;
  source.arch = arch;
  source.signature = parse_signature(signature);
  source.threads_per_block = kThreads;
  return compiler.compile(source, Output::ptx_and_cubin);
}

constexpr const char* kClockSignature = "(pointer result)";

}  // namespace

Binary clock_kernel(Arch arch, const Settings& settings) {
  return compiled(Compiler(settings), arch, "read_clocks", kClockSignature);
}

DeviceKernels::DeviceKernels(Backend& backend, const Settings& settings)
    : backend_(backend), sm_count_(backend.device_info().sm_count) {
  const Compiler compiler(settings);
  const Arch arch = backend.device_info().arch;
  fill_ = backend.load(compiled(compiler, arch, "fill_normal",
                                "(pointer target, i64 count, i32 type, f32 sigma, u64 seed)"));
  clocks_ = backend.load(compiled(compiler, arch, "read_clocks", kClockSignature));
}

void DeviceKernels::fill(DevicePointer target, Index elements, DType type, double sigma,
                         std::uint64_t seed) const {
  if (elements <= 0) return;
  LaunchSpec spec;
  spec.grid.x = std::min<Index>((elements + kThreads - 1) / kThreads, 16 * sm_count_);
  spec.block.x = kThreads;
  spec.arguments.pointer(target).i64(elements).i32(static_cast<std::int32_t>(type));
  spec.arguments.f32(static_cast<float>(sigma)).u64(seed);
  backend_.launch(fill_, spec);
}

void DeviceKernels::read_clocks(DevicePointer target, Stream stream) const {
  LaunchSpec spec;
  spec.grid.x = sm_count_;
  spec.block.x = 1024;  // a whole SM, so that every SM gets a block
  spec.arguments.pointer(target);
  backend_.launch(clocks_, spec, stream);
}

}  // namespace jute::bench
