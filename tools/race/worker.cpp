// Prepares everything at once, then races case by case.
#include "race/worker.hpp"

#include <future>

#include "race/results/results.hpp"
#include "race/results/wire.hpp"
#include "tree/command_tree.hpp"

namespace jute::bench {
namespace {

using Preparing = std::vector<std::future<Entrant>>;

Entrant prepare_one(Context& context, const Case& each, const Attempt& attempt) {
  Entrant entrant{attempt.name, std::nullopt, ""};
  try {
    Problem problem = each.problem;
    problem.m_range = attempt.m_range;
    entrant.gemm = prepare(context, problem, attempt.config);
  } catch (const Exception& exception) {
    entrant.refusal = exception.what();
  }
  return entrant;
}

/// The same product without an epilogue of its own, or Views, which it is held against.
Entrant prepare_plain(Context& context, const Case& each, const Config& config) {
  Entrant entrant = prepare_one(context, plain_case(each), {"plain", config});
  entrant.side = Side::plain;
  return entrant;
}

/// Compiling takes longer than timing, and would disturb it: all of it comes first.
std::vector<std::vector<Entrant>> prepare_all(Context& context, const Job& job,
                                              const std::vector<size_t>& indices, const Say& say) {
  std::vector<Preparing> preparing;
  for (const size_t index : indices) {
    Preparing& entrants = preparing.emplace_back();
    const Case& each = job.cases[index];
    const std::vector<Attempt> attempts =
        job.attempts_for ? job.attempts_for(each, context) : job.attempts;
    for (const Attempt& attempt : attempts)
      entrants.push_back(std::async(std::launch::async, [&context, &each, attempt] {
        return prepare_one(context, each, attempt);
      }));
    if ((each.problem.epilogue || has_views(each)) && !job.attempts_for)
      entrants.push_back(
          std::async(std::launch::async, [&context, &each, config = attempts.front().config] {
            return prepare_plain(context, each, config);
          }));
  }
  std::vector<std::vector<Entrant>> prepared;
  for (Preparing& entrants : preparing) {
    std::vector<Entrant>& ready = prepared.emplace_back();
    for (auto& entrant : entrants) {
      ready.push_back(entrant.get());
      say("alive", "");
    }
  }
  return prepared;
}

/// After these the device, or the process, is of no more use.
bool breaks_the_device(ErrorCode code) {
  return code == ErrorCode::launch_failed || code == ErrorCode::driver_failed;
}

CaseReport raced(Race& race, const Case& each, const std::vector<Entrant>& entrants) {
  try {
    return race.run(each, entrants);
  } catch (const Exception& exception) {
    if (breaks_the_device(exception.error().code)) throw;
    return {.id = each.id,
            .problem = to_string(each.problem),
            .note = exception.what(),
            .launches = 0,
            .sets = 0,
            .results = {}};
  }
}

Context open_context(const Job& job) {
  ContextOptions options = job.context_options();
  options.device = DeviceChoice::cuda;
  try {
    return Context(options);
  } catch (const Exception& exception) {
    if (exception.error().code != ErrorCode::no_gpu) throw;
    command::refuse(ErrorCode::no_gpu, job.command, "",
                    "a race needs a GPU and its driver, and there is none here");
  }
}

}  // namespace

void work(const Job& job, const std::vector<size_t>& indices, const Say& say) {
  Context context = open_context(job);
  const auto alive = [&] { say("alive", ""); };
  const Settings settings = job.context_options().settings;
  const OpenPeers open_peers = job.find_peers ? job.find_peers() : OpenPeers();
  if (job.instead) {
    job.instead(context, settings, open_peers,
                [&](const std::string& line) { say("print", line); });
    return;
  }
  alive();
  const auto prepared = prepare_all(context, job, indices, say);
  Race race(context, settings, open_peers, job.race, alive);
  say("machine", to_wire(race.machine()));
  for (size_t i = 0; i < indices.size(); ++i) {
    say("start", std::to_string(indices[i]));
    const CaseReport report = raced(race, job.cases[indices[i]], prepared[i]);
    say("case", to_wire(report));
    for (const Result& result : report.results) say("result", to_csv(result));
    say("end", "");
  }
}

}  // namespace jute::bench
