#pragma once
// Ranks of blocks that slip into wgmma descriptors: a shared address of a cluster is longer than
// the descriptor's field for it, and what is too much lands in the leading offset.
#include "emulator/check/diagnostics.hpp"

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

namespace jute::emulator {

struct Warp;
class WarpProduct;

/// The leading offsets that the blocks of one cluster give, by instruction.
class LeadingOffsets {
 public:
  void start() { given_.clear(); }
  /// Names a block whose offset is that of block 0 with its own rank in it.
  void issue(Warp& warp, const WarpProduct& product);

 private:
  struct Given {
    int rank = 0;
    std::uint64_t field = 0;  ///< of the descriptor: in 16 bytes
    Actor who;
  };
  /// Instruction, warp, and which operand.
  using Place = std::tuple<std::int32_t, int, char>;
  void note(Warp& warp, const Place& place, const Given& given);

  std::map<Place, std::vector<Given>> given_;  ///< the first of each block
};

}  // namespace jute::emulator
