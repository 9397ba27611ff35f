// Opening the back end that the flags ask for.
#include "backend_options.hpp"

#include <jute/base/nearest_name.hpp>
#include <jute/device/device.hpp>

#include <charconv>

namespace jute::command {
namespace {

Check parse_check(const std::string& text) {
  if (text == "none") return Check::none;
  return text == "full" ? Check::full : Check::memory;
}

std::uint64_t parse_seed(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (status == std::errc() && end == text.data() + text.size()) return seed;
  throw Exception({.code = ErrorCode::syntax,
                   .operand = "--schedule",
                   .value = "random:" + text,
                   .violated_rules = {"the seed must be an integer from 0 to 2^64-1"},
                   .nearest_legal = "random:0"});
}

std::optional<std::string> nearest_schedule(const std::string& text) {
  const std::vector<std::string> known{"fixed", "early", "late", "random:0"};
  return nearest_name(text, known);
}

}  // namespace

void add_check_flags(Command& command, BackendOptions& options) {
  command.option("--check", &options.check, "What the emulator checks: none, memory or full")
      .one_of({"none", "memory", "full"})
      .with_default()
      .under("Emulator");
  command
      .option("--schedule", &options.schedule,
              "Order of warps and moments of asynchronous work: fixed, early, late or random:SEED")
      .with_default()
      .under("Emulator");
  command
      .option("--resident", &options.resident,
              "Blocks on the chip at a time; 0: one for each multiprocessor")
      .non_negative()
      .under("Emulator");
  command
      .option("--max-instructions", &options.max_instructions,
              "Give up a block that executes more warp instructions")
      .non_negative()
      .under("Emulator");
  command
      .option("--max-memory", &options.max_memory,
              "Refuse more bytes of global memory than this, all buffers together")
      .non_negative()
      .under("Emulator");
}

void add_device_flags(Command& command, BackendOptions& options) {
  command.option("--device", &options.device, "auto, cuda or emulator; else JUTE_DEVICE, or auto")
      .one_of({"auto", "cuda", "emulator"});
  add_check_flags(command, options);
}

EmulatorOptions emulator_options(const BackendOptions& options, const DeviceInfo& chip) {
  EmulatorOptions result;
  result.device = chip;
  result.check = parse_check(options.check);
  result.resident_blocks = options.resident;
  result.on_block = options.progress;
  if (options.max_memory) result.memory_bytes = *options.max_memory;
  if (options.max_instructions) result.warp_instructions_per_block = *options.max_instructions;
  constexpr std::string_view kRandom = "random:";
  if (options.schedule == "late") {
    result.schedule = Schedule::late;
  } else if (options.schedule == "early") {
    result.schedule = Schedule::early;
  } else if (options.schedule.starts_with(kRandom)) {
    result.schedule = Schedule::random;
    result.seed = parse_seed(options.schedule.substr(kRandom.size()));
  } else if (options.schedule != "fixed") {
    throw Exception({.code = ErrorCode::unknown_name,
                     .operand = "--schedule",
                     .value = options.schedule,
                     .violated_rules = {"a schedule must be fixed, early, late or random:SEED"},
                     .nearest_legal = nearest_schedule(options.schedule)});
  }
  return result;
}

std::unique_ptr<Backend> open_backend(const BackendOptions& options, const Settings& settings,
                                      const DeviceInfo& chip) {
  const std::string& device = options.device.empty() ? settings.device : options.device;
  const EmulatorOptions emulator = emulator_options(options, chip);
  if (device == "emulator") return open_emulator(emulator);
  try {
    return open_device();
  } catch (const Exception& exception) {
    if (device == "cuda" || exception.error().code != ErrorCode::no_gpu) throw;
  }
  return open_emulator(emulator);
}

}  // namespace jute::command
