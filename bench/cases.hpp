#pragma once
// The suite of problems that are timed.
#include <jute/plan/problem.hpp>

#include <string>
#include <vector>

namespace jute::bench {

struct Case {
  std::string id, family, dtype, note;
  Index m = 0, n = 0, k = 0, batch = 1;
  Order order_a = Order::row, order_b = Order::row;
  [[nodiscard]] double flop() const {
    return 2.0 * static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) *
           static_cast<double>(batch);
  }
  [[nodiscard]] Index elements_a() const { return batch * m * k; }
  [[nodiscard]] Index elements_b() const { return batch * k * n; }
  [[nodiscard]] Index elements_d() const { return batch * m * n; }
};

/// What a dtype of the suite means.
struct TypeFacts {
  std::string_view dtype;
  DType input, output, accumulate;
  double sigma;           ///< of the random operands
  double nominal_tflops;  ///< sizes the timing loop, for every contestant alike
  double roundoff;        ///< u_acc of the error bound
};
/// throws  unknown_name
[[nodiscard]] const TypeFacts& facts(const std::string& dtype);

/// Packed operands, D row-major, alpha 1, beta 0: what every contestant computes.
[[nodiscard]] Problem problem_of(const Case& bench_case);

/// Columns id, family, m, n, k, batch, dtype, order_a, order_b, note.
///   throws  file_not_found, bad_file
[[nodiscard]] std::vector<Case> read_cases(const std::string& path);

}  // namespace jute::bench
