// Copies between the frames of caller and callee, lane by lane.
#include "emulator/run/call_frame.hpp"

#include "emulator/run/machine.hpp"

#include <cstring>

namespace jute::emulator {

void copy_call_frame(Warp& warp, const std::vector<CallCopy>& copies, std::uint32_t mask) {
  const auto stride = static_cast<size_t>(warp.block->program.local_bytes);
  for (const size_t lane : lanes_of(mask)) {
    for (const CallCopy& copy : copies) {
      const size_t to = lane * stride + static_cast<size_t>(copy.to);
      const size_t from = lane * stride + static_cast<size_t>(copy.from);
      const auto bytes = static_cast<size_t>(copy.bytes);
      std::memmove(warp.local.data() + to, warp.local.data() + from, bytes);
      if (!warp.local_defined.empty())
        std::memmove(warp.local_defined.data() + to, warp.local_defined.data() + from, bytes);
    }
  }
}

}  // namespace jute::emulator
