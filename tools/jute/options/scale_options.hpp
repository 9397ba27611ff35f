#pragma once
// The flags that say what elements of A and B count as.
#include <jute/plan/ask/problem.hpp>

#include <string>

#include "tree/command_tree.hpp"

namespace jute::command {

/// One operand's, as typed: a type, of zero points also a number; `jute gemm` reads files, too.
struct ScaleWords {
  std::string scale, zero, block;
};
struct ScaleOptions {
  ScaleWords a, b;
  std::string stage_as;
};

void add_scale_flags(Command& command, ScaleOptions& options);

/// Is it the name of a file?
[[nodiscard]] bool names_file(const std::string& word);
/// Where no files hold the operands none holds their numbers.   throws  UsageError: one is named
void refuse_scale_files(const ScaleOptions& options);

/// Puts the flags' scales into a problem whose operands are known, but for files.
///   throws  unknown_name, syntax, with the flag as operand; UsageError: a block of nothing
void put_scales(Problem& problem, const ScaleOptions& options);

}  // namespace jute::command
