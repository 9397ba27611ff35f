// The length of runs in memory, read off composed layouts.
#include "plan/derive/operand/vector_width.hpp"

#include <jute/layout/algebra.hpp>
#include <jute/layout/properties.hpp>

#include <numeric>

#include "plan/chip/line.hpp"

namespace jute::plan {

int widest_vector(const ComposedLayout& memory, const Layout& tv, int limit) {
  const std::optional<Layout> accesses =
      try_composition(memory.layout(), make_layout({tv[1], tv[0]}));
  if (!accesses) return 1;
  const ComposedLayout values_first(memory.swizzle(), memory.offset(), *accesses);
  // Bytes stand for elements here.
  const Index run = max_vector_elems(values_first, {8, limit, limit});
  return static_cast<int>(std::gcd(run, size(tv[1])));
}

bool is_async_sized(const OperandPlan& operand) {
  constexpr int kByteBits = 8;
  const int bits = width_bits(operand.stored ? operand.stored->type : operand.type);
  return operand.vector_elems * bits >= kLeastAsync * kByteBits;
}

}  // namespace jute::plan
