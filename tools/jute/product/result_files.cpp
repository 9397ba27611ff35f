// Which result goes into which file.
#include "product/result_files.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/epilogue/types.hpp>
#include <jute/host/matrix_elements.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace jute::command {
namespace {

/// D, and what else the epilogue writes.
std::vector<std::string> result_names(const Problem& problem) {
  std::vector<std::string> names = output_names(problem);
  if (std::ranges::find(names, "d") == names.end()) names.emplace_back("d");
  return names;
}

}  // namespace

ResultFiles::ResultFiles(const std::vector<std::string>& words, std::vector<PlannedFile> others) {
  for (const std::string& word : words) {
    const NamedWord named =
        word.find('=') == std::string::npos ? NamedWord{"d", word} : named_word("--output", word);
    files_.push_back({named.name, matrix_file(named.word)});
    others.push_back({is_d(named.name) ? "-o" : "-o " + named.name, named.word});
  }
  require_distinct(others);
}

void ResultFiles::require_of(const Problem& problem, const Session& session) const {
  const std::vector<std::string> names = result_names(problem);
  for (const ResultFile& file : files_) (void)place_of("--output", names, file.output);
  if (files_.empty()) return;
  for (const std::string& name : names)
    if (!is_d(name) && std::ranges::find(files_, name, &ResultFile::output) == files_.end())
      session.note("jute: " + name + " is written nowhere: -o " + name + "=" + name +
                   ".npy takes it");
}

std::string ResultFiles::write(const GemmData& data, const NpyArray& d,
                               const std::vector<std::vector<std::byte>>& outputs) {
  std::vector<std::string> paths;
  for (auto& [output, file] : files_) {
    const std::size_t place = place_of("--output", result_names(data.problem), output);
    write_npy(file, is_d(output)
                        ? d
                        : array_of_output(data.problem, place, outputs.at(place), data.batched));
    file.commit();
    paths.push_back(file.path());
  }
  return joined(paths);
}

namespace {

/// A matrix or a vector, or a batch of them, as `matrix` lays it out in memory. The shape is that
/// of one: two extents, one, or none.
NpyArray array_of(const Matrix& matrix, const OperandExtents& extents, std::vector<Index> shape,
                  std::optional<Index> batch, const std::vector<std::byte>& memory) {
  NpyArray array{
      .descr = std::string(npy_descr(matrix.type)), .shape = std::move(shape), .bytes = {}};
  const auto [rows, cols] = extents;
  const bool by_columns = matrix.order == Order::col;
  array.fortran_order = by_columns && !batch && array.shape.size() > 1;
  if (batch) array.shape.insert(array.shape.begin(), *batch);
  const Index matrices = batch.value_or(1);
  const auto width = static_cast<size_t>(width_bytes(matrix.type));
  array.bytes.resize(static_cast<size_t>(matrices * rows * cols) * width);
  // Lines of the file: rows in C order, columns in Fortran order.
  const Index lines = array.fortran_order ? cols : rows, length = array.fortran_order ? rows : cols;
  const MatrixElements element(matrix);
  std::byte* target = array.bytes.data();
  for (Index one = 0; one < matrices; ++one)
    for (Index line = 0; line < lines; ++line)
      for (Index i = 0; i < length; ++i, target += width) {
        const Index at = array.fortran_order ? element(one, i, line) : element(one, line, i);
        std::memcpy(target, memory.data() + static_cast<size_t>(at) * width, width);
      }
  return array;
}

std::optional<Index> batch_of_file(const Problem& problem, bool batched) {
  return batched ? std::optional(problem.batch) : std::nullopt;
}

}  // namespace

NpyArray array_of_d(const Problem& problem, const std::vector<std::byte>& d, bool batched) {
  const Index rows = rows_in_memory(problem.d, problem.m);
  return array_of(problem.d, {rows, problem.n}, {rows, problem.n}, batch_of_file(problem, batched),
                  d);
}

NpyArray array_of_output(const Problem& problem, std::size_t place,
                         const std::vector<std::byte>& bytes, bool batched) {
  const EpilogueExpression& expression = problem.epilogue->expression;
  const EpilogueOutput& output = expression.outputs[place];
  const OperandExtents extents = extents_of(problem, output);  // of bits those of their bytes
  const auto shape = [&]() -> std::vector<Index> {
    switch (output_extent(expression, output)) {
      case EpilogueExtent::scalar:
        return {};
      case EpilogueExtent::rows:
        return {extents.rows};
      case EpilogueExtent::columns:
        return {extents.cols};
      case EpilogueExtent::elements:
      case EpilogueExtent::blocks:
        break;
    }
    return {extents.rows, extents.cols};
  };
  return array_of(problem.epilogue->outputs[place], extents, shape(),
                  batch_of_file(problem, batched), bytes);
}

}  // namespace jute::command
