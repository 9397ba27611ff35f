// `jute plan`: what would be built for a problem, and why.
#include <jute/emit/template_set.hpp>
#include <jute/launch/device_presets.hpp>
#include <jute/plan/choose/considered.hpp>
#include <jute/plan/choose/m_range.hpp>
#include <jute/plan/choose/parts.hpp>
#include <jute/plan/choose/width_choices.hpp>
#include <jute/plan/run/group_deal.hpp>
#include <jute/plan/values/fields.hpp>
#include <jute/plan/values/tile_width.hpp>
#include <jute/plan/words/summary.hpp>

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <memory>
#include <sstream>
#include <string>
#include <utility>

#include "command/details.hpp"
#include "command/exit_status.hpp"
#include "files/files.hpp"
#include "files/json_writer.hpp"
#include "options/build_options.hpp"
#include "options/mesh_options.hpp"
#include "options/notation_options.hpp"
#include "pictures/charts.hpp"

namespace jute::command {
namespace {

/// A plan for a chip.
struct OfChip {
  std::string chip, planned, refused;
  ExpectedTime time;
};

OfChip plan_of(const DeviceInfo& chip, const ProblemOptions& options, const Catalogue& catalogue) {
  OfChip result{.chip = chip.name, .planned = {}, .refused = {}, .time = {}};
  try {
    const Problem problem = problem_of(options);
    const Config config = config_for(options, problem, chip, catalogue);
    result.time = expected_time(make_plan(problem, chip, config, catalogue));
    const std::vector<Considered> list = considered(problem, chip, config, catalogue);
    result.planned = std::ranges::find(list, std::string(), &Considered::refused)->text;
  } catch (const Exception& refusal) {
    result.refused = refusal.error().violated_rules.front();
  }
  return result;
}

std::string_view word_of(Bound bound) {
  return bound == Bound::memory          ? "memory"
         : bound == Bound::multiply_adds ? "multiply-adds"
                                         : "none";
}

int percent(const ExpectedTime& time) {
  constexpr int kWhole = 100;
  return time.us > 0 ? static_cast<int>(std::lround(kWhole * time.bound_us / time.us)) : 0;
}

std::string line_of(const OfChip& one) {
  std::ostringstream text;
  text << std::left << std::setw(9) << one.chip;
  if (!one.refused.empty()) {
    text << "refused: " << one.refused << '\n';
    return text.str();
  }
  text << std::right << std::fixed << std::setprecision(2) << std::setw(11) << one.time.us
       << " us, " << std::setw(3) << percent(one.time) << " % at the limit of "
       << word_of(one.time.bound) << ": " << one.planned << '\n';
  return text.str();
}

Json json_of(const OfChip& one) {
  constexpr double kNanoseconds = 1000;
  return {{"chip", one.chip},
          {"expected_ns", std::llround(kNanoseconds * one.time.us)},
          {"bound", word_of(one.time.bound)},
          {"percent_of_bound", percent(one.time)},
          {"planned", one.planned},
          {"refused", one.refused}};
}

/// A line a chip: what a run is expected to take, which limit that is near, what is planned; or the
/// rule by which nothing is. With --json an object each.
std::string plans_of_chips(const ProblemOptions& options, const Session& session) {
  const Catalogue catalogue = session.catalogue();
  std::string text;
  for (const DeviceInfo& chip : device_presets()) {
    const OfChip one = plan_of(chip, options, catalogue);
    text += session.common.json ? json_of(one).text() + "\n" : line_of(one);
  }
  return text;
}

struct PlanOptions {
  BuildOptions build;
  MeshOptions mesh;
  bool explain = false;
  std::string chips;
  std::string deal;  ///< a picture
};

/// Where a list of groups is given: how their tiles are dealt.
std::optional<GroupDeal> deal_of(const Plan& plan, const PlanOptions& options) {
  const GroupLists& groups = options.build.problem.lists;
  const bool is_given =
      !groups.ends.empty() || !groups.counts.empty() || !groups.row_groups.empty();
  if (!plan.problem.groups) {
    const char* flag = !groups.ends.empty()     ? "--ends"
                       : !groups.counts.empty() ? "--counts"
                                                : "--row-groups";
    if (is_given) throw UsageError(flag, "it needs groups, for example --groups rows");
    if (!options.deal.empty())
      throw UsageError("--deal", "it needs groups and their list, for example --groups rows");
    return std::nullopt;
  }
  if (!is_given && options.deal.empty()) return std::nullopt;
  const Groups& planned = *plan.problem.groups;
  std::string kind(name(planned.kind));
  if (planned.entry == GroupEntry::row) kind += ":by_row";
  if (groups_of(SaidFlags{{{"groups", kind}}}, groups)->entry != planned.entry)
    throw UsageError("--row-groups", "it must be given with --groups rows:by_row");
  const GroupList list = read_group_list(kind, groups);
  check_group_list(plan.problem, list);
  return deal_groups(plan, list.values);
}

/// The choice that is the best for a run of so many rows.
Field run_of_range(const Plan& plan, Index m) {
  const GemmStep& step = gemm_step(plan);
  const bool is_asked = has_widths(step);
  const WidthChoice choice = best_width(width_costs(plan), m, plan.problem.batch);
  const std::vector<Index> tile{step.tile.m, is_asked ? choice.width : step.tile.n, step.tile.k};
  const Index split_k = is_asked ? choice.split_k : step.schedule.split_k;
  std::string line = "M=" + std::to_string(m) +
                     " by the kernel to M=" + std::to_string(plan.problem.m) + ", tiles of " +
                     std::to_string(tile[0]) + "x" + std::to_string(tile[1]);
  if (split_k > 1) line += ", " + std::to_string(split_k) + " slices of K";
  return {"run", Fields{{"m", m}, {"tile", tile}, {"split_k", split_k}}, std::move(line)};
}

/// Every kernel of --m-range, and a run of --m rows, whose kernel is the plan. Empty without a
/// range.
Fields kernels_of_range(const BuildOptions& options, const Session& session) {
  const std::vector<Problem> problems = problems_of(options.problem);
  const Problem& problem = problems.front();
  if (!problem.m_range || problems.size() > 1) return {};
  const DeviceInfo chip = chip_of(options.problem, session.settings());
  const Catalogue catalogue = session.catalogue();
  const std::vector<Plan> plans =
      make_plans(problem, chip, config_for(options.problem, problem, chip, catalogue), catalogue);
  Fields facts = fields(plans);
  facts.push_back(run_of_range(plan_for_m(plans, problem.m), problem.m));
  return facts;
}

/// The candidates that were chosen from.
std::vector<Considered> chosen_from(const Plan& plan, const BuildOptions& options,
                                    const Session& session) {
  const Catalogue catalogue = session.catalogue();
  return considered(plan.problem, plan.device,
                    config_for(options.problem, plan.problem, plan.device, catalogue), catalogue);
}

/// The cost of sums of 8-bit floats that threads add in full; empty where tensor cores keep them.
std::string words_of_promotion(const Plan& plan, const BuildOptions& options,
                               const Session& session) {
  const GemmStep& step = gemm_step(plan);
  const auto held = prediction_of(plan);
  if (step.promote_every_k == 0 || step.a.scales || step.b.scales || !held ||
      width_bits(step.a.type) != 8)
    return {};
  const Catalogue catalogue = session.catalogue();
  Config fast = config_for(options.problem, plan.problem, plan.device, catalogue);
  fast.promote = 0;
  const auto left = prediction_of(make_plan(plan.problem, plan.device, fast, catalogue));
  if (!left) return {};
  const double part = std::max(0.0, 1 - left->clocks / held->clocks);
  return "Sums of " + std::to_string(step.promote_every_k) +
         " of K are added in full, which takes " + std::to_string(std::lround(100 * part)) +
         " % of the time: fast_accum=on, torch's use_fast_accum, leaves them to the tensor "
         "cores.\n";
}

/// The part of D whose step it is, with this step.
Plan with_step_alone(const Plan& plan, int step) {
  const StepOfPart place = step_of_part(plan, step_index(step, step_count(plan)));
  Plan part = parts_of(plan)[place.part];
  part.steps = {part.steps[place.step]};
  part.behind.clear();
  return part;
}

/// The kernels' names, which end with a hash of their text.
Json symbols(const Plan& plan, const Session& session) {
  return Json::array(generated(plan, session),
                     [](const Step<Source>& step) { return step.code.symbol; });
}

/// Plans for all ranks.
int run_distributed_plan(const PlanOptions& options, const Session& session) {
  Delivery delivery(options.build.output, session);
  const DistributedPlan plan = distributed_plan(options.build.problem, options.mesh, session);
  const Sentences sentences = summary(plan);
  if (session.common.json) {
    Json json = to_json(fields(plan));
    json.add("summary", to_json(fields(sentences)));
    delivery.deliver(json.text() + "\n");
  } else {
    delivery.deliver(to_string(sentences) + "\n" + to_string(plan));
  }
  return kDone;
}

int run_plan(const PlanOptions& options, const Session& session) {
  (void)session.templates(session.settings());  // refused here as where a kernel is written
  if (is_distributed(options.mesh)) return run_distributed_plan(options, session);
  Delivery delivery(options.build.output, session);
  if (!options.chips.empty()) {
    delivery.deliver(plans_of_chips(options.build.problem, session));
    return kDone;
  }
  const Stopwatch watch;
  Plan plan = planned(options.build.problem, session);
  tell_plan(plan, watch.text(), session);
  const std::optional<GroupDeal> deal = deal_of(plan, options);
  if (!options.deal.empty()) {
    OutputFile picture(options.deal);
    picture.write(to_svg(deal.value()));
    picture.commit();
  }
  const std::vector<Considered> candidates = chosen_from(plan, options.build, session);
  const Summary sentences =
      summary(plan, candidates,
              config_for(options.build.problem, plan.problem, plan.device, session.catalogue()),
              session.catalogue());
  note_chip(plan, session);
  if (const auto step = options.build.step) plan = with_step_alone(plan, *step);
  std::string text;
  if (session.common.json) {
    Fields facts = fields(plan);
    for (Field& field : kernels_of_range(options.build, session)) facts.push_back(std::move(field));
    Json json = to_json(facts);
    json.add("summary", to_json(fields(sentences)));
    json.add("symbols", symbols(plan, session));
    json.add("numerics", numerics(plan));
    if (deal) json.add("deal", to_json(fields(*deal)));
    if (options.explain) {
      Json reasons = to_json(fields(candidates));
      reasons.add("words", explain(plan) + words_of_promotion(plan, options.build, session));
      json.add("explain", reasons);
    }
    text = json.text() + "\n";
  } else {
    text = to_string(sentences) + "\n" + to_string(plan) + "\n" + numerics(plan);
    if (deal) text += "\nOf these groups: " + to_string(*deal) + "\n";
    if (const Fields kernels = kernels_of_range(options.build, session); !kernels.empty())
      text += "\nOf the range of M:\n" + to_string(kernels);
    if (options.explain)
      text += "\n" + explain(plan) + words_of_promotion(plan, options.build, session) +
              "Considered, fewest clocks first:\n" + to_string(fields(candidates));
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
  add_mesh_flags(sub, options->mesh);
  sub.judge = [options](const Session& session) {
    take_mesh_of_text(options->build.problem, options->mesh);
    if (is_distributed(options->mesh))
      (void)distributed_plan(options->build.problem, options->mesh, session);
    else
      judge_plan(options->build, session);
  };
  sub.option("--explain", &options->explain, "Say why the planner chose what it chose");
  add_list_flags(sub, options->build.problem.lists);
  sub.option("--deal FILE.svg", &options->deal,
             "Draw how the list's tiles are dealt: blocks over time, a colour for each group")
      .under("Groups");
  sub.option("--chips", &options->chips, "A line for each chip that there is a preset of")
      .one_of({"all"})
      .without({"--arch", "--device-preset", "--step", "--explain", "--deal"});
  for (const char* of_one_chip : {"--step", "--explain", "--deal", "--chips"}) {
    Words& excludes = sub.find(of_one_chip)->excludes;
    excludes.insert(excludes.end(), {"--mesh", "--ranks"});
  }
  sub.run = [options](const Session& session) {
    take_mesh_of_text(options->build.problem, options->mesh);
    return run_plan(*options, session);
  };
}

}  // namespace jute::command
