#pragma once
// The order in which a thread reads the values of its fragments from memory.
#include <jute/plan/derive/operand/fragment.hpp>

#include <optional>

namespace jute::plan {

struct ReadOrder {
  Layout value;  ///< place in the order -> value of the fragments of k-steps that are read together
  Layout tv;     ///< (thread, (place, such k-steps)) -> element of the operand's tile
  int elems = 1;  ///< of one read
};

/// Neighbours in shared memory first, so that reads are as wide as the layout lets them be; then
/// the other values of a repetition, so that it can be multiplied before the next one is read. The
/// instruction's own order where k-steps are read one by one, or it is wider.
///   gives  nothing where the k-steps of a stage are not a multiple of those read together
[[nodiscard]] std::optional<ReadOrder> read_order(const OperandPlan& operand,
                                                  const Fragment& fragment, int k_steps_at_once);

/// The order in which a thread loads all values of its fragments from `memory`, (mn, k) -> element:
/// neighbours first where accesses of at most `most` elements are wider so; else the fragments'
/// own, and no `value`.
[[nodiscard]] ReadOrder load_order(const Layout& memory, const Fragment& fragment, int most);

}  // namespace jute::plan
