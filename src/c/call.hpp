#pragma once
// Every function of jute.h is one of these: nothing is thrown across, and what went wrong is kept.
#include <jute/jute.h>
#include <jute/base/cause.hpp>
#include <jute/base/error.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

#include "base/fork_gate.hpp"

namespace jute::c {

/// Keeps the error for jute_last_error of this thread.
[[nodiscard]] int32_t kept(const Error& error) noexcept;
[[nodiscard]] int32_t status_of(const Error& error) noexcept;

/// JUTE_OK, or the status of what `body` threw.
template <class Body>
int32_t guarded(Body body) noexcept {
  try {
    body();
    return JUTE_OK;
  } catch (...) {
    return kept(current_error());
  }
}

/// The text that `body` gives; NULL where it threw.
template <class Body>
const char* guarded_text(Body body) noexcept {
  const char* text = nullptr;
  (void)guarded([&] { text = body(); });
  return text;
}

/// throws  wrong_type: it is NULL
void require(const void* pointer, const char* name);
/// A text that may not be NULL.
[[nodiscard]] std::string_view required_text(const char* text, const char* name);
[[nodiscard]] inline std::string_view text_or_empty(const char* text) {
  return text == nullptr ? std::string_view() : std::string_view(text);
}
/// throws  wrong_type: places are asked for, and there are none
void require_list(const void* list, std::size_t count, const char* name);

[[noreturn]] void refuse_size(const char* name, std::size_t given, std::size_t least);
[[noreturn]] void refuse_unknown_member(const char* name, std::size_t given, std::size_t known);

/// A struct of options as far as its caller knew it; the rest is zero.
///   throws  wrong_type: NULL; out_of_range: it is shorter than `least`, its first version, or says
///   what
///           this library does not know
template <class Struct>
Struct read_struct(const Struct* given, const char* name, std::size_t least) {
  require(given, name);
  if (given->size < least) refuse_size(name, given->size, least);
  Struct read{};
  std::memcpy(&read, given, std::min(given->size, sizeof read));
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  constexpr std::size_t kMostBytes = 4096;  // more is no struct of any version
  if (given->size > kMostBytes) refuse_unknown_member(name, given->size, sizeof read);
  for (std::size_t i = sizeof read; i < given->size; ++i)
    if (bytes[i] != 0) refuse_unknown_member(name, given->size, sizeof read);
  return read;
}

/// throws  out_of_range: it is negative
void require_count(int64_t value, const char* name);

/// throws  out_of_range: a number of an enumeration that jute.h does not list
void require_enumerator(int32_t value, int32_t last, const char* name);

/// Texts of a handle, each made when it is first asked for.
class Texts {
 public:
  template <class Make>
  const char* get(const std::string& name, Make make) {
    const std::lock_guard lock(mutex_);
    const auto found = texts_.find(name);
    if (found != texts_.end()) return found->second.c_str();
    return texts_.emplace(name, make()).first->second.c_str();
  }

 private:
  base::ForkSafe<std::mutex> mutex_;
  std::map<std::string, std::string> texts_;
};

}  // namespace jute::c
