#pragma once
// What bank conflicts a layout of shared memory costs, in words.
#include <jute/layout/swizzle.hpp>

#include <string>
#include <vector>

namespace jute::draw {

/// A line for each usual access: lanes down a column and along a row, one element each, and the
/// eight rows of 16 bytes that a matrix load takes at once, where the layout has such.
[[nodiscard]] std::vector<std::string> bank_notes(const ComposedLayout& layout, int rows,
                                                  int columns, int element_bits);

}  // namespace jute::draw
