#pragma once
// Parts of a tile that blocks and threads drain, and what of them may lie outside D.
#include <jute/base/export.hpp>
#include <jute/plan/values/plan.hpp>

namespace JUTE_API jute {

/// How many blocks of a cluster of slices drain an equal part of their tile each, in the order of
/// stores: as many as its drain can be cut for; one alone where what an epilogue gathers or packs
/// needs whole tiles.
[[nodiscard]] int shares(const GemmStep& step);

/// Accumulators that a thread leaves for others and finds at a time: 16 bytes, or what all of its
/// divide into.
[[nodiscard]] Index sums_in_an_access(const GemmStep& step, Index accumulators);

/// Does no sum of such a part lie inside D where its first does not? A part may go on in another
/// row.
[[nodiscard]] bool first_is_nearest(const GemmStep& step);
/// Is a vector of D cut in two where N is no multiple of its length?
[[nodiscard]] bool may_be_ragged(const GemmStep& step);

}  // namespace jute
