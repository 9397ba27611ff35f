// Memory from a few words: fills, ramps, random numbers.
#include "emulate/launch/contents.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/error.hpp>
#include <jute/host/random_numbers.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <functional>

#include "tree/command_tree.hpp"

namespace jute::command {
namespace {

/// The shortest text: 1e+39 and not all of its 40 digits.
std::string number_text(const Number& number) {
  std::array<char, 32> text;
  const auto put = [&](auto each) {
    return std::to_chars(text.data(), text.data() + text.size(), each).ptr;
  };
  return {text.data(), std::visit(put, number)};
}

std::uint64_t encoded(const ElementType& type, const Number& number) {
  if (const auto bits = encode(type, number)) return *bits;
  refuse(ErrorCode::out_of_range, std::string(type.name), number_text(number),
         "it must be " + range_text(type));
}

using NextElement = std::function<std::uint64_t()>;

NextElement ramp(const Iota& iota, const ElementType& type) {
  if (type.is_integer())
    return [at = encoded(type, iota.start), step = encoded(type, iota.step)]() mutable {
      const std::uint64_t now = at;
      at += step;
      return now;
    };
  (void)encoded(type, iota.start);
  (void)encoded(type, iota.step);
  return [&type, start = as_double(iota.start), step = as_double(iota.step), i = 0.0]() mutable {
    return encode(*type.dtype, start + step * i++);
  };
}

/// Bounds may lie further apart than the greatest double.
double between(double low, double high, double fraction) {
  const double width = high - low;
  return std::isfinite(width) ? low + width * fraction : low * (1 - fraction) + high * fraction;
}

NextElement random_elements(const Random& random, const ElementType& type) {
  RandomNumbers numbers(random.seed);
  if (!random.low) {
    if (type.is_integer()) return [numbers]() mutable { return numbers.bits(); };
    return [numbers, &type]() mutable { return encode(*type.dtype, numbers.normal()); };
  }
  const std::uint64_t low = encoded(type, *random.low), high = encoded(type, *random.high);
  if (!type.is_integer())
    return
        [numbers, &type, low = as_double(*random.low), high = as_double(*random.high)]() mutable {
          return encode(*type.dtype, between(low, high, numbers.uniform()));
        };
  const std::uint64_t most = ~std::uint64_t{0} >> (64 - 8 * type.bytes);
  const std::uint64_t count = (high - low + 1) & most;  // 0: every value
  return [numbers, low, count]() mutable {
    const std::uint64_t bits = numbers.bits();
    return low + (count == 0 ? bits : bits % count);
  };
}

NextElement elements_of(const Contents& contents, const ElementType& type) {
  if (const auto* fill = std::get_if<FillNumber>(&contents))
    return [bits = encoded(type, fill->value)] { return bits; };
  if (const auto* iota = std::get_if<Iota>(&contents)) return ramp(*iota, type);
  if (const auto* random = std::get_if<Random>(&contents)) return random_elements(*random, type);
  if (const auto* listed = std::get_if<Listed>(&contents))
    return [listed, &type, at = size_t{0}]() mutable {
      return encoded(type, listed->values[at++ % listed->values.size()]);
    };
  return {};
}

}  // namespace

Index element_count(const std::vector<Index>& shape) {
  Index count = 1;
  for (const Index extent : shape) count = checked_mul(count, extent, "shape");
  return count;
}

std::string listed_rule(Index elements, const Listed& listed) {
  return "it must list a value for each of the " + std::to_string(elements) + " elements, not " +
         std::to_string(listed.values.size());
}

std::vector<std::byte> made_bytes(const Contents& contents, const ElementType& type, Index count) {
  const NextElement next = elements_of(contents, type);
  if (!next) return {};
  const auto width = static_cast<size_t>(type.bytes);
  std::vector<std::byte> bytes(static_cast<size_t>(count) * width);
  for (size_t at = 0; at < bytes.size(); at += width) {
    const std::uint64_t bits = next();
    std::memcpy(bytes.data() + at, &bits, width);
  }
  return bytes;
}

}  // namespace jute::command
