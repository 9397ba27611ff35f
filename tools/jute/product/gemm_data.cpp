// Matrices from files and matrices from a seed.
#include "product/gemm_data.hpp"

#include <jute/epilogue/types.hpp>
#include <jute/plan/ask/operand_extents.hpp>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <utility>

#include "product/viewed_file.hpp"

namespace jute::command {
namespace {

/// A text that is a number and nothing else.
std::optional<double> whole_number(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

/// The operand that a file's matrix is; its type is not known yet.
Matrix operand_of(const FileMatrix& matrix, Index batch, int alignment_bytes) {
  Matrix operand;
  operand.alignment_bytes = alignment_bytes;
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

void check_no_layout_flags(const ProblemOptions& options, const GemmFiles& files) {
  if (!options.layout_c.empty() && files.c.empty())
    refuse_data("--layout-c", options.layout_c, "it must be left out without --c");
  const std::pair<const char*, Index> strides[] = {
      {"--lda", options.lda}, {"--ldb", options.ldb}, {"--ldc", options.ldc}};
  for (const auto& [flag, value] : strides)
    if (value != 0)
      refuse_data(flag, std::to_string(value), "it must be left out: matrices in files are packed");
  for (const auto& [flag, text] :
       {std::pair{"--order-a", options.order_a}, std::pair{"--order-b", options.order_b}})
    if (!text.empty())
      refuse_data(flag, text,
                  "it must be left out: the file's own order counts, and " +
                      std::string("--transpose") + std::string(flag).substr(7) +
                      " says that a file holds the transpose");
}

std::optional<DType> asked_type(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return parse_dtype(text);
}

Index common_batch(const FileMatrix& a, const FileMatrix& b) {
  if (a.batch == b.batch || b.batch == 1) return a.batch;
  if (a.batch == 1) return b.batch;
  refuse_data(b.name, "batch " + std::to_string(b.batch),
              "both batches must have one length, or one of them 1; " + a.name + " has " +
                  std::to_string(a.batch));
}

void add_c(GemmData& data, const ProblemOptions& options, const std::string& path) {
  FileMatrix c = read_operand({'c', path, options.layout_c}, Elements::read);
  Problem& problem = data.problem;
  if (c.rows != problem.m || c.columns != problem.n)
    refuse_data(
        path, std::to_string(c.rows) + "x" + std::to_string(c.columns),
        "C must be as large as D: " + std::to_string(problem.m) + "x" + std::to_string(problem.n));
  if (c.batch != problem.batch && c.batch != 1)
    refuse_data(path, "batch " + std::to_string(c.batch),
                "C must have one matrix, or one for each of the " + std::to_string(problem.batch));
  problem.c = operand_of(c, problem.batch, options.align_c);
  problem.c.type = usual_or_own_type(c.array, problem.d.type, {path, "--out-type "});
  data.c = std::move(c.array.bytes);
}

std::vector<Index> shape_of_input(const Problem& problem, const EpilogueInput& input) {
  std::vector<Index> shape;
  const bool is_one = is_cut(problem, input.extent);
  if (!is_one && (input.batched || (input.extent == EpilogueExtent::elements && problem.batch > 1)))
    shape.push_back(problem.batch);
  const OperandExtents extents = extents_of(problem, input);
  const EpilogueExtent extent = input.extent;
  if (extent == EpilogueExtent::rows || extent == EpilogueExtent::elements)
    shape.push_back(extents.rows);
  if (extent == EpilogueExtent::columns || extent == EpilogueExtent::elements)
    shape.push_back(extents.cols);
  return shape;
}

std::string text_of(const std::vector<Index>& shape) {
  std::string text;
  for (const Index extent : shape) text += (text.empty() ? "" : ",") + std::to_string(extent);
  return "(" + text + ")";
}

/// As an expression names it, and what it has values for.
struct NamedExtent {
  EpilogueExtent extent;
  const char *index, *batched_index, *words;
};
constexpr NamedExtent kNamedExtents[] = {
    {EpilogueExtent::columns, "[n]", "[batch,n]", "one value a column"},
    {EpilogueExtent::rows, "[m]", "[batch,m]", "one value a row"},
    {EpilogueExtent::elements, "[m,n]", "[m,n]", "one value an element"},
    {EpilogueExtent::scalar, "", "[batch]", "one value"}};

/// A file has another shape than the input as it is named: another index may be meant.
[[noreturn]] void refuse_shape(const Problem& problem, const EpilogueInput& input,
                               const std::vector<Index>& shape, const std::string& path) {
  const std::string rule =
      input.name + " must have the shape " + text_of(shape_of_input(problem, input));
  EpilogueExpression expression = problem.epilogue->expression;
  const std::string asked = to_string(expression);
  EpilogueInput& other = expression.inputs[static_cast<size_t>(find_input(expression, input.name))];
  for (const NamedExtent& one : kNamedExtents)
    for (const bool batched : {false, true}) {
      if (batched && one.extent == EpilogueExtent::elements) continue;
      other.extent = one.extent;
      other.batched = batched;
      if (shape_of_input(problem, other) != shape) continue;
      refuse_data("--epilogue", asked,
                  rule + ", and " + path + " has " + text_of(shape) + ": " + one.words +
                      (batched ? " of each matrix" : "") + " must be written " + input.name +
                      (batched ? one.batched_index : one.index),
                  to_string(expression));
    }
  refuse_data(path, text_of(shape), rule);
}

/// Bytes of matrices of so many lines, of so many bytes, with lines and places in a line exchanged.
std::vector<std::byte> transposed(const std::vector<std::byte>& bytes, Index lines, Index length) {
  std::vector<std::byte> result;
  result.reserve(bytes.size());
  const auto matrix_bytes = static_cast<size_t>(lines * length);
  for (size_t first = 0; first < bytes.size(); first += matrix_bytes)
    for (Index at = 0; at < length; ++at)
      for (Index line = 0; line < lines; ++line)
        result.push_back(bytes[first + static_cast<size_t>(line * length + at)]);
  return result;
}

/// Eight neighbours are a byte along rows or along columns, as the shape tells; in which order the
/// file holds the bytes is another matter.
void take_packing(EpilogueOperand& bits, const Problem& problem, const EpilogueInput& input,
                  NpyArray& array) {
  const Order usual = bits.order;
  if (array.shape != shape_of_input(problem, input))
    bits.order = usual == Order::row ? Order::col : Order::row;
  const bool fits = array.shape == shape_of_input(problem, input);
  if (!fits) bits.order = usual;
  const bool by_columns = bits.order == Order::col;
  if (!fits || input.extent != EpilogueExtent::elements || array.fortran_order == by_columns)
    return;
  const OperandExtents extents = extents_of(problem, input);
  array.bytes = by_columns ? transposed(array.bytes, extents.rows, extents.cols)
                           : transposed(array.bytes, extents.cols, extents.rows);
}

/// An array of the shape that an input of the epilogue has; of a scalar any one element. A batch of
/// one may be none.
NpyArray shaped_input(EpilogueOperand& operand, const Problem& problem, const EpilogueInput& input,
                      const std::string& path) {
  NpyArray array = read_npy(path);
  Index count = 1;
  for (const Index extent : array.shape) count *= extent;
  // A matrix may lie by columns; whatever has a batch ahead may not.
  const size_t ranks_by_columns = input.extent == EpilogueExtent::elements ? 2 : 1;
  if (array.shape.size() > ranks_by_columns && array.fortran_order && count > 0)
    to_c_order(array, static_cast<Index>(array.bytes.size()) / count);
  const size_t rank = shape_of_input(problem, input).size();
  if (problem.batch == 1 && array.shape.size() == rank + 1 && array.shape[0] == 1)
    array.shape.erase(array.shape.begin());
  if (is_of_bits(problem.epilogue->expression, input)) take_packing(operand, problem, input, array);
  const std::vector<Index> expected = shape_of_input(problem, input);
  const bool is_one = expected.empty() && count == 1;
  if (array.shape != expected && !is_one) refuse_shape(problem, input, array.shape, path);
  return array;
}

/// Is the type of an input named, `bias=bf16`?
bool is_typed(const EpilogueOptions& options, const std::string& name) {
  return std::ranges::any_of(options.input_types,
                             [&](const std::string& text) { return text.starts_with(name + "="); });
}

/// An input of the epilogue from a file. Its elements have the type that is asked for, else the
/// usual one where they may, else their own.
std::vector<std::byte> read_input(GemmData& data, std::size_t place, const std::string& path,
                                  const EpilogueOptions& options) {
  const Problem& problem = data.problem;
  const EpilogueInput& input = problem.epilogue->expression.inputs[place];
  EpilogueOperand& operand = data.problem.epilogue->inputs[place];
  NpyArray array = shaped_input(operand, problem, input, path);
  const TypedName name{path, "--input-type " + input.name + "="};
  if (is_of_bits(problem.epilogue->expression, input)) {
    operand.type = element_type(array, operand.type, name);
    return std::move(array.bytes);
  }
  operand.order = array.fortran_order ? Order::col : Order::row;
  if (!is_typed(options, input.name)) {
    operand.type = usual_or_own_type(array, operand.type, name);
    return std::move(array.bytes);
  }
  if (const auto from = round_elements(array, operand.type))
    data.conversions.push_back({path, *from, operand.type});
  operand.type = element_type(array, operand.type, name);
  return std::move(array.bytes);
}

}  // namespace

DType take_type(NpyArray& array, const std::string& file, std::optional<DType> asked,
                GemmData& data) {
  const auto from = asked ? round_elements(array, *asked) : std::nullopt;
  if (from) data.conversions.push_back({file, *from, *asked});
  return element_type(array, asked, {file, "--type "});
}

void read_inputs(GemmData& data, const std::vector<std::string>& words,
                 const EpilogueOptions& options) {
  const std::vector<std::string> names = input_names(data.problem);
  data.inputs.resize(names.size());
  data.input_values.resize(names.size());
  for (const NamedWord& word : named_words("--input", words)) {
    const std::size_t place = place_of("--input", names, word.name);
    const std::optional<double> number = whole_number(word.word);
    data.problem.epilogue->inputs[place].by_value = number.has_value();
    if (number)
      data.input_values[place] = *number;
    else
      data.inputs[place] = read_input(data, place, word.word, options);
  }
}

void require_inputs(const GemmData& data) {
  const std::vector<std::string> names = input_names(data.problem);
  const OperandBytes bytes = operand_bytes(data.problem);
  for (std::size_t i = 0; i < names.size(); ++i)
    if (static_cast<Index>(data.inputs[i].size()) < bytes.inputs[i])
      refuse_data("--input", names[i],
                  "the epilogue reads " + names[i] + ": it must be given, as in --input " +
                      names[i] + "=" + names[i] + ".npy");
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
  if (has_gate(options.epilogue)) {
    if (b.columns % 2 != 0)
      refuse_data(b.name, std::to_string(b.columns) + " columns",
                  "B must have two columns for each of D where the epilogue names gate",
                  std::to_string(b.columns + 1));
    problem.n = b.columns / 2;
  }
  problem.k = a.columns;
  problem.batch = common_batch(a, b);
  check_flag("--m", options.m, problem.m);
  check_flag("--n", options.n, problem.n);
  check_flag("--k", options.k, problem.k);
  check_flag("--batch", options.batch, problem.batch);
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
  check_no_layout_flags(options, files);
  const StoredOperands stored = files.stored();
  GemmData data;
  const auto [type_a, type_b] = asked_types(options);
  FileMatrix a = read_operand({'a', files.a, options.layout_a, stored.a, type_a}, Elements::left),
             b = read_operand({'b', files.b, options.layout_b, stored.b, type_b}, Elements::left);
  set_extents(data, options, a, b, stored, read_row_lists(options.rows));
}

namespace {

/// The list says how many groups there are; what is not cut has a matrix for each.
void take_groups(GemmData& data, const GroupOptions& options, const FileMatrix& a,
                 const FileMatrix& b) {
  Problem& problem = data.problem;
  problem.groups = groups_of(options);
  if (!problem.groups) return;
  refuse_own_operands(problem);
  data.groups = read_group_list(options);
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
  check_flag("--count", options.count, count);
  check_flag("--bound", options.bound, cut_extent(problem, kind));
  data.batched = kind == GroupKind::k || kind == GroupKind::masked_rows;
}

}  // namespace

GemmData data_from_files(const ProblemOptions& options, const GemmFiles& files) {
  check_no_layout_flags(options, files);
  const StoredOperands stored = files.stored();
  const auto [type_a, type_b] = asked_types(options);
  FileMatrix a = read_operand({'a', files.a, options.layout_a, stored.a, type_a}, Elements::read);
  FileMatrix b = read_operand({'b', files.b, options.layout_b, stored.b, type_b}, Elements::read);
  GemmData data;
  data.rows = read_row_lists(options.rows);
  set_extents(data, options, a, b, stored, data.rows);
  Problem& problem = data.problem;
  const std::optional<RowTable> rows_of_a = problem.a.rows, rows_of_d = problem.d.rows;
  problem.a = operand_of(a, problem.batch, options.align_a);
  problem.a.rows = rows_of_a;
  problem.b = operand_of(b, problem.batch, options.align_b);
  problem.a.type = take_type(a.array, a.name, type_a, data);
  problem.b.type = take_type(b.array, b.name, type_b, data);
  if (width_bits(problem.a.type) == 4) put_halves(problem.a, a, TensorRole::a, problem.batch);
  if (width_bits(problem.b.type) == 4) put_halves(problem.b, b, TensorRole::b, problem.batch);
  put_scales(problem, options.scales);
  data.scales = read_scales(problem, options.scales, stored);
  const auto out_type = asked_type(options.out_type);
  const DType multiplied =
      problem.staged.value_or(usual_staged_type(problem).value_or(problem.a.type));
  problem.d.type = out_type.value_or(usual_output_type(multiplied));
  problem.d.order = parse_order("--order-c", options.order_c);
  problem.d.ld_elems = options.ldd;
  problem.d.alignment_bytes = options.align_d;
  problem.d.rows.reset();
  problem.c = problem.d;
  problem.c.ld_elems = 0;
  problem.c.alignment_bytes = options.align_c;
  problem.d.rows = rows_of_d;
  if (!options.layout_d.empty()) problem.d.view = read_layout("--layout-d", options.layout_d);
  if (!options.accumulate.empty()) problem.accumulate = parse_dtype(options.accumulate);
  if (!options.precision.empty()) problem.precision = parse_precision(options.precision);
  data.m_range = m_range_of(options);
  take_groups(data, options.groups, a, b);
  if (!files.c.empty()) add_c(data, options, files.c);
  add_epilogue(problem, options.epilogue);
  read_inputs(data, files.inputs, options.epilogue);
  problem = completed(problem);
  if (problem.groups) check_group_list(problem, data.groups);
  require_inputs(data);
  data.a = std::move(a.array.bytes);
  data.b = std::move(b.array.bytes);
  if (options.precision == name(Precision::tf32)) data.keep_f32();
  return data;
}

}  // namespace jute::command
