// Element by element, with a tolerance.
#include "emulate/launch/comparison.hpp"

#include <jute/base/joined.hpp>

#include <cmath>

namespace jute::command {
namespace {

/// Where element `linear` of memory stands.
std::vector<Index> index_of(const Elements& elements, Index linear) {
  std::vector<Index> index(elements.shape.size(), 0);
  for (size_t i = 0; i < index.size(); ++i) {
    const size_t mode = elements.fortran_order ? i : index.size() - 1 - i;
    index[mode] = linear % elements.shape[mode];
    linear /= elements.shape[mode];
  }
  return index;
}

bool agrees(long double got, long double want, double allowed) {
  if (std::isinf(allowed)) return true;
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got);
  return got == want || std::fabs(got - want) <= allowed;
}

std::string double_text(double value) {
  return value_text(*find_element_type("f64"), static_cast<long double>(value));
}

}  // namespace

std::string to_string(const Mismatch& mismatch) {
  std::string text = mismatch.buffer + "[" +
                     joined(
                         mismatch.index, [](Index i) { return std::to_string(i); }, ",") +
                     "] is " + mismatch.value + ", expected " + mismatch.expected;
  if (mismatch.allowed > 0) text += " (within " + double_text(mismatch.allowed) + ")";
  return text + "; " + std::to_string(mismatch.count) + " of " + std::to_string(mismatch.elements) +
         " elements differ";
}

std::optional<Mismatch> compare(const std::string& buffer, const Elements& got,
                                const Expectation& expected) {
  Mismatch mismatch{.buffer = buffer, .index = {}, .value = {}, .expected = {}};
  mismatch.elements = element_count(got.shape);
  for (Index i = 0; i < mismatch.elements; ++i) {
    const auto at = static_cast<size_t>(i);
    const long double value = decode(*got.type, got.bytes, at);
    const long double want = decode(*expected.values.type, expected.values.bytes, at);
    double allowed = expected.tolerance.absolute;
    if (expected.tolerance.relative > 0)
      allowed += expected.tolerance.relative * static_cast<double>(std::fabs(want));
    if (expected.bounds)
      allowed += static_cast<double>(decode(*expected.bounds->type, expected.bounds->bytes, at));
    if (agrees(value, want, allowed)) continue;
    if (mismatch.count++ > 0) continue;
    mismatch.index = index_of(got, i);
    mismatch.value = value_text(*got.type, value);
    mismatch.expected = value_text(*expected.values.type, want);
    mismatch.allowed = allowed;
  }
  if (mismatch.count == 0) return std::nullopt;
  return mismatch;
}

}  // namespace jute::command
