// `jute plan`: what would be built for a problem, and why.
#include <jute/plan/considered.hpp>

#include <memory>

#include "build_options.hpp"
#include "exit_status.hpp"
#include "plan_json.hpp"

namespace jute::command {
namespace {

struct PlanOptions {
  BuildOptions build;
  bool explain = false;
};

/// The plan's reasons, and what was chosen from.
std::string reasons(const Plan& plan, const BuildOptions& options, const Session& session) {
  std::string text = explain(plan) + "Considered, in order of preference:\n";
  for (const std::string& line :
       considered(plan.problem, plan.device, config_of(options.problem), session.catalogue()))
    text += "  " + line + "\n";
  return text;
}

/// The kernels' names, which end with a hash of their text.
Json symbols(const BuildOptions& options, const Session& session) {
  Json names = Json::array();
  for (const Step<Source>& step : generated(options, session)) names.push_back(step.code.symbol);
  return names;
}

int run_plan(const PlanOptions& options, const Session& session) {
  Delivery delivery(options.build.output, session);
  Plan plan = planned(options.build, session);
  if (const auto step = options.build.step)
    plan.steps = {plan.steps[step_index(*step, plan.steps.size())]};
  std::string text;
  if (session.common.json) {
    Json json = to_json(fields(plan));
    json.add("symbols", symbols(options.build, session));
    json.add("numerics", numerics(plan));
    if (options.explain) json.add("explain", reasons(plan, options.build, session));
    text = one_line(json) + "\n";
  } else {
    text = to_string(plan) + "\n" + numerics(plan);
    if (options.explain) text += "\n" + reasons(plan, options.build, session);
  }
  delivery.deliver(text);
  return kDone;
}

}  // namespace

void add_plan(Command& jute) {
  auto options = std::make_shared<PlanOptions>();
  Command& sub = add_build_subcommand(jute, options->build, "plan",
                                      "Print what would be built for a problem; needs no GPU",
                                      "jute plan --m 1024 --n 1024 --k 1024 --type bf16 --explain");
  sub.option("--explain", &options->explain, "Say why the planner chose what it chose");
  sub.reads = {"--atoms", "--templates"};
  sub.run = [options](const Session& session) { return run_plan(*options, session); };
}

}  // namespace jute::command
