#pragma once
// Expressions of a kernel's text: what they read, write and are always worth.
#include <functional>

#include "support/kernel_scopes.hpp"

namespace jute::test {

/// `unsigned`, `const`, …
[[nodiscard]] bool is_type_word(std::string_view word);

class KernelExpressions {
 public:
  /// `body`: reads a lambda from its parameters on.
  KernelExpressions(KernelCursor& in, KernelScopes& scopes, std::function<void()> body)
      : in_(in), scopes_(scopes), body_(std::move(body)) {}

  bool is_statement = false;  ///< it stands alone, and nobody takes its value
  /// With commas between: the last one's.
  Value expression();
  Value assignment();
  /// Of signs that bind as strongly at least.
  Value binary(int least);
  void list(std::string_view from, std::string_view to);
  /// Of a call: what is passed by its name may be changed.
  void arguments();

 private:
  Value unary();
  [[nodiscard]] std::size_t end_of_template() const;
  Value first();
  Value behind(Value value);
  void lambda();

  KernelCursor& in_;
  KernelScopes& scopes_;
  std::function<void()> body_;
};

}  // namespace jute::test
