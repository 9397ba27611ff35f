// Finds a device's row, and what of it an instruction can reach.
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

#include "plan/chip/nearest_row.hpp"

namespace jute {
namespace {

/// A field of the table, for people.
struct FigureField {
  std::string_view name, unit, meaning;
  Figure ChipFigures::*figure;
};
constexpr std::string_view kClocks = "clocks", kBytes = "bytes of an SM in a clock",
                           kEach = "of an SM in a clock",
                           kRate = "multiply-adds of an SM in a clock";
// clang-format off
constexpr std::array kFields{
    FigureField{"mhz", "MHz", "SM clock of the data sheet's rates of tensor cores", &ChipFigures::mhz},
    FigureField{"thread_mhz", "MHz", "SM clock of its rates of threads", &ChipFigures::thread_mhz},
    FigureField{"seen_mhz", "MHz", "SM clock at which tensor cores work under load", &ChipFigures::seen_mhz},
    FigureField{"watts", "W", "the power limit", &ChipFigures::watts},
    FigureField{"launch_gap", kClocks, "from one kernel to the next of a graph", &ChipFigures::launch_gap},
    FigureField{"dependent_launch_gap", kClocks, "likewise where the next may begin early", &ChipFigures::dependent_launch_gap},
    FigureField{"block_start", kClocks, "of a block until its threads have met", &ChipFigures::block_start},
    FigureField{"first_tile", kClocks, "from then until the first tile is in shared memory", &ChipFigures::first_tile},
    FigureField{"memory_gb_s", "GB/s", "the device's memory", &ChipFigures::memory_gb_s},
    FigureField{"memory_seen_gb_s", "GB/s", "what kernels read of it", &ChipFigures::memory_seen_gb_s},
    FigureField{"l2_bytes", kBytes, "L2 cache, lines of one SM each", &ChipFigures::l2_bytes},
    FigureField{"l2_same_bytes", kBytes, "L2 cache, lines that all SMs read", &ChipFigures::l2_same_bytes},
    FigureField{"load_latency", kClocks, "from asking for a tile of operands until it has come", &ChipFigures::load_latency},
    FigureField{"smem_bytes", kBytes, "shared memory", &ChipFigures::smem_bytes},
    FigureField{"remote_smem_bytes", kBytes, "shared memory of a cluster's other blocks", &ChipFigures::remote_smem_bytes},
    FigureField{"tma_issue", kClocks, "from one TMA instruction of a thread to its next", &ChipFigures::tma_issue},
    FigureField{"issue_slots", kEach, "instructions of warps", &ChipFigures::issue_slots},
    FigureField{"special_functions", kEach, "ex2, rcp and tanh", &ChipFigures::special_functions},
    FigureField{"mma_halves", kRate, "f16 and bf16 by mma.sync", &ChipFigures::mma_halves},
    FigureField{"mma_halves_f16", kRate, "f16 into sums of f16 by mma.sync", &ChipFigures::mma_halves_f16},
    FigureField{"mma_words", kRate, "tf32 by mma.sync", &ChipFigures::mma_words},
    FigureField{"mma_integers", kRate, "8-bit integers by mma.sync", &ChipFigures::mma_integers},
    FigureField{"mma_bytes", kRate, "8-bit floats by mma.sync", &ChipFigures::mma_bytes},
    FigureField{"mma_doubles", kRate, "f64 by mma.sync", &ChipFigures::mma_doubles},
    FigureField{"group_halves", kRate, "f16 and bf16 by wgmma or tcgen05", &ChipFigures::group_halves},
    FigureField{"group_words", kRate, "tf32 by wgmma or tcgen05", &ChipFigures::group_words},
    FigureField{"group_integers", kRate, "8-bit integers by wgmma or tcgen05", &ChipFigures::group_integers},
    FigureField{"group_bytes", kRate, "8-bit floats by wgmma or tcgen05", &ChipFigures::group_bytes},
    FigureField{"thread_singles", kRate, "f32 and f16 by threads", &ChipFigures::thread_singles},
    FigureField{"thread_doubles", kRate, "f64 by threads", &ChipFigures::thread_doubles},
    FigureField{"thread_integers", kRate, "whole words of integers by threads", &ChipFigures::thread_integers},
};
// clang-format on
constexpr std::array<std::string_view, 4> kSources{"data sheet", "measured", "derived", "estimate"};

char small(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

/// Does the driver's name hold the chip's up to the end of a word? "NVIDIA GeForce RTX 3090" holds
/// rtx3090; "NVIDIA L40" holds no l4.
bool holds(std::string_view name, std::string_view chip) {
  for (size_t begin = 0; begin < name.size(); ++begin) {
    size_t at = begin, matched = 0;
    for (; at < name.size() && matched < chip.size(); ++at) {
      if (name[at] == ' ') continue;
      if (small(name[at]) != chip[matched]) break;
      ++matched;
    }
    const bool ends = at == name.size() || std::isalnum(static_cast<unsigned char>(name[at])) == 0;
    if (matched == chip.size() && ends) return true;
  }
  return false;
}

bool is_named(const DeviceInfo& device, const ChipFigures& row) {
  return holds(device.name, row.chip);
}

/// Figures of a chip of which no more is known than of another.
ChipFigures as_derived(ChipFigures chip) {
  for (const FigureField& field : kFields)
    if (Figure& figure = chip.*field.figure; figure.source != FigureSource::estimate)
      figure.source = FigureSource::derived;
  return chip;
}

/// `measured 2026-11-29: loops that read` was measured; what says nothing of the kind likewise.
FigureSource source_of(std::string_view origin) {
  const auto source = std::ranges::find_if(
      kSources, [&](std::string_view word) { return origin.starts_with(word); });
  return source == kSources.end()
             ? FigureSource::measured
             : static_cast<FigureSource>(std::distance(kSources.begin(), source));
}

void put_own(ChipFigures& chip, const std::vector<OwnFigure>& own) {
  constexpr FigureProbe kKept{"", "kept for this chip"};
  for (const OwnFigure& one : own) {
    const auto field = std::ranges::find(kFields, one.name, &FigureField::name);
    if (field != kFields.end()) chip.*field->figure = {one.value, source_of(one.origin), kKept};
  }
}

enum class Unit : std::uint8_t { threads, warp, group };

Unit unit_of(MmaForm form) {
  switch (form) {
    case MmaForm::fma:
    case MmaForm::dp:
      return Unit::threads;
    case MmaForm::mma:
    case MmaForm::mma_sparse:
    case MmaForm::mma_scaled:
    case MmaForm::mma_sparse_scaled:
    case MmaForm::mma_complex:
      return Unit::warp;
    default:
      return Unit::group;
  }
}

/// Words of integers hold as many elements as one instruction multiplies: dp4a, dp2a.
double rate_of_threads(const ChipFigures& chip, MmaForm form, DType operand, DType accumulate) {
  if (form == MmaForm::dp)
    return chip.thread_integers.value * width_bytes(accumulate) / width_bytes(operand);
  if (is_integer(accumulate)) return chip.thread_integers.value;
  return (accumulate == DType::f64 ? chip.thread_doubles : chip.thread_singles).value;
}

double rate_of_tensor_cores(const ChipFigures& chip, Unit unit, DType operand, DType accumulate) {
  const bool by_group = unit == Unit::group;
  switch (operand) {
    case DType::f16:
    case DType::bf16:
      if (by_group) return chip.group_halves.value;
      return (accumulate == DType::f16 ? chip.mma_halves_f16 : chip.mma_halves).value;
    case DType::tf32:
      return (by_group ? chip.group_words : chip.mma_words).value;
    case DType::e4m3:
    case DType::e5m2:
      return (by_group ? chip.group_bytes : chip.mma_bytes).value;
    case DType::s8:
    case DType::u8:
      return (by_group ? chip.group_integers : chip.mma_integers).value;
    case DType::f64:
      return by_group ? 0 : chip.mma_doubles.value;
    default:
      break;
  }
  return 0;
}

}  // namespace

std::string_view name(FigureSource source) { return kSources.at(static_cast<size_t>(source)); }

const ChipFigures& plan::nearest_row(const DeviceInfo& device) {
  const std::vector<ChipFigures>& chips = known_chips();
  const auto is_of_arch = [&](const ChipFigures& row) { return row.arch == device.arch.number; };
  const auto named = std::ranges::find_if(
      chips, [&](const ChipFigures& row) { return is_of_arch(row) && is_named(device, row); });
  if (named != chips.end()) return *named;
  const auto first = std::ranges::find_if(chips, is_of_arch);
  if (first != chips.end()) return *first;
  const auto later = std::ranges::find_if(
      chips, [&](const ChipFigures& row) { return row.arch > device.arch.number; });
  return later == chips.begin() ? chips.front() : *std::prev(later);
}

ChipFigures chip_figures(const DeviceInfo& device) {
  const ChipFigures& row = plan::nearest_row(device);
  const bool is_own = row.arch == device.arch.number && is_named(device, row);
  ChipFigures chip = is_own ? row : as_derived(row);
  put_own(chip, device.own_figures);
  return chip;
}

std::optional<double> greatest_rate(const ChipFigures& chip, MmaForm form, DType operand,
                                    DType accumulate) {
  const Unit unit = unit_of(form);
  const double rate = unit == Unit::threads ? rate_of_threads(chip, form, operand, accumulate)
                                            : rate_of_tensor_cores(chip, unit, operand, accumulate);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

std::optional<double> greatest_rate(const ChipFigures& chip, DType operand, DType accumulate) {
  std::optional<double> most;
  for (const MmaForm form : {MmaForm::fma, MmaForm::mma, MmaForm::wgmma_ss})
    most = std::max(most, greatest_rate(chip, form, operand, accumulate));
  return most;
}

std::vector<NamedFigure> figures(const ChipFigures& chip) {
  std::vector<NamedFigure> list;
  for (const FigureField& field : kFields)
    list.push_back({field.name, field.unit, field.meaning, chip.*field.figure});
  return list;
}

}  // namespace jute
