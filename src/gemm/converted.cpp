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

Index blocks_along(Index extent, Index block) { return block == 0 ? 1 : ceil_div(extent, block); }
Index block_of(Index place, Index block) { return block == 0 ? 0 : place / block; }

}  // namespace

MatrixExtents extents_of_blocks(const Problem& problem, const ValueBlock& block,
                                TensorRole operand) {
  const bool is_a = operand == TensorRole::a;
  const Index mn = blocks_along(is_a ? problem.m : problem.n, block.mn),
              k = blocks_along(problem.k, block.k);
  return {is_a ? mn : k, is_a ? k : mn, problem.batch};
}

Converted::Converted(const Problem& problem, TensorRole operand, const BlockBytes& bytes)
    : scaling_(operand == TensorRole::a ? problem.scale_a : problem.scale_b),
      staged_(*problem.staged),
      is_a_(operand == TensorRole::a) {
  const auto numbers = [&](const char* what, const std::optional<BlockValues>& given,
                           std::span<const std::byte> memory) {
    if (!given) return HostMatrix();
    return HostMatrix(std::string(what) + (is_a_ ? "_a" : "_b"), *given,
                      extents_of_blocks(problem, given->block, operand), memory);
  };
  scale_ = numbers("scale", scaling_.scale, bytes.scale);
  zero_ = numbers("zero", scaling_.zero, bytes.zero);
}

double Converted::number(const HostMatrix& numbers, const ValueBlock& block, Index batch, Index mn,
                         Index k) const {
  const Index of_mn = block_of(mn, block.mn), of_k = block_of(k, block.k);
  return is_a_ ? numbers.at(batch, of_mn, of_k) : numbers.at(batch, of_k, of_mn);
}

Multiplied Converted::factor(double element, Index batch, Index mn, Index k) const {
  const double zero =
      scaling_.zero ? number(zero_, scaling_.zero->block, batch, mn, k) : scaling_.offset;
  const double scale = scaling_.scale ? number(scale_, scaling_.scale->block, batch, mn, k) : 1;
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
