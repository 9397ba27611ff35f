// The one function from kinds of refusal to exit statuses.
#include "command/exit_status.hpp"

#include <jute/base/cause.hpp>
#include <jute/base/utf8.hpp>

#include <algorithm>
#include <ostream>
#include <sstream>

#include "files/json_writer.hpp"

namespace jute::command {

ExitStatus exit_status(ErrorCode code) {
  switch (cause_of(code)) {
    case Cause::check:
      return kAnswerIsNo;
    case Cause::environment:
      return kEnvironmentLacks;
    case Cause::running:
      return kLaunchFailed;
    case Cause::request:
      break;
  }
  return kBadInput;
}

namespace {

/// A terminal is shown no byte that it might obey or cannot show, whatever stood in a file or line.
std::string printable(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const size_t length = character_bytes(text);
    const bool is_control = length == 1 && text.front() != '\n' && text.front() != '\t' &&
                            (text.front() < ' ' || text.front() == 0x7f);
    shown += length == 0 || is_control ? std::string_view("?") : text.substr(0, length);
    text.remove_prefix(std::max<size_t>(length, 1));
  }
  return shown;
}

void tell_programs(std::ostream& err, const Error& error, const Telling& how) {
  Json json = to_json(error, how.code.empty() ? code_name(error.code) : how.code);
  json.add("try", how.works.empty() ? Json() : Json(how.works));
  err << Json{{"error", json}}.text() << '\n';
}

}  // namespace

void tell(std::ostream& err, const Error& error, const Telling& how) {
  if (how.json) {
    tell_programs(err, error, how);
    return;
  }
  std::ostringstream text;
  text << "jute: " << (how.code.empty() ? code_name(error.code) : how.code) << ": "
       << to_string(error) << '\n';
  if (how.detail && !error.detail.empty())
    text << error.detail << (error.detail.ends_with('\n') ? "" : "\n");
  if (!how.works.empty()) text << "try: " << how.works << '\n';
  err << printable(text.str());
}

}  // namespace jute::command
