#pragma once
// A call as a row of numbers, by which it is written, compared and found.
#include <jute/shim/cublas_call.hpp>

#include <array>
#include <bit>
#include <cstddef>

namespace jute::shim {

inline constexpr std::size_t kCallNumbers = sizeof(CublasCall) / sizeof(Index);
using CallNumbers = std::array<Index, kCallNumbers>;

[[nodiscard]] inline CallNumbers numbers_of(const CublasCall& call) {
  return std::bit_cast<CallNumbers>(call);
}
[[nodiscard]] inline CublasCall call_of(const CallNumbers& numbers) {
  return std::bit_cast<CublasCall>(numbers);
}

/// By numbers in which calls of one program differ.
struct CallHash {
  std::size_t operator()(const CublasCall& call) const {
    std::uint64_t hash = 0;
    for (const Index number : {call.m, call.n, call.k, call.batch, call.a.ld, call.b.ld, call.d.ld,
                               call.d.type, call.epilogue, call.workspace})
      hash = (hash ^ static_cast<std::uint64_t>(number)) * 0x9E3779B97F4A7C15U + (hash >> 29);
    return hash;
  }
};

}  // namespace jute::shim
