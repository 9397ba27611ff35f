#pragma once
// What one call costs the host, jute's and cuBLASLt's.
#include <functional>
#include <optional>
#include <string>

#include "bench/peers/peers.hpp"

namespace jute::bench {

/// Says a line for each of: a bare launch by the driver, prepare (a new kernel, a known one), run,
/// cublasLtMatmul; microseconds a call, medians over rounds of calls that nobody waits for.
void print_host_costs(Context& context, const Settings& settings, std::optional<Cublas> cublas,
                      const std::function<void(const std::string&)>& print);

}  // namespace jute::bench
