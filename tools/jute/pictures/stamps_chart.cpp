// Draws who was where when.
#include "pictures/charts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "pictures/svg.hpp"

namespace jute::command {
namespace {

using bench::Anchor;
using bench::Svg;

constexpr double kStampsLeft = 150, kWide = 900, kLaneHeight = 16, kGap = 10, kStampsTop = 50,
                 kLegend = 40;

/// The work of a role between one moment and the one after it.
struct Phase {
  std::string_view name, color;
};
Phase phase_between(Moment from, Moment to) {
  if (from == Moment::begin) return {"prologue", "#9e9e9e"};
  if (to == Moment::first_data) return {"waits for data", "#e8c35a"};
  if (from == Moment::first_data) return {"main loop", "#4c78a8"};
  if (from == Moment::multiplied) return {"epilogue", "#59a14f"};
  if (to == Moment::multiplied) return {"loads and multiplies", "#86bcb6"};
  if (from == Moment::ready) return {"loads", "#b07aa1"};
  return {"tail", "#e15759"};
}
constexpr std::array kPhases{std::pair(Moment::begin, Moment::ready),
                             std::pair(Moment::ready, Moment::end),
                             std::pair(Moment::ready, Moment::multiplied),
                             std::pair(Moment::ready, Moment::first_data),
                             std::pair(Moment::first_data, Moment::multiplied),
                             std::pair(Moment::multiplied, Moment::drained),
                             std::pair(Moment::drained, Moment::end)};

void draw_legend(Svg& svg) {
  double x = kStampsLeft;
  for (const auto& [from, to] : kPhases) {
    const Phase phase = phase_between(from, to);
    svg.rectangle({x, kStampsTop - kLegend}, 12, 12, std::string(phase.color));
    svg.text({x + 17, kStampsTop - kLegend + 11}, std::string(phase.name));
    x += 40 + 7.5 * static_cast<double>(phase.name.size());
  }
}

/// The clock at which each block begins, and the longest that one takes.
struct Span {
  std::map<Index, std::uint64_t> begins;
  std::uint64_t longest = 1;
};
Span span_of(const std::vector<StampLane>& lanes) {
  Span span;
  for (const StampLane& lane : lanes) {
    const std::uint64_t first = lane.stamps.front().clock;
    const auto [at, is_new] = span.begins.emplace(lane.block, first);
    if (!is_new) at->second = std::min(at->second, first);
  }
  for (const StampLane& lane : lanes)
    span.longest = std::max(span.longest, lane.stamps.back().clock - span.begins.at(lane.block));
  return span;
}

void draw_lane(Svg& svg, const StampLane& lane, const Span& span, double y) {
  const std::uint64_t begin = span.begins.at(lane.block);
  const auto x = [&](std::uint64_t clock) {
    return kStampsLeft +
           kWide * static_cast<double>(clock - begin) / static_cast<double>(span.longest);
  };
  svg.text({kStampsLeft - 8, y + 12}, "block " + std::to_string(lane.block) + " " + lane.role,
           Anchor::end);
  for (size_t i = 0; i + 1 < lane.stamps.size(); ++i) {
    const auto &from = lane.stamps[i], &to = lane.stamps[i + 1];
    svg.rectangle({x(from.clock), y}, x(to.clock) - x(from.clock), kLaneHeight - 3,
                  std::string(phase_between(from.moment, to.moment).color));
  }
}

/// From 0 to so many ns: each 100, or as many of those as ten ticks need.
void draw_ticks(Svg& svg, double ns, double y) {
  constexpr double kMostTicks = 10, kTick = 100;
  const double step = kTick * std::max(1.0, std::ceil(ns / (kMostTicks * kTick)));
  for (double at = 0; at <= ns; at += step) {
    const double x = kStampsLeft + kWide * at / ns;
    svg.line({x, y}, {x, y + 4}, "#222222");
    svg.text({x, y + 16}, std::to_string(static_cast<Index>(at)), Anchor::middle);
  }
  svg.text({kStampsLeft + kWide + 8, y + 4}, "ns");
}

}  // namespace

std::string stamps_csv(const std::vector<StampLane>& lanes) {
  std::string text = "block,role,moment,clock\n";
  for (const StampLane& lane : lanes)
    for (const StampLane::Stamp& stamp : lane.stamps)
      text += std::to_string(lane.block) + "," + lane.role + "," + std::string(name(stamp.moment)) +
              "," + std::to_string(stamp.clock) + "\n";
  return text;
}

std::string stamps_svg(const std::vector<StampLane>& lanes, double mhz, int most_blocks) {
  std::vector<StampLane> drawn;
  for (const StampLane& lane : lanes)
    if (lane.block < most_blocks) drawn.push_back(lane);
  const Span span = span_of(drawn);
  const double height = kStampsTop + static_cast<double>(drawn.size()) * kLaneHeight +
                        static_cast<double>(span.begins.size()) * kGap + 30;
  Svg svg(kStampsLeft + kWide + 30, height);
  draw_legend(svg);
  double y = kStampsTop;
  Index block = drawn.empty() ? 0 : drawn.front().block;
  for (const StampLane& lane : drawn) {
    if (lane.block != block) y += kGap;
    block = lane.block;
    draw_lane(svg, lane, span, y);
    y += kLaneHeight;
  }
  svg.line({kStampsLeft, y + 4}, {kStampsLeft + kWide, y + 4}, "#222222");
  if (mhz > 0) {
    draw_ticks(svg, 1000 * static_cast<double>(span.longest) / mhz, y + 4);
    return svg.document();
  }
  svg.text({kStampsLeft, y + 20}, "0");
  svg.text({kStampsLeft + kWide, y + 20}, std::to_string(span.longest) + " clocks", Anchor::end);
  return svg.document();
}

}  // namespace jute::command
