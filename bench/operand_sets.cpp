// Rotating operand sets.
#include "operand_sets.hpp"

#include <algorithm>
#include <cmath>

namespace jute::bench {
namespace {

constexpr Index kCycleBytes = Index{256} << 20;
constexpr Index kMostSets = 1024;
constexpr double kGraphSeconds = 6e-3;
constexpr double kBytesPerSecond = 4e12;
constexpr double kLeastSeconds = 3e-6;

Index padded(Index bytes) { return (bytes + 255) / 256 * 256; }

int launch_count(const Case& bench_case, Index set_bytes, int sets) {
  const double seconds =
      std::max({bench_case.flop() / (facts(bench_case.dtype).nominal_tflops * 1e12),
                static_cast<double>(set_bytes) / kBytesPerSecond, kLeastSeconds});
  const int wanted = std::max(1, static_cast<int>(std::ceil(kGraphSeconds / seconds)));
  return (wanted + sets - 1) / sets * sets;
}

}  // namespace

OperandSets::OperandSets(Backend& backend, const DeviceKernels& kernels, const Case& bench_case)
    : backend_(backend) {
  const TypeFacts& types = facts(bench_case.dtype);
  a_bytes_ = padded(bench_case.elements_a() * width_bytes(types.input));
  b_bytes_ = padded(bench_case.elements_b() * width_bytes(types.input));
  d_bytes_ = padded(bench_case.elements_d() * width_bytes(types.output));
  set_bytes_ = a_bytes_ + b_bytes_ + d_bytes_;
  count_ = static_cast<int>(
      std::clamp<Index>((kCycleBytes + set_bytes_ - 1) / set_bytes_, 1, kMostSets));
  launches_ = launch_count(bench_case, set_bytes_, count_);
  memory_ = Buffer(backend, set_bytes_ * count_);
  for (int set = 0; set < count_; ++set)
    kernels.fill(a(set), (a_bytes_ + b_bytes_) / width_bytes(types.input), types.input,
                 1000 + static_cast<std::uint64_t>(set));
  poison();
  backend.synchronize();
}

DevicePointer OperandSets::a(int launch) const {
  return memory_.pointer() + static_cast<DevicePointer>(set_bytes_ * (launch % count_));
}
DevicePointer OperandSets::b(int launch) const {
  return a(launch) + static_cast<DevicePointer>(a_bytes_);
}
DevicePointer OperandSets::d(int launch) const {
  return b(launch) + static_cast<DevicePointer>(b_bytes_);
}

void OperandSets::poison() const {
  for (int set = 0; set < count_; ++set) backend_.fill(d(set), 0xff, d_bytes_);
}

}  // namespace jute::bench
