// `jute plan`: what would be built for a problem, and why.
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

int run_plan(const PlanOptions& options, const Session& session) {
  Delivery delivery(options.build.output, session);
  Plan plan = planned(options.build, session);
  if (const auto step = options.build.step)
    plan.steps = {plan.steps[step_index(*step, plan.steps.size())]};
  std::string text;
  if (session.common.json) {
    Json json = to_json(plan);
    if (options.explain) json.add("explain", explain(plan));
    text = one_line(json) + "\n";
  } else {
    text = to_string(plan) + "\n" + numerics(plan);
    if (options.explain) text += "\n" + explain(plan);
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
  sub.run = [options](const Session& session) { return run_plan(*options, session); };
}

}  // namespace jute::command
