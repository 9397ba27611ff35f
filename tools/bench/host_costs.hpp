#pragma once
// What one call costs the host.
#include "race/worker.hpp"

namespace jute::bench {

/// Says a line for each of: a bare launch by the driver, prepare (a new kernel, a known one), run,
/// cublasLtMatmul; microseconds a call, medians over rounds of calls that nobody waits for.
void print_host_costs(Context& context, const Settings& settings, const OpenPeers& open_peers,
                      const Print& print);

}  // namespace jute::bench
