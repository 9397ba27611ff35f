// Sizes, boxes and reach of Views; and the two coordinates that meet where D would alias itself.
#include "plan/ask/view_rules.hpp"

#include <jute/base/checked.hpp>
#include <jute/plan/ask/run_values.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/format.hpp"
#include "plan/ask/digits/digit_sums.hpp"
#include "plan/ask/view_modes.hpp"

namespace jute::plan {
namespace {

using Broken = std::vector<BrokenViewRule>;

std::string text_of(Index rows, Index columns, Index batch, bool has_batch) {
  const std::string text = base::format("({},{}", rows, columns);
  return text + (has_batch ? base::format(",{})", batch) : ")");
}

Broken wrong_sizes(const View& view, const ViewModes& modes, const ViewSizes& sizes) {
  const bool has_batch = view.coordinates.rank() == 3;
  const Index rows = size_of(modes.rows), columns = size_of(modes.columns),
              batch = size_of(modes.batch);
  const bool has_rows = sizes.is_m ? rows >= sizes.rows : rows == sizes.rows;
  if (has_rows && columns == sizes.columns && (!has_batch || batch == sizes.batch)) return {};
  const std::string asked = text_of(sizes.rows, sizes.columns, sizes.batch, has_batch);
  return {{text_of(rows, columns, batch, has_batch),
           base::format("the modes of the View must have the operand's extents, {}", asked),
           asked}};
}

Broken wrong_box(const View& view, ViewUse use) {
  Broken broken;
  for (std::size_t i = 0; i < view.box.size(); ++i) {
    const auto [extent, stride] = view.box[i];
    if (extent < 1)
      broken.push_back(
          {std::to_string(extent), "a dimension of a box must have places", std::string("1")});
    if (stride < 0)
      broken.push_back(
          {base::format("({}):({})", extent, stride),
           base::format("memory must be counted upwards: a box of the stride {0} whose coordinates "
                        "step -1@{1} from the origin {2} runs backwards",
                        -stride, i, extent - 1),
           base::format("({}):({})", extent, -stride)});
  }
  if (view.outside == OutsideBox::zero && use != ViewUse::read)
    broken.push_back({"outside=zero", "only elements of A and B must be zeros outside a box",
                      std::string("outside=inside")});
  if (view.outside == OutsideBox::zero && view.box.empty())
    broken.push_back({"outside=zero", "what lies outside must be said by a box", std::nullopt});
  return broken;
}

/// A run says the numbers of elements; what a box has, kernels hold.
Broken wrong_numbers(const View& view) {
  if (view.numbers == ViewNumbers::literal) return {};
  Broken broken;
  if (!view.box.empty())
    broken.push_back({"numbers=run-time",
                      "a View whose numbers a run says must be of elements: it needs a layout "
                      "without a box",
                      std::string("numbers=literal")});
  if (const int modes = run_time_modes(view); modes > kMostRunTimeModes)
    broken.push_back({base::format("{} modes", modes),
                      base::format("a View whose numbers a run says must have at most {} modes",
                                   kMostRunTimeModes),
                      base::format("{} modes", kMostRunTimeModes)});
  return broken;
}

/// The origin from which all is inside, if there is one.
std::string nearest_origin(const ViewModes& modes, const std::vector<Reach>& reached) {
  std::string text;
  for (std::size_t axis = 0; axis < reached.size(); ++axis) {
    const auto [lowest, highest] = reached[axis];
    const Index extent = modes.box[axis].extent;
    Index origin = modes.origin[axis];
    if (extent > 0 && highest >= extent) origin -= highest - (extent - 1);
    if (lowest < 0) origin = modes.origin[axis] - lowest;
    text += (text.empty() ? "" : ",") + std::to_string(origin);
  }
  return "origin=(" + text + ")";
}

/// The coordinate of the operand that names the lowest or the highest place of a dimension.
std::string coordinate_of_end(const ViewModes& modes, std::size_t axis, bool is_highest) {
  std::vector<std::string> each;
  for (const auto* list : {&modes.rows, &modes.columns, &modes.batch}) {
    Index at = 0, unit = 1;
    for (const ViewMode& mode : *list) {
      const bool is_far = mode.axis == static_cast<int>(axis) && mode.stride != 0 &&
                          (mode.stride > 0) == is_highest;
      if (is_far) at += unit * (mode.extent - 1);
      unit *= mode.extent;
    }
    each.push_back(std::to_string(at));
  }
  return base::format("({},{},{})", each[0], each[1], each[2]);
}

/// Padding is a matter of the origin and the box; else every coordinate has its place.
Broken wrong_reach(const ViewModes& modes) {
  if (modes.outside == OutsideBox::zero) return {};
  const std::vector<Reach> reached = reaches(modes);
  for (std::size_t axis = 0; axis < reached.size(); ++axis) {
    const auto [lowest, highest] = reached[axis];
    const Index extent = modes.box[axis].extent;
    const bool is_below = lowest<0, is_beyond = extent> 0 && highest >= extent;
    if (!is_below && !is_beyond) continue;
    const std::string bound = extent > 0 ? base::format(" below {}", extent) : "";
    return {{base::format("{} of coordinate {}", is_below ? lowest : highest,
                          coordinate_of_end(modes, axis, !is_below)),
             base::format("places along dimension {} of the box must be 0 or more{}; the View's "
                          "origin moves them",
                          axis, bound),
             nearest_origin(modes, reached)}};
  }
  return {};
}

/// A mode that has more than one place.
struct Step {
  Index extent, stride;
  int list;
  Index unit;  ///< of the mode in its dimension's coordinate
};

/// The largest strides first.
std::vector<Step> steps_of(const ViewModes& modes) {
  std::vector<Step> steps;
  int list = 0;
  for (const auto* each : {&modes.rows, &modes.columns, &modes.batch}) {
    Index unit = 1;
    for (const ViewMode& mode : *each) {
      if (mode.extent > 1) steps.push_back({mode.extent, mode.stride, list, unit});
      unit *= mode.extent;
    }
    ++list;
  }
  std::ranges::stable_sort(
      steps, [](const Step& a, const Step& b) { return std::abs(a.stride) > std::abs(b.stride); });
  return steps;
}

/// The coordinate of the digits that have this sign.
std::string coordinate_of(const std::vector<Step>& steps, const std::vector<Index>& digits,
                          int sign) {
  Index each[3] = {};
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (digits[i] * sign > 0) each[steps[i].list] += digits[i] * sign * steps[i].unit;
  return base::format("({},{},{})", each[0], each[1], each[2]);
}

/// Two coordinates that name one element.
struct Collision {
  std::optional<std::pair<std::string, std::string>> two{};
  bool is_undecided = false;
};

/// Steps that lead nowhere, of which the first that is taken is taken forwards.
Collision collision_of(const ViewModes& modes) {
  const std::vector<Step> steps = steps_of(modes);
  std::vector<WeighedDigit> digits;
  for (const Step& step : steps) digits.push_back({step.stride, 1 - step.extent, step.extent - 1});
  Collision result;
  for (WeighedDigit& first : digits) {
    first.least = 1;
    const DigitSum none = digits_of_sum(digits, 0);
    if (none.digits) {
      result.two = {coordinate_of(steps, *none.digits, 1), coordinate_of(steps, *none.digits, -1)};
      return result;
    }
    result.is_undecided = result.is_undecided || none.is_undecided;
    first.least = first.most = 0;
  }
  return result;
}

Broken wrong_collision(const View& view, const ViewSizes& sizes) {
  const ViewModes modes = canonical_modes(view);
  if (modes.batch.empty() && sizes.batch > 1)
    return {{"coordinates (0,0,0) and (0,0,1)",
             "each element of D must lie in a place of its own: its View needs a third mode, the "
             "batch",
             std::nullopt}};
  const Collision collision = collision_of(modes);
  if (collision.two)
    return {{base::format("coordinates {} and {}", collision.two->first, collision.two->second),
             "each element of D must lie in a place of its own, and these two share one",
             std::nullopt}};
  if (!collision.is_undecided) return {};
  return {{to_string(view),
           "each element of D must lie in a place of its own, and of so many overlapping modes "
           "that is not known: they need larger strides",
           std::nullopt}};
}

}  // namespace

std::vector<BrokenViewRule> broken_rules(const View& view, const ViewSizes& sizes, ViewUse use) {
  if (Broken broken = wrong_box(view, use); !broken.empty()) return broken;
  if (Broken broken = wrong_numbers(view); !broken.empty()) return broken;
  const ViewModes modes = modes_of(view);
  Broken broken = wrong_sizes(view, modes, sizes);
  if (broken.empty()) broken = wrong_reach(modes);
  if (broken.empty() && use == ViewUse::written) broken = wrong_collision(view, sizes);
  (void)span_elems(view);  // in 64 bits
  return broken;
}

}  // namespace jute::plan
