#pragma once
// Parts of a tile that the blocks of its cluster drain.
#include <jute/base/export.hpp>
#include <jute/plan/plan.hpp>

namespace JUTE_API jute {

/// How many blocks of a cluster of slices drain an equal part of their tile each, in the order of
/// stores: as many as its drain can be cut for; one alone where what an epilogue gathers or packs
/// needs whole tiles.
[[nodiscard]] int shares(const GemmStep& step);

/// Accumulators that a thread leaves for others and finds at a time: 16 bytes, or what all of its
/// divide into.
[[nodiscard]] Index sums_in_an_access(const GemmStep& step, Index accumulators);

}  // namespace jute
