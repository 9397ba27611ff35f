// Fuzzes the reader of CUDA programs.
#include <jute/program/device_code.hpp>
#include <jute/program/launches.hpp>

#include <algorithm>
#include <string>

#include "fuzz/input_bytes.hpp"
#include "fuzz/targets.hpp"

namespace jute::test {

void fuzz_program(std::span<const std::uint8_t> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  const DeviceCode code = device_code(text, "program.cu");
  require_law(std::ranges::count(code.text, '\n') == std::ranges::count(text, '\n'),
              "a program keeps its lines");
  require_law(code.had_host_code || code.text == text, "a text without host code stays as it is");
  const int lines = 1 + static_cast<int>(std::ranges::count(text, '\n'));
  for (const LaunchSite& site : launches_of(text).sites) {
    require_law(1 <= site.line && site.line <= lines, "a launch stands in a line of its text");
    for (const auto& extents : {site.grid, site.block})
      require_law(!extents || (extents->x > 0 && extents->y > 0 && extents->z > 0),
                  "an extent that is read can be launched");
  }
}

}  // namespace jute::test
