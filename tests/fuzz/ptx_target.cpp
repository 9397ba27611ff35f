// Any text is read or refused with an Exception, by the PTX reader and by the decoder.
#include "fuzz/targets.hpp"

#include <jute/base/error.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>

#include <memory>
#include <string_view>

namespace jute::test {

void fuzz_ptx(std::span<const std::uint8_t> bytes) {
  const std::unique_ptr<EmulatorBackend> backend = open_emulator();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    for (const PtxKernel& kernel : list_kernels(text)) {
      (void)backend->load(binary_from_ptx(text, kernel.symbol));
    }
  } catch (const Exception&) {
    return;  // a refusal is an answer
  }
}

}  // namespace jute::test
