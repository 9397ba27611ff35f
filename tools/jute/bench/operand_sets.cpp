// Rotating operand sets.
#include "bench/operand_sets.hpp"

#include <jute/gemm/reference.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace jute::bench {
namespace {

constexpr Index kCycleBytes = Index{256} << 20;
constexpr Index kMostSets = 1024;
constexpr double kGraphSeconds = 6e-3;

// What an H200 is expected to reach: it only sizes the timing loop.
constexpr double kBytesPerSecond = 4e12;
constexpr double kLaunchSeconds = 1.2e-6;
constexpr double kSecondsPerK = 3.5e-9;  // of a block that is alone on its multiprocessor
constexpr double kMostUnsharedK = 1024;  // beyond, products are split along K
struct Rate {
  DType operand;
  double flop_per_second;
};
// clang-format off
constexpr std::array kRates{
    Rate{DType::bf16, 700e12}, Rate{DType::f16, 700e12},   Rate{DType::tf32, 350e12},
    Rate{DType::f32, 45e12},   Rate{DType::f64, 55e12},    Rate{DType::e4m3, 1300e12},
    Rate{DType::e5m2, 1300e12}, Rate{DType::s8, 1300e12},  Rate{DType::u8, 1300e12},
};
// clang-format on

double rate_of(DType operand) {
  for (const Rate& row : kRates)
    if (row.operand == operand) return row.flop_per_second;
  return 45e12;
}

Index padded(Index bytes) { return (bytes + 255) / 256 * 256; }

/// What one set takes.
struct SetBytes {
  Index a, b, c, d;
  [[nodiscard]] Index all() const { return a + b + c + d; }
};
SetBytes bytes_of(const Case& each) {
  const OperandBytes bytes = operand_bytes(each.problem);
  return {padded(bytes.a), padded(bytes.b), each.beta != 0.0 ? padded(bytes.c) : 0,
          padded(bytes.d)};
}

double nominal_seconds(const Case& each) {
  const Problem& problem = each.problem;
  return std::max(
      {flop(problem) / rate_of(problem.a.type), least_bytes(each) / kBytesPerSecond,
       kLaunchSeconds + kSecondsPerK * std::min(static_cast<double>(problem.k), kMostUnsharedK)});
}

}  // namespace

Rotation rotation_of(const Case& each) {
  const Index bytes = bytes_of(each).all();
  const Index sets = std::clamp<Index>((kCycleBytes + bytes - 1) / bytes, 1, kMostSets);
  const auto wanted = static_cast<Index>(std::ceil(kGraphSeconds / nominal_seconds(each)));
  const Index launches = (std::max<Index>(wanted, 1) + sets - 1) / sets * sets;
  return {static_cast<int>(sets), static_cast<int>(launches)};
}

std::uint8_t poison_byte(DType result) { return is_integer(result) ? 0x80 : 0xff; }

double usual_sigma(DType operand) { return is_integer(operand) ? 32.0 : 1.0; }

OperandSets::OperandSets(Backend& backend, const DeviceKernels& kernels, const Case& each)
    : OperandSets(backend, kernels, each, rotation_of(each)) {}

OperandSets::OperandSets(Backend& backend, const DeviceKernels& kernels, const Case& each,
                         Rotation rotation)
    : backend_(backend), kernels_(kernels), case_(each), rotation_(rotation) {
  const SetBytes bytes = bytes_of(each);
  a_bytes_ = bytes.a;
  b_bytes_ = bytes.b;
  c_bytes_ = bytes.c;
  d_bytes_ = bytes.d;
  set_bytes_ = bytes.all();
  memory_ = Buffer(backend, set_bytes_ * rotation_.sets);
  const Problem& problem = each.problem;
  for (int set = 0; set < rotation_.sets; ++set) {
    const Operands operands = of(set);
    fill(operands.a, a_bytes_, problem.a.type, usual_sigma(problem.a.type), 3 * set);
    fill(operands.b, b_bytes_, problem.b.type, usual_sigma(problem.b.type), 3 * set + 1);
    fill(operands.c, c_bytes_, problem.c.type, usual_sigma(problem.c.type), 3 * set + 2);
  }
  poison();
}

void OperandSets::fill(DevicePointer target, Index bytes, DType type, double sigma,
                       int seed) const {
  kernels_.fill(target, bytes / width_bytes(type), type, sigma, static_cast<std::uint64_t>(seed));
}

Operands OperandSets::of(int launch) const {
  const auto at = [](DevicePointer base, Index bytes) {
    return base + static_cast<DevicePointer>(bytes);
  };
  Operands operands;
  operands.a = at(memory_.pointer(), set_bytes_ * (launch % rotation_.sets));
  operands.b = at(operands.a, a_bytes_);
  const DevicePointer c = at(operands.b, b_bytes_);
  if (c_bytes_ > 0) operands.c = c;
  operands.d = at(c, c_bytes_);
  return operands;
}

void OperandSets::refill_b(double sigma) const {
  for (int set = 0; set < rotation_.sets; ++set)
    fill(of(set).b, b_bytes_, case_.problem.b.type, sigma, 3 * set + 1);
  backend_.synchronize();
}

void OperandSets::poison() const {
  for (int set = 0; set < rotation_.sets; ++set)
    backend_.fill(of(set).d, poison_byte(case_.problem.d.type), d_bytes_);
  backend_.synchronize();
}

}  // namespace jute::bench
