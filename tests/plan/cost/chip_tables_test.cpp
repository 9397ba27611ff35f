// What is kept of one chip: text and back, refused by field, and heard by predictions.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/law_columns.hpp>
#include <jute/plan/cost/chip_tables.hpp>

#include <algorithm>
#include <string>

#include "plan/cost/law.hpp"
#include "support/catch.hpp"
#include "support/problem_of.hpp"
#include "support/refusal.hpp"

using namespace jute;
using namespace jute::test;

namespace {

constexpr std::string_view kHead = "jute-chip 1\ndevice l4 sm_89 58 SMs\n";
const std::string kNumbers =
    "launch=1 product=0.9 read=0.5 copy=1.5 turn=40 end=0.25 store=12 sum=8";

std::string figure_line(const std::string& name, const std::string& value) {
  return "figure\t" + name + "\t" + value + "\tmeasured 2026-11-29: loops that read\n";
}

Error fault_of(const std::string& lines) {
  return refusal_of(
      [&] { return parse_chip_tables(std::string(kHead) + lines, device_preset("l4")); });
}

double clocks_of(const Problem& problem, const DeviceInfo& device) {
  return prediction_of(make_plan(problem, device)).value().clocks;
}

Problem halves(Index m, Index n, Index k) {
  return problem_of(m, n, k, {DType::f16, DType::f16}, {Order::row, Order::col});
}

}  // namespace

TEST_CASE("a chip's tables are text and back", "[plan][chip]") {
  const DeviceInfo l4 = device_preset("l4");
  const std::string text = std::string(kHead) + figure_line("memory_seen_gb_s", "251.5") +
                           figure_line("tma_issue", "0") + "coefficients\twarps_async\t2\t" +
                           kNumbers + "\n";
  const ChipTables tables = parse_chip_tables(text, l4);
  REQUIRE(tables.figures.size() == 2);
  CHECK(tables.figures.front() ==
        OwnFigure{"memory_seen_gb_s", 251.5, "measured 2026-11-29: loops that read"});
  REQUIRE(tables.coefficients.size() == 1);
  CHECK(tables.coefficients.front().values ==
        std::vector<double>{1, 0.9, 0.5, 1.5, 40, 0.25, 12, 8});
  CHECK(to_string(tables, l4) == text);
  CHECK(tables_of(with_tables(l4, tables)) == tables);
  CHECK(parse_chip_tables(kHead, l4) == ChipTables{});
}

TEST_CASE("a chip's tables are refused by line and field", "[plan][chip][refusal]") {
  const std::string numbers = "coefficients\twarps_async\t2\t" + kNumbers + "\n";
  const struct {
    std::string lines, rule;
  } wrong[] = {
      {"memory\n", "line 3: it must be 'figure'"},
      {figure_line("memry_seen_gb_s", "1"), "line 3: 'memry_seen_gb_s' must be a figure"},
      {figure_line("mhz", "fast"), "line 3: mhz must be a finite number above 0, not 'fast'"},
      {figure_line("mhz", "0"), "line 3: mhz must be a finite number above 0"},
      {figure_line("mhz", "-1"), "line 3: mhz must be"},
      {figure_line("mhz", "inf"), "line 3: mhz must be"},
      {figure_line("tma_issue", "nan"), "or 0 where the chip has none"},
      {figure_line("mhz", "2040") + figure_line("mhz", "2040"), "line 4: mhz must be said once"},
      {figure_line("seen_mhz", "2000") + figure_line("thread_mhz", "1900"),
       "seen_mhz must be at most thread_mhz, 1900"},
      {figure_line("memory_seen_gb_s", "400") + figure_line("memory_gb_s", "300"),
       "memory_seen_gb_s must be at most memory_gb_s, 300"},
      {"coefficients\twarp_async\t2\t" + kNumbers + "\n", "'warp_async' must be a family"},
      {"coefficients\twarps_async\t3\t" + kNumbers + "\n", "bytes must be 1, 2, 4 or 8, not '3'"},
      {"coefficients\twarps_async\t2\tlaunch=1 product=2\n", "coefficients must be 8, not 2"},
      {"coefficients\twarps_async\t2\t" + kNumbers + " more=1\n", "must be 8, not 9"},
      {"coefficients\twarps_async\t2\tproduct=1 launch=1\n", "'product=1' must be launch="},
      {"coefficients\twarps_async\t2\tlaunch=0\n", "'launch=0' must be launch="},
      {numbers + numbers, "line 4: warps_async of 2 bytes must be said once"}};
  for (const auto& [lines, rule] : wrong) {
    const Error fault = fault_of(lines);
    INFO(lines);
    CHECK(fault.code == ErrorCode::bad_file);
    CHECK(fault.violated_rules.at(0).find(rule) != std::string::npos);
  }
  CHECK(fault_of(wrong[1].lines).nearest_legal == "memory_seen_gb_s");
  CHECK(fault_of(wrong[0].lines + wrong[1].lines).violated_rules.size() == 2);
  const DeviceInfo l4 = device_preset("l4");
  for (const char* text : {"", "\n", "jute-chip 2\n", "jute-chip 1\n", "jute-chip 1\ndevice l4\n",
                           "jute-chip 1\ndevice h200 sm_90 132 SMs\n"})
    CHECK_THROWS_AS(parse_chip_tables(text, l4), Exception);
}

TEST_CASE("a text says which device it is of", "[plan][chip]") {
  const auto of = [](const std::string& line) {
    return device_of_chip_text("jute-chip 1\ndevice " + line + "\n" +
                               figure_line("memory_seen_gb_s", "240"));
  };
  const DeviceInfo own = of("NVIDIA L4 sm_89 40 SMs");
  CHECK(own.name == "NVIDIA L4");
  CHECK(own.sm_count == 40);
  CHECK(own.memory_bytes == device_preset("l4").memory_bytes);
  CHECK(own.own_figures.size() == 1);
  CHECK(of("some board sm_89 40 SMs").memory_bytes == device_preset("l40s").memory_bytes);
  for (const char* line : {"NVIDIA L4", "sm_89 40 SMs", "L4 sm_ 40 SMs", "L4 sm_89 0 SMs",
                           "L4 sm_89 x SMs", "L4 sm_91 40 SMs"})
    CHECK_THROWS_AS(of(line), Exception);
}

TEST_CASE("own figures stand in place of the row's, and predictions follow", "[plan][chip]") {
  const DeviceInfo l4 = device_preset("l4");
  const DeviceInfo slow = with_tables(
      l4, {{{"memory_gb_s", 150, "data sheet"}, {"memory_seen_gb_s", 129, "measured"}}, {}});
  const ChipFigures chip = chip_figures(slow);
  CHECK(chip.memory_gb_s.value == 150);
  CHECK(chip.memory_gb_s.source == FigureSource::data_sheet);
  CHECK(chip.memory_seen_gb_s.source == FigureSource::measured);
  CHECK(chip.mhz == chip_figures(l4).mhz);
  for (const Problem& problem : {halves(16, 8192, 8192), halves(64, 4096, 16384)}) {
    const double ratio = clocks_of(problem, slow) / clocks_of(problem, l4);
    CHECK(ratio > 1.7);
    CHECK(ratio < 2.1);
  }
  // A chip that nobody knows has a row of its architecture's, and its own figures beside it.
  DeviceInfo unknown = slow;
  unknown.name = "some board";
  CHECK(chip_figures(unknown).chip == "l40s");
  CHECK(chip_figures(unknown).memory_gb_s.value == 150);
  CHECK(chip_figures(unknown).mma_halves.source == FigureSource::derived);
}

TEST_CASE("own coefficients are used for the family and the nearest width", "[plan][cost]") {
  const DeviceInfo l4 = device_preset("l4");
  const ChipTables tables{{},
                          {{"warps_async", 2, {1, 0.9, 0.5, 1.5, 40, 0.25, 12, 8}},
                           {"warps_async", 8, {2, 1.9, 1.5, 2.5, 41, 1.25, 13, 9}}}};
  const DeviceInfo own = with_tables(l4, tables);
  using plan::coefficients_of;
  using plan::values_of;
  CHECK(values_of(coefficients_of(Family::warps_async, 1, own)) == tables.coefficients[0].values);
  CHECK(values_of(coefficients_of(Family::warps_async, 8, own)) == tables.coefficients[1].values);
  CHECK(values_of(coefficients_of(Family::threads_async, 4, own)) ==
        values_of(coefficients_of(Family::threads_async, 4, l4)));
  // What they say is what is predicted: longer turns of each k-tile take longer.
  DeviceInfo waiting = own;
  waiting.own_coefficients.front().values[4] = 40000;
  const Problem small = halves(256, 256, 16384);
  const Config config = parse_config("main_loop=multistage");
  const auto clocks = [&](const DeviceInfo& device) {
    return prediction_of(make_plan(small, device, config)).value().clocks;
  };
  CHECK(clocks(waiting) > 1.1 * clocks(own));
}

TEST_CASE("a kernel's work has the law's columns, whose clocks are those predicted",
          "[plan][cost]") {
  const DeviceInfo l4 = device_preset("l4");
  const Config config = parse_config("main_loop=multistage split_k=1");
  const Plan plan = make_plan(halves(1024, 1024, 1024), l4, config);
  const Fields columns = law_columns(gemm_step(plan), l4).value();
  std::vector<std::string> names;
  for (const Field& field : columns) names.push_back(field.name);
  CHECK(names == law_column_names());
  CHECK(std::get<std::string>(columns.front().value) == "warps_async");
  const double clocks = std::stod(std::get<std::string>(columns.back().value));
  CHECK(std::abs(clocks / prediction_of(plan).value().clocks - 1) < 1e-4);
  CHECK_FALSE(law_columns(gemm_step(make_plan(halves(4096, 4096, 4096), device_preset("h200"))),
                          device_preset("h200")));
}
