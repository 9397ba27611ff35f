#pragma once
// --device and --check: which back end runs a kernel.
#include <jute/base/settings.hpp>
#include <jute/emulator/emulator.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "tree/command_tree.hpp"

namespace jute::command {

struct BackendOptions {
  std::string device;            ///< auto, cuda or emulator; empty takes JUTE_DEVICE, else auto
  std::string check = "memory";  ///< none, memory or full: the emulator's
  std::string schedule = "fixed";
  int ordinal = 0;                        ///< which GPU
  int resident = 0;                       ///< blocks; 0: as many as the chip has multiprocessors
  std::optional<Index> max_instructions;  ///< warp instructions of a block
  std::optional<Index> max_memory;        ///< bytes of all buffers
  std::function<void(Index done, Index all)> progress;  ///< blocks of a launch on the emulator
};

void add_check_flags(Command& command, BackendOptions& options);
void add_device_flags(Command& command, BackendOptions& options);

/// throws  unknown_name: --schedule is none of fixed, early, late, random:SEED
[[nodiscard]] EmulatorOptions emulator_options(const BackendOptions& options,
                                               const DeviceInfo& chip);
/// The GPU, or the emulator standing for `chip`.
///   throws  no_gpu: cuda is asked for and there is none
[[nodiscard]] std::unique_ptr<Backend> open_backend(const BackendOptions& options,
                                                    const Settings& settings,
                                                    const DeviceInfo& chip);

}  // namespace jute::command
