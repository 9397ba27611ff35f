#pragma once
// What planning may choose from.
#include <jute/plan/values/family.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/tile.hpp>

namespace jute::plan {

/// One, and what it is expected to take.
struct RankedTile {
  double clocks;
  Tile tile;
};

/// One way to compute a problem: an instruction, who executes it on which tile, how operands
/// travel.
struct Candidate {
  MmaAtom atom;
  Family family;
  Tile tile;
};

/// One, and what it is expected to take, without copies of operands ahead of it.
struct RankedCandidate {
  double clocks;
  Candidate candidate;
};

/// `SM80_16x8x16_F32BF16BF16F32_TN by 2x4 warps on 128x256, cp.async, 4 stages of 64 bytes of K`
[[nodiscard]] std::string to_string(const Candidate& candidate);

}  // namespace jute::plan
