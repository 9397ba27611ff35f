// Rotating operand sets.
#include "race/operands/operand_sets.hpp"

#include <jute/gemm/reference.hpp>
#include <jute/host/operands.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace jute::bench {
namespace {

// The reach of an H200: it only sizes the timing loop.
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

/// The product of packed matrices that Views are held against reads the same memory.
ByTensor<Index> bytes_of_set(const Case& each) {
  OperandBytes bytes = operand_bytes(each.problem);
  if (has_views(each)) {
    const OperandBytes packed = operand_bytes(plain_case(each).problem);
    for (const TensorRole role : {TensorRole::a, TensorRole::b, TensorRole::c, TensorRole::d})
      bytes[role] = std::max(bytes[role], packed[role]);
  }
  if (!reads_c(each)) bytes[TensorRole::c] = 0;
  return bytes;
}
ByTensor<Index> with_lists(ByTensor<Index> bytes, const TensorBytes& lists) {
  for (const TensorRole role : kAllTensors)
    bytes[role] = std::max(bytes[role], static_cast<Index>(lists[role].size()));
  return bytes;
}

double nominal_seconds(const Case& each) {
  const Problem& problem = each.problem;
  return std::max(
      {flop(problem) / rate_of(problem.a.type), least_bytes(each) / kBytesPerSecond,
       kLaunchSeconds + kSecondsPerK * std::min(static_cast<double>(problem.k), kMostUnsharedK)});
}

}  // namespace

Rotation rotation_of(const Case& each, double graph_ms) {
  const int sets = usual_sets(set_bytes(bytes_of_set(each)));
  const auto wanted = static_cast<Index>(std::ceil(graph_ms * 1e-3 / nominal_seconds(each)));
  const Index launches = (std::max<Index>(wanted, 1) + sets - 1) / sets * sets;
  return {sets, static_cast<int>(launches)};
}

std::uint8_t poison_byte(DType result) { return is_integer(result) ? 0x80 : 0xff; }

double usual_sigma(DType operand) { return is_integer(operand) ? 32.0 : 1.0; }

RotatingSets::RotatingSets(Backend& backend, const DeviceKernels& kernels, const Case& each,
                           Rotation rotation)
    : backend_(backend),
      kernels_(kernels),
      case_(each),
      rotation_(rotation),
      sets_(backend, with_lists(bytes_of_set(each), usual_lists(each.problem)), rotation.sets) {
  const TensorBytes lists = usual_lists(each.problem);
  const TensorBytes scales = random_scales(each.problem, 1, RandomKind::normal);
  const auto is_drawn = [&](TensorRole role) {
    return !is_written(role) && matrix_of(each.problem, role) != nullptr && !is_of_blocks(role);
  };
  for (const TensorRole role : kAllTensors) drawn_ += is_drawn(role);
  int number = 0;
  for (const TensorRole role : kAllTensors) {
    if (is_drawn(role))
      draw(role, usual_sigma(matrix_of(each.problem, role)->type), number++);
    else if (!is_written(role))
      sets_.put(role, lists[role].empty() ? scales[role] : lists[role]);
  }
  poison();
}

void RotatingSets::draw(TensorRole role, double sigma, int number) const {
  constexpr Index kBlockBytes = Index{4} << 20;
  const DType type = matrix_of(case_.problem, role)->type;
  const Index bytes = sets_.bytes(role);
  if (is_stored_only(type)) {
    sets_.put(role, random_bytes(type, std::min(bytes, kBlockBytes),
                                 static_cast<std::uint64_t>(number), RandomKind::normal));
    return;
  }
  for (int set = 0; bytes > 0 && set < rotation_.sets; ++set)
    kernels_.fill(of(set)[role], bytes / width_bytes(type), type, sigma,
                  static_cast<std::uint64_t>(drawn_ * set + number));
}

void RotatingSets::refill_b(double sigma) const {
  draw(TensorRole::b, sigma, 1);
  backend_.synchronize();
}

void RotatingSets::poison() const {
  sets_.fill(TensorRole::d, poison_byte(case_.problem.d.type));
  backend_.synchronize();
}

}  // namespace jute::bench
