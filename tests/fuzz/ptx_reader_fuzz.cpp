// libFuzzer target: any text is read or refused with an Exception, by the PTX reader and the
// decoder. clang++ -std=c++20 -g -O1 -fsanitize=fuzzer,address,undefined -Iinclude -Isrc
//   tests/fuzz/ptx_reader_fuzz.cpp src/emulator/*.cpp src/launch/*.cpp src/base/*.cpp
#include <jute/base/error.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::unique_ptr<jute::EmulatorBackend> backend = jute::open_emulator();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const jute::PtxKernel& kernel : jute::list_kernels(text))
      (void)backend->load(jute::binary_from_ptx(text, kernel.symbol));
  } catch (const jute::Exception&) {
    // A refusal is an answer.
  }
  return 0;
}
