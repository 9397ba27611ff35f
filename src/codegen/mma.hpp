#pragma once
// The multiply: wrappers written from atoms, one emitter for each form.
#include <jute/emit/piece.hpp>
#include <jute/plan/plan.hpp>

#include <string>

namespace jute::codegen {

/// The function `mma(c, a, b)` of the step's atom.
///   throws  unsupported: no emitter for the atom's form
[[nodiscard]] std::string mma_function(const TemplateSet& templates, const GemmStep& step);

/// `multiply`: all k-steps of a stage, or of each product of terms.
[[nodiscard]] std::string multiply_piece(const TemplateSet& templates, int unrolled_k_steps = 0,
                                         bool of_terms = false);

}  // namespace jute::codegen
