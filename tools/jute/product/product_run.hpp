#pragma once
// What commands that run products share: a back end for them, the numbers of a run, its time and
// stamps.
#include <jute/gemm/gemm.hpp>
#include <jute/plan/derive/stamps.hpp>

#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "options/backend_options.hpp"
#include "options/problem_options.hpp"
#include "product/device_data.hpp"
#include "product/gemm_report.hpp"

namespace jute::command {

/// The device, or the emulator standing for the chip that the flags name.
///   throws  illegal_config: the GPU is another chip; no_gpu
[[nodiscard]] Context open_context(const ProblemOptions& options, const BackendOptions& device,
                                   const Session& session);

/// The prepared problem: itself, or its range's, with strides for the last rows that are no better
/// aligned than the memory's own. Runs say the latter.
[[nodiscard]] Problem prepared_problem(const GemmData& data);

/// With --verbose: how long planning and compiling took.
void tell_prepared(const Gemm& gemm, int compiled, const Session& session);

/// The arguments of operands that upload() has brought to the device.
[[nodiscard]] GemmArgs run_args(const GemmData& data, const DeviceData& device, Scaling scale);

/// The stamps that a run of so many rows by a stamped plan has left in its workspace.
[[nodiscard]] std::vector<StampLane> stamps_of_run(Backend& backend, const Gemm& gemm, Index m,
                                                   DevicePointer workspace);

/// Milliseconds of the median run.
[[nodiscard]] double run_timed(Backend& backend, const Gemm& gemm, const GemmArgs& args,
                               int repeat);

struct FirstLaunch {
  std::vector<StampLane> lanes;
  std::string device;
  double mhz = 0;  ///< of the clock, as the chip's row has it; 0: the emulator's tells order alone
};

/// Launches random operands, on the device that the flags name.
///   throws  as jute gemm: no_gpu, illegal_config: the GPU is another chip; device_fault
[[nodiscard]] FirstLaunch first_launch(const ProblemOptions& problem, const BackendOptions& device,
                                       const Plan& plan, const Session& session);

}  // namespace jute::command
