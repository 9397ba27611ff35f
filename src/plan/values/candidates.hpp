#pragma once
// Candidates: what planning may choose from.
#include <jute/plan/values/family.hpp>
#include <jute/plan/values/plan.hpp>
#include <jute/plan/values/tile.hpp>

#include <functional>
#include <string>

namespace jute::plan {

/// One, and what it is expected to take.
struct RankedTile {
  double clocks;
  Tile tile;
  const MmaAtom* atom = nullptr;  ///< its instruction, where there is one alone
};

/// Called with each tile of many.
using LookAtTile = std::function<void(const Tile&)>;

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

/// Whose kernels read a problem as it is presented: all, where operands were copied those that move
/// asynchronously what begins at chunks, where they were transposed as well those by wgmma.
enum class Readers : std::uint8_t { all, asynchronous, warpgroups };
[[nodiscard]] inline bool are_among(Readers readers, Family family) {
  const FamilyRow& row = row_of(family);
  if (readers == Readers::warpgroups) return row.by == MultipliedBy::warpgroups;
  return readers == Readers::all || row.transfer == Transfer::tma ||
         (row.transfer == Transfer::cp_async && row.by == MultipliedBy::warps);
}

/// `SM80_16x8x16_F32BF16BF16F32_TN by 2x4 warps on 128x256, cp.async, 4 stages of 64 bytes of K`
[[nodiscard]] std::string to_string(const Candidate& candidate);
/// Its family and its schedule: `wgmma by TMA, ping-pong of 2`.
[[nodiscard]] std::string idea_of(const Candidate& candidate);

}  // namespace jute::plan
