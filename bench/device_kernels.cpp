// The benchmark's own kernels, through jute's compiler and back end.
#include "device_kernels.hpp"

#include "bench_kernels_text.hpp"

#include <jute/jit/compile.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace jute::bench {
namespace {

constexpr int kSamples = 64;
constexpr int kThreads = 256;

/// As `Kind` in kernels.cu.
int kind_of(DType type) {
  switch (type) {
    case DType::bf16:
      return 0;
    case DType::f16:
      return 1;
    case DType::f64:
      return 3;
    case DType::e4m3:
      return 4;
    case DType::s8:
      return 5;
    case DType::s32:
      return 6;
    default:
      return 2;  // f32 and tf32
  }
}

Kernel load(Backend& backend, const Compiler& compiler, const char* symbol, const char* signature) {
  Source source;
  source.symbol = symbol;
  source.text = kKernelsText;
  source.arch = backend.device_info().arch;
  source.signature = parse_signature(signature);
  source.threads_per_block = kThreads;
  return backend.load(compiler.compile(source, Output::ptx_and_cubin));
}

double ratio_of(const Case& bench_case, const Sample& sample) {
  const TypeFacts& types = facts(bench_case.dtype);
  const double expected = types.output == DType::s32
                              ? sample.sum
                              : decode(types.output, encode(types.output, sample.sum));
  if (sample.got == expected) return 0.0;
  const double out = std::ldexp(std::abs(sample.sum), -precision_bits(types.output));
  const double bound = static_cast<double>(bench_case.k + 2) * types.roundoff * sample.magnitude +
                       (types.output == DType::s32 ? 0.0 : out);
  const double ratio = std::abs(sample.got - sample.sum) / bound;
  return std::isnan(ratio) ? std::numeric_limits<double>::infinity() : ratio;
}

}  // namespace

DeviceKernels::DeviceKernels(Backend& backend)
    : backend_(backend), sm_count_(backend.device_info().sm_count) {
  const Compiler compiler(settings_from_environment());
  fill_ = load(backend, compiler, "fill_normal", "(pointer target, i64 count, i32 kind, u64 seed)");
  check_ = load(backend, compiler, "check_samples",
                "(pointer a, pointer b, pointer d, i32 m, i32 n, i32 k, i32 batch, i32 a_is_col, "
                "i32 b_is_col, i32 kind, i32 d_kind, i32 masked, u64 seed, pointer result)");
  clocks_ = load(backend, compiler, "read_clocks", "(pointer result)");
}

void DeviceKernels::fill(DevicePointer target, Index elements, DType type,
                         std::uint64_t seed) const {
  LaunchSpec spec;
  spec.grid.x = std::min<Index>((elements + kThreads - 1) / kThreads, 16 * sm_count_);
  spec.block.x = kThreads;
  spec.arguments.pointer(target).i64(elements).i32(kind_of(type)).u64(seed);
  if (elements > 0) backend_.launch(fill_, spec);
}

double DeviceKernels::worst_ratio(const Case& c, DevicePointer a, DevicePointer b, DevicePointer d,
                                  std::uint64_t seed) const {
  const TypeFacts& types = facts(c.dtype);
  const Buffer result(backend_, kSamples * Index{sizeof(Sample)});
  LaunchSpec spec;
  spec.grid.x = kSamples;
  spec.block.x = kThreads;
  const auto number = [](Index value) { return static_cast<std::int32_t>(value); };
  spec.arguments.pointer(a).pointer(b).pointer(d);
  spec.arguments.i32(number(c.m)).i32(number(c.n)).i32(number(c.k)).i32(number(c.batch));
  spec.arguments.i32(c.order_a == Order::col).i32(c.order_b == Order::col);
  spec.arguments.i32(kind_of(types.input)).i32(kind_of(types.output));
  spec.arguments.i32(types.input == DType::tf32).u64(seed).pointer(result.pointer());
  backend_.launch(check_, spec);
  std::array<Sample, kSamples> samples;
  backend_.copy_out(std::as_writable_bytes(std::span(samples)), result.pointer());
  double worst = 0;
  for (const Sample& sample : samples) worst = std::max(worst, ratio_of(c, sample));
  return worst;
}

void DeviceKernels::read_clocks(DevicePointer target, Stream stream) const {
  LaunchSpec spec;
  spec.grid.x = sm_count_;
  spec.block.x = 1024;  // a whole SM, so that every SM gets a block
  spec.arguments.pointer(target);
  backend_.launch(clocks_, spec, stream);
}

}  // namespace jute::bench
