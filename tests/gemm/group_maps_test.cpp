// Maps that a kernel makes of operands which only the device's list has, or of their parts of K:
// blocks that go from group to group, and faults of what they do, one at a time.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/values/group_maps.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "support/catch.hpp"
#include "support/context_options.hpp"
#include "support/each_cases.hpp"
#include "support/gemm_case.hpp"
#include "support/temporary_folder.hpp"

using namespace jute;
using namespace jute::test;

namespace {

/// Two blocks share the tiles of all groups: each goes from group to group and makes maps anew.
Config of_two_blocks() {
  Config config;
  config.main_loop = MainLoop::warp_specialised;
  config.blocks = 2;
  config.stages = 3;
  return config;
}

/// Groups of one tile to four, of few k-tiles and of many; one has no rows, one no k.
std::vector<GemmCase> groups_of(const std::string& text, int count) {
  constexpr Index kM[] = {64, 130, 1, 0, 77}, kN[] = {40, 130, 8, 64},
                  kK[] = {200, 0, 64, 8, 130, 72};
  std::vector<GemmCase> groups;
  for (int i = 0; i < count; ++i) {
    GemmCase one;
    one.problem = parse_problem(text);
    one.problem.groups.reset();
    one.problem.batch = 1;
    one.problem.m = kM[i % 5], one.problem.n = kN[i % 4], one.problem.k = kK[i % 6];
    one.problem.a.ld_elems = one.problem.b.ld_elems = 208 + 8 * (i % 3);
    one.problem.c.ld_elems = one.problem.d.ld_elems = 136;
    one.seed = static_cast<std::uint64_t>(i + 1);
    groups.push_back(std::move(one));
  }
  return groups;
}

std::string text_of_groups(int count) {
  return "M=130 N=130 K=200 batch=" + std::to_string(count) +
         " A=bf16:row B=bf16:col D=bf16:row alpha=1 beta=0 groups=each";
}

/// One fault: the words of a template that it changes, where they stand for the first time.
struct MapMutant {
  const char* name;
  const char* file;
  const char* was;
  const char* now;
  int groups = 13;
  bool is_of_parts = false;  ///< of K, too
};

constexpr const char* kTmaFile = "prelude/tma.cu";
constexpr const char* kEachFile = "kernel/each.cu";
// clang-format off
constexpr MapMutant kMapMutants[] = {
    {"a map is used without its acquire", kTmaFile, "asm volatile(\"fence.proxy.tensormap::generic.acquire.gpu [%0], 128;\" ::\"l\"(&to) : \"memory\");", "", 13, true},
    {"a map is used without its release", kTmaFile, "asm volatile(\"fence.proxy.tensormap::generic.release.gpu;\" ::: \"memory\");", "", 13, true},
    {"nobody waits for boxes that come by a map", kEachFile, "wait_for(full + kBarrierBytes * (i % kStages), i / kStages & 1)", "", 5},
    {"only the last k-tile is waited for", kEachFile, "i = max(issued - kStages, 0)", "i = max(end - 1, 0)", 5},
    {"half of a map is published", kTmaFile, "i < sizeof(TensorMap) / sizeof(uint4)", "i < sizeof(TensorMap) / sizeof(uint4) / 4", 13, true},
    {"a map keeps the last group's base", kTmaFile, "\"tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;\\n\\t\"", "", 13, true},
    {"lines are as long as the last group's", kTmaFile, "\"tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 0, %2;\\n\\t\"", ""},
    {"there are as many lines as in the last group", kTmaFile, "\"tensormap.replace.tile.global_dim.shared::cta.b1024.b32 [%0], 1, %3;\\n\\t\"", "", 13, true},
    {"lines lie as far apart as the last group's", kTmaFile, "global_dim.shared::cta.b1024.b32 [%0], 1, %3;\\n\\t\"\n      \"tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%0], 0, %4;\"", "global_dim.shared::cta.b1024.b32 [%0], 1, %3;\""},
    {"the first group's maps serve all", kEachFile, "at.matrix != map_group", "map_group < 0", 13, true},
    {"boxes come by the pair of maps before", kEachFile, "published[2 * map_turn], &stage_map_b", "published[2 * (kMapTurns - 1 - map_turn)], &stage_map_b", 13, true},
    {"B comes by A's map", kEachFile, "&stage_map_b = published[2 * map_turn + 1]", "&stage_map_b = published[2 * map_turn]", 13, true},
    {"blocks share their maps", kEachFile, "maps + blockIdx.x * 2 * kMapTurns", "maps", 13, true},
    {"the producer has a k-tile too few", kEachFile, "(own.k + kTileK - 1) / kTileK", "own.k / kTileK"},
    {"the consumers have a k-tile too few", kEachFile, "n = own.${n}, k_tiles = (own.k + kTileK - 1) / kTileK", "n = own.${n}, k_tiles = own.k / kTileK"},
    {"a group's tiles round down", kEachFile, "return (one.${m} + kTileM - 1) / kTileM *", "return one.${m} / kTileM *"},
    {"rows and columns of tiles are exchanged", kEachFile, "tiles_m, tiles_n, kRasterWidth", "tiles_n, tiles_m, kRasterWidth"},
    {"a tile is its neighbour's", kEachFile, "in_groups(tile - tiles_before[matrix]", "in_groups(max(tile - tiles_before[matrix] - 1, 0)"},
    {"a lane's tiles lie ahead of themselves", kEachFile, "before -= tiles;", ""},
    {"D is the next group's", kEachFile, "const EachGroup own = ends[matrix];\nconst int m = own.${m}, n = own.${n}, k_tiles", "const EachGroup own = ends[min(matrix + 1, kProblemGroups - 1)];\nconst int m = own.${m}, n = own.${n}, k_tiles"},
};
// clang-format on

/// The built-in templates with the fault in them.
TemplateSet with_fault(const MapMutant& mutant) {
  std::ifstream in(std::string(JUTE_SOURCE_DIR "/kernels_templates/") + mutant.file);
  REQUIRE(in);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  const size_t place = text.find(mutant.was);
  REQUIRE(place != std::string::npos);
  text.replace(place, std::string(mutant.was).size(), mutant.now);
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / mutant.file;
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
  return TemplateSet::from_directory(folder.path().string());
}

Context context_with(std::optional<TemplateSet> templates, Schedule schedule) {
  ContextOptions options = with_kept_kernels();
  options.templates = std::move(templates);
  EmulatorOptions emulator;
  emulator.check = Check::full;
  emulator.schedule = schedule;
  emulator.warp_instructions_per_block = 400'000;
  return Context(open_emulator(emulator), options);
}

/// Faults of a run of parts of K, of which one is empty, and infinities lie behind each.
std::string faults_of_parts(std::optional<TemplateSet> templates, Schedule schedule) {
  GemmCase one;
  one.problem = parse_problem(
      "M=130 N=130 K=640 batch=13 A=bf16:col:ld136 B=bf16:row:ld136 D=bf16:row groups=k");
  one.config = of_two_blocks();
  one.config.carry_a = one.config.carry_b = Transfer::tma;
  one.ends = {70, 70, 71, 199, 263, 300, 301, 430, 440, 504, 568, 600, 630};
  one.fill = Fill::special;
  Context context = context_with(std::move(templates), schedule);
  try {
    CHECK(
        makes_maps(gemm_step(make_plan(one.problem, context.backend().device_info(), one.config))));
    return describe(one, run_case(context, one, make_data(one)));
  } catch (const std::exception& finding) {
    return finding.what();
  }
}

/// Faults of a run of two blocks; empty where all is well.
std::string faults_of(int count, std::optional<TemplateSet> templates = std::nullopt,
                      Schedule schedule = Schedule::fixed) {
  Context context = context_with(std::move(templates), schedule);
  try {
    const std::string problem = text_of_groups(count);
    EachRun run(context, parse_problem(problem), groups_of(problem, count), of_two_blocks());
    CHECK(makes_maps(gemm_step(run.gemm.plan())));
    run.run();
    return run.failures();
  } catch (const std::exception& finding) {
    return finding.what();
  }
}

}  // namespace

TEST_CASE("blocks that go from group to group make each one's maps in time",
          "[gemm][groups][each]") {
  for (const int count : {5, 13})
    for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random}) {
      INFO(count << " groups");
      CHECK(faults_of(count, std::nullopt, schedule) == "");
    }
}

TEST_CASE("every fault of maps that a kernel makes shows", "[gemm][groups][each][mutation]") {
  REQUIRE(faults_of(13) == "");
  for (const MapMutant& mutant : kMapMutants) {
    INFO(mutant.name);
    CHECK(faults_of(mutant.groups, with_fault(mutant)) != "");
  }
}

TEST_CASE("every fault of maps of parts of K shows", "[gemm][groups][parts_of_k][mutation]") {
  for (const Schedule schedule : {Schedule::fixed, Schedule::late, Schedule::random})
    CHECK(faults_of_parts(std::nullopt, schedule) == "");
  for (const MapMutant& mutant : kMapMutants) {
    if (!mutant.is_of_parts) continue;
    INFO(mutant.name);
    CHECK(faults_of_parts(with_fault(mutant), Schedule::fixed) != "");
  }
}

TEST_CASE("maps take no more of the workspace than groups may", "[gemm][groups][each]") {
  for (const int count : {1, 2, 7, 8, 64, 4096}) {
    INFO(count << " groups");
    const Plan plan = make_plan(parse_problem(text_of_groups(count)), device_preset("h200"));
    const GemmStep& step = gemm_step(plan);
    CHECK(makes_maps(step));
    CHECK(workspace_bytes(plan) <= 65'536 + Index{512} * count);
  }
}
