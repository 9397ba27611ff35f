#pragma once
// Groups whose list the host knows, as products of their own: what a loop of a library's calls
// computes.
#include <jute/plan/ask/problem.hpp>

#include <span>
#include <vector>

namespace jute::bench {

/// A group's product, and how many bytes behind the operands' addresses its own begin.
struct PlainPart {
  Problem problem;
  Index a = 0, b = 0, c = 0, d = 0;
};

/// A part of every group that has elements of D, in their order; none without groups. `problem` is
/// completed and without an epilogue of its own; of `ends` it takes what the device's list would
/// have.
[[nodiscard]] std::vector<PlainPart> plain_parts(const Problem& problem,
                                                 std::span<const Index> ends);

}  // namespace jute::bench
