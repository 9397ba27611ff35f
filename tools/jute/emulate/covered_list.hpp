#pragma once
// The instructions that the emulator executes, listed.
#include <string>
#include <string_view>

#include "files/json_writer.hpp"

namespace jute::command {

/// A line a form: its first architecture, and how it is spelled. Of opcodes that begin with
/// `begin`; all for an empty one.
///   throws  unknown_name: no opcode begins so, with the nearest that there is
[[nodiscard]] std::string covered_text(std::string_view begin);
[[nodiscard]] Json covered_json(std::string_view begin);

}  // namespace jute::command
