// Profiles as text and JSON.
#include "emulate/outcome_text.hpp"

#include <jute/emulator/kernel_name.hpp>

#include "emulate/profile_lines.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

std::string extents_text(const Dim3& extents) {
  return "(" + std::to_string(extents.x) + "," + std::to_string(extents.y) + "," +
         std::to_string(extents.z) + ")";
}

/// One decimal: 4.0
std::string ratio(Index part, Index whole) {
  return whole == 0 ? "-" : bench::fixed(static_cast<double>(part) / static_cast<double>(whole), 1);
}

constexpr size_t kColumn = 12;

std::string row(const std::vector<std::string>& cells, const std::string& last) {
  std::string text;
  for (const std::string& cell : cells) text += bench::right(cell, kColumn);
  return text + "  " + last + "\n";
}

const std::vector<std::string> kProfileHead{"warps",      "global B",  "sectors/req", "shared B",
                                            "wavefronts", "conflicts", "tensor flop"};

std::vector<std::string> cells_of(const InstructionCounts& counts) {
  return {std::to_string(counts.warps),
          std::to_string(counts.global_bytes),
          ratio(counts.global_sectors, counts.global_requests),
          std::to_string(counts.shared_bytes),
          std::to_string(counts.wavefronts),
          std::to_string(counts.wavefronts - counts.least_wavefronts),
          std::to_string(counts.tensor_flops)};
}

std::string occupancy_text(const LaunchProfile& profile) {
  const Occupancy& occupancy = profile.occupancy;
  return "occupancy " + std::to_string(occupancy.blocks) + " blocks, " +
         std::to_string(occupancy.warps) + " of " + std::to_string(occupancy.most_warps) +
         " warps a multiprocessor, limited by " + occupancy.limit +
         "; registers, which the assembler decides, may lower it\n";
}

/// The way out of bank conflicts, behind the lines that have some.
std::string conflicts_text(const LaunchProfile& profile, SourceLines& sources) {
  std::string lines;
  for (const LineProfile& each : by_line(profile, sources))
    if (each.counts.wavefronts > each.counts.least_wavefronts)
      lines += "  " + each.line.file + ":" + std::to_string(each.line.line) + " takes " +
               std::to_string(each.counts.wavefronts) + " wavefronts where " +
               std::to_string(each.counts.least_wavefronts) + " would do\n";
  if (lines.empty()) return {};
  return "bank conflicts: lanes of an access meet in a bank; rows that are one element longer "
         "([32][33] for [32][32]),\nor a swizzle, spread them: jute draw '(32,32):(33,1)' --banks "
         "f32 counts what a layout costs\n" +
         lines;
}

std::string launch_text(const LaunchProfile& profile, SourceLines& sources) {
  std::string text = "profile " + demangled(profile.kernel) + " grid " +
                     extents_text(profile.grid) + " block " + extents_text(profile.block);
  if (!(profile.cluster == Dim3{})) text += " cluster " + extents_text(profile.cluster);
  text += " shared memory " + std::to_string(profile.static_smem_bytes) + " + " +
          std::to_string(profile.dynamic_smem_bytes) + " bytes\n";
  text += occupancy_text(profile);
  text += row(kProfileHead, "all");
  text += row(cells_of(sum_of(profile)), "");
  text += row(kProfileHead, "line");
  for (const LineProfile& each : by_line(profile, sources))
    if (each.counts.warps > 0)
      text += row(cells_of(each.counts), each.line.file + ":" + std::to_string(each.line.line) +
                                             " | " + trimmed(each.line.text));
  text += conflicts_text(profile, sources);
  text += row(kProfileHead, "opcode");
  for (const OpcodeProfile& each : by_opcode(profile))
    text += row(cells_of(each.counts), each.opcode);
  return text;
}

Json json_of(const InstructionCounts& counts) {
  return {{"warps", counts.warps},
          {"threads", counts.threads},
          {"global_bytes", counts.global_bytes},
          {"shared_bytes", counts.shared_bytes},
          {"local_bytes", counts.local_bytes},
          {"parameter_bytes", counts.parameter_bytes},
          {"global_requests", counts.global_requests},
          {"global_sectors", counts.global_sectors},
          {"least_sectors", counts.least_sectors},
          {"wavefronts", counts.wavefronts},
          {"least_wavefronts", counts.least_wavefronts},
          {"tensor_flops", counts.tensor_flops}};
}

Json operand_json(const OperandSources& operand) {
  const auto list = [](const std::vector<Index>& values) { return Json::array(values); };
  return {{"operand", operand.operand},
          {"value_bits", operand.value_bits},
          {"shared_offsets", Json::array(operand.lanes, list)}};
}

Json instruction_json(const InstructionProfile& instruction) {
  Json json = {{"opcode", instruction.opcode},
               {"ptx_line", instruction.ptx_line},
               {"source", instruction.source},
               {"counts", json_of(instruction.counts)}};
  if (!instruction.operands.empty())
    json.add("operands", Json::array(instruction.operands, operand_json));
  return json;
}

Json launch_json(const LaunchProfile& profile, SourceLines& sources) {
  const Occupancy& occupancy = profile.occupancy;
  const auto line_json = [](const LineProfile& each) -> Json {
    return {{"file", each.line.file},
            {"line", each.line.line},
            {"text", each.line.text},
            {"counts", json_of(each.counts)}};
  };
  const auto opcode_json = [](const OpcodeProfile& each) -> Json {
    return {{"opcode", each.opcode}, {"counts", json_of(each.counts)}};
  };
  return {{"kernel", profile.kernel},
          {"name", demangled(profile.kernel)},
          {"grid", to_json(profile.grid)},
          {"block", to_json(profile.block)},
          {"cluster", to_json(profile.cluster)},
          {"static_smem_bytes", profile.static_smem_bytes},
          {"dynamic_smem_bytes", profile.dynamic_smem_bytes},
          {"occupancy",
           {{"blocks", occupancy.blocks},
            {"warps", occupancy.warps},
            {"most_warps", occupancy.most_warps},
            {"limit", occupancy.limit}}},
          {"counts", json_of(sum_of(profile))},
          {"lines", Json::array(by_line(profile, sources), line_json)},
          {"opcodes", Json::array(by_opcode(profile), opcode_json)},
          {"instructions", Json::array(profile.instructions, instruction_json)}};
}

}  // namespace

std::string profile_text(const RunOutcome& outcome) {
  SourceLines sources(outcome.modules);
  std::string text;
  for (const LaunchProfile& profile : outcome.profiles) text += launch_text(profile, sources);
  return text;
}

Json profile_json(const RunOutcome& outcome) {
  SourceLines sources(outcome.modules);
  return {{"launches", Json::array(outcome.profiles, [&](const LaunchProfile& profile) {
             return launch_json(profile, sources);
           })}};
}

}  // namespace jute::command
