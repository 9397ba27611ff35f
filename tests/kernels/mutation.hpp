#pragma once
// Faults as people make them, seeded into PTX text by rule: a dropped wait, a flipped parity, a
// stage that is one off.
#include <string>
#include <vector>

namespace jute::test {

struct Mutant {
  std::string kind;  ///< "drop wait"
  int line = 0;      ///< of the kernel's file; every copy that the compiler made of it is changed
  std::string was;   ///< the instruction before
  std::string now;   ///< and after; empty: dropped
  std::string ptx;
};

/// Every fault in what was written by hand, and of those in what the compiler made of C++ (dropped
/// predicates, exchanged registers, limits one off) three a kind, spread over the text.
[[nodiscard]] std::vector<Mutant> mutants(const std::string& ptx, const std::string& file);

}  // namespace jute::test
