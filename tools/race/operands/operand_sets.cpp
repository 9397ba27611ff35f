// Rotating operand sets.
#include "race/operands/operand_sets.hpp"

#include <jute/host/operands.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace jute::bench {
namespace {

constexpr Index kCycleBytes = Index{256} << 20;
constexpr Index kMostSets = 1024;

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

Index padded(Index bytes) { return (bytes + 255) / 256 * 256; }

/// The bytes of one set, each operand from a line of memory of its own. The product of packed
/// matrices that Views are held against reads the same memory.
OperandBytes padded_bytes(const Case& each) {
  OperandBytes bytes = operand_bytes(each.problem);
  if (has_views(each)) {
    const OperandBytes packed = operand_bytes(plain_case(each).problem);
    bytes.a = std::max(bytes.a, packed.a);
    bytes.b = std::max(bytes.b, packed.b);
    bytes.c = std::max(bytes.c, packed.c);
    bytes.d = std::max(bytes.d, packed.d);
  }
  if (!reads_c(each)) bytes.c = 0;
  for (Index* one : {&bytes.a, &bytes.b, &bytes.c, &bytes.d}) *one = padded(*one);
  for (auto* all : {&bytes.inputs, &bytes.outputs})
    for (Index& one : *all) one = padded(one);
  return bytes;
}
Index sum_of(const OperandBytes& bytes) {
  Index all = bytes.a + bytes.b + bytes.c + bytes.d;
  for (const Index one : bytes.inputs) all += one;
  for (const Index one : bytes.outputs) all += one;
  return all;
}

double nominal_seconds(const Case& each) {
  const Problem& problem = each.problem;
  return std::max(
      {flop(problem) / rate_of(problem.a.type), least_bytes(each) / kBytesPerSecond,
       kLaunchSeconds + kSecondsPerK * std::min(static_cast<double>(problem.k), kMostUnsharedK)});
}

}  // namespace

Rotation rotation_of(const Case& each, double graph_ms) {
  const Index bytes = sum_of(padded_bytes(each));
  const Index sets = std::clamp<Index>((kCycleBytes + bytes - 1) / bytes, 1, kMostSets);
  const auto wanted = static_cast<Index>(std::ceil(graph_ms * 1e-3 / nominal_seconds(each)));
  const Index launches = (std::max<Index>(wanted, 1) + sets - 1) / sets * sets;
  return {static_cast<int>(sets), static_cast<int>(launches)};
}

std::uint8_t poison_byte(DType result) { return is_integer(result) ? 0x80 : 0xff; }

double usual_sigma(DType operand) { return is_integer(operand) ? 32.0 : 1.0; }

OperandSets::OperandSets(Backend& backend, const DeviceKernels& kernels, const Case& each,
                         Rotation rotation)
    : backend_(backend),
      kernels_(kernels),
      case_(each),
      bytes_(padded_bytes(each)),
      set_bytes_(sum_of(bytes_)),
      rotation_(rotation) {
  memory_ = Buffer(backend, set_bytes_ * rotation_.sets);
  const Problem& problem = each.problem;
  for (int set = 0; set < rotation_.sets; ++set) {
    const Operands operands = of(set);
    const int seed = operands_a_set() * set;
    fill(operands.a, bytes_.a, problem.a.type, usual_sigma(problem.a.type), seed);
    fill(operands.b, bytes_.b, problem.b.type, usual_sigma(problem.b.type), seed + 1);
    fill(operands.c, bytes_.c, problem.c.type, usual_sigma(problem.c.type), seed + 2);
    for (size_t i = 0; i < bytes_.inputs.size(); ++i) {
      const DType type = problem.epilogue->inputs[i].type;
      fill(operands.inputs[i], bytes_.inputs[i], type, usual_sigma(type),
           seed + 3 + static_cast<int>(i));
    }
  }
  list_ = list_of(problem.groups.value_or(Groups{}).index, usual_groups(problem));
  rows_a_ = list_of(problem.a.rows.value_or(RowTable{}).index, spread_rows(problem, TensorRole::a));
  rows_d_ = list_of(problem.d.rows.value_or(RowTable{}).index, spread_rows(problem, TensorRole::d));
  poison();
}

Buffer OperandSets::list_of(GroupIndex index, const std::vector<Index>& entries) const {
  if (entries.empty()) return {};
  const std::vector<std::byte> bytes = bytes_of(entries, index);
  Buffer list(backend_, static_cast<Index>(bytes.size()));
  backend_.copy_in(list.pointer(), bytes);
  return list;
}

void OperandSets::fill(DevicePointer target, Index bytes, DType type, double sigma,
                       int seed) const {
  if (bytes == 0) return;
  kernels_.fill(target, bytes / width_bytes(type), type, sigma, static_cast<std::uint64_t>(seed));
}

Operands OperandSets::of(int launch) const {
  DevicePointer next =
      memory_.pointer() + static_cast<DevicePointer>(set_bytes_ * (launch % rotation_.sets));
  const auto take = [&next](Index bytes) {
    const DevicePointer here = next;
    next += static_cast<DevicePointer>(bytes);
    return bytes > 0 ? here : 0;
  };
  Operands operands;
  operands.a = take(bytes_.a);
  operands.b = take(bytes_.b);
  operands.c = take(bytes_.c);
  operands.d = take(bytes_.d);
  for (size_t i = 0; i < bytes_.inputs.size(); ++i) operands.inputs[i] = take(bytes_.inputs[i]);
  for (size_t i = 0; i < bytes_.outputs.size(); ++i) operands.outputs[i] = take(bytes_.outputs[i]);
  operands.ends = list_.pointer();
  operands.rows_a = rows_a_.pointer();
  operands.rows_d = rows_d_.pointer();
  return operands;
}

void OperandSets::refill_b(double sigma) const {
  for (int set = 0; set < rotation_.sets; ++set)
    fill(of(set).b, bytes_.b, case_.problem.b.type, sigma, operands_a_set() * set + 1);
  backend_.synchronize();
}

void OperandSets::poison() const {
  for (int set = 0; set < rotation_.sets; ++set)
    backend_.fill(of(set).d, poison_byte(case_.problem.d.type), bytes_.d);
  backend_.synchronize();
}

}  // namespace jute::bench
