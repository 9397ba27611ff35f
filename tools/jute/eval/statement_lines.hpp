#pragma once
// Statements of layout algebra that go over several lines.
#include <optional>
#include <string>
#include <string_view>

namespace jute::command {

/// Gathers lines until a statement is whole: while a bracket is open, or behind an `o` or a comma,
/// another line follows.
class StatementLines {
 public:
  /// The statement that ends with this line; nothing where it goes on.
  [[nodiscard]] std::optional<std::string> with(std::string_view line);
  /// What has been gathered, whole or not, and begins anew.
  [[nodiscard]] std::string rest();
  [[nodiscard]] bool is_open() const { return !statement_.empty(); }

 private:
  std::string statement_;
  int open_ = 0;  ///< brackets
};

}  // namespace jute::command
