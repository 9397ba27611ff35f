#pragma once
// wgmma is one instruction of four warps: holds them to the same one.
#include "emulator/check/diagnostics.hpp"

#include <cstdint>
#include <deque>
#include <vector>

namespace jute::emulator {

struct Block;
struct Warp;
class WarpProduct;

class WarpgroupIssues {
 public:
  void start(size_t warps);
  /// The warp issues its next product: as the other warps of its group did, or will have to?
  void issue(Warp& warp, const WarpProduct& product);
  /// The block ends: products that not all four warps have issued.
  void check_end(Block& block) const;

 private:
  struct Issue {
    Actor who;  ///< of the warp that came first
    std::uint64_t a_descriptor = 0;
    std::uint64_t b_descriptor = 0;
    bool keeps_d = false;
    int warps = 0;  ///< that have issued it
  };
  struct Group {
    std::uint32_t first = 1;  ///< number of the oldest product in `open`
    std::deque<Issue> open;   ///< not yet issued by all four
  };
  std::vector<Group> groups_;
};

}  // namespace jute::emulator
