#pragma once
// The tables of a launcher: all that differs between one bundle and the next.
#include <jute/bundle/bundle.hpp>

#include <string>

namespace jute::bundle {

/// Does a run say the numbers of one of its Views?
[[nodiscard]] bool leaves_views_to_runs(const Problem& problem);

/// C text: kNodes, kParameters, kMaps, kSteps, kRegions, kLiterals, kStrides, kKernels, kChoices,
/// kProducts, kTargets, kImages, kProblems, and the sizes that the launcher needs.
[[nodiscard]] std::string launcher_tables(const Bundle& bundle);

}  // namespace jute::bundle
