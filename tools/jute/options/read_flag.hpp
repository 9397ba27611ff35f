#pragma once
// Texts of flags on their way to values.
#include <jute/base/error.hpp>

#include <string>
#include <utility>

namespace jute::command {

/// The value that `read` makes of a flag's text; a refusal names the flag.
template <class Read>
auto read_flag(const std::string& flag, const std::string& text, Read read) {
  try {
    return read(text);
  } catch (const Exception& exception) {
    Error error = exception.error();
    error.operand = flag;
    if (error.value.empty()) error.value = text;
    throw Exception(std::move(error));
  }
}

}  // namespace jute::command
