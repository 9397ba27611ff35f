// Calls of cuBLAS as lines of text: a word for each number.
#include <jute/base/refuse.hpp>
#include <jute/shim/cublas_call.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include "shim/call_numbers.hpp"

namespace jute {
namespace {

/// In the order of the members.
constexpr std::array<std::string_view, shim::kCallNumbers> kWords{
    "library",    "lt",       "op_a",       "op_b",       "m",         "n",         "k",
    "batch",      "a.type",   "a.order",    "a.ld",       "a.stride",  "a.align",   "b.type",
    "b.order",    "b.ld",     "b.stride",   "b.align",    "c.type",    "c.order",   "c.ld",
    "c.stride",   "c.align",  "d.type",     "d.order",    "d.ld",      "d.stride",  "d.align",
    "compute",    "scale",    "alpha",      "beta",       "epilogue",  "bias.type", "bias.stride",
    "bias.align", "aux.type", "aux.ld",     "aux.stride", "aux.align", "scale_a",   "scale_b",
    "scale_d",    "amax_d",   "fast_accum", "workspace"};

}  // namespace

std::string to_line(const CublasCall& call) {
  const shim::CallNumbers numbers = shim::numbers_of(call), usual = shim::numbers_of({});
  std::string line;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] == usual[i]) continue;
    if (!line.empty()) line += ' ';
    line += std::string(kWords[i]) + '=' + std::to_string(numbers[i]);
  }
  return line;
}

CublasCall parse_cublas_call(std::string_view line) {
  shim::CallNumbers numbers = shim::numbers_of({});
  while (!line.empty()) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(std::min(word.size() + 1, line.size()));
    const std::string_view name = word.substr(0, word.find('='));
    const std::string_view value = word.substr(std::min(name.size() + 1, word.size()));
    const auto* const found = std::ranges::find(kWords, name);
    if (found == kWords.end())
      refuse(ErrorCode::unknown_name, "call", std::string(name), "it must be a word of a call");
    Index& number = numbers[static_cast<std::size_t>(found - kWords.begin())];
    const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (value.empty() || fault != std::errc() || end != value.data() + value.size() || number < 0)
      refuse(ErrorCode::syntax, std::string(name), std::string(value),
             "it must be a whole number from 0 on");
  }
  return shim::call_of(numbers);
}

Index& rows_in(CublasCall& call) { return call.d.order == 0 ? call.n : call.m; }

}  // namespace jute
