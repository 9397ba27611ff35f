#pragma once
// The variables of a kernel's text: where they are seen, what they hold, who reads and writes them.
#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support/kernel_tokens.hpp"
#include "support/kernel_values.hpp"

namespace jute::test {

struct KernelUse {
  std::size_t at;
  bool writes;   ///< and reads nothing
  int function;  ///< the function or the lambda in which it stands
};
struct KernelVariable {
  std::size_t declared = 0;
  int function = 0;
  bool is_plain = true;     ///< no reference and no array
  bool is_counter = false;  ///< of a loop, in whose head it is declared
  bool is_literal = false;  ///< its value is written where it is declared
  Value value{};
  std::vector<KernelUse> uses{};
};

class KernelScopes {
 public:
  using Variables = std::map<std::string, KernelVariable, std::less<>>;

  explicit KernelScopes(const std::vector<KernelToken>& tokens) : tokens_(tokens) {}

  /// `repeats`: a loop that may come round again, a lambda that may be called once more.
  void open(std::size_t at, bool repeats);
  void close(std::size_t at);
  [[nodiscard]] Variables& innermost() { return scopes_.back().variables; }
  void repeat_innermost(bool repeats) { scopes_.back().repeats = repeats; }
  /// A function's or a lambda's own scope; gives what to leave it to.
  int enter_function() { return std::exchange(function_, ++functions_); }
  void leave_function(int outer) { function_ = outer; }

  /// By the token that names it.
  KernelVariable& declare(std::size_t place, bool is_plain, Value value);
  [[nodiscard]] const KernelVariable* look_up(std::string_view name) const;
  Value use(std::size_t place, bool writes);
  /// Where it is passed by its name.
  void may_change(std::string_view name);
  void find(std::string_view what, const std::string& of, int line);

  std::vector<std::string> faults;
  std::set<std::size_t> changed, declared;  ///< variables, by the tokens that declare them

 private:
  struct Scope {
    std::size_t begin;
    bool repeats;
    Variables variables{};
  };
  KernelVariable* found(std::string_view name);
  [[nodiscard]] bool is_read(const KernelVariable& variable, const KernelUse& write) const;

  const std::vector<KernelToken>& tokens_;
  std::deque<Scope> scopes_;
  std::vector<std::pair<std::size_t, std::size_t>> loops_;
  int function_ = 0, functions_ = 0;
};

}  // namespace jute::test
