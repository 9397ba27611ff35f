#pragma once
// What a compile log says: resources, and which source lines it complains about.
#include <jute/base/error.hpp>
#include <jute/launch/source.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace jute::jit {

/// The log without what differs from run to run (times).
[[nodiscard]] std::string stable_log(std::string_view log);

/// Registers, stack and spills of `symbol` from the assembler's report; nothing when the log has
/// none. Spills of functions that the kernel calls count too; of `serialized` see Resources.
[[nodiscard]] std::optional<Resources> find_resources(std::string_view log,
                                                      std::string_view symbol);

/// The first `file(line): error` of the log: its position and its text.
struct FirstError {
  std::optional<SourcePosition> position;
  std::string text;
};
[[nodiscard]] FirstError find_first_error(std::string_view log, std::string_view file);

/// The lines of `text` that the log names, each with its number, its neighbours and the messages.
/// The log names a line of the CUDA text as `file(12):`, one of the PTX as `ptx input, line 12;`.
/// Text for people; empty when the log names no line.
[[nodiscard]] std::string annotated_source(std::string_view log, std::string_view file,
                                           std::string_view text);
[[nodiscard]] std::string annotated_ptx(std::string_view log, std::string_view ptx);
/// Does the assembler complain about the PTX?
[[nodiscard]] bool names_ptx_lines(std::string_view log);

}  // namespace jute::jit
