// The table of links.
#include <jute/dist/link.hpp>
#include <jute/plan/chip/chip_figures.hpp>

#include <algorithm>
#include <array>

namespace jute {
namespace {

struct LinkRow {
  std::string_view chip;
  Link link;
};
constexpr std::string_view kMeasured =
    "copy engines of two H200s, 2026-11-29, twice: 8 kB to 268 MB, medians of 5; reads "
    "and stores of 2026-11-20";
constexpr std::string_view kScaled = "estimate: the H200's, by the data sheets' rates of the links";
constexpr std::string_view kHost = "estimate: PCIe 4.0 of 16 lanes, staged by the host's memory";
// clang-format off
constexpr std::array<LinkRow, 5> kLinks{{
    // chip   link, source, GB/s, us of a call, of the host's, of a launch, to meet, GB/s of reads, of stores, ranks
    {"h200", {"NVLink 4", kMeasured, 385, 15, 40, 5, 6, 324, 350, 2}},
    {"h100", {"NVLink 4", kScaled,   385, 15, 40, 5, 6, 324, 350, 0}},
    {"a100", {"NVLink 3", kScaled,   257, 15, 40, 5, 6, 216, 233, 0}},
    {"b200", {"NVLink 5", kScaled,   770, 15, 40, 5, 6, 648, 700, 0}},
    {"",     {"PCIe 4.0", kHost,      12, 40, 40, 5, 12, 10, 10, 0}},
}};
// clang-format on

}  // namespace

const Link& link_of(const DeviceInfo& device) {
  const std::string_view chip = chip_figures(device).chip;
  const auto row = std::ranges::find(kLinks, chip, &LinkRow::chip);
  return (row == kLinks.end() ? kLinks.back() : *row).link;
}

double transfer_us(const Link& link, double bytes) {
  constexpr double kBytesOfUs = 1e3;  // at a GB/s
  return bytes > 0 ? link.call_us + bytes / (link.gb_s * kBytesOfUs) : 0;
}

}  // namespace jute
