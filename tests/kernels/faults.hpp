#pragma once
// Faults as people make them in a kernel, each a rule over one PTX statement.
#include <optional>
#include <span>
#include <string>

#include "kernels/ptx_statements.hpp"

namespace jute::test {

/// What a fault makes of a statement, semicolons included; nothing where it does not apply.
using Rewritten = std::optional<std::string>;

struct Fault {
  const char* kind;
  Rewritten (*rewrite)(const Statement&);
};
/// In what was written by hand: every place, and all copies of a place together.
[[nodiscard]] std::span<const Fault> word_faults();
/// In what the compiler wrote as well: places one by one, a few of them.
[[nodiscard]] std::span<const Fault> compiled_faults();

[[nodiscard]] bool is_by_hand(const Statement& statement);
/// May it be carried over a neighbour?
[[nodiscard]] bool is_movable(const Statement& statement);
[[nodiscard]] bool touches_memory(const Statement& statement);

}  // namespace jute::test
