// The fragment of D, as threads that share out K leave it.
#include "plan/derive/drain/draining.hpp"

#include "plan/derive/drain/gathers.hpp"
#include "plan/values/block_threads.hpp"

namespace jute::plan {

Fragment drained(const GemmStep& step) {
  Fragment c = fragment(step.mma, Operand::c, step.tile);
  c.tv = drained(step, c.tv);
  return c;
}

Errors parts_of_k_rules(const GemmStep& step) {
  Errors errors;
  if (parts_of_k(step) == 1) return errors;
  if (lanes_of_k(step) != 0 && (gathers(step.epilogue) || packs_bits(step.epilogue)))
    errors.push_back(broken("atom_layout", to_string(step.mma.atom_layout()),
                            "lanes that share out K hold the same elements of D: outputs must not "
                            "be bits, nor one value of many elements",
                            std::nullopt));
  if (!is_straight(step) && step.epilogue.store != Store::direct)
    errors.push_back(broken("epilogue.store", "staged",
                            "threads that hold sums of all of K must store directly: others have "
                            "none left",
                            "direct"));
  return errors;
}

}  // namespace jute::plan
