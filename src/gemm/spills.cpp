// Reads what the assembler says of kernels.
#include "gemm/spills.hpp"

#include <sstream>

#include "base/format.hpp"

namespace jute::gemm {

std::string fault_of_assembly(const std::vector<Binary>& binaries) {
  for (const Binary& binary : binaries) {
    if (!binary.resources) continue;
    if (const auto bytes = binary.resources->spill_store_bytes; bytes > 0)
      return base::format("{} spills {} bytes", binary.symbol, bytes);
    std::istringstream lines(binary.log);
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with("ptxas") && (line.find("warning") != std::string::npos ||
                                        line.find("Performance Loss") != std::string::npos))
        return base::format("{}: {}", binary.symbol, line);
  }
  return {};
}

}  // namespace jute::gemm
