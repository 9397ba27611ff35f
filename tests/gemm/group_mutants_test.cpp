// Faults of the deal of groups, one at a time: each must show in the emulator's findings or in D.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/gemm_case.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr const char* kGroupsFile = "kernel/groups.cu";
constexpr const char* kRasterFile = "kernel/raster.cu";
constexpr const char* kPlaceFile = "specialised/place.cu";

/// A kernel, a list of its groups, and what the kernel's main loop must be for the faults to be in
/// it.
struct DealScenario {
  const char* name;
  const char* problem;
  MainLoop main_loop;
  std::vector<Index> ends;
  std::vector<std::string> failures{};  ///< of a wrong list
};

/// 64 groups, two for each lane that reads the list: every fifth is empty, one has 140 rows.
std::vector<Index> uneven_ends() {
  std::vector<Index> ends;
  Index end = 0;
  for (Index group = 0; group < 64; ++group) {
    end += group % 5 == 1 ? 0 : group == 62 ? 140 : 1 + group % 4;
    ends.push_back(end);
  }
  return ends;
}

std::vector<Index> with_entry(std::vector<Index> list, size_t place, Index entry) {
  list[place] = entry;
  return list;
}

constexpr const char* kWalkedRows =
    "M=400 N=200 K=64 batch=64 A=bf16:row B=bf16:col D=bf16:row alpha=1 beta=0 groups=rows";

/// The same groups, of which each row says its own: the first ones behind the others.
std::vector<Index> row_groups_of_uneven() {
  const std::vector<Index> ends = uneven_ends();
  std::vector<Index> groups;
  for (Index i = 0; i < 64; ++i) {
    const auto group = static_cast<size_t>((i + 20) % 64);
    groups.resize(
        groups.size() + static_cast<size_t>(ends[group] - (group == 0 ? 0 : ends[group - 1])),
        static_cast<Index>(group));
    if (i % 9 == 4) groups.push_back(-1);
  }
  groups.resize(400, -1);
  return groups;
}

constexpr const char* kWalkedByRow =
    "M=400 N=200 K=64 batch=64 A=bf16:row B=bf16:col D=bf16:row alpha=1 beta=0 groups=rows:by_row";

const std::array<DealScenario, 9>& deal_scenarios() {
  static const std::array<DealScenario, 9> all{{
      {"walked", kWalkedRows, MainLoop::warp_specialised, uneven_ends()},
      {"dealt",
       "M=400 N=150 K=9 batch=64 A=bf16:row B=bf16:row D=f32:row alpha=1 beta=0 groups=rows",
       MainLoop::register_staged, uneven_ends()},
      {"along k",
       "M=20 N=20 K=100 batch=3 A=bf16:row B=bf16:row D=f32:row alpha=1 beta=0 groups=k",
       MainLoop::register_staged,
       {33, 33, 100}},
      {"goes down",
       kWalkedRows,
       MainLoop::warp_specialised,
       with_entry(uneven_ends(), 40, 3),
       {"group 40 has a wrong entry"}},
      {"past the bound",
       kWalkedRows,
       MainLoop::warp_specialised,
       with_entry(uneven_ends(), 63, 401),
       {"group 63 has a wrong entry"}},
      {"k goes down",
       "M=20 N=20 K=100 batch=3 A=bf16:row B=bf16:row D=f32:row alpha=1 beta=0 groups=k",
       MainLoop::register_staged,
       {33, 20, 100},
       {"group 1 has a wrong entry"}},
      {"by rows", kWalkedByRow, MainLoop::warp_specialised, row_groups_of_uneven()},
      {"rows apart",
       kWalkedByRow,
       MainLoop::warp_specialised,
       with_entry(row_groups_of_uneven(), 399, 20),
       {"group 399 has a wrong entry"}},
      {"rows of no group",
       kWalkedByRow,
       MainLoop::warp_specialised,
       with_entry(row_groups_of_uneven(), 330, 64),
       {"group 330 has a wrong entry"}},
  }};
  return all;
}

/// One fault: the words of a template that it changes, where they stand for the first time.
struct DealMutant {
  const char* name;
  size_t scenario;
  const char* file;
  const char* was;
  const char* now;
};

// A tile behind the last is none of these: it begins behind its group's end, and stores nothing.
// clang-format off
constexpr DealMutant kDealMutants[] = {
    {"the search leaves out its last step", 0, kGroupsFile, "step > 0; step /= 2", "step > 1; step /= 2"},
    {"a group's first tile is the one before's", 0, kGroupsFile, "tiles_before[group + step] <= tile", "tiles_before[group + step] < tile"},
    {"the last group is never found", 0, kGroupsFile, "group + step < kProblemGroups", "group + step < kProblemGroups - 1"},
    {"a sum of tiles rounds down", 0, kGroupsFile, "tiles += (static_cast<int>(end - begin) + kTile${MN} - 1)", "tiles += static_cast<int>(end - begin)"},
    {"a lane's own sums round down", 0, kGroupsFile, "before += (end - begin + kTile${MN} - 1)", "before += (end - begin)"},
    {"a lane's tiles lie ahead of themselves", 0, kGroupsFile, "before -= tiles;", ""},
    {"the prefix sum leaves out lanes", 0, kGroupsFile, "if (thread >= lane) before += left", "if (thread > lane) before += left"},
    {"the prefix sum ends early", 0, kGroupsFile, "lane < 32; lane *= 2", "lane < 16; lane *= 2"},
    {"all tiles are those ahead of the last lane", 0, kGroupsFile, "before, 31)", "before, 30)"},
    {"a group ends where the next one does", 0, kGroupsFile, "group_end[group + 1] = end", "group_end[group] = end"},
    {"prefix sums are off by one", 0, kGroupsFile, "tiles_before[group] = before", "tiles_before[group] = before + 1"},
    {"the first group begins at row 1", 0, kGroupsFile, "group_end[0] = 0", "group_end[0] = 1"},
    {"nobody waits for the tables", 0, kGroupsFile, "__syncthreads();", ""},
    {"a right list's last group is a fault", 0, kGroupsFile, "wrong = kProblemGroups;", "wrong = kProblemGroups - 1;"},
    {"a tile that none has", 0, kPlaceFile, "return tiles_before[kProblemGroups] * tiles_across", "return tiles_before[kProblemGroups] * tiles_across - 1"},
    {"a group's last tile is its neighbour's", 0, kPlaceFile, "group_of(tiles_before, tile / tiles_across)", "group_of(tiles_before, (tile + 1) / tiles_across)"},
    {"a tile is dealt twice, another never", 0, kPlaceFile, "in_groups(tile - first_tile * tiles_across", "in_groups(max(tile - first_tile * tiles_across - 1, 0)"},
    {"a group has a row of tiles too many", 0, kPlaceFile, "of_group = tiles_before[matrix + 1] - first_tile", "of_group = tiles_before[matrix + 1] - first_tile + 1"},
    {"a tile is multiplied by the neighbour's B", 0, kPlaceFile, "return {place.row, place.column, matrix};\n};\n\n// specialised/place.cu (launched)", "return {place.row, place.column, matrix + 1};\n};\n\n// specialised/place.cu (launched)"},
    {"rows and columns of tiles are exchanged", 0, kPlaceFile, "${rows}, ${columns}, kRasterWidth", "${columns}, ${rows}, kRasterWidth"},
    {"the last block has no tile", 1, kRasterFile, "number >= tiles_before[kProblemGroups] * tiles_across", "number >= tiles_before[kProblemGroups] * tiles_across - 1"},
    {"a block's group is by its own number", 1, kRasterFile, "group_of(tiles_before, number / tiles_across)", "group_of(tiles_before, number)"},
    {"a group's first tile is the next one's", 1, kRasterFile, "first_tile = tiles_before[matrix];", "first_tile = tiles_before[matrix + 1];"},
    {"tiles across round down", 1, kRasterFile, "(${across} + kTile${ACROSS} - 1) / kTile${ACROSS}", "${across} / kTile${ACROSS}"},
    {"a tile begins a row late", 1, kGroupsFile, "first_m = ${first_m}", "first_m = ${first_m} + 1"},
    {"a tile ends a row late", 1, kGroupsFile, "${mn} = ${end};", "${mn} = ${end} + 1;"},
    {"the second group's k begins at 0", 2, kGroupsFile, "first_k = matrix > 0", "first_k = matrix > 1"},
    {"a group's k ends early", 2, kGroupsFile, "k = static_cast<int>(ends[matrix])", "k = static_cast<int>(ends[matrix]) - 1"},
    {"a group's k is the next one's too", 2, kGroupsFile, "k = static_cast<int>(ends[matrix])", "k = static_cast<int>(ends[min(matrix + 1, kProblemGroups - 1)])"},
    {"the bound itself is past the bound", 2, kGroupsFile, "ends[entry] > most_k", "ends[entry] >= most_k"},
    {"nobody sees a list go down", 3, kGroupsFile, "begin <= end && end <= most_${mn}", "end <= most_${mn}"},
    {"a group begins at its last row", 6, kGroupsFile, "atomicMin(group_begin", "atomicMax(group_begin"},
    {"a group's rows end one early", 6, kGroupsFile, "atomicMax(behind_group + group, row + 1)", "atomicMax(behind_group + group, row)"},
    {"rows of none count", 6, kGroupsFile, "} else if (group >= 0) {", "} else {"},
    {"nobody waits for begins and ends", 6, kGroupsFile, "  }\n}\n__syncthreads();\n#pragma unroll 1\nfor (int group = thread; group < kProblemGroups; group += kThreads) {\n  if (behind", "  }\n}\n#pragma unroll 1\nfor (int group = thread; group < kProblemGroups; group += kThreads) {\n  if (behind"},
    {"nobody sees rows apart", 7, kGroupsFile, " || *of_block != 0) {", ") {"},
    {"rows apart are computed nevertheless", 7, kGroupsFile, "group_begin[group] = behind_group[group] = 0;", ";"},
    {"of rows apart the last is told", 7, kGroupsFile, "if (row < most_${mn}) atomicMin(of_block, row)", "if (row < most_${mn}) atomicMin(of_block, row + 1)"},
    {"nobody sees a row of no group", 8, kGroupsFile, "has_fault = true;", ""},
    {"a wrong list is computed nevertheless", 3, kGroupsFile, "faults == 0 ? all : 0", "all"},
    {"the fault is the neighbour's", 3, kGroupsFile, "wrong + 1u);\n}\n__syncthreads();", "wrong + 2u);\n}\n__syncthreads();"},
    {"a fault is lost", 3, kGroupsFile, "wrong = min(wrong, group);\n  }\n  int before", "wrong = max(wrong, group);\n  }\n  int before"},
    {"nobody sees the bound passed", 4, kGroupsFile, "begin <= end && end <= most_${mn}", "begin <= end"},
    {"a fault of k is computed nevertheless", 5, kGroupsFile, "  return;\n}\nconst int first_k", "}\nconst int first_k"},
    {"nobody sees a list of k go down", 5, kGroupsFile, "(entry > 0 ? ends[entry - 1] : 0) > ends[entry] || ", ""},
};
// clang-format on

std::string template_text(const char* file) {
  std::ifstream in(std::string(JUTE_SOURCE_DIR "/kernels_templates/") + file);
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The built-in templates with the fault in them.
TemplateSet mutated(const DealMutant& mutant) {
  const TemporaryFolder folder;
  std::string text = template_text(mutant.file);
  const size_t place = text.find(mutant.was);
  REQUIRE(place != std::string::npos);
  text.replace(place, std::string(mutant.was).size(), mutant.now);
  const std::filesystem::path path = folder.path() / mutant.file;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return TemplateSet::from_directory(folder.path().string());
}

GemmCase case_of(const DealScenario& scenario) {
  GemmCase one;
  one.problem = parse_problem(scenario.problem);
  one.ends = scenario.ends;
  one.seed = 66;
  return one;
}

/// What a run of the scenario shows.
struct DealOutcome {
  std::vector<std::string> failures;
  std::vector<std::byte> d;
};

DealOutcome outcome_of(const DealScenario& scenario, std::optional<TemplateSet> templates) {
  ContextOptions options = with_kept_kernels();
  options.templates = std::move(templates);
  EmulatorOptions emulator;
  emulator.check = Check::full;
  emulator.warp_instructions_per_block = 200'000;
  Context context(open_emulator(emulator), options);
  const GemmCase one = case_of(scenario);
  try {
    CaseOutcome outcome = run_case(context, one, make_data(one));
    return {std::move(outcome.failures), std::move(outcome.d)};
  } catch (const std::exception& finding) {
    return {{finding.what()}, {}};
  }
}

}  // namespace

TEST_CASE("every fault of the deal of groups shows", "[gemm][groups][mutation]") {
  std::vector<DealOutcome> sound;
  for (const DealScenario& scenario : deal_scenarios()) {
    INFO(scenario.name);
    const Plan plan = make_plan(parse_problem(scenario.problem), device_preset("h200"));
    CHECK(gemm_step(plan).schedule.main_loop == scenario.main_loop);
    sound.push_back(outcome_of(scenario, std::nullopt));
    CHECK(sound.back().failures == scenario.failures);
  }
  int noticed = 0;
  for (const DealMutant& mutant : kDealMutants) {
    INFO(mutant.name);
    const DealOutcome shown = outcome_of(deal_scenarios().at(mutant.scenario), mutated(mutant));
    const DealOutcome& right = sound.at(mutant.scenario);
    // Of a wrong list nothing may be computed, which `right` shows.
    const bool shows = right.failures.empty()
                           ? !shown.failures.empty()
                           : shown.failures != right.failures || shown.d != right.d;
    CHECK(shows);
    noticed += shows;
  }
  CHECK(noticed >= 20);
}
