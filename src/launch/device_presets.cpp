// The presets: figures from the vendor's data sheets and the CUDA C++ Programming Guide.
#include <jute/base/error.hpp>
#include <jute/base/nearest_name.hpp>
#include <jute/base/refuse.hpp>
#include <jute/launch/device_presets.hpp>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace jute {
namespace {

constexpr Index kKiB = 1024;
constexpr Index kMiB = 1024 * kKiB;
constexpr Index kGiB = 1024 * kMiB;

DeviceInfo preset(std::string name, Arch arch, int sm_count, int threads_per_sm, Index l2_bytes,
                  Index memory_bytes) {
  const ArchLimits limit = limits(arch);
  return {std::move(name),
          arch,
          sm_count,
          limit.smem_bytes_per_block,
          limit.smem_bytes_per_sm,
          limit.registers_per_sm,
          threads_per_sm,
          l2_bytes,
          memory_bytes};
}

const std::vector<DeviceInfo>& presets() {
  // The first preset of an architecture stands for it.
  // clang-format off
  static const std::vector<DeviceInfo> kPresets{
  //     name       architecture SMs  threads/SM  L2          memory
  preset("h200",    {90, 'a'},   132, 2048,       60 * kMiB,  141 * kGiB),
  preset("h100",    {90, 'a'},   132, 2048,       50 * kMiB,   80 * kGiB),
  preset("v100",    {70, '\0'},   80, 2048,        6 * kMiB,   32 * kGiB),
  preset("t4",      {75, '\0'},   40, 1024,        4 * kMiB,   16 * kGiB),
  preset("a100",    {80, '\0'},  108, 2048,       40 * kMiB,   80 * kGiB),
  preset("rtx3090", {86, '\0'},   82, 1536,        6 * kMiB,   24 * kGiB),
  preset("orin",    {87, '\0'},   16, 1536,        4 * kMiB,   64 * kGiB),
  preset("l40s",    {89, '\0'},  142, 1536,       96 * kMiB,   48 * kGiB),
  preset("rtx4090", {89, '\0'},  128, 1536,       72 * kMiB,   24 * kGiB),
  preset("l4",      {89, '\0'},   58, 1536,       48 * kMiB,   24 * kGiB),
  preset("b200",    {100, 'a'},  148, 2048,      126 * kMiB,  180 * kGiB),
  preset("rtx5090", {120, 'a'},  170, 1536,       96 * kMiB,   32 * kGiB),
  };
  // clang-format on
  return kPresets;
}

}  // namespace

std::span<const DeviceInfo> device_presets() { return presets(); }

const DeviceInfo& device_preset(std::string_view name) {
  const auto found = std::find_if(presets().begin(), presets().end(),
                                  [&](const DeviceInfo& info) { return info.name == name; });
  if (found != presets().end()) return *found;
  std::vector<std::string> known;
  for (const DeviceInfo& info : presets()) known.push_back(info.name);
  jute::refuse(ErrorCode::unknown_name, "device preset", std::string(name),
               "a preset must be one of: " + joined(known), nearest_name(name, known));
}

DeviceInfo preset_for(Arch arch) {
  const auto same = [&](const auto& equal) {
    return std::ranges::find_if(presets(),
                                [&](const DeviceInfo& info) { return equal(info.arch); });
  };
  auto found = same([&](Arch of) { return of == arch; });
  if (found == presets().end()) found = same([&](Arch of) { return of.number == arch.number; });
  if (found == presets().end()) {
    std::vector<std::string> known;
    for (const Arch one : known_arches()) known.push_back(to_string(one));
    jute::refuse(ErrorCode::unknown_name, "architecture", to_string(arch),
                 "an architecture must be one of: " + joined(known),
                 nearest_name(to_string(arch), known));
  }
  DeviceInfo chip = *found;
  chip.arch = arch;
  return chip;
}

}  // namespace jute
