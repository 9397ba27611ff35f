// Threads that share out K, and those of them that drain.
#include "plan/draining.hpp"

#include <jute/layout/algebra.hpp>

namespace jute::plan {

int parts_of_k(const GemmStep& step) { return static_cast<int>(size(step.mma.atom_layout()[2])); }

int draining_threads(const GemmStep& step) {
  return static_cast<int>(size(step.mma)) / parts_of_k(step);
}

Fragment drained(const GemmStep& step) {
  Fragment c = fragment(step.mma, Operand::c, step.tile);
  if (parts_of_k(step) > 1)
    c.tv = make_layout({composition(c.tv[0], Layout(draining_threads(step))), c.tv[1]});
  return c;
}

}  // namespace jute::plan
