// Words of a problem's text, what the pieces of one say of a matrix, and lists of numbers.
#include "plan/ask/text/problem_words.hpp"

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

#include "base/format.hpp"

namespace jute::plan {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/// Where a word ends: at a blank outside quotes.
std::size_t end_of_word(std::string_view text, std::size_t at) {
  for (std::size_t quote = 0; at < text.size() && !is_blank(text[at]); ++at) {
    if (text[at] != '"') continue;
    quote = at;
    at = text.find('"', quote + 1);
    if (at == std::string_view::npos)
      refuse_text(ErrorCode::syntax, "problem", text.substr(quote), quote,
                  "a quote must be closed by another one");
  }
  return at;
}

/// `row`, `col`, `broadcast`, `by-value`: pieces that are words.
struct PieceWord {
  std::string_view word;
  bool (*put)(MatrixText&);  ///< false: it, or what it contradicts, was said before
};
// clang-format off
constexpr std::array<PieceWord, 4> kPieceWords{{
    {"row", [](MatrixText& m) { return !std::exchange(m.order, m.order ? m.order : Order::row); }},
    {"col", [](MatrixText& m) { return !std::exchange(m.order, m.order ? m.order : Order::col); }},
    {"broadcast", [](MatrixText& m) { return !std::exchange(m.broadcast, true) && !m.batch_stride; }},
    {"by-value", [](MatrixText& m) { return !std::exchange(m.by_value, true); }},
}};
// clang-format on

/// `ld64`, `batch4096`, `align16`: pieces that end in a number.
struct PieceNumber {
  std::string_view word, about;
  std::optional<Index> MatrixText::*number;
};
constexpr std::array<PieceNumber, 3> kPieceNumbers{
    {{"ld", "elements between its rows or columns", &MatrixText::ld},
     {"batch", "elements between its matrices", &MatrixText::batch_stride},
     {"align", "bytes that its base address is a multiple of", &MatrixText::alignment}}};

constexpr std::string_view kPieces =
    "a piece must be a type, row or col, ldN, batchN or broadcast, alignN, view[…], blockMNxK, "
    "rowsN or rowsNi64, or by-value";
constexpr std::string_view kView = "view[", kBlock = "block", kTable = "rows";

[[noreturn]] void refuse_piece(const ProblemWord& word, std::string_view piece, std::size_t at) {
  if (names_complex_type(piece))
    refuse_text(ErrorCode::unknown_name, std::string(word.name), piece, at,
                std::string(rule_of_complex_types()), "f32");
  std::vector<std::string> known{"row", "col", "broadcast", "by-value"};
  for (int type = 0; type < kStoredTypeCount; ++type)
    known.emplace_back(name(static_cast<DType>(type)));
  refuse_text(ErrorCode::unknown_name, std::string(word.name), piece, at, std::string(kPieces),
              nearest_name(piece, known));
}

/// `view[((64,8),128):((128,65536),1)]`. False: it was said before.
bool read_view(MatrixText& matrix, const ProblemWord& word, std::string_view piece,
               std::size_t at) {
  if (!piece.ends_with(']'))
    refuse_text(ErrorCode::syntax, std::string(word.name), piece, at, "a view must end with ]");
  piece.remove_prefix(kView.size());
  piece.remove_suffix(1);
  try {
    return !std::exchange(matrix.view, parse_view(piece));
  } catch (const Exception& exception) {
    Error error = exception.error();
    const int inside = error.position ? error.position->column - 1 : 0;
    error.position = SourcePosition{1, static_cast<int>(at + kView.size()) + inside + 1};
    error.operand = base::format("{}.view", word.name);
    if (error.value.empty()) error.value = std::string(piece);
    throw Exception(std::move(error));
  }
}

/// `block1x128`. False: it was said before.
bool read_block(MatrixText& matrix, const ProblemWord& word, std::string_view piece,
                std::size_t at) {
  try {
    return !std::exchange(matrix.block, parse_value_block(piece.substr(kBlock.size())));
  } catch (const Exception& exception) {
    refuse_text(ErrorCode::syntax, base::format("{}.block", word.name), piece, at,
                exception.error().violated_rules.front());
  }
}

/// `rows4096`. False: it was said before.
bool read_rows(MatrixText& matrix, const ProblemWord& word, std::string_view piece,
               std::size_t at) {
  const std::optional<RowTable> table = find_row_table(piece);
  if (!table)
    refuse_text(ErrorCode::syntax, std::string(word.name), piece, at,
                "rows must be followed by how many memory has, by i64 where the table has 64-bit "
                "integers, and by add where rows are added: rows4096, rows4096i64, rows4096add");
  return !std::exchange(matrix.rows, table);
}

/// False: it was said before.
bool read_piece(MatrixText& matrix, const ProblemWord& word, std::string_view piece,
                std::size_t at) {
  if (piece.starts_with(kView)) return read_view(matrix, word, piece, at);
  if (piece.starts_with(kBlock)) return read_block(matrix, word, piece, at);
  if (piece.starts_with(kTable)) return read_rows(matrix, word, piece, at);
  for (const PieceWord& row : kPieceWords)
    if (row.word == piece) return row.put(matrix);
  for (const PieceNumber& row : kPieceNumbers) {
    if (!piece.starts_with(row.word)) continue;
    const auto number = whole_number(piece.substr(row.word.size()));
    if (!number)
      refuse_text(
          ErrorCode::syntax, std::string(word.name), piece, at,
          base::format("{0} must be followed by a number, {1}: {0}64", row.word, row.about));
    const bool is_first = !std::exchange(matrix.*row.number, number);
    return is_first && !(matrix.batch_stride && matrix.broadcast);
  }
  const auto type = find_dtype(piece);
  if (!type) refuse_piece(word, piece, at);
  return !std::exchange(matrix.type, type);
}

void read_new_piece(MatrixText& matrix, const ProblemWord& word, std::string_view piece,
                    std::size_t at) {
  if (!read_piece(matrix, word, piece, at))
    refuse_text(
        ErrorCode::syntax, std::string(word.name), piece, at,
        "a matrix must have one type, one order, one leading dimension, one alignment, one view, "
        "one number of rows, and one batch stride or broadcast");
}

}  // namespace

void refuse_text(ErrorCode code, std::string operand, std::string_view value, std::size_t at,
                 std::string rule, std::optional<std::string> nearest) {
  throw Exception({.code = code,
                   .operand = std::move(operand),
                   .value = std::string(value),
                   .violated_rules = {std::move(rule)},
                   .nearest_legal = std::move(nearest),
                   .position = SourcePosition{1, static_cast<int>(at) + 1}});
}

std::vector<ProblemWord> problem_words(std::string_view text) {
  std::vector<ProblemWord> words;
  for (std::size_t at = 0; at < text.size();) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    const std::size_t end = end_of_word(text, at);
    const std::string_view word = text.substr(at, end - at);
    if (word == ";")
      refuse_text(ErrorCode::syntax, "problem", word, at,
                  "a problem must be one alone: a semicolon stands between parts of one D, which "
                  "jute plan, source, ptx and cubin, jute_problem_create and parse_parts take");
    const std::size_t equals = word.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == word.size())
      refuse_text(ErrorCode::syntax, "problem", word, at,
                  "words of a problem must be NAME=VALUE, as in M=128 A=bf16:row");
    ProblemWord said{word.substr(0, equals), word.substr(equals + 1), at, at + equals + 1};
    if (said.value.size() > 1 && said.value.front() == '"' && said.value.back() == '"') {
      said.value = said.value.substr(1, said.value.size() - 2);
      said.is_quoted = true;
      ++said.value_at;
    }
    words.push_back(said);
    at = end;
  }
  return words;
}

std::size_t end_of_piece(std::string_view text, std::size_t at) {
  const bool is_view = text.substr(at).starts_with(kView);
  const std::size_t close = is_view ? text.find(']', at) : at;
  return std::min(text.find(':', std::min(close, text.size())), text.size());
}

std::optional<Index> whole_number(std::string_view text) {
  Index value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, status] = std::from_chars(text.data(), end, value);
  if (rest != end || status == std::errc::invalid_argument) return std::nullopt;
  using Limits = std::numeric_limits<Index>;
  if (status == std::errc()) return value;
  return text.starts_with('-') ? Limits::min() : Limits::max();
}

MatrixText read_matrix(const ProblemWord& word) {
  MatrixText matrix;
  for (std::size_t at = 0; at <= word.value.size();) {
    const std::size_t end = end_of_piece(word.value, at);
    read_new_piece(matrix, word, word.value.substr(at, end - at), word.value_at + at);
    at = end + 1;
  }
  return matrix;
}

void read_piece_of(MatrixText& matrix, const ProblemWord& word, std::string_view ahead,
                   std::string_view behind) {
  const std::string piece = base::format("{}{}{}", ahead, word.value, behind);
  read_new_piece(matrix, word, piece, word.value_at - ahead.size());
}

void put(Matrix& matrix, const MatrixText& text) {
  matrix.type = text.type.value_or(matrix.type);
  matrix.order = text.order.value_or(matrix.order);
  matrix.ld_elems = text.ld.value_or(matrix.ld_elems);
  matrix.batch_stride_elems = text.batch_stride.value_or(matrix.batch_stride_elems);
  if (text.broadcast || text.batch_stride) matrix.broadcast = text.broadcast;
  if (text.view) matrix.view = text.view;
  if (text.rows) matrix.rows = text.rows;
  using Limits = std::numeric_limits<int>;
  if (text.alignment)
    matrix.alignment_bytes =
        static_cast<int>(std::clamp<Index>(*text.alignment, Limits::min(), Limits::max()));
}

namespace {

/// A word's choices, and its place in the line.
struct Listed {
  std::size_t at = 0, size = 0;
  std::vector<std::string> choices{};
};

bool is_list(const ProblemWord& word) {
  return (word.name == "N" || word.name == "K" || word.name == "batch") &&
         word.value.find_first_of(",:") != std::string_view::npos;
}

std::vector<Index> numbers_between(const ProblemWord& word, char separator) {
  std::vector<Index> numbers;
  for (std::size_t at = 0; at <= word.value.size();) {
    const std::size_t end = std::min(word.value.find(separator, at), word.value.size());
    const std::optional<Index> number = whole_number(word.value.substr(at, end - at));
    if (!number || *number < 0)
      refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at + at,
                  base::format("{} must be whole numbers, as 64,128 or 64:256:64", word.name));
    numbers.push_back(*number);
    at = end + 1;
  }
  return numbers;
}

void refuse_many(const ProblemWord& word) {
  refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
              base::format("a line must say at most {} problems", kMostListed),
              std::to_string(kMostListed));
}

/// `64:256:64`: 64, 128, 192, 256.
std::vector<std::string> stepped(const ProblemWord& word) {
  const std::vector<Index> numbers = numbers_between(word, ':');
  if (numbers.size() != 3 || numbers[2] < 1 || numbers[1] < numbers[0] ||
      (numbers[1] - numbers[0]) % numbers[2] != 0)
    refuse_text(
        ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
        base::format("steps of {} must lead from the first to the last, as 64:256:64", word.name));
  const Index steps = (numbers[1] - numbers[0]) / numbers[2];
  if (steps >= static_cast<Index>(kMostListed)) refuse_many(word);
  std::vector<std::string> choices;
  for (Index i = 0; i <= steps; ++i) choices.push_back(std::to_string(numbers[0] + i * numbers[2]));
  return choices;
}

Listed listed(const ProblemWord& word) {
  Listed made{word.value_at, word.value.size(), {}};
  if (word.value.find(':') != std::string_view::npos) {
    made.choices = stepped(word);
    return made;
  }
  for (const Index number : numbers_between(word, ','))
    made.choices.push_back(std::to_string(number));
  return made;
}

}  // namespace

std::vector<std::string> listed_lines(std::string_view line) {
  std::vector<Listed> lists;
  std::size_t count = 1;
  for (const ProblemWord& word : problem_words(line)) {
    if (!is_list(word)) continue;
    lists.push_back(listed(word));
    count *= lists.back().choices.size();
    if (count > kMostListed) refuse_many(word);
  }
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < count; ++i) {
    std::string text(line);
    std::size_t rest = i;
    for (auto list = lists.rbegin(); list != lists.rend(); ++list) {
      std::string choice = list->choices[rest % list->choices.size()];
      rest /= list->choices.size();
      choice.resize(std::max(choice.size(), list->size), ' ');  // so that places stay true
      text.replace(list->at, list->size, choice);
    }
    lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace jute::plan
