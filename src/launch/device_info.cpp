// Which device it is, as the files that are kept for one say.
#include <jute/launch/device_info.hpp>

#include "base/format.hpp"

namespace jute {

std::string identity(const DeviceInfo& device) {
  return base::format("{} sm_{} {} SMs", device.name, device.arch.number, device.sm_count);
}

}  // namespace jute
