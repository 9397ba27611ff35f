// `jute ranks`: a program once for each rank.
#include <memory>

#include "command/command_line.hpp"
#include "mesh/rank_programs.hpp"

namespace jute::command {
namespace {

struct RanksOptions {
  int count = 0;
  double grace_s = 5;
  std::vector<std::string> words;
};

void check_ranks(const RanksOptions& options) {
  if (options.words.empty())
    throw UsageError("PROGRAM", "it must be given behind --: jute ranks -n 2 -- ./program");
}

}  // namespace

void add_ranks(Command& jute) {
  auto options = std::make_shared<RanksOptions>();
  Command& sub = jute.add("ranks", "Start a program once for each rank",
                          "jute ranks -n 2 -- ./program arguments");
  sub.option("program PROGRAM", &options->words, "The program and its arguments, behind --")
      .takes(Strays::word);
  sub.option("-n,--count", &options->count,
             "How many: each has RANK, WORLD_SIZE, LOCAL_RANK, JUTE_RENDEZVOUS and "
             "JUTE_RENDEZVOUS_SECRET")
      .between(1, 4096)
      .required();
  sub.option("--grace SECONDS", &options->grace_s,
             "Seconds that the others have to end once one has failed")
      .with_default();
  sub.run = [options](const Session& session) {
    check_ranks(*options);
    const RanksEnd end = run_rank_programs(options->words, options->count, options->grace_s);
    if (end.rank)
      session.note("jute: rank " + std::to_string(*end.rank) + " of " + options->words.front() +
                   " ended with status " + std::to_string(end.status));
    return end.status;
  };
  sub.judge = [options](const Session&) { check_ranks(*options); };
}

}  // namespace jute::command
