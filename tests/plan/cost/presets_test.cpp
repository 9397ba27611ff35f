// Predictions follow the rows of the chip table: its bandwidth, its rates of instructions, and
// nothing takes less than both allow.
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/choose/considered.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "support/catch.hpp"
#include "support/problem_of.hpp"

using namespace jute;

namespace {

struct ChipProblem {
  test::ProblemTypes types;
  Index m, n, k, batch = 1;
};

Problem problem_on_chip(const ChipProblem& of) {
  Problem problem = test::problem_of(of.m, of.n, of.k, of.types, {Order::row, Order::col});
  problem.batch = of.batch;
  problem.beta = Factor::zero;
  return completed(problem);
}

constexpr test::ProblemTypes kF16{DType::f16, DType::f16}, kBf16{DType::bf16, DType::bf16},
    kTf32{DType::tf32, DType::f32}, kF32{}, kS8{DType::s8, DType::s32},
    kF64{DType::f64, DType::f64};

/// Microseconds on the chip: as predicted, of its bytes as kernels read them, of its products by
/// the instruction that is planned.
struct ChipTimes {
  double predicted, memory, products;
};
ChipTimes chip_times(const ChipProblem& of, const DeviceInfo& device) {
  const Problem problem = problem_on_chip(of);
  const ChipFigures chip = chip_figures(device);
  const Plan plan = make_plan(problem, device);
  const GemmStep& step = gemm_step(plan);
  const std::optional<Prediction> prediction = prediction_of(plan);
  REQUIRE(prediction);
  const std::optional<double> rate =
      greatest_rate(chip, step.mma.atom().form, of.types.ab, step.accumulate);
  REQUIRE(rate);
  const auto m = static_cast<double>(of.m), n = static_cast<double>(of.n),
             k = static_cast<double>(of.k), batch = static_cast<double>(of.batch);
  const double bytes =
      batch * ((m + n) * k * width_bytes(of.types.ab) + m * n * width_bytes(of.types.cd));
  return {.predicted = prediction->clocks / chip.seen_mhz.value,
          .memory = bytes / (chip.memory_seen_gb_s.value * 1e3),
          .products = batch * m * n * k / (*rate * device.sm_count * chip.seen_mhz.value)};
}

constexpr std::array kChips{"a100", "l40s", "rtx4090"};
constexpr double kNear = 0.15, kMostOfRate = 2;

}  // namespace

TEST_CASE("what memory bounds takes the time of the row's bandwidth", "[plan][cost][presets]") {
  constexpr ChipProblem kProblems[] = {{kF16, 16, 8192, 8192},   {kF16, 1, 16384, 16384},
                                       {kF16, 32, 16384, 8192},  {kF16, 8, 28672, 8192},
                                       {kBf16, 4, 16384, 28672}, {kF32, 1, 16384, 16384},
                                       {kS8, 16, 16384, 16384},  {kTf32, 16, 16384, 8192},
                                       {kF16, 64, 8192, 28672},  {kS8, 32, 16384, 16384}};
  for (const char* preset : kChips)
    for (const ChipProblem& problem : kProblems) {
      const ChipTimes times = chip_times(problem, device_preset(preset));
      INFO(preset << " " << problem_on_chip(problem) << ": " << times.predicted << " us of "
                  << times.memory);
      CHECK(times.memory > 2 * times.products);
      CHECK(times.predicted == Approx(times.memory).epsilon(kNear));
    }
}

TEST_CASE("what products bound takes as much of the row's rate of the instruction on every chip",
          "[plan][cost][presets]") {
  // Tiles by mma.sync were timed where few blocks run, by threads and of f64 where products bound:
  // the part of the rate that is expected may not depend on the chip.
  constexpr ChipProblem kProblems[] = {{kF16, 8192, 8192, 8192},  {kBf16, 8192, 8192, 8192},
                                       {kF16, 16384, 4096, 8192}, {kF16, 4096, 16384, 4096},
                                       {kTf32, 8192, 8192, 8192}, {kTf32, 4096, 8192, 8192},
                                       {kS8, 8192, 8192, 16384},  {kF32, 4096, 4096, 4096},
                                       {kF32, 8192, 2048, 4096},  {kF64, 4096, 4096, 4096}};
  for (const ChipProblem& problem : kProblems)
    for (const char* preset : kChips) {
      const DeviceInfo device = device_preset(preset);
      const ChipTimes times = chip_times(problem, device);
      INFO(preset << " " << problem_on_chip(problem) << ": " << times.predicted << " us of "
                  << times.products);
      CHECK(times.products > times.memory);
      CHECK(times.predicted >= times.products);
      CHECK(times.predicted <= kMostOfRate * times.products);
      ChipProblem twice = problem;
      twice.k *= 2;
      CHECK(chip_times(twice, device).predicted == Approx(2 * times.predicted).epsilon(kNear));
    }
}

TEST_CASE("nothing is expected below the roofline of any row", "[plan][cost][presets]") {
  constexpr ChipProblem kProblems[] = {
      {kF16, 1, 4096, 4096},  {kF16, 16, 8192, 8192},    {kF32, 2, 9000, 4096},
      {kF64, 4, 8192, 4096},  {kF64, 1024, 1024, 1024},  {kF32, 2048, 2048, 2048},
      {kS8, 4, 8192, 8192},   {kF16, 64, 64, 64, 20000}, {kTf32, 2048, 2048, 2048},
      {kF64, 64, 64, 64, 50}, {kF32, 8, 8, 4, 200000},   {kBf16, 3, 8192, 5001},
      {kF16, 2048, 4096, 64}, {kS8, 4096, 4096, 4096},   {kF32, 512, 512, 16}};
  for (const DeviceInfo& device : device_presets()) {
    const ChipFigures chip = chip_figures(device);
    for (const ChipProblem& of : kProblems) {
      const Problem problem = problem_on_chip(of);
      const std::vector<Considered> list = considered(problem, device);
      const auto m = static_cast<double>(of.m), n = static_cast<double>(of.n),
                 k = static_cast<double>(of.k), batch = static_cast<double>(of.batch);
      const double bytes =
          batch * ((m + n) * k * width_bytes(of.types.ab) + m * n * width_bytes(of.types.cd));
      const double memory_us = bytes / (chip.memory_gb_s.value * 1e3);
      const std::optional<double> rate =
          greatest_rate(chip, of.types.ab, is_integer(of.types.cd) ? DType::s32 : of.types.cd);
      const double mhz = std::max(chip.thread_mhz.value, chip.mhz.value);
      const double products_us = rate ? batch * m * n * k / (*rate * device.sm_count * mhz) : 0;
      for (const Considered& one : list) {
        if (!one.prediction) continue;
        INFO(chip.chip << " " << problem << ": " << one.text);
        CHECK(one.prediction->clocks / chip.seen_mhz.value >=
              (1 - 1e-9) * std::max(memory_us, products_us));
      }
    }
  }
}
