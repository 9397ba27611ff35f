#pragma once
// Problems that each write a part of one D, as the steps of one plan.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// Plans problems that multiply the same A and B, each a part of D, as a strided convolution's
/// images have their gradient: the first's plan, with the others' `behind` it. `config` is of each.
///   throws  illegal_problem: no problem; types, alignments, factors, N, batch or epilogues that
///           differ; groups, tables of rows, numbers of Views that a run says; an epilogue that
///           names rows or elements, which parts would count for themselves; an element of D that
///           two of them write; what make_plan throws
[[nodiscard]] Plan make_plan_of_parts(std::span<const Problem> parts, const DeviceInfo& device,
                                      const Config& config = {}, const Catalogue& catalogue = {});

/// Problems as one text, a semicolon between two: `M=8 N=4 K=2 ; M=8 N=4 K=4`. Of one alone it is
/// that problem's.
[[nodiscard]] std::string parts_text(std::span<const Problem> parts);
/// Reads it.
///   throws  what parse_problem throws, with the place in the whole text
[[nodiscard]] std::vector<Problem> parse_parts(std::string_view text);

/// Refuses what make_plan_of_parts refuses of several problems.
void require_parts(std::span<const Problem> parts);

/// The plan itself, then those behind it, in the order in which they run.
[[nodiscard]] std::vector<std::reference_wrapper<const Plan>> parts_of(const Plan& plan);

/// The plan of a step, counted through all parts, and its place there.
struct StepOfPart {
  std::size_t part = 0, step = 0;
};
/// throws  out_of_range
[[nodiscard]] StepOfPart step_of_part(const Plan& plan, std::size_t step);
/// Steps of all parts.
[[nodiscard]] std::size_t step_count(const Plan& plan);

}  // namespace jute
