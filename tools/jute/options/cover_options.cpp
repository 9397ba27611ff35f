// From a file of problems to a cover.
#include "options/cover_options.hpp"

#include <jute/base/retold.hpp>

#include "files/files.hpp"

namespace jute::command {

void add_range_flags(Command& command, RangeFlags& flags) {
  command.option("--max-kernels", &flags.most_kernels, "Of each problem, at most")
      .between(1, 1000)
      .with_default();
  command
      .option("--max-loss", &flags.most_loss,
              "Per cent of its time that no M may lose, as far as so many kernels can do it")
      .with_default();
}

void add_cover_flags(Command& command, CoverFlags& flags) {
  command.option("problems FILE.problems", &flags.file, "A file of problems, one a line");
  command.option("--problem", &flags.problem.text, "One problem instead: \"M=1:64 N=40 K=32\"");
  add_range_flags(command, flags.range);
  add_chip_flags(command, flags.problem);
  add_choice_flags(command, flags.problem);
}

std::vector<Problem> problems_of(const CoverFlags& flags) {
  if (flags.file.empty() == flags.problem.text.empty())
    throw UsageError("problems",
                     "they must come from a file, or one from --problem \"M=1:64 N=40 K=32\"");
  if (flags.file.empty()) return {problem_of(flags.problem)};
  std::vector<Problem> problems = retold([&] { return parse_problems(read_text(flags.file)); },
                                         [&](Error& error) {
                                           if (error.operand != flags.file)
                                             error.operand.insert(0, flags.file + ": ");
                                         });
  if (problems.empty()) throw UsageError(flags.file, "it must hold a problem: M=48 N=40 K=32");
  return problems;
}

Cover covered(const CoverFlags& flags, const Session& session) {
  const std::vector<Problem> problems = problems_of(flags);
  if (flags.problem.batch_invariant && problems.size() != 1)
    throw UsageError("--batch-invariant", "it needs one problem: each has an order of its own");
  const DeviceInfo chip = chip_of(flags.problem, session.settings());
  const Catalogue catalogue = session.catalogue();
  return cover(problems, chip,
               {config_for(flags.problem, problems.front(), chip, catalogue), flags.range.limits()},
               catalogue);
}

}  // namespace jute::command
