// Opening the back end that the flags ask for.
#include "options/backend_options.hpp"

#include <jute/device/device.hpp>
#include <jute/emulator/options_text.hpp>

#include "files/files.hpp"

namespace jute::command {
void add_check_flags(Command& command, BackendOptions& options) {
  const OptionGroup group{command, "Emulator"};
  group.option("--check", &options.check, "What the emulator checks: none, memory or full")
      .one_of({"none", "memory", "full"})
      .with_default();
  group
      .option("--schedule", &options.schedule,
              "Order of warps and moments of asynchronous work: fixed, early, late or random:SEED")
      .with_default();
  group
      .option("--resident", &options.resident,
              "Blocks on the chip at a time; 0: one for each multiprocessor")
      .non_negative();
  group
      .option("--max-instructions", &options.max_instructions,
              "Give up a block that executes more warp instructions")
      .limit();
  group
      .option("--max-memory", &options.max_memory,
              "Refuse more bytes of global memory than this, all buffers together")
      .limit();
}

void add_device_flags(Command& command, BackendOptions& options) {
  command.option("--device", &options.device, "auto, cuda or emulator; else JUTE_DEVICE, or auto")
      .one_of({"auto", "cuda", "emulator"});
  add_check_flags(command, options);
}

EmulatorOptions emulator_options(const BackendOptions& options, const DeviceInfo& chip) {
  EmulatorOptions result;
  result.device = chip;
  result.resident_blocks = options.resident;
  result.on_block = options.progress;
  if (options.max_memory) result.memory_bytes = *options.max_memory;
  if (options.max_instructions) result.warp_instructions_per_block = *options.max_instructions;
  told_at("--", [&] {
    choose(result, "check", options.check);
    choose(result, "schedule", options.schedule);
  });
  return result;
}

std::unique_ptr<Backend> open_backend(const BackendOptions& options, const Settings& settings,
                                      const DeviceInfo& chip) {
  const std::string& device = options.device.empty() ? settings.device : options.device;
  const EmulatorOptions emulator = emulator_options(options, chip);
  if (device == "emulator") return open_emulator(emulator);
  try {
    return open_device({.ordinal = options.ordinal});
  } catch (const Exception& exception) {
    if (device == "cuda" || exception.error().code != ErrorCode::no_gpu) throw;
  }
  return open_emulator(emulator);
}

}  // namespace jute::command
