#pragma once
// Kernels whose launches say how many columns their tiles have: an instruction for each width.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/emit/template_set.hpp>

#include <span>
#include <string>

namespace JUTE_API jute {

/// Constants but for those that follow from a launch.
[[nodiscard]] std::string without_launched(const std::string& constants);

/// `mma_64`, …: the functions of the atoms, by their N; `mma` of one alone.
[[nodiscard]] std::string instructions_by_width(std::span<const MmaAtom> atoms,
                                                const TemplateSet& templates);

/// All k-tiles of a tile, by the atom of its width; beside the products what is asked for ahead.
[[nodiscard]] std::string products_by_width(std::span<const MmaAtom> atoms,
                                            const std::string& ahead, const TemplateSet& templates);

}  // namespace jute
