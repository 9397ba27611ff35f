// Bars of ratios, case by case.
#include "bench/results/report.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "pictures/svg.hpp"
#include "tree/numbers.hpp"

namespace jute::bench {
namespace {

constexpr double kBar = 14, kStep = 18, kCaseGap = 8, kRatiosTop = 82, kRatiosBottom = 34;
constexpr double kPlot = 460, kRatiosRight = 60, kLetter = 7.2, kFigureWidth = 38;
constexpr double kMostRatio =
    3;  // longer bars are cut: the figure beside them says how long they are
constexpr const char* kFaster = "#2a7f62";
constexpr const char* kSlower = "#8fb8aa";
constexpr const char* kPeer = "#b03030";
constexpr const char* kGrey = "#666666";

bool is_drawn(const Result& result) {
  return result.side == Side::jute && result.ratio > 0 && is_right(result);
}

/// "planned" in the cool mode goes without saying.
std::string label(const Result& result) {
  std::string text = result.contestant == "planned" ? "" : result.contestant;
  if (result.mode != Mode::cool)
    text += (text.empty() ? "" : ", ") + std::string(name(result.mode));
  return text;
}

/// The case's name before its first bar, then what tells its bars apart.
std::string bar_label(const Result& result, bool is_first) {
  const std::string detail = label(result);
  if (!is_first) return detail.empty() ? result.case_id : detail;
  return detail.empty() ? result.case_id : result.case_id + "  " + detail;
}

struct Bar {
  const Result* result;
  std::string label;
  double y;
};

/// The bars, the cases with the best figure first; the bars of a case stay together.
std::vector<const Result*> in_order(std::span<const Result> results) {
  std::map<std::string, double> best;
  std::vector<const Result*> drawn;
  for (const Result& result : results) {
    if (!is_drawn(result)) continue;
    double& ratio = best[result.case_id];
    ratio = std::max(ratio, result.ratio);
    drawn.push_back(&result);
  }
  std::ranges::stable_sort(drawn, [&](const Result* left, const Result* right) {
    const double l = best[left->case_id], r = best[right->case_id];
    return l != r ? l > r : left->case_id < right->case_id;
  });
  return drawn;
}

std::vector<Bar> bars_of(std::span<const Result> results) {
  std::vector<Bar> bars;
  double y = kRatiosTop;
  std::string last;
  for (const Result* drawn : in_order(results)) {
    const Result& result = *drawn;
    const bool is_first = bars.empty() || result.case_id != last;
    if (is_first && !bars.empty()) y += kCaseGap;
    bars.push_back({&result, bar_label(result, is_first), y});
    last = result.case_id;
    y += kStep;
  }
  return bars;
}

/// Names of cases tell how A and B lie: "bf16_nt_4096x4096x4096".
bool has_order_letters(const std::string& id) {
  return std::ranges::any_of(std::array{"_nn_", "_nt_", "_tn_", "_tt_"},
                             [&](const char* letters) { return id.find(letters) != id.npos; });
}

double step_of_ticks(double longest) {
  if (longest <= 2) return 0.25;
  return longest <= 4 ? 0.5 : 1.0;
}

void draw_axis(Svg& svg, double origin, double scale, double longest, double bottom) {
  const double step = step_of_ticks(longest);
  for (double tick = 0; tick <= longest + 1e-9; tick += step) {
    const double x = origin + tick * scale;
    svg.line({x, kRatiosTop - 6}, {x, bottom}, "#dddddd");
    svg.text({x, bottom + 16}, fixed(tick, step < 0.5 ? 2 : 1), Anchor::middle, kGrey, 11);
  }
}

void draw(Svg& svg, const Bar& bar, double origin, double scale, double longest) {
  const double ratio = bar.result->ratio, middle = bar.y + kBar / 2;
  const auto at = [&](double value) { return origin + std::min(value, longest) * scale; };
  svg.text({origin - 8, bar.y + kBar - 3}, bar.label, Anchor::end);
  svg.rectangle({origin, bar.y}, at(ratio) - origin, kBar, ratio >= 1 ? kFaster : kSlower);
  svg.line({at(bar.result->least), middle}, {at(bar.result->most), middle}, "#222222");
  const bool is_cut = ratio > longest;
  if (is_cut) svg.line({at(ratio) - 10, bar.y + kBar + 2}, {at(ratio) - 4, bar.y - 2}, "#ffffff");
  const Point figure{at(std::max(ratio, bar.result->most)) + 5, bar.y + kBar - 3};
  svg.rectangle({figure.x - 2, bar.y}, kFigureWidth, kBar, "white");  // the peer's line ends here
  svg.text(figure, fixed(ratio, 3));
}

}  // namespace

std::string ratio_chart(const Machine& machine, std::span<const Result> results) {
  const std::vector<Bar> bars = bars_of(results);
  double longest = 1.1, letters = 10;
  for (const Bar& bar : bars) {
    longest = std::max(longest, std::min(bar.result->most, kMostRatio));
    letters = std::max(letters, static_cast<double>(bar.label.size()));
  }
  const double origin = letters * kLetter + 28, scale = kPlot / longest;
  const double bottom = (bars.empty() ? kRatiosTop : bars.back().y + kStep) + 2;
  Svg svg(origin + kPlot + kRatiosRight, bottom + kRatiosBottom);
  svg.text({12, 20}, "Fastest peer's time / jute's time, " + machine.device, Anchor::start,
           "#222222", 14);
  const bool overlaps =
      std::ranges::any_of(bars, [](const Bar& bar) { return bar.result->is_overlapped; });
  svg.text({12, 38},
           machine.cublas +
               (overlaps ? ". jute's launches overlap (PDL), cuBLASLt cannot be given it" : ""),
           Anchor::start, kGrey, 11);
  if (std::ranges::any_of(bars,
                          [](const Bar& bar) { return has_order_letters(bar.result->case_id); }))
    svg.text({12, 53}, "n, t: rows or columns of A, then of B, are contiguous. Sizes are M x N x K",
             Anchor::start, kGrey, 11);
  draw_axis(svg, origin, scale, longest, bottom);
  svg.line({origin + scale, kRatiosTop - 6}, {origin + scale, bottom}, kPeer, "4 3");
  for (const Bar& bar : bars) draw(svg, bar, origin, scale, longest);
  svg.text({origin + scale, kRatiosTop - 10}, "peer", Anchor::middle, kPeer, 11);
  return svg.document();
}

}  // namespace jute::bench
