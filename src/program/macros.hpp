#pragma once
// The macros that a text defines.
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "program/token.hpp"

namespace jute::program {

struct Macro {
  std::optional<std::vector<std::string_view>>
      parameters;  ///< of one that is called like a function
  std::vector<CudaToken> body;
};

/// Every definition of each name, whatever conditionals it stands in.
class Macros {
 public:
  void add(std::span<const DirectiveLine> directives);
  /// The last definition.
  [[nodiscard]] const Macro* find(std::string_view name) const;
  [[nodiscard]] std::span<const Macro> all(std::string_view name) const;
  /// Is the word one of `words`, or a macro that such a word stands in, however deep?
  [[nodiscard]] bool stands_for(std::string_view word,
                                const std::set<std::string_view>& words) const;

 private:
  std::map<std::string_view, std::vector<Macro>> macros_;
};

/// `cuda_runtime.h` of `#include <cuda_runtime.h>`; nothing of another line.
struct IncludeLine {
  std::string name;
  bool is_quoted = false;
};
[[nodiscard]] std::optional<IncludeLine> include_of(const DirectiveLine& directive);

}  // namespace jute::program
