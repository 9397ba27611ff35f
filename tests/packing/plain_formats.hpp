#pragma once
// Weights packed by plain loops, each written from its format's own definition: what layouts are
// held to.
#include <jute/base/types.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace jute::test {

/// A matrix (k,n) as those definitions have it: input by output, or group by output.
struct PlainMatrix {
  Index k = 0, n = 0;
  std::vector<std::uint32_t> at;  ///< at[k * n_extent + n]
  [[nodiscard]] std::uint32_t operator()(Index row, Index column) const {
    return at[static_cast<std::size_t>(row * n + column)];
  }
};

/// AutoGPTQ: word (r,n) holds inputs 8r … 8r+7 of output n, the first lowest.
[[nodiscard]] std::vector<std::uint32_t> gptq_weights(const PlainMatrix& q);
/// Word (g,c) holds outputs 8c … 8c+7, each less one.
[[nodiscard]] std::vector<std::uint32_t> gptq_zeros(const PlainMatrix& z);
/// AutoAWQ: nibble i of word (k,c) is output 8c + order[i].
[[nodiscard]] std::vector<std::uint32_t> awq_words(const PlainMatrix& q);
/// Marlin: tiles of 16x16, then the permutation of 1024 of _get_perms, then words of eight.
[[nodiscard]] std::vector<std::uint32_t> marlin_weights(const PlainMatrix& q);
/// Scales in Marlin's order, which depends on whether there are several groups.
[[nodiscard]] std::vector<std::uint32_t> marlin_scales(const PlainMatrix& s);
/// vLLM: zero points in the order of several groups' scales, interleaved and packed.
[[nodiscard]] std::vector<std::uint32_t> marlin_zeros(const PlainMatrix& z);

}  // namespace jute::test
