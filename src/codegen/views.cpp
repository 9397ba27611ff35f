// Writes each dimension of a View's box as a sum over the modes that step along it.
#include "codegen/views.hpp"

#include <jute/emit/instruction.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "base/format.hpp"
#include "codegen/letters.hpp"

namespace jute::codegen {
namespace {

/// The terms that a coordinate's modes add to a place: ` + row % 64 * 128ll + row / 64 * 65536ll`.
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

std::string steps_of_axis(const ViewModes& modes, int axis) {
  return steps_text(modes.rows, axis, "row") + steps_text(modes.columns, axis, "column") +
         steps_text(modes.batch, axis, "matrix");
}

/// An origin and the steps from it, ` + row * 4ll`.
std::string sum_of(Index origin, const std::string& steps) {
  const bool begins = origin == 0 && steps.starts_with(" + ");
  return begins ? steps.substr(3) : base::format("{}ll", origin) + steps;
}

/// The modes behind which a coordinate goes on, by their places among all.
std::vector<int> cut_modes(const ViewModes& modes) {
  std::vector<int> places;
  int place = 0;
  for (const auto* each : {&modes.rows, &modes.columns, &modes.batch})
    for (size_t i = 0; i < each->size(); ++i, ++place)
      if (i + 1 < each->size()) places.push_back(place);
  return places;
}

Piece piece_of(const TemplateSet& set, const char* name, std::string_view operand) {
  return lettered(set, base::format("copy/view.cu ({})", name), operand);
}

/// By the numbers of a run.
std::string run_function(const TemplateSet& set, std::string_view operand, const View& view) {
  const ViewModes modes = modes_of(view);
  std::string steps;
  Index mode = 0, cut = 0;
  const auto add = [&](const char* coordinate, const std::vector<ViewMode>& of) {
    const auto cuts = static_cast<Index>(of.size()) - 1;
    if (of.empty()) return;
    Piece piece = piece_of(set, cuts == 0 ? "step" : "steps", operand);
    piece.fill("coordinate", coordinate).fill("mode", cuts == 0 ? mode : mode - cut);
    if (cuts > 0) piece.fill("cut", cut).fill("end", cut + cuts).fill("last", mode + cuts);
    steps += piece.text();
    mode += cuts + 1;
    cut += cuts;
  };
  add("row", modes.rows);
  add("column", modes.columns);
  add("matrix", modes.batch);
  return piece_of(set, "numbers", operand)
             .fill("modes", mode)
             .fill("cuts", std::max<Index>(cut, 1))
             .text() +
         piece_of(set, "element by numbers", operand).fill("steps", steps).text();
}

}  // namespace

std::string run_numbers(std::string_view operand, const View& view) {
  const ViewModes modes = modes_of(view);
  const auto list = [&](std::string_view word, const std::vector<int>& places) {
    std::string text;
    for (const int place : places)
      text += base::format("{}{}_{}{}", text.empty() ? "" : ", ", operand, word, place);
    return "{" + text + "}";
  };
  std::vector<int> all(static_cast<size_t>(run_time_modes(view)));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> cuts = cut_modes(modes);
  const std::string numbers = base::format("{{{}_origin, {}", operand, list("stride", all));
  return numbers + (cuts.empty() ? "" : ", " + list("extent", cuts) + ", " + list("magic", cuts)) +
         "}";
}

std::string element_function(const TemplateSet& set, std::string_view operand, const View& view) {
  if (view.numbers == ViewNumbers::run_time) return run_function(set, operand, view);
  const ViewModes modes = modes_of(view);
  const bool has_zeros = modes.outside == OutsideBox::zero;
  std::string places, outside, element;
  bool is_nowhere = false;
  for (size_t axis = 0; axis < modes.box.size(); ++axis) {
    const auto [extent, stride] = modes.box[axis];
    const Index origin = modes.origin[axis];
    const std::string steps = steps_of_axis(modes, static_cast<int>(axis));
    is_nowhere |= has_zeros && steps.empty() && (origin < 0 || origin >= extent);
    if (steps.empty() && origin == 0) continue;
    places += base::format("const long long place{} = {};\n", axis, sum_of(origin, steps));
    if (!steps.empty())
      outside += base::format("{}place{} < 0 || place{} >= {}", outside.empty() ? "" : " || ", axis,
                              axis, extent);
    element += base::format("{}place{}", element.empty() ? "" : " + ", axis) +
               (stride == 1 ? "" : base::format(" * {}ll", stride));
  }
  if (is_nowhere) places = outside = "";
  if (!outside.empty()) outside = "if (" + outside + ") return -1;\n";
  return piece_of(set, "element", operand)
      .fill("view", to_string(view))
      .fill("places", places)
      .fill("outside", has_zeros ? outside : "")
      .fill("element", is_nowhere        ? "-1"
                       : element.empty() ? "0"
                                         : element)
      .text();
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
  if (!tma_of(operand).map) return {};
  std::vector<BoxWay> ways{tma_of(operand).hint == CacheHint::evict_first ? BoxWay::once
                           : tma_of(operand).boxes->parts > 1             ? BoxWay::for_cluster
                                                                          : BoxWay::load};
  if (step.schedule.first_stages == FirstStages::prefetched) ways.push_back(BoxWay::prefetch);
  return ways;
}

std::string loads_of_view(const std::string& operand, const ViewMap& map,
                          const std::vector<BoxWay>& ways) {
  std::string text = base::format("// Where TMA finds a box of {}'s View: {}.\n", capital(operand),
                                  to_string(map));
  for (const BoxWay way : ways) text += box_function_of(operand, map, way);
  return text;
}

std::string subtiles_of_views(const TemplateSet& set, const GemmStep& step) {
  const EpiloguePlan& out = step.epilogue;
  std::string text;
  if (out.drain && out.drain->c_map) text += loads_of_view("c", *out.drain->c_map, {BoxWay::load});
  if (!out.d_boxed || !out.drain || !out.drain->map) return text;
  text += loads_of_view("d", *out.drain->map, {BoxWay::store});
  const bool by_threads = out.drain->exit != SubtileExit::boxes;
  return text + (by_threads ? element_function(set, "d", *out.d_boxed) : "");
}

std::string boxes_of_more_dimensions(const GemmStep& step, const TemplateSet& templates) {
  std::set<std::pair<BoxWay, size_t>> used;
  const auto use = [&](const std::optional<ViewMap>& map, BoxWay way) {
    if (map && map->dims.size() > kUsualDimensions) used.emplace(way, map->dims.size());
  };
  for (const OperandPlan* operand : {&step.a, &step.b})
    for (const BoxWay way : loads_of(*operand, step)) use(tma_of(*operand).map, way);
  if (const auto& drain = step.epilogue.drain) {
    use(drain->map, BoxWay::store);
    use(drain->c_map, BoxWay::load);
  }
  std::string text;
  for (const auto& [way, dimensions] : used) {
    const BoxFunction& box = kBoxFunctions.at(static_cast<size_t>(way));
    text += box_function(box.form, static_cast<int>(dimensions), box.cache, templates).text;
  }
  return text;
}

}  // namespace jute::codegen
