#pragma once
// Reads the small device functions that the generator writes, and computes what they return.
#include <jute/base/types.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace jute::test {

/// The integer value of a C expression of + * / % ^ & << >> and brackets over named variables.
///   throws  std::logic_error: anything else in the text
[[nodiscard]] Index evaluate_c(std::string_view text,
                               const std::map<std::string, Index>& variables);

/// One function `int name(int …) { [const int x = …;] return …; }` out of a text.
class DeviceFunction {
 public:
  /// throws  std::logic_error: the text has no such function
  DeviceFunction(const std::string& text, const std::string& name);
  [[nodiscard]] Index operator()(const std::vector<Index>& arguments) const;

 private:
  std::vector<std::string> parameters_;
  std::string local_, result_;
};

}  // namespace jute::test
