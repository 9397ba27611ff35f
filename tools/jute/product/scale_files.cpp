// Reads scales and zero points, whose blocks follow from their shapes.
#include "product/scale_files.hpp"

#include <jute/base/checked.hpp>
#include <jute/base/parsed_number.hpp>
#include <jute/host/operands.hpp>

#include <algorithm>
#include <utility>

#include "options/problem_options.hpp"
#include "options/read_flag.hpp"

namespace jute::command {
namespace {

constexpr Index kOfByte = 2;

Index& k_of(FileMatrix& matrix, TensorRole tensor) {
  return tensor == TensorRole::a ? matrix.columns : matrix.rows;
}

Index& mn_of(FileMatrix& matrix, TensorRole tensor) {
  return tensor == TensorRole::a ? matrix.rows : matrix.columns;
}

/// Does a row or a column of the operand that is contiguous run along K?
bool is_along_k(Order order, TensorRole tensor) {
  return (order == Order::row) == (tensor == TensorRole::a);
}

/// Elements of one block along a dimension with so many blocks.
Index block_along(const std::string& path, const char* dimension, Index extent, Index count,
                  Index asked) {
  if (const auto block = block_of_numbers(extent, count, asked)) return *block;
  if (asked != 0) {
    const std::string expected = std::to_string(ceil_div(extent, asked));
    refuse_data(path, std::to_string(count),
                std::string("along ") + dimension + " there must be a number for each of " +
                    expected + " blocks",
                expected);
  }
  const Index least = count > 0 ? ceil_div(extent, count) : 1;
  Index usual = 1;
  while (usual < least) usual *= 2;
  const bool is_two =
      count > 0 && ceil_div(extent, least) == count && ceil_div(extent, usual) == count;
  refuse_data(
      path, std::to_string(count),
      std::string("along ") + dimension + " there must be a number for each block of " +
          std::to_string(extent) + " elements" +
          (is_two ? ": blocks of " + std::to_string(least) + " and of " + std::to_string(usual) +
                        " would do, say which by --block-a or --block-b"
                  : std::string()));
}

/// One operand, and how its file and its numbers' files are turned.
struct Scaled {
  const char* letter;
  TensorRole tensor;
  Stored stored;
  Index mn, k;
};

/// Numbers of a vector are of rows or columns, one each.
FileMatrix numbers_matrix(const std::string& path, const Scaled& of) {
  NpyArray array = read_npy(path);
  Index count = 1;
  for (const Index extent : array.shape) count *= extent;
  if (array.shape.size() > 1) return read_matrix(path, of.stored);
  FileMatrix matrix{.name = path, .array = std::move(array)};
  const bool is_a = of.tensor == TensorRole::a;
  matrix.rows = is_a ? count : 1;
  matrix.columns = is_a ? 1 : count;
  matrix.order = is_a ? Order::col : Order::row;
  return matrix;
}

/// `bf16:S.npy`: a type that numpy has not, and the file.
struct TypedFile {
  std::optional<DType> type;
  std::string path;
};
TypedFile typed_file(const std::string& word) {
  const std::size_t colon = word.find(':');
  const auto type = colon == std::string::npos ? std::nullopt : find_dtype(word.substr(0, colon));
  return type ? TypedFile{type, word.substr(colon + 1)} : TypedFile{std::nullopt, word};
}

/// The half of a byte, with its sign where the type has one.
std::byte half_of(std::byte pair, Index at, DType type) {
  constexpr int kBits = 4, kSign = 8;
  const int half = static_cast<int>(pair) >> (at % kOfByte * kBits) & 15;
  return static_cast<std::byte>(type == DType::s4 ? (half ^ kSign) - kSign : half);
}

/// Numbers of 4 bits, two along K in a byte, become bytes. There are twice as many of a row, or as
/// many as blocks that were asked for; a vector has one of each.
DType widen(FileMatrix& matrix, const Scaled& of, DType type, Index asked_k) {
  (void)element_type(matrix.array, type, {matrix.name, "TYPE:"});
  const bool is_along = is_along_k(matrix.order, of.tensor);
  Index& k = k_of(matrix, of.tensor);
  const Index pairs = k, mn = of.tensor == TensorRole::a ? matrix.rows : matrix.columns;
  const Index asked = asked_k == 0 ? kOfByte * pairs : ceil_div(of.k, asked_k);
  k = ceil_div(asked, kOfByte) == pairs ? asked : kOfByte * pairs;
  if (matrix.array.shape.size() < 2) k = 1;
  std::vector<std::byte> wide;
  const Index outer = is_along ? mn : k, inner = is_along ? k : mn;
  for (Index batch = 0; batch < matrix.batch; ++batch)
    for (Index i = 0; i < outer; ++i)
      for (Index j = 0; j < inner; ++j) {
        const Index at = is_along ? j : i, row = is_along ? i : j;
        const Index pair = is_along ? row * pairs + at / kOfByte : at / kOfByte * mn + row;
        wide.push_back(half_of(
            matrix.array.bytes[static_cast<std::size_t>(batch * pairs * mn + pair)], at, type));
      }
  matrix.array.bytes = std::move(wide);
  const DType bytes = type == DType::s4 ? DType::s8 : DType::u8;
  matrix.array.descr = npy_descr(bytes);
  return bytes;
}

BlockValues numbers_of(const Problem& problem, const std::string& word, const Scaled& of,
                       const std::string& block, std::vector<std::byte>& bytes) {
  auto [type, path] = typed_file(word);
  const bool is_half = type && width_bits(*type) < 8;
  if (is_half && !is_integer(*type))
    refuse_data(path, std::string(name(*type)),
                "numbers of blocks in files must have a byte or more, or be zero points u4 or s4",
                "u4");
  FileMatrix matrix = numbers_matrix(path, of);
  const bool is_a = of.tensor == TensorRole::a;
  const ValueBlock asked =
      block.empty() ? ValueBlock{}
                    : read_flag(std::string("--block-") + of.letter, block, parse_value_block);
  if (is_half) type = widen(matrix, of, *type, asked.k);
  const Index mn = is_a ? matrix.rows : matrix.columns, k = is_a ? matrix.columns : matrix.rows;
  BlockValues numbers;
  numbers.block = {block_along(path, is_a ? "M" : "N", of.mn, mn, asked.mn),
                   block_along(path, "K", of.k, k, asked.k)};
  if (matrix.batch != 1 && matrix.batch != problem.batch)
    refuse_data(path, "batch " + std::to_string(matrix.batch),
                "there must be numbers for one matrix, or for each of the " +
                    std::to_string(problem.batch));
  numbers.order = matrix.order;
  numbers.broadcast = problem.batch > 1 && matrix.batch == 1;
  numbers.type = element_type(matrix.array, type, {path, "TYPE:"});
  bytes = std::move(matrix.array.bytes);
  return numbers;
}

}  // namespace

bool is_of_halves(std::optional<DType> type) { return type && width_bits(*type) == 4; }

void count_halves(FileMatrix& matrix, TensorRole tensor, std::optional<DType> type,
                  Index k_of_other) {
  if (!is_of_halves(type) || matrix.view) return;
  Index &k = k_of(matrix, tensor), &mn = mn_of(matrix, tensor);
  const bool has_spare = k_of_other == kOfByte * k - 1 && is_along_k(matrix.order, tensor);
  if (has_spare) {
    k = k_of_other;
  } else if (k_of_other == k) {
    matrix.pairs_cross_k = true;
    mn *= kOfByte;
  } else {
    // A file that fits only the other way round is counted so, and refused by that.
    Index& counted = k_of_other != kOfByte * k && k_of_other == kOfByte * mn ? mn : k;
    if (k_of_other == kOfByte * k || k_of_other != mn) counted *= kOfByte;
  }
}

void put_halves(Matrix& operand, const FileMatrix& matrix, TensorRole tensor, Index batch) {
  if (matrix.view) return;
  const bool is_a = tensor == TensorRole::a;
  const Index k = is_a ? matrix.columns : matrix.rows, mn = is_a ? matrix.rows : matrix.columns;
  const Index pairs = ceil_div(matrix.pairs_cross_k ? mn : k, kOfByte);
  const Index lines = matrix.pairs_cross_k ? k : mn;
  if (is_along_k(matrix.order, tensor) != matrix.pairs_cross_k) {
    operand.ld_elems = std::max<Index>(pairs * kOfByte, 1);
    return;
  }
  // Neighbours in memory are a byte apart, the halves of a byte are neighbours of the other way.
  operand.order = Order::row;
  operand.broadcast = false;
  const IntTuple halves{kOfByte, pairs}, apart{1, kOfByte * lines};
  const IntTuple shape = matrix.pairs_cross_k ? IntTuple{halves, k} : IntTuple{mn, halves};
  const IntTuple stride =
      matrix.pairs_cross_k ? IntTuple{apart, kOfByte} : IntTuple{kOfByte, apart};
  const bool is_whole = batch > 1 && matrix.batch > 1;
  operand.view = View{is_whole ? Layout(IntTuple{shape[0], shape[1], batch},
                                        IntTuple{stride[0], stride[1], kOfByte * lines * pairs})
                               : Layout(shape, stride)};
}

void read_scales(TensorBytes& memory, Problem& problem, const SaidFlags& said,
                 const StoredOperands& stored) {
  const Scaled a{"a", TensorRole::a, stored.a, problem.m, problem.k},
      b{"b", TensorRole::b, stored.b, problem.n, problem.k};
  for (const TensorRole role : kAllTensors) {
    if (!is_of_blocks(role)) continue;
    const Scaled& of = operand_of_blocks(role) == TensorRole::a ? a : b;
    const std::string word(name(role));
    const std::string& path = said[word];
    if (names_file(path)) {
      numbers_of_blocks(problem, role) =
          numbers_of(problem, path, of, said[std::string("block_") + of.letter], memory[role]);
    } else if (!path.empty() &&
               (content_of(role) == TensorContent::scales || !parsed_number<double>(path))) {
      (void)read_flag(flag_of(word), path, parse_dtype);
      refuse_data(path, path, "with operands from files their numbers must come from files, too",
                  "S.npy");
    }
  }
}

}  // namespace jute::command
