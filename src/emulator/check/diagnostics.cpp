// Findings of a run, and the text of a report.
#include "emulator/check/diagnostics.hpp"

#include <jute/emulator/kernel_name.hpp>

#include <algorithm>

#include "base/format.hpp"

namespace jute::emulator {

Party make_party(const Program& running, const Actor& actor) {
  const Program& program = actor.program == nullptr ? running : *actor.program;
  Party party;
  party.kernel = program.name;
  for (size_t i = 0; i < 3; ++i) party.block[i] = actor.block[i];
  party.thread = actor.thread;
  if (actor.origin < 0) return party;
  const Origin& origin = program.origins[static_cast<size_t>(actor.origin)];
  party.ptx_line = origin.ptx_line;
  party.text = origin.opcode;
  if (origin.source_line > 0) {
    const auto file = program.files.find(origin.source_file);
    party.source =
        base::format("{}:{}", file == program.files.end() ? "?" : file->second, origin.source_line);
  }
  return party;
}

bool Diagnostics::count(const char* code, const Actor& actor) {
  Entry& entry = entries_[{code, actor.origin}];
  return entry.count++ == 0;
}

void Diagnostics::describe(const char* code, const Actor& actor, std::string message,
                           std::vector<Actor> others) {
  Entry& entry = entries_[{code, actor.origin}];
  entry.linear_block = actor.linear_block;
  entry.finding.code = code;
  entry.finding.message = std::move(message);
  entry.finding.parties.push_back(make_party(*program_, actor));
  for (const Actor& other : others) entry.finding.parties.push_back(make_party(*program_, other));
}

void Diagnostics::describe_end(const char* code, const Actor& actor, std::string message) {
  Entry& entry = entries_[{code, actor.origin}];
  const bool is_first = entry.count == 0 || actor.linear_block < entry.linear_block;
  entry.count = 1;
  entry.ends_launch = true;
  if (!is_first) return;
  entry.finding = {};
  describe(code, actor, std::move(message));
}

namespace {
// CUDA C++ Programming Guide, formatted output: the buffer of a launch, unless the host changes it.
constexpr size_t kMostPrinted = size_t{1} << 20;
}  // namespace

void Diagnostics::print(std::int64_t linear_block, const std::string& text) {
  if (printed_bytes_ + text.size() > kMostPrinted) return;
  printed_bytes_ += text.size();
  if (printed_.empty() || printed_.back().linear_block != linear_block)
    printed_.push_back({linear_block, {}});
  printed_.back().text += text;
}
std::string Diagnostics::printed() const {
  std::string result;
  for (const Printed& part : printed_) result += part.text;
  return result;
}

void Diagnostics::merge(const Diagnostics& other) {
  printed_.insert(printed_.end(), other.printed_.begin(), other.printed_.end());
  std::ranges::stable_sort(printed_, {}, &Printed::linear_block);
  for (const auto& [key, theirs] : other.entries_) {
    const auto [mine, is_new] = entries_.try_emplace(key, theirs);
    if (is_new) continue;
    mine->second.count = theirs.ends_launch ? 1 : mine->second.count + theirs.count;
    if (theirs.linear_block < mine->second.linear_block) {
      mine->second.linear_block = theirs.linear_block;
      mine->second.finding = theirs.finding;
    }
  }
  counters.warp_instructions += other.counters.warp_instructions;
  counters.smem_accesses += other.counters.smem_accesses;
  counters.smem_bank_conflicts += other.counters.smem_bank_conflicts;
  counters.global_bytes_read += other.counters.global_bytes_read;
  counters.global_bytes_written += other.counters.global_bytes_written;
}

std::vector<Finding> Diagnostics::findings() const {
  std::vector<Finding> result;
  for (const auto& [key, entry] : entries_) {
    result.push_back(entry.finding);
    result.back().count = entry.count;
  }
  return result;
}

}  // namespace jute::emulator

namespace jute {

std::string to_string(const Report& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    text += base::format("{}: {}", finding.code, finding.message);
    if (finding.count > 1) text += base::format(" ({} times)", finding.count);
    text += "\n";
    for (const Party& party : finding.parties) {
      text += base::format("  {} block ({},{},{}) thread {}", demangled(party.kernel),
                           party.block[0], party.block[1], party.block[2], party.thread);
      if (party.ptx_line > 0) text += base::format(", PTX line {}", party.ptx_line);
      if (!party.source.empty()) text += base::format(", {}", party.source);
      if (!party.text.empty()) text += base::format(": {}", party.text);
      text += "\n";
    }
  }
  const Counters& counters = report.counters;
  text += base::format(
      "{} finding{}; {} warp instructions, {} shared-memory accesses with {} bank conflicts, "
      "{} global bytes read, {} written\n",
      report.findings.size(), report.findings.size() == 1 ? "" : "s", counters.warp_instructions,
      counters.smem_accesses, counters.smem_bank_conflicts, counters.global_bytes_read,
      counters.global_bytes_written);
  return text;
}

}  // namespace jute
