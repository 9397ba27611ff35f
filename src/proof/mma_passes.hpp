#pragma once
// The executions that prove an MMA atom: what A, B and C hold in each, and what D must hold.
#include <jute/atom/atom.hpp>

#include <vector>

#include "proof/probe_values.hpp"

namespace jute::proof {

/// One execution. In all but the last kind, row m of A is zero but for column
/// (m's digit `wrap` in base K, + shift) mod K.
struct MmaPass {
  enum class Kind : std::uint8_t {
    presence,  ///< A's values are 1, all of B is 1: D counts them
    b_digit,   ///< A's values are 1, B holds a digit of its index: D shows where B comes from
    a_digit,   ///< A's values hold a digit of their row, all of B is 1
    c_digit,   ///< A and B are 0, C holds a digit of its index
  };
  Kind kind = Kind::presence;
  int shift = 0;
  int wrap = 0;
  int digit = 0;
  int selector = 0;  ///< who supplies sparse metadata
  int unit_a = 0;    ///< complex values: 1 multiplies A by i
  int unit_b = 0;
  int part = 0;  ///< C's part that holds the digit
};

/// A number in a positional system of exact small values, index + 1 so that none is 0 throughout.
struct DigitCode {
  Index base = 2;
  int digits = 1;
  DigitCode(Index count, Index largest);
  [[nodiscard]] Index digit(Index index, int place) const;
};

/// All executions of one atom, and the values in them. Coordinates as in the atom's layouts.
class MmaPasses {
 public:
  MmaPasses(const MmaAtom& atom, int selectors);

  [[nodiscard]] const std::vector<MmaPass>& passes() const { return passes_; }
  /// The column of A's single value in row m.
  [[nodiscard]] int column(const MmaPass& pass, int m) const;
  [[nodiscard]] ProbeValue a(const MmaPass& pass, int m) const;
  [[nodiscard]] ProbeValue b(const MmaPass& pass, int n, int k) const;
  [[nodiscard]] ProbeValue c(const MmaPass& pass, int m, int n) const;
  [[nodiscard]] ProbeValue d(const MmaPass& pass, int m, int n) const;

  [[nodiscard]] const DigitCode& a_code() const { return a_code_; }
  [[nodiscard]] const DigitCode& b_code() const { return b_code_; }
  [[nodiscard]] const DigitCode& c_code() const { return c_code_; }
  [[nodiscard]] const ProbeEncoder& encoder(Operand operand) const;

 private:
  void add_products(MmaPass pass);
  [[nodiscard]] ProbeValue product(const MmaPass& pass, int m, int n) const;

  ShapeMnk shape_;
  ProbeEncoder a_encoder_, b_encoder_, c_encoder_, d_encoder_;
  DigitCode a_code_, b_code_, c_code_;
  int d_parts_ = 1;
  int wraps_ = 1;
  std::vector<std::vector<Index>> b_ones_;  ///< by digit and column; of xor.popc alone
  std::vector<MmaPass> passes_;
};

}  // namespace jute::proof
