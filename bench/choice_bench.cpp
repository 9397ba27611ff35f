// How well the cost model chooses: times that a GPU took for the candidates of many problems, and
// what the model of now would have chosen among them.
//   choice_bench [--worst N] FILE.csv...     columns [type,] m, n, k, order_a, order_b, us, choices
//   choice_bench --works FILE.csv...         what the law's kernels among them do, for fit.py;
//     of a file whose times are `expected_us`, what a former model expected of kernels never timed
#include <jute/launch/device_presets.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/law_columns.hpp>
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
#include <limits>
#include <map>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jute::bench {
namespace {

constexpr double kNear = 1.05;  // of the fastest: as good as it
constexpr std::string_view kColumns = "m,n,k,order_a,order_b,us,choices", kTypeFirst = "type,";
constexpr std::string_view kExpected = "type,m,n,k,order_a,order_b,expected_us,choices";

struct Timed {
  std::string choices;
  double us, clocks;  ///< as measured, as expected
  bool is_usual;      ///< is its release what planning gives such a tile?
};
/// `bf16 8x808x474 col row`, and its candidates.
using Times = std::map<std::string, std::vector<Timed>>;

/// Of a line: the type, then kColumns, the last of which is in quotes.
using Cells = std::array<std::string, 8>;
Cells cells_of(const std::string& line, bool names_type) {
  Cells cells{"bf16"};
  std::istringstream text(line);
  for (std::string& cell : std::span(cells).subspan(names_type ? 0 : 1).first(names_type ? 7 : 6))
    std::getline(text, cell, ',');
  if (!(text >> std::quoted(cells.back()))) throw std::runtime_error("too few cells: " + line);
  return cells;
}

Problem problem_of(const Cells& cells) {
  Problem problem;
  problem.m = std::stoll(cells[1]);
  problem.n = std::stoll(cells[2]);
  problem.k = std::stoll(cells[3]);
  const DType type = parse_dtype(cells[0]);
  problem.a.type = problem.b.type = type;
  problem.c.type = problem.d.type = usual_output_type(type);
  problem.a.order = cells[4] == "row" ? Order::row : Order::col;
  problem.b.order = cells[5] == "row" ? Order::row : Order::col;
  problem.alpha = Factor::one;
  problem.beta = Factor::zero;
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

/// Calls `look` with each row's cells and problem.
template <class Look>
void for_rows(const std::string& path, const Look& look) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  const bool names_type = line.starts_with(kTypeFirst);
  if (line != kExpected && line.substr(names_type ? kTypeFirst.size() : 0) != kColumns)
    throw std::runtime_error(path + ": other columns");
  while (std::getline(file, line)) {
    const Cells cells = cells_of(line, names_type);
    look(cells, problem_of(cells));
  }
}

bool is_expected(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) && line == kExpected;
}

std::string name_of(const Cells& cells) {
  return fmt::format("{} {}x{}x{} {} {}", cells[0], cells[1], cells[2], cells[3], cells[4],
                     cells[5]);
}

/// Choices that were timed; none where D has come to need what they took.
std::optional<Plan> planned_now(const Problem& problem, const DeviceInfo& device,
                                const Config& config) {
  try {
    return make_plan(problem, device, config);
  } catch (const Exception& exception) {
    if (exception.error().code != ErrorCode::illegal_config) throw;
    return std::nullopt;
  }
}

void read(const std::string& path, const DeviceInfo& device, Times& times) {
  if (is_expected(path)) throw std::runtime_error(path + ": expected, not timed: --works takes it");
  int gone = 0;
  for_rows(path, [&](const Cells& cells, const Problem& problem) {
    const Config config = parse_config(cells.back());
    if (const auto plan = planned_now(problem, device, config))
      times[name_of(cells)].push_back({cells.back(), std::stod(cells[6]),
                                       prediction_of(*plan)->clocks,
                                       is_released_as_usual(problem, device, config)});
    else
      ++gone;
  });
  if (gone > 0) std::cerr << path << ": " << gone << " rows are no longer planned\n";
}

std::string text_of(const Field& field) {
  if (const auto* number = std::get_if<Index>(&field.value)) return std::to_string(*number);
  return std::get<std::string>(field.value);
}

/// Of a problem with rows of the law, the kernel of no such family of which least is expected: what
/// those are chosen beside.
struct Rival {
  double measured = 0, clocks = std::numeric_limits<double>::infinity();
  bool is_of_law = false;
};
using Rivals = std::map<std::string, Rival>;

void print_rivals(const Rivals& rivals) {
  const auto amounts = std::ssize(law_column_names()) - 2;  // but for the family and the clocks
  const std::string none(static_cast<size_t>(amounts), ',');
  for (const auto& [problem, rival] : rivals)
    if (rival.is_of_law && std::isfinite(rival.clocks))
      fmt::print("{},other,{}{:.6g},{:.6g}\n", problem, none, rival.measured, rival.clocks);
}

/// The chip, and a line for each row that the law speaks of: its amounts, its measured clocks, and
/// what the law makes of it now; behind them rivals.
void print_works(std::span<const std::string> paths, const DeviceInfo& device) {
  std::string chip;
  for (const Field& rate : law_rates(device))
    if (rate.name != "seen_mhz") chip += fmt::format(" {}={}", rate.name, text_of(rate));
  fmt::print("# {}:{}\nproblem", device.name, chip);
  for (const std::string& name : law_column_names())
    fmt::print("{},{}", name == "clocks" ? ",measured" : "", name);
  fmt::print("\n");
  const double mhz = chip_figures(device).seen_mhz.value;
  Rivals rivals;
  for (const std::string& path : paths) {
    const std::string_view former = is_expected(path) ? "former:" : "";
    for_rows(path, [&](const Cells& cells, const Problem& problem) {
      const std::optional<Plan> plan = planned_now(problem, device, parse_config(cells.back()));
      if (!plan) return;
      const std::optional<Fields> columns = law_columns(gemm_step(*plan), device);
      const double measured = std::stod(cells[6]) * mhz;
      Rival& rival = rivals[name_of(cells)];
      if (!columns) {
        const double clocks = prediction_of(*plan)->clocks;
        if (clocks < rival.clocks) rival = {measured, clocks, rival.is_of_law};
        return;
      }
      rival.is_of_law = true;
      fmt::print("{},{}", name_of(cells), former);
      for (const Field& column : *columns) {
        if (column.name == "clocks") fmt::print(",{:.6g}", measured);
        fmt::print("{}{}", &column == &columns->front() ? "" : ",", text_of(column));
      }
      fmt::print("\n");
    });
  }
  print_rivals(rivals);
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

/// The word behind `main_loop=`.
std::string_view main_loop_of(std::string_view choices) {
  constexpr std::string_view kName = " main_loop=";
  choices.remove_prefix(choices.find(kName) + kName.size());
  return choices.substr(0, choices.find(' '));
}

/// Of some problems, how often and how well the model chose; and by how much the clocks that it
/// expects of others, for one of its choice, are not what was measured.
struct Share {
  int count = 0, near = 0;
  double logarithms = 0;
  std::vector<double> errors;
  void add(double ratio, std::span<const double> wrong) {
    ++count;
    near += ratio <= kNear;
    logarithms += std::log(ratio);
    errors.insert(errors.end(), wrong.begin(), wrong.end());
  }
};

/// Of the others that are expected to take little more than the choice: far ones decide nothing.
std::vector<double> errors_beside(const Timed& chosen, std::span<const Timed> all) {
  constexpr double kClose = 1.25;
  std::vector<double> errors;
  for (const Timed& other : all) {
    const double expected = other.clocks / chosen.clocks;
    if (&other != &chosen && expected <= kClose)
      errors.push_back(std::abs(other.us / chosen.us / expected - 1));
  }
  return errors;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + std::ssize(values) / 2;
  std::ranges::nth_element(values, middle);
  return *middle;
}

std::string to_string(const Share& share) {
  return fmt::format(
      "the model's choice is within 5 % of the fastest for {} of {} ({:.1f} %), {:.4f} of it in "
      "the mean; expected ratios to it are {:.1f} % off in the median",
      share.near, share.count, 100.0 * share.near / share.count,
      std::exp(share.logarithms / share.count), 100 * median(share.errors));
}

void report(const Times& times, int worst) {
  std::vector<Choice> choices;
  std::map<std::string, Share> shares;  // of all, of a type, of a type's kernels of one main loop
  for (const auto& [problem, timed] : times) {
    const std::vector<Timed> all = as_released(timed);
    if (all.size() < 2) continue;
    const Timed& chosen = *std::ranges::min_element(all, {}, &Timed::clocks);
    const Choice choice{problem, chosen, *std::ranges::min_element(all, {}, &Timed::us)};
    const std::vector<double> errors = errors_beside(chosen, all);
    const std::string type = problem.substr(0, problem.find(' '));
    const std::string loop = fmt::format("{} {}", type, main_loop_of(choice.chosen.choices));
    for (const std::string& kind : {std::string("all"), type, loop})
      shares[kind].add(choice.ratio(), errors);
    choices.push_back(choice);
  }
  if (choices.empty()) throw std::runtime_error("no problem has two candidates");
  for (const auto& [kind, share] : shares) fmt::print("{}: {}\n", kind, to_string(share));
  std::ranges::sort(choices, std::greater(), &Choice::ratio);
  for (const Choice& choice : std::span(choices).first(std::min<size_t>(choices.size(), worst)))
    fmt::print("{:.3f}  {}\n  {:.2f} us  {}\n  {:.2f} us  {}\n", choice.ratio(), choice.problem,
               choice.chosen.us, choice.chosen.choices, choice.best.us, choice.best.choices);
}

int run(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments.front() == "--works") {
    print_works(std::span(arguments).subspan(1), device_preset("h200"));
    return 0;
  }
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
