// `jute cubin`: the machine code of a problem, and what it needs.
#include <unistd.h>

#include <memory>
#include <ostream>

#include "command/exit_status.hpp"
#include "files/json_writer.hpp"
#include "options/build_options.hpp"

namespace jute::command {
namespace {

Json resources_json(const Resources& resources) {
  return {{"registers", resources.registers},
          {"stack_bytes", resources.stack_bytes},
          {"spill_store_bytes", resources.spill_store_bytes},
          {"spill_load_bytes", resources.spill_load_bytes},
          {"static_smem_bytes", resources.static_smem_bytes},
          {"serialized", resources.serialized}};
}

Json binary_json(const Step<Binary>& step) {
  const Binary& binary = step.code;
  return {{"symbol", binary.symbol},
          {"arch", to_string(binary.arch)},
          {"signature", to_string(binary.signature)},
          {"launch", step.launch},
          {"cubin_bytes", binary.cubin.size()},
          {"resources", binary.resources ? resources_json(*binary.resources) : Json()}};
}

/// Without -o only what is known about the code is printed: machine code is nothing to read.
int run_cubin(const BuildOptions& options, const Session& session) {
  Delivery delivery(options.output, session);
  const auto steps = compiled(options, session, Output::ptx_and_cubin);
  if (options.output == "-" && steps.size() > 1)
    throw UsageError("-o", "it must be a file, or --step one kernel: no stream holds two of them");
  if (delivery.is_asked_for()) {
    std::vector<std::string> codes;
    for (const auto& [binary, launch] : steps)
      codes.emplace_back(reinterpret_cast<const char*>(binary.cubin.data()), binary.cubin.size());
    delivery.deliver_steps(codes);
  }
  std::ostream& told = options.output == "-" ? session.err : session.out;
  for (const Step<Binary>& step : steps)
    told << (session.common.json ? one_line(binary_json(step)) : to_line(step.code)) << '\n';
  return kDone;
}

}  // namespace

void add_cubin(Command& jute) {
  auto options = std::make_shared<BuildOptions>();
  Command& sub = add_build_subcommand(
      jute, *options, "cubin", "Assemble a problem's kernels; -o keeps the machine code",
      "jute cubin --m 1024 --n 1024 --k 1024 --arch sm_90a -o kernel.cubin");
  sub.reads = {"--atoms", "--templates", "--verbose"};
  sub.run = [options](const Session& session) { return run_cubin(*options, session); };
}

}  // namespace jute::command
