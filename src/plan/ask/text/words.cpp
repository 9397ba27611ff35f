// The table of a problem's words: what each is called at every door, and what reads it.
#include <jute/plan/ask/words.hpp>

#include <jute/base/nearest_name.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/text/draft.hpp"

namespace jute::plan {
namespace {

using Draft = ProblemDraft;
using Said = const ProblemWord&;

Index read_number(Said word) {
  if (const auto value = whole_number(word.value)) return *value;
  refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
              base::format("{} must be a whole number", word.name));
}

/// Reads A or B, which no run passes as a number and no block shares.
MatrixText read_operand(Said word) {
  const MatrixText matrix = read_matrix(word);
  if (matrix.by_value)
    refuse_text(ErrorCode::syntax, std::string(word.name), "by-value", word.value_at,
                "only a scalar of the epilogue must be passed by value");
  if (matrix.block)
    refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
                "only scales and zero points must have blocks");
  return matrix;
}

/// Lays the pieces of `A=…` over what words of their own have said.
template <MatrixText Draft::*Matrix>
void read_whole(Draft& draft, Said word) {
  const MatrixText before = std::exchange(draft.*Matrix, read_operand(word));
  MatrixText& now = draft.*Matrix;
  const auto keep = [&](auto& piece, const auto& said) {
    if (piece && said)
      refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
                  "it must leave out what a word of its own says");
    if (said) piece = said;
  };
  keep(now.type, before.type);
  keep(now.order, before.order);
  keep(now.ld, before.ld);
  keep(now.alignment, before.alignment);
  keep(now.view, before.view);
  keep(now.rows, before.rows);
  now.is_for_numbers = before.is_for_numbers;
}

/// `f32:row:block1x128`, or of zero points a number.
void read_numbers(OperandScale& scale, Said word) {
  const bool is_zero = word.name.starts_with("zero");
  double offset = 0;
  const char* const end = word.value.data() + word.value.size();
  const auto [rest, status] = std::from_chars(word.value.data(), end, offset);
  if (is_zero && rest == end && status == std::errc()) {
    scale.offset = offset;
    return;
  }
  const MatrixText text = read_matrix(word);
  BlockValues numbers;
  put(numbers, text);
  numbers.block = text.block.value_or(ValueBlock{});
  (is_zero ? scale.zero : scale.scale) = std::move(numbers);
}

void read_rows(Draft& draft, Said word) {
  Problem& problem = draft.problem;
  if (word.value.find(':') == std::string_view::npos) {
    problem.m = read_number(word);
    return;
  }
  problem.m_range = parse_m_range(word.value);
  problem.m = problem.m_range->last;
}

Factor read_factor(Said word) {
  std::vector<std::string> known;
  for (const Factor scale : {Factor::zero, Factor::one, Factor::run_time}) {
    if (name(scale) == word.value) return scale;
    known.emplace_back(name(scale));
  }
  refuse_text(ErrorCode::unknown_name, std::string(word.name), word.value, word.value_at,
              base::format("{} must be one of: {}", word.name, joined(known)),
              nearest_name(word.value, known));
}

void read_epilogue(Draft& draft, Said word) {
  draft.problem.epilogue = Epilogue{.expression = parse_epilogue(word.value)};
}

// Words of their own for pieces of a matrix.

template <MatrixText Draft::*Matrix>
void read_type(Draft& draft, Said word) {
  (void)parse_dtype(word.value);
  read_piece_of(draft.*Matrix, word, "", "");
}
template <MatrixText Draft::*Matrix>
void read_order(Draft& draft, Said word) {
  if (word.value != "row" && word.value != "col")
    refuse_text(ErrorCode::unknown_name, std::string(word.name), word.value, word.value_at,
                "an order must be row or col",
                nearest_name(word.value, std::vector<std::string>{"row", "col"}));
  read_piece_of(draft.*Matrix, word, "", "");
  (draft.*Matrix).is_for_numbers = true;
}
template <MatrixText Draft::*Matrix>
void read_ld(Draft& draft, Said word) {
  read_piece_of(draft.*Matrix, word, "ld", "");
}
template <MatrixText Draft::*Matrix>
void read_layout(Draft& draft, Said word) {
  read_piece_of(draft.*Matrix, word, "view[", "]");
}
template <MatrixText Draft::*Matrix>
void read_alignment(Draft& draft, Said word) {
  read_piece_of(draft.*Matrix, word, "align", "");
}
template <MatrixText Draft::*Matrix>
void read_table(Draft& draft, Said word) {
  read_piece_of(draft.*Matrix, word, "rows", "");
}

/// `1x128`, `row`, `tensor`.
EpilogueBlock read_block(Said word) {
  if (word.value == "row") return {1, kWholeExtent};
  if (word.value == "tensor") return {kWholeExtent, kWholeExtent};
  const std::size_t at = word.value.find('x');
  const auto number = [&](std::string_view part) {
    constexpr Index kMost = 9999;
    const std::optional<Index> extent = whole_number(part);
    if (!extent || *extent < 0 || *extent > kMost)
      refuse_text(ErrorCode::syntax, std::string(word.name), word.value, word.value_at,
                  "it must be rows by columns, as 1x128, or row or tensor");
    return static_cast<int>(*extent);
  };
  if (at == std::string_view::npos) return {number(""), 0};
  return {number(word.value.substr(0, at)), number(word.value.substr(at + 1))};
}

bool read_rounding(Said word) {
  if (word.value == "nearest" || word.value == "stochastic") return word.value == "stochastic";
  refuse_text(ErrorCode::unknown_name, std::string(word.name), word.value, word.value_at,
              "it must be one of nearest, stochastic");
}

using About = WordGroup;
using Kind = WordKind;

constexpr std::string_view kSumTypes = "f32 f64 f16 s32",
                           kPrecisionWords = "f32 tf32x3 bf16x6 tf32";
constexpr std::string_view kOrderWords = "row col", kMultipliedTypes = "bf16 f16 tf32 f32 s8";

// clang-format off
constexpr std::array kWordRows{
    WordRow{{"M", "--m", About::extents, Kind::extent, "", "Rows of A and D", "", true, "m"}, read_rows,
            "must be said"},
    WordRow{{"m_range", "--m-range", About::extents, Kind::text, "LO:HI",
             "Rows from run to run: prepare the few kernels that serve all of them"},
            [](Draft& draft, Said word) { draft.problem.m_range = parse_m_range(word.value); },
            "none"},
    WordRow{{"N", "--n", About::extents, Kind::extent, "", "Columns of B and D", "", true, "n"},
            [](Draft& draft, Said word) { draft.problem.n = read_number(word); }, "must be said"},
    WordRow{{"K", "--k", About::extents, Kind::extent, "", "Columns of A, rows of B", "", true, "k"},
            [](Draft& draft, Said word) { draft.problem.k = read_number(word); }, "must be said"},
    WordRow{{"batch", "--batch", About::extents, Kind::number, "", "Matrices in a row (default 1)"},
            [](Draft& draft, Said word) { draft.problem.batch = read_number(word); }, "1"},
    WordRow{{"A", "", About::whole, Kind::text, "MATRIX",
             "How A lies, in pieces: bf16:row:ld64"}, read_whole<&Draft::a>, "as its pieces say"},
    WordRow{{"B", "", About::whole, Kind::text, "MATRIX", "How B lies"}, read_whole<&Draft::b>,
            "likewise"},
    WordRow{{"C", "", About::whole, Kind::text, "MATRIX", "How C lies"}, read_whole<&Draft::c>,
            "likewise"},
    WordRow{{"D", "", About::whole, Kind::text, "MATRIX", "How D lies"}, read_whole<&Draft::d>,
            "likewise"},
    WordRow{{"type", "--type", About::types, Kind::type, "",
             "Elements of A and B: f32, f16, bf16, … (default f32)", "", true, "dtype"},
            [](Draft& draft, Said word) { draft.type = parse_dtype(word.value); }},
    WordRow{{"type_a", "--type-a", About::types, Kind::type, "",
             "Elements of A when they differ from B's", "", false, "dtype_a"},
            read_type<&Draft::a>},
    WordRow{{"type_b", "--type-b", About::types, Kind::type, "",
             "Elements of B likewise", "", false, "dtype_b"},
            read_type<&Draft::b>},
    WordRow{{"out_type", "--out-type", About::types, Kind::type, "",
             "Elements of C and D", "", false, "out_dtype"},
            read_type<&Draft::d>},
    WordRow{{"accumulate", "--acc", About::types, Kind::type, "",
             "Accumulator: f32, f64, f16 or s32", kSumTypes, false, "acc"},
            [](Draft& draft, Said word) { draft.problem.accumulate = parse_dtype(word.value); },
            "s32 for integers, f64 for f64, else f32"},
    WordRow{{"precision", "--precision", About::types, Kind::offered, "",
             "Of f32 products: f32 by threads; tf32x3, bf16x6 or, of 11 bits, tf32 by tensor cores "
             "(default f32)", kPrecisionWords},
            [](Draft& draft, Said word) { draft.problem.precision = parse_precision(word.value); },
            "f32"},
    WordRow{{"alpha", "", About::extents, Kind::text, "FACTOR", "What A·B is multiplied by: 1, or run-time"},
            [](Draft& draft, Said word) { draft.problem.alpha = read_factor(word); }, "run-time"},
    WordRow{{"beta", "", About::extents, Kind::text, "FACTOR", "What C is multiplied by: 0, 1 or run-time"},
            [](Draft& draft, Said word) { draft.problem.beta = read_factor(word); }, "run-time"},
    WordRow{{"order_a", "--order-a", About::memory, Kind::one_of, "",
             "A's last (row) or first (col) index is contiguous", kOrderWords},
            read_order<&Draft::a>},
    WordRow{{"order_b", "--order-b", About::memory, Kind::one_of, "", "B likewise", kOrderWords},
            read_order<&Draft::b>},
    WordRow{{"order_c", "--order-c", About::memory, Kind::one_of, "",
             "C and D likewise", kOrderWords, false, "order_d"},
            read_order<&Draft::d>},
    WordRow{{"lda", "--lda", About::memory, Kind::number, "",
             "Elements between A's rows (row) or columns (col); 0: packed"},
            read_ld<&Draft::a>},
    WordRow{{"ldb", "--ldb", About::memory, Kind::number, "", "B likewise"},
            read_ld<&Draft::b>},
    WordRow{{"ldc", "--ldc", About::memory, Kind::number, "", "C likewise"},
            read_ld<&Draft::c>},
    WordRow{{"ldd", "--ldd", About::memory, Kind::number, "", "D likewise"},
            read_ld<&Draft::d>},
    WordRow{{"layout_a", "--layout-a", About::memory, Kind::text, "VIEW",
             "Where A's (M,K) lies in place of order and strides: a layout, the batch last"},
            read_layout<&Draft::a>},
    WordRow{{"layout_b", "--layout-b", About::memory, Kind::text, "VIEW", "B's (N,K) likewise"},
            read_layout<&Draft::b>},
    WordRow{{"layout_c", "--layout-c", About::memory, Kind::text, "VIEW", "C's (M,N) likewise"},
            read_layout<&Draft::c>},
    WordRow{{"layout_d", "--layout-d", About::memory, Kind::text, "VIEW", "D's (M,N) likewise"},
            read_layout<&Draft::d>},
    WordRow{{"align_a", "--align-a", About::memory, Kind::bytes, "",
             "A's base address is a multiple of this many bytes", "16"},
            read_alignment<&Draft::a>},
    WordRow{{"align_b", "--align-b", About::memory, Kind::bytes, "", "B likewise", "16"},
            read_alignment<&Draft::b>},
    WordRow{{"align_c", "--align-c", About::memory, Kind::bytes, "", "C likewise", "16"},
            read_alignment<&Draft::c>},
    WordRow{{"align_d", "--align-d", About::memory, Kind::bytes, "", "D likewise", "16"},
            read_alignment<&Draft::d>},
    WordRow{{"scale_a", "--scale-a", About::scales, Kind::text, "TYPE|S.npy",
             "Numbers that A's elements are multiplied by, one a block: a type (f32, bf16, f16, "
             "e4m3, ue8m0); of jute gemm with files a file"},
            [](Draft& draft, Said word) { read_numbers(draft.problem.scale_a, word); }, "none"},
    WordRow{{"scale_b", "--scale-b", About::scales, Kind::text, "TYPE|S.npy", "B likewise"},
            [](Draft& draft, Said word) { read_numbers(draft.problem.scale_b, word); }, "none"},
    WordRow{{"zero_a", "--zero-a", About::scales, Kind::text, "NUMBER|TYPE|Z.npy",
             "What is taken from A's elements before: one number, or a type or a file of one a block"},
            [](Draft& draft, Said word) { read_numbers(draft.problem.scale_a, word); }, "0"},
    WordRow{{"zero_b", "--zero-b", About::scales, Kind::text, "NUMBER|TYPE|Z.npy", "B likewise"},
            [](Draft& draft, Said word) { read_numbers(draft.problem.scale_b, word); }, "0"},
    WordRow{{"block_a", "--block-a", About::scales, Kind::text, "MxK",
             "Elements of A along M and K that share a number: 1x128, 128x128, 1xall (default all)"},
            [](Draft& draft, Said word) { draft.block_a = parse_value_block(word.value); }},
    WordRow{{"block_b", "--block-b", About::scales, Kind::text, "NxK", "B along N and K likewise"},
            [](Draft& draft, Said word) { draft.block_b = parse_value_block(word.value); }},
    WordRow{{"staged", "--stage-as", About::scales, Kind::type, "",
             "What both become before they are multiplied: bf16, f16, tf32, f32 or s8 (default: "
             "what they need)", kMultipliedTypes, false, "stage_as"},
            [](Draft& draft, Said word) { draft.problem.staged = parse_dtype(word.value); },
            "what they need"},
    WordRow{{"epilogue", "--epilogue", About::epilogue, Kind::text, "",
             "What becomes of a sum: \"relu(alpha*acc + bias[n])\"; see jute epilogue", "", true}, read_epilogue,
            "alpha*acc + beta*c"},
    WordRow{{"gate", "--gate", About::epilogue, Kind::one_of, "",
             "Of an epilogue that names gate, the sum with the other half of B, which has 2N "
             "columns: the gate's are the first N (halves), or every other (pairs)", "halves pairs"},
            [](Draft& draft, Said word) { draft.problem.gate = parse_gate_columns(word.value); },
            "halves"},
    WordRow{{"quantise_d", "--quantise-d", About::epilogue, Kind::text, "BLOCK",
             "D e4m3, e5m2 or s8 with a scale for each block of so many rows and columns, the "
             "output scale_d: 1x128, 128x128; for each row, or for all of it: row, tensor"},
            [](Draft& draft, Said word) { draft.quantised = read_block(word); }},
    WordRow{{"round_d", "--round-d", About::epilogue, Kind::one_of, "",
             "How D is rounded: to nearest, or by random words of a seed, which a run says", "nearest stochastic"},
            [](Draft& draft, Said word) { draft.is_drawn = read_rounding(word); }},
    WordRow{{"groups", "--groups", About::groups, Kind::one_of, "",
             "The batch is of problems whose sizes the device knows: what differs between them",
             "rows rows:by_row cols masked_rows k each"},
            [](Draft& draft, Said word) { draft.problem.groups = parse_groups(word.value); },
            "none"},
    WordRow{{"count", "--count", About::groups, Kind::number, "", "How many groups there are"},
            [](Draft& draft, Said word) { draft.problem.batch = read_number(word); }},
    WordRow{{"bound", "--bound", About::groups, Kind::number, "",
             "Rows, columns or k of all groups together, at most; of masked rows of each"},
            [](Draft& draft, Said word) { draft.bound = read_number(word); }},
    WordRow{{"expected", "--expected", About::groups, Kind::number, "",
             "Rows, columns or k that a usual group has; left out: equal parts"},
            [](Draft& draft, Said word) { draft.expected = read_number(word); }},
    WordRow{{"rows_a", "--rows-a", About::rows, Kind::text, "ROWS.npy|NUMBER",
             "A's rows by a table on the device, -1: zeros; without files how many memory has"},
            read_table<&Draft::a>},
    WordRow{{"rows_d", "--rows-d", About::rows, Kind::text, "ROWS.npy[:add]|NUMBER",
             "Which row of memory each of D's is, -1: not stored; likewise. With :add, or add behind "
             "the number, rows are added to what is there"},
            read_table<&Draft::d>},
};
// clang-format on

constexpr auto kDoors = [] {
  std::array<Keyword, kWordRows.size()> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = kWordRows[i].word;
    if (words[i].keyword.empty() && !words[i].flag.empty()) words[i].keyword = words[i].name;
    words[i].left_out = kWordRows[i].left_out;
  }
  return words;
}();

}  // namespace

const WordRow* find_row(std::string_view name) {
  const auto row =
      std::ranges::find_if(kWordRows, [&](const WordRow& one) { return one.word.name == name; });
  return row == kWordRows.end() ? nullptr : &*row;
}

}  // namespace jute::plan

namespace jute {

std::span<const Keyword> words_of_problems() { return plan::kDoors; }

const Keyword* find_word(std::span<const Keyword> words, std::string_view name) {
  const auto word = std::ranges::find(words, name, &Keyword::name);
  return word == words.end() ? nullptr : &*word;
}

}  // namespace jute
