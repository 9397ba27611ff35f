#pragma once
// Fixed inputs of kernel cases: small integers, written in any element type.
#include <jute/base/types.hpp>

#include <cstdint>
#include <vector>

namespace jute::test {

/// 64 well mixed bits of (seed, index): the same on every machine.
[[nodiscard]] std::uint64_t mixed(std::uint64_t seed, std::uint64_t index);

/// `count` integers of [low, high].
[[nodiscard]] std::vector<int> integers(std::uint64_t seed, size_t count, int low, int high);
/// `count` words of any pattern.
[[nodiscard]] std::vector<std::uint32_t> words(std::uint64_t seed, size_t count);

/// The integers as elements of a type that holds them exactly, packed.
[[nodiscard]] std::vector<std::byte> encode(const std::vector<int>& values, DType type);

/// Rows of `width` values, turned.
[[nodiscard]] std::vector<int> transposed(const std::vector<int>& rows, int width);

/// D(m,n) = sum over k of A(m,k) B(n,k), all rows contiguous.
[[nodiscard]] std::vector<int> product(const std::vector<int>& a, const std::vector<int>& b, int m,
                                       int n, int k);

}  // namespace jute::test
