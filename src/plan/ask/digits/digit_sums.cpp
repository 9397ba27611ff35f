// Looks for digits that add up to a number.
#include "plan/ask/digits/digit_sums.hpp"

#include <jute/base/checked.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>

namespace jute::plan {
namespace {

constexpr int kMostDigitTries = 1 << 20;

/// Digits of one weight, taken as positive, as one.
struct Weight {
  Index weight = 0;
  Index least = 0, most = 0;            // of the sum of its digits
  Index rest_least = 0, rest_most = 0;  // what smaller weights add at least, and at most
  Index divisor = 0;                    // of this weight and all smaller ones
  std::vector<std::size_t> places{};
};

/// From the largest weight on.
std::vector<Weight> weights_of(std::span<const WeighedDigit> places) {
  std::vector<Weight> weights;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto& [weight, least, most] = places[i];
    const Index size = weight < 0 ? checked_mul(-1, weight, "view") : weight;
    const auto is_it = [&](const Weight& one) { return one.weight == size; };
    auto it = std::ranges::find_if(weights, is_it);
    if (it == weights.end()) it = weights.insert(it, {.weight = size});
    it->least = checked_add(it->least, weight < 0 ? -most : least, "view");
    it->most = checked_add(it->most, weight < 0 ? -least : most, "view");
    it->places.push_back(i);
  }
  std::ranges::stable_sort(weights, std::ranges::greater{}, &Weight::weight);
  Index least = 0, most = 0, divisor = 0;
  for (auto it = weights.rbegin(); it != weights.rend(); ++it) {
    it->rest_least = least, it->rest_most = most;
    it->divisor = divisor = std::gcd(divisor, it->weight);
    least = checked_add(least, checked_mul(it->least, it->weight, "view"), "view");
    most = checked_add(most, checked_mul(it->most, it->weight, "view"), "view");
  }
  return weights;
}

Index divided_down(Index value, Index by) { return value / by - (value % by < 0 ? 1 : 0); }
Index divided_up(Index value, Index by) { return -divided_down(-value, by); }

class DigitSearch {
 public:
  explicit DigitSearch(std::span<const WeighedDigit> places)
      : places_(places), weights_(weights_of(places)), sums_(weights_.size()) {}

  DigitSum of(Index sum) {
    for (const WeighedDigit& place : places_)
      if (place.least > place.most) return {};
    if (!leads_to(0, sum))
      return {.digits = std::nullopt, .is_undecided = tries_ > kMostDigitTries};
    return {.digits = digits()};
  }

 private:
  /// Can the weights from this one on make up `sum`?
  bool leads_to(std::size_t at, Index sum) {
    if (at == weights_.size()) return sum == 0;
    if (++tries_ > kMostDigitTries) return false;
    const Weight& it = weights_[at];
    if (it.divisor == 0 ? sum != 0 : sum % it.divisor != 0) return false;
    Index low = it.least, high = it.most;
    if (it.weight == 0)
      low = high;  // counts for nothing
    else {
      low = std::max(low, divided_up(checked_add(sum, -it.rest_most, "view"), it.weight));
      high = std::min(high, divided_down(checked_add(sum, -it.rest_least, "view"), it.weight));
    }
    for (Index count = high; count >= low; --count) {
      sums_[at] = count;
      if (leads_to(at + 1, sum - count * it.weight)) return true;
    }
    return false;
  }

  /// The part of the sum that each digit of a weight takes: the first as much as it can.
  [[nodiscard]] std::vector<Index> digits() const {
    std::vector<Index> digits(places_.size(), 0);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      Index left = sums_[i] - weights_[i].least;
      for (const std::size_t place : weights_[i].places) {
        const auto& [weight, least, most] = places_[place];
        const Index taken = std::min(left, most - least);
        digits[place] = weight < 0 ? most - taken : least + taken;
        left -= taken;
      }
    }
    return digits;
  }

  std::span<const WeighedDigit> places_;
  std::vector<Weight> weights_;
  std::vector<Index> sums_;  ///< of the digits of each weight
  int tries_ = 0;
};

}  // namespace

DigitSum digits_of_sum(std::span<const WeighedDigit> places, Index sum) {
  return DigitSearch(places).of(sum);
}

}  // namespace jute::plan
