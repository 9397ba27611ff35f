#pragma once
// Plan -> CUDA source.
#include <jute/base/export.hpp>
#include <jute/emit/template_set.hpp>
#include <jute/launch/source.hpp>
#include <jute/plan/values/plan.hpp>

#include <vector>

namespace JUTE_API jute {

/// One header-free CUDA text with its typed signature for every step of the plan, in order. The
/// same plan gives the same bytes.
///   throws  illegal_template: a hole is unknown or stays open
[[nodiscard]] std::vector<Source> generate(const Plan& plan,
                                           const TemplateSet& templates = TemplateSet::built_in());

}  // namespace jute
