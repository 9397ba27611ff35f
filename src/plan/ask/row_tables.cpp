// Tables of rows as text, and the rules of a problem that has them.
#include "plan/ask/row_tables.hpp"

#include <jute/epilogue/types.hpp>

#include <charconv>
#include <limits>
#include <string>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/broken_rule.hpp"

namespace jute {
namespace {

constexpr std::string_view kStem = "rows", kWide = "i64", kAdd = "add";

/// Takes a word from the front, if it stands there.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

std::string to_string(const RowTable& table) {
  return base::format("{}{}{}{}", kStem, table.rows, table.index == GroupIndex::i64 ? kWide : "",
                      table.store == RowStore::add ? kAdd : "");
}

std::optional<RowTable> find_row_table(std::string_view text) {
  if (!take(text, kStem)) return std::nullopt;
  RowTable table;
  const auto [rest, fault] = std::from_chars(text.data(), text.data() + text.size(), table.rows);
  if (fault != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(rest - text.data()));
  if (take(text, kWide)) table.index = GroupIndex::i64;
  if (take(text, kAdd)) table.store = RowStore::add;
  return text.empty() ? std::optional(table) : std::nullopt;
}

namespace plan {
namespace {

/// Rules of a matrix that has a table.
void check_table(std::vector<Error>& errors, const std::string& operand, const Matrix& matrix) {
  constexpr Index kMost = std::numeric_limits<std::int32_t>::max();
  if (!matrix.rows) return;
  if (matrix.view)
    errors.push_back(broken(operand + ".rows", to_string(*matrix.rows),
                            "rows by a table must lie by order and strides, not by a View"));
  if (matrix.order != Order::row)
    errors.push_back(broken(operand + ".order", std::string(name(matrix.order)),
                            "rows by a table must be contiguous", "row"));
  if (matrix.rows->rows < 0 || matrix.rows->rows > kMost)
    errors.push_back(broken(operand + ".rows", std::to_string(matrix.rows->rows),
                            base::format("memory must have from 1 to {} rows", kMost),
                            std::to_string(matrix.rows->rows < 0 ? Index{1} : kMost)));
}

/// Rules of the whole problem, in which kernels must find rows as they load and store them.
void check_problem(std::vector<Error>& errors, const Problem& problem) {
  if (problem.precision != Precision::f32)
    errors.push_back(broken("precision", std::string(name(problem.precision)),
                            "with rows by a table operands must be multiplied as they are", "f32"));
  if (problem.staged)
    errors.push_back(broken("staged", std::string(name(*problem.staged)),
                            "with rows by a table operands must be multiplied as they are: of one "
                            "type, and without scales"));
  if (problem.m_range)
    errors.push_back(broken("m_range", to_string(*problem.m_range),
                            "with rows by a table M must be one number: rows of -1 cost nothing",
                            std::to_string(problem.m_range->last)));
  if (problem.groups && problem.groups->kind != GroupKind::rows)
    errors.push_back(broken("groups", std::string(name(problem.groups->kind)),
                            "with rows by a table groups must be of rows", "rows"));
  if (!problem.epilogue) return;
  const EpilogueExpression& expression = problem.epilogue->expression;
  if (names(expression, EpilogueOp::a_sum) || names(expression, EpilogueOp::b_sum))
    errors.push_back(broken("epilogue", to_string(expression),
                            "with rows by a table it must not name sums of operands"));
}

/// Rows that are added where they are stored.
void check_sums(std::vector<Error>& errors, const Problem& problem) {
  if (problem.a.rows && problem.a.rows->store == RowStore::add)
    errors.push_back(broken("A.rows", to_string(*problem.a.rows),
                            "only rows of D must be added where they are stored"));
  if (!problem.d.rows || problem.d.rows->store != RowStore::add) return;
  const DType type = problem.d.type;
  if (type != DType::f32 && type != DType::f64 && type != DType::s32)
    errors.push_back(
        broken("D.type", std::string(name(type)), "rows must be added as f32, f64 or s32", "f32"));
}

}  // namespace

std::vector<Error> complete_row_tables(Problem& problem) {
  std::vector<Error> errors;
  for (const auto& [operand, matrix] : {std::pair("B", &problem.b), std::pair("C", &problem.c)})
    if (matrix->rows)
      errors.push_back(broken(std::string(operand) + ".rows", to_string(*matrix->rows),
                              "only rows of A and of D must be named by tables"));
  if (problem.epilogue)
    for (const EpilogueOperand& input : problem.epilogue->inputs)
      if (input.rows)
        errors.push_back(broken("epilogue", to_string(*input.rows),
                                "only rows of A and of D must be named by tables"));
  check_table(errors, "A", problem.a);
  check_table(errors, "D", problem.d);
  if (has_row_tables(problem)) check_problem(errors, problem);
  check_sums(errors, problem);
  for (Matrix* matrix : {&problem.a, &problem.d})
    if (matrix->rows && matrix->rows->rows == 0) matrix->rows->rows = problem.m;
  return errors;
}

}  // namespace plan
}  // namespace jute
