// Profiles as a page: the source with the counts of each line beside it.
#include <jute/emulator/kernel_name.hpp>

#include <algorithm>
#include <map>

#include "emulate/outcome_text.hpp"
#include "emulate/profile_lines.hpp"
#include "files/html_text.hpp"

namespace jute::command {
namespace {

constexpr std::string_view kProfilePageHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>jute profile</title>
<style>
:root { color-scheme: light dark; }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2em clamp(.5em, 3vw, 2em); }
h1, h2 { overflow-wrap: anywhere; }
.wide { overflow: auto; max-height: 90vh; margin: 1em 0 2em; }
table { border-collapse: collapse; }
th { text-align: right; padding: 0 .8em; position: sticky; top: 0; background: Canvas; }
td { text-align: right; padding: 0 .8em; font-variant-numeric: tabular-nums; }
td.code, th.code { text-align: left; white-space: pre; font-family: ui-monospace, monospace; }
td.no { opacity: .65; }
tr:hover { background: color-mix(in srgb, Highlight 20%, Canvas); }
.bar { display: inline-block; height: .7em; background: #0072b2; }
.warn { color: #a84300; font-weight: 600; }
@media (prefers-color-scheme: dark) { .bar { background: #56b4e9; } .warn { color: #ff9e57; } }
</style></head><body>
)";

std::string cell(const std::string& text, std::string_view kind = "") {
  if (kind.empty()) return "<td>" + text + "</td>";
  return "<td class=\"" + std::string(kind) + "\">" + text + "</td>";
}

/// The page stays as wide as its window: a wide table scrolls by itself, with the arrows too.
constexpr std::string_view kTable = "<div class=\"wide\" tabindex=\"0\"><table>";
constexpr std::string_view kTableEnd = "</tbody></table></div>\n";

/// Nothing for a zero: what counts stands out.
std::string number(Index value) { return cell(value == 0 ? "" : std::to_string(value)); }

std::string share(Index part, Index whole) {
  if (part == 0 || whole == 0) return cell("");
  const Index width = std::max<Index>(1, 100 * part / whole);
  return cell("<span class=\"bar\" style=\"width:" + std::to_string(width) + "px\" title=\"" +
              std::to_string(width) + " %\"></span>");
}

/// Sectors, or wavefronts, beyond what the same bytes would need.
std::string beyond(Index actual, Index least) {
  return actual > least ? cell("+" + std::to_string(actual - least), "warn") : cell("");
}

std::string cells_of(const InstructionCounts& counts, const InstructionCounts& all) {
  return number(counts.warps) + share(counts.warps, all.warps) + number(counts.global_bytes) +
         number(counts.global_sectors) + beyond(counts.global_sectors, counts.least_sectors) +
         number(counts.shared_bytes) + number(counts.wavefronts) +
         beyond(counts.wavefronts, counts.least_wavefronts) + number(counts.tensor_flops);
}

std::string head_of(const std::string& last, const std::string& number) {
  return std::string(kTable) +
         "<thead><tr><th>warp instructions</th><th></th><th>global bytes</th>"
         "<th>sectors</th><th>beyond best</th><th>shared bytes</th><th>wavefronts</th>"
         "<th>conflicts</th><th>tensor flop</th><th>" +
         number + "</th><th class=\"code\">" + last + "</th></tr></thead><tbody>\n";
}

/// Every line of a file, those without instructions too.
std::string file_table(const std::string& file, const std::map<int, InstructionCounts>& counts,
                       const InstructionCounts& all, SourceLines& sources) {
  std::string text = head_of(escaped(file), "line");
  const std::vector<std::string>& lines = sources.lines_of(file);
  int last = static_cast<int>(lines.size());
  if (lines.empty()) last = counts.empty() ? 0 : counts.rbegin()->first;
  for (int line = 1; line <= last; ++line) {
    const auto found = counts.find(line);
    if (found == counts.end() && lines.empty()) continue;
    const auto at = static_cast<size_t>(line) - 1;
    text += "<tr>" + cells_of(found == counts.end() ? InstructionCounts{} : found->second, all) +
            cell(std::to_string(line), "no") +
            cell(escaped(at < lines.size() ? lines[at] : ""), "code") + "</tr>\n";
  }
  return text.append(kTableEnd);
}

std::string launch_section(const LaunchProfile& profile, SourceLines& sources) {
  const InstructionCounts all = sum_of(profile);
  const Occupancy& occupancy = profile.occupancy;
  const auto extents = [](const Dim3& value) {
    return std::to_string(value.x) + " × " + std::to_string(value.y) + " × " +
           std::to_string(value.z);
  };
  std::string text = "<h2>" + escaped(demangled(profile.kernel)) + "</h2>\n<p>grid " +
                     extents(profile.grid) + ", block " + extents(profile.block) +
                     ", shared memory " + std::to_string(profile.static_smem_bytes) + " + " +
                     std::to_string(profile.dynamic_smem_bytes) + " bytes; occupancy " +
                     std::to_string(occupancy.blocks) + " blocks, " +
                     std::to_string(occupancy.warps) + " of " +
                     std::to_string(occupancy.most_warps) + " warps, limited by " +
                     occupancy.limit + " (registers may lower it)</p>\n";
  text += head_of("all", "") + "<tr>" + cells_of(all, all) + "<td></td><td></td></tr>";
  text += kTableEnd;
  std::map<std::string, std::map<int, InstructionCounts>> files;
  for (const LineProfile& each : by_line(profile, sources))
    files[each.line.file][each.line.line] = each.counts;
  for (const auto& [file, counts] : files) text += file_table(file, counts, all, sources);
  text += head_of("opcode", "");
  for (const OpcodeProfile& each : by_opcode(profile))
    text += "<tr>" + cells_of(each.counts, all) + "<td></td>" + cell(escaped(each.opcode), "code") +
            "</tr>\n";
  return text.append(kTableEnd);
}

}  // namespace

std::string profile_page(const RunOutcome& outcome) {
  SourceLines sources(outcome.modules);
  std::string text(kProfilePageHead);
  text += "<h1>Profile</h1>\n";
  for (const LaunchProfile& profile : outcome.profiles) text += launch_section(profile, sources);
  return text + "</body></html>\n";
}

}  // namespace jute::command
