#pragma once
// Accumulators -> D.
#include <jute/emit/piece.hpp>
#include <jute/plan/values/plan.hpp>

#include <string>

namespace jute::codegen {

/// The name in a kernel's text for the number of a thread among those that share a tile.
[[nodiscard]] const char* worker(const GemmStep& step);

/// Does a drain by subtiles ask where elements lie?
[[nodiscard]] bool reads_places(const GemmStep& step);
/// Are elements of a subtile as wide as what they are computed in, so that none are rounded in
/// pairs?
[[nodiscard]] bool stores_words(const GemmStep& step);

/// Which accumulator goes where: out_acc and the functions of the way that the plan chose; and
/// `epilogue`, what becomes of it.
[[nodiscard]] std::string epilogue_functions(const TemplateSet& templates, const GemmStep& step);
/// Does a drain by subtiles ask for its inputs while the subtile before is filled, or products run?
[[nodiscard]] bool reads_ahead(const TemplateSet& templates, const GemmStep& step);
/// The lines of an epilogue's own operands before a tile's products.
[[nodiscard]] std::string operands_ahead(const TemplateSet& templates, const GemmStep& step);
[[nodiscard]] std::string epilogue_piece(const TemplateSet& templates, const GemmStep& step);

}  // namespace jute::codegen
