// Errors become statuses; the last one of each thread is kept.
#include "c/call.hpp"

#include <jute/base/cause.hpp>
#include <jute/base/json.hpp>
#include <jute/base/refuse.hpp>
#include <jute/version.hpp>

#include <cstdint>

#include "base/format.hpp"

namespace jute::c {
namespace {

struct LastError {
  std::string json, text;
  bool is_there = false;
  bool is_lost = false;  ///< there was no memory for its texts
};

LastError& last_error() {
  thread_local LastError error;
  return error;
}

constexpr const char* kLostJson =
    "{\"code\":\"out_of_memory\",\"message\":\"out of memory\",\"operand\":\"\",\"value\":\"\","
    "\"violated_rules\":[],\"nearest_legal\":null,\"position\":null,\"detail\":\"\"}";

}  // namespace

int32_t status_of(const Error& error) noexcept {
  switch (cause_of(error.code)) {
    case Cause::check:
      return JUTE_CHECK_FAILED;
    case Cause::request:
      return JUTE_REFUSED;
    case Cause::environment:
      return JUTE_LACKING;
    case Cause::running:
      break;
  }
  return JUTE_FAILED;
}

int32_t kept(const Error& error) noexcept {
  LastError& last = last_error();
  last.is_there = true;
  try {
    last.json = to_json(error).text();
    last.text = to_string(error);
    last.is_lost = false;
  } catch (...) {
    last.is_lost = true;
  }
  return status_of(error);
}

void require(const void* pointer, const char* name) {
  if (pointer == nullptr)
    jute::refuse(ErrorCode::wrong_type, name, "NULL", base::format("{} must not be NULL", name));
}

std::string_view required_text(const char* text, const char* name) {
  require(text, name);
  return text;
}

void require_list(const void* list, std::size_t count, const char* name) {
  if (count > 0) require(list, name);
}

void refuse_size(const char* name, std::size_t given, std::size_t least) {
  jute::refuse(ErrorCode::out_of_range, base::format("{}.size", name), std::to_string(given),
               base::format("it must be sizeof(struct jute_{}), at least {} bytes", name, least),
               std::to_string(least));
}

void refuse_unknown_member(const char* name, std::size_t given, std::size_t known) {
  jute::refuse(ErrorCode::out_of_range, base::format("{}.size", name), std::to_string(given),
               base::format("behind the {} bytes that jute {} knows all must be zero", known,
                            JUTE_VERSION_TEXT),
               std::to_string(known));
}

void require_count(int64_t value, const char* name) {
  if (value >= 0) return;
  jute::refuse(ErrorCode::out_of_range, name, std::to_string(value),
               base::format("{} must not be negative", name), "0");
}

void require_enumerator(int32_t value, int32_t last, const char* name) {
  if (0 <= value && value <= last) return;
  jute::refuse(ErrorCode::out_of_range, name, std::to_string(value),
               base::format("{} must be from 0 to {}", name, last),
               value < 0 ? "0" : std::to_string(last));
}

}  // namespace jute::c

const char* jute_version(void) { return JUTE_VERSION_TEXT; }

const char* jute_last_error(void) {
  const jute::c::LastError& last = jute::c::last_error();
  if (!last.is_there) return nullptr;
  return last.is_lost ? jute::c::kLostJson : last.json.c_str();
}

const char* jute_last_error_text(void) {
  const jute::c::LastError& last = jute::c::last_error();
  if (!last.is_there) return nullptr;
  return last.is_lost ? "out of memory" : last.text.c_str();
}
