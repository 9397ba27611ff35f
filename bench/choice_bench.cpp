// How well the cost model chooses: times that a GPU took for the candidates of many problems, and
// what the model of now would have chosen among them.
//   choice_bench [--worst N] FILE.csv...     columns m, n, k, order_a, order_b, us, choices
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/values/plan.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace jute::bench {
namespace {

constexpr double kNear = 1.05;  // of the fastest: as good as it

struct Timed {
  std::string choices;
  double us, clocks;  ///< as measured, as expected
  bool is_usual;      ///< is its release what planning gives such a tile?
};
/// `8x808x474 col row`, and its candidates.
using Times = std::map<std::string, std::vector<Timed>>;

/// Of a line; the last, `choices`, is in quotes.
using Cells = std::array<std::string, 7>;
Cells cells_of(const std::string& line) {
  Cells cells;
  std::istringstream text(line);
  for (std::string& cell : std::span(cells).first<6>()) std::getline(text, cell, ',');
  if (!(text >> std::quoted(cells[6]))) throw std::runtime_error("too few cells: " + line);
  return cells;
}

Problem problem_of(const Cells& cells) {
  Problem problem;
  problem.m = std::stoll(cells[0]);
  problem.n = std::stoll(cells[1]);
  problem.k = std::stoll(cells[2]);
  for (Matrix* matrix : {&problem.a, &problem.b, &problem.c, &problem.d})
    matrix->type = DType::bf16;
  problem.a.order = cells[3] == "row" ? Order::row : Order::col;
  problem.b.order = cells[4] == "row" ? Order::row : Order::col;
  problem.alpha = Scale::one;
  problem.beta = Scale::zero;
  return completed(problem);
}

/// Is the release what planning would give a kernel of which all else is chosen?
bool is_released_as_usual(const Problem& problem, const DeviceInfo& device, Config config) {
  const auto release = std::exchange(config.release, std::nullopt);
  const auto released = [](const Plan& plan) {
    for (const Step& step : plan.steps)
      if (const auto* gemm = std::get_if<GemmStep>(&step)) return gemm->schedule.releases;
    return Release::never;
  };
  return !release || released(make_plan(problem, device, config)) == *release;
}

void read(const std::string& path, const DeviceInfo& device, Times& times) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  if (line != "m,n,k,order_a,order_b,us,choices")
    throw std::runtime_error(path + ": other columns");
  while (std::getline(file, line)) {
    const Cells cells = cells_of(line);
    const Problem problem = problem_of(cells);
    const Config config = parse_config(cells[6]);
    const auto expected = prediction_of(make_plan(problem, device, config));
    if (expected)
      times[fmt::format("{}x{}x{} {} {}", cells[0], cells[1], cells[2], cells[3], cells[4])]
          .push_back({cells[6], std::stod(cells[5]), expected->clocks,
                      is_released_as_usual(problem, device, config)});
  }
}

/// Of kernels that differ in their release alone the usual one: planning never compares the others.
std::vector<Timed> as_released(const std::vector<Timed>& all) {
  const auto but_for_release = [](const Timed& one) {
    return one.choices.substr(0, one.choices.find(" release="));
  };
  std::vector<Timed> kept;
  for (const Timed& one : all) {
    const auto is_alike = [&](const Timed& other) {
      return but_for_release(other) == but_for_release(one);
    };
    if (one.is_usual || std::ranges::count_if(all, is_alike) == 1) kept.push_back(one);
  }
  return kept;
}

/// What the model chooses, and the fastest.
struct Choice {
  std::string problem;
  Timed chosen, best;
  [[nodiscard]] double ratio() const { return chosen.us / best.us; }
};

void report(const Times& times, int worst) {
  std::vector<Choice> choices;
  double logarithms = 0;
  for (const auto& [problem, timed] : times) {
    const std::vector<Timed> all = as_released(timed);
    if (all.size() < 2) continue;
    choices.push_back({problem, *std::ranges::min_element(all, {}, &Timed::clocks),
                       *std::ranges::min_element(all, {}, &Timed::us)});
    logarithms += std::log(choices.back().ratio());
  }
  if (choices.empty()) throw std::runtime_error("no problem has two candidates");
  const auto count = static_cast<double>(choices.size());
  const auto near =
      std::ranges::count_if(choices, [](const Choice& choice) { return choice.ratio() <= kNear; });
  fmt::print(
      "{} problems: the model's choice is within 5 % of the fastest for {} ({:.1f} %), {:.4f} of "
      "it in the mean\n",
      choices.size(), near, 100 * static_cast<double>(near) / count, std::exp(logarithms / count));
  std::ranges::sort(choices, std::greater(), &Choice::ratio);
  for (const Choice& choice : std::span(choices).first(std::min<size_t>(choices.size(), worst)))
    fmt::print("{:.3f}  {}\n  {:.2f} us  {}\n  {:.2f} us  {}\n", choice.ratio(), choice.problem,
               choice.chosen.us, choice.chosen.choices, choice.best.us, choice.best.choices);
}

int run(const std::vector<std::string>& arguments) {
  Times times;
  int worst = 0;
  for (size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--worst" && i + 1 < arguments.size())
      worst = std::max(0, std::atoi(arguments[++i].c_str()));
    else
      read(arguments[i], device_preset("h200"), times);
  report(times, worst);
  return 0;
}

}  // namespace
}  // namespace jute::bench

int main(int argc, char** argv) {
  try {
    return jute::bench::run({argv + 1, argv + argc});
  } catch (const std::exception& exception) {
    std::cerr << "choice_bench: " << exception.what() << '\n';
    return 1;
  }
}
