// The sentences that open a plan: every number in them is a value of the plan.
#include <jute/base/checked.hpp>
#include <jute/plan/run/bind.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <regex>
#include <set>

#include "plan/named_plans.hpp"
#include "support/catch.hpp"

using namespace jute;
using namespace jute::test;

namespace {

Summary summary_of(const Plan& plan, const Config& config) {
  return summary(plan, considered(plan.problem, plan.device, config), config);
}

std::vector<Index> integers_of(const std::string& text) {
  const std::regex digits("[0-9]+");
  std::vector<Index> list;
  for (std::sregex_iterator at(text.begin(), text.end(), digits), end; at != end; ++at)
    list.push_back(std::stoll(at->str()));
  return list;
}

std::string without(std::string text, const std::string& part) {
  const size_t at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.erase(at, part.size());
}

/// The values of a plan that its first sentence may name.
std::set<Index> values_of(const Plan& plan) {
  const GemmStep& step = gemm_step(plan);
  Index grid = 1;
  for (const Count& axis : step.grid) grid *= axis.evaluate(run_values(plan));
  std::set<Index> values{
      static_cast<Index>(plan.steps.size()),
      grid,
      step.threads,
      step.tile.m,
      step.tile.n,
      step.tile.k,
      step.schedule.stages,
      step.schedule.cluster.m,
      step.schedule.cluster.n,
      step.schedule.split_k,
      plan.device.sm_count,
      ceil_div(step.m.value, step.tile.m) * ceil_div(step.n.value, step.tile.n) * step.batch.value};
  for (const Role& role : step.schedule.roles) values.insert(role.warps);
  return values;
}

/// A number of a sentence, with its unit's power of ten.
double value_of(const std::string& digits, const std::string& unit) {
  const std::map<std::string, double> powers{{"", 1},    {"k", 1e3},  {"M", 1e6},
                                             {"G", 1e9}, {"T", 1e12}, {"P", 1e15}};
  return std::stod(digits) * powers.at(unit);
}
/// Are they the same in three digits, or in thousandths?
bool is_told(double told, double value) {
  return std::abs(told - value) <= std::max(0.006 * std::abs(value), 0.00051);
}

Index field_of(const Summary& told, const std::string& name) {
  for (const Field& field : fields(told))
    if (field.name == name) return std::get<Index>(field.value);
  FAIL("no field " << name);
  return 0;
}

void check_expected(const Summary& told) {
  const std::string number = "([0-9.]+)";
  const std::regex form("(?:Expected to take " + number + " us, " + number +
                        " % of them at the limit of|Nothing is predicted of such a kernel; by the "
                        "chip's data sheet it takes at least " +
                        number + " us, for) ([a-z-]+): " + number +
                        " ([kMGTP]?) ?multiply-adds take " + number + " us at " + number +
                        " in a clock of an SM, " + number + " MHz; " + number +
                        " ([kMGTP]?)B take " + number + " us at " + number + " GB/s\\.");
  std::smatch at;
  INFO(told.expected);
  REQUIRE(std::regex_match(told.expected, at, form));
  const auto us = [&](const char* field) {
    return 1e-3 * static_cast<double>(field_of(told, field));
  };
  const auto whole = [&](const char* field) { return static_cast<double>(field_of(told, field)); };
  CHECK(is_told(std::stod(at[1].matched ? at[1] : at[3]), us("expected_ns")));
  CHECK(at[1].matched == (field_of(told, "model_clocks") > 0));
  if (at[2].matched) CHECK(std::stoll(at[2]) == field_of(told, "percent_of_bound"));
  CHECK(at[4] == (told.time.bound == Bound::memory ? "memory" : "multiply-adds"));
  CHECK(is_told(value_of(at[5], at[6]), whole("multiply_adds")));
  CHECK(is_told(std::stod(at[7]), us("multiply_adds_ns")));
  CHECK(std::stoll(at[8]) == field_of(told, "multiply_adds_clock"));
  CHECK(std::stoll(at[9]) == field_of(told, "sm_mhz"));
  CHECK(is_told(value_of(at[10], at[11]), whole("bytes")));
  CHECK(is_told(std::stod(at[12]), us("memory_ns")));
  CHECK(is_told(std::stod(at[13]), whole("memory_mb_s") / 1000));
}

}  // namespace

TEST_CASE("every number of a plan's sentences is the value that it stands for",
          "[plan][summary][law]") {
  for (const NamedPlan& named : named_plans()) {
    INFO(named.name);
    const Plan plan = plan_of(named);
    const Summary told = summary_of(plan, named.config);
    const GemmStep& step = gemm_step(plan);
    const bool is_fma = step.mma.atom().form == MmaForm::fma;
    const std::string rest = without(
        told.runs, is_fma ? "in " + std::string(name(step.accumulate)) : step.mma.atom().ptx);
    INFO(told.runs);
    const std::set<Index> values = values_of(plan);
    for (const Index number : integers_of(rest)) CHECK(values.contains(number));
    CHECK(told.runs.find("tiles of " + std::to_string(step.tile.m) + "x" +
                         std::to_string(step.tile.n) + "x" + std::to_string(step.tile.k)) !=
          std::string::npos);
    check_expected(told);
    CHECK(field_of(told, "bound_ns") ==
          std::max(field_of(told, "multiply_adds_ns"), field_of(told, "memory_ns")));
    CHECK(field_of(told, "expected_ns") >= field_of(told, "bound_ns"));
    CHECK(field_of(told, "percent_of_bound") <= 100);
    const Index candidates =
        static_cast<Index>(considered(plan.problem, plan.device, named.config).size());
    CHECK(told.why.find("first of " + std::to_string(candidates) + " candidates") !=
          std::string::npos);
    const std::string asked = to_string(named.config);
    CHECK((told.why.find("Asked for: " + asked) != std::string::npos) == !asked.empty());
    CHECK(std::ranges::count(to_string(told), '\n') == 3);
  }
}

TEST_CASE("what a run moves and multiplies is the problem's", "[plan][summary]") {
  Problem problem = problem_of(100, 200, 300, {DType::bf16, DType::bf16});
  problem.batch = 4;
  problem.b.broadcast = true;
  problem.epilogue =
      Epilogue{parse_epilogue("y := relu(acc + bias[n] + x[m,n]); d = y; r = row_sum[m](y)")};
  const DeviceInfo h200 = device_preset("h200");
  const ExpectedTime time = expected_time(make_plan(problem, h200));
  CHECK(time.multiply_adds == 4.0 * 100 * 200 * 300);
  // A, one B, D and x for each matrix; bias as bf16 once; sums of rows in f32.
  CHECK(time.bytes == 2.0 * (4 * 100 * 300 + 300 * 200 + 2 * 4 * 100 * 200 + 200) + 4.0 * 4 * 100);

  // A mask: eight of a row's bits are a byte, and a row begins with a byte of its own.
  problem.epilogue = Epilogue{parse_epilogue("d = relu(acc); k = bit(acc > 0)")};
  const double plain = 2.0 * (4 * 100 * 300 + 300 * 200 + 4 * 100 * 200);
  CHECK(least_bytes(completed(problem)) == plain + 4 * 100 * 25);
  problem.n = 201;
  CHECK(least_bytes(completed(problem)) ==
        2.0 * (4 * 100 * 300 + 300 * 201 + 4 * 100 * 201) + 4 * 100 * 26);
  problem.n = 200;

  problem.epilogue.reset();
  problem.beta = Factor::run_time;
  CHECK(least_bytes(completed(problem), 0.0) == plain);
  CHECK(least_bytes(completed(problem), 0.5) == plain + 2.0 * 4 * 100 * 200);
  problem.beta = Factor::zero;
  CHECK(expected_time(make_plan(problem, h200)).bytes ==
        2.0 * (4 * 100 * 300 + 300 * 200 + 4 * 100 * 200));
  problem.m = 0;
  const Summary none = summary_of(make_plan(problem, h200), {});
  CHECK(none.expected == "There is nothing to multiply and nothing to move.");
  CHECK(none.time.us == 0);

  Problem split = problem_of(512, 512, 512);
  split.precision = Precision::tf32x3;
  CHECK(expected_time(make_plan(split, h200)).multiply_adds == 3.0 * 512 * 512 * 512);
}

TEST_CASE("a chip that no kernels are made for is told, and no other", "[plan][summary]") {
  const Problem halves = problem_of(512, 512, 512, {DType::bf16, DType::bf16});
  for (const Arch arch : known_arches()) {
    INFO(arch);
    const bool is_own = arch.number < 90 || arch == Arch{90, 'a'};
    const DType type = arch.number < 80 ? DType::f16 : DType::bf16;
    const Problem problem = problem_of(512, 512, 512, {type, type});
    const Plan plan = make_plan(problem, preset_for(arch));
    const std::string note = chip_note(plan);
    CHECK(note.empty() == is_own);
    if (is_own) continue;
    CHECK(note.starts_with("No kernels are made for " + to_string(arch)));
    CHECK(note.find(gemm_step(plan).mma.atom().name) != std::string::npos);
    CHECK(summary_of(plan, {}).why.starts_with(note));
  }
  CHECK(chip_note(make_plan(halves, preset_for(Arch{90}))).find("but for sm_90a") !=
        std::string::npos);
  CHECK(chip_note(make_plan(problem_of(512, 512, 512), preset_for(Arch{100, 'a'}))).empty());
}

TEST_CASE("the README says which chips have kernels of their own", "[plan][summary][docs]") {
  std::ifstream readme(JUTE_SOURCE_DIR "/README.md");
  std::map<std::string, bool> told;  // of an architecture: has it?
  const std::regex arch("`(sm_[0-9]+a?)`");
  for (std::string line; std::getline(readme, line);) {
    if (!line.starts_with("| `sm_")) continue;
    const std::string chips = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator at(chips.begin(), chips.end(), arch), end; at != end; ++at)
      told[(*at)[1]] = line.find("| none of their own") == std::string::npos;
  }
  for (const Arch known : known_arches()) {
    INFO(known);
    REQUIRE(told.contains(to_string(known)));
    const Problem problem = problem_of(512, 512, 512, {DType::f16, DType::f16});
    CHECK(told.at(to_string(known)) == chip_note(make_plan(problem, preset_for(known))).empty());
  }
  CHECK(told.size() == known_arches().size());
}
