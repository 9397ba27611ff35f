#pragma once
// What a leaf of an expression stands for, where numbers, intervals or names are held by role.

#include <jute/epilogue/expression.hpp>

namespace jute::epilogue {

/// `element` has a member for each role (EpilogueElement, EpilogueBounds, EpilogueSpelling). Not
/// for numbers, which each writes in its own way.
template <class Element>
const auto& leaf_of(const Element& element, const EpilogueNode& node) {
  switch (node.op) {
    case EpilogueOp::alpha:
      return element.alpha;
    case EpilogueOp::beta:
      return element.beta;
    case EpilogueOp::c:
      return element.c;
    case EpilogueOp::input:
      return element.inputs[static_cast<std::size_t>(node.input)];
    case EpilogueOp::a_sum:
      return element.a_sum;
    case EpilogueOp::b_sum:
      return element.b_sum;
    case EpilogueOp::gate:
      return element.gate;
    default:
      return element.acc;
  }
}

}  // namespace jute::epilogue
