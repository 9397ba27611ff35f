// Runs a product of a bundle on random operands.
#include "gemm/gemm_from.hpp"

#include <jute/bundle/bundled_product.hpp>
#include <jute/plan/ask/epilogue.hpp>

#include <algorithm>
#include <ostream>

#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "product/device_data.hpp"
#include "ready/bundle_file.hpp"

namespace jute::command {
namespace {

const Problem& chosen(const Bundle& bundle, int product) {
  const auto count = static_cast<int>(bundle.problems.size());
  if (product < count) return bundle.problems[static_cast<size_t>(product)];
  refuse(ErrorCode::out_of_range, "--product", std::to_string(product),
         "it must be one of the bundle's " + std::to_string(count), std::to_string(count - 1));
}

GemmData data_of(const FromOptions& options, Problem problem) {
  problem.m = options.m.value_or(problem.m);
  problem.m_range.reset();
  ProblemOptions as_text;
  as_text.text = to_string(problem);
  GemmFiles files;
  files.inputs = options.inputs;
  return random_data(as_text, files, options.seed, options.fill);
}

HostResult run_on(Backend& backend, const BundledProduct& product, const GemmData& data,
                  const FromOptions& options) {
  const bool with_c = reads_c(c_read(data.problem), options.scale.beta);
  DeviceData device =
      upload(backend, data, product.workspace_bytes(), with_c ? BringC::yes : BringC::no);
  if (product.workspace_bytes() > 0) product.clear_workspace(device.workspace.pointer());
  RunValues run = product.planned();
  run.m = data.problem.m;
  for (int i = 0; i < kTensorRoles; ++i)
    run[static_cast<TensorRole>(i)].base = device.at(static_cast<TensorRole>(i));
  std::ranges::copy(data.input_values, run.input_values.begin());
  run.workspace = device.workspace.pointer();
  run.alpha = options.scale.alpha;
  run.beta = options.scale.beta;
  product.run(run);
  backend.synchronize();
  return downloaded(backend, device);
}

}  // namespace

int run_gemm_from(const FromOptions& options, const Session& session) {
  const Bundle bundle = read_bundle(options.folder);
  const GemmData data = data_of(options, chosen(bundle, options.product));
  const Settings settings = session.settings();
  const auto backend = open_backend(options.backend, settings, chip_of(options.chip, settings));
  const BundledProduct product(*backend, bundle, static_cast<size_t>(options.product));
  const HostResult result = run_on(*backend, product, data, options);
  std::optional<Judged> judgement;
  std::vector<JudgedOutput> outputs;
  if (options.verify) {
    judgement = judged(data, result.d, options.scale, product.roundoff());
    outputs = judged_outputs(data, result.outputs, options.scale, product.roundoff());
  }
  const bool is_right =
      !judgement || (judgement->verdict.ok &&
                     std::ranges::all_of(outputs, [](const auto& one) { return one.verdict.ok; }));
  std::string text = "device   " + backend->name() + " (" + backend->device_info().name + ")\n" +
                     "bundle   " + bundle.name + ", kernels of " + to_string(product.arch()) +
                     "\n" + "problem  " + short_text(data.problem) + "\n";
  std::string told;
  if (judgement) told += judgement_text(*judgement, data.problem);
  for (const JudgedOutput& output : outputs) told += judgement_text(output);
  session.print({{"bundle", bundle.name},
                 {"target", to_string(product.arch())},
                 {"problem", to_string(data.problem)},
                 {"backend", backend->name()},
                 {"is_right", judgement ? Json(is_right) : Json()}},
                session.common.quiet ? told : text + told);
  return is_right ? kDone : kAnswerIsNo;
}

}  // namespace jute::command
