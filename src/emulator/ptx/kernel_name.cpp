// Demangled names, and the shorter forms in which they are usually written.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/emulator/kernel_name.hpp>

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

namespace jute {
namespace {

// The demangler keeps its work on the stack.
constexpr size_t kLongestSymbol = 8192;

/// Where the bracket opens that closes at `close`.
size_t opening_of(std::string_view text, size_t close) {
  int depth = 0;
  for (size_t at = close + 1; at-- > 0;) {
    const char letter = text[at];
    if (letter == ')' || letter == '>' || letter == ']') ++depth;
    if (letter == '(' || letter == '<' || letter == '[') --depth;
    if (depth == 0) return at;
  }
  return std::string_view::npos;
}

/// Text before a bracketed part at its end; the whole text where there is none.
std::string_view before_last(std::string_view text, char open, char close) {
  const size_t at = text.rfind(close);
  if (at == std::string_view::npos || at + 1 != text.size()) return text;
  const size_t begin = opening_of(text, at);
  if (begin == std::string_view::npos || text[begin] != open) return text;
  return text.substr(0, begin);
}

/// Behind the last of these letters that stands in no brackets.
std::string_view behind_last(std::string_view text, char letter) {
  int depth = 0;
  for (size_t at = text.size(); at-- > 0;) {
    if (text[at] == '>' || text[at] == ')') ++depth;
    if (text[at] == '<' || text[at] == '(') --depth;
    if (depth == 0 && text[at] == letter) return text.substr(at + 1);
  }
  return text;
}

std::string without_blanks(std::string_view text) {
  std::string result;
  std::ranges::copy_if(text, std::back_inserter(result), [](char each) { return each != ' '; });
  return result;
}

/// Everything that the kernel may be called, the longest first.
std::vector<std::string> names_of(const PtxKernel& kernel) {
  const std::string full = demangled(kernel.symbol);
  std::vector<std::string> names{kernel.symbol, full};
  const std::string_view called = behind_last(before_last(full, '(', ')'), ' ');
  const std::string_view bare = before_last(called, '<', '>');
  for (const std::string_view each :
       {called, behind_last(called, ':'), bare, behind_last(bare, ':')})
    names.emplace_back(each);
  return names;
}

[[noreturn]] void refuse(std::string_view name, std::string rule,
                         std::optional<std::string> nearest) {
  jute::refuse(ErrorCode::unknown_name, "kernel", std::string(name), std::move(rule),
               std::move(nearest));
}

std::string all_names(std::span<const PtxKernel> kernels) {
  constexpr size_t kMost = 12;
  std::vector<std::string> names;
  for (const PtxKernel& kernel : kernels.first(std::min(kMost, kernels.size())))
    names.push_back(demangled(kernel.symbol));
  if (kernels.size() > kMost) names.push_back("…");
  return names.empty() ? "none" : joined(names);
}

const PtxKernel& find_named(std::span<const PtxKernel> kernels, std::string_view name) {
  const std::string wanted = without_blanks(name);
  std::vector<const PtxKernel*> found;
  std::vector<std::string> known;
  for (const PtxKernel& kernel : kernels) {
    if (kernel.symbol == name) return kernel;
    bool is_called_so = false;
    for (std::string& each : names_of(kernel)) {
      is_called_so = is_called_so || without_blanks(each) == wanted;
      known.push_back(std::move(each));
    }
    if (is_called_so) found.push_back(&kernel);
  }
  if (found.size() == 1) return *found.front();
  if (found.empty())
    refuse(name, "it must be a kernel of the PTX: " + all_names(kernels),
           nearest_name(name, known));
  std::vector<std::string> several;
  for (const PtxKernel* kernel : found) several.push_back(demangled(kernel->symbol));
  refuse(name, "it must name one kernel, not several: " + joined(several), several.front());
}

}  // namespace

std::string demangled(std::string_view symbol) {
  if (!symbol.starts_with("_Z") || symbol.size() > kLongestSymbol) return std::string(symbol);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(std::string(symbol).c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : std::string(symbol);
}

const PtxKernel& find_kernel(std::span<const PtxKernel> kernels, std::string_view name) {
  if (!name.empty()) return find_named(kernels, name);
  if (kernels.size() == 1) return kernels.front();
  refuse(name, "it must be given: the PTX defines " + all_names(kernels), std::nullopt);
}

}  // namespace jute
