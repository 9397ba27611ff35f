// Ranges of M as text.
#include <jute/base/refuse.hpp>
#include <jute/plan/ask/problem.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "base/format.hpp"

namespace jute {

std::string to_string(const MRange& range) {
  return base::format("{}:{}", range.first, range.last);
}

MRange parse_m_range(std::string_view text) {
  MRange range;
  const char* const end = text.data() + text.size();
  // A number that nothing holds is the greatest: what is wrong with it the range's rule says.
  const auto read = [end](const char* from, Index& value) {
    auto result = std::from_chars(from, end, value);
    if (result.ec != std::errc::result_out_of_range) return result;
    using Limits = std::numeric_limits<Index>;
    value = *from == '-' ? Limits::min() : Limits::max();
    return std::from_chars_result{result.ptr, std::errc()};
  };
  const auto [colon, first_fault] = read(text.data(), range.first);
  if (first_fault == std::errc() && colon != end && *colon == ':')
    if (const auto [rest, fault] = read(colon + 1, range.last); fault == std::errc() && rest == end)
      return range;
  // `1-64`, `1..64`, `1,64`; and 64 alone for the end of a range.
  std::optional<std::string> nearest;
  if (first_fault == std::errc() && range.first >= 0) {
    const char* const next = std::find_if(colon, end, [](char c) { return '0' <= c && c <= '9'; });
    const auto [rest, fault] = read(next, range.last);
    if (colon == end) nearest = to_string(MRange{std::min<Index>(1, range.first), range.first});
    if (next != end && fault == std::errc() && rest == end) nearest = to_string(range);
  }
  refuse(ErrorCode::syntax, "m_range", std::string(text),
         "a range of M must be two numbers, as in 1:8192", std::move(nearest));
}

}  // namespace jute
