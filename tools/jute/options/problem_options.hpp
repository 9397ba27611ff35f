#pragma once
// The flags that describe a problem, a chip and the choices of a plan.
#include <jute/atom/catalogue.hpp>
#include <jute/base/settings.hpp>
#include <jute/launch/device_info.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "options/epilogue_options.hpp"
#include "options/group_options.hpp"
#include "options/said_flags.hpp"
#include "tree/command_tree.hpp"

namespace jute::command {

/// As typed; empty or 0 where a flag is left out.
struct ProblemOptions {
  std::string text;  ///< of --problem: all of it, where the other flags say none
  std::string contract, extents, conv, gradient;  ///< letters or images that it is of
  std::optional<int> part;                        ///< of the problems of a strided data gradient
  SaidFlags said;                                 ///< words of the problem
  std::vector<std::string> input_types, output_types;  ///< `bias=bf16`, `x=f16:col`, `s=value`
  GroupLists lists;
  std::string arch, preset;
  SaidFlags choices;  ///< by their names in a Config
  bool batch_invariant = false;
};

/// The types that --type, --type-a and --type-b give A and B; of one alone both are.
struct AskedTypes {
  std::optional<DType> a, b;
};
///   throws  unknown_name: no such type
[[nodiscard]] AskedTypes asked_types(const ProblemOptions& options);

/// Adds flags of the chip that is planned for.
void add_chip_flags(Command& command, ProblemOptions& options);
/// Adds flags of elements, and of how exact products of them are.
void add_type_flags(Command& command, ProblemOptions& options);
/// Adds flags of the problem and the chip.
void add_problem_flags(Command& command, ProblemOptions& options);
/// Adds flags of choices, which the planner makes where they are left out.
void add_choice_flags(Command& command, ProblemOptions& options);

/// Types, accumulator and precision of the flags, for elements that are as asked, else these.
///   throws  unknown_name: no such type
[[nodiscard]] Problem typed_problem(const ProblemOptions& options, const AskedTypes& usual = {});
/// The problem of --m --n --k and the rest, or of --contract and --conv.
/// Without --m the largest of --m-range.
///   throws  UsageError: an extent is missing; unknown_name: no such type; syntax
[[nodiscard]] Problem problem_of(const ProblemOptions& options);
/// The problem of words of these groups, behind what `facts` say in their place.
///   throws  what problem_of_flags and asked_types throw
[[nodiscard]] Problem said_problem(const ProblemOptions& options,
                                   const std::vector<WordGroup>& groups,
                                   std::vector<SaidWord> facts, const AskedTypes& usual = {});
/// The View of a flag like --layout-a.
///   throws  UsageError: the name of an order; what parse_view throws, with the flag
[[nodiscard]] View read_layout(const std::string& flag, const std::string& text);
/// That of --m-range alone.
///   throws  syntax
[[nodiscard]] std::optional<MRange> m_range_of(const ProblemOptions& options);
/// Is it a range of M, and no rows of one run are told beside it?
///   throws  what problem_of throws
[[nodiscard]] bool is_whole_range(const ProblemOptions& options);
/// The epilogue; empty where nothing is said.
///   throws  what parse_problem and parse_epilogue throw
[[nodiscard]] std::optional<EpilogueExpression> epilogue_of(const ProblemOptions& options);
///   throws  what the values of the flags refuse, with the flag as operand
[[nodiscard]] Config config_of(const ProblemOptions& options);
/// The same for a problem: --batch-invariant holds it to one order of sums.
///   throws  what batch_invariant throws
[[nodiscard]] Config config_for(const ProblemOptions& options, const Problem& problem,
                                const DeviceInfo& chip, const Catalogue& catalogue);
/// --device-preset, --arch, JUTE_ARCH, else an H200.
///   throws  unknown_name
[[nodiscard]] DeviceInfo chip_of(const ProblemOptions& options, const Settings& settings);
/// Is it the name of a file?
[[nodiscard]] bool names_file(const std::string& word);
/// The chip of --device-preset, which a GPU's kernels are planned for in its place.
[[nodiscard]] std::optional<DeviceInfo> chip_in_place(const ProblemOptions& options,
                                                      const Settings& settings);

/// `l4`; or a path with a slash in it or a name that ends in .txt: a file as `jute tune --chip`
/// keeps it.
///   throws  unknown_name: no such preset; file_not_found, file_unreadable, bad_file
[[nodiscard]] DeviceInfo named_chip(const std::string& name);

}  // namespace jute::command
