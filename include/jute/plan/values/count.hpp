#pragma once
// Numbers that a run decides: arithmetic on its extents and strides, as a value.
#include <jute/base/export.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

namespace JUTE_API jute {

/// A number, a value of the run, or + - * ceil_div round_up min max of such: what a plan says of
/// grids, of strides of copies and of the bytes of regions. Numbers among themselves are computed
/// at once, and x*1, x+0, ceil_div(x,1) are x.
///   example  Count("ceil_div(m,128)*batch").evaluate(run)
///   throws   syntax, unknown_name, overflow; too_deep: more than 16 intermediate results at a time
class Count {
 public:
  enum class Op : std::uint8_t { add, subtract, multiply, ceil_div, round_up, min, max };

  Count(Index number = 0);  // NOLINT: a number is a Count
  Count(RunValue value);    // NOLINT: a value of the run is a Count
  explicit Count(std::string_view text);
  Count(Op op, const Count& left, const Count& right);

  [[nodiscard]] bool is_number() const;
  /// Never allocates.
  ///   throws  overflow; out_of_range: a division by less than 1
  [[nodiscard]] Index evaluate(const RunValues& run) const;
  bool operator==(const Count&) const = default;

 private:
  friend std::string to_string(const Count& count);
  struct Node {
    enum class Kind : std::uint8_t { number, run_value, operation };
    Kind kind = Kind::number;
    Op op = Op::add;
    RunValue run_value = {};
    Index number = 0;
    bool operator==(const Node&) const = default;
  };
  std::vector<Node> nodes_;  // operands before their operation
  int depth_ = 1;            // results that evaluating holds at a time
};

[[nodiscard]] Count operator+(const Count& left, const Count& right);
[[nodiscard]] Count operator-(const Count& left, const Count& right);
[[nodiscard]] Count operator*(const Count& left, const Count& right);
/// left / right, rounded up.
[[nodiscard]] Count ceil_div(const Count& left, const Count& right);
/// The least multiple of `right` that is not below `left`.
[[nodiscard]] Count round_up(const Count& left, const Count& right);
[[nodiscard]] Count min(const Count& left, const Count& right);
[[nodiscard]] Count max(const Count& left, const Count& right);

/// Canonical, without spaces; Count(to_string(count)) == count.
[[nodiscard]] std::string to_string(const Count& count);
std::ostream& operator<<(std::ostream& out, const Count& count);

}  // namespace jute
