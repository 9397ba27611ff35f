// Runs every mutant of a kernel and says how its fault came to light.
#include "kernels/mutation_bench.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <exception>
#include <set>

namespace jute::test {
namespace {

/// What the sound kernel shows, which no mutant is named by.
struct Baseline {
  std::set<std::string> codes;
  Index limit = 0;  ///< instructions of a block, beyond which it runs for ever
};

Baseline baseline_of(const KernelCase& kernel_case, const std::vector<Binary>& binaries,
                     const std::vector<NamedSchedule>& all) {
  Baseline baseline;
  const Dim3& grid = kernel_case.launches.front().grid;
  for (const NamedSchedule& schedule : all) {
    const Emulation sound = emulate(kernel_case, binaries, schedule);
    for (const Finding& finding : sound.report.findings) baseline.codes.insert(finding.code);
    const Index each = sound.report.counters.warp_instructions / (grid.x * grid.y * grid.z);
    baseline.limit = std::max(baseline.limit, 8 * each + 2000);
  }
  return baseline;
}

/// The strongest evidence of one run; nothing said when it is right and silent.
Judgement judge_run(const KernelCase& kernel_case, const std::vector<Binary>& binaries,
                    const NamedSchedule& schedule, const Baseline& baseline) {
  Judgement result;
  try {
    const Emulation run = emulate(kernel_case, binaries, schedule, baseline.limit);
    for (const Finding& finding : run.report.findings) {
      if (baseline.codes.contains(finding.code)) continue;
      result.outcome = Outcome::named;
      result.evidence = schedule.name + ": " + finding.code + " " + finding.message;
      return result;
    }
    if (run.difference.empty()) return result;
    result.outcome = Outcome::wrong;
    result.evidence = schedule.name + ": " + run.difference;
  } catch (const std::exception& refusal) {
    result.outcome = Outcome::named;
    result.evidence = schedule.name + ": refused: " + refusal.what();
  }
  return result;
}

/// The first schedule that names the fault, else the first that shows it.
Judgement judge(const KernelCase& kernel_case, std::vector<Binary> binaries, Mutant mutant,
                const std::vector<NamedSchedule>& all, const Baseline& baseline) {
  for (Binary& binary : binaries) binary.ptx = mutant.ptx;
  mutant.ptx.clear();
  Judgement best;
  for (const NamedSchedule& schedule : all) {
    Judgement run = judge_run(kernel_case, binaries, schedule, baseline);
    if (run.outcome < best.outcome) best = std::move(run);
    if (best.outcome == Outcome::named) break;
  }
  best.kernel = kernel_case.file;
  best.mutant = std::move(mutant);
  return best;
}

constexpr size_t kOutcomes = 4;
using Counts = std::array<size_t, kOutcomes>;

double percent(const Counts& counts) {
  const size_t caught = counts[0] + counts[1], all = caught + counts[2];
  return all == 0 ? 100 : 100.0 * static_cast<double>(caught) / static_cast<double>(all);
}

std::string row(const std::string& name, const Counts& counts) {
  std::array<char, 160> line;
  std::snprintf(line.data(), line.size(), "%-18s %7zu %7zu %7zu %7zu %11zu %8.1f %%\n",
                name.c_str(), counts[0] + counts[1] + counts[2] + counts[3], counts[0], counts[1],
                counts[2], counts[3], percent(counts));
  return line.data();
}

Counts counts_of(const std::vector<Judgement>& judgements, const std::string& kind) {
  Counts counts{};
  for (const Judgement& judgement : judgements)
    if (kind.empty() || judgement.mutant.kind == kind)
      ++counts[static_cast<size_t>(judgement.outcome)];
  return counts;
}

}  // namespace

std::vector<Judgement> judge_mutants(const Compiler& compiler, const std::vector<KernelCase>& cases,
                                     int random_seeds, size_t every) {
  const std::vector<NamedSchedule> all = schedules(random_seeds);
  const auto equivalent = read_list("equivalent_mutants.txt");
  std::set<std::string> files;
  std::vector<Judgement> judgements;
  size_t index = 0;
  for (const KernelCase& kernel_case : cases) {
    if (!files.insert(kernel_case.file).second) continue;
    const std::vector<Binary> binaries = compile(compiler, kernel_case, Output::ptx);
    const Baseline baseline = baseline_of(kernel_case, binaries, all);
    for (Mutant& mutant : mutants(binaries.front().ptx, kernel_case.file + ".cu")) {
      if (index++ % every != 0) continue;
      Judgement result = judge(kernel_case, binaries, std::move(mutant), all, baseline);
      if (result.outcome == Outcome::silent && equivalent.contains(key_of(result)))
        result.outcome = Outcome::equivalent;
      judgements.push_back(std::move(result));
    }
  }
  return judgements;
}

std::string key_of(const Judgement& judgement) {
  return judgement.kernel + ":" + std::to_string(judgement.mutant.line) + " " +
         judgement.mutant.kind;
}

std::string table(const std::vector<Judgement>& judgements) {
  std::set<std::string> kinds;
  for (const Judgement& judgement : judgements) kinds.insert(judgement.mutant.kind);
  std::string text = "fault              mutants   named   wrong  silent  equivalent   caught\n";
  for (const std::string& kind : kinds) text += row(kind, counts_of(judgements, kind));
  return text + row("all", counts_of(judgements, ""));
}

double percent_caught(const std::vector<Judgement>& judgements) {
  return percent(counts_of(judgements, ""));
}

std::string list_silent(const std::vector<Judgement>& judgements) {
  std::string text;
  for (const Judgement& judgement : judgements)
    if (judgement.outcome == Outcome::silent)
      text +=
          key_of(judgement) + ": " + judgement.mutant.was + " -> " + judgement.mutant.now + "\n";
  return text;
}

std::string list_stale(const std::vector<Judgement>& judgements) {
  auto entries = read_list("equivalent_mutants.txt");
  for (const Judgement& judgement : judgements)
    if (judgement.outcome == Outcome::equivalent) entries.erase(key_of(judgement));
  std::string text;
  for (const auto& [key, reason] : entries) text += key + "\n";
  return text;
}

}  // namespace jute::test
