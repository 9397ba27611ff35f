// Text of an Error.
#include <jute/base/error.hpp>

#include <array>
#include <ostream>
#include <utility>

namespace jute {

std::string_view code_name(ErrorCode code) {
  // In the order of the enumeration.
  static constexpr std::array<std::string_view, 33> kNames{"syntax",
                                                           "overflow",
                                                           "too_deep",
                                                           "out_of_range",
                                                           "not_divisible",
                                                           "not_congruent",
                                                           "not_compatible",
                                                           "not_injective",
                                                           "wrong_type",
                                                           "wrong_arity",
                                                           "unknown_name",
                                                           "illegal_atom",
                                                           "illegal_problem",
                                                           "illegal_config",
                                                           "illegal_template",
                                                           "illegal_tensor_map",
                                                           "misaligned",
                                                           "unsupported",
                                                           "file_not_found",
                                                           "file_unreadable",
                                                           "bad_file",
                                                           "unwritable",
                                                           "out_of_memory",
                                                           "no_nvrtc",
                                                           "no_disassembler",
                                                           "no_gpu",
                                                           "signature_mismatch",
                                                           "compile_failed",
                                                           "driver_failed",
                                                           "launch_failed",
                                                           "communication_failed",
                                                           "check_failed",
                                                           "internal"};
  static_assert(kNames.size() == static_cast<size_t>(ErrorCode::internal) + 1);
  return kNames[static_cast<size_t>(code)];
}

std::string to_string(const Error& error) {
  std::string text;
  if (error.position && error.position->line > 1)
    text += "line " + std::to_string(error.position->line) + ", ";
  if (error.position) text += "column " + std::to_string(error.position->column) + ": ";
  text += error.operand;
  if (!error.value.empty()) text += (error.operand.empty() ? "" : " = ") + error.value;
  for (size_t i = 0; i < error.violated_rules.size(); ++i) {
    if (i > 0) {
      text += "; ";
    } else if (!text.empty() && !text.ends_with(": ")) {
      text += ": ";
    }
    text += error.violated_rules[i];
  }
  if (error.nearest_legal) text += " (nearest legal: " + *error.nearest_legal + ")";
  return text;
}

std::ostream& operator<<(std::ostream& out, const Error& error) { return out << to_string(error); }

Exception::Exception(Error error)
    : error_(std::move(error)),
      text_(std::string(code_name(error_.code)) + ": " + to_string(error_)) {}

}  // namespace jute
