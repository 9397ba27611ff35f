#pragma once
// Texts of flags on their way to values.
#include <jute/base/retold.hpp>

#include <string>

namespace jute::command {

/// The value that `read` makes of a flag's text; a refusal names the flag.
template <class Read>
auto read_flag(const std::string& flag, const std::string& text, Read read) {
  return retold([&] { return read(text); },
                [&](Error& error) {
                  error.operand = flag;
                  if (error.value.empty()) error.value = text;
                });
}

}  // namespace jute::command
