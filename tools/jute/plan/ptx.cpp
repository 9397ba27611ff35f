// `jute ptx`: what NVRTC makes of a problem's source.
#include <memory>
#include <ostream>

#include "command/exit_status.hpp"
#include "emulate/gemm_launch.hpp"
#include "files/json_writer.hpp"
#include "options/build_options.hpp"

namespace jute::command {
namespace {

struct PtxOptions {
  BuildOptions build;
  std::string launch;
};

int run_ptx(const PtxOptions& ptx, const Session& session) {
  const BuildOptions& options = ptx.build;
  if (!ptx.launch.empty()) {
    if (options.step || !options.output.empty())
      throw UsageError("--launch", "it must stand without --step and -o: it writes every step");
    const std::string file = write_gemm_launch(options, ptx.launch, session);
    session.out << (session.common.json ? one_line({{"launch", file}}) : file) << '\n';
    return kDone;
  }
  Delivery delivery(options.output, session);
  std::vector<std::string> texts;
  for (const auto& [binary, launch] : compiled(options, session, Output::ptx))
    texts.push_back(session.common.json ? one_line({{"symbol", binary.symbol},
                                                    {"arch", to_string(binary.arch)},
                                                    {"signature", to_string(binary.signature)},
                                                    {"launch", launch},
                                                    {"ptx", binary.ptx}}) +
                                              "\n"
                                        : binary.ptx);
  deliver(texts, delivery, session);
  return kDone;
}

}  // namespace

void add_ptx(Command& jute) {
  auto options = std::make_shared<PtxOptions>();
  Command& sub =
      add_build_subcommand(jute, options->build, "ptx", "Print the PTX of a problem's kernels",
                           "jute ptx --m 1024 --n 1024 --k 1024 --arch sm_80");
  sub.option("--launch", &options->launch,
             "Write kernels, random operands, the expected D and launch.json for `jute emulate`")
      .type("DIR");
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) { return run_ptx(*options, session); };
}

}  // namespace jute::command
