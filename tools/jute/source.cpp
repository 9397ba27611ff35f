// `jute source`: the CUDA source of a problem.
#include <memory>
#include <ostream>

#include "build_options.hpp"
#include "exit_status.hpp"
#include "json_writer.hpp"

namespace jute::command {
namespace {

Json to_json(const Source& source) {
  return {{"symbol", source.symbol},
          {"arch", to_string(source.arch)},
          {"signature", to_string(source.signature)},
          {"threads_per_block", source.threads_per_block},
          {"dynamic_smem_bytes", source.dynamic_smem_bytes},
          {"text", source.text}};
}

int run_source(const BuildOptions& options, const Session& session) {
  Delivery delivery(options.output, session);
  std::string text;
  for (const Source& source : generated(options, session))
    text += session.common.json ? one_line(to_json(source)) + "\n" : source.text;
  delivery.deliver(text);
  return kDone;
}

}  // namespace

void add_source(Command& jute) {
  auto options = std::make_shared<BuildOptions>();
  Command& sub =
      add_build_subcommand(jute, *options, "source", "Print the CUDA source of a problem's kernels",
                           "jute source --m 1024 --n 1024 --k 1024 --type bf16");
  sub.run = [options](const Session& session) { return run_source(*options, session); };
}

}  // namespace jute::command
