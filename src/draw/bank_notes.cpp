// Bank conflicts in words.
#include "draw/bank_notes.hpp"

#include <jute/layout/properties.hpp>

#include <algorithm>

namespace jute::draw {
namespace {

constexpr int kLanes = 32;
constexpr int kMatrixRows = 8, kMatrixBytes = 16;

std::string verdict(const BankConflicts& found) {
  if (found.cycles <= found.ideal_cycles) return "no conflict";
  const int degree = (found.cycles + found.ideal_cycles - 1) / found.ideal_cycles;
  return std::to_string(degree) + "-way conflict (" + std::to_string(found.cycles) +
         " cycles, at best " + std::to_string(found.ideal_cycles) + ")";
}

bool is_aligned(const std::vector<Index>& bytes, int width) {
  return std::ranges::all_of(bytes, [width](Index at) { return at >= 0 && at % width == 0; });
}

/// Do 16 bytes from this element on lie side by side?
bool has_run(const ComposedLayout& layout, int row, int rows, int elements) {
  const Index first = layout(Index{row});
  for (int i = 1; i < elements; ++i)
    if (layout(row + Index{i} * rows) != first + i) return false;
  return true;
}

}  // namespace

std::vector<std::string> bank_notes(const ComposedLayout& layout, int rows, int columns,
                                    int element_bits) {
  const int element_bytes = element_bits / 8;
  if (element_bits % 8 != 0 || element_bytes > 16 || (element_bytes & (element_bytes - 1)) != 0)
    return {};
  std::vector<std::string> notes;
  const auto note = [&](const std::string& who, const std::vector<Index>& bytes, int width) {
    if (bytes.size() > 1 && is_aligned(bytes, width))
      notes.push_back(who + ": " + verdict(bank_conflicts(bytes, width)));
  };
  const auto lanes = [&](int count, Index step) {
    std::vector<Index> bytes;
    for (int lane = 0; lane < std::min(count, kLanes); ++lane)
      bytes.push_back(layout(lane * step) * element_bytes);
    return bytes;
  };
  const std::string each = " lanes, " + std::to_string(element_bytes) + " bytes each";
  const std::vector<Index> down = lanes(rows, 1), along = lanes(columns, rows);
  note("down a column, " + std::to_string(down.size()) + each, down, element_bytes);
  note("along a row, " + std::to_string(along.size()) + each, along, element_bytes);
  const int elements = kMatrixBytes / element_bytes;
  bool matrix = rows >= kMatrixRows && columns >= elements;
  for (int row = 0; matrix && row < kMatrixRows; ++row)
    matrix = has_run(layout, row, rows, elements);
  if (matrix && elements > 1)
    note("eight rows of 16 bytes at once, as ldmatrix reads", lanes(kMatrixRows, 1), kMatrixBytes);
  return notes;
}

}  // namespace jute::draw
