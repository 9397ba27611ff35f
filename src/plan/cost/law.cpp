// Issue, turns and memory of equal blocks that SMs share out.
#include "plan/cost/law.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace jute::plan {
namespace {

constexpr double kRowOfSums = 128;     // elements of D that coefficients are of
constexpr double kUntilCounted = 256;  // of such sums' clocks for each: until a slice is counted

double fourth(double x) { return x * x * x * x; }
/// What two that go on at the same time take.
double together(double x, double y) { return std::sqrt(std::sqrt(fourth(x) + fourth(y))); }

bool waits_ahead(const Coefficients& of) { return of.width < row_of(of.family).waits_ahead_below; }

/// Rows of a slice's sums, as they are waited for: half by the block's share of memory, half by
/// what each of its threads has to ask for, those of four warps being as long as that.
double waited_sums(const Amounts& amounts, double stored, const Coefficients& of) {
  constexpr double kUsualWarps = 4;
  if (!waits_ahead(of)) return stored;
  return stored * (1 + kUsualWarps * amounts.parts / amounts.warps) / 2;
}

/// Blocks of an SM, in whole tiles' where some are cut beside those; and those of them that have a
/// slice.
struct Dealt {
  double of_sm, cut;
};
Dealt deal_out(double tiles, const TileCut& cut, double sms) {
  if (cut.whole_tiles > 0) {
    const double whole = static_cast<double>(cut.whole_tiles);
    const double behind = std::ceil(std::max(tiles - whole, 0.0) * cut.split_k / sms);
    return {whole / sms + behind / cut.split_k, cut.split_k > 1 ? behind : 0};
  }
  const double of_sm = std::ceil(tiles * cut.split_k / sms);
  return {of_sm, cut.split_k > 1 ? of_sm : 0};
}

}  // namespace

std::vector<std::string> law_families() {
  std::vector<std::string> names;
  for (const FamilyRow& row : kFamilies)
    if (std::ranges::find(coefficients(), row.family, &Coefficients::family) !=
        coefficients().end())
      names.emplace_back(row.name);
  return names;
}

std::vector<double> values_of(const Coefficients& of) {
  std::vector<double> values;
  for (const CoefficientField& field : kCoefficientFields) values.push_back(of.*field.value);
  return values;
}

Coefficients coefficients_of(Family of_kernel, int width, const DeviceInfo& device) {
  const Family family = row_of(of_kernel).coefficients;
  const OwnCoefficients* own = nullptr;
  const auto beside = [&](int of_width) { return std::abs(of_width - width); };
  for (const OwnCoefficients& one : device.own_coefficients)
    if (one.family == row_of(family).name &&
        (own == nullptr || beside(one.width) < beside(own->width)))
      own = &one;
  const auto distance = [&](const Coefficients& of) {
    return (of.family == family ? 0 : 1 << 8) + beside(of.width);
  };
  Coefficients of = *std::ranges::min_element(coefficients(), {}, distance);
  if (own == nullptr) return of;
  of.width = own->width;
  for (size_t i = 0; i < std::min(own->values.size(), kCoefficientFields.size()); ++i)
    of.*kCoefficientFields[i].value = own->values[i];
  return of;
}

Prediction by_law(const Amounts& amounts, const TileCut& cut, const Coefficients& of,
                  const ChipRates& rates, double limit) {
  const Dealt dealt = deal_out(amounts.tiles, cut, rates.sms);
  const bool is_tail = cut.whole_tiles > 0;
  const double of_sm = dealt.of_sm, stored = amounts.elements / kRowOfSums;
  const double k_tile = std::max(of.product, rates.of_fastest_clock) * amounts.products +
                        of.read * amounts.reads + of.copy * amounts.copies +
                        amounts.converted / rates.issue_slots;
  const double epilogue = of.store * stored * (amounts.parts + dealt.cut / of_sm);
  Prediction result;
  result.launch = of.launch * rates.launch_gap * amounts.begin;
  result.waves = result.ends = of_sm / std::min(amounts.resident, of_sm);
  if (!is_tail) result.waves = result.ends = std::ceil(result.waves);
  result.k_blocks = std::ceil(amounts.k_tiles / (is_tail ? 1 : cut.split_k));
  result.products = of_sm / result.waves * k_tile;
  // A warp has one of the slots that start instructions.
  const double ahead = std::max(amounts.ahead, 1.0);
  const double own = k_tile / amounts.warps * rates.issue_slots;
  const double turn = waits_ahead(of) ? together((rates.load_latency + of.turn) / ahead, own)
                                      : together(rates.load_latency / ahead, of.turn + own);
  result.feed = std::max(turn, amounts.boxes);
  const double end = of.end * rates.block_start;
  const double issued = of_sm * (result.k_blocks * k_tile + epilogue + end);
  const double turns = result.waves * (result.k_blocks * result.feed + end);
  const bool is_issue = issued >= turns;
  result.k_block = is_issue ? result.products : result.feed;
  result.tile = is_issue ? of_sm / result.waves * end : end;
  result.epilogue = is_issue ? of_sm / result.waves * epilogue : 0;
  result.work = std::max(issued, turns);
  result.memory = amounts.memory;
  result.reduction = cut.split_k > 1
                         ? of.sum * (cut.split_k * waited_sums(amounts, stored, of) + kUntilCounted)
                         : 0;
  const double longest = std::max(result.work, result.memory);
  result.clocks = result.launch + longest + result.reduction;
  if (result.clocks >= limit) return result;
  result.least = together(together(issued, turns), result.memory) - longest;
  result.clocks += result.least;
  return result;
}

}  // namespace jute::plan
