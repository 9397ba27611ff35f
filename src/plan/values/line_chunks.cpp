// Looks for the operand whose chunks begin inside of lines.
#include <jute/plan/values/line_chunks.hpp>

namespace jute {

std::optional<Operand> operand_of_line_ends(const GemmStep& step) {
  if (has_line_ends(step.a)) return Operand::a;
  if (has_line_ends(step.b)) return Operand::b;
  return std::nullopt;
}

}  // namespace jute
