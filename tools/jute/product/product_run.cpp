// Runs of products, for `jute gemm`, `jute contract` and `jute conv`.
#include "product/product_run.hpp"

#include <jute/gemm/gemm_args.hpp>
#include <jute/plan/ask/other_rows.hpp>
#include <jute/plan/chip/chip_figures.hpp>
#include <jute/plan/values/planned_values.hpp>

#include <algorithm>
#include <chrono>
#include <utility>

#include "command/details.hpp"
#include "product/device_data.hpp"
#include "product/gemm_data.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

/// A GPU is what it is; asking for another architecture alone is a mistake.
void check_chip(const ProblemOptions& options, const DeviceInfo& asked, const Backend& backend) {
  const DeviceInfo found = backend.device_info();
  if (options.arch.empty() || !options.preset.empty() || asked.arch == found.arch) return;
  refuse(ErrorCode::illegal_config, "--arch", to_string(asked.arch),
         "it must be what the device that there is runs, " + found.name +
             ", or --device-preset must name a chip to plan for",
         to_string(found.arch));
}

}  // namespace

Context open_context(const ProblemOptions& options, const BackendOptions& device,
                     const Session& session) {
  const Settings settings = session.settings();
  const DeviceInfo chip = chip_of(options, settings);
  auto backend = open_backend(device, settings, chip);
  check_chip(options, chip, *backend);
  // The emulator is the chip itself, with what is kept of it.
  const bool is_chip = backend->device_info() == chip;
  return Context(std::move(backend),
                 {.settings = settings,
                  .catalogue = session.catalogue(),
                  .templates = session.templates(settings),
                  .chip = is_chip ? std::nullopt : chip_in_place(options, settings)});
}

Problem prepared_problem(const GemmData& data) {
  if (!data.m_range) return data.problem;
  Problem problem = data.problem;
  if (data.m_range->last > problem.m) problem = for_rows(problem, data.m_range->last);
  problem.m = data.problem.m;
  problem.m_range = data.m_range;
  return completed(problem);
}

void tell_prepared(const Gemm& gemm, int compiled, const Session& session) {
  const auto text = [](std::chrono::duration<double, std::milli> time) {
    return bench::in_digits(time.count(), 3) + " ms";
  };
  const int kernels = static_cast<int>(gemm.sources().size());
  tell_plan(gemm.plan(), text(gemm.times().plan), session);
  tell_kernels({.disk_hits = std::max(kernels - compiled, 0), .compiles = compiled},
               text(gemm.times().compile), session);
}

GemmArgs run_args(const GemmData& data, const DeviceData& device, Scaling scale) {
  GemmArgs args;
  for (const TensorRole role : kAllTensors) address_in(args, role) = device.at(role);
  args.workspace = device.workspace.pointer();
  args.m = data.problem.m;  // a plan for stamps is one of its range's, made for other rows
  args.alpha = scale.alpha;
  args.beta = scale.beta;
  for (size_t i = 0; i < data.input_values.size(); ++i) args.inputs[i].value = data.input_values[i];
  if (data.m_range) put_strides(args, data.problem);
  return args;
}

std::vector<StampLane> stamps_of_run(Backend& backend, const Gemm& gemm, Index m,
                                     DevicePointer workspace) {
  std::vector<std::byte> left(static_cast<size_t>(gemm.workspace_bytes()));
  backend.copy_out(left, workspace);
  RunValues run = run_values(gemm.plan());
  run.m = m;
  return read_stamps(gemm.plan(), left, run);
}

double run_timed(Backend& backend, const Gemm& gemm, const GemmArgs& args, int repeat) {
  std::vector<double> times;
  for (int i = 0; i < repeat; ++i) {
    const Event before = backend.record();
    gemm.run(args);
    const Event after = backend.record();
    backend.synchronize();
    times.push_back(backend.elapsed_ms(before, after));
  }
  std::ranges::nth_element(times, times.begin() + repeat / 2);
  return times[static_cast<size_t>(repeat / 2)];
}

FirstLaunch first_launch(const ProblemOptions& problem, const BackendOptions& device,
                         const Plan& plan, const Session& session) {
  constexpr int kSeed = 1;
  const GemmData data = random_data(problem, {}, kSeed, RandomKind::normal);
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
