#pragma once
// Lines of standard input whose writer may never end them.
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jute::command {

inline constexpr std::size_t kMostLineBytes = std::size_t{1} << 20;

class BoundedLines {
 public:
  /// The next line without its end, which may be `\r\n`; nothing at the end of input. Of one that
  /// is too long come a few bytes more than there may be, and the rest is passed over.
  ///   throws  file_unreadable: reading fails, as it does of a folder
  [[nodiscard]] std::optional<std::string> next();

 private:
  /// A carriage return more than the longest line, and what getline ends it with.
  std::vector<char> buffer_ = std::vector<char>(kMostLineBytes + 2);
};

/// throws  out_of_range: the line is too long
void check_length(const std::string& line);

/// Gathers lines until a statement is whole: while a bracket is open, or behind an `o` or a comma,
/// another line follows.
class StatementLines {
 public:
  /// The statement that ends with this line; nothing where it goes on.
  [[nodiscard]] std::optional<std::string> with(std::string_view line);
  /// The text that has been gathered, whole or not; it begins anew.
  [[nodiscard]] std::string rest();
  [[nodiscard]] bool is_open() const { return !statement_.empty(); }

 private:
  std::string statement_;
  int open_ = 0;  ///< brackets
};

}  // namespace jute::command
