#pragma once
// The flags of what serves a whole file of problems.
#include <jute/plan/choose/cover.hpp>

#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "options/problem_options.hpp"
#include "tree/command_tree.hpp"

namespace jute::command {

/// How many kernels serve a range of M.
struct RangeFlags {
  int most_kernels = kMostKernelsOfRange;
  double most_loss = 100 * kLossOfRange;  ///< per cent

  [[nodiscard]] RangeLimits limits() const {
    return {.kernels = most_kernels, .loss = most_loss / 100};
  }
};
void add_range_flags(Command& command, RangeFlags& flags);

/// As typed.
struct CoverFlags {
  std::string file;        ///< of problems
  ProblemOptions problem;  ///< of it --problem, the chip and the choices
  RangeFlags range;
};
void add_cover_flags(Command& command, CoverFlags& flags);

/// The problems of the file, or the one of --problem.
///   throws  UsageError: neither or both are given, or the file holds none; what parse_problems
///   throws,
///           with the file as operand
[[nodiscard]] std::vector<Problem> problems_of(const CoverFlags& flags);
/// The kernels that serve them on the chip of the flags.
[[nodiscard]] Cover covered(const CoverFlags& flags, const Session& session);

}  // namespace jute::command
