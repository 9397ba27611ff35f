#pragma once
// An operand of which a tile has two halves: a gate's lines, and those that they gate.
#include <jute/atom/atom.hpp>
#include <jute/base/export.hpp>
#include <jute/plan/ask/config.hpp>
#include <jute/plan/values/extent.hpp>

#include <optional>
#include <string>

namespace JUTE_API jute {

/// Lines are rows of the kernel's A or columns of its B. A stage has a tile of the gate's, and
/// behind it as large a tile of the others; a thread's accumulators likewise.
struct GatedHalves {
  Operand operand = Operand::b;
  Extent stride;          ///< elements from a line of the gate to the one that it gates
  bool is_beside = true;  ///< all lines of the gate lie ahead of the others
  int step = 1;           ///< elements from line to line, where those are neighbours: 2 of pairs
  bool operator==(const GatedHalves&) const = default;
};
/// `b, 4096 apart`.
[[nodiscard]] std::string to_string(const GatedHalves& gate);

/// The tile that instructions multiply for a tile of D.
[[nodiscard]] inline TileShape multiplied(TileShape tile, const std::optional<GatedHalves>& gate) {
  if (gate) (gate->operand == Operand::a ? tile.m : tile.n) *= 2;
  return tile;
}

}  // namespace jute
