// The value of an element of a converted operand, and how far a kernel's may lie from it.
#include "gemm/converted.hpp"

#include <jute/base/checked.hpp>

#include <cmath>

#include "gemm/operands.hpp"

namespace jute::gemm {
namespace {

double smallest_of(DType type) {
  return decode(type, std::uint64_t{1} << (type == DType::tf32 ? 13 : 0));
}

bool is_held(DType type, double value) { return rounded(type, value) == value; }

Index block_of(Index place, Index block) { return block == 0 ? 0 : place / block; }

}  // namespace

Converted::Converted(const Problem& problem, TensorRole operand,
                     const ByTensor<HostMatrix>& numbers)
    : scaling_(operand == TensorRole::a ? problem.scale_a : problem.scale_b),
      staged_(*problem.staged),
      is_a_(operand == TensorRole::a),
      numbers_(numbers) {}

double Converted::number(TensorRole role, const ValueBlock& block, Index batch, Index mn,
                         Index k) const {
  const Index of_mn = block_of(mn, block.mn), of_k = block_of(k, block.k);
  return is_a_ ? numbers_[role].at(batch, of_mn, of_k) : numbers_[role].at(batch, of_k, of_mn);
}

Multiplied Converted::factor(double element, Index batch, Index mn, Index k) const {
  using enum TensorRole;
  const double zero = scaling_.zero
                          ? number(is_a_ ? zero_a : zero_b, scaling_.zero->block, batch, mn, k)
                          : scaling_.offset;
  const double scale =
      scaling_.scale ? number(is_a_ ? scale_a : scale_b, scaling_.scale->block, batch, mn, k) : 1;
  const double from = element - zero, value = from * scale;
  if (is_held(DType::f32, from) && is_held(DType::f32, value) && is_held(staged_, value))
    return {value, 0};
  // Beyond a type's range is infinity, which is no rounding error; times zero it is no number. So
  // what becomes zero is one, too: an infinite element may meet it.
  const double taken = rounded(staged_, rounded(DType::f32, rounded(DType::f32, from) * scale));
  if (!std::isfinite(taken)) return {taken, 0};
  const double f32 = std::ldexp(1.0, -precision_bits(DType::f32)),
               own = std::ldexp(1.0, -precision_bits(staged_));
  const double size = std::abs(value);
  const double error = size * ((1 + f32) * (1 + f32) * (1 + own) - 1) + smallest_of(staged_) +
                       2 * smallest_of(DType::f32);
  return taken == 0 ? Multiplied{0, size + error} : Multiplied{value, error};
}

}  // namespace jute::gemm
