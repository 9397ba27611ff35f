// Issue, turns and memory of equal blocks that SMs share out.
#include "plan/cost/law.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "plan/chip/line.hpp"
#include "plan/cost/fitted.hpp"
#include "plan/cost/straight_cost.hpp"
#include "plan/cost/warpgroup_cost.hpp"

namespace jute::plan {
namespace {

constexpr double kRowOfSums = 128;  // elements of D that coefficients are of
// The part of its rate that memory gives operands whose rows begin inside chunks:
// bench/results/2026-11-29-one-law.md.
constexpr double kOfNarrow = 0.75;
constexpr double kUntilCounted = 256;  // of such sums' clocks for each: until a slice is counted

double fourth(double x) { return x * x * x * x; }
/// The clocks of two things that go on at the same time.
double together(double x, double y) { return std::sqrt(std::sqrt(fourth(x) + fourth(y))); }

bool waits_ahead(const Coefficients& of) { return of.width < row_of(of.family).waits_ahead_below; }

/// Rows of a slice's sums, as they are waited for: half by the block's share of memory, half by
/// what each of its threads has to ask for, those of four warps being as long as that.
double waited_sums(const Block& block, double stored, const Coefficients& of) {
  constexpr double kUsualWarps = 4;
  if (!waits_ahead(of)) return stored;
  return stored * (1 + kUsualWarps * block.parts / block.warps) / 2;
}

/// Blocks of an SM, in whole tiles' where some are cut beside those; and those of them that have a
/// slice.
struct Dealt {
  double of_sm, cut;
};
Dealt deal_out(double tiles, const Cut& cut, double sms) {
  if (cut.whole_tiles > 0) {
    const double whole = static_cast<double>(cut.whole_tiles);
    const double behind = std::ceil(std::max(tiles - whole, 0.0) * cut.split_k / sms);
    return {whole / sms + behind / cut.split_k, cut.split_k > 1 ? behind : 0};
  }
  const double of_sm = std::ceil(tiles * cut.split_k / sms);
  return {of_sm, cut.split_k > 1 ? of_sm : 0};
}

/// Bytes of both operands and of D.
struct Bytes {
  double a, b, d;
};

/// Clocks of operands that tiles share: those of memory, which gives what begins inside chunks more
/// slowly, those that tiles load from the cache, and those that nobody can do without. D counts as
/// much as they, where it is wider at the rate that none exceeds.
double shared_clocks(const Block& block, const Grid& grid, const Bytes& all,
                     const ChipRates& rates) {
  const double more = block.width * (1 / kOfNarrow - 1), of_k = grid.k * grid.batch;
  const auto narrow = [&](double begins) { return begins < kChunk ? more : 0; };
  const double bytes = all.a + all.b + grid.m * of_k * narrow(block.a_begins) +
                       grid.n * of_k * narrow(block.b_begins) +
                       grid.m * grid.n * grid.batch * block.width;
  const double loaded =
      grid.tiles * block.matrices * (block.m * block.a_bytes + block.n * block.b_bytes) * grid.k;
  return std::max({bytes / rates.memory_bytes, loaded / rates.l2_bytes,
                   (all.a + all.b + all.d) / rates.sheet_bytes});
}

/// Clocks of a larger operand that each row of tiles reads again. Memory rests while all blocks of
/// an SM multiply: the fewer there are, the more often, and by so small a part of its clocks where
/// there is one.
double streaming_clocks(const Block& block, const Grid& grid, const Bytes& all, double resident,
                        const ChipRates& rates) {
  constexpr double kPartOfOne = 4;
  const bool is_b = grid.m <= grid.n;
  const double again = is_b ? std::ceil(grid.m / block.m) : std::ceil(grid.n / block.n);
  const double streamed = is_b ? all.b : all.a, kept = is_b ? all.a : all.b;
  return std::max((streamed * again + kept) / rates.memory_bytes,
                  (streamed + kept + all.d) / rates.sheet_bytes) *
         (1 + 1 / (kPartOfOne * resident * resident));
}

Bytes bytes_of(const Block& block, const Grid& grid) {
  const double of_k = grid.k * grid.batch;
  return {grid.m * of_k * block.a_bytes, grid.n * of_k * block.b_bytes,
          grid.m * grid.n * grid.batch * block.d_bytes};
}

/// A problem without rows is streamed as if it had one.
Grid with_some_rows(Grid grid) {
  for (double* const extent : {&grid.m, &grid.n, &grid.k, &grid.batch})
    *extent = std::max(*extent, 1.0);
  return grid;
}

double memory_clocks(const Block& block, const Grid& grid, double resident,
                     const ChipRates& rates) {
  if (block.streams == 0) return shared_clocks(block, grid, bytes_of(block, grid), rates);
  const Grid at_least = with_some_rows(grid);
  return streaming_clocks(block, at_least, bytes_of(block, at_least), resident, rates);
}

/// The part of a launch that blocks feel whose loads go out as they begin: the fourth root of what
/// those are of as many as an SM answers before their latency is over.
double felt_beginning(const Block& block, const Grid& grid, const ChipRates& rates) {
  constexpr double kAtOnce = 64;  // of warps, of an SM
  if (block.begins_with == 0) return 1;
  return std::sqrt(std::sqrt(std::min(grid.tiles * block.begins_with / rates.sms / kAtOnce, 1.0)));
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

double resident_blocks(const Block& block, const ChipRates& rates) {
  if (block.most_resident > 0) return block.most_resident;
  const double threads =
      block.registers > 0 ? std::min(rates.threads_of_sm, rates.registers_of_sm / block.registers)
                          : rates.threads_of_sm;
  double blocks = std::floor(threads / block.threads);
  if (block.smem_bytes > 0)
    blocks = std::min(blocks, std::floor(rates.smem_of_sm / block.smem_bytes));
  return std::max(blocks, 1.0);
}

FamilyLaw law_of(Family family, MmaForm form, DType operand, DType accumulate,
                 const DeviceInfo& device) {
  FamilyLaw law{chip_rates(device), coefficients_of(family, width_bytes(operand), device)};
  law.rates.multiply_adds = multiply_adds(device, form, operand, accumulate);
  return law;
}

Busy busy_of(const Block& block, const Grid& grid, const ChipRates& rates) {
  Busy busy;
  busy.resident = resident_blocks(block, rates);
  busy.products = block.products / rates.multiply_adds;
  busy.reads = block.smem_read / rates.smem_bytes + block.accesses;
  busy.begin = felt_beginning(block, grid, rates);
  busy.memory = memory_clocks(block, grid, busy.resident, rates);
  return busy;
}

namespace {

/// The factor from the law to what was timed: of a last wave that is cut alone, and of dot products
/// of stored elements.
double as_timed(const Block& block, const Cut& cut, const Coefficients& of) {
  if (cut.whole_tiles > 0 && cut.split_k > 1)
    return row_of(of.family).by == MultipliedBy::threads ? fitted::kTailOfThreads : fitted::kTail;
  return of.family == Family::dot_products && block.converted > 0 ? fitted::kDotsOfStored : 1;
}

Prediction clocks_of_cut(const Block& block, const Grid& grid, const Busy& busy, const Cut& cut,
                         const ChipRates& rates, const Coefficients& of, double limit) {
  const Dealt dealt = deal_out(grid.tiles, cut, rates.sms);
  const bool is_tail = cut.whole_tiles > 0;
  const double of_sm = dealt.of_sm, stored = block.m * block.n * block.matrices / kRowOfSums;
  const double k_tile = std::max(of.product, rates.of_fastest_clock) * busy.products +
                        of.read * busy.reads + of.copy * block.copies +
                        block.converted / rates.issue_slots;
  const double epilogue = of.store * stored * (block.parts - 1 + block.stores + dealt.cut / of_sm);
  Prediction result;
  result.launch = of.launch * rates.launch_gap * busy.begin + block.maps * rates.load_latency;
  result.waves = result.ends = of_sm / std::min(busy.resident, of_sm);
  if (!is_tail) result.waves = result.ends = std::ceil(result.waves);
  result.k_blocks = std::ceil(grid.k_tiles / (is_tail ? 1 : cut.split_k));
  result.products = of_sm / result.waves * k_tile;
  // A warp has one of the slots that start instructions.
  const double ahead = std::max(block.ahead, 1.0);
  const double own = k_tile / block.warps * rates.issue_slots;
  const double turn = waits_ahead(of) ? together((rates.load_latency + of.turn) / ahead, own)
                                      : together(rates.load_latency / ahead, of.turn + own);
  result.feed = std::max(turn, block.boxes * rates.tma_issue);
  const double end = of.end * rates.block_start;
  const double issued = of_sm * (result.k_blocks * k_tile + epilogue + end);
  const double turns = result.waves * (result.k_blocks * result.feed + end);
  const bool is_issue = issued >= turns;
  result.k_block = is_issue ? result.products : result.feed;
  result.tile = is_issue ? of_sm / result.waves * end : end;
  result.epilogue = is_issue ? of_sm / result.waves * epilogue : 0;
  result.work = std::max(issued, turns);
  result.memory = busy.memory;
  result.reduction =
      cut.split_k > 1 ? of.sum * (cut.split_k * waited_sums(block, stored, of) + kUntilCounted) : 0;
  const double longest = std::max(result.work, result.memory);
  result.clocks = result.launch + longest + result.reduction;
  if (result.clocks >= limit) return result;
  result.least = together(together(issued, turns), result.memory) - longest;
  result.least += (as_timed(block, cut, of) - 1) * (result.clocks + result.least);
  result.clocks += result.least;
  return result;
}

}  // namespace

Prediction ClocksOfCuts::operator()(const Cut& cut, double limit) const {
  if (block_.stored_bits > 0) return stored_clocks(block_, grid_, rates_);
  return clocks_of_cut(block_, grid_, busy_, cut, rates_, of_, limit);
}

Prediction clocks(const Block& block, const Grid& grid, const Cut& cut, const ChipRates& rates,
                  const Coefficients& of, double limit) {
  if (block.teams > 0) return warpgroup_clocks(block, grid, cut, rates);
  return ClocksOfCuts(block, grid, rates, of)(cut, limit);
}

}  // namespace jute::plan
