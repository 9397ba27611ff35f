// Reads NVRTC's and the assembler's messages.
#include "jit/compile_log.hpp"

#include <jute/base/split_at.hpp>

#include <charconv>
#include <map>
#include <vector>

#include "base/format.hpp"

namespace jute::jit {
namespace {

constexpr std::string_view kPtxLine = "ptx input, line ";

std::optional<int> leading_number(std::string_view text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0) return std::nullopt;
  return number;
}

/// The number right before `unit`, as in "16 bytes stack frame".
std::optional<int> number_before(std::string_view line, std::string_view unit) {
  const size_t at = line.find(unit);
  if (at == std::string_view::npos) return std::nullopt;
  size_t start = at;
  while (start > 0 && line[start - 1] >= '0' && line[start - 1] <= '9') --start;
  return leading_number(line.substr(start, at - start));
}

/// Line of the CUDA text that a message names as `file(12): …`.
std::optional<int> source_line(std::string_view message, std::string_view file) {
  if (!message.starts_with(file)) return std::nullopt;
  message.remove_prefix(file.size());
  if (!message.starts_with('(')) return std::nullopt;
  return leading_number(message.substr(1));
}

std::optional<int> ptx_line(std::string_view message) {
  const size_t at = message.find(kPtxLine);
  if (at == std::string_view::npos) return std::nullopt;
  return leading_number(message.substr(at + kPtxLine.size()));
}

using Messages = std::map<int, std::vector<std::string_view>>;

/// Marked lines with two neighbours on each side; `...` stands for what is left out.
std::string annotate(const Messages& messages, std::string_view text) {
  constexpr int kNeighbours = 2;
  const std::vector<std::string_view> lines = split_at('\n', text);
  const int count = static_cast<int>(lines.size());
  std::string result;
  int shown = 0;
  for (const auto& [marked, unused] : messages) {
    if (marked < 1 || marked > count) continue;
    const int first = std::max(shown + 1, marked - kNeighbours);
    if (first > shown + 1) result += "     ...\n";
    for (int line = first; line <= std::min(count, marked + kNeighbours); ++line) {
      const auto found = messages.find(line);
      result += base::format("{} {:4} | {}\n", found != messages.end() ? '>' : ' ', line,
                             lines[static_cast<size_t>(line) - 1]);
      if (found != messages.end())
        for (const std::string_view message : found->second)
          result += base::format("       ^ {}\n", message);
      shown = line;
    }
  }
  return result;
}

}  // namespace

std::string stable_log(std::string_view log) {
  std::string result;
  for (const std::string_view line : split_at('\n', log))
    if (line.find("Compile time = ") == std::string_view::npos && !line.empty()) {
      result += line;
      result += '\n';
    }
  return result;
}

std::optional<Resources> find_resources(std::string_view log, std::string_view symbol) {
  Resources resources;
  bool in_kernel = false;
  bool own_properties = false;
  bool found = false;
  for (const std::string_view line : split_at('\n', log)) {
    // Said ahead of the kernel's own section.
    if (line.find("instructions are serialized") != std::string_view::npos &&
        line.find(base::format("'{}'", symbol)) != std::string_view::npos)
      resources.serialized = true;
    if (line.find("Compiling entry function") != std::string_view::npos)
      in_kernel = line.find(base::format("'{}'", symbol)) != std::string_view::npos;
    if (!in_kernel) continue;
    if (line.find("Function properties for") != std::string_view::npos)
      own_properties = line.ends_with(base::format(" {}", symbol));
    if (const auto stack = number_before(line, " bytes stack frame"); stack && own_properties)
      resources.stack_bytes = *stack;
    resources.spill_store_bytes += number_before(line, " bytes spill stores").value_or(0);
    resources.spill_load_bytes += number_before(line, " bytes spill loads").value_or(0);
    if (const auto registers = number_before(line, " registers")) {
      found = true;
      resources.registers = *registers;
      resources.static_smem_bytes = number_before(line, " bytes smem").value_or(0);
    }
  }
  if (!found) return std::nullopt;
  return resources;
}

FirstError find_first_error(std::string_view log, std::string_view file) {
  FirstError fallback;
  for (const std::string_view line : split_at('\n', log)) {
    const auto number = source_line(line, file);
    if (number && line.find("error") != std::string_view::npos)
      return {SourcePosition{*number, 1}, std::string(line)};
    const bool is_error = line.find("error") != std::string_view::npos ||
                          line.find("fatal") != std::string_view::npos;
    if (fallback.text.empty() && is_error) fallback.text = line;
  }
  return fallback;
}

std::string annotated_source(std::string_view log, std::string_view file, std::string_view text) {
  Messages messages;
  for (const std::string_view line : split_at('\n', log))
    if (const auto number = source_line(line, file)) {
      const size_t at = line.find("): ");
      messages[*number].push_back(at == std::string_view::npos ? line : line.substr(at + 3));
    }
  return annotate(messages, text);
}

std::string annotated_ptx(std::string_view log, std::string_view ptx) {
  Messages messages;
  for (const std::string_view line : split_at('\n', log))
    if (const auto number = ptx_line(line)) {
      const size_t at = line.find("; ");
      messages[*number].push_back(at == std::string_view::npos ? line : line.substr(at + 2));
    }
  return annotate(messages, ptx);
}

bool names_ptx_lines(std::string_view log) { return log.find(kPtxLine) != std::string_view::npos; }

}  // namespace jute::jit
