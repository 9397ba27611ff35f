// Runs a stamped kernel once and reads its stamps.
#include "product/first_launch.hpp"

#include <jute/plan/chip/chip_figures.hpp>

#include "product/device_data.hpp"
#include "product/gemm_data.hpp"
#include "product/product_run.hpp"

namespace jute::command {

FirstLaunch first_launch(const ProblemOptions& problem, const BackendOptions& device,
                         const Plan& plan, const Session& session) {
  constexpr int kSeed = 1;
  const GemmData data = random_data(problem, {}, kSeed, Fill::normal);
  Context context = open_context(problem, device, session);
  Backend& backend = context.backend();
  const Gemm gemm = prepare(context, stamped(plan));
  const DeviceData memory = upload(backend, data, gemm.workspace_bytes(), BringC::yes);
  backend.fill(memory.workspace.pointer(), 0, gemm.workspace_bytes());
  gemm.run(run_args(data, memory, {1, 1}));
  backend.synchronize();
  const DeviceInfo chip = backend.device_info();
  const bool has_clock = backend.name() != "emulator";
  return {stamps_of_run(backend, gemm, data.problem.m, memory.workspace.pointer()), chip.name,
          has_clock ? chip_figures(chip).seen_mhz.value : 0};
}

}  // namespace jute::command
