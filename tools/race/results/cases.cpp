// The problems that are timed: names, sizes, and the reader of suites.
#include "race/results/cases.hpp"

#include <jute/base/parsed_number.hpp>
#include <jute/plan/ask/epilogue.hpp>
#include <jute/plan/ask/words.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "options/group_options.hpp"
#include "race/results/results.hpp"
#include "tree/command_tree.hpp"

namespace jute::bench {
namespace {

using Cells = std::vector<std::string>;

[[noreturn]] void refuse_case(const std::string& operand, const std::string& value,
                              const std::string& rule) {
  command::refuse(ErrorCode::bad_file, operand, value, rule);
}

/// One line of a suite by the names of its columns.
class Row {
 public:
  Row(const Cells& columns, const Cells& cells, std::string place) : place_(std::move(place)) {
    if (cells.size() != columns.size())
      refuse_case(place_, std::to_string(cells.size()) + " cells",
                  "a line must have one cell for each of the " + std::to_string(columns.size()) +
                      " columns");
    for (size_t i = 0; i < cells.size(); ++i) cells_[columns[i]] = cells[i];
  }

  [[nodiscard]] std::string text(const std::string& column) const {
    const auto found = cells_.find(column);
    return found == cells_.end() ? "" : found->second;
  }
  [[nodiscard]] double factor(const std::string& column) const {
    const std::string cell = text(column);
    if (cell.empty()) return 0.0;
    const auto value = parsed_number<double>(cell);
    if (!value) refuse_case(place_ + ", " + column, cell, "it must be a number");
    return *value;
  }
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  std::string place_;
  std::map<std::string, std::string> cells_;
};

/// The word that a column says of a problem; null: it says something else of a case.
const Keyword* word_of(const std::string& column) {
  const std::string_view name = column == "dtype_d" ? "out_dtype" : std::string_view(column);
  const auto word = std::ranges::find(words_of_problems(), name, &Keyword::keyword);
  return word == words_of_problems().end() ? nullptr : &*word;
}

Problem problem_of_row(const Row& row, const Cells& columns) {
  std::vector<SaidWord> words;
  for (const std::string& column : columns)
    if (const Keyword* word = word_of(column); word != nullptr && !row.text(column).empty())
      words.push_back({std::string(word->name), row.text(column)});
  // As papers call 8-bit floats whose products are stored in 16 bits.
  if (const auto type = std::ranges::find(words, "type", &SaidWord::name);
      type != words.end() && type->value == "f8e4m3") {
    type->value = "e4m3";
    if (row.text("dtype_d").empty()) words.push_back({"out_type", "bf16"});
  }
  try {
    return problem_of_words(words);
  } catch (const Exception& exception) {
    const Error& error = exception.error();
    const auto column = std::ranges::find_if(columns, [&](const std::string& one) {
      const Keyword* const word = word_of(one);
      return word != nullptr && word->name == error.operand;
    });
    if (column == columns.end()) throw;
    std::string rule = error.violated_rules.front();
    if (*column == "dtype") rule += ", or f8e4m3";
    refuse_case(row.place() + ", " + *column, row.text(*column), rule);
  }
}

Case case_of_row(const Row& row, const Cells& columns) {
  const Problem problem = problem_of_row(row, columns);
  for (const auto& [column, extent] :
       {std::pair{"m", problem.m}, {"n", problem.n}, {"k", problem.k}, {"batch", problem.batch}})
    if (extent < 1)
      refuse_case(row.place() + ", " + column, row.text(column),
                  "it must be a whole number from 1");
  Case result = case_of(problem, 1.0, row.factor("beta"));
  result.id = row.text("id");
  if (result.id.empty()) refuse_case(row.place() + ", id", "", "a case must have a name");
  result.family = row.text("family");
  result.note = row.text("note");
  return result;
}

constexpr std::array<std::string_view, 4> kOfCase{"id", "family", "beta", "note"};
constexpr std::array<std::string_view, 5> kNeededColumns{"id", "m", "n", "k", "dtype"};

void check_columns(const Cells& columns, const std::string& place) {
  for (const std::string_view needed : kNeededColumns)
    if (std::ranges::count(columns, needed) != 1)
      refuse_case(place, std::string(needed), "the first line must name this column, once");
  for (const std::string& column : columns)
    if (word_of(column) == nullptr && std::ranges::count(kOfCase, column) == 0)
      refuse_case(place, column,
                  "a column must be one of id, family, beta, note, or what Python calls a word of "
                  "a problem: "
                  "m, n, k, batch, dtype, dtype_d, order_a, precision, epilogue, groups, …");
}

Factor scale_of(double factor, double free, Factor when_free) {
  return factor == free ? when_free : Factor::run_time;
}

}  // namespace

Case case_of(Problem problem, double alpha, double beta) {
  command::refuse_own_operands(problem);
  problem.alpha = scale_of(alpha, 1.0, Factor::one);
  problem.beta = scale_of(beta, 0.0, Factor::zero);
  return {.id = id_of(problem),
          .family = {},
          .note = {},
          .problem = completed(problem),
          .alpha = alpha,
          .beta = beta};
}

std::string id_of(const Problem& problem) {
  const auto letter = [](const Matrix& matrix) { return matrix.order == Order::row ? "n" : "t"; };
  const bool is_split = problem.precision != Precision::f32;
  const std::string_view type = is_split ? name(problem.precision) : name(problem.a.type);
  std::string id = std::string(type) + "_" + letter(problem.a) + letter(problem.b);
  id += "_" + std::to_string(problem.m) + "x" + std::to_string(problem.n) + "x" +
        std::to_string(problem.k);
  if (problem.batch != 1) id += "_b" + std::to_string(problem.batch);
  if (problem.groups) id += "_" + std::string(name(problem.groups->kind));
  return problem.epilogue ? id + " " + to_string(problem.epilogue->expression) : id;
}

bool reads_c(const Case& each) { return jute::reads_c(each.problem, each.beta); }

bool has_views(const Case& each) {
  const Problem& problem = each.problem;
  return problem.a.view || problem.b.view || problem.c.view || problem.d.view;
}

Case plain_case(const Case& each) {
  Problem plain = each.problem;
  for (Matrix* matrix : {&plain.a, &plain.b, &plain.c, &plain.d})
    if (std::exchange(matrix->view, std::nullopt)) {
      matrix->ld_elems = matrix->batch_stride_elems = 0;
      matrix->broadcast = false;
    }
  // Where such a D takes an epilogue, as 8-bit floats do, it is the sum itself; elsewhere that is
  // none.
  plain.epilogue = Epilogue{.expression = scaled_sum(scale_of(each.alpha, 1.0, Factor::one),
                                                     scale_of(each.beta, 0.0, Factor::zero))};
  Case result = case_of(plain, each.alpha, each.beta);
  result.id = each.id;
  result.family = each.family;
  return result;
}

double flop(const Problem& problem) {
  const bool is_generic = problem.groups && problem.groups->kind != GroupKind::masked_rows;
  return 2.0 * static_cast<double>(problem.m) * static_cast<double>(problem.n) *
         static_cast<double>(problem.k) * static_cast<double>(is_generic ? 1 : problem.batch);
}

double least_bytes(const Case& each) { return jute::least_bytes(each.problem, each.beta); }

std::vector<Case> read_cases(std::string_view text, const std::string& file) {
  std::vector<Case> cases;
  Cells columns;
  int number = 0;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.ends_with('\r')) line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    const std::string place = file + ", line " + std::to_string(number);
    if (columns.empty()) {
      columns = csv_cells(line);
      check_columns(columns, place);
      continue;
    }
    try {
      cases.push_back(case_of_row(Row(columns, csv_cells(line), place), columns));
    } catch (const Exception& exception) {
      if (exception.error().code == ErrorCode::bad_file) throw;
      refuse_case(place, line, to_string(exception.error()));
    }
  }
  if (columns.empty()) refuse_case(file, "", "a suite must begin with the names of its columns");
  return cases;
}

bool is_selected(const Selection& selection, const Case& each) {
  if (selection.parts.empty() && selection.families.empty()) return true;
  return std::ranges::count(selection.families, each.family) > 0 ||
         std::ranges::any_of(selection.parts, [&](const std::string& part) {
           return each.id.find(part) != std::string::npos;
         });
}

}  // namespace jute::bench
