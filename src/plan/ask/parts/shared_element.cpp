// Elements of two D in one memory, as digits with strides.
#include "plan/ask/parts/shared_element.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/format.hpp"
#include "plan/ask/digits/digit_sums.hpp"
#include "plan/ask/view_modes.hpp"

namespace jute::plan {
namespace {

/// Where D lies, with a mode for each dimension at least.
ViewModes modes_of_d(const Problem& problem) {
  const Matrix& d = problem.d;
  if (d.view) return canonical_modes(*d.view);
  const bool is_row = d.order == Order::row;
  const Index rows = problem.m_range ? problem.m_range->last : problem.m;
  return {.box = {{0, 1}},
          .origin = {0},
          .rows = {{rows, 0, is_row ? d.ld_elems : 1}},
          .columns = {{problem.n, 0, is_row ? 1 : d.ld_elems}},
          .batch = {{problem.batch, 0, d.batch_stride_elems}}};
}

/// From the first to the last place of each mode.
using Digits = std::vector<WeighedDigit>;

Digits all_of(const std::vector<ViewMode>& modes) {
  Digits digits;
  for (const ViewMode& mode : modes) digits.push_back({mode.stride, 0, mode.extent - 1});
  return digits;
}

/// The first so many coordinates of modes, as sets in which each mode has a range of its own: those
/// ahead of the last place that the slowest mode has, then those at it, and so on.
std::vector<Digits> first_of(const std::vector<ViewMode>& modes, Index count) {
  Index unit = 1;
  for (const ViewMode& mode : modes) unit *= mode.extent;
  if (count >= unit) return {all_of(modes)};
  std::vector<Digits> sets;
  Digits digits = all_of(modes);
  for (std::size_t mode = modes.size(); mode-- > 0 && count > 0;) {
    unit /= modes[mode].extent;
    const Index whole = count / unit;
    count %= unit;
    if (whole > 0) {
      digits[mode].least = 0, digits[mode].most = whole - 1;
      sets.push_back(digits);
    }
    digits[mode].least = digits[mode].most = whole;
  }
  return sets;
}

/// The elements that one problem writes.
class Written {
 public:
  explicit Written(const Problem& problem)
      : modes_(modes_of_d(problem)),
        rows_(first_of(modes_.rows, problem.m_range ? problem.m_range->last : problem.m)) {
    if (problem.n == 0 || problem.batch == 0) rows_.clear();
  }

  [[nodiscard]] Index origin() const { return modes_.origin.front(); }
  /// Sets whose elements have digits of their own: rows', columns', the batch's.
  [[nodiscard]] std::vector<Digits> sets() const {
    std::vector<Digits> sets = rows_;
    for (Digits& set : sets)
      for (const auto* each : {&modes_.columns, &modes_.batch})
        for (const WeighedDigit& digit : all_of(*each)) set.push_back(digit);
    return sets;
  }
  [[nodiscard]] Index element(const std::vector<Index>& digits) const {
    Index element = origin();
    std::size_t at = 0;
    for (const auto* each : {&modes_.rows, &modes_.columns, &modes_.batch})
      for (const ViewMode& mode : *each) element += digits[at++] * mode.stride;
    return element;
  }
  [[nodiscard]] std::string coordinate(const std::vector<Index>& digits) const {
    std::vector<Index> places;
    std::size_t at = 0;
    for (const auto* each : {&modes_.rows, &modes_.columns, &modes_.batch}) {
      Index place = 0, unit = 1;
      for (const ViewMode& mode : *each) {
        place += digits[at++] * unit;
        unit *= mode.extent;
      }
      places.push_back(place);
    }
    return base::format("({},{},{})", places[0], places[1], places[2]);
  }

 private:
  ViewModes modes_;
  std::vector<Digits> rows_;
};

}  // namespace

SharedElementSearch shared_element(const Problem& one, const Problem& other) {
  const Written first(one), second(other);
  SharedElementSearch result;
  for (const Digits& own : first.sets())
    for (const Digits& theirs : second.sets()) {
      Digits both = own;
      for (const auto& [weight, least, most] : theirs) both.push_back({-weight, least, most});
      const DigitSum sum = digits_of_sum(both, second.origin() - first.origin());
      result.is_undecided = result.is_undecided || sum.is_undecided;
      if (!sum.digits) continue;
      const auto end = sum.digits->begin() + static_cast<std::ptrdiff_t>(own.size());
      const std::vector<Index> here(sum.digits->begin(), end), there(end, sum.digits->end());
      result.found = {first.element(here), first.coordinate(here), second.coordinate(there)};
      return result;
    }
  return result;
}

}  // namespace jute::plan
