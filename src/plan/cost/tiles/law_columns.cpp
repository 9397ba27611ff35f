// The law's amounts of a kernel, number by number.
#include <jute/plan/cost/law_columns.hpp>

#include <cmath>

#include "base/format.hpp"
#include "plan/cost/tiles/law_work.hpp"

namespace jute {
namespace {

/// A column of numbers.
struct AmountColumn {
  std::string_view name;
  double plan::Amounts::*value;
};
constexpr AmountColumn kAmounts[] = {
    {"tiles", &plan::Amounts::tiles},       {"resident", &plan::Amounts::resident},
    {"k_tiles", &plan::Amounts::k_tiles},   {"products", &plan::Amounts::products},
    {"reads", &plan::Amounts::reads},       {"copies", &plan::Amounts::copies},
    {"warps", &plan::Amounts::warps},       {"ahead", &plan::Amounts::ahead},
    {"elements", &plan::Amounts::elements}, {"parts", &plan::Amounts::parts},
    {"begin", &plan::Amounts::begin},       {"memory", &plan::Amounts::memory}};

/// Six digits tell more than a timing.
std::string six_digits(double value) {
  return value == std::floor(value) ? base::format("{:.0f}", value) : base::format("{:.6g}", value);
}
std::string whole_number(double value) { return base::format("{}", value); }

}  // namespace

Fields law_rates(const DeviceInfo& device) {
  const plan::ChipRates rates = plan::chip_rates(device);
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
  for (const AmountColumn& column : kAmounts) names.emplace_back(column.name);
  names.emplace_back("clocks");
  return names;
}

std::optional<Fields> law_columns(const Work& work, const DeviceInfo& device) {
  const std::optional<plan::LawWork> by = plan::law_work(work, device);
  if (!by || work.whole_tiles > 0) return std::nullopt;
  Fields all{{"family", std::string(row_of(by->law.of.family).name)},
             {"width", Index{width_bytes(work.problem.a.type)}},
             {"split_k", Index{work.split_k}}};
  for (const AmountColumn& column : kAmounts)
    all.push_back({std::string(column.name), six_digits(by->amounts.*column.value)});
  all.push_back(
      {"clocks",
       six_digits(plan::by_law(by->amounts, {work.split_k}, by->law.of, by->law.rates).clocks)});
  return all;
}

}  // namespace jute
