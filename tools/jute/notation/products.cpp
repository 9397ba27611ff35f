// One product behind the other, and what is said of them.
#include "notation/products.hpp"

#include <jute/epilogue/types.hpp>

#include <ostream>
#include <utility>

#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "command/progress.hpp"
#include "files/file_matrix.hpp"

namespace jute::command {

void add_product_flags(Command& command, ProductOptions& options) {
  command.option("--input NAME=X.npy", &options.inputs,
                 "An input of the epilogue: a file, or a number for a scalar");
  command.option("-o,--output D.npy", &options.outputs,
                 "Write the result, or an output of the epilogue: g=G.npy");
  command.option("--verify", &options.verify, "Compare with a reference and its error bound");
  command.option("--repeat", &options.repeat, "Run this often and tell the median time")
      .between(1, 1000000)
      .with_default();
  add_device_flags(command, options.backend);
  add_type_flags(command, options.problem);
  add_chip_flags(command, options.problem);
  add_epilogue_flags(command, options.problem);
  add_choice_flags(command, options.problem);
  command.reads = {"--atoms", "--templates", "--verbose"};
}

Problem product_like(const ProductOptions& options, const AskedTypes& types) {
  Problem like = typed_problem(options.problem, types);
  like.beta = Factor::zero;
  if (options.problem.said["epilogue"].empty()) like.alpha = Factor::one;
  return like;
}

void finish_problem(GemmData& data, const ProductOptions& options) {
  add_epilogue(data.problem, options.problem);
  if (data.problem.epilogue && c_read(data.problem.epilogue->expression) != CRead::never)
    refuse_data("--epilogue", to_string(data.problem.epilogue->expression),
                "it must name no c: give what is added as an input, as in acc + x[m,n]");
  read_inputs(data, options.inputs, options.problem);
  data.problem = completed(data.problem);
  require_inputs(data);
}

Products::Products(const ProductOptions& options, const Session& session)
    : options_(options),
      session_(session),
      files_(options.outputs),
      context_(open_context(options.problem, options.backend, session)) {}

std::vector<std::byte> Products::run(const GemmData& data) { return run(data, {&data.problem, 1}); }

std::vector<std::byte> Products::run(const GemmData& data, std::span<const Problem> parts) {
  for (const Conversion& file : data.conversions) session_.note("jute: " + to_string(file));
  const Config config =
      config_for(options_.problem, data.problem, context_.device_info(), context_.catalogue());
  const int compiled = context_.compile_count();
  const Gemm gemm = prepare_parts(context_, parts, config);
  tell_prepared(gemm, context_.compile_count() - compiled, session_);
  Backend& backend = context_.backend();
  DeviceData device = upload(backend, data, gemm.workspace_bytes(), BringC::no);
  gemm.clear_workspace(device.workspace.pointer());
  GemmOutcome outcome(backend, gemm, data.problem);
  outcome.conversions = data.conversions;
  outcome.behind.assign(parts.begin() + 1, parts.end());
  GemmArgs args = run_args(data, device, {});
  if (parts.size() > 1) args.m.reset();
  outcome.run_ms = run_timed(backend, gemm, args, options_.repeat);
  HostResult result = downloaded(backend, device);
  if (options_.verify) {
    outcome.judge(data, parts, result.d);
    outcome.judge_outputs(data, result.outputs, {});
  }
  outcomes_.push_back(std::move(outcome));
  last_.problem = data.problem;
  last_.batched = data.problem.batch > 1;
  last_outputs_ = std::move(result.outputs);
  return std::move(result.d);
}

ComputedOperand Products::computed() const {
  const GemmOutcome& last = outcomes_.back();
  return computed_operand(last.problem, last.judgement->reference);
}

int Products::deliver(const NpyArray& result) {
  if (!files_.empty()) {
    outcomes_.back().output = files_.write(last_, result, last_outputs_);
    tell_written(outcomes_.back().output, session_);
  }
  bool is_right = true;
  for (const GemmOutcome& outcome : outcomes_) {
    print(outcome, session_);
    is_right = is_right && (!outcome.judgement || outcome.is_right());
  }
  return is_right ? kDone : kAnswerIsNo;
}

}  // namespace jute::command
