#pragma once
// What planning chooses from for the kept problems, as hashes.
#include <string>

namespace jute::test {

/// Blocks of problems.
struct KeptBlocks {
  int first, end;
};
/// A line for each chip, type and block: `h200 bf16 0: 0123456789abcdef`, over the candidates of
/// each problem in order, with what they are expected to take to nine digits.
[[nodiscard]] std::string kept_choices(KeptBlocks blocks);

}  // namespace jute::test
