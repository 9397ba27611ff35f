#pragma once
// Ways of presenting a problem's operands to kernels, one row each: as they lie, copied, walked,
// as boxes, converted on the way. A row says what kernels would find, and asks for none of them.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "plan/ask/row_tables.hpp"
#include "plan/values/candidates.hpp"
#include "plan/values/kernel_problem.hpp"

namespace jute::plan {

/// The givens that a way is asked about.
struct Given {
  const Problem& problem;  ///< completed
  const DeviceInfo& device;
  const Config& config;
};

/// Are operands found by a list of the device, or by tables of rows?
[[nodiscard]] inline bool has_lists(const Problem& problem) {
  return problem.groups || has_row_tables(problem);
}
/// Does the caller ask for copies?
[[nodiscard]] inline bool asks_for_copies(const Config& config) {
  return config.pad.value_or(false) || config.transpose.value_or(false);
}
inline constexpr std::string_view kNone{};  ///< that is broken
inline constexpr std::string_view kNoLists =
    "operands of groups and tables of rows must be read in place";

/// A problem as kernels find it, and what is moved around them.
struct Presentation {
  KernelProblem kernel;
  std::optional<MoveStep> ahead{};      ///< of A and B, copied before the kernel
  std::optional<MainLoop> main_loop{};  ///< that alone, of the caller's open choice
  Readers readers = Readers::all;
  int viewed = 0;     ///< Views that are packed ahead of it or unpacked behind it
  int converted = 0;  ///< operands that are converted ahead of it
  double clocks = 0;  ///< of all that is moved
};

/// A row of the table. What it does not say holds for all.
struct Way {
  std::string_view name;
  /// The rule that keeps the problem from being presented so; none: it may be.
  std::string_view (*rule)(const Given&);
  /// At least one way to find a problem that keeps the rule, unless there is nothing that it would
  /// change.
  std::vector<Presentation> (*read)(const Given&);
  /// Can such kernels do it? And the rule that others break.
  bool (*suits)(const Candidate&) = nullptr;
  std::string_view needs{};
  /// A rule of the step beside its family's rules.
  bool (*holds)(const GemmStep&, const KernelProblem&) = nullptr;
  size_t most = static_cast<size_t>(-1);  ///< of which one must hold
  /// Are ways behind it not asked where it has a legal candidate? What was measured, and no price
  /// tells yet.
  bool (*settles)(const Given&) = nullptr;
  /// The refusal where no candidate suits; else it is for other ways to refuse the problem.
  Error (*refusal)(const Given&) = nullptr;
  bool carries = false;  ///< by what the caller says, where a producer fills stages
};

/// The rule that keeps the problem, or what the caller chose, from a way; none: it may be.
[[nodiscard]] std::string_view broken_rule(const Way& way, const Given& given);

/// In the order in which they are asked: what is cheap by nature bounds what others look for.
[[nodiscard]] std::span<const Way> ways();

/// How far a presentation is from what the caller said of copies, `pad` and `transpose`: of ways
/// that are equally near the fastest is chosen.
[[nodiscard]] int unwished(const Presentation& presentation, const Config& config);

}  // namespace jute::plan
