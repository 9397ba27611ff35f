// From problem flags to plans, sources and binaries.
#include "options/build_options.hpp"

#include <jute/codegen/generate.hpp>
#include <jute/jit/cache.hpp>

#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/planned_values.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "command/details.hpp"
#include "options/notation_options.hpp"

namespace jute::command {

Command& add_build_subcommand(Command& jute, BuildOptions& options, std::string_view name,
                              std::string_view description, std::string_view example) {
  Command& sub = jute.add(name, description, example);
  add_problem_flags(sub, options.problem);
  add_choice_flags(sub, options.problem);
  sub.option("--step", &options.step, "One step of the plan alone, from 0");
  sub.option("-o,--output FILE", &options.output, "Write a file instead of printing");
  sub.judge = [&options](const Session& session) { judge_kernels(options, session); };
  sub.reads = {"--atoms", "--templates", "--verbose"};
  return sub;
}

Plan planned(const ProblemOptions& options, const Session& session) {
  const std::vector<Problem> parts = problems_of(options);
  const DeviceInfo chip = chip_of(options, session.settings());
  const Catalogue catalogue = session.catalogue();
  return make_plan_of_parts(parts, chip, config_for(options, parts.front(), chip, catalogue),
                            catalogue);
}

void note_chip(const Plan& plan, const Session& session) {
  if (const std::string note = chip_note(plan, session.catalogue()); !note.empty())
    session.note("jute: " + note);
}

size_t step_index(int step, size_t count) {
  const int last = static_cast<int>(count) - 1;
  if (0 <= step && step <= last) return static_cast<size_t>(step);
  refuse(ErrorCode::out_of_range, "--step", std::to_string(step),
         "it must be a step of the plan, 0 to " + std::to_string(last),
         step < 0 ? "0" : std::to_string(last));
}

void judge_plan(const BuildOptions& options, const Session& session) {
  const Plan plan = planned(options.problem, session);
  if (options.step) (void)step_index(*options.step, step_count(plan));
}

namespace {

constexpr std::array<std::string_view, 7> kLaunchFields{
    "kind", "parameters", "grid", "blocks", "threads", "cluster", "dynamic_smem_bytes"};

/// The facts that a launch of each step needs, of all parts of D.
std::vector<Json> launches(const Plan& plan) {
  std::vector<Json> result;
  for (const Plan& part : parts_of(plan)) {
    const RunValues planned = run_values(part);
    for (const jute::Step& step : part.steps) {
      Fields kept;
      for (Field& field : fields(step, planned))
        if (std::ranges::find(kLaunchFields, field.name) != kLaunchFields.end())
          kept.push_back(std::move(field));
      result.push_back(to_json(kept));
    }
  }
  return result;
}

/// The plan; of --m-range alone those of all its kernels.
std::vector<Plan> plans_of(const ProblemOptions& options, const Session& session) {
  if (!is_whole_range(options)) return {planned(options, session)};
  const Problem problem = problem_of(options);
  const DeviceInfo chip = chip_of(options, session.settings());
  const Catalogue catalogue = session.catalogue();
  return make_plans(problem, chip, config_for(options, problem, chip, catalogue), catalogue);
}

}  // namespace

std::vector<Step<Source>> generated(const Plan& plan, const Session& session) {
  const std::vector<Json> how = launches(plan);
  std::vector<Step<Source>> steps;
  for (Source& source : generate(plan, session.templates(session.settings())))
    steps.push_back({std::move(source), how.at(steps.size())});
  return steps;
}

namespace {

/// The step of --step, or all.
std::vector<Step<Source>> kernels_of(const std::vector<Plan>& plans, const BuildOptions& options,
                                     const Session& session) {
  std::vector<Step<Source>> steps;
  for (const Plan& plan : plans)
    for (Step<Source>& step : generated(plan, session)) {
      // A copy of operands serves several kernels of a range.
      const auto is_same = [&](const Step<Source>& known) {
        return known.code.symbol == step.code.symbol;
      };
      if (std::ranges::any_of(steps, is_same)) continue;
      if (plans.size() > 1) step.launch.add("greatest_m", plan.problem.m);
      steps.push_back(std::move(step));
    }
  if (!options.step) return steps;
  return {std::move(steps[step_index(*options.step, steps.size())])};
}

}  // namespace

void judge_kernels(const BuildOptions& options, const Session& session) {
  (void)kernels_of(plans_of(options.problem, session), options, session);
}

std::vector<Step<Source>> generated(const BuildOptions& options, const Session& session) {
  const Stopwatch watch;
  const std::vector<Plan> plans = plans_of(options.problem, session);
  for (const Plan& plan : plans) tell_plan(plan, watch.text(), session);
  note_chip(plans.front(), session);
  return kernels_of(plans, options, session);
}

namespace {

Step<Binary> compiled(const KernelCache& cache, const Step<Source>& step, const Session& session,
                      Output output) {
  Step<Binary> result{cache.get(step.code, output), step.launch};
  session.detail(to_line(result.code));
  return result;
}

}  // namespace

Step<Binary> compiled(const Step<Source>& step, const Session& session, Output output) {
  const KernelCache cache(session.settings());
  const Stopwatch watch;
  Step<Binary> result = compiled(cache, step, session, output);
  tell_kernels(cache.counts(), watch.text(), session);
  return result;
}

std::vector<Step<Binary>> compiled(const BuildOptions& options, const Session& session,
                                   Output output) {
  const KernelCache cache(session.settings());
  std::vector<Step<Binary>> steps;
  const std::vector<Step<Source>> sources = generated(options, session);
  const Stopwatch watch;
  for (const Step<Source>& step : sources) steps.push_back(compiled(cache, step, session, output));
  tell_kernels(cache.counts(), watch.text(), session);
  return steps;
}

std::string to_line(const Binary& binary) {
  std::ostringstream line;
  line << binary.symbol << ": ";
  if (!binary.resources) {
    line << binary.ptx.size() << " bytes of PTX";
    return line.str();
  }
  const Resources& resources = *binary.resources;
  line << resources.registers << " registers, " << resources.stack_bytes << " bytes of stack, "
       << resources.spill_store_bytes << " + " << resources.spill_load_bytes
       << " bytes spilled and reloaded, " << resources.static_smem_bytes
       << " bytes of static shared memory"
       << (resources.serialized ? "; wgmma products are run one by one" : "");
  return line.str();
}

}  // namespace jute::command
