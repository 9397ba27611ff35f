// Matrices from files and matrices from a seed.
#include "product/gemm_data.hpp"

#include <algorithm>
#include <utility>

#include "product/viewed_file.hpp"

namespace jute::command {
namespace {

/// The operand that a file's matrix is; its type is not known yet.
Matrix operand_of(const FileMatrix& matrix, Index batch) {
  Matrix operand;
  operand.view = matrix.view;
  if (operand.view) return operand;
  operand.order = matrix.order;
  operand.broadcast = batch > 1 && matrix.batch == 1;
  return operand;
}

void check_flag(const std::string& flag, const std::optional<Index>& asked, Index found) {
  if (asked && *asked != found)
    refuse_data(flag, std::to_string(*asked),
                "it must be what the files say, " + std::to_string(found) + ", or be left out",
                std::to_string(found));
}

void check_no_layout_flags(const SaidFlags& said, const GemmFiles& files) {
  if (!said["layout_c"].empty() && files.c.empty())
    refuse_data("--layout-c", said["layout_c"], "it must be left out without --c");
  for (const char* word : {"lda", "ldb", "ldc"})
    if (said.number(word).value_or(0) != 0)
      refuse_data(flag_of(word), said[word], "it must be left out: matrices in files are packed");
  for (const char* word : {"order_a", "order_b"})
    if (!said[word].empty())
      refuse_data(flag_of(word), said[word],
                  "it must be left out: the file's own order counts, and --transpose" +
                      flag_of(word).substr(7) + " says that a file holds the transpose");
}

Index common_batch(const FileMatrix& a, const FileMatrix& b) {
  if (a.batch == b.batch || b.batch == 1) return a.batch;
  if (a.batch == 1) return b.batch;
  refuse_data(b.name, "batch " + std::to_string(b.batch),
              "both batches must have one length, or one of them 1; " + a.name + " has " +
                  std::to_string(a.batch));
}

void add_c(GemmData& data, const ProblemOptions& options, const std::string& path) {
  FileMatrix c = read_operand({'c', path, options.said["layout_c"]}, Elements::read);
  Problem& problem = data.problem;
  if (c.rows != problem.m || c.columns != problem.n)
    refuse_data(
        path, std::to_string(c.rows) + "x" + std::to_string(c.columns),
        "C must be as large as D: " + std::to_string(problem.m) + "x" + std::to_string(problem.n));
  if (c.batch != problem.batch && c.batch != 1)
    refuse_data(path, "batch " + std::to_string(c.batch),
                "C must have one matrix, or one for each of the " + std::to_string(problem.batch));
  const int alignment_bytes =
      std::exchange(problem.c, operand_of(c, problem.batch)).alignment_bytes;
  problem.c.alignment_bytes = alignment_bytes;
  problem.c.type = usual_or_own_type(c.array, problem.d.type, {path, "--out-type "});
  data.memory[TensorRole::c] = std::move(c.array.bytes);
}

}  // namespace

DType take_type(NpyArray& array, const std::string& file, std::optional<DType> asked,
                GemmData& data) {
  const auto from = asked ? round_elements(array, *asked) : std::nullopt;
  if (from) data.conversions.push_back({file, *from, *asked});
  return element_type(array, asked, {file, "--type "});
}

namespace {

/// Extents of the product of two files, held against those of the flags.
void set_extents(GemmData& data, const ProblemOptions& options, FileMatrix& a, FileMatrix& b,
                 const StoredOperands& stored, const RowLists& rows) {
  const auto [type_a, type_b] = asked_types(options);
  count_halves(a, TensorRole::a, type_a, is_of_halves(type_b) && !b.view ? 2 * b.rows : b.rows);
  count_halves(b, TensorRole::b, type_b, a.columns);
  require_product(a, b, stored);
  Problem& problem = data.problem;
  data.batched = a.batched || b.batched;
  problem.m = a.rows;
  take_rows(problem, rows);
  problem.n = b.columns;
  if (has_gate(options)) {
    if (b.columns % 2 != 0)
      refuse_data(b.name, std::to_string(b.columns) + " columns",
                  "B must have two columns for each of D where the epilogue names gate",
                  std::to_string(b.columns + 1));
    problem.n = b.columns / 2;
  }
  problem.k = a.columns;
  problem.batch = common_batch(a, b);
  check_flag("--m", options.said.number("M"), problem.m);
  check_flag("--n", options.said.number("N"), problem.n);
  check_flag("--k", options.said.number("K"), problem.k);
  check_flag("--batch", options.said.number("batch"), problem.batch);
}

}  // namespace

std::string to_string(const Conversion& conversion) {
  const auto& [file, from, to] = conversion;
  const bool is_rounded = precision_bits(to) < precision_bits(from);
  return file + " " + std::string(name(from)) + " -> " + std::string(name(to)) +
         (is_rounded ? ", rounded to nearest" : "");
}

StoredOperands GemmFiles::stored() const {
  const auto as = [](bool transposed) { return transposed ? Stored::transposed : Stored::as_used; };
  return {as(transpose_a), as(transpose_b)};
}

void check_files(const ProblemOptions& options, const GemmFiles& files) {
  check_no_layout_flags(options.said, files);
  const StoredOperands stored = files.stored();
  GemmData data;
  const auto [type_a, type_b] = asked_types(options);
  FileMatrix a = read_operand({'a', files.a, options.said["layout_a"], stored.a, type_a},
                              Elements::left),
             b = read_operand({'b', files.b, options.said["layout_b"], stored.b, type_b},
                              Elements::left);
  set_extents(data, options, a, b, stored, read_row_lists(options.said));
}

namespace {

/// The list says how many groups there are; what is not cut has a matrix for each.
void take_groups(GemmData& data, const ProblemOptions& options, const FileMatrix& a,
                 const FileMatrix& b) {
  Problem& problem = data.problem;
  problem.groups = groups_of(options.said, options.lists);
  if (!problem.groups) return;
  refuse_own_operands(problem);
  data.groups = read_group_list(options.said["groups"], options.lists);
  problem.groups->index = data.groups.index;
  const bool is_by_row = problem.groups->entry == GroupEntry::row;
  const Index count = is_by_row ? problem.batch : std::ssize(data.groups.values);
  const GroupKind kind = problem.groups->kind;
  const auto check_one = [&](const FileMatrix& matrix) {
    if (matrix.batch == 1) return;
    refuse_data(matrix.name, "batch " + std::to_string(matrix.batch),
                "groups of " + std::string(name(kind)) + " must have parts of one matrix", "1");
  };
  if (kind == GroupKind::rows || kind == GroupKind::k) check_one(a);
  if (kind == GroupKind::cols || kind == GroupKind::k) check_one(b);
  if (kind != GroupKind::k && problem.batch != count)
    refuse_data(data.groups.file, std::to_string(count) + " entries",
                "the list must have an entry for each of the " + std::to_string(problem.batch) +
                    " matrices" + (kind == GroupKind::cols ? std::string() : " of " + b.name),
                std::to_string(problem.batch));
  problem.batch = count;
  check_flag("--count", options.said.number("count"), count);
  check_flag("--bound", options.said.number("bound"), cut_extent(problem, kind));
  data.batched = kind == GroupKind::k || kind == GroupKind::masked_rows;
}

/// What flags say beside files, in whose problem operands and their numbers are known.
Problem said_beside(const ProblemOptions& options, Problem& files) {
  using About = WordGroup;
  std::vector<SaidWord> facts{{"M", std::to_string(files.m)},
                              {"N", std::to_string(files.n)},
                              {"K", std::to_string(files.k)},
                              {"type_a", std::string(name(files.a.type))},
                              {"type_b", std::string(name(files.b.type))}};
  for (const TensorRole role : kAllTensors)
    if (const Matrix* const numbers = matrix_of(files, role);
        numbers != nullptr && is_of_blocks(role))
      facts.push_back({std::string(name(role)), std::string(name(numbers->type))});
  Problem said =
      said_problem(options, {About::types, About::memory, About::scales}, std::move(facts));
  said.batch = files.batch;
  for (const auto& [from, to] : {std::pair{&files.a, &said.a}, std::pair{&files.b, &said.b}}) {
    const int alignment_bytes = to->alignment_bytes;
    *to = *from;
    to->alignment_bytes = alignment_bytes;
  }
  for (const TensorRole role : kAllTensors)
    if (is_of_blocks(role)) numbers_of_blocks(said, role) = numbers_of_blocks(files, role);
  said.c.view.reset();
  said.d.rows = files.d.rows;
  return said;
}

}  // namespace

GemmData data_from_files(const ProblemOptions& options, const GemmFiles& files) {
  check_no_layout_flags(options.said, files);
  const StoredOperands stored = files.stored();
  const auto [type_a, type_b] = asked_types(options);
  FileMatrix a =
      read_operand({'a', files.a, options.said["layout_a"], stored.a, type_a}, Elements::read);
  FileMatrix b =
      read_operand({'b', files.b, options.said["layout_b"], stored.b, type_b}, Elements::read);
  GemmData data;
  data.rows = read_row_lists(options.said);
  set_extents(data, options, a, b, stored, data.rows);
  Problem& problem = data.problem;
  const std::optional<RowTable> rows_of_a = problem.a.rows;
  problem.a = operand_of(a, problem.batch);
  problem.a.rows = rows_of_a;
  problem.b = operand_of(b, problem.batch);
  problem.a.type = take_type(a.array, a.name, type_a, data);
  problem.b.type = take_type(b.array, b.name, type_b, data);
  if (width_bits(problem.a.type) == 4) put_halves(problem.a, a, TensorRole::a, problem.batch);
  if (width_bits(problem.b.type) == 4) put_halves(problem.b, b, TensorRole::b, problem.batch);
  read_scales(data.memory, problem, options.said, stored);
  problem = said_beside(options, problem);
  data.m_range = m_range_of(options);
  take_groups(data, options, a, b);
  if (!files.c.empty()) add_c(data, options, files.c);
  add_epilogue(problem, options);
  read_inputs(data, files.inputs, options);
  problem = completed(problem);
  if (problem.groups) check_group_list(problem, data.groups);
  require_inputs(data);
  data.memory[TensorRole::a] = std::move(a.array.bytes);
  data.memory[TensorRole::b] = std::move(b.array.bytes);
  if (options.said["precision"] == name(Precision::tf32)) data.keep_f32();
  return data;
}

}  // namespace jute::command
