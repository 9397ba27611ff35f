#pragma once
// Sums and their like that an epilogue gathers of many elements: gathered2 for output 2.
#include <string>

#include "codegen/kernel.hpp"

namespace jute::codegen {

/// Empty texts for an epilogue that gathers nothing.
[[nodiscard]] std::string gather_constants(const GemmStep& step);
[[nodiscard]] std::string gather_functions(const TemplateSet& templates, const GemmStep& step);
/// The parameters of an epilogue's functions: `, bool counts, Gathered& gathered2`; in a drain by
/// subtiles `, Compute& found2`, for what counts is gathered behind each turn.
[[nodiscard]] std::string gather_parameters(const GemmStep& step);
/// The line that adds an output's value, inside them.
[[nodiscard]] std::string gather_statement(const GemmStep& step, std::size_t place,
                                           const std::string& value);
/// The arguments for a thread's `value`, an element of D that is there if `counts`.
[[nodiscard]] std::string gather_arguments(const GemmStep& step, const std::string& counts,
                                           const std::string& value);
/// The lines before the tiles of a block, before the drain of each, and behind it.
[[nodiscard]] std::string gather_before_tiles(const TemplateSet& templates, const GemmStep& step);
[[nodiscard]] std::string gather_before_drain(const TemplateSet& templates, const GemmStep& step);
/// The lines behind each turn of a drain by subtiles, which gather those of its elements that
/// count.
[[nodiscard]] std::string gather_in_turn(const TemplateSet& templates, const GemmStep& step);
/// Waits for all that drain a tile.
[[nodiscard]] std::string drain_barrier(const GemmStep& step);
[[nodiscard]] std::string gather_after_drain(const TemplateSet& templates, const GemmStep& step);

}  // namespace jute::codegen
