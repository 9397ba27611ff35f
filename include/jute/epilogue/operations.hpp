#pragma once
// What the nodes of an epilogue's expression are: one row for each operation.
#include <jute/base/export.hpp>
#include <jute/epilogue/expression.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace JUTE_API jute {

/// How an operation is written: `acc`, `-x`, `x*y`, `gelu(x)`. A cast's name is that of its type.
enum class EpilogueForm : std::uint8_t { leaf, prefix, infix, call };

/// A value's kind: a number, a truth value, a bit that is stored, or a seed, which each element
/// has a random word of.
enum class EpilogueKind : std::uint8_t { number, truth, bit, seed };

/// How exact a function is computed. `half` takes one approximate instruction where there is one
/// (sm_75); what it is off by shows in the last bits of f16 and bf16, most where the result is
/// small beside the operand.
enum class EpilogueAccuracy : std::uint8_t { full, half };

/// How far what a kernel computes lies, at most, from the function's value rounded to the type that
/// is computed in: so many units in the last place of that value, plus `absolute`, plus
/// `of_operand` times the operand's magnitude. An exact operation has zeros here.
struct EpilogueError {
  double ulps = 0, absolute = 0, of_operand = 0;
  bool operator==(const EpilogueError&) const = default;
};

/// A function in CUDA: a text with {0}, {1}, {2} for its operands, and the functions that
/// it calls, templates of kernels_templates/function/, in the order in which they must stand.
struct EpilogueCuda {
  std::string_view text;
  EpilogueError error{};
  std::array<std::string_view, 3> functions{};  ///< empty names: none
  bool operator==(const EpilogueCuda&) const = default;
};

struct EpilogueOperation {
  EpilogueOp op;
  std::string_view spelling;
  EpilogueForm form;
  int level;  ///< of a prefix or infix: 1 `or` … 6 unary; what binds tighter has more
  int arity;
  std::array<EpilogueKind, 3> operands;
  EpilogueKind result;
  /// The value at operands that are values of the type, in f64; a kernel's is that, rounded to the
  /// type, and of an inexact one within the error.
  double (*value)(double x, double y, double z);
  /// The same in 32-bit integers that wrap; null: integers become f32 before it.
  std::int64_t (*integer)(std::int64_t x, std::int64_t y, std::int64_t z);
  EpilogueCuda f32, f64;
  std::string_view s32;  ///< the text in integers
  EpilogueCuda half;     ///< of EpilogueAccuracy::half, in f32; an empty text: as f32
  double turn;           ///< where x is neither rising nor falling throughout; NaN: nowhere

  /// Do backends differ in it within the error?
  [[nodiscard]] bool is_approximate() const { return f32.error != EpilogueError{}; }
};

/// A row for every EpilogueOp, in its order.
[[nodiscard]] std::span<const EpilogueOperation> epilogue_operations();
[[nodiscard]] const EpilogueOperation& operation(EpilogueOp op);
/// The text and error for a type that is computed in: f32 or f64.
[[nodiscard]] const EpilogueCuda& cuda_of(const EpilogueOperation& row, DType compute,
                                          EpilogueAccuracy accuracy);

/// A node's value with such operands, as a kernel that computes in `compute` (f32, f64 or s32);
/// truth values are 0 and 1. Of an inexact function: its value, rounded once.
[[nodiscard]] double epilogue_value(const EpilogueNode& node, DType compute, double x, double y = 0,
                                    double z = 0);

/// The signs of ±x*y ± z.
struct EpilogueSigns {
  bool minus_product = false, minus_addend = false;
  bool operator==(const EpilogueSigns&) const = default;
};
/// ±x*y ± z with one rounding; in integers without any.
[[nodiscard]] double fused_value(EpilogueSigns signs, DType compute, double x, double y, double z);
/// x rounded to one of the two neighbours of a type that hold it: away from 0 where the upper 24
/// bits of `word`, as a share of 1, lie below what x is beyond the nearer to 0, as a share of their
/// distance. So the mean over all words is x, but for that share's last bits. A value of the type
/// stays; what is then beyond its largest, or no number, rounds as to nearest.
///   needs  may_be_stochastic(type); x is a value of f32; word is a whole number below 2^32
[[nodiscard]] double stochastic_value(DType type, double x, double word);
/// bf16, f16, e4m3, e5m2, s8.
[[nodiscard]] bool may_be_stochastic(DType type);
/// A number as a constant of the type.
[[nodiscard]] double rounded_number(double number, DType compute);

}  // namespace jute
