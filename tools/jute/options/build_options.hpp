#pragma once
// What plan, source, ptx, cubin and sass share: a problem on its way to machine code.
#include <jute/jit/compile.hpp>
#include <jute/plan/values/plan.hpp>

#include <optional>
#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "command/delivery.hpp"
#include "files/json_writer.hpp"
#include "options/problem_options.hpp"

namespace jute::command {

struct BuildOptions {
  ProblemOptions problem;
  std::string output;  ///< -o; empty prints
  std::optional<int> step;
};

/// A subcommand with the problem's flags, --step and -o.
Command& add_build_subcommand(Command& jute, BuildOptions& options, std::string_view name,
                              std::string_view description, std::string_view example);

[[nodiscard]] Plan planned(const ProblemOptions& options, const Session& session);
/// A line on standard error where no kernel is made for the chip, and what serves instead.
void note_chip(const Plan& plan, const Session& session);
/// --step as an index into a plan's `count` steps.
///   throws  out_of_range: there is no such step
[[nodiscard]] size_t step_index(int step, size_t count);
/// Refuses what cannot be planned, and steps that a plan does not have.
void judge_plan(const BuildOptions& options, const Session& session);
/// The same of a range of M's kernels.
void judge_kernels(const BuildOptions& options, const Session& session);
/// A kernel as text or machine code, and how it is launched: kind, parameters, grid, blocks,
/// threads, cluster and shared memory as `jute plan --json` names them.
template <class Code>
struct Step {
  Code code;
  Json launch;
};
/// The sources of a plan's steps.
[[nodiscard]] std::vector<Step<Source>> generated(const Plan& plan, const Session& session);
/// The sources of all steps, or of --step alone. Of --m-range without --m those of every kernel of
/// the range, each once; the launch says up to which M its kernel is the best.
///   throws  out_of_range: there is no such step
[[nodiscard]] std::vector<Step<Source>> generated(const BuildOptions& options,
                                                  const Session& session);
[[nodiscard]] Step<Binary> compiled(const Step<Source>& step, const Session& session,
                                    Output output);
[[nodiscard]] std::vector<Step<Binary>> compiled(const BuildOptions& options,
                                                 const Session& session, Output output);

/// `17 registers, 0 bytes spilled, …`
[[nodiscard]] std::string to_line(const Binary& binary);

}  // namespace jute::command
