#pragma once
// A problem to be computed: D = alpha * A·B + beta * C, as the caller's memory holds it.
#include <jute/base/error.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>
#include <jute/epilogue/operations.hpp>
#include <jute/plan/ask/gate.hpp>
#include <jute/plan/ask/groups.hpp>
#include <jute/plan/ask/row_table.hpp>
#include <jute/plan/ask/view.hpp>

#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// How a matrix lies in memory: the last index contiguous, or the first.
enum class Order : std::uint8_t { row, col };
[[nodiscard]] std::string_view name(Order order);

/// One matrix of the problem in numpy's terms: A is (M,K), B is (K,N), C and D are (M,N). Order and
/// strides are the shortest words for where it lies; a View says it of everything else.
struct Matrix {
  DType type = DType::f32;
  Order order = Order::row;
  /// Elements between two rows (row) or two columns (col); 0 means packed.
  Index ld_elems = 0;
  /// Elements between two matrices of a batch; 0 means packed (broadcasting is `broadcast`).
  Index batch_stride_elems = 0;
  /// Every matrix of the batch is the first one.
  bool broadcast = false;
  /// Every base address is a multiple of this: a power of two, at least the element's size.
  int alignment_bytes = 16;
  /// Stands in place of order and strides; completed() takes those where the View says them.
  std::optional<View> view{};
  /// For A and D: which row of memory each of their rows is.
  std::optional<RowTable> rows{};
  bool operator==(const Matrix&) const = default;
};

/// The values that a factor may have at run time.
enum class Factor : std::uint8_t {
  zero,      ///< beta only: C is never read
  one,       ///< no multiplication is emitted
  run_time,  ///< a kernel parameter; a beta of 0 leaves what it scales of C unread
};
[[nodiscard]] std::string_view name(Factor scale);  ///< 0, 1, run-time

/// How exact products of f32 operands are.
enum class Precision : std::uint8_t {
  f32,     ///< as they are: multiply-adds of threads
  tf32,    ///< read as tf32, whose last 13 bits tensor cores leave out: completed() makes it types
  tf32x3,  ///< operands split into two terms of tf32, three products of them by tensor cores
  bf16x6,  ///< into three terms of bf16, six products
};
[[nodiscard]] std::string_view name(Precision precision);
/// Reads it.   throws  unknown_name
[[nodiscard]] Precision parse_precision(std::string_view text);

/// The rows that runs of one prepared problem have, from one to the other.
struct MRange {
  Index first = 0, last = 0;
  bool operator==(const MRange&) const = default;
};
/// `1:8192`, from the first to the last.
[[nodiscard]] std::string to_string(const MRange& range);
/// Reads it.   throws  syntax
[[nodiscard]] MRange parse_m_range(std::string_view text);

/// An input or an output of an epilogue beside C and D. A value for each row is an (M,1) matrix,
/// one for each column a (1,N) matrix, a scalar (1,1).
struct EpilogueOperand : Matrix {
  /// A scalar that each run passes as a number: no memory holds it.
  bool by_value = false;
  bool operator==(const EpilogueOperand&) const = default;
};

/// The expression that sums of products become, and where what it names lies.
struct Epilogue {
  EpilogueExpression expression{};
  /// By the places of the expression's inputs and outputs; shorter where the rest is as usual. Of
  /// d nothing is taken from here: it is Problem::d.
  std::vector<EpilogueOperand> inputs{}, outputs{};
  bool operator==(const Epilogue&) const = default;
};

/// Elements of A or B along (M,K) or (N,K) that share a number; 0: all along that dimension.
struct ValueBlock {
  Index mn = 0, k = 0;
  bool operator==(const ValueBlock&) const = default;
};
/// `1x128`, `128x128`, `1xall`, `all`; M or N first.
[[nodiscard]] std::string to_string(const ValueBlock& block);
/// Reads it.   throws  syntax
[[nodiscard]] ValueBlock parse_value_block(std::string_view text);

/// A number for each block of an operand, the last of which may be short. As the operand it is
/// (M,K) or (K,N), counted in blocks: of B's blocks 1x128 it has K/128 rows and N columns.
struct BlockValues : Matrix {
  ValueBlock block{};
  bool operator==(const BlockValues&) const = default;
};

/// The value of an element q of A or B: (q - zero) * scale. Without either q itself.
struct OperandScale {
  std::optional<BlockValues> scale{};  ///< f32, bf16, f16, e4m3 or ue8m0
  std::optional<BlockValues> zero{};   ///< these, or integers of 8 or 4 bits
  double offset = 0;                   ///< a zero point of all elements, in place of `zero`
  bool operator==(const OperandScale&) const = default;
};
/// Does it say nothing?
[[nodiscard]] inline bool is_plain(const OperandScale& scale) { return scale == OperandScale{}; }

struct Problem {
  Index m = 0, n = 0, k = 0;
  Index batch = 1;
  Matrix a{}, b{}, c{}, d{};
  /// f32, f64, f16 or s32; empty takes the usual one: s32 for integers, f64 for f64, else f32; of
  /// operands that are converted by what they become.
  std::optional<DType> accumulate{};
  Factor alpha = Factor::run_time;
  Factor beta = Factor::run_time;
  /// `m` is one of these; prepare then holds kernels for all of them. Strides left empty are packed
  /// for the last.
  std::optional<MRange> m_range{};
  /// alpha*acc + beta*c where empty; else it says itself whether it names alpha, beta and c.
  std::optional<Epilogue> epilogue{};
  /// For f32 operands: anything but f32 itself is the caller's wish, within a bound of its own.
  Precision precision = Precision::f32;
  /// The matrices of the batch are groups, which have parts of one extent: M, N or K is then what
  /// all of them have together, at most.
  std::optional<Groups> groups{};
  /// For an epilogue that names `gate`: which of B's 2N columns are the gate's. Empty: the first N.
  std::optional<GateColumns> gate{};
  OperandScale scale_a{}, scale_b{};
  /// The type that both operands become to be multiplied: bf16, f16, tf32, f32 or s8. Empty: they
  /// are multiplied as they are, or, where no instruction does that, become the usual.
  std::optional<DType> staged{};
  bool operator==(const Problem&) const = default;
};

/// Rows of memory that a matrix has whose rows are the product's M, or are named by a table.
[[nodiscard]] inline Index rows_in_memory(const Matrix& matrix, Index m) {
  return matrix.rows && matrix.rows->rows > 0 ? matrix.rows->rows : m;
}

/// N, or where the epilogue names `gate` twice as many.
[[nodiscard]] inline Index columns_of_b(const Problem& problem) {
  return problem.gate ? 2 * problem.n : problem.n;
}
/// Is A alone, or B, scaled or of another type than what is multiplied? Of a completed problem.
[[nodiscard]] bool is_converted(const Matrix& operand, const OperandScale& scale,
                                std::optional<DType> staged);
/// The type of A that is multiplied: what it becomes, or its own type.
[[nodiscard]] inline DType multiplied_type(const Problem& problem) {
  return problem.staged.value_or(problem.a.type);
}
/// The type of operands that no instruction multiplies as they are: the wider of two 16-bit or
/// 32-bit types, bf16 of narrower ones, s8 of integers without scales; none where they need not.
[[nodiscard]] std::optional<DType> usual_staged_type(const Problem& problem);

/// The type of D's elements when nobody says: the operands' type; s32 from integers, f32 from types
/// that only tensor cores read.
[[nodiscard]] DType usual_output_type(DType operand);
/// An input and an output of an epilogue when nobody says: like D where there is one for
/// each element; for the rest D's type, f32 where that has 8 bits or is an integer, and f32 for
/// scalars and for what is gathered, f64 of f64 sums.
[[nodiscard]] EpilogueOperand usual_operand(const Problem& problem, const EpilogueInput& input);
[[nodiscard]] EpilogueOperand usual_operand(const Problem& problem, const EpilogueOutput& output);

/// How exact the functions of a completed problem's epilogue must be: approximate instructions
/// serve where the text says `math = fast` and every output has 16 bits or fewer.
[[nodiscard]] EpilogueAccuracy epilogue_accuracy(const Problem& problem);

/// Packed strides and the accumulator filled in, Views in as few words as they take.
///   throws  illegal_problem with every broken rule (negative extents, ld below the row length,
///           alignment no power of two, types that no kernel multiplies, …)
[[nodiscard]] Problem completed(const Problem& problem);
/// `M=128 N=64 K=32 batch=1 A=f32:row:ld32:batch4096:align16 …`: canonical, one line.
[[nodiscard]] std::string to_string(const Problem& problem);
/// The same problem without all that is as usual: `M=128 N=64 K=32`.
[[nodiscard]] std::string short_text(const Problem& problem);
/// Reads both; what a text leaves out is as usual, so that `M=48 N=40 K=32` is a whole one, and
/// `M=1:8192` a range of M. A text that follows the grammar may still be no legal problem: that
/// completed() says. docs/problem-text.md lists the words.
///   throws  syntax, unknown_name: the position, the rule and the nearest name;
///           what parse_epilogue and parse_m_range throw,
///           with the position in the whole text
[[nodiscard]] Problem parse_problem(std::string_view text);
/// Reads a file of problems, one a line, many where N, K, batch are lists; behind # is a comment.
///   throws  what parse_problem throws, with the line
[[nodiscard]] std::vector<Problem> parse_problems(std::string_view text);
std::ostream& operator<<(std::ostream& out, const Problem& problem);

}  // namespace jute
