// Any text is read or refused with an Exception, by the PTX reader and by the decoder; what was
// read runs to an end, a finding or a refusal.
#include "fuzz/targets.hpp"

#include <jute/base/error.hpp>
#include <jute/emulator/emulator.hpp>
#include <jute/emulator/ptx.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

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

namespace {

constexpr Index kMostInstructions = 2'000;
constexpr Index kMemoryBytes = Index{64} << 20;
constexpr Index kBufferBytes = 4096;

/// Every parameter of 8 bytes is the address of one buffer, every other one a small number.
ArgumentBlock take_arguments(Signature& signature, DevicePointer buffer) {
  ArgumentBlock arguments;
  for (Parameter& parameter : signature.parameters) {
    const int size = size_bytes(parameter), alignment = std::max(1, alignment_bytes(parameter));
    parameter = {parameter.name, ParameterKind::bytes, size, alignment};
    std::vector<std::byte> bytes(static_cast<size_t>(size));
    const std::uint64_t value = size == 8 ? buffer : 64;
    std::memcpy(bytes.data(), &value, std::min(bytes.size(), sizeof(value)));
    arguments.bytes(bytes, alignment);
  }
  return arguments;
}

}  // namespace

void fuzz_run(std::span<const std::uint8_t> bytes) {
  if (bytes.empty()) return;
  const unsigned choice = bytes[0];
  EmulatorOptions options;
  options.check = static_cast<Check>(choice % 4 % 3);
  options.schedule = static_cast<Schedule>(choice / 4 % 4);
  options.seed = choice;
  options.threads = 1;
  options.profiles = choice / 16 % 4 == 0;
  options.warp_instructions_per_block = kMostInstructions;
  options.memory_bytes = kMemoryBytes;
  const std::unique_ptr<EmulatorBackend> backend = open_emulator(options);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()) + 1, bytes.size() - 1);
  try {
    const DevicePointer buffer = backend->alloc(kBufferBytes);
    for (const PtxKernel& kernel : list_kernels(text)) {
      Binary binary = binary_from_ptx(text, kernel.symbol);
      LaunchSpec spec;
      spec.grid.x = 2;
      spec.block.x = choice / 64 % 2 == 0 ? 48 : 128;
      spec.cluster.x = choice / 128 == 0 ? 1 : 2;
      spec.dynamic_smem_bytes = kBufferBytes;
      spec.arguments = take_arguments(binary.signature, buffer);
      backend->launch(backend->load(binary), spec);
    }
    (void)backend->take_report();
    (void)backend->take_profiles();
  } catch (const Exception&) {
    return;  // a refusal is an answer
  }
}

}  // namespace jute::test
