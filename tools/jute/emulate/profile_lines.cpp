// Sums over instructions.
#include "emulate/profile_lines.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace jute::command {

std::vector<LineProfile> by_line(const LaunchProfile& profile, SourceLines& sources) {
  std::map<std::pair<std::string, int>, LineProfile> lines;
  for (const InstructionProfile& each : profile.instructions) {
    const auto line = sources.of(
        {.kernel = profile.kernel, .ptx_line = each.ptx_line, .source = each.source, .text = {}});
    if (!line) continue;
    LineProfile& entry = lines[{line->file, line->line}];
    entry.line = *line;
    entry.counts += each.counts;
  }
  std::vector<LineProfile> result;
  for (auto& [key, entry] : lines) result.push_back(std::move(entry));
  return result;
}

std::vector<OpcodeProfile> by_opcode(const LaunchProfile& profile) {
  std::map<std::string, InstructionCounts> opcodes;
  for (const InstructionProfile& each : profile.instructions) opcodes[each.opcode] += each.counts;
  std::vector<OpcodeProfile> result;
  for (const auto& [opcode, counts] : opcodes)
    if (counts.warps > 0) result.push_back({opcode, counts});
  std::ranges::stable_sort(result, std::ranges::greater(),
                           [](const OpcodeProfile& each) { return each.counts.warps; });
  return result;
}

}  // namespace jute::command
