// Draws the numbers of operands' blocks.
#include "product/random_scales.hpp"

#include <jute/gemm/reference.hpp>

#include <cmath>

#include "files/random_numbers.hpp"

namespace jute::command {
namespace {

enum class Numbers : std::uint8_t { scales, zero_points };

std::vector<std::byte> drawn(const std::optional<BlockValues>& numbers, Index bytes,
                             RandomNumbers& draws, Numbers what, Fill fill) {
  if (!numbers) return {};
  std::vector<double> values;
  const Index count = bytes * 8 / width_bits(numbers->type);
  for (Index i = 0; i < count; ++i) {
    const double power = std::ldexp(1.0, -static_cast<int>(draws.bits() % 3));
    const auto whole = static_cast<double>(draws.bits() % 4);
    const double scale = fill == Fill::integers ? power : power * (1 + draws.uniform());
    values.push_back(what == Numbers::scales ? scale : whole);
  }
  return encode(numbers->type, values);
}

}  // namespace

ScaleData random_scales(const Problem& problem, std::uint64_t seed, Fill fill) {
  const OperandBytes bytes = operand_bytes(problem);
  RandomNumbers draws(seed);
  ScaleData data;
  data.scale_a = drawn(problem.scale_a.scale, bytes.scale_a, draws, Numbers::scales, fill);
  data.scale_b = drawn(problem.scale_b.scale, bytes.scale_b, draws, Numbers::scales, fill);
  data.zero_a = drawn(problem.scale_a.zero, bytes.zero_a, draws, Numbers::zero_points, fill);
  data.zero_b = drawn(problem.scale_b.zero, bytes.zero_b, draws, Numbers::zero_points, fill);
  return data;
}

}  // namespace jute::command
