#pragma once
// The problems that are timed: one from the command line, or a suite from a file.
#include <jute/plan/ask/problem.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace jute::bench {

struct Case {
  std::string id, family, note;
  Problem problem;  ///< completed
  double alpha = 1.0, beta = 0.0;
  /// For 8-bit floats: both sides leave sums to the tensor cores; else both add them up in float32.
  bool accumulates_fast = false;
};

/// D = alpha * A·B + beta * C with factors that are fixed as far as they can be: 1 and 0 cost
/// nothing, anything else is a number of each run.
///   throws  illegal_problem
[[nodiscard]] Case case_of(Problem problem, double alpha, double beta);

/// Is C read? An own epilogue says it by its name, else beta does.
[[nodiscard]] bool reads_c(const Case& each);
/// The same product without an epilogue of its own, of packed matrices in the place of Views: what
/// these are held against.
[[nodiscard]] Case plain_case(const Case& each);
/// Does A, B, C or D lie by a View?
[[nodiscard]] bool has_views(const Case& each);

/// `bf16_nt_4096x4096x4096`: type of A, how A and B lie (n: row, t: col), extents, `_b8` for a
/// batch of 8; then the text of an own epilogue.
[[nodiscard]] std::string id_of(const Problem& problem);

/// Floating-point operations of one run.
[[nodiscard]] double flop(const Problem& problem);
/// The fewest bytes that one run moves, as jute::least_bytes has it.
[[nodiscard]] double least_bytes(const Case& each);

/// Reads a suite. The first line names the columns: `id`, `m`, `n`, `k` and `dtype` are needed,
/// `family`, `batch`, `dtype_d`, `order_a`, `order_b`, `order_d`, `beta`, `epilogue`, `groups` and
/// `note` may be there; D is as jute's command would have it, `f8e4m3` is e4m3 with a bf16 D. A
/// cell that holds commas stands in quotes. A line that begins with # is none.
///   throws  bad_file: which line, which column, which rule
[[nodiscard]] std::vector<Case> read_cases(std::string_view text, const std::string& file);

/// Which cases of a suite run. Nothing said: all of them.
struct Selection {
  std::vector<std::string> parts;     ///< of ids
  std::vector<std::string> families;  ///< whole names
};
[[nodiscard]] bool is_selected(const Selection& selection, const Case& each);

}  // namespace jute::bench
