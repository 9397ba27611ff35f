// Reads printf's format and writes one conversion after the other.
#include "emulator/run/device_printf.hpp"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <utility>

#include "base/format.hpp"

namespace jute::emulator {
namespace {

// A width beyond is a mistake, and would let a kernel fill the host's memory.
constexpr int kMostWidth = 1024;

class Formatter {
 public:
  Formatter(std::string_view format, const PrintfMemory& memory)
      : format_(format), memory_(memory) {}

  PrintfResult run() {
    while (at_ < format_.size()) {
      const size_t percent = std::min(format_.find('%', at_), format_.size());
      result_.text += format_.substr(at_, percent - at_);
      at_ = percent;
      if (at_ < format_.size()) conversion();
    }
    return std::move(result_);
  }

 private:
  void conversion() {
    const size_t begin = at_++;
    flags_.clear();
    while (at_ < format_.size() && std::string_view("-+ #0").find(format_[at_]) != kNone)
      flags_ += format_[at_++];
    width_ = number();
    precision_.clear();
    if (at_ < format_.size() && format_[at_] == '.') {
      ++at_;
      const std::string digits = number();
      if (!digits.starts_with('-')) precision_ = "." + digits;
    }
    const bool is_wide = take_length();
    if (at_ >= format_.size()) return copy_from(begin);
    const char letter = format_[at_++];
    switch (letter) {
      case '%':
        result_.text += '%';
        return;
      case 's':
        return print(spec("-", letter), memory_.text(next(8)).value_or("(unreadable)").c_str());
      case 'p':
        precision_.clear();
        return print(spec("-", 's'), base::format("{:#x}", next(8)).c_str());
      case 'c':
        precision_.clear();
        return print(spec("-", letter), static_cast<int>(static_cast<std::uint8_t>(next(4))));
      case 'd':
      case 'i':
        return print(spec("-+ 0", letter, "ll"), signed_value(is_wide));
      case 'u':
        return print(spec("-0", letter, "ll"), unsigned_value(is_wide));
      case 'o':
      case 'x':
      case 'X':
        return print(spec("-#0", letter, "ll"), unsigned_value(is_wide));
      default:
        if (std::string_view("fFeEgGaA").find(letter) == kNone) return copy_from(begin);
        return print(spec("-+ #0", letter), std::bit_cast<double>(next(8)));
    }
  }
  long long signed_value(bool is_wide) {
    const std::uint64_t bits = next(is_wide ? 8 : 4);
    return is_wide ? static_cast<long long>(bits) : static_cast<std::int32_t>(bits);
  }
  unsigned long long unsigned_value(bool is_wide) { return next(is_wide ? 8 : 4); }

  /// The conversion again, with those of its flags that C gives a meaning here.
  [[nodiscard]] std::string spec(std::string_view allowed, char letter,
                                 const char* length = "") const {
    std::string text = "%";
    for (const char flag : flags_)
      if (allowed.find(flag) != kNone) text += flag;
    return text + width_ + precision_ + length + letter;
  }

  // A width or precision, which may come from the arguments.
  std::string number() {
    if (at_ < format_.size() && format_[at_] == '*') {
      ++at_;
      const auto value = static_cast<std::int32_t>(next(4));
      return std::to_string(std::clamp(value, -kMostWidth, kMostWidth));
    }
    int value = -1;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; ++at_)
      value = std::min(std::max(value, 0) * 10 + (format_[at_] - '0'), kMostWidth);
    return value < 0 ? std::string() : std::to_string(value);
  }
  // Whether the argument has 8 bytes; char and short come as int.
  bool take_length() {
    bool is_wide = false;
    for (; at_ < format_.size() && std::string_view("hlLqjzt").find(format_[at_]) != kNone; ++at_)
      is_wide |= format_[at_] != 'h';
    return is_wide;
  }

  std::uint64_t next(int bytes) {
    offset_ = (offset_ + bytes - 1) / bytes * bytes;
    const std::uint64_t value = memory_.argument(offset_, bytes).value_or(0);
    offset_ += bytes;
    ++result_.arguments;
    return value;
  }
  template <class Value>
  void print(const std::string& spec, Value value) {
// The text of `spec` was put together above, of parts that fit the value.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int size = std::snprintf(nullptr, 0, spec.c_str(), value);
    if (size <= 0) return;
    std::string text(static_cast<size_t>(size) + 1, '\0');
    (void)std::snprintf(text.data(), text.size(), spec.c_str(), value);
#pragma GCC diagnostic pop
    text.pop_back();
    result_.text += text;
  }
  void copy_from(size_t begin) { result_.text += format_.substr(begin, at_ - begin); }

  static constexpr size_t kNone = std::string_view::npos;
  std::string_view format_;
  const PrintfMemory& memory_;
  size_t at_ = 0;
  std::string flags_, width_, precision_;
  Index offset_ = 0;
  PrintfResult result_;
};

}  // namespace

PrintfResult format_printf(std::string_view format, const PrintfMemory& memory) {
  return Formatter(format, memory).run();
}

}  // namespace jute::emulator
