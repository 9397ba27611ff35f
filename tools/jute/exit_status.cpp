// The one function from kinds of refusal to exit statuses.
#include "exit_status.hpp"

#include <ostream>

#include "json_writer.hpp"

namespace jute::command {

ExitStatus exit_status(ErrorCode code) {
  switch (code) {
    case ErrorCode::check_failed:
      return kAnswerIsNo;
    case ErrorCode::unwritable:
    case ErrorCode::out_of_memory:
    case ErrorCode::no_nvrtc:
    case ErrorCode::no_disassembler:
    case ErrorCode::no_gpu:
      return kEnvironmentLacks;
    case ErrorCode::signature_mismatch:
    case ErrorCode::compile_failed:
    case ErrorCode::driver_failed:
    case ErrorCode::launch_failed:
    case ErrorCode::internal:
      return kLaunchFailed;
    default:
      return kBadInput;
  }
}

namespace {

void tell_programs(std::ostream& err, const Error& error, const Telling& how) {
  Json json = to_json(error, how.code.empty() ? code_name(error.code) : how.code);
  json.add("try", how.works.empty() ? Json() : Json(how.works));
  err << one_line({{"error", json}}) << '\n';
}

}  // namespace

void tell(std::ostream& err, const Error& error, const Telling& how) {
  if (how.json) {
    tell_programs(err, error, how);
    return;
  }
  err << "jute: " << (how.code.empty() ? code_name(error.code) : how.code) << ": "
      << to_string(error) << '\n';
  if (how.detail && !error.detail.empty())
    err << error.detail << (error.detail.ends_with('\n') ? "" : "\n");
  if (!how.works.empty()) err << "try: " << how.works << '\n';
}

}  // namespace jute::command
