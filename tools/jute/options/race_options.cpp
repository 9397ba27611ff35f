// A race ahead of a run, a cache or a bundle.
#include "options/race_options.hpp"

namespace jute::command {

void add_race_flag(Command& command, int& race) {
  command
      .option("--race NUMBER", &race,
              "Time so many of planning's first candidates on the GPU, and keep the fastest")
      .between(1, 100);
}

Tuned raced(Context& context, const Problem& problem, const ProblemOptions& options, int race,
            const Session& session) {
  const Config config = config_for(options, problem, context.device_info(), context.catalogue());
  Tuned tuned = tune(context, problem,
                     {.candidates = race,
                      .config = config,
                      .orders = options.batch_invariant ? SumOrders::as_planned : SumOrders::any});
  session.note("raced: " + to_string(tuned) +
               (tuned.file.empty() ? std::string() : "; kept in " + tuned.file));
  return tuned;
}

}  // namespace jute::command
