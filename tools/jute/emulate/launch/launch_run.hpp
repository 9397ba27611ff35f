#pragma once
// Runs what a launch file says, and judges what it leaves in memory.
#include <jute/emulator/emulator.hpp>

#include <string>
#include <vector>

#include "emulate/launch/comparison.hpp"
#include "emulate/launch/kernel_module.hpp"
#include "emulate/launch/launch_file.hpp"

namespace jute::command {

/// Where a buffer lay, for who reads addresses in findings.
struct BufferPlace {
  std::string name;
  DevicePointer address = 0;
  Index bytes = 0;
};

struct RunOutcome {
  Report report;
  std::vector<Mismatch> mismatches;
  std::vector<std::string> matched;  ///< buffers that hold what was expected
  std::vector<BufferPlace> places;
  std::vector<LaunchProfile> profiles;  ///< where the back end keeps some
  std::vector<KernelModule> modules;
  bool is_interrupted = false;  ///< then findings are those of the launches that had ended

  [[nodiscard]] bool is_clean() const { return report.clean() && mismatches.empty(); }
};

/// Everything that can be refused is refused before the first kernel runs; files of `save` are
/// complete or not written.
///   throws  what reading files, loading kernels and launching throws; refusals name the launch
///           file and the place in it
[[nodiscard]] RunOutcome run_launches(const LaunchFile& file, const ModuleCompiler& compiler,
                                      EmulatorBackend& backend);

}  // namespace jute::command
