// Extents of an operand from its View, and the first coordinate that its file has no element for.
#include "product/viewed_file.hpp"

#include <utility>

#include "files/array_file.hpp"
#include "options/problem_options.hpp"

namespace jute::command {
namespace {

Index extent_of(const std::vector<ViewMode>& modes) {
  Index extent = 1;
  for (const ViewMode& mode : modes) extent *= mode.extent;
  return extent;
}

/// `(63,127)`, or with the number of the matrix behind it.
std::string coordinate_of(Index row, Index column, Index matrix, bool is_batched) {
  return "(" + std::to_string(row) + "," + std::to_string(column) +
         (is_batched ? "," + std::to_string(matrix) : "") + ")";
}

/// Finds the fault of a refused view, so that a walk over all coordinates is no loss.
[[noreturn]] void refuse_first_past(const std::string& flag, const std::string& layout,
                                    const ViewModes& modes, const std::string& path, Index count) {
  const bool is_batched = !modes.batch.empty();
  for (Index matrix = 0; matrix < extent_of(modes.batch); ++matrix)
    for (Index row = 0; row < extent_of(modes.rows); ++row)
      for (Index column = 0; column < extent_of(modes.columns); ++column)
        if (const auto element = modes.element(row, column, matrix); element && *element >= count)
          refuse_data(flag, layout,
                      "each coordinate must lie inside the file: " +
                          coordinate_of(row, column, matrix, is_batched) + " is element " +
                          std::to_string(*element) + " of " + path + ", which has " +
                          std::to_string(count));
  refuse_data(flag, layout,
              "it must lie inside " + path + ", which has " + std::to_string(count) + " elements");
}

bool has_whole_numbers(const NpyArray& array) {
  return array.descr.size() > 2 && (array.descr[1] == 'i' || array.descr[1] == 'u');
}

/// Elements that a View may name.
Index element_count_of(NpyArray& array, std::optional<DType> type) {
  if (!type || width_bits(*type) != 4 || !has_whole_numbers(array)) return element_count(array);
  const Index bytes = element_count(array) * std::stoi(array.descr.substr(2));
  array.descr = npy_descr(*type);
  array.shape = {bytes};
  return bytes * 2;
}

}  // namespace

FileMatrix read_operand(const OperandFile& file, Elements elements) {
  if (file.layout.empty())
    return elements == Elements::read ? read_matrix(file.path, file.stored)
                                      : read_extents(file.path, file.stored);
  const std::string flag = std::string("--layout-") + file.operand;
  if (file.stored == Stored::transposed)
    throw UsageError(std::string("--transpose-") + file.operand,
                     "it must be left out: " + flag + " says where each element lies");
  FileMatrix matrix{
      .name = file.path,
      .array = elements == Elements::read ? read_npy(file.path) : read_npy_header(file.path)};
  matrix.view = read_layout(flag, file.layout);
  const ViewModes modes = modes_of(*matrix.view);
  const Index count = element_count_of(matrix.array, file.type);
  if (span_elems(*matrix.view) > count)
    refuse_first_past(flag, file.layout, modes, file.path, count);
  matrix.rows = extent_of(modes.rows);
  matrix.columns = extent_of(modes.columns);
  if (file.operand == 'b') std::swap(matrix.rows, matrix.columns);
  matrix.batch = extent_of(modes.batch);
  matrix.batched = !modes.batch.empty();
  return matrix;
}

}  // namespace jute::command
