// Writes each dimension of a View's box as a sum over the modes that step along it.
#include "codegen/views.hpp"

#include <jute/emit/instruction.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "base/format.hpp"

namespace jute::codegen {
namespace {

/// What the modes of one coordinate add to a place: ` + row % 64 * 128ll + row / 64 * 65536ll`.
std::string steps_text(const std::vector<ViewMode>& modes, int axis, std::string_view coordinate) {
  std::string text;
  Index unit = 1;
  for (size_t i = 0; i < modes.size(); ++i) {
    const ViewMode& mode = modes[i];
    const Index of = unit;
    unit *= mode.extent;
    if (mode.axis != axis || mode.stride == 0) continue;
    std::string at(coordinate);
    if (of > 1) at += base::format(" / {}", of);
    if (i + 1 < modes.size()) at += base::format(" % {}", mode.extent);
    text += mode.stride < 0 ? base::format(" - {} * {}ll", at, -mode.stride)
                            : base::format(" + {} * {}ll", at, mode.stride);
  }
  return text;
}

std::string place_text(const ViewModes& modes, int axis) {
  return base::format("{}ll", modes.origin[static_cast<size_t>(axis)]) +
         steps_text(modes.rows, axis, "row") + steps_text(modes.columns, axis, "column") +
         steps_text(modes.batch, axis, "matrix");
}

}  // namespace

std::string element_function(std::string_view operand, const View& view) {
  const ViewModes modes = modes_of(view);
  const char upper = static_cast<char>(std::toupper(static_cast<unsigned char>(operand.front())));
  const bool has_zeros = modes.outside == OutsideBox::zero;
  std::string lines, outside, element;
  for (size_t axis = 0; axis < modes.box.size(); ++axis) {
    const auto [extent, stride] = modes.box[axis];
    lines += base::format("  const long long place{} = {};\n", axis,
                          place_text(modes, static_cast<int>(axis)));
    outside +=
        base::format("{}place{} < 0 || place{} >= {}", axis == 0 ? "" : " || ", axis, axis, extent);
    element += base::format("{}place{}", axis == 0 ? "" : " + ", axis) +
               (stride == 1 ? "" : base::format(" * {}ll", stride));
  }
  return base::format("// Where {}'s element lies{}: {}.\n", upper,
                      has_zeros ? ", -1 where zero stands for it" : "", to_string(view)) +
         base::format(
             "__device__ __forceinline__ long long element_{}(unsigned row, unsigned column, "
             "unsigned matrix) {{\n",
             operand) +
         lines + (has_zeros ? "  if (" + outside + ") return -1;\n" : "") + "  return " + element +
         ";\n}\n";
}

namespace {

constexpr size_t kUsualDimensions = 3;

/// A function for boxes: its name, what comes ahead of the coordinates and behind them, and the
/// instruction that it is written with.
struct BoxFunction {
  const char *name, *ahead, *behind, *passed;
  CopyForm form;
  BoxCache cache;
};
/// In the order of ways.
constexpr std::array kBoxFunctions{
    BoxFunction{"load_box", "unsigned target, ", ", unsigned full", ", full", CopyForm::tma_load,
                BoxCache::usual},
    BoxFunction{"load_box_for", "unsigned target, ", ", unsigned full, unsigned blocks",
                ", full, blocks", CopyForm::tma_load_multicast, BoxCache::usual},
    BoxFunction{"load_box_once", "unsigned target, ", ", unsigned full, unsigned long long policy",
                ", full, policy", CopyForm::tma_load, BoxCache::by_policy},
    BoxFunction{"prefetch_box", "", "", "", CopyForm::tma_load, BoxCache::alone},
    BoxFunction{"store_box", "", ", unsigned source", ", source", CopyForm::tma_store,
                BoxCache::usual},
};

std::string coordinate_text(const MapDimension& dim) {
  constexpr std::array<std::string_view, 3> kNames{"inner", "outer", "matrix"};
  std::string text = dim.first != 0 || dim.steps.empty() ? std::to_string(dim.first) : "";
  for (const MapStep& step : dim.steps) {
    std::string at(kNames.at(static_cast<size_t>(step.of)));
    if (step.unit > 1) at += base::format(" / {}", step.unit);
    if (step.extent > 0) at += base::format(" % {}", step.extent);
    if (const Index times = std::max(step.stride, -step.stride); times > 1)
      at += base::format(" * {}", times);
    text += step.stride < 0 ? " - " + at : (text.empty() ? "" : " + ") + at;
  }
  return text;
}

/// Past K a box begins where nothing is.
std::string coordinates_text(const ViewMap& map) {
  constexpr Index kNowhere = -(Index{1} << 30);
  std::string text;
  for (const MapDimension& dim : map.dims)
    text += (text.empty() ? "" : ", ") + coordinate_text(dim);
  const Index end = std::max(map.inner_end, map.outer_end);
  if (end == 0) return text;
  const size_t first = coordinate_text(map.dims.front()).size();
  return base::format("{} < {} ? {} : {}{}", map.inner_end > 0 ? "inner" : "outer", end,
                      text.substr(0, first), kNowhere, text.substr(first));
}

std::string box_function_of(const std::string& operand, const ViewMap& map, BoxWay way) {
  const BoxFunction& box = kBoxFunctions.at(static_cast<size_t>(way));
  const bool has_target = box.ahead[0] != '\0';
  return base::format(
      "__device__ __forceinline__ void {0}_{1}({2}const TensorMap& map, int inner, int outer, int "
      "matrix{3}) {{\n  {0}({4}map, {5}{6});\n}}\n",
      box.name, operand, box.ahead, box.behind, has_target ? "target, " : "", coordinates_text(map),
      box.passed);
}

}  // namespace

std::vector<BoxWay> loads_of(const OperandPlan& operand, const GemmStep& step) {
  if (!operand.map) return {};
  std::vector<BoxWay> ways{operand.hint == CacheHint::evict_first ? BoxWay::once
                           : operand.boxes->parts > 1             ? BoxWay::for_cluster
                                                                  : BoxWay::load};
  if (step.schedule.first_stages == FirstStages::prefetched) ways.push_back(BoxWay::prefetch);
  return ways;
}

std::string loads_of_view(const std::string& operand, const ViewMap& map,
                          const std::vector<BoxWay>& ways) {
  std::string text = base::format(
      "// Where TMA finds a box of {}'s View: {}.\n",
      static_cast<char>(std::toupper(static_cast<unsigned char>(operand.front()))), to_string(map));
  for (const BoxWay way : ways) text += box_function_of(operand, map, way);
  return text;
}

std::string stores_of_view(const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  if (!out.d_boxed || !out.drain || !out.drain->map) return {};
  const bool by_threads = out.drain->exit != SlabExit::boxes;
  return loads_of_view("d", *out.drain->map, {BoxWay::store}) +
         (by_threads ? element_function("d", *out.d_boxed) : "");
}

std::string boxes_of_more_dimensions(const GemmStep& step, const TemplateSet& templates) {
  std::set<std::pair<BoxWay, size_t>> used;
  const auto use = [&](const std::optional<ViewMap>& map, BoxWay way) {
    if (map && map->dims.size() > kUsualDimensions) used.emplace(way, map->dims.size());
  };
  for (const OperandPlan* operand : {&step.a, &step.b})
    for (const BoxWay way : loads_of(*operand, step)) use(operand->map, way);
  if (step.epilogue.drain) use(step.epilogue.drain->map, BoxWay::store);
  std::string text;
  for (const auto& [way, dimensions] : used) {
    const BoxFunction& box = kBoxFunctions.at(static_cast<size_t>(way));
    text += box_function(box.form, static_cast<int>(dimensions), box.cache, templates).text;
  }
  return text;
}

}  // namespace jute::codegen
