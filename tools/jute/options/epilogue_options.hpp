#pragma once
// The flags that say what becomes of sums, and what each thing that they name is.
#include <jute/plan/ask/problem.hpp>

#include <string>
#include <vector>

#include "options/said_flags.hpp"
#include "tree/command_tree.hpp"

namespace jute::command {

struct ProblemOptions;

void add_epilogue_flags(Command& command, ProblemOptions& options);

/// parse_epilogue; a refusal offers a whole text that works, or none.
[[nodiscard]] EpilogueExpression read_epilogue(const std::string& text);

/// Does the expression name `gate`, so that B has 2N columns?
[[nodiscard]] bool has_gate(const ProblemOptions& options);

/// `name=what`, cut in two.
struct NamedWord {
  std::string name, word;
};
///   throws  UsageError: there is no `=`, or nothing before it
[[nodiscard]] NamedWord named_word(const std::string& flag, const std::string& text);
/// All words of a flag, each about a thing of its own.
///   throws  UsageError: as named_word does; a name is given twice
[[nodiscard]] std::vector<NamedWord> named_words(const std::string& flag,
                                                 const std::vector<std::string>& texts);
/// The place of what an epilogue names.
///   throws  unknown_name, with the nearest
[[nodiscard]] std::size_t place_of(const std::string& flag, const std::vector<std::string>& names,
                                   const std::string& name);
/// The names of an epilogue's inputs, of its outputs.
[[nodiscard]] std::vector<std::string> input_names(const Problem& problem);
[[nodiscard]] std::vector<std::string> output_names(const Problem& problem);

/// The problem that words say, with what --input-type and --output-type say of its epilogue.
///   throws  what problem_of_flags throws; unknown_name: no such input or output
[[nodiscard]] Problem with_named(std::vector<SaidWord> words, const ProblemOptions& options);
/// Puts the epilogue of the flags into a problem whose sizes and types are known.
///   throws  as with_named
void add_epilogue(Problem& problem, const ProblemOptions& options);

}  // namespace jute::command
