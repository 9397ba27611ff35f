#pragma once
// Parts of a tile that the blocks of its cluster drain.
#include <jute/base/export.hpp>
#include <jute/plan/plan.hpp>

namespace JUTE_API jute {

/// How many blocks of a cluster of slices drain an equal part of their tile each, in the order of
/// stores: as many as its drain can be cut for; one alone where what an epilogue gathers or packs
/// needs whole tiles.
[[nodiscard]] int shares(const GemmStep& step);

}  // namespace jute
