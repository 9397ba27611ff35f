// Draws lanes of a distributed plan over time, and placements over their matrix.
#include "pictures/charts.hpp"

#include <jute/dist/distribution.hpp>

#include <algorithm>
#include <array>
#include <cmath>

#include "options/read_flag.hpp"
#include "pictures/svg.hpp"
#include "tree/numbers.hpp"
#include "tree/words.hpp"

namespace jute::command {
namespace {

using bench::Anchor;
using bench::Svg;

constexpr double kLanesLeft = 90, kLanesWide = 900, kBarHeight = 30, kLanesTop = 40,
                 kTitleLine = 16;
constexpr std::array<const char*, 2> kLaneColors{"#4c78a8", "#e8a33d"};

double end_of(const std::vector<StepTime>& times) {
  double end = 0;
  for (const StepTime& time : times) end = std::max(end, time.end_us);
  return std::max(end, 1e-3);
}

/// 1, 2 or 5 of a power of ten: ten ticks or fewer.
double tick_of(double end) {
  double step = std::pow(10.0, std::floor(std::log10(end / 10)));
  for (const double factor : {2.0, 2.5, 2.0})
    if (end / step > 10) step *= factor;
  return step;
}

std::string us_text(double us) { return bench::fixed(us, us < 100 ? 1 : 0); }

/// Words in lines of at most so many letters, where they have no longer one.
std::vector<std::string> lines_of_words(const std::string& text, std::size_t most) {
  std::vector<std::string> lines(1);
  for (const std::string& word : words_in(text)) {
    std::string& line = lines.back();
    if (!line.empty() && line.size() + 1 + word.size() > most)
      lines.push_back(word);
    else
      line += (line.empty() ? "" : " ") + word;
  }
  return lines;
}

}  // namespace

std::string lanes_svg(const DistributedPlan& plan) {
  const std::vector<StepTime> times = timeline(plan);
  const double end = end_of(times);
  constexpr std::size_t kMostLetters = 140;  // that are as wide as both lanes
  const std::vector<std::string> title = lines_of_words(to_string(plan.problem), kMostLetters);
  const double top = kLanesTop + kTitleLine * static_cast<double>(title.size() - 1);
  const double bottom = top + 2 * kBarHeight;
  const double names = 18 * static_cast<double>(plan.steps.size());
  Svg svg(kLanesLeft + kLanesWide + 40, bottom + 50 + names);
  for (std::size_t i = 0; i < title.size(); ++i)
    svg.text({kLanesLeft, 20 + kTitleLine * static_cast<double>(i)}, title[i]);
  const auto x = [&](double us) { return kLanesLeft + kLanesWide * us / end; };
  for (const Lane lane : {Lane::compute, Lane::comm})
    svg.text({kLanesLeft - 8, top + kBarHeight * static_cast<double>(lane) + 19},
             std::string(name(lane)), Anchor::end);
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto lane = static_cast<std::size_t>(plan.steps[i].lane);
    const double y = top + kBarHeight * static_cast<double>(lane);
    const double begin = x(times[i].begin_us), width = x(times[i].end_us) - begin;
    svg.rectangle({begin, y}, std::max(width - 1, 0.5), kBarHeight - 4, kLaneColors[lane]);
    svg.text({begin + width / 2, y + 17}, std::to_string(i), Anchor::middle, "#ffffff");
    svg.text({kLanesLeft, bottom + 52 + 18 * static_cast<double>(i)},
             std::to_string(i) + "  " + plan.steps[i].name + ": " + us_text(times[i].begin_us) +
                 " to " + us_text(times[i].end_us) + " us");
  }
  svg.line({kLanesLeft, bottom}, {kLanesLeft + kLanesWide, bottom}, "#222222");
  for (double at = 0; at <= end; at += tick_of(end)) {
    svg.line({x(at), bottom}, {x(at), bottom + 4}, "#222222");
    svg.text({x(at), bottom + 18}, us_text(at), Anchor::middle);
  }
  svg.text({kLanesLeft + kLanesWide + 8, bottom + 4}, "us");
  return svg.document();
}

std::string lanes_text(const DistributedPlan& plan) {
  constexpr double kBarWidth = 50;
  const std::vector<StepTime> times = timeline(plan);
  const double end = end_of(times);
  std::string text;
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto column = [&](double us) {
      return static_cast<std::size_t>(std::lround(kBarWidth * us / end));
    };
    const std::size_t begin = column(times[i].begin_us);
    const std::size_t width = std::max<std::size_t>(1, column(times[i].end_us) - begin);
    std::string bar =
        std::string(begin, ' ') + std::string(width, plan.steps[i].lane == Lane::comm ? '-' : '#');
    bar.resize(static_cast<std::size_t>(kBarWidth) + 2, ' ');
    text += bench::left(std::string(name(plan.steps[i].lane)), 8) +
            bench::right(us_text(times[i].begin_us), 9) + " " +
            bench::right(us_text(times[i].end_us), 9) + "  " + bar + plan.steps[i].name + "\n";
  }
  return text;
}

Picture placement_picture(const std::string& mesh_text, const std::string& placement_text, int rows,
                          int columns) {
  const Mesh mesh = read_flag("--mesh", mesh_text, parse_mesh);
  const Placements placements = parse_placements(placement_text);
  const std::string letter = placement_text.substr(0, 1);
  const bool is_b = letter == "B", is_a = letter == "A";
  const Placement& placement = is_a                            ? placements.a
                               : is_b                          ? placements.b
                               : letter == "C" && placements.c ? *placements.c
                                                               : placements.d;
  const Distribution held =
      distribution(mesh, placement,
                   {NamedExtent{is_b ? Dimension::n : Dimension::m, rows},
                    NamedExtent{is_a || is_b ? Dimension::k : Dimension::n, columns}});
  const auto rounded = [](const Spread& spread) { return static_cast<int>(cosize(spread.layout)); };
  Picture picture = tv_picture(rank_layout(held), std::max(rows, rounded(held.dims[0])),
                               std::max(columns, rounded(held.dims[1])));
  picture.notes = {"T is the rank, V which of its elements"};
  return picture;
}

}  // namespace jute::command
