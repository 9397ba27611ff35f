// `jute cover`: the few kernels that serve a file of problems.
#include <memory>
#include <ostream>

#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "options/cover_options.hpp"

namespace jute::command {
namespace {

int run_cover(const CoverFlags& flags, const Session& session) {
  const Cover kernels = covered(flags, session);
  return session.print(to_json(fields(kernels)), to_string(kernels));
}

}  // namespace

void add_cover(Command& jute) {
  auto flags = std::make_shared<CoverFlags>();
  Command& sub = jute.add("cover", "Print the few kernels that serve a file of problems",
                          "jute cover --problem 'M=1:8192 N=4096 K=4096 A=bf16 B=bf16:col'");
  add_cover_flags(sub, *flags);
  sub.reads = {"--atoms"};
  sub.run = [flags](const Session& session) { return run_cover(*flags, session); };
  sub.judge = [flags](const Session&) { (void)problems_of(*flags); };
}

}  // namespace jute::command
