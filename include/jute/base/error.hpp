#pragma once
// Refusals as data: every refused request throws an Exception that holds one Error.
#include <jute/base/export.hpp>

#include <exception>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// The kind of a refusal. `code_name` gives the spelling that the command prints.
enum class ErrorCode {
  // text and values
  syntax,          ///< a text does not follow its grammar
  overflow,        ///< a product or sum does not fit a signed 64-bit integer
  too_deep,        ///< nesting beyond the limit
  out_of_range,    ///< an index, coordinate or count outside its range
  not_divisible,   ///< one value must divide another
  not_congruent,   ///< two tuples must have the same profile
  not_compatible,  ///< a shape must refine another
  not_injective,   ///< a layout must not map two coordinates to one offset
  wrong_type,      ///< a value of another kind was expected
  wrong_arity,     ///< another number of arguments was expected
  unknown_name,    ///< no such atom, function, type, architecture, …
  // problems and plans
  illegal_atom,
  illegal_problem,
  illegal_config,
  illegal_template,
  illegal_tensor_map,
  misaligned,
  unsupported,
  // files
  file_not_found,
  file_unreadable,
  bad_file,
  // environment
  unwritable,
  out_of_memory,
  no_nvrtc,
  no_disassembler,
  no_gpu,
  // running
  signature_mismatch,
  compile_failed,
  driver_failed,
  launch_failed,
  communication_failed,  ///< ranks did not come to a step together
  check_failed,
  internal,
};

[[nodiscard]] std::string_view code_name(ErrorCode code);

/// Where in a text an error lies. Both count from 1.
struct SourcePosition {
  int line = 1;
  int column = 1;
  bool operator==(const SourcePosition&) const = default;
};

/// A refusal: what was refused, which value, every broken rule and, where there is one, the nearest
/// legal value. Every member has an initialiser, so that designated ones may leave any out.
struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string operand = {};                       ///< "tile.k"
  std::string value = {};                         ///< "20"
  std::vector<std::string> violated_rules = {};   ///< "tile.k is a multiple of the atom's K (16)"
  std::optional<std::string> nearest_legal = {};  ///< "16"; empty when nothing is near
  std::optional<SourcePosition> position = {};    ///< line and column, for text input
  std::string detail = {};  ///< compile log, driver status, caret line; may be empty
  bool operator==(const Error&) const = default;
};

/// One line: `operand = value: rule; rule (nearest legal: x)`. The detail is not part of it.
[[nodiscard]] std::string to_string(const Error& error);
std::ostream& operator<<(std::ostream& out, const Error& error);

class Exception : public std::exception {
 public:
  explicit Exception(Error error);
  [[nodiscard]] const Error& error() const noexcept { return error_; }
  [[nodiscard]] const char* what() const noexcept override { return text_.c_str(); }

 private:
  Error error_;
  std::string text_;
};

}  // namespace jute
