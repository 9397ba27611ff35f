// `jute tune --chip`: loops that run on the emulator, what a report says, what is kept of a chip.
#include <jute/emulator/emulator.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "cli/command.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"
#include "tune/chip_loops.hpp"
#include "tune/chip_report.hpp"

using namespace jute;
using namespace jute::test;

namespace {

std::vector<std::string> names_of(const std::vector<OwnFigure>& figures) {
  std::vector<std::string> names;
  for (const OwnFigure& one : figures) names.push_back(one.name);
  return names;
}

/// As if it had been measured, half of what the row says.
tuning::ChipReport halved(const char* preset) {
  tuning::ChipReport report{.device = device_preset(preset)};
  for (const NamedFigure& one : figures(chip_figures(report.device)))
    if (one.figure.value > 0 && !one.name.ends_with("mhz"))
      report.measured.push_back(
          {std::string(one.name), one.figure.value / 2, "measured 2026-11-29: by halving"});
  report.device.own_figures = report.measured;
  return report;
}

}  // namespace

TEST_CASE("loops that measure a chip run on it, for every figure that it has", "[cli][tune]") {
  struct Chip {
    const char* preset;
    size_t products;  // of tensor cores
  };
  for (const Chip& chip : {Chip{"t4", 3}, Chip{"a100", 5}, Chip{"l4", 6}, Chip{"h200", 10}}) {
    INFO(chip.preset);
    const auto emulator = open_emulator({.device = device_preset(chip.preset)});
    const std::vector<OwnFigure> found = tuning::figures_by_loops(
        *emulator, settings_from_environment(), Catalogue(), {.rounds = 1, .blocks = 1});
    const std::vector<std::string> names = names_of(found);
    CHECK(std::ranges::count_if(names, [](const std::string& name) {
            return name.starts_with("mma_") || name.starts_with("group_");
          }) == static_cast<std::ptrdiff_t>(chip.products));
    for (const char* name : {"l2_bytes", "l2_same_bytes", "smem_bytes", "special_functions",
                             "thread_singles", "thread_doubles", "thread_integers"})
      CHECK(std::ranges::count(names, name) == 1);
    const ChipFigures row = chip_figures(device_preset(chip.preset));
    for (const NamedFigure& one : figures(row))  // nothing is measured that the chip has not
      if (one.figure.value == 0) CHECK(std::ranges::count(names, one.name) == 0);
    for (const OwnFigure& one : found) {
      CHECK((std::isfinite(one.value) && one.value > 0));
      CHECK(one.origin.starts_with("measured 20"));
    }
    CHECK(tuning::memory_read_gb_s(*emulator, settings_from_environment(), 1) > 0);
  }
}

TEST_CASE("the widest instruction of a figure's types is what is measured", "[cli][tune]") {
  const Catalogue catalogue;
  const auto name = [&](const char* figure, const char* preset) {
    const auto atom = tuning::atom_of_figure(figure, device_preset(preset).arch, catalogue);
    return atom ? atom->name : std::string();
  };
  CHECK(name("mma_halves", "a100") == "SM80_16x8x16_F32F16F16F32_TN");
  CHECK(name("group_halves", "h200").starts_with("SM90_64x128x16_F32F16F16_SS"));
  CHECK(name("group_halves", "a100").empty());
  CHECK(name("mma_bytes", "a100").empty());
  CHECK(name("watts", "h200").empty());
  CHECK_THROWS_AS(tuning::product_loop(catalogue.mma("UniversalFMA<float>"), Arch{80}), Exception);
}

TEST_CASE("a report is a row, and says what nobody measured", "[cli][tune]") {
  const tuning::ChipReport report = halved("l4");
  const std::vector<std::string> without = tuning::not_measured(report);
  CHECK(std::ranges::count(without, "mhz") == 1);
  CHECK(std::ranges::count(without, "memory_gb_s") == 0);
  CHECK(without.size() + report.measured.size() == figures(ChipFigures{}).size());
  const std::string row = tuning::row_text(report);
  CHECK(row.starts_with("constexpr FigureProbe kTuned{\"2026-11-29\", \"jute tune --chip\"};\n"));
  CHECK(row.find(".chip = \"l4\", .arch = 89,") != std::string::npos);
  CHECK(row.find(".memory_gb_s = measured(150, kTuned),") != std::string::npos);
  CHECK(row.find(".mhz = sheet(2040),") != std::string::npos);
  CHECK(row.find(".tma_issue = kNone,") != std::string::npos);
  CHECK(row.ends_with("},\n"));
  tuning::ChipReport other = report;
  other.device.name = "NVIDIA GeForce RTX 4070 Ti";
  CHECK(tuning::row_text(other).find(".chip = \"rtx4070ti\"") != std::string::npos);
  const std::string text = tuning::to_text(report);
  CHECK(text.starts_with("l4 sm_89 58 SMs\n"));
  CHECK(text.find("measured 2026-11-29: by halving") != std::string::npos);
  CHECK(text.find("Nothing is kept.") != std::string::npos);
  // What is printed can be kept.
  const ChipTables tables{report.measured, {}};
  CHECK(parse_chip_tables(to_string(tables, report.device), report.device) == tables);
}

TEST_CASE("the emulator measures no chip, and says which figures stay as they are", "[cli][tune]") {
  const ProcessResult text =
      run_jute({"tune", "--chip"}, {.environment = {{"JUTE_DEVICE", "emulator"}}});
  CHECK(text.status == 0);
  CHECK(text.out.find("Not measured, as the emulator takes no time of a chip's: mhz, thread_mhz") !=
        std::string::npos);
  CHECK(text.out.find("Nothing is kept.") != std::string::npos);
  CHECK(text.out.find("measured(") == std::string::npos);
  const ProcessResult json =
      run_jute({"tune", "--chip", "--json"}, {.environment = {{"JUTE_DEVICE", "emulator"}}});
  CHECK(json.status == 0);
  CHECK(json.out.find("\"not_measured\"") != std::string::npos);
}

TEST_CASE("a file of one's own chip is a preset, and is refused by its line", "[cli][tune]") {
  const TemporaryFolder folder;
  const std::string path = folder.file("l4.txt");
  const auto keep = [&](const std::string& value) {
    std::ofstream(path) << "jute-chip 1\ndevice NVIDIA L4 sm_89 58 SMs\nfigure\tmemory_gb_s\t"
                        << value << "\tmeasured by hand\n";
  };
  keep("150");
  const ProcessResult chip = run_jute({"chips", path});
  CHECK(chip.status == 0);
  CHECK(chip.out.find("memory_gb_s             150  GB/s: the device's memory (measured: kept for "
                      "this chip)") != std::string::npos);
  const std::vector<std::string> words{
      "plan", "--m", "16", "--n", "4096", "--k", "4096", "--type", "f16", "--device-preset", path};
  const ProcessResult plan = run_jute(words);
  CHECK(plan.status == 0);
  CHECK(plan.out.find("NVIDIA L4") != std::string::npos);
  CHECK(plan.out.find("at 150 GB/s") != std::string::npos);
  keep("x");
  const ProcessResult refused = run_jute(words);
  CHECK(refused.status != 0);
  CHECK(refused.err.find("line 3: memory_gb_s must be a finite number above 0, not 'x'") !=
        std::string::npos);
}
