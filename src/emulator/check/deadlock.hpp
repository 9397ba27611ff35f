#pragma once
// Who waits for whom when nobody can go on.
#include <cstdint>
#include <vector>

namespace jute::emulator {

struct Block;

/// Blocks of a grid of which none can go on. `unstarted` further ones, from `next` on by number,
/// are not on the chip.
struct Standstill {
  std::vector<Block*> blocks;
  std::int64_t next = 0;
  std::int64_t unstarted = 0;
};
/// Reports what every thread waits for, and a cycle of those who wait for each other; the blocks
/// are given up.
void report_deadlock(const Standstill& standstill);

}  // namespace jute::emulator
