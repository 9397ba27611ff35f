// Turns of a drain in which sums along lines end.
#include <jute/plan/derive/drain/gather_turns.hpp>

#include <bit>

namespace jute {

int sharing_turns(const EpiloguePlan& out, const GatherLines& lines) {
  const int turns = out.drain ? out.drain->turns : 1;
  const Index lanes = Index{1} << std::popcount(static_cast<unsigned>(lines.lanes));
  const bool are_shared = lanes > 1 && size(lines.line) % (turns * lanes) == 0;
  return are_shared && end_in_turns(lines.slot, size(lines.line), turns) ? turns : 0;
}

std::set<DType> gathered_whole(const EpiloguePlan& out) {
  std::set<DType> types;
  for (const EpilogueOperandPlan& output : out.outputs)
    if (out.compute == DType::s32 && output.gather != EpilogueGather::elements)
      types.insert(output.type);
  return types;
}

bool end_in_turns(const Layout& slot, Index slots, int turns) {
  const Index values = size(slot);
  if (slots % turns != 0 || values % turns != 0) return false;
  for (Index value = 0; value < values; ++value)
    if (slot(value) / (slots / turns) != value / (values / turns)) return false;
  return true;
}

}  // namespace jute
