#pragma once
// Rules of an operand's View.
#include <jute/plan/ask/view.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jute::plan {

/// A rule of a View that does not hold, the value that breaks it, and one that would do.
struct BrokenViewRule {
  std::string value, rule;
  std::optional<std::string> nearest;
};

/// The operand's dimensions as its View has them: of B (N,K).
struct ViewSizes {
  Index rows = 0, columns = 0, batch = 1;
  bool is_m = false;  ///< rows are M: the View may have those of longer runs
};

/// The use of a View's elements.
enum class ViewUse : std::uint8_t {
  read,
  read_inside,  ///< where no zeros can stand in
  written,      ///< each once
};

/// Every rule that does not hold; the first that keeps the others from being asked alone.
[[nodiscard]] std::vector<BrokenViewRule> broken_rules(const View& view, const ViewSizes& sizes,
                                                       ViewUse use);

}  // namespace jute::plan
