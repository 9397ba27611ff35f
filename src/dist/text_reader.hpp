#pragma once
// Reads the short texts of meshes and placements from left to right.
#include <jute/base/error.hpp>
#include <jute/base/types.hpp>

#include <string>
#include <string_view>

namespace jute::dist {

class TextReader {
 public:
  TextReader(std::string operand, std::string_view text)
      : operand_(std::move(operand)), text_(text) {}

  [[nodiscard]] std::size_t place() const { return at_; }
  [[nodiscard]] bool is_done() const { return at_ == text_.size(); }
  [[nodiscard]] char peek() const { return is_done() ? '\0' : text_[at_]; }
  /// Is it the next one? Then past it.
  bool take(char mark);
  void expect(char mark, std::string_view rule);
  void expect_end(std::string_view rule) const;
  /// A letter, then letters, digits and _; `what` it should be.
  [[nodiscard]] std::string name(std::string_view what);
  [[nodiscard]] Index number(Index least, Index most, std::string_view rule);
  /// Up to a comma outside of brackets, or the end.
  [[nodiscard]] std::string_view upto_comma();
  /// Is `=` what stands behind the name that comes next?
  [[nodiscard]] bool is_named() const;

  [[noreturn]] void refuse(ErrorCode code, std::size_t at, std::string_view rule,
                           std::optional<std::string> nearest = {}) const;

 private:
  std::string operand_;
  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace jute::dist
