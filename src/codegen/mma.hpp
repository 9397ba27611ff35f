#pragma once
// The multiply: wrappers written from atoms, one emitter for each form.
#include <string>

#include "codegen/piece.hpp"

namespace jute::codegen {

/// The function `mma(c, a, b)` of the step's atom.
///   throws  unsupported: no emitter for the atom's form
[[nodiscard]] std::string mma_function(const TemplateSet& templates, const GemmStep& step);

}  // namespace jute::codegen
