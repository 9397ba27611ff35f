#pragma once
// Products of files beside a range of M, judged by plain loops that share nothing with jute.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "support/chance.hpp"
#include "support/temporary_folder.hpp"

namespace jute::test {

/// Whole numbers or halves, the last index fastest.
struct LogicalArray {
  std::vector<Index> shape;
  std::vector<double> values;
};

/// One drawn form of a product, whose range of M all its runs share. M, and what is in the files,
/// each run draws anew.
class RangedFiles {
 public:
  explicit RangedFiles(std::uint64_t seed);
  /// Writes files, lets `jute gemm` multiply them, and says what is wrong; empty: nothing.
  [[nodiscard]] std::string run();

 private:
  struct Operand {
    bool transposed = false, fortran = false, batched = false;
    bool scaled = false, zeroed = false;
    Index blocks = 1;  // of K, that share a scale
  };

  void draw_epilogue();
  void write_operand(const char* name, const Operand& operand, Index rows, Index columns);
  void write_numbers(const std::string& name, const Operand& operand, bool is_a, Index mn);
  void write_epilogue(Index m);
  void write(const std::string& name, const LogicalArray& array, const std::string& descr,
             bool fortran);
  LogicalArray drawn(std::vector<Index> shape, const std::vector<double>& choices);
  [[nodiscard]] std::vector<Index> with_batch(std::vector<Index> shape) const;
  [[nodiscard]] double factor(bool is_a, Index batch, Index mn, Index k) const;
  [[nodiscard]] double sum(Index batch, Index row, Index column) const;
  [[nodiscard]] std::string judged(Index m) const;

  Chance chance_;
  TemporaryFolder folder_;
  Index first_ = 1, last_ = 1, n_ = 1, k_ = 1, batch_ = 0;  // 0: no dimension of its own
  std::string type_, epilogue_;
  Operand a_, b_;
  bool with_c_ = false, by_columns_ = false;
  double alpha_ = 1, beta_ = 0;
  std::map<std::string, LogicalArray> arrays_;
  std::vector<std::string> words_;
};

}  // namespace jute::test
