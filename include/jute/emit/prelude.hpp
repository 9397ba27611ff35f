#pragma once
// What the pieces of kernels are written with: barriers, TMA, products, and what else one may need.
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/emit/template_set.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace JUTE_API jute {

/// Pieces that stand before a kernel's constants. needed_by finds those that it needs.
[[nodiscard]] std::vector<std::string> prelude_of_accesses(const TemplateSet& templates);
/// Who says how many stages there are: the kernel's text, or its launch.
enum class StageCount : std::uint8_t { literal, launched };
/// Blocks that share what they load.
enum class Blocks : std::uint8_t { alone, in_clusters };
/// Pieces that stand before its functions.
[[nodiscard]] std::vector<std::string> prelude_of_instructions(
    const TemplateSet& templates, Blocks blocks, StageCount stages = StageCount::literal);

}  // namespace jute
