// Refuses by a list, in microseconds, what planning and looking for its kernels would refuse later.
#include "gemm/served_problems.hpp"

#include <jute/base/error.hpp>
#include <jute/gemm/served.hpp>

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/format.hpp"

namespace jute {
namespace gemm {
namespace {

/// Takes the first word of a problem's text off it.
std::string_view next_word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

int words_in_common(std::string_view one, std::string_view other) {
  int count = 0;
  while (!one.empty() && !other.empty()) count += next_word(one) == next_word(other) ? 1 : 0;
  return count;
}

std::string nearest_line(const std::string& line, const std::unordered_set<std::string>& lines) {
  int most = -1;
  const std::string* nearest = nullptr;
  for (const std::string& each : lines) {
    const int common = words_in_common(line, each);
    if (common < most || (common == most && *nearest < each)) continue;
    most = common;
    nearest = &each;
  }
  return nearest == nullptr ? std::string() : *nearest;
}

bool has_kernels(const Settings& settings) {
  return settings.cache != "off" && !settings.cache_dir.empty() &&
         !DiskCache(settings.cache_dir, CacheAccess::read_only).compiler_builds().empty();
}

}  // namespace

ServedProblems::ServedProblems(const Settings& settings)
    : is_asked_(settings.compile == "forbidden" && !settings.cache_layers.empty()),
      settings_(settings) {}

void ServedProblems::read() {
  if (has_kernels(settings_)) return;
  for (const std::string& layer : settings_.cache_layers) {
    const auto served = DiskCache(layer, CacheAccess::read_only).served();
    if (!served) return;
    lines_.insert(served->begin(), served->end());
  }
  is_whole_ = true;
}

void ServedProblems::require(const Problem& problem) {
  if (!is_asked_) return;
  std::call_once(reading_, [&] { read(); });
  if (!is_whole_) return;
  const std::string line = served_line(problem);
  if (lines_.contains(line)) return;
  Error error{
      .code = ErrorCode::unsupported,
      .operand = "compile",
      .value = line,
      .violated_rules = {base::format("a layer's list must have the problem where compiling is "
                                      "forbidden (JUTE_COMPILE): {} are served",
                                      lines_.size()),
                         rule_to_warm(problem)}};
  if (!lines_.empty()) error.nearest_legal = nearest_line(line, lines_);
  throw Exception(std::move(error));
}

std::string rule_to_warm(const Problem& problem) {
  return "it must be in a cache or in one of its layers, where `jute cache warm FILE` puts it with "
         "this "
         "line in the file: " +
         to_string(problem);
}

}  // namespace gemm

std::string served_line(const Problem& problem) {
  Problem whole = completed(problem);
  if (whole.m_range) whole.m = whole.m_range->last;
  return to_string(whole);
}

void list_served(const DiskCache& layer, std::span<const Problem> problems) {
  std::vector<std::string> lines;
  for (const Problem& problem : problems) lines.push_back(served_line(problem));
  layer.list_served(lines);
}

}  // namespace jute
