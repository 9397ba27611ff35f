// Whole units of the workspace.
#include "plan/values/workspace.hpp"

#include <jute/base/types.hpp>

namespace jute::plan {

Count copied_list_bytes() {
  return round_up(Count(RunValue{RunValue::Quantity::batch}) * Index{sizeof(EachGroup)},
                  kRegionUnit);
}

Count copy_bytes(const Move& move) {
  return round_up(move.batch_stride * (move.terms * move.matrices) * width_bytes(move.copy_type),
                  kRegionUnit);
}

Count most_bytes(const Move& move) {
  return round_up(move.scaling->lines * move.matrices * width_bytes(move.copy_type), kRegionUnit);
}

Count sum_bytes(const OperandSum& sum) {
  return round_up(sum.batch_stride * sum.matrices * width_bytes(sum.sum), kRegionUnit);
}

}  // namespace jute::plan
