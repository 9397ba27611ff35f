// Reads a chip's row in clocks of the frequency at which its tensor cores are seen to work.
#include "plan/chip/chip_rates.hpp"

#include <algorithm>

#include "plan/chip/nearest_row.hpp"

namespace jute::plan {
namespace {

double clock_hz(const ChipFigures& chip) { return chip.seen_mhz.value * 1e6; }

}  // namespace

ChipRates chip_rates(const DeviceInfo& device) {
  constexpr double kFitted = 4800 * 1e9 / (1720 * 1e6);
  const ChipFigures chip = chip_figures(device);
  ChipRates rates;
  rates.sms = std::max(device.sm_count, 1);
  rates.memory_bytes = chip.memory_seen_gb_s.value * 1e9 / clock_hz(chip);
  rates.sheet_bytes = chip.memory_gb_s.value * 1e9 / clock_hz(chip);
  rates.memory_beside = rates.sheet_bytes / kFitted;
  rates.l2_bytes = chip.l2_bytes.value * rates.sms;
  rates.smem_bytes = chip.smem_bytes.value;
  rates.issue_slots = chip.issue_slots.value;
  rates.load_latency = chip.load_latency.value;
  rates.launch_gap = chip.launch_gap.value;
  rates.block_start = chip.block_start.value;
  rates.of_fastest_clock = chip.seen_mhz.value / chip.thread_mhz.value;
  rates.tma_issue = chip.tma_issue.value;
  rates.smem_of_sm = static_cast<double>(device.smem_bytes_per_sm);
  rates.threads_of_sm = device.threads_per_sm;
  rates.registers_of_sm = device.registers_per_sm;
  return rates;
}

double multiply_adds(const DeviceInfo& device, MmaForm form, DType operand, DType accumulate) {
  const ChipFigures chip = chip_figures(device);
  if (const auto own = greatest_rate(chip, form, operand, accumulate)) return *own;
  const auto halves = greatest_rate(chip, form, DType::f16, DType::f32);
  if (halves && width_bytes(operand) == 1) return *halves;
  return greatest_rate(chip, MmaForm::fma, operand, accumulate).value_or(chip.thread_singles.value);
}

}  // namespace jute::plan
