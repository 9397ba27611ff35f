#pragma once
// A launch's counts by source line and by opcode.
#include <jute/emulator/profile.hpp>

#include <string>
#include <vector>

#include "emulate/source_lines.hpp"

namespace jute::command {

/// The counts of a line of CUDA text, or of PTX where that is all there is.
struct LineProfile {
  SourceLine line;
  InstructionCounts counts;
};
/// In the order of files and lines; lines that were never reached too.
[[nodiscard]] std::vector<LineProfile> by_line(const LaunchProfile& profile, SourceLines& sources);

struct OpcodeProfile {
  std::string opcode;
  InstructionCounts counts;
};
/// The most executed first.
[[nodiscard]] std::vector<OpcodeProfile> by_opcode(const LaunchProfile& profile);

}  // namespace jute::command
