#pragma once
// Contexts on the emulator that miss nothing, and what their memory begins with.
#include <jute/emulator/emulator.hpp>
#include <jute/gemm/context.hpp>

#include <cstdint>
#include <vector>

#include "support/context_options.hpp"

namespace jute::test {

/// Full checks; asynchronous work lands by the schedule.
[[nodiscard]] inline Context context_of(Schedule schedule, std::uint64_t seed = 0,
                                        const ContextOptions& kept = with_kept_kernels()) {
  EmulatorOptions options;
  options.check = Check::full;
  options.schedule = schedule;
  options.seed = seed;
  return Context(open_emulator(options), kept);
}

/// Memory on the device with these bytes.
[[nodiscard]] inline Buffer uploaded(Backend& backend, const std::vector<std::byte>& bytes) {
  Buffer buffer(backend, static_cast<Index>(bytes.size()));
  backend.copy_in(buffer.pointer(), bytes);
  return buffer;
}

}  // namespace jute::test
