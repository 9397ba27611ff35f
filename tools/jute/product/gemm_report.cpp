// The outcome of a GEMM, for people and for programs.
#include "product/gemm_report.hpp"

#include <jute/epilogue/types.hpp>
#include <jute/plan/choose/parts.hpp>

#include <algorithm>

#include "command/command_line.hpp"
#include "tree/numbers.hpp"

namespace jute::command {
namespace {

double products(const Problem& problem) {
  return static_cast<double>(problem.batch) * static_cast<double>(problem.m) *
         static_cast<double>(problem.n) * static_cast<double>(problem.k);
}

double teraflops(const GemmOutcome& outcome) {
  double all = products(outcome.problem);
  for (const Problem& part : outcome.behind) all += products(part);
  return 2.0 * all / (outcome.run_ms * 1e9);
}

bool is_timed(const GemmOutcome& outcome) {
  return outcome.backend == "cuda" && outcome.run_ms > 0.0;
}

}  // namespace

HostOperands host_operands(const GemmData& data) {
  HostOperands operands;
  for (const TensorRole role : kAllTensors) operands.memory[role] = data.memory[role];
  operands.ends = data.groups.values;
  operands.rows_a = data.rows.a.values;
  operands.rows_d = data.rows.d.values;
  operands.input_values = data.input_values;
  operands.computed_a = data.computed_a;
  operands.computed_b = data.computed_b;
  return operands;
}

double roundoff(const Plan& plan) { return sum_roundoff(gemm_step(plan), plan.problem.k); }

GemmOutcome::GemmOutcome(const Backend& opened, const Gemm& prepared, const Problem& asked)
    : gemm(prepared),
      problem(completed(asked)),
      backend(opened.name()),
      device(opened.device_info()) {}

Judged judged(const GemmData& data, const std::vector<std::byte>& d, Scaling scale, double u_acc) {
  const JudgedPart part = data.is_multiplied_again ? JudgedPart::whole : judged_part(data.problem);
  return judged(
      data.problem,
      expected_result(data.problem, host_operands(data), {scale.alpha, scale.beta, u_acc}, part),
      d);
}

std::vector<JudgedOutput> judged_outputs(const GemmData& data,
                                         const std::vector<std::vector<std::byte>>& written,
                                         Scaling scale, double u_acc) {
  return judged_outputs(data.problem, host_operands(data), written,
                        {scale.alpha, scale.beta, u_acc});
}

void GemmOutcome::judge(const GemmData& data, const std::vector<std::byte>& d, Scaling scale) {
  judgement = judged(data, d, scale, roundoff(gemm.plan()));
}

void GemmOutcome::judge(const GemmData& data, std::span<const Problem> parts,
                        const std::vector<std::byte>& d) {
  const auto plans = parts_of(gemm.plan());
  GemmData of_part = data;
  for (size_t i = 0; i < parts.size(); ++i) {
    of_part.problem = parts[i];
    const Judged one = judged(of_part, d, {}, roundoff(plans[i]));
    if (!judgement) judgement = Judged{one.verdict, 0, one.reference};
    const Index elements = judgement->elements + one.elements;
    const bool is_worse =
        judgement->verdict.ok &&
        (!one.verdict.ok || one.verdict.worst_ratio > judgement->verdict.worst_ratio);
    if (is_worse) judgement = one;
    judgement->elements = elements;
  }
}

void GemmOutcome::judge_outputs(const GemmData& data,
                                const std::vector<std::vector<std::byte>>& written, Scaling scale) {
  outputs = judged_outputs(data, written, scale, roundoff(gemm.plan()));
}

bool GemmOutcome::is_right() const {
  return judgement && judgement->verdict.ok &&
         std::ranges::all_of(outputs, [](const JudgedOutput& one) { return one.verdict.ok; });
}

std::string judgement_text(const Judged& judgement, const Problem& problem) {
  return "check    " + jute::to_string(judgement.verdict) + "; " +
         std::to_string(judgement.elements) + " of " +
         std::to_string((problem.d.broadcast ? 1 : problem.batch) *
                        rows_in_memory(problem.d, problem.m) * problem.n) +
         " elements compared\n";
}
std::string judgement_text(const JudgedOutput& output) {
  return "check    " + output.name + " " + jute::to_string(output.verdict) + "\n";
}

std::string judgement_text(const GemmOutcome& outcome) {
  std::string text;
  if (outcome.judgement && outcome.behind.empty())
    text += judgement_text(*outcome.judgement, outcome.problem);
  else if (outcome.judgement)
    text += "check    " + jute::to_string(outcome.judgement->verdict) + "; " +
            std::to_string(outcome.judgement->elements) + " elements of " +
            std::to_string(outcome.behind.size() + 1) + " parts compared\n";
  for (const JudgedOutput& output : outcome.outputs) text += judgement_text(output);
  return text;
}

std::string to_string(const GemmOutcome& outcome) {
  const PrepareTimes& times = outcome.gemm.times();
  const auto ms = [](double value) { return bench::in_digits(value, 3) + " ms"; };
  std::string text = "device   " + outcome.backend + " (" + outcome.device.name + ", " +
                     jute::to_string(outcome.device.arch) + ")\n";
  text += "problem  " + short_text(outcome.problem) + "\n";
  for (const Problem& part : outcome.behind) text += "part     " + short_text(part) + "\n";
  for (const Source& source : outcome.gemm.sources()) text += "kernel   " + source.symbol + "\n";
  text += "time     plan " + ms(times.plan.count()) + ", source " + ms(times.source.count()) +
          ", nvrtc " + ms(times.compile.count()) + ", load " + ms(times.load.count()) + ", run " +
          ms(outcome.run_ms) + "\n";
  if (is_timed(outcome))
    text += "speed    " + bench::in_digits(teraflops(outcome), 4) + " TFLOP/s\n";
  text += judgement_text(outcome);
  if (!outcome.output.empty()) text += "output   " + outcome.output + "\n";
  return text;
}

Json judged_json(const Judged& judged) {
  const Verdict& verdict = judged.verdict;
  return {{"ok", verdict.ok},
          {"elements", judged.elements},
          {"wrong", verdict.wrong},
          {"worst_error", verdict.worst_error},
          {"worst_bound", verdict.worst_bound},
          {"worst_rounding", verdict.worst_rounding},
          {"worst_ratio", verdict.worst_ratio},
          {"at", Json::array({verdict.batch, verdict.row, verdict.col})}};
}

namespace {

Json output_json(const JudgedOutput& output) {
  const Verdict& verdict = output.verdict;
  return {{"name", output.name},
          {"ok", verdict.ok},
          {"wrong", verdict.wrong},
          {"worst_error", verdict.worst_error},
          {"worst_bound", verdict.worst_bound},
          {"worst_rounding", verdict.worst_rounding},
          {"worst_ratio", verdict.worst_ratio}};
}

Json conversion_json(const Conversion& file) {
  return {{"file", file.file}, {"from", name(file.from)}, {"to", name(file.to)}};
}

Json times_json(const PrepareTimes& times, double run_ms) {
  return {{"plan", times.plan.count()},
          {"source", times.source.count()},
          {"nvrtc", times.compile.count()},
          {"load", times.load.count()},
          {"run", run_ms}};
}

}  // namespace

Json to_json(const GemmOutcome& outcome) {
  const auto text_of = [](const Problem& part) { return jute::to_string(part); };
  return {{"device",
           {{"backend", outcome.backend},
            {"name", outcome.device.name},
            {"arch", jute::to_string(outcome.device.arch)}}},
          {"problem", jute::to_string(outcome.problem)},
          {"behind", Json::array(outcome.behind, text_of)},
          {"kernels", Json::array(outcome.gemm.sources(), &Source::symbol)},
          {"times_ms", times_json(outcome.gemm.times(), outcome.run_ms)},
          {"tflops", is_timed(outcome) ? Json(teraflops(outcome)) : Json()},
          {"check", outcome.judgement ? judged_json(*outcome.judgement) : Json()},
          {"outputs", Json::array(outcome.outputs, output_json)},
          {"conversions", Json::array(outcome.conversions, conversion_json)},
          {"output", outcome.output.empty() ? Json() : Json(outcome.output)}};
}

void print(const GemmOutcome& outcome, const Session& session) {
  session.print(to_json(outcome),
                session.common.quiet ? judgement_text(outcome) : to_string(outcome));
}

}  // namespace jute::command
