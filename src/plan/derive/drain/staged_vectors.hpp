#pragma once
// Vectors of an epilogue that come to shared memory once a tile.
#include <jute/plan/values/plan.hpp>

#include "plan/ask/broken_rule.hpp"

namespace jute::plan {

/// Says of every vector that a drain by subtiles reads where its part of a tile comes to. Vectors
/// come with the tile's first turn: a block that drains a share of the tile reads them where they
/// lie.
void stage_vectors(GemmStep& step);
/// Threads read all vectors where they lie.
void unstage_vectors(GemmStep& step);
/// Bytes that a group of threads has for its vectors.
[[nodiscard]] Index vector_bytes(const GemmStep& step);

/// Vectors are staged for drains by subtiles alone, all of them and one behind the other.
[[nodiscard]] Errors staging_rules(const GemmStep& step);

}  // namespace jute::plan
