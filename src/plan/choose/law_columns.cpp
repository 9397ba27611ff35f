// The law's amounts of a kernel, number by number.
#include <jute/plan/choose/law_columns.hpp>

#include <cmath>
#include <iterator>
#include <string_view>

#include "base/format.hpp"
#include "plan/choose/step_cost.hpp"
#include "plan/derive/block_of.hpp"

namespace jute {
namespace {

constexpr std::string_view kColumns[] = {"tiles",    "resident", "k_tiles", "products",
                                         "reads",    "copies",   "warps",   "ahead",
                                         "elements", "parts",    "begin",   "memory"};

/// Six digits tell more than a timing.
std::string six_digits(double value) {
  return value == std::floor(value) ? base::format("{:.0f}", value) : base::format("{:.6g}", value);
}
std::string whole_number(double value) { return base::format("{}", value); }

}  // namespace

Fields law_rates(const DeviceInfo& device) {
  const ChipRates rates = plan::chip_rates(device);
  return {{"sms", whole_number(rates.sms)},
          {"issue_slots", whole_number(rates.issue_slots)},
          {"load_latency", whole_number(rates.load_latency)},
          {"launch_gap", whole_number(rates.launch_gap)},
          {"block_start", whole_number(rates.block_start)},
          {"of_fastest_clock", base::format("{:.6f}", rates.of_fastest_clock)},
          {"seen_mhz", whole_number(chip_figures(device).seen_mhz.value)}};
}

std::vector<std::string> law_column_names() {
  std::vector<std::string> names{"family", "width", "split_k"};
  for (const std::string_view column : kColumns) names.emplace_back(column);
  names.emplace_back("clocks");
  return names;
}

std::optional<Fields> law_columns(const GemmStep& step, const DeviceInfo& device) {
  const Block& block = step.block;
  if (!plan::is_of_law(step) || block.stored_bits > 0 || step.schedule.whole_tiles > 0)
    return std::nullopt;
  const FamilyLaw law = plan::law_of(step, device);
  const Grid grid = plan::grid_of(step);
  const plan::Busy busy = plan::busy_of(block, grid, law.rates);
  const double values[] = {grid.tiles,
                           busy.resident,
                           grid.k_tiles,
                           busy.products,
                           busy.reads,
                           block.copies,
                           block.warps,
                           block.ahead,
                           block.m * block.n * block.matrices,
                           block.parts - 1 + block.stores,
                           busy.begin,
                           busy.memory};
  Fields all{{"family", std::string(row_of(law.of.family).name)},
             {"width", Index{width_bytes(step.a.type)}},
             {"split_k", Index{step.schedule.split_k}}};
  for (size_t i = 0; i < std::size(kColumns); ++i)
    all.push_back({std::string(kColumns[i]), six_digits(values[i])});
  const double clocks =
      plan::clocks(block, grid, {step.schedule.split_k}, law.rates, law.of).clocks;
  all.push_back({"clocks", six_digits(clocks)});
  return all;
}

}  // namespace jute
