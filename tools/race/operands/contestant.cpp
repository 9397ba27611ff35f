// A prepared Gemm as a contestant.
#include "race/operands/contestant.hpp"

#include <jute/gemm/gemm_args.hpp>

#include <algorithm>
#include <memory>

#include "product/gemm_report.hpp"

namespace jute::bench {

Contestant jute_contestant(Backend& backend, const Gemm& gemm, const Case& each,
                           const std::string& name, Stream stream) {
  Contestant contestant;
  contestant.name = name;
  contestant.roundoff = command::roundoff(gemm.plan());
  for (const Binary& binary : gemm.binaries()) {
    if (!binary.resources) continue;
    contestant.registers = std::max(contestant.registers, binary.resources->registers);
    contestant.spill_bytes +=
        binary.resources->spill_store_bytes + binary.resources->spill_load_bytes;
  }
  // One for each contestant: counters in it are left at zero by every run, other data is not.
  const auto workspace = std::make_shared<const Buffer>(backend, gemm.workspace_bytes());
  gemm.clear_workspace(workspace->pointer(), stream);
  contestant.enqueue = [gemm, workspace, stream, alpha = each.alpha,
                        beta = each.beta](const Operands& operands) {
    GemmArgs args;
    put_addresses(args, operands);
    args.workspace = workspace->pointer();
    args.alpha = alpha;
    args.beta = beta;
    for (EpilogueArg& input : args.inputs) input.value = kInputValue;
    args.stream = stream;
    gemm.run(args);
  };
  return contestant;
}

}  // namespace jute::bench
