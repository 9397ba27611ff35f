#pragma once
// Accumulators -> D.
#include <string>

#include "codegen/piece.hpp"
#include "plan/fragment.hpp"

namespace jute::codegen {

/// Which accumulator goes where: the functions out_acc, out_m and out_n.
[[nodiscard]] std::string epilogue_functions(const GemmStep& step, const plan::Fragment& c);
[[nodiscard]] std::string epilogue_piece(const TemplateSet& templates, const GemmStep& step);

}  // namespace jute::codegen
