#pragma once
// What moves between ranks, and how fast, as a row a chip.
#include <jute/base/export.hpp>
#include <jute/launch/device_info.hpp>

#include <string_view>

namespace JUTE_API jute {

/// From one rank to all others together; a step of bytes takes call_us + bytes / rate of the GPUs,
/// and host_us for each peer of the rank's thread, which is ahead of them or is waited for.
struct Link {
  std::string_view name;    ///< "NVLink 4"
  std::string_view source;  ///< who says so
  double gb_s = 0;          ///< 1e9 bytes a second that leave or reach a rank
  double call_us = 0;       ///< between GPUs, whatever it moves
  double host_us = 0;       ///< of a rank's thread, for each rank that it sends to
  double launch_us = 0;     ///< of a rank's thread, for each kernel
  double barrier_us = 0;    ///< kernels of all ranks wait for each other
  double read_gb_s = 0;     ///< that kernels read of another rank's memory
  double store_gb_s = 0;    ///< that kernels store into it
  Index ranks = 0;          ///< among which this was measured; 0: estimated
  bool operator==(const Link&) const = default;
};

/// The row of the chip, else that of what every host has.
[[nodiscard]] const Link& link_of(const DeviceInfo& device);
/// Microseconds until the rank that moves the most bytes is done.
[[nodiscard]] double transfer_us(const Link& link, double bytes);

}  // namespace jute
