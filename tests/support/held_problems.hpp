#pragma once
// The problems that planning is held to while its inside changes: every kind of product, on every
// chip, with its types. The same on every machine and with every compiler.
#include <jute/plan/ask/config.hpp>
#include <jute/plan/ask/problem.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/stable_draws.hpp"

namespace jute::test {

/// One of them: a problem or the parts of one D, for a chip, with a caller's choices.
struct HeldProblem {
  std::string_view chip;
  std::vector<Problem> parts{};
  Config config{};
  std::string ranks{};  ///< of several ranks: what is said of them behind the problem's words
};
/// `on h200: M=…`, as `jute plan --arch h200 --problem '…'` takes it, and the choices.
[[nodiscard]] std::string to_string(const HeldProblem& held);

/// Problems of one kind: how many there are, and how one is drawn. `index` may choose what all of
/// them share out between them.
struct HeldKind {
  std::string_view name;
  int count;
  HeldProblem (*draw)(StableDraws& draws, int index);
};
[[nodiscard]] std::span<const HeldKind> held_kinds();
/// The kind's number `index`: it depends on the kind's name and on nothing else of the table.
[[nodiscard]] HeldProblem held_problem(const HeldKind& kind, int index);

// What kinds are drawn from, by subject.
[[nodiscard]] HeldProblem held_view(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_contraction(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_convolution(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_data_gradient(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_filter_gradient(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_rows(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_cols(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_masked_rows(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_groups_of_k(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_each(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_row_tables(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_gate(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_scaled(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_scaled_products(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_fragments(StableDraws& draws, int index);
[[nodiscard]] HeldProblem held_scaled_groups(StableDraws& draws, int index);

/// A chip: an H200 every second time.
[[nodiscard]] std::string_view held_chip(StableDraws& draws);
/// The problem with extents up to 64 times as great, packed; one of four stays as it is.
void grow(StableDraws& draws, Problem& problem);

}  // namespace jute::test
