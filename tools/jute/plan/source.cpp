// `jute source`: the CUDA source of a problem.
#include <memory>
#include <ostream>

#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "options/build_options.hpp"

namespace jute::command {
namespace {

Json source_json(const Step<Source>& step) {
  const Source& source = step.code;
  return {{"symbol", source.symbol},
          {"arch", to_string(source.arch)},
          {"signature", to_string(source.signature)},
          {"launch", step.launch},
          {"text", source.text}};
}

int run_source(const BuildOptions& options, const Session& session) {
  Delivery delivery(options.output, session);
  std::vector<std::string> texts;
  for (const Step<Source>& step : generated(options, session))
    texts.push_back(session.common.json ? one_line(source_json(step)) + "\n" : step.code.text);
  deliver(texts, delivery, session);
  return kDone;
}

}  // namespace

void add_source(Command& jute) {
  auto options = std::make_shared<BuildOptions>();
  Command& sub =
      add_build_subcommand(jute, *options, "source", "Print the CUDA source of a problem's kernels",
                           "jute source --m 1024 --n 1024 --k 1024 --type bf16");
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) { return run_source(*options, session); };
}

}  // namespace jute::command
