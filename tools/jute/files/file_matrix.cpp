// Matrices from files, the way round that they are multiplied.
#include "files/file_matrix.hpp"

#include <cstring>
#include <utility>

#include "tree/command_tree.hpp"

namespace jute::command {
namespace {

constexpr const char* kTransposeA = "--transpose-a";
constexpr const char* kTransposeB = "--transpose-b";

FileMatrix matrix_of(const std::string& path, NpyArray array, Stored stored) {
  FileMatrix matrix{.name = path, .array = std::move(array)};
  const std::vector<Index>& shape = matrix.array.shape;
  const size_t rank = shape.size();
  if (rank != 2 && rank != 3)
    refuse_data(path, "rank " + std::to_string(rank),
                "a matrix must have two dimensions, a batch of them three");
  matrix.batched = rank == 3;
  if (matrix.batched) matrix.batch = shape[0];
  matrix.rows = shape[rank - 2];
  matrix.columns = shape[rank - 1];
  if (stored == Stored::transposed) std::swap(matrix.rows, matrix.columns);
  return matrix;
}

/// The change of --transpose-a or --transpose-b by which a file fits the other way round.
struct Turn {
  const char* option;
  Stored stored;     // so far
  std::string file;  // "A (x.npy)"
  const char* as;    // "(K,M)"
};

}  // namespace

void refuse_data(const std::string& operand, const std::string& value, std::string rule,
                 std::optional<std::string> nearest) {
  refuse(ErrorCode::illegal_problem, operand, value, std::move(rule), std::move(nearest));
}

void to_c_order(NpyArray& array, Index element_bytes) {
  const Index outer = array.shape[0], rows = array.shape[1];
  const Index columns = array.shape.size() > 2 ? array.shape[2] : 1;
  std::vector<std::byte> packed(array.bytes.size());
  std::byte* target = packed.data();
  for (Index i = 0; i < outer; ++i)
    for (Index row = 0; row < rows; ++row)
      for (Index column = 0; column < columns; ++column, target += element_bytes)
        std::memcpy(target,
                    array.bytes.data() + (i + outer * (row + rows * column)) * element_bytes,
                    static_cast<size_t>(element_bytes));
  array.bytes = std::move(packed);
  array.fortran_order = false;
}

FileMatrix read_matrix(const std::string& path, Stored stored) {
  FileMatrix matrix = matrix_of(path, read_npy(path), stored);
  NpyArray& array = matrix.array;
  const Index count = matrix.batch * matrix.rows * matrix.columns;
  if (matrix.batched && array.fortran_order && count > 0)
    to_c_order(array, static_cast<Index>(array.bytes.size()) / count);
  const bool by_columns = array.fortran_order != (stored == Stored::transposed);
  matrix.order = by_columns ? Order::col : Order::row;
  return matrix;
}

FileMatrix read_extents(const std::string& path, Stored stored) {
  return matrix_of(path, read_npy_header(path), stored);
}

void require_product(const FileMatrix& a, const FileMatrix& b, const StoredOperands& stored) {
  if (a.columns == b.rows) return;
  const Turn turn_a{kTransposeA, stored.a, "A (" + a.name + ")", "(K,M)"};
  const Turn turn_b{kTransposeB, stored.b, "B (" + b.name + ")", "(N,K)"};
  // Weights that are stored as (N,K) are the usual case.
  std::vector<Turn> turns;
  if (a.view || b.view)
    refuse_data("K", std::to_string(a.columns) + " and " + std::to_string(b.rows),
                "A's View must have as many columns as B has rows (a View of B is (N,K))");
  if (a.columns == b.columns)
    turns = {turn_b};
  else if (a.rows == b.rows)
    turns = {turn_a};
  else if (a.rows == b.columns)
    turns = {turn_a, turn_b};
  std::string rule = turn_a.file + " must have as many columns as " + turn_b.file + " has rows";
  std::string wanted;
  for (const Turn& turn : turns) {
    if (turn.stored == Stored::transposed)
      throw UsageError(turn.option, "it must be left out: " + turn.file + " fits as it is stored");
    rule += std::string(wanted.empty() ? ": it fits where " : " and ") + turn.file +
            " is stored as " + turn.as;
    wanted += (wanted.empty() ? "" : " ") + std::string(turn.option);
  }
  refuse_data("K", std::to_string(a.columns) + " and " + std::to_string(b.rows), std::move(rule),
              wanted.empty() ? std::nullopt : std::optional(wanted));
}

}  // namespace jute::command
