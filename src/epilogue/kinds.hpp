#pragma once
// Tells which kind of value every node is, and what must not be an operand of what.
#include <jute/epilogue/operations.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::epilogue {

/// Follows an expression as it grows, a node at a time.
class KindTracker {
 public:
  /// The fault of the operands of the last node of the expression; empty: none. `faulty`
  /// is the operand.
  [[nodiscard]] std::string take(const EpilogueExpression& expression, int* faulty = nullptr);
  /// The fault of a node as an output's value, as a local's.
  [[nodiscard]] std::string as_output(const EpilogueExpression& expression,
                                      const EpilogueOutput& output);
  [[nodiscard]] std::string as_local(int node) const;

  /// One for every node; an input that nothing has taken is a number.
  [[nodiscard]] std::vector<EpilogueKind> kinds() const;

 private:
  [[nodiscard]] std::string wants(const EpilogueExpression& expression, int node, EpilogueKind kind,
                                  std::string_view who);

  std::vector<std::optional<EpilogueKind>> kinds_;
};

}  // namespace jute::epilogue
