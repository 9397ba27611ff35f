#pragma once
// Which functions a source file defines for others, which for itself, and which it calls.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "architecture/source_tree.hpp"

namespace jute::test {

struct FunctionsOfFile {
  std::set<std::string> offered;   ///< defined outside unnamed namespaces
  std::set<std::string> kept;      ///< in unnamed namespaces: functions, types, constants
  std::set<std::string> entities;  ///< of these, functions with the types of their parameters
  std::set<std::string> local;     ///< members and lambdas
  std::set<std::string> called;    ///< by their bare names
};
/// As clang-format leaves files: what stands in a namespace begins a line.
[[nodiscard]] FunctionsOfFile functions_of(const SourceFile& file);

/// Files that need each other's functions, whichever way round: each in the order in which they
/// call, `a -> b -> a`.
[[nodiscard]] std::vector<std::string> circles(
    const std::map<std::string, std::set<std::string>>& needs);

}  // namespace jute::test
