// Architectures and their limits as one table.
#include <jute/base/arch.hpp>
#include <jute/base/arch_feature.hpp>
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ostream>
#include <vector>

namespace jute {
namespace {

struct ArchRow {
  Arch arch;
  int smem_kib_per_block;  // opt-in maximum
  int smem_kib_per_sm;
};

// Source: CUDA C++ Programming Guide, technical specifications per compute capability.
// clang-format off
constexpr std::array kRows{
  ArchRow{{70},        96,  96},
  ArchRow{{75},        64,  64},
  ArchRow{{80},       163, 164},
  ArchRow{{86},        99, 100},
  ArchRow{{87},       163, 164},
  ArchRow{{89},        99, 100},
  ArchRow{{90},       227, 228},
  ArchRow{{90, 'a'},  227, 228},
  ArchRow{{100},      227, 228},
  ArchRow{{100, 'a'}, 227, 228},
  ArchRow{{120},       99, 100},
  ArchRow{{120, 'a'},  99, 100},
};
// clang-format on

struct FeatureRow {
  ArchFeature feature;
  Arch first;
};

// Source: PTX ISA, "target ISA notes" of each instruction; for clusters, of barrier.cluster.
// clang-format off
constexpr std::array kFeatures{
  FeatureRow{ArchFeature::tanh,               {75}},
  FeatureRow{ArchFeature::async_copies,       {80}},
  FeatureRow{ArchFeature::small_floats,       {89}},
  FeatureRow{ArchFeature::tma,                {90}},
  FeatureRow{ArchFeature::clusters,           {90}},
  FeatureRow{ArchFeature::dependent_launches, {90}},
  FeatureRow{ArchFeature::register_exchange,  {90, 'a'}},
  FeatureRow{ArchFeature::tensor_map_edits,   {90, 'a'}},
};
// clang-format on

constexpr auto kArches = [] {
  std::array<Arch, kRows.size()> arches;
  for (size_t i = 0; i < kRows.size(); ++i) arches[i] = kRows[i].arch;
  return arches;
}();

/// Generations by the names that people give them.
constexpr std::pair<std::string_view, Arch> kGenerations[] = {
    {"volta", {70}}, {"turing", {75}},      {"ampere", {80}},
    {"ada", {89}},   {"hopper", {90, 'a'}}, {"blackwell", {100, 'a'}}};

/// A generation, what the text begins (sm_12: sm_120), the nearest number of two digits or more
/// (9.0: sm_90), or the nearest spelling.
std::optional<std::string> nearest_arch(std::string_view text,
                                        const std::vector<std::string>& names) {
  std::string lower(text);
  for (char& c : lower) c = 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const auto& [generation, arch] : kGenerations)
    if (lower == generation) return to_string(arch);
  constexpr std::size_t kLeastBegun = std::string_view("sm_1").size();
  for (const std::string& name : names)
    if (lower.size() >= kLeastBegun && name.starts_with(lower)) return name;
  const std::size_t first = std::min(lower.find_first_of("0123456789"), lower.size());
  const std::string before = lower.substr(0, first);
  // The number of an A100 is no capability.
  if (before.find_first_not_of("_- ") != std::string::npos && !before.starts_with("sm") &&
      !before.starts_with("compute"))
    return nearest_name(text, names);
  std::string digits = lower.substr(first);
  std::erase(digits, '.');  // 9.0, a compute capability
  int number = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), number);
  constexpr int kFirstNumber = 10, kLastNumber = 200;
  if (number < kFirstNumber || number > kLastNumber) return nearest_name(text, names);
  const auto distance = [&](Arch arch) { return std::abs(arch.number - number); };
  return to_string(*std::ranges::min_element(kArches, {}, distance));
}

[[noreturn]] void throw_unknown(std::string_view text) {
  std::vector<std::string> names;
  for (const Arch arch : kArches) names.push_back(to_string(arch));
  jute::refuse(ErrorCode::unknown_name, "arch", std::string(text),
               "an architecture must be one of " + joined(names), nearest_arch(text, names));
}

}  // namespace

std::span<const Arch> known_arches() { return kArches; }

std::string to_string(Arch arch) {
  std::string text = "sm_" + std::to_string(arch.number);
  if (arch.suffix != '\0') text += arch.suffix;
  return text;
}

std::ostream& operator<<(std::ostream& out, Arch arch) { return out << to_string(arch); }

Arch parse_arch(std::string_view text) {
  std::string_view rest = text;
  for (const std::string_view prefix : {"sm_", "compute_"})
    if (rest.starts_with(prefix)) {
      rest.remove_prefix(prefix.size());
      break;
    }
  const auto found = std::ranges::find_if(
      kArches, [&](Arch arch) { return std::string_view(to_string(arch)).substr(3) == rest; });
  if (found == kArches.end()) throw_unknown(text);
  return *found;
}

bool provides(Arch target, Arch required) {
  return required.suffix == '\0' ? target.number >= required.number : target == required;
}

Arch first_with(ArchFeature feature) {
  return std::ranges::find(kFeatures, feature, &FeatureRow::feature)->first;
}

bool provides(Arch target, ArchFeature feature) {
  const Arch first = first_with(feature);
  return target.number >= first.number && (first.suffix == '\0' || target.suffix != '\0');
}

ArchLimits limits(Arch arch) {
  const auto found = std::ranges::find(kRows, arch, &ArchRow::arch);
  if (found == kRows.end()) throw_unknown(to_string(arch));
  ArchLimits result;
  result.smem_bytes_per_block = found->smem_kib_per_block * 1024;
  result.smem_bytes_per_sm = found->smem_kib_per_sm * 1024;
  return result;
}

}  // namespace jute
