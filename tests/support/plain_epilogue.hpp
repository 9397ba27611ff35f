#pragma once
// Epilogues a second time, as the manual says them: a tree, its text, and its value in long double
// with how far a kernel may be from it. Of the library it knows the element types alone.
#include <jute/base/types.hpp>

#include <functional>
#include <string>
#include <vector>

namespace jute::test {

/// One node. `op` is what the language writes, `()` behind what it calls; a leaf's its own name,
/// and `1` and `x` of a number and an input.
struct PlainNode {
  std::string op;
  std::vector<int> kids{};
  double number = 0;
  int input = 0;
  DType type = DType::f32;  ///< of a cast, whose op is `cast()`
};
/// `index` is what stands in the brackets: "", "m", "batch,n", "m,n", …
struct PlainInput {
  std::string name, index;
  DType type = DType::f32;
  bool by_value = false, is_bits = false;
};
struct PlainOutput {
  std::string name, gather;  ///< "", "amax", "sum", "row_sum", "col_sum", "bit"
  int node = 0;
  DType type = DType::f32;
};
struct PlainLocal {
  std::string name;
  int node = 0;
};

struct PlainEpilogue {
  std::vector<PlainNode> nodes{};
  std::vector<PlainInput> inputs{};
  std::vector<PlainLocal> locals{};
  std::vector<PlainOutput> outputs{};
  /// With no more brackets than operators need.
  [[nodiscard]] std::string text() const;
  /// Nodes that outputs are made of.
  [[nodiscard]] std::vector<PlainNode> used() const;
  [[nodiscard]] bool names(const std::string& op) const;
};

/// value ± error, or nothing that is known.
struct PlainValue {
  long double value = 0, error = 0;
  bool is_known = true;
};

/// Where everything that an epilogue reads is found, whatever it needs of it.
struct PlainReads {
  Index m = 0, n = 0, k = 0, batch = 1;
  std::function<double(Index batch, Index row, Index col)> a{}, b{}, c{};
  std::vector<std::function<double(Index batch, Index row, Index col)>> inputs{};
  double alpha = 1, beta = 0;
  DType accumulate = DType::f32, c_type = DType::f32;
  /// Of a step of the sum of products; 0 where all sums are exact.
  double roundoff = 0;
};

/// What an output holds.
struct PlainResult {
  bool has_rows = false, has_cols = false;  ///< a value for each row, for each column
  Index rows = 1, cols = 1;          ///< of each batch; (M,1), (1,N), (1,1) of vectors and numbers
  std::vector<PlainValue> values{};  ///< (batch, rows, cols); of bits 0 or 1
};
/// Of every output, before it is rounded to its type.
[[nodiscard]] std::vector<PlainResult> plain_results(const PlainEpilogue& epilogue,
                                                     const PlainReads& reads);

/// May memory of the type hold this for it?
[[nodiscard]] bool may_hold(DType type, const PlainValue& expected, double held);

}  // namespace jute::test
