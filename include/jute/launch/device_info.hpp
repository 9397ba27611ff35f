#pragma once
// What planning needs to know of a chip. Presets live in plan; a back end reports its own.
#include <jute/base/arch.hpp>
#include <jute/base/export.hpp>
#include <jute/base/types.hpp>

#include <string>

namespace JUTE_API jute {

struct DeviceInfo {
  std::string name = {};  ///< preset name or the driver's product name
  Arch arch = {};
  int sm_count = 1;
  int smem_bytes_per_block = 49152;  ///< opt-in maximum
  int smem_bytes_per_sm = 49152;
  int registers_per_sm = 65536;
  int threads_per_sm = 1024;
  Index l2_bytes = 0;
  Index memory_bytes = 0;
  bool operator==(const DeviceInfo&) const = default;
};

}  // namespace jute
