// `jute view`: one kernel of a problem as a page.

#include <memory>

#include "command/delivery.hpp"
#include "command/exit_status.hpp"
#include "options/build_options.hpp"
#include "pictures/timeline.hpp"
#include "pictures/view_page.hpp"
#include "programs/disassembler.hpp"

namespace jute::command {
namespace {

/// The kernel that multiplies, where no other is asked for.
size_t step_of(const BuildOptions& options, const Plan& plan) {
  if (options.step) return step_index(*options.step, plan.steps.size());
  for (size_t step = 0; step < plan.steps.size(); ++step)
    if (std::holds_alternative<GemmStep>(plan.steps[step])) return step;
  return 0;
}

struct ViewOptions : BuildOptions {
  BackendOptions backend;
  bool runs = false;
};

int run_view(const ViewOptions& options, const Session& session) {
  if (session.common.json) throw UsageError("--json", "it must be left out: a page is for people");
  check_suffix(options.output, {".html", ".svg"});
  Delivery delivery(options.output, session);
  const Plan plan = planned(options.problem, session);
  const size_t step = step_of(options, plan);
  if (options.output.ends_with(".svg")) {
    const auto* gemm = std::get_if<GemmStep>(&plan.steps.at(step));
    if (options.runs)
      throw UsageError(
          "--run",
          "it needs a page: -o must end with .html (jute gemm --stamps draws a run alone)");
    if (gemm == nullptr)
      throw UsageError("-o", "it must end with .html: a kernel that copies has no timeline");
    delivery.deliver(to_svg(timeline(*gemm)));
    return kDone;
  }
  const Step<Source> source = generated(plan, session).at(step);
  const Binary binary = compiled(source, session, Output::ptx_and_cubin).code;
  const auto tool = find_disassembler(session.settings());
  const std::string sass = tool ? disassembled(*tool, binary.cubin, CodeLines::yes) : std::string();
  std::optional<FirstLaunch> first;
  if (options.runs) first = first_launch(options.problem, options.backend, plan, session);
  delivery.deliver(view_page(plan, step, source.code, binary, sass, first));
  return kDone;
}

}  // namespace

void add_view(Command& jute) {
  auto options = std::make_shared<ViewOptions>();
  Command& sub = add_build_subcommand(
      jute, *options, "view",
      "Show a problem's kernel as a page: plan, memory, time, layouts, CUDA, PTX, SASS",
      "jute view --m 1024 --n 1024 --k 1024 --type bf16 -o kernel.html");
  sub.option("--run", &options->runs,
             "Run it once, alone, on random operands, and draw where the time of its blocks goes");
  add_device_flags(sub, options->backend);
  sub.judge = [options](const Session& session) { judge_plan(*options, session); };
  sub.run = [options](const Session& session) { return run_view(*options, session); };
}

}  // namespace jute::command
