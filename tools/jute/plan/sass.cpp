// `jute sass`: the machine code of a problem as nvdisasm or cuobjdump shows it.
#include <jute/base/settings.hpp>

#include <memory>
#include <ostream>

#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "options/build_options.hpp"
#include "programs/disassembler.hpp"

namespace jute::command {
namespace {

int run_sass(const BuildOptions& options, const Session& session) {
  const auto tool = find_disassembler(session.settings());
  if (!tool) refuse_without_disassembler();
  Delivery delivery(options.output, session);
  std::vector<std::string> texts;
  for (const auto& [binary, launch] : compiled(options, session, Output::ptx_and_cubin)) {
    texts.push_back(disassembled(*tool, binary.cubin));
    if (session.common.json)
      texts.back() = one_line({{"symbol", binary.symbol},
                               {"arch", to_string(binary.arch)},
                               {"launch", launch},
                               {"sass", texts.back()}}) +
                     "\n";
  }
  deliver(texts, delivery, session);
  return kDone;
}

}  // namespace

void add_sass(Command& jute) {
  auto options = std::make_shared<BuildOptions>();
  Command& sub = add_build_subcommand(jute, *options, "sass",
                                      "Print the machine instructions of a problem's kernels",
                                      "jute sass --m 1024 --n 1024 --k 1024 --arch sm_80");
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) { return run_sass(*options, session); };
}

}  // namespace jute::command
