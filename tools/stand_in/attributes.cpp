// The attributes of a device as a table.
#include "attributes.hpp"

#include <algorithm>
#include <array>

namespace jute::stand_in {
namespace {

struct AttributeRow {
  int attribute;
  int (*value)(const DeviceInfo& device);
};
template <int kValue>
int always(const DeviceInfo& /*device*/) {
  return kValue;
}
constexpr int kDefaultSmem = 48 * 1024;
// The driver takes these beside a block's own, since compute capability 8.0.
constexpr int kReservedSmem = 1024;
bool has(const DeviceInfo& device, int number) { return device.arch.number >= number; }

// Attributes that rows leave out are 0: textures' extents, memory of the host, peers, pools.
// clang-format off
constexpr std::array kAttributeRows{
    AttributeRow{1,   always<1024>},                 // threads of a block
    AttributeRow{2,   always<1024>},                 // block, x
    AttributeRow{3,   always<1024>},                 // y
    AttributeRow{4,   always<64>},                   // z
    AttributeRow{5,   always<0x7FFF'FFFF>},          // grid, x
    AttributeRow{6,   always<65535>},                // y
    AttributeRow{7,   always<65535>},                // z
    AttributeRow{8,   always<kDefaultSmem>},         // shared memory of a block
    AttributeRow{9,   always<65536>},                // constant memory
    AttributeRow{10,  always<32>},                   // threads of a warp
    AttributeRow{11,  always<0x7FFF'FFFF>},          // pitch of copies
    AttributeRow{12,  [](const DeviceInfo& d) { return d.registers_per_sm; }},  // registers of a block
    AttributeRow{13,  always<1'000'000>},            // clock in kHz
    AttributeRow{14,  always<512>},                  // alignment of textures
    AttributeRow{15,  always<1>},                    // copies beside kernels
    AttributeRow{16,  [](const DeviceInfo& d) { return d.sm_count; }},
    AttributeRow{31,  always<1>},                    // kernels beside each other
    AttributeRow{36,  always<1'000'000>},            // memory's clock in kHz
    AttributeRow{37,  always<4096>},                 // bits of its bus
    AttributeRow{38,  [](const DeviceInfo& d) { return static_cast<int>(d.l2_bytes); }},
    AttributeRow{39,  [](const DeviceInfo& d) { return d.threads_per_sm; }},
    AttributeRow{40,  always<1>},                    // engines for copies
    AttributeRow{41,  always<1>},                    // one address space with the host's
    AttributeRow{51,  always<32>},                   // alignment of a texture's rows
    AttributeRow{75,  [](const DeviceInfo& d) { return d.arch.number / 10; }},
    AttributeRow{76,  [](const DeviceInfo& d) { return d.arch.number % 10; }},
    AttributeRow{78,  always<1>},                    // priorities of streams
    AttributeRow{79,  always<1>},                    // L1 caches global memory
    AttributeRow{80,  always<1>},                    // and local memory
    AttributeRow{81,  [](const DeviceInfo& d) { return d.smem_bytes_per_sm; }},
    AttributeRow{82,  [](const DeviceInfo& d) { return d.registers_per_sm; }},
    AttributeRow{87,  always<32>},                   // f32 to f64 throughput
    AttributeRow{90,  always<1>},                    // preemption
    AttributeRow{95,  always<1>},                    // cooperative launches
    AttributeRow{97,  [](const DeviceInfo& d) { return d.smem_bytes_per_block; }},
    AttributeRow{106, [](const DeviceInfo& d) { return d.threads_per_sm / 64; }},  // blocks of an SM
    AttributeRow{111, [](const DeviceInfo& d) { return has(d, 80) ? kReservedSmem : 0; }},
    AttributeRow{115, always<1>},                    // cuMemAllocAsync
    AttributeRow{120, [](const DeviceInfo& d) { return has(d, 90) ? 1 : 0; }},  // clusters
    AttributeRow{127, [](const DeviceInfo& d) { return has(d, 90) ? 1 : 0; }},  // tensor maps
};
// clang-format on
constexpr int kAttributes = 150;

}  // namespace

std::optional<int> attribute_of(const DeviceInfo& device, int attribute) {
  if (attribute < 1 || attribute >= kAttributes) return std::nullopt;
  const auto* row = std::ranges::find(kAttributeRows, attribute, &AttributeRow::attribute);
  return row == kAttributeRows.end() ? 0 : row->value(device);
}

}  // namespace jute::stand_in
