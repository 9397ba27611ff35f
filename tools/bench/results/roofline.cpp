// The roofline picture.
#include "bench/results/report.hpp"

#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <cmath>
#include <map>

#include "pictures/svg.hpp"
#include "tree/numbers.hpp"

namespace jute::bench {
namespace {

constexpr double kWidth = 760, kHeight = 480;
constexpr double kRooflineLeft = 70, kRooflineRight = 40, kRooflineTop = 72, kRooflineBottom = 56;

/// A logarithmic axis from whole power of ten to whole power of ten.
class Axis {
 public:
  Axis(double least, double most, double from, double to)
      : low_(std::floor(std::log10(least))),
        high_(std::max(low_ + 1, std::ceil(std::log10(most)))),
        from_(from),
        to_(to) {}
  [[nodiscard]] double at(double value) const {
    return from_ + (std::log10(value) - low_) / (high_ - low_) * (to_ - from_);
  }
  [[nodiscard]] int low() const { return static_cast<int>(low_); }
  [[nodiscard]] int high() const { return static_cast<int>(high_); }

 private:
  double low_, high_, from_, to_;
};

std::string power_of_ten(int exponent) {
  const double value = std::pow(10.0, exponent);
  return fixed(value, std::max(0, -exponent));
}

double intensity(const Result& result) { return result.flop / result.bytes; }

/// The points: jute's in the cool mode, and of the peers of a case the fastest.
std::vector<const Result*> points_of(std::span<const Result> results) {
  std::vector<const Result*> points;
  std::map<std::string, const Result*> fastest;
  for (const Result& result : results) {
    if (result.mode != Mode::cool || result.us <= 0 || result.bytes <= 0 || !is_right(result))
      continue;
    if (result.side == Side::jute) {
      points.push_back(&result);
      continue;
    }
    const Result*& peer = fastest[result.case_id];
    if (peer == nullptr || result.us < peer->us) peer = &result;
  }
  for (const auto& [id, peer] : fastest) points.push_back(peer);
  return points;
}

void draw_axes(Svg& svg, const Axis& x, const Axis& y) {
  for (int power = x.low(); power <= x.high(); ++power) {
    const double at = x.at(std::pow(10.0, power));
    svg.line({at, kRooflineTop}, {at, kHeight - kRooflineBottom}, "#e4e4e4");
    svg.text({at, kHeight - kRooflineBottom + 18}, power_of_ten(power), Anchor::middle, "#666666",
             11);
  }
  for (int power = y.low(); power <= y.high(); ++power) {
    const double at = y.at(std::pow(10.0, power));
    svg.line({kRooflineLeft, at}, {kWidth - kRooflineRight, at}, "#e4e4e4");
    svg.text({kRooflineLeft - 8, at + 4}, power_of_ten(power), Anchor::end, "#666666", 11);
  }
  svg.text({(kRooflineLeft + kWidth - kRooflineRight) / 2, kHeight - 14},
           "operations a byte (each operand moved once)", Anchor::middle, "#444444");
  svg.text({kRooflineLeft - 58, kRooflineTop - 14}, "TFLOP/s", Anchor::start, "#444444");
}

/// The slope of memory up to the highest roof, and a level line for each type.
void draw_roofs(Svg& svg, const Axis& x, const Axis& y, const Machine& machine,
                const std::map<double, std::string>& roofs) {
  const double slope = machine.bytes_per_second * 1e-12;
  if (slope <= 0) return;
  const double least = std::pow(10.0, x.low()), most = std::pow(10.0, x.high());
  const double top = roofs.empty() ? std::pow(10.0, y.high()) : roofs.rbegin()->first;
  const double bottom = std::pow(10.0, y.low());
  const double from = std::max(least, bottom / slope), to = std::min(most, top / slope);
  if (from < to) {
    svg.line({x.at(from), y.at(from * slope)}, {x.at(to), y.at(to * slope)}, "#b03030");
    const double middle = std::sqrt(from * to);
    svg.text({x.at(middle) - 8, y.at(middle * slope) - 6}, fixed(slope, 2) + " TB/s", Anchor::end,
             "#b03030", 11);
  }
  for (const auto& [tflops, name] : roofs) {
    const double knee = std::clamp(tflops / slope, least, most);
    svg.line({x.at(knee), y.at(tflops)}, {kWidth - kRooflineRight, y.at(tflops)}, "#b03030");
    svg.text({kWidth - kRooflineRight, y.at(tflops) - 5}, name + " " + fixed(tflops, 0),
             Anchor::end, "#b03030", 11);
  }
}

}  // namespace

std::optional<double> peak_tflops(const Machine& machine, DType operand) {
  if (machine.peak_mhz <= 0) return std::nullopt;
  const DeviceInfo device{.name = machine.device, .arch = Arch{machine.arch}};
  const DType sums = is_integer(operand) ? DType::s32 : operand;
  const auto rate = greatest_rate(chip_figures(device), operand, sums);
  return 2 * *rate * machine.sm_count * machine.peak_mhz * 1e-6;
}

std::string roofline_chart(const Machine& machine, std::span<const Result> results,
                           std::span<const DType> types) {
  const std::vector<const Result*> points = points_of(results);
  std::map<double, std::string> roofs;
  for (const DType type : types)
    if (const auto peak = peak_tflops(machine, type)) {
      std::string& names = roofs[*peak];
      if ((", " + names + ",").find(", " + std::string(name(type)) + ",") == std::string::npos)
        names += (names.empty() ? "" : ", ") + std::string(name(type));
    }
  double least_x = 10, most_x = 100, least_y = 10, most_y = 100;
  for (const Result* point : points) {
    least_x = std::min(least_x, intensity(*point));
    most_x = std::max(most_x, intensity(*point));
    least_y = std::min(least_y, tflops(*point));
    most_y = std::max(most_y, tflops(*point));
  }
  if (!roofs.empty()) most_y = std::max(most_y, roofs.rbegin()->first);
  const Axis x(least_x, most_x, kRooflineLeft, kWidth - kRooflineRight);
  const Axis y(least_y, most_y, kHeight - kRooflineBottom, kRooflineTop);
  Svg svg(kWidth, kHeight);
  svg.text({12, 20}, "Reached and possible, " + machine.device, Anchor::start, "#222222", 14);
  svg.text({12, 36}, "dots: jute; rings: the fastest peer; cool", Anchor::start, "#666666", 11);
  draw_axes(svg, x, y);
  draw_roofs(svg, x, y, machine, roofs);
  for (const Result* point : points)
    svg.dot(
        {x.at(intensity(*point)), y.at(tflops(*point))},
        point->side == Side::jute ? "#2a7f62" : "none",
        point->side == Side::jute ? "#2a7f62" : "#222222",
        point->case_id + ", " + point->contestant + ": " + fixed(tflops(*point), 1) + " TFLOP/s");
  return svg.document();
}

}  // namespace jute::bench
