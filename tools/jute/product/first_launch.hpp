#pragma once
// One run of a product, alone, whose kernel says where its time goes.
#include <jute/plan/derive/stamps.hpp>

#include <string>
#include <vector>

#include "command/command_line.hpp"
#include "options/backend_options.hpp"
#include "options/problem_options.hpp"

namespace jute::command {

struct FirstLaunch {
  std::vector<StampLane> lanes;
  std::string device;
  double mhz = 0;  ///< of the clock, as the chip's row has it; 0: the emulator's tells order alone
};

/// Of random operands, on the device that the flags name.
///   throws  as jute gemm: no_gpu, illegal_config: the GPU is another chip; device_fault
[[nodiscard]] FirstLaunch first_launch(const ProblemOptions& problem, const BackendOptions& device,
                                       const Plan& plan, const Session& session);

}  // namespace jute::command
